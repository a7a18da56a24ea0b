"""Trajectories sampled from a finite model, many at once."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from privrl_core.checks import distributions, generator, instance_of, whole_number
from privrl_core.world.episodes import NUMBERS, Episodes, blocks, compact
from privrl_core.world.models import FiniteMDP

__all__ = ["sample_episodes"]


def _alias_table(p, size):
    """Walker's alias method: draw a uniform slot k, then k with probability ``threshold[k]``, else ``alias[k]``.

    Returns ``(threshold[size], alias[size])`` for drawing from p, a distribution on 0 .. len(p) - 1 with
    len(p) <= size. A slot holds 1 / size. Light outcomes, with less, are filled up from heavy ones, with more,
    both in order, so that prefix sums of deficits and surpluses determine which heavy outcome fills which light one.
    """
    q = np.zeros(size)
    q[: len(p)] = p * (size / p.sum())
    is_heavy = q >= 1
    is_heavy[np.argmax(q)] = True  # even if rounding leaves all of them slightly below 1
    light, heavy = np.flatnonzero(~is_heavy), np.flatnonzero(is_heavy)
    needed, spare = np.cumsum(1 - q[light]), np.cumsum(q[heavy] - 1)
    threshold, alias = q, np.arange(size)
    needed_before = np.concatenate([[0.0], needed])[: len(light)]
    alias[light] = heavy[np.minimum(np.searchsorted(spare, needed_before), len(heavy) - 1)]
    # the first light outcome that exceeds the surplus leaves a hole in that heavy outcome, which the next one fills
    hole = np.append(needed, -np.inf)[np.searchsorted(needed, spare[:-1], side="right")] - spare[:-1]
    threshold[heavy] = 1
    threshold[heavy[:-1]] -= np.maximum(hole, 0)
    alias[heavy[:-1]] = heavy[1:]
    return threshold, alias


@dataclass(frozen=True, eq=False)
class _Outcomes:
    """The possible outcomes of each state under a policy, in ``size`` slots per state for the alias method.

    A uniform u in [0, size) falls into slot k = floor(u), row s * size + k of the tables ``action``,
    ``next_state`` and ``reward``. Column 0 applies if u is below ``edge[row]``, else column 1. The tables
    are flat, so that one index, 2 * row + column, addresses all three.
    """

    size: int
    edge: np.ndarray
    action: np.ndarray
    next_state: np.ndarray
    reward: np.ndarray

    @classmethod
    def of(cls, mdp, policy):
        law = np.where(mdp.terminal[:, None, None], 0, policy[:, :, None] * mdp.transitions)
        size = max(1, np.count_nonzero(law, axis=(1, 2)).max())
        edge = np.ones((mdp.n_states, size)) + np.arange(size)
        action, next_state = np.zeros((2, mdp.n_states, size, 2), dtype=np.intp)
        for s in np.flatnonzero(~mdp.terminal):
            a, n = np.nonzero(law[s])
            threshold, alias = _alias_table(law[s, a, n], size)
            edge[s] = np.arange(size) + threshold
            # slots past the outcomes have threshold 0, so their column 0 is never drawn
            column = np.stack([np.minimum(np.arange(size), len(a) - 1), alias], axis=1)
            action[s], next_state[s] = a[column], n[column]
        reward = mdp.rewards[np.arange(mdp.n_states)[:, None, None], action, next_state]
        index = np.min_scalar_type(-max(mdp.n_states, mdp.n_actions))
        action, reward = action.astype(index), compact(reward, NUMBERS)
        return cls(size, edge.ravel(), action.ravel(), next_state.ravel(), reward.ravel())

    def draw(self, state, rng):
        """One outcome for each of ``state[n]``: its index [n] in the tables."""
        u = self.size * rng.random(len(state))
        row = self.size * state + u.astype(np.intp)
        return 2 * row + (u >= self.edge[row])


@lru_cache(maxsize=1)  # for repeated calls with the same model and policy, as in sampling millions of stays in parts
def _outcomes(mdp, policy):
    return _Outcomes.of(mdp, np.frombuffer(policy).reshape(mdp.n_states, mdp.n_actions))


def sample_episodes(
    mdp: FiniteMDP, policy, m: int, rng: np.random.Generator, max_length: int = 1000
) -> Episodes:
    r"""``m`` independent trajectories of ``policy[S, A]`` in ``mdp``.

    :math:`s_0 \sim` ``initial``, then :math:`a_t \sim \pi(\cdot \mid s_t)` and
    :math:`s_{t+1} \sim P(\cdot \mid s_t, a_t)` until a terminal state is entered; a trajectory that starts in one has
    length 0. The distribution is exact up to the rounding of doubles. After ``max_length`` transitions a
    trajectory is cut: later rewards are not in the data, and returns computed from the data are
    those of the observed rewards. The same state of ``rng`` gives the same bytes.

    T is the length of the longest trajectory. States and actions are stored in the smallest signed integer type that
    holds them, rewards in the smallest type that represents every reward of the problem exactly. Raises ValueError unless
    the rows of ``policy`` are distributions and ``m`` and ``max_length`` are positive whole numbers.
    """
    policy = distributions("policy", policy, (instance_of(FiniteMDP, "mdp", mdp).n_states, mdp.n_actions))
    m, max_length = whole_number("m", m, least=1), whole_number("max_length", max_length, least=1)
    generator("rng", rng)
    outcomes = _outcomes(mdp, policy.tobytes())
    # one row per step, with more rows as blocks have longer trajectories; transposed at the end, so never copied
    states, actions = (np.empty((0, m), outcomes.action.dtype) for _ in range(2))
    rewards, lengths = np.empty((0, m), outcomes.reward.dtype), np.empty(m, np.int32)
    for block in blocks(m):
        n = block.stop - block.start
        *sampled, lengths[block] = _sample_block(mdp, outcomes, n, rng, max_length)
        for rows, new, past_end in zip((states, actions, rewards), sampled, (-1, -1, 0), strict=True):
            if (known := len(rows)) < len(new):
                rows.resize((len(new), m), refcheck=False)
                rows[known:] = past_end
            rows[: len(new), block] = np.reshape(new, (len(new), n))
    return Episodes(states.T, actions.T, rewards.T, lengths)


def _sample_block(mdp, outcomes, n, rng, max_length):
    """``n`` trajectories, advanced together: states, actions and rewards as lists of rows [n], one per step, and lengths."""
    def row(values, past_end):
        if len(values) == n:  # no trajectory has ended
            return values
        spread = np.full(n, past_end, values.dtype)
        spread[alive] = values
        return spread

    index = outcomes.action.dtype
    state = rng.choice(mdp.n_states, size=n, p=mdp.initial)
    states, actions, rewards, lengths = [state.astype(index)], [], [], np.zeros(n, np.int32)
    alive = np.flatnonzero(~mdp.terminal[state])
    state = state[alive]
    while alive.size and len(actions) < max_length:
        drawn = outcomes.draw(state, rng)
        state = outcomes.next_state.take(drawn)
        states.append(row(state.astype(index), -1))
        actions.append(row(outcomes.action.take(drawn), -1))
        rewards.append(row(outcomes.reward.take(drawn), 0))
        ends = mdp.terminal.take(state)
        if ends.any():
            lengths[alive[ends]] = len(actions)
            alive, state = alive[~ends], state[~ends]
    lengths[alive] = len(actions)
    return states, actions, rewards, lengths
