"""Two contexts, two treatments: linear programs over all mechanisms, and the learners on both sides of the floor."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse import coo_array

from privrl_core.online import joint_contextual_bandit, plain_contextual_bandit, wrong_treatment_floor
from privrl_core.privacy import Model, compose_guarantees

MEANS = [[0.6, 0.4], [0.4, 0.6]]


def least_error(people, epsilon, delta, joint):
    """The least mean probability of a wrong treatment over all mechanisms from contexts to treatments, by linear programming.

    Variables: P[contexts, treatments], and for each ordered pair of neighbours the excess of each event over e^eps times the
    other's, whose sum is at most delta. ``joint``: events are of the others' treatments.
    """
    words = list(product((0, 1), repeat=people))
    place = {(c, a): i for i, (c, a) in enumerate(product(words, words))}
    cost = np.zeros(len(place))
    for (c, a), i in place.items():
        cost[i] = np.mean(np.array(c) != np.array(a)) / len(words)
    entries, bounds, row, slack = [], [], 0, len(place)
    for c in words:
        for k in range(people):
            other = (*c[:k], 1 - c[k], *c[k + 1:])
            events = {}
            for a in words:
                events.setdefault((*a[:k], *a[k + 1:]) if joint else a, []).append(a)
            excess = range(slack, slack + len(events))
            for which, same in zip(excess, events.values()):  # P[c, event] - e^eps P[other, event] <= excess
                entries += [(row, place[c, a], 1.0) for a in same] + [(row, place[other, a], -np.exp(epsilon)) for a in same]
                entries.append((row, which, -1.0))
                bounds.append(0.0)
                row += 1
            entries += [(row, which, 1.0) for which in excess]
            bounds.append(delta)
            row, slack = row + 1, slack + len(events)
    rows, columns, values = map(np.array, zip(*entries))
    sums = np.zeros((len(words), slack))
    for (c, _), i in place.items():
        sums[words.index(c), i] = 1
    solved = linprog(np.concatenate([cost, np.zeros(slack - len(place))]), A_ub=coo_array((values, (rows, columns)), (row, slack)).tocsr(),
                     b_ub=bounds, A_eq=sums, b_eq=np.ones(len(words)), method="highs")
    return solved.fun


@pytest.mark.parametrize("people", [1, 2, 3])
@pytest.mark.parametrize("epsilon, delta", [(0.3, 0.0), (1.0, 0.0), (1.7, 0.0), (1.0, 0.05), (0.3, 0.2)])
def test_plain_privacy_treats_everybody_wrongly_at_times_and_joint_privacy_nobody(people, epsilon, delta):
    assert least_error(people, epsilon, delta, joint=False) == pytest.approx(wrong_treatment_floor(epsilon, delta), abs=1e-9)
    assert least_error(people, epsilon, delta, joint=True) == pytest.approx(0, abs=1e-12)


def test_the_floor_in_numbers():
    assert wrong_treatment_floor(1.0) == pytest.approx(0.2689, abs=1e-4) and wrong_treatment_floor(0.0) == 0.5
    assert wrong_treatment_floor([0.0, 1.0], 0.5) == pytest.approx([0.25, 0.13447], abs=1e-5)
    assert 0.2 * 1e6 * wrong_treatment_floor(1.0) == pytest.approx(53_788, abs=1)


@given(st.floats(0, 20), st.floats(0, 0.9))
def test_the_floor_is_that_of_randomised_response(epsilon, delta):
    """With probability delta the truth, else randomised response: the privacy is (eps, delta), and the error is the floor."""
    lie = wrong_treatment_floor(epsilon, delta)
    truth = delta + (1 - delta) * (1 - wrong_treatment_floor(epsilon))
    assert lie == pytest.approx(1 - truth) and truth - np.exp(epsilon) * lie <= delta + 1e-9


def test_joint_learning_stops_paying_and_plain_learning_never():
    times = [10**3, 10**4, 10**5, 10**6]
    run = dict(means=MEANS, n_people=10**6, epsilon=1.0, runs=400, times=times)
    joint = joint_contextual_bandit(**run, rng=np.random.default_rng(31), noise_rng=np.random.default_rng(32)).regret.mean(axis=0)
    plain = plain_contextual_bandit(**run, rng=np.random.default_rng(31), noise_rng=np.random.default_rng(32)).regret.mean(axis=0)
    floor = 0.2 * np.array(times) * wrong_treatment_floor(1.0)
    assert (plain > 1.4 * floor).all() and plain[-1] == pytest.approx(0.2 * 1e6 * wrong_treatment_floor(0.5), rel=0.002)
    assert joint[-1] < 270 and joint[-1] < 1.5 * joint[-2] and joint[0] > floor[0] and joint[1] < floor[1] / 3
    assert joint == pytest.approx([63.5, 119, 154, 192], rel=0.15)  # 400 runs: five standard errors are below a tenth


def test_what_is_promised():
    run = dict(means=MEANS, n_people=1000, epsilon=0.7, rng=np.random.default_rng(1), noise_rng=np.random.default_rng(2))
    joint, plain = joint_contextual_bandit(**run), plain_contextual_bandit(**run, own_share=0.8)
    assert joint.guarantee.model is Model.JOINT and (joint.guarantee.epsilon, joint.guarantee.delta) == (0.7, 0)
    assert plain.guarantee.model is Model.CENTRAL and plain.guarantee.epsilon == pytest.approx(0.7)
    assert joint.noise.scale == pytest.approx(3 / 0.7) and plain.noise.scale == pytest.approx(3 / 0.14)
    with pytest.raises(ValueError, match="model must be the same in all guarantees to be added up, got 'joint' and 'central'"):
        compose_guarantees(joint, plain)


def test_the_table_of_two_people_who_differ_is_three_apart_at_most():
    from privrl_core.online.contextual_bandits import TABLE
    rows = {(c, a, r): [float((c, a) == cell) * part for cell in product((0, 1), repeat=2) for part in (1, r - 0.5)]
            for c in (0, 1) for a in (0, 1) for r in (0, 0.3, 1)}
    apart = [np.abs(np.subtract(x, y)) for x in rows.values() for y in rows.values()]
    assert max(x.sum() for x in apart) == TABLE.l1 and max(np.linalg.norm(x) for x in apart) == pytest.approx(TABLE.l2)


@settings(max_examples=20)
@given(st.floats(0.05, 5), st.integers(1, 3000), st.sampled_from([joint_contextual_bandit, plain_contextual_bandit]))
def test_chances_are_chances_and_regret_grows(epsilon, n, learner):
    times = np.unique(np.linspace(1, n, 5).astype(int))
    made = learner(MEANS, n, epsilon=epsilon, runs=3, times=times, rng=np.random.default_rng(3), noise_rng=np.random.default_rng(4))
    again = learner(MEANS, n, epsilon=epsilon, runs=3, times=times, rng=np.random.default_rng(3), noise_rng=np.random.default_rng(4))
    assert (made.chance >= 0).all() and (made.chance <= 1).all() and (made.chance[:, 0] == 0.5).all() and made.batch_ends[-1] == n
    assert (np.diff(made.regret, axis=1) >= 0).all() and (made.regret <= 0.2 * times + 1e-9).all()
    assert np.array_equal(made.regret, again.regret)
    if learner is plain_contextual_bandit:
        assert (made.regret >= 0.2 * times * wrong_treatment_floor(epsilon) - 1e-9).all()


def test_noise_has_a_stream_of_its_own():
    """The same people, whatever the noise: the first person's regret is exact, and another noise changes only later ones."""
    made = [joint_contextual_bandit(MEANS, 4096, epsilon=1.0, times=[1, 4096], rng=np.random.default_rng(7), noise_rng=np.random.default_rng(seed)).regret[0]
            for seed in (1, 2)]
    assert made[0][0] == made[1][0] == pytest.approx(0.1) and made[0][1] != made[1][1]


@pytest.mark.parametrize("changes, message", [
    (dict(epsilon=-0.1), "epsilon must be positive, got -0.1"), (dict(means=[[0.6, 1.4], [0.4, 0.6]]), "means must be in [0, 1], got 1.4"),
    (dict(means=[0.6, 0.4]), "means must have shape [2, 2], got [2]"), (dict(times=[5, 2000]), "times must increase, from at least 1 to at most n_people = 1000"),
    (dict(noise_rng=3), "noise_rng must be a numpy.random.Generator, got 3"), (dict(n_people=0), "n_people must be a whole number of at least 1, got 0")])
def test_wrong_arguments_say_so(changes, message):
    run = dict(means=MEANS, n_people=1000, epsilon=1.0, rng=np.random.default_rng(1), noise_rng=np.random.default_rng(2)) | changes
    for learner in (joint_contextual_bandit, plain_contextual_bandit):
        with pytest.raises(ValueError) as error:
            learner(**run)
        assert message in str(error.value)


@pytest.mark.parametrize("call, message", [
    (lambda: wrong_treatment_floor(-0.1), "epsilon must be at least 0, got -0.1"), (lambda: wrong_treatment_floor(1, 1.5), "delta must be in [0, 1], got 1.5"),
    (lambda: plain_contextual_bandit(MEANS, 10, epsilon=1, own_share=1.0, rng=np.random.default_rng(), noise_rng=np.random.default_rng()),
     "own_share must be strictly between 0 and 1, got 1.0")])
def test_other_wrong_arguments_say_so(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert message in str(error.value)
