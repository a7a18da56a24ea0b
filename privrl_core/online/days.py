r"""Days of treatment: people are simulated under the policy that each was given, and counted as the hospital counts.

Here, and nowhere else, patients' data arise. What leaves is a sum over one batch of people, in which each person's part is
bounded by construction (`privrl_core.online.sensitivity`).
"""

import numpy as np

from privrl_core.online.sensitivity import PER_STEP, Counting, FirstVisits
from privrl_core.world.models import EpisodicMDP

__all__ = ["count_days_non_private", "count_many_days_non_private", "empty_tables"]

BLOCK = 1 << 16  # people simulated together, so that what is known of them fits into the cache


def empty_tables(world: EpisodicMDP, counting: Counting | FirstVisits) -> tuple[int, ...]:
    """The shape of one run's tables of triples: ``[S, A, S]``, and with a table for every step ``[H, S, A, S]``."""
    shape = world.n_states, world.n_actions, world.n_states
    return (world.horizon, *shape) if counting is PER_STEP else shape


def count_days_non_private(world: EpisodicMDP, policies, people: int, counting: Counting | FirstVisits,
                           rng: np.random.Generator) -> np.ndarray:
    """The tables of triples of a batch, ``[runs, *empty_tables]``: ``people`` in each run, who share ``policies[runs, M, H,
    S, A]`` out, person i getting the policy i modulo M. Not private."""
    runs, shared = policies.shape[:2]
    if isinstance(counting, FirstVisits) and counting.cap < world.horizon:
        return _first_visits(world, policies, people, counting.cap, rng)
    given = np.full(shared, people // shared) + (np.arange(shared) < people % shared)
    counts = count_many_days_non_private(world, policies, np.broadcast_to(given, (runs, shared)), rng)
    return counts if counting is PER_STEP else counts.sum(axis=1)


def count_many_days_non_private(world: EpisodicMDP, policies, people, rng: np.random.Generator) -> np.ndarray:
    """Whole days, in a table for each step: ``[runs, H, S, A, S]``, for ``people[runs, M]`` under ``policies[runs, M, H, S,
    A]``. One multinomial draw for each cell: its time does not grow with the number of people. Not private."""
    here = rng.multinomial(people, world.initial)
    shape = world.n_states, world.n_actions, world.n_states
    counts = np.empty((len(people), world.horizon, *shape))
    for h in range(world.horizon):
        pairs = rng.multinomial(here, policies[:, :, h]).sum(axis=1) if policies.shape[1] == 1 else None
        if pairs is None:
            moved = rng.multinomial(rng.multinomial(here, policies[:, :, h]), world.transitions[h])
            counts[:, h], here = moved.sum(axis=1), moved.sum(axis=(2, 3))
        else:
            counts[:, h] = rng.multinomial(pairs, world.transitions[h])
            here = counts[:, h].sum(axis=(1, 2)).astype(int)[:, None]
    return counts


def _first_visits(world, policies, people, cap, rng):
    """Person by person, as what is counted depends on how often she was there before."""
    runs, shared, horizon, n_states, n_actions = policies.shape
    pairs, cells = n_states * n_actions, n_states * n_actions * n_states
    chance = np.ascontiguousarray(np.cumsum(policies, axis=-1)[..., :-1].reshape(-1, n_actions - 1))
    laws = np.cumsum(world.transitions, axis=-1)[..., :-1]
    once = world.transitions.strides[0] == 0
    counts = np.zeros(runs * cells)
    first = np.cumsum(world.initial)[:-1]
    for start in range(0, runs * people, BLOCK):
        who = np.arange(start, min(start + BLOCK, runs * people))
        run = who // people
        row = (run * shared + who % people % shared) * (horizon * n_states)
        state = np.searchsorted(first, rng.random(who.size), side="right")
        before, own, offset = np.zeros(who.size * pairs, dtype=np.uint8), np.arange(who.size) * pairs, run * cells
        for h in range(horizon):
            law = laws[0 if once else h].reshape(pairs, -1)
            pair = state * n_actions + (rng.random(who.size)[:, None] >= chance[row + h * n_states + state]).sum(axis=1)
            state = (rng.random(who.size)[:, None] >= law[pair]).sum(axis=1)
            visits = before[own + pair]
            counted = visits < cap
            before[own + pair] = visits + counted
            counts += np.bincount((offset + pair * n_states + state)[counted], minlength=counts.size)
    return counts.reshape(runs, n_states, n_actions, n_states)
