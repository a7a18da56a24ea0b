r"""Policies for many runs at once: planned backwards, with ties shared out, and valued exactly.

Everything here is a function of public tables and of the world that an experiment simulates; no patient's data come in.
"""

import numpy as np

from privrl_core.world.models import EpisodicMDP

__all__ = ["greedy", "best_policies", "exact_values", "expected_visits"]


def greedy(q) -> np.ndarray:
    """The best treatment of ``q[..., A]``, with ties at random: a distribution ``[..., A]``, uniform over the maxima.

    Where a bonus is cut off, all treatments tie, and a rule such as ``np.argmax`` decides everything: in RiverSwim, to go
    left always costs 65,945 in 20,000 people, to go right 13, and at random 67,069."""
    best = q >= q.max(axis=-1, keepdims=True)
    return best / best.sum(axis=-1, keepdims=True)


def best_policies(transitions, rewards) -> np.ndarray:
    r"""Backward induction in many models at once: policies ``[..., H, S, A]`` for ``transitions[..., H, S, A, S]``, or
    ``[..., 1, S, A, S]`` if they are the same at every step, and ``rewards[H, S, A]``. Ties are shared out by `greedy`."""
    horizon, n_states, n_actions = rewards.shape
    batch, steps = transitions.shape[:-4], transitions.shape[-4]
    policies, values = np.empty((*batch, horizon, n_states, n_actions)), np.zeros((*batch, n_states))
    for h in reversed(range(horizon)):
        q = rewards[h] + np.einsum("...san,...n->...sa", transitions[..., h if steps > 1 else 0, :, :, :], values)
        policies[..., h, :, :], values = greedy(q), q.max(axis=-1)
    return policies


def exact_values(world: EpisodicMDP, policies, groups=slice(None)) -> np.ndarray:
    r"""The exact value of each of ``policies[..., H, S, A]`` in the world, averaged over its first states: ``[...]``.

    With ``groups[S]``, policies ``[..., H, G, A]`` are by group of states, and values still those of the world itself."""
    values = np.zeros((*policies.shape[:-3], world.n_states))
    for h in reversed(range(world.horizon)):
        q = world.rewards[h] + (values @ world.transitions[h].reshape(-1, world.n_states).T).reshape(
            *values.shape[:-1], world.n_states, world.n_actions)
        values = (policies[..., h, :, :][..., groups, :] * q).sum(axis=-1)
    return values @ world.initial


def expected_visits(transitions, policies, initial) -> np.ndarray:
    r"""How often each pair is visited in a day: ``[..., S, A]`` for ``policies[..., H, S, A]`` and ``transitions[..., S, A,
    S]``, which may lose mass. ``initial[S]`` is the law of the first state."""
    here = np.broadcast_to(initial, (*policies.shape[:-3], initial.size))
    visits = np.zeros(policies.shape[:-3] + policies.shape[-2:])
    for h in range(policies.shape[-3]):
        pairs = here[..., None] * policies[..., h, :, :]
        visits += pairs
        here = np.einsum("...sa,...san->...n", pairs, transitions)
    return visits
