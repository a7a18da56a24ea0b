"""Policies and days, many at once, against plain loops and exact laws."""

from itertools import product

import numpy as np
import pytest

from privrl_core.online import (
    PER_STEP,
    POOLED,
    FirstVisits,
    best_policies,
    count_days_non_private,
    count_many_days_non_private,
    exact_values,
    expected_visits,
    first_visits_energy,
    greedy,
)
from privrl_core.world import EpisodicMDP, random_episodic_mdp, river_swim, ward

WORLD = random_episodic_mdp(3, 2, 4, np.random.default_rng(2))


def policies(world, runs, shared, seed=0):
    return np.random.default_rng(seed).dirichlet(np.ones(world.n_actions), size=(runs, shared, world.horizon, world.n_states))


def all_days(world, policy):
    """Every day of a small world: its probability, and its steps as (s, a, s')."""
    for path in product(range(world.n_states), *[range(world.n_actions), range(world.n_states)] * world.horizon):
        steps = [path[2 * h:2 * h + 3] for h in range(world.horizon)]
        chance = world.initial[path[0]]
        for h, (s, a, n) in enumerate(steps):
            chance *= policy[h, s, a] * world.transitions[h, s, a, n]
        if chance:
            yield chance, steps


def test_ties_are_shared_out():
    assert greedy(np.array([[1.0, 1.0, 0.0], [0.0, 2.0, 1.0], [3.0, 3.0, 3.0]])).tolist() == [[0.5, 0.5, 0], [0, 1, 0], [1 / 3] * 3]


@pytest.mark.parametrize("world", [WORLD, river_swim(4, 6), ward(5), EpisodicMDP(
    np.random.default_rng(0).dirichlet(np.ones(3), size=(4, 3, 2)), np.random.default_rng(1).random((4, 3, 2)), [0.5, 0.3, 0.2])])
def test_plans_and_values_agree_with_the_world_s_own(world):
    for law in (world.transitions[0], world.transitions):
        if law.ndim == 3 and not (world.transitions == law).all():
            continue
        law = law[None] if law.ndim == 3 else law
        policy = best_policies(np.broadcast_to(law, (2, 3, *law.shape)), world.rewards)
        assert policy.shape == (2, 3, *world.rewards.shape)
        assert exact_values(world, policy) == pytest.approx(np.full((2, 3), world.initial @ world.optimal_values()[0]), abs=1e-12)
    mixed = policies(world, 2, 3)
    assert exact_values(world, mixed)[1, 2] == pytest.approx(world.initial @ world.policy_values(mixed[1, 2])[0], abs=1e-12)


def test_expected_visits_are_those_of_all_days():
    policy = policies(WORLD, 1, 1)
    visits = np.zeros((3, 2))
    for chance, steps in all_days(WORLD, policy[0, 0]):
        for s, a, _ in steps:
            visits[s, a] += chance
    assert expected_visits(WORLD.transitions[0], policy, WORLD.initial)[0, 0] == pytest.approx(visits, abs=1e-12)


@pytest.mark.parametrize("counting", [PER_STEP, POOLED, FirstVisits(1), FirstVisits(2)])
def test_the_mean_of_the_counts_is_that_of_all_days(counting):
    """Each cell is a sum over people of numbers in [0, H]: by Hoeffding within H √(ln(2/p)/(2n)) of its mean, with p = 1e-6
    over all cells of two runs."""
    policy, people = policies(WORLD, 2, 3), 60_000
    counts = count_days_non_private(WORLD, policy, people, counting, np.random.default_rng(5))
    cap = getattr(counting, "cap", WORLD.horizon)
    expected = np.zeros(counts.shape)
    for run, one in np.ndindex(2, 3):
        for chance, steps in all_days(WORLD, policy[run, one]):
            before = {}
            for h, (s, a, n) in enumerate(steps):
                if before.setdefault((s, a), 0) < cap:
                    before[s, a] += 1
                    expected[(run, h, s, a, n) if counting is PER_STEP else (run, s, a, n)] += chance / 3
    slack = WORLD.horizon * np.sqrt(np.log(2 * counts.size / 1e-6) / (2 * people))
    assert np.abs(counts / people - expected).max() < slack
    assert (counts.sum(axis=tuple(range(1, counts.ndim))) == people * WORLD.horizon).all() or isinstance(counting, FirstVisits)


def test_first_visits_are_unbiased_where_ratios_of_capped_days_are_not():
    """E[N(s') - P N] = 0 in every row, exactly, over all days: whether a visit counts is settled before its outcome."""
    policy, drift, scaled = policies(WORLD, 1, 1)[0, 0], np.zeros((3, 2, 3)), np.zeros((3, 2, 3))
    for chance, steps in all_days(WORLD, policy):
        table, whole = np.zeros((3, 2, 3)), np.zeros((3, 2, 3))
        for s, a, n in steps:
            table[s, a, n] += table[s, a].sum() < 1
            whole[s, a, n] += 1
        clipped = whole / max(1, np.linalg.norm(whole) / 2)
        for out, one in ((drift, table), (scaled, clipped)):
            out += chance * (one - WORLD.transitions[0] * one.sum(axis=-1, keepdims=True))
    assert np.abs(drift).max() < 1e-15 and np.abs(scaled).max() > 1e-3


@pytest.mark.parametrize("cap", [1, 3, 6])
def test_what_one_person_adds_is_bounded_by_construction(cap):
    """One person in each of 3,000 runs: no row above the cap, no energy above that of the sensitivity."""
    world = river_swim()
    counts = count_days_non_private(world, policies(world, 3_000, 1), 1, FirstVisits(cap), np.random.default_rng(0))
    assert counts.sum(axis=3).max() <= cap and (counts**2).sum(axis=(1, 2, 3)).max() <= first_visits_energy(20, cap, 12)


def test_people_share_the_policies_out():
    """Two policies, one to each side, and 5 people: three go left, two go right."""
    world, sides = river_swim(), np.zeros((1, 2, 20, 6, 2))
    sides[0, 0, :, :, 0] = sides[0, 1, :, :, 1] = 1
    for counting in (PER_STEP, FirstVisits(1)):
        counts = count_days_non_private(world, sides, 5, counting, np.random.default_rng(0))
        first = counts[0, 0, 0].sum(axis=-1) if counting is PER_STEP else counts[0, 0].sum(axis=-1)
        assert first.tolist() == [3, 2]


def test_billions_of_people_take_one_draw():
    world = river_swim()
    counts = count_many_days_non_private(world, policies(world, 2, 1), np.full((2, 1), 10**10), np.random.default_rng(0))
    assert (counts.sum(axis=(2, 3, 4)) == 10**10).all()
