"""Attacks: scores against densities, intervals against exact coverage, ceilings against programs over all mechanisms."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.stats import binom, binomtest, multivariate_normal, norm

from privrl_core.functional_noise import reward_from_q
from privrl_core.privacy import (
    advantage_ceiling,
    advantage_interval,
    auc,
    auc_ceiling,
    auc_interval,
    detection_ceiling,
    gaussian_advantage_ceiling,
    gaussian_auc_ceiling,
    gaussian_delta,
    gaussian_detection_ceiling,
    gaussian_log_ratio,
    gaussian_success_ceiling,
    success_ceiling,
    trials_to_exclude,
)
from privrl_core.privacy.auditing import clopper_pearson
from privrl_core.world import FiniteMDP

PROMISES = [(0.0, 0.0), (0.1, 0.1), (1.0, 1e-5), (1.0, 0.2), (4.0, 0.01)]


# ---------------------------------------------------------------------------------------------------------- attacks

def test_the_score_is_the_ratio_of_scipys_densities():
    rng = np.random.default_rng(1)
    z, means = rng.normal(size=(20, 3)), rng.normal(size=(20, 3))
    roots = rng.normal(size=(2, 3, 3))
    inside, outside = roots @ np.swapaxes(roots, 1, 2) + 0.1 * np.eye(3)
    expected = [multivariate_normal.logpdf(one, mean, inside) - multivariate_normal.logpdf(one, np.ones(3), outside)
                for one, mean in zip(z, means)]
    assert gaussian_log_ratio(z, means, inside, np.ones(3), outside) == pytest.approx(expected, rel=1e-9)


def test_no_linear_score_beats_the_ratio_with_equal_covariances():
    """The ratio's area is Phi(mu / sqrt 2), mu the Mahalanobis distance: Hoeffding, 1e4 draws, misses 0.03 w.p. 3e-8."""
    rng, shift = np.random.default_rng(2), np.array([0.8, -0.3])
    cov = np.array([[1.0, 0.6], [0.6, 2.0]])
    outside = rng.multivariate_normal(np.zeros(2), cov, size=10_000)
    inside = rng.multivariate_normal(shift, cov, size=10_000)
    scores = [gaussian_log_ratio(z, shift, cov, np.zeros(2), cov) for z in (inside, outside)]
    best = norm.cdf(np.sqrt(shift @ np.linalg.solve(cov, shift) / 2))
    assert auc(*scores) == pytest.approx(best, abs=0.03)
    assert all(auc(inside @ w, outside @ w) < best + 0.03 for w in rng.normal(size=(50, 2)))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.floats(0, 0.95))
def test_the_reward_comes_back_from_an_optimal_q(seed, discount):
    """Q by value iteration to 1e-13 of the fixed point, rewards on the pair: read back to 1e-11."""
    rng = np.random.default_rng(seed)
    P, r = rng.dirichlet(np.full(6, 0.4), size=(6, 3)), rng.random((6, 3))
    q = np.zeros((6, 3))
    for _ in range(int(np.log(1e-14) / np.log(discount)) + 1 if discount > 0 else 1):
        q = r + discount * P @ q.max(axis=1)
    world = FiniteMDP(P, np.broadcast_to(r[..., None], P.shape), discount, np.full(6, 1 / 6), np.zeros(6, bool))
    assert q.max(axis=1) == pytest.approx(world.optimal_values(), abs=1e-8)
    assert reward_from_q(q, P, discount) == pytest.approx(r, abs=1e-11)


# --------------------------------------------------------------------------------------------------------- measures

@given(st.lists(st.integers(0, 5), min_size=1, max_size=12), st.lists(st.integers(0, 5), min_size=1, max_size=12))
def test_the_area_is_the_chance_to_order_a_pair(inside, outside):
    pairs = [(x > y) + (x == y) / 2 for x, y in product(inside, outside)]
    assert auc(inside, outside) == pytest.approx(np.mean(pairs))
    low, high = auc_interval(inside, outside, confidence=0.9)
    assert 0 <= low <= auc(inside, outside) <= high <= 1
    slack = np.sqrt(np.log(20) / (2 * min(len(inside), len(outside))))
    assert (low, high) == pytest.approx((max(0, np.mean(pairs) - slack), min(1, np.mean(pairs) + slack)))


def test_the_area_is_missed_no_more_often_than_said():
    """1,000 intervals at 80 % for 40 draws a side: 269 misses would have probability below 1e-6 if 20 % were the truth."""
    rng, true = np.random.default_rng(3), norm.cdf(1 / np.sqrt(2))
    limits = [auc_interval(rng.normal(1, 1, 40), rng.normal(0, 1, 40), confidence=0.8) for _ in range(1000)]
    misses = sum(not low <= true <= high for low, high in limits)
    assert binom.sf(268, 1000, 0.2) < 1e-6
    assert misses < 269


@pytest.mark.parametrize("p, q", [(0.5, 0.5), (0.8, 0.3), (0.02, 0.001), (1.0, 0.0)])
def test_coverage_of_the_advantage_is_exact(p, q):
    """Summed over every pair of counts."""
    n, confidence = 40, 0.9
    limits = np.array([[advantage_interval(i, j, n, confidence=confidence) for j in range(n + 1)] for i in range(n + 1)])
    covered = (limits[..., 0] <= p - q) & (p - q <= limits[..., 1])
    chance = np.outer(binom.pmf(range(n + 1), n, p), binom.pmf(range(n + 1), n, q))
    assert chance[covered].sum() >= confidence


@pytest.mark.parametrize("bound, advantage", [(0.46, 0.1), (0.46, 0.9), (0.1, 0.4), (1.0, 0.5), (0.0, 1.0)])
def test_the_trials_give_the_power(bound, advantage):
    """Exactly, at the rates named and at others with the same advantage; and much fewer would not do."""
    confidence, power = 0.95, 0.9
    needed = trials_to_exclude(bound, advantage=advantage, confidence=confidence, power=power)

    def found(n, p):
        counts = np.arange(n + 1)
        chance = np.outer(binom.pmf(counts, n, p), binom.pmf(counts, n, p - advantage))
        likely = np.argwhere(chance > 1e-7)
        told = sum(chance[i, j] for i, j in likely
                   if (advantage_interval(i, j, n, confidence=confidence)[1] < bound if bound > advantage
                       else advantage_interval(i, j, n, confidence=confidence)[0] > bound))
        return told + 1e-3
    middle = (1 + advantage) / 2
    assert all(found(needed, p) >= power for p in {middle, 1.0, (middle + 1) / 2})
    assert needed == 1 or found(needed // 3, middle) < power


# --------------------------------------------------------------------------------------------------------- ceilings

def best_mechanism(epsilon, delta, gain, false_alarm_rate=None):
    """Over all pairs of laws on four outcomes that keep the promise: the most of ``gain``, by a linear program."""
    events = np.array(list(product([0, 1], repeat=4)))
    promise = np.vstack([np.hstack([events, -np.exp(epsilon) * events]), np.hstack([-np.exp(epsilon) * events, events])])
    laws, total = np.kron(np.eye(2), np.ones(4)), [1.0, 1.0]
    if false_alarm_rate is not None:
        laws, total = np.vstack([laws, [0, 0, 0, 0, 1, 1, 0, 0]]), [*total, false_alarm_rate]
    found = linprog(-np.asarray(gain), promise, np.full(len(promise), delta), laws, total)
    return -found.fun


@pytest.mark.parametrize("epsilon, delta", PROMISES)
def test_the_ceilings_are_those_of_a_program_over_all_mechanisms(epsilon, delta):
    detects = np.array([1, 1, 0, 0, 0, 0, 0, 0])
    advantage = best_mechanism(epsilon, delta, detects - np.roll(detects, 4))
    assert advantage_ceiling(epsilon, delta) == pytest.approx(advantage, abs=1e-9)
    assert advantage == pytest.approx(2 * success_ceiling(epsilon, delta) - 1, abs=1e-9)
    for rate in (0.0, 1e-3, 0.1, 0.3, 0.7, 0.95, 1.0):
        assert detection_ceiling(rate, epsilon, delta) == pytest.approx(
            best_mechanism(epsilon, delta, detects, rate), abs=1e-9)


@pytest.mark.parametrize("epsilon, delta", PROMISES)
def test_the_area_is_that_of_the_region_and_attained(epsilon, delta):
    """By quadrature (corners on 2e6 cells cost 1e-9), and by randomised response that fails openly with delta."""
    cells = 2_000_000
    rates = (np.arange(cells) + 0.5) / cells
    assert auc_ceiling(epsilon, delta) == pytest.approx(detection_ceiling(rates, epsilon, delta).mean(), abs=1e-8)
    right = np.exp(epsilon) / (1 + np.exp(epsilon))
    law = np.array([delta, (1 - delta) * right, (1 - delta) * (1 - right), 0])
    other = law[::-1]
    area = sum(law[i] * other[j] * ((i < j) + (i == j) / 2) for i, j in product(range(4), repeat=2))
    assert auc_ceiling(epsilon, delta) == pytest.approx(area, abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(st.floats(0.01, 6))
def test_gaussian_ceilings_are_the_area_and_the_largest_gap_of_their_curve(mu):
    assert gaussian_advantage_ceiling(mu) == pytest.approx(2 * gaussian_success_ceiling(mu) - 1, abs=1e-10)
    cells = 200_000
    rates = (np.arange(cells) + 0.5) / cells
    curve = gaussian_detection_ceiling(rates, mu)
    assert gaussian_auc_ceiling(mu) == pytest.approx(curve.mean(), abs=1e-4)
    assert gaussian_advantage_ceiling(mu) == pytest.approx((curve - rates).max(), abs=1e-4)
    assert gaussian_advantage_ceiling(mu) == pytest.approx(gaussian_delta(0.0, mu), rel=1e-9)


@pytest.mark.parametrize("mu", [0.27, 1.0, 2.5])
def test_the_gaussian_curve_is_the_envelope_of_all_its_promises(mu):
    rates = np.geomspace(1e-4, 0.9, 30)
    epsilon = np.linspace(0, 12, 20_001)[:, None]
    envelope = detection_ceiling(rates, epsilon, gaussian_delta(epsilon, mu)).min(axis=0)
    curve = gaussian_detection_ceiling(rates, mu)
    assert np.all(envelope >= curve - 1e-12)
    assert envelope == pytest.approx(curve, abs=1e-5)


@given(st.floats(0, 1), st.floats(0, 20), st.floats(0, 0.99))
def test_ceilings_are_sane(rate, epsilon, delta):
    assert rate - 1e-12 <= detection_ceiling(rate, epsilon, delta) <= 1
    assert detection_ceiling(rate, epsilon, delta) - rate <= advantage_ceiling(epsilon, delta) + 1e-12
    assert 0.5 - 1e-12 <= auc_ceiling(epsilon, delta) <= 1


# ------------------------------------------------------------------------------------------------------------ wrong

EYE = np.eye(2)


@pytest.mark.parametrize("call, name", [
    (lambda: gaussian_log_ratio([0.0, np.nan], [0, 0], EYE, [0, 0], EYE), "releases"),
    (lambda: gaussian_log_ratio(1.0, [0, 0], EYE, [0, 0], EYE), "mean_inside"),
    (lambda: gaussian_log_ratio([0, 0], [0, 0, 0], EYE, [0, 0], EYE), "mean_inside"),
    (lambda: gaussian_log_ratio([0, 0], [0, 0], EYE, [0, 0], np.eye(3)), "covariance_outside"),
    (lambda: gaussian_log_ratio([0, 0], [0, 0], -EYE, [0, 0], EYE), "covariance_inside"),
    (lambda: reward_from_q([1.0], np.ones((1, 1, 1)), 0.9), "q"),
    (lambda: reward_from_q([[1.0]], np.ones((1, 1)), 0.9), "transitions"),
    (lambda: reward_from_q([[1.0]], np.full((1, 1, 1), 0.9), 0.9), "transitions"),
    (lambda: reward_from_q([[1.0]], np.ones((1, 1, 1)), 1.1), "discount"),
    (lambda: auc([], [1.0]), "inside"), (lambda: auc([1.0], 1.0), "outside"), (lambda: auc([np.inf], [1.0]), "inside"),
    (lambda: auc_interval([1.0], [0.0], confidence=1), "confidence"),
    (lambda: advantage_interval(5, 0, 4), "detections"), (lambda: advantage_interval(0, -1, 4), "false_alarms"),
    (lambda: advantage_interval(0, 0, 0), "trials"), (lambda: advantage_interval(1, 0, 4, confidence=0), "confidence"),
    (lambda: trials_to_exclude(1.5, advantage=0), "bound"), (lambda: trials_to_exclude(0, advantage=-2), "advantage"),
    (lambda: trials_to_exclude(0.1, advantage=0.105), "bound"),
    (lambda: trials_to_exclude(0.1, advantage=0.5, power=1), "power"),
    (lambda: detection_ceiling(1.1, 1, 0), "false_alarm_rate"), (lambda: detection_ceiling(0.1, -1, 0), "epsilon"),
    (lambda: advantage_ceiling(1, 1), "delta"), (lambda: auc_ceiling(1, -0.1), "delta"),
    (lambda: gaussian_detection_ceiling(-0.1, 1), "false_alarm_rate"),
    (lambda: gaussian_detection_ceiling(0.1, 0), "mu"), (lambda: gaussian_advantage_ceiling(-1), "mu"),
    (lambda: gaussian_auc_ceiling(np.nan), "mu")])
def test_wrong_arguments_say_so(call, name):
    with pytest.raises(ValueError, match=f"^{name}"):
        call()


def test_a_covariance_that_is_not_symmetric_is_none():
    """Cholesky's method reads one triangle, and would not notice."""
    skew = np.array([[2.0, 0.5], [0.0, 1.0]])
    for which, covariances in (("inside", (skew, np.eye(2))), ("outside", (np.eye(2), skew))):
        with pytest.raises(ValueError, match=f"covariance_{which} must be symmetric, got mirrored entries that differ by 0.5"):
            gaussian_log_ratio([0.1, 0.2], [0, 1], covariances[0], [1, 0], covariances[1])


def test_where_no_number_of_runs_excludes_there_is_none():
    with pytest.raises(ValueError, match=r"bound must be farther from advantage = 0.0 for 2\^24 runs"):
        trials_to_exclude(0.01, advantage=0.0, power=np.nextafter(1, 0))
    # the least risk that a double can tell from none is a risk all the same
    assert 10**6 < trials_to_exclude(0.01, advantage=0.0, confidence=np.nextafter(1, 0)) < 2 * 10**6


def test_a_q_at_discount_one_is_refused():
    with pytest.raises(ValueError, match=r"discount must be in \[0, 1\), got 1"):
        reward_from_q(np.zeros((2, 1)), np.full((2, 1, 2), 0.5), 1)


@given(st.integers(1, 2000), st.floats(0, 1), st.floats(1e-6, 0.2))
def test_limits_are_those_of_clopper_and_pearson(trials, share, tail):
    count = round(share * trials)
    limits = binomtest(count, trials).proportion_ci(1 - 2 * tail, method="exact")
    assert clopper_pearson("detections", count, trials, tail) == pytest.approx(tuple(limits), rel=1e-8, abs=1e-15)
