"""Sensitivities of whole tables, against all pairs of days of small worlds."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privrl_core.online import PER_STEP, POOLED, FirstVisits, count_days_non_private, first_visits_energy, table_sensitivity
from privrl_core.privacy import ADD_OR_REMOVE_ONE, ADD_REMOVE_OR_REPLACE_ONE, REPLACE_ONE, sup_norm
from privrl_core.world import EpisodicMDP

COUNTINGS = [PER_STEP, POOLED, *map(FirstVisits, (1, 2, 3))]
WORLDS = list(product((1, 2, 3), (1, 2, 3), (1, 2, 3)))  # H, S, A


def days(horizon, n_states, n_actions):
    """``[day, H, 3]``: all days, as (s, a, s') in each step."""
    step = list(product(range(n_actions), range(n_states)))
    found = [[]]
    for _ in range(horizon):
        found = [[*day, ((day[-1][2] if day else s), a, after)] for day in found
                 for s in (range(n_states) if not day else [0]) for a, after in step]
    return np.array(found)


def tables(horizon, n_states, n_actions, counting, families):
    """``[day, cells]``: triples, pairs, and sums of rewards, all of them 1."""
    rows = []
    for day in days(horizon, n_states, n_actions).tolist():
        cells, seen = [{} for _ in range(families)], {}
        for h, (s, a, after) in enumerate(day):
            seen[s, a] = seen.get((s, a), 0) + 1
            if isinstance(counting, FirstVisits) and seen[s, a] > counting.cap:
                continue
            where = h if counting is PER_STEP else 0
            for family, cell in enumerate([(where, s, a, after), (where, s, a), (where, s, a)][:families]):
                cells[family][cell] = cells[family].get(cell, 0) + 1
        rows.append(cells)
    names = sorted({(family, cell) for row in rows for family, cells in enumerate(row) for cell in cells})
    place, table = {name: i for i, name in enumerate(names)}, np.zeros((len(rows), len(names)))
    for i, row in enumerate(rows):
        for family, cells in enumerate(row):
            for cell, many in cells.items():
                table[i, place[family, cell]] = many
    return np.unique(table, axis=0)


def largest(table, neighbours):
    """The largest change in L1, and its largest square in L2, over all pairs of days, or over all days."""
    if neighbours == ADD_OR_REMOVE_ONE:
        return table.sum(axis=1).max(), (table**2).sum(axis=1).max()
    l1 = l2 = 0.0
    for day in table:
        apart = np.abs(table - day)
        l1, l2 = max(l1, apart.sum(axis=1).max()), max(l2, (apart * apart).sum(axis=1).max())
    return l1, l2


def attained(horizon, n_states, n_actions, families, counting, neighbours):
    """Are there two days, or one, as far apart as the formula says?"""
    if neighbours == ADD_OR_REMOVE_ONE:
        return True
    pairs = n_states * n_actions
    if isinstance(counting, FirstVisits):  # two days that share no pair; for triples alone, no next condition
        return n_states > 1 and (families == 1 or pairs >= 2 * -(-horizon // counting.cap))
    return pairs > 1


@pytest.mark.parametrize("counting", COUNTINGS, ids=str)
@pytest.mark.parametrize("families", [1, 2, 3])
def test_the_sensitivity_is_what_all_pairs_of_days_give(counting, families):
    for world in WORLDS:
        if families == 3 and world == (3, 3, 3):
            continue  # a third of the time, and nothing new
        horizon, n_states, n_actions = world
        table = tables(*world, counting, families)
        for neighbours in (REPLACE_ONE, ADD_OR_REMOVE_ONE):
            said = table_sensitivity(horizon, families, counting, pairs=n_states * n_actions, neighbours=neighbours)
            l1, l2 = largest(table, neighbours)
            assert l1 <= said.l1 + 1e-9 and l2 <= said.l2**2 + 1e-9
            if attained(*world, families, counting, neighbours):
                assert (l1, l2) == pytest.approx((said.l1, said.l2**2), abs=1e-9)


def test_the_bound_is_not_attained_in_every_world():
    """S = 2, A = 1, H = 4, c = 2: a day cannot stay with one pair twice and then with the other twice as it likes."""
    assert largest(tables(4, 2, 1, FirstVisits(2), 1), REPLACE_ONE)[1] == 13
    assert table_sensitivity(4, 1, FirstVisits(2), pairs=2).l2 ** 2 == pytest.approx(16)


def test_the_numbers_of_a_river_of_twenty_steps():
    assert [table_sensitivity(20, f, PER_STEP).l1 for f in (2, 3)] == [80, 120]
    assert [table_sensitivity(20, f, PER_STEP).l2 for f in (2, 3)] == pytest.approx([8.944, 10.954], abs=1e-3)
    assert table_sensitivity(20, 2, POOLED).l2 == pytest.approx(40) and table_sensitivity(20, 2, POOLED).l1 == 80
    assert first_visits_energy(20, 6) == 3 * 36 + 4
    assert table_sensitivity(20, 1, FirstVisits(6), pairs=12).l2 == pytest.approx(14.967, abs=1e-3)


def test_a_local_privatiser_in_print_has_twice_its_epsilon():
    """Lap(2H/eps) on each cell of pairs and triples, "of L1 sensitivity H": any two days differ by 2H in each family, as a one
    that moves changes two cells. The loss is 2 eps; where all days begin alike and treatments are fixed, (2 - 1/H) eps."""
    for horizon in (1, 2, 3, 20):
        assert table_sensitivity(horizon, 2, PER_STEP).l1 / (2 * horizon) == 2
        assert table_sensitivity(horizon, 2, PER_STEP, neighbours=ADD_OR_REMOVE_ONE).l1 / (2 * horizon) == 1
    horizon, n_states = 3, 3
    cells = [{(h, s, after) for h, (s, _, after) in enumerate(day)} | {(h, s) for h, (s, _, _) in enumerate(day)}
             for day in days(horizon, n_states, 1).tolist() if day[0][0] == 0]
    assert max(len(one ^ other) for one in cells for other in cells) / (2 * horizon) == pytest.approx(2 - 1 / horizon)


@pytest.mark.parametrize("cap", [200, 255, 256, 300])
def test_a_long_stay_is_counted_up_to_its_cap(cap):
    """700 days on one pair: a counter of eight bits would begin again after 255 visits, and count more than the noise hides."""
    always = EpisodicMDP(np.broadcast_to(np.eye(2)[:, None], (700, 2, 1, 2)), np.zeros((700, 2, 1)), np.array([1.0, 0.0]))
    counted = count_days_non_private(always, np.ones((1, 1, 700, 2, 1)), 1, FirstVisits(cap), np.random.default_rng(0))
    assert counted.sum() == cap and (counted**2).sum() <= first_visits_energy(700, cap, 2)


@pytest.mark.parametrize("policy", ["same", "other"])
def test_first_visits_are_counted_without_looking_at_what_follows(policy):
    """E[N(s') - P N] = 0 exactly, by all days of a small world with their probabilities, for caps 1, 2 and 3; scaling a whole day
    to a length does not have this."""
    transitions = np.array([[[0.7, 0.3], [0.2, 0.8]], [[0.5, 0.5], [0.9, 0.1]]])
    treat = np.array([[1.0, 0.0], [1.0, 0.0]]) if policy == "same" else np.array([[0.3, 0.7], [0.6, 0.4]])

    def excess(counted):
        total = np.zeros((2, 2, 2))
        for day in days(3, 2, 2).tolist():
            chance = 0.5 * np.prod([treat[s, a] * transitions[s, a, after] for s, a, after in day])
            triples = np.zeros((2, 2, 2))
            counted(triples, day)
            total += chance * (triples - transitions * triples.sum(axis=2, keepdims=True))
        return np.abs(total).max()

    def first(cap):
        def count(triples, day):
            for s, a, after in day:
                if triples[s, a].sum() < cap:
                    triples[s, a, after] += 1
        return count

    def scaled(triples, day):
        for s, a, after in day:
            triples[s, a, after] += 1
        triples *= min(1, 1.5 / np.linalg.norm(triples.sum(axis=2)))
    assert max(excess(first(cap)) for cap in (1, 2, 3)) < 1e-12 and excess(scaled) > 1e-3


@settings(max_examples=200)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 12), st.integers(1, 3))
def test_what_must_hold_for_all_sizes(horizon, cap, pairs, families):
    """Capping at H is pooling; a larger cap, more pairs and more families move more; per step moves least in L2."""
    def l2(counting, families=families, pairs=None, neighbours=REPLACE_ONE):
        return table_sensitivity(horizon, families, counting, pairs=pairs, neighbours=neighbours).l2
    assert l2(FirstVisits(horizon)) == l2(POOLED) and l2(FirstVisits(1)) == l2(PER_STEP)
    assert l2(FirstVisits(cap)) <= l2(FirstVisits(cap + 1)) and l2(FirstVisits(cap), pairs=pairs) <= l2(FirstVisits(cap), pairs=pairs + 1)
    assert l2(FirstVisits(cap), pairs=pairs) <= l2(FirstVisits(cap)) <= l2(POOLED)
    assert l2(FirstVisits(cap), families=1) <= l2(FirstVisits(cap))
    assert l2(FirstVisits(cap)) == pytest.approx(np.sqrt(2) * l2(FirstVisits(cap), neighbours=ADD_OR_REMOVE_ONE))
    assert l2(POOLED) == l2(POOLED, neighbours=ADD_REMOVE_OR_REPLACE_ONE)


@settings(max_examples=100)
@given(st.integers(1, 8), st.integers(1, 5), st.integers(1, 4))
def test_the_energy_is_the_largest_of_all_ways_to_spend_a_day(horizon, cap, pairs):
    """By dynamic programming over pairs: each takes v visits, of which min(v, c) are counted."""
    best = np.where(np.arange(horizon + 1) == horizon, 0, -1)
    for _ in range(pairs):
        best = np.array([max((best[left + v] + min(v, cap) ** 2 for v in range(horizon - left + 1) if best[left + v] >= 0), default=-1)
                         for left in range(horizon + 1)])
    assert first_visits_energy(horizon, cap, pairs) == best.max()


@pytest.mark.parametrize("call, message", [
    (lambda: table_sensitivity(0, 2), "horizon must be a whole number of at least 1, got 0"),
    (lambda: table_sensitivity(20, 4), "families must be a whole number of at most 3, got 4"),
    (lambda: table_sensitivity(20, 2, "pooled"), "counting must be of type Counting, got 'pooled'"),
    (lambda: table_sensitivity(20, 2, pairs=0), "pairs must be a whole number of at least 1, got 0"),
    (lambda: table_sensitivity(20, 2, neighbours=sup_norm(1.0)), "neighbours must be replace one, or add or remove one, got sup-norm"),
    (lambda: FirstVisits(0), "cap must be a whole number of at least 1, got 0"),
    (lambda: first_visits_energy(20, 0.5), "cap must be a whole number of at least 1, got 0.5"),
])
def test_wrong_arguments_say_so(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert message in str(error.value)
