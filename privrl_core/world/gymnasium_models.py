"""Models of Gymnasium environments that expose their transition table."""

import numpy as np

from privrl_core.checks import finite
from privrl_core.world.models import FiniteMDP

__all__ = ["from_gymnasium"]


def from_gymnasium(env, *, discount: float) -> FiniteMDP:
    """The model of a Gymnasium environment that exposes its transition table.

    ``env.unwrapped.P[s][a]`` lists the outcomes ``(probability, next state, reward, terminated)``, and
    ``env.unwrapped.initial_state_distrib`` is the initial distribution (FrozenLake, CliffWalking, Taxi).
    Outcomes with the same next state are merged, which leaves all distributions unchanged if their rewards agree.
    If rewards differ, ValueError is raised, because a table of rewards by (s, a, next state) cannot represent them:
    their mean would preserve the values but not the distribution of the returns.

    A state that is entered both when an episode ends and when it continues or starts gets a copy for the
    end, numbered from ``len(P)``. Outcomes of states that no episode visits are not considered here.
    Time limits are wrappers around the environment, not part of it: see ``max_length`` of
    :func:`privrl_core.world.sampling.sample_episodes`. Raises ValueError if the table is missing or not a distribution.
    """
    world = env.unwrapped
    if not (hasattr(world, "P") and hasattr(world, "initial_state_distrib")):
        raise ValueError(f"env must have a transition table P and an initial_state_distrib, got {world!r}")
    table, first = world.P, finite("initial_state_distrib", world.initial_state_distrib)
    n_states, n_actions = len(table), len(table[0])
    for s, a in np.ndindex(n_states, n_actions):
        for probability, n, reward, _ in table[s][a]:
            if not (0 <= probability <= 1 and 0 <= n < n_states and np.isfinite(reward)
                    and len(table[s]) == n_actions):
                raise ValueError(f"P must hold probabilities, states in [0, {n_states}), finite rewards and {n_actions} "
                                 f"actions for each state, got {probability}, {n}, {reward} and {len(table[s])} "
                                 f"for state {s}, action {a}")

    ends, goes_on = set(), set(np.flatnonzero(first))
    unseen = list(goes_on)
    while unseen:
        s = unseen.pop()
        outcomes = [outcome for a in range(n_actions) for outcome in table[s][a] if outcome[0] > 0]
        ends |= {n for _, n, _, terminated in outcomes if terminated}
        new = {n for _, n, _, terminated in outcomes if not terminated} - goes_on
        goes_on |= new
        unseen += new
    copy = {s: n_states + k for k, s in enumerate(sorted(ends & goes_on))}

    size = n_states + len(copy)
    transitions, rewards = np.zeros((2, size, n_actions, size))
    for s in range(n_states):
        for a in range(n_actions):
            for probability, n, reward, terminated in table[s][a]:
                n = copy.get(n, n) if terminated else n
                if transitions[s, a, n] > 0 and probability > 0 and rewards[s, a, n] != reward:
                    raise ValueError(
                        "P must have one reward for each state, action and next state, "
                        f"got {rewards[s, a, n]:g} and {reward:g} for {s}, {a} and {n}"
                    )
                if probability > 0:
                    transitions[s, a, n] += probability
                    rewards[s, a, n] = reward
    transitions[range(n_states, size), :, range(n_states, size)] = 1
    terminal = np.isin(np.arange(size), list(ends - goes_on) + list(copy.values()))
    return FiniteMDP(transitions, rewards, discount, np.append(first, np.zeros(len(copy))), terminal)
