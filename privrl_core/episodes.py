"""Trajectories: how they are stored and sampled, and what first-visit estimates need of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from privrl_core.mdp import FiniteMDP, discount_factor, distributions
from privrl_core.validation import finite, positive, set_fields, whole_number

BLOCK = 4096  # trajectories handled together: enough to hide Python's cost, few enough for the cache
INDICES = np.int8, np.int16, np.int32, np.int64  # of states and actions, with -1
NUMBERS = np.int8, np.int16, np.float32, np.float64  # of rewards


def _blocks(m):
    return [slice(start, min(start + BLOCK, m)) for start in range(0, m, BLOCK)]


@dataclass(frozen=True, eq=False)
class Episodes:
    """m trajectories of different lengths, side by side in rectangular arrays of compact types.

    ``states[m, T+1]`` and ``actions[m, T]`` (signed integers), ``rewards[m, T]`` (real numbers) and
    ``lengths[m]`` (transitions, 0 to T). Trajectory i goes from ``states[i, 0]`` to
    ``states[i, lengths[i]]``; past its end states and actions are -1 and rewards 0. Raises ValueError,
    naming the array, where any of this does not hold or a reward is not finite. The arrays are read-only views
    of those given, which are not copied: leave them alone.
    """

    states: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    lengths: np.ndarray

    def __post_init__(self):
        kinds = {"states": "i", "actions": "i", "rewards": "fib", "lengths": "i"}  # kinds of dtypes
        for name, n_axes in ("states", 2), ("actions", 2), ("rewards", 2), ("lengths", 1):
            values = np.asarray(getattr(self, name))
            if values.ndim != n_axes or values.dtype.kind not in kinds[name]:
                expected = "real numbers" if name == "rewards" else "signed integers"
                raise ValueError(
                    f"{name} must be {expected} on {n_axes} axes, got {values.dtype} of shape {values.shape}"
                )
            values = values.view()  # not a copy: a million trajectories fill a tenth of a gigabyte
            values.flags.writeable = False
            object.__setattr__(self, name, values)
        m, width = self.states.shape
        if 0 in (m, width):
            raise ValueError(f"states must hold at least one trajectory of one state, got shape {(m, width)}")
        for name, shape in ("actions", (m, width - 1)), ("rewards", (m, width - 1)), ("lengths", (m,)):
            if getattr(self, name).shape != shape:
                raise ValueError(f"{name} must have shape {shape} as states has {(m, width)}, "
                                 f"got {getattr(self, name).shape}")
        if self.lengths.min() < 0 or self.lengths.max() >= width:
            raise ValueError(
                f"lengths must be in [0, {width - 1}], got {self.lengths.min()} to {self.lengths.max()}"
            )
        steps = np.arange(width, dtype=np.int32)[:, None]
        for block in _blocks(m):
            inside = (steps <= self.lengths[block]).T
            self._require_padding("states", block, inside)
            self._require_padding("actions", block, inside[:, 1:])
            rewards = self.rewards[block]
            right = (rewards == 0) | (inside[:, 1:] & np.isfinite(rewards))
            self._require(right, "rewards", block, "finite, and 0 past the end of a trajectory")

    def _require_padding(self, name, block, inside):
        values = getattr(self, name)[block]
        if values.min(initial=-1) < -1 or ((values >= 0) != inside).any():
            right = np.where(inside, values >= 0, values == -1)
            self._require(right, name, block, "at least 0 up to the end of a trajectory and -1 past it")

    def _require(self, right, name, block, bound):
        if not right.all():
            i, t = np.argwhere(~right)[0]
            i += block.start
            raise ValueError(
                f"{name} must be {bound}, got {getattr(self, name)[i, t]} at step {t} of trajectory {i}, "
                f"whose length is {self.lengths[i]}"
            )

    def __len__(self) -> int:
        return len(self.lengths)

    @classmethod
    def from_lists(cls, states, actions, rewards) -> Self:
        """Episodes from one sequence per trajectory, of any lengths: logged data, say.

        Trajectory i has as many rewards as actions and one state more: the one where it ends. Raises
        ValueError, naming the trajectory, where these numbers disagree, and as :class:`Episodes` does.
        """
        if not 0 < len(states) == len(actions) == len(rewards):
            raise ValueError(
                "states, actions and rewards must hold the same number of trajectories, at least one, "
                f"got {len(states)}, {len(actions)} and {len(rewards)}"
            )
        for i, (s, a, r) in enumerate(zip(states, actions, rewards, strict=True)):
            if not len(s) - 1 == len(a) == len(r):
                raise ValueError(
                    "rewards must be as many as actions, and states one more, "
                    f"got {len(r)}, {len(a)} and {len(s)} in trajectory {i}"
                )
        lengths = np.array([len(a) for a in actions])
        inside = np.arange(lengths.max() + 1) <= lengths[:, None]
        return cls(
            _padded("states", states, inside, -1, INDICES),
            _padded("actions", actions, inside[:, 1:], -1, INDICES),
            _padded("rewards", rewards, inside[:, 1:], 0, NUMBERS),
            lengths,
        )


def _padded(name, sequences, inside, past_end, types):
    padded = np.full(inside.shape, past_end, dtype=float)
    padded[inside] = finite(name, np.concatenate([np.empty(0), *sequences]))
    compact = _compact(padded, types)
    if compact is None:
        raise ValueError(f"{name} must be whole numbers, got {padded[padded != np.rint(padded)][:1]}")
    return compact


def _compact(values, types):
    """``values`` in the first of ``types`` that holds each of them exactly, None if none does."""
    with np.errstate(invalid="ignore", over="ignore"):
        return next((x for x in map(values.astype, types) if np.array_equal(x, values)), None)


def _alias_table(p, size):
    """Walker's alias method: a uniform slot k, then k with probability ``threshold[k]``, else ``alias[k]``.

    Returns ``(threshold[size], alias[size])`` that draw from p, a distribution on 0 .. len(p) - 1 with
    len(p) <= size. A slot holds 1 / size: outcomes with less (light) are topped up from those with more
    (heavy), both in order, so that prefix sums of what is needed and what is to spare say who fills whom.
    """
    q = np.zeros(size)
    q[: len(p)] = p * (size / p.sum())
    is_heavy = q >= 1
    is_heavy[np.argmax(q)] = True  # even where rounding leaves all of them a hair below 1
    light, heavy = np.flatnonzero(~is_heavy), np.flatnonzero(is_heavy)
    needed, spare = np.cumsum(1 - q[light]), np.cumsum(q[heavy] - 1)
    threshold, alias = q, np.arange(size)
    needed_before = np.concatenate([[0.0], needed])[: len(light)]
    alias[light] = heavy[np.minimum(np.searchsorted(spare, needed_before), len(heavy) - 1)]
    # the first light one whose need exceeds what is spare leaves a hole in that heavy one, for the next to fill
    hole = np.append(needed, -np.inf)[np.searchsorted(needed, spare[:-1], side="right")] - spare[:-1]
    threshold[heavy] = 1
    threshold[heavy[:-1]] -= np.maximum(hole, 0)
    alias[heavy[:-1]] = heavy[1:]
    return threshold, alias


@dataclass(frozen=True, eq=False)
class _Outcomes:
    """What may follow each state under a policy, in ``size`` slots per state for the alias method.

    A uniform u in [0, size) falls into slot k = floor(u), row s * size + k of the tables ``action``,
    ``next_state`` and ``reward``; column 0 happens if u is below ``edge[row]``, else column 1. The tables
    are flat, so that one index, 2 * row + column, finds all three.
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
            # slots past the outcomes have threshold 0: what stands in their column 0 never happens
            column = np.stack([np.minimum(np.arange(size), len(a) - 1), alias], axis=1)
            action[s], next_state[s] = a[column], n[column]
        reward = mdp.rewards[np.arange(mdp.n_states)[:, None, None], action, next_state]
        index = np.min_scalar_type(-max(mdp.n_states, mdp.n_actions))
        action, reward = action.astype(index), _compact(reward, NUMBERS)
        return cls(size, edge.ravel(), action.ravel(), next_state.ravel(), reward.ravel())

    def draw(self, state, rng):
        """One outcome for each of ``state[n]``: its index [n] in the tables."""
        u = self.size * rng.random(len(state))
        row = self.size * state + u.astype(np.intp)
        return 2 * row + (u >= self.edge[row])


def sample_episodes(
    mdp: FiniteMDP, policy, m: int, rng: np.random.Generator, max_length: int = 1000
) -> Episodes:
    r"""``m`` independent trajectories of ``policy[S, A]`` in ``mdp``.

    :math:`s_0 \sim` ``initial``, then :math:`a_t \sim \pi(\cdot \mid s_t)` and
    :math:`s_{t+1} \sim P(\cdot \mid s_t, a_t)` until a terminal state is entered; one that starts there has
    length 0. The law is exact up to the rounding of doubles. After ``max_length`` transitions a
    trajectory is cut: what would have come later is not in the data, and returns computed from them are
    those of the observed rewards. The same state of ``rng`` gives the same bytes.

    T is the length of the longest. States and actions get the smallest signed integers that hold them,
    rewards the smallest type that holds every reward of the problem exactly. Raises ValueError unless the
    rows of ``policy`` are distributions and ``m`` and ``max_length`` positive whole numbers.
    """
    policy = distributions("policy", policy, (mdp.n_states, mdp.n_actions))
    m, max_length = whole_number("m", m, least=1), whole_number("max_length", max_length, least=1)
    outcomes = _Outcomes.of(mdp, policy)
    # one row per step, more rows where a block has longer trajectories; transposed at the end: never copied
    states, actions = (np.empty((0, m), outcomes.action.dtype) for _ in range(2))
    rewards, lengths = np.empty((0, m), outcomes.reward.dtype), np.empty(m, np.int32)
    for block in _blocks(m):
        n = block.stop - block.start
        *sampled, lengths[block] = _sample_block(mdp, outcomes, n, rng, max_length)
        for rows, new, past_end in zip((states, actions, rewards), sampled, (-1, -1, 0), strict=True):
            if (known := len(rows)) < len(new):
                rows.resize((len(new), m), refcheck=False)
                rows[known:] = past_end
            rows[: len(new), block] = np.reshape(new, (len(new), n))
    return Episodes(states.T, actions.T, rewards.T, lengths)


def _sample_block(mdp, outcomes, n, rng, max_length):
    """``n`` trajectories, advanced together: a row [n] for each step of states, actions, rewards; and lengths."""
    def row(values, past_end):
        if len(values) == n:  # all are still going on
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


@dataclass(frozen=True, eq=False)
class FirstVisitStatistics:
    """All that first-visit estimates of the values need to know of the data.

    ``visits[S]`` is the number of trajectories that visit s, ``return_sums[S]`` the sum over them of the
    return from the first visit on, ``n_episodes`` the number of trajectories. ``return_bound`` is the bound
    to which each return was clipped, [0, return_bound], or None. All of it is private: release none of it
    as it is.

    Raises ValueError, naming the field, for wrong shapes, visits that are not whole numbers in
    [0, n_episodes], sums that are not finite or not 0 where there are no visits and, if clipped, sums
    outside [0, visits * return_bound].
    """

    visits: np.ndarray
    return_sums: np.ndarray
    n_episodes: int
    return_bound: float | None = None

    def __post_init__(self):
        visits, return_sums = finite("visits", self.visits), finite("return_sums", self.return_sums)
        n_episodes, return_bound = whole_number("n_episodes", self.n_episodes, least=1), _bound(self.return_bound)
        if visits.ndim != 1 or visits.size == 0 or return_sums.shape != visits.shape:
            raise ValueError(
                "visits and return_sums must have the same shape (S,), not empty, "
                f"got {visits.shape} and {return_sums.shape}"
            )
        wrong = (visits < 0) | (visits > n_episodes) | (visits != np.rint(visits))
        if wrong.any():
            raise ValueError(
                f"visits must be whole numbers in [0, n_episodes] = [0, {n_episodes}], got {visits[wrong][0]:g}"
            )
        wrong = (visits == 0) & (return_sums != 0)
        if return_bound is not None:
            wrong |= (return_sums < 0) | (return_sums > visits * return_bound * (1 + 1e-9))  # sums are rounded
        if wrong.any():
            s = np.argmax(wrong)
            raise ValueError(
                "return_sums must be 0 where visits are, and in [0, visits * return_bound] if clipped, "
                f"got {return_sums[s]:g} in state {s} with {visits[s]:g} visits and return_bound {return_bound}"
            )
        set_fields(self, visits=visits.astype(np.int64), return_sums=return_sums, n_episodes=n_episodes,
                   return_bound=return_bound)


def _bound(return_bound):
    if return_bound is None:
        return None
    bound = positive("return_bound", return_bound)
    if bound.ndim:
        raise ValueError(f"return_bound must be one number or None, got shape {bound.shape}")
    return float(bound)


def first_visit_statistics(
    episodes: Episodes, n_states: int, discount: float, *, return_bound: float | None = None
) -> FirstVisitStatistics:
    r"""How many trajectories visit each state, and the sums of their returns from the first visit on.

    With :math:`t_i(s)` the first time trajectory i is in s, :math:`T_i` its length and B = ``return_bound``,

    .. math:: \text{visits}(s) = \#\{i : t_i(s) < \infty\}, \qquad
              \text{return\_sums}(s) = \sum_{i : t_i(s) < \infty} \biggl[\;\sum_{t = t_i(s)}^{T_i - 1}
              \gamma^{t - t_i(s)}\, r_{i,t}\biggr]_0^B.

    The state in which a trajectory ends or is cut counts as visited, with return 0 if it was not visited
    before. The bracket clips to [0, B], so that one trajectory moves no sum by more than B whatever it
    holds; without a bound nothing is clipped.

    ``n_states`` is a whole number above every state, ``discount`` in [0, 1], ``return_bound`` positive;
    ValueError otherwise. Works in blocks: memory does not grow with the number of trajectories.
    """
    bound = _bound(return_bound)
    n_states = whole_number("n_states", n_states, least=1)
    visits, return_sums = np.zeros(n_states, np.int64), np.zeros(n_states)
    for returns in _returns_by_block(episodes, n_states, discount):
        visited = ~np.isnan(returns)
        if bound is not None:
            returns = np.clip(returns, 0, bound)
        visits += visited.sum(axis=0)
        return_sums += returns.sum(axis=0, where=visited)
    return FirstVisitStatistics(visits, return_sums, len(episodes), bound)


def first_visit_returns(episodes: Episodes, n_states: int, discount: float) -> np.ndarray:
    """The return of each trajectory from its first visit to each state on, [m, S]; NaN where it has none.

    Definition, range and errors as in :func:`first_visit_statistics`, without clipping.
    """
    return np.concatenate(list(_returns_by_block(episodes, n_states, discount)))


def _returns_by_block(episodes, n_states, discount) -> Iterator[np.ndarray]:
    n_states, discount = whole_number("n_states", n_states, least=1), discount_factor(discount)
    if episodes.states.max() >= n_states:
        raise ValueError(f"states must be below n_states = {n_states}, got {episodes.states.max()}")
    for block in _blocks(len(episodes)):
        T = episodes.lengths[block].max()
        states = np.asfortranarray(episodes.states[block, : T + 1])
        rewards = np.asfortranarray(episodes.rewards[block, :T])
        # one column more than states: what is past the end, state -1, lands in the last one of the row above
        returns = np.full((len(states), n_states + 1), np.nan)
        cells, row = returns.reshape(-1), np.arange(len(states)) * (n_states + 1)
        G = np.zeros(len(states))
        cells[row + states[:, T]] = G
        # backwards in time, so that the earliest visit is written last and stays
        for t in reversed(range(T)):
            G = rewards[:, t] + discount * G
            cells[row + states[:, t]] = G
        yield returns[:, :-1]
