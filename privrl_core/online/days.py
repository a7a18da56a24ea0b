r"""Days of treatment: people are simulated under the policy that each was given, and counted as the hospital counts.

Here, and nowhere else, patients' data arise. What leaves is a sum over one batch of people, in which each person's part is
bounded by construction (`privrl_core.online.sensitivity`).
"""

from typing import NamedTuple

import numpy as np

from privrl_core.online.sensitivity import PER_STEP, Counting, FirstVisits
from privrl_core.world.models import EpisodicMDP

__all__ = ["count_days_non_private", "count_many_days_non_private", "empty_tables"]

BLOCK = 1 << 16  # people simulated together, so that what is known of them fits into the cache


def groups_of(world: EpisodicMDP, counting: Counting | FirstVisits) -> np.ndarray:
    """``[S]``: the group by which a hospital tells each condition apart; without groups, the condition itself."""
    groups = getattr(counting, "groups", None)
    return np.arange(world.n_states) if groups is None else np.array(groups)


class Seen(NamedTuple):
    """What a hospital takes as known of a world whose G groups of conditions it tells apart: ``rewards[H, G, A]``, and
    ``initial[G]``, how often a stay begins in each group."""

    rewards: np.ndarray
    initial: np.ndarray


def seen(world: EpisodicMDP, counting: Counting | FirstVisits) -> Seen:
    """The known part of ``world``, by groups. ValueError unless ``counting`` has a group for each condition, and rewards are
    the same throughout a group."""
    groups = groups_of(world, counting)
    if groups.size != world.n_states:
        raise ValueError(f"groups must be one for each of {world.n_states} conditions, got {groups.size}")
    rewards = world.rewards[:, np.unique(groups, return_index=True)[1]]
    if not np.array_equal(rewards[:, groups], world.rewards):
        raise ValueError("rewards must be the same throughout a group, got different ones")
    return Seen(rewards, np.bincount(groups, world.initial))


def empty_tables(world: EpisodicMDP, counting: Counting | FirstVisits) -> tuple[int, ...]:
    """The shape of one run's tables of triples: ``[S, A, S]``, and with a table for every step ``[H, S, A, S]``. Where there
    are groups, S is their number."""
    n_groups = int(groups_of(world, counting).max()) + 1
    shape = n_groups, world.n_actions, n_groups
    return (world.horizon, *shape) if counting is PER_STEP else shape


def count_days_non_private(world: EpisodicMDP, policies, people: int, counting: Counting | FirstVisits,
                           rng: np.random.Generator) -> np.ndarray:
    """The tables of triples of a batch, ``[runs, *empty_tables]``: ``people`` in each run, who share ``policies[runs, M, H,
    S, A]`` out, person i getting the policy i modulo M. With groups, policies and tables are by group, and people still move
    through the conditions of ``world``. Not private."""
    runs, shared = policies.shape[:2]
    if isinstance(counting, FirstVisits) and (counting.cap < world.horizon or counting.groups is not None):
        return _first_visits(world, policies, people, counting, rng)
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


def _first_visits(world, policies, people, counting, rng):
    """Person by person, as what is counted depends on how often she was there before."""
    runs, shared, horizon, n_groups, n_actions = policies.shape
    groups, cap = groups_of(world, counting), min(counting.cap, horizon)
    pairs, cells = n_groups * n_actions, n_groups * n_actions * n_groups
    rows = runs * shared * horizon * n_groups
    chance = np.ascontiguousarray(np.cumsum(policies, axis=-1)[..., :-1].reshape(rows, n_actions - 1))
    once = world.transitions.strides[0] == 0
    laws = [_laid_end_to_end(law) for law in (world.transitions[:1] if once else world.transitions)]
    counts = np.zeros(runs * cells)
    first = np.cumsum(world.initial)[:-1]
    for start in range(0, runs * people, BLOCK):
        who = np.arange(start, min(start + BLOCK, runs * people))
        run = who // people
        row = (run * shared + who % people % shared) * (horizon * n_groups)
        state = np.searchsorted(first, rng.random(who.size), side="right")
        before, own = np.zeros(who.size * pairs, dtype=np.min_scalar_type(cap)), np.arange(who.size) * pairs
        offset = run * cells
        for h in range(horizon):
            here = groups[state]
            action = (rng.random(who.size)[:, None] >= chance[row + h * n_groups + here]).sum(axis=1)
            state, pair = _next(laws[0 if once else h], state * n_actions + action, rng), here * n_actions + action
            visits = before[own + pair]
            counted = visits < cap
            before[own + pair] = visits + counted
            counts += np.bincount((offset + pair * n_groups + groups[state])[counted], minlength=counts.size)
    return counts.reshape(runs, n_groups, n_actions, n_groups)


def _laid_end_to_end(law):
    """Distribution functions of all pairs in one increasing line, the i-th raised by i, without next states of probability
    0; the next states; and the last place of each pair. One search in the line finds a next state."""
    law = law.reshape(-1, law.shape[-1])
    pair, after = np.nonzero(law)
    return np.cumsum(law, axis=-1)[pair, after] + pair, after, np.cumsum(np.bincount(pair)) - 1


def _next(laid, pair, rng):
    line, after, last = laid
    return after[np.minimum(np.searchsorted(line, pair + rng.random(pair.size), side="right"), last[pair])]
