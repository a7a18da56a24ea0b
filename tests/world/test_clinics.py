"""Small clinics: the river against its published table, the ward's right treatments, and values by a second route."""

from itertools import product

import numpy as np
import pytest

from privrl_core.world import random_episodic_mdp, river_swim, ward

RIVER = river_swim()


def test_the_river_is_the_one_of_the_published_code():
    """The transition table as read in the code, typed from there: P[s, a] as {next: probability}."""
    table = {(0, 1): {0: 0.4, 1: 0.6}, (5, 1): {5: 0.6, 4: 0.4}} | {(s, 1): {s + 1: 0.35, s: 0.6, s - 1: 0.05} for s in range(1, 5)}
    for s, a in product(range(6), range(2)):
        row = table.get((s, a), {max(s - 1, 0): 1.0})
        assert dict(enumerate(RIVER.transitions[7, s, a])) == pytest.approx({n: row.get(n, 0.0) for n in range(6)})
    assert RIVER.rewards[3].tolist() == [[0.005, 0], *[[0, 0]] * 4, [0, 1]] and RIVER.initial[0] == 1


def test_values_of_the_river():
    """By matrix powers: the law of the state under always right, and under treatment at random."""
    right, random = RIVER.transitions[0, :, 1], RIVER.transitions[0].mean(axis=1)
    always = sum(np.linalg.matrix_power(right, h)[0, 5] for h in range(20))
    chance = sum(np.linalg.matrix_power(random, h)[0] @ [0.0025, 0, 0, 0, 0, 0.5] for h in range(20))
    optimum = RIVER.initial @ RIVER.optimal_values()[0]
    assert optimum == pytest.approx(3.3972639591508393, abs=1e-12) and 0 < optimum - always < 7e-4
    assert 20_000 * (optimum - chance) == pytest.approx(67_069.49872, abs=1e-5)
    assert 20_000 * (optimum - always) == pytest.approx(12.54, abs=0.01)
    assert 20_000 * (optimum - 20 * 0.005) == pytest.approx(65_945.28, abs=0.01)


def test_in_the_ward_each_condition_has_one_right_treatment():
    world = ward(12)
    values = world.optimal_values()
    for h in range(11):  # on the last day nothing follows
        q = world.rewards[h] + world.transitions[h] @ values[h + 1]
        best = np.argsort(-q, axis=1)
        assert best[:, 0].tolist() == [0, 1, 1, 2] and (np.diff(-np.sort(-q, axis=1), axis=1)[:, 0] < -0.01).all()
    assert world.initial.tolist() == [0, 0, 1, 0] and np.allclose(world.transitions.sum(axis=-1), 1)


def test_a_random_world_has_a_seed_and_rare_good_rewards():
    one, same, other = (random_episodic_mdp(6, 3, 10, np.random.default_rng(seed)) for seed in (0, 0, 1))
    assert np.array_equal(one.transitions, same.transitions) and not np.array_equal(one.rewards, other.rewards)
    assert one.rewards.min() >= 0 and one.rewards.max() <= 1 and (one.transitions == one.transitions[0]).all()


@pytest.mark.parametrize("call, message", [
    (lambda: river_swim(1), "n_states must be a whole number of at least 2, got 1"),
    (lambda: river_swim(6, 0), "horizon must be a whole number of at least 1, got 0"),
    (lambda: ward(0), "horizon must be a whole number of at least 1, got 0"),
    (lambda: ward(improvement=0), "improvement must be strictly between 0 and 1, got 0"),
    (lambda: ward(improvement=0.9), "improvement must be at most 0.8, got 0.9"),
    (lambda: random_episodic_mdp(6, 0, 10, np.random.default_rng(0)), "n_actions must be a whole number of at least 1, got 0"),
    (lambda: random_episodic_mdp(6, 2, 10, 0), "rng must be a numpy.random.Generator, got 0"),
])
def test_wrong_arguments_say_so(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert message in str(error.value)
