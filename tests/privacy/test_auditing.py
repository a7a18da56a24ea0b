"""Auditing from outside: honest mechanisms are never accused, too little noise is always caught."""

from bisect import bisect_left

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from privrl_core.policy_evaluation import (
    dp_lsw,
    dp_sufficient_statistics,
    farthest_neighbours,
    lsw,
    noise_scale_lsw_non_private,
)
from privrl_core.privacy import (
    calibrate_exact,
    count_events,
    epsilon_lower_bound,
    firing_probabilities,
    gaussian_delta,
    gaussian_mu,
    likelihood_ratio_test,
    smooth_gaussian_delta,
    trials_needed,
)

SETTINGS = [(0.1, 0.1), (1.0, 1e-5)]


@pytest.mark.parametrize("p, q, delta", [(0.3, 0.1, 0.0), (0.02, 0.001, 1e-5), (0.9, 0.6, 0.1)])
def test_coverage_of_the_lower_bound_is_exact(p, q, delta):
    """Summed over every pair of counts: P[bound > true epsilon] <= 1 - confidence, at a confidence low enough to matter."""
    n, confidence = 60, 0.9
    true = np.log(max((p - delta) / q, (1 - q - delta) / (1 - p)))
    chance = np.outer(binom.pmf(range(n + 1), n, p), binom.pmf(range(n + 1), n, q))
    exceeds = [[epsilon_lower_bound(i, j, n, delta=delta, confidence=confidence) > true for j in range(n + 1)]
               for i in range(n + 1)]
    assert chance[np.array(exceeds)].sum() <= 1 - confidence


@pytest.mark.parametrize("trials, confidence", [(10, 0.9), (1000, 0.999)])
def test_the_lower_bound_in_closed_form(trials, confidence):
    """All detections and no alarm: Clopper-Pearson's limits are the roots of p^n = tail and (1 - q)^n = tail."""
    limit = ((1 - confidence) / 2) ** (1 / trials)
    expected = np.log(max((limit - 0.01) / (1 - limit), 1.0))
    assert epsilon_lower_bound(trials, 0, trials, delta=0.01, confidence=confidence) == pytest.approx(expected, rel=1e-9)


@given(st.integers(1, 400), st.data())
def test_the_lower_bound_is_sane(trials, data):
    hits, alarms = data.draw(st.integers(0, trials)), data.draw(st.integers(0, trials))
    bound = epsilon_lower_bound(hits, alarms, trials, delta=1e-5)
    assert 0 <= bound < np.inf
    assert bound <= epsilon_lower_bound(min(hits + 1, trials), alarms, trials, delta=1e-5) + 1e-12


@pytest.mark.parametrize("distance, scale, other, d", [(1.0, 1.0, 1.0, 3), (0.5, 1.0, 1.1, 5), (0.5, 1.1, 1.0, 5), (0.2, 1.0, 1.05, 40)])
def test_firing_probabilities_are_the_frequencies(distance, scale, other, d):
    """2e5 draws on each side: by Hoeffding an error of 7e-3 has probability below 2 exp(-2 * 2e5 * 4.9e-5) = 6e-9."""
    rng, epsilon, n = np.random.default_rng(1), 0.2, 200_000
    mean, shifted = np.zeros(d), distance * np.eye(d)[0]
    event = likelihood_ratio_test(mean, shifted, scale, other, epsilon)
    draws = [np.mean(event(rng.normal(at, width, (n, d)))) for at, width in ((mean, scale), (shifted, other))]
    assert draws == pytest.approx(firing_probabilities(distance, scale, other, d, epsilon), abs=7e-3)


@pytest.mark.parametrize("gap", [1e-5, 1e-7, 1e-9])
def test_nearly_equal_widths_are_nearly_equal(gap):
    same = firing_probabilities(0.5, 1.0, 1.0, 5, 0.1)
    for other in (1 + gap, 1 - gap):
        assert firing_probabilities(0.5, 1.0, other, 5, 0.1) == pytest.approx(same, abs=100 * gap)


@pytest.mark.parametrize("epsilon, alpha, beta, d", [(0.1, 3.3, 0.0386, 40), (1.0, 3.9, 0.0048, 40), (0.5, 2.0, 0.1, 5)])
def test_the_best_event_attains_delta(epsilon, alpha, beta, d):
    found = [gaussian_delta(epsilon, 1 / alpha)]
    for scale, other in ((1.0, np.exp(beta / 2)), (np.exp(beta / 2), 1.0)):
        p, q = firing_probabilities(1 / alpha, scale, other, d, epsilon)
        found.append(p - np.exp(epsilon) * q)
    assert smooth_gaussian_delta(epsilon, alpha, beta, d) == pytest.approx(max(found), rel=1e-6, abs=1e-12)


def fewest_trials(epsilon, delta, distance, scale, other, d):
    """The privacy loss whose event needs the fewest trials, and that number."""
    found = []
    for loss in np.linspace(0, 3, 16):
        p, q = firing_probabilities(distance, scale, other, d, loss)
        if p > np.exp(epsilon) * q + delta:
            found.append((trials_needed(p, q, epsilon=epsilon, delta=delta), loss))
    return min(found)


def audit(mechanism, pair, event, trials, delta, rng):
    counts = [count_events(mechanism, data, event, trials, rng) for data in pair]
    return epsilon_lower_bound(*counts, trials, delta=delta)


@pytest.mark.parametrize("epsilon, delta", SETTINGS)
def test_noise_divided_by_three_is_always_caught_and_honest_noise_never(epsilon, delta):
    """`dp_sufficient_statistics` on its farthest neighbours, an audit each at power and confidence 99.9 %."""
    pair = farthest_neighbours(3, 1.0)
    sigma = np.sqrt(3) / gaussian_mu(epsilon, delta)
    # given the visits' noise, a return is Gaussian about half of it, with variance (4/3 - 1/3) sigma^2
    trials, loss = fewest_trials(epsilon, delta, np.sqrt(3), sigma / 3, sigma / 3, 3)
    test = likelihood_ratio_test(np.zeros(3), np.ones(3), sigma / 3, sigma / 3, loss)

    def mechanism(noise):
        def released(data, rng):
            release = dp_sufficient_statistics(data, np.eye(3), return_bound=1.0, epsilon=epsilon, delta=delta, noise_rng=rng)
            return data.return_sums + noise * (release.return_sums - data.return_sums - (release.visits - data.visits) / 2)
        return released
    rng = np.random.default_rng(0)
    assert audit(mechanism(1 / 3), pair, test, trials, delta, rng) > epsilon
    assert audit(mechanism(1.0), pair, test, trials, delta, rng) <= epsilon


@pytest.mark.parametrize("epsilon, delta", SETTINGS)
@pytest.mark.parametrize("d", [1, 40])
def test_the_calibrations_own_worst_case(epsilon, delta, d):
    """Two Gaussians as far apart as `calibrate_exact` allows, in place and in width: a third of the noise is a threefold shift."""
    alpha, beta = calibrate_exact(epsilon, delta, d)
    widths = (np.exp(beta / 2), 1.0)
    trials, loss = fewest_trials(epsilon, delta, 3 / alpha, *widths, d)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        for shift, caught in ((3 / alpha, True), (1 / alpha, False)):
            test = likelihood_ratio_test(np.zeros(d), shift * np.eye(d)[0], *widths, loss)
            counts = [test(rng.normal(side * shift * np.eye(d)[0], widths[side], (trials, d))).sum() for side in (0, 1)]
            assert (epsilon_lower_bound(*counts, trials, delta=delta) > epsilon) is caught


def test_dp_lsw_audit():
    """Lemma 2 is attained on these neighbours, so the noise DP-LSW adds is its alpha times the distance."""
    epsilon, delta, pair = 0.1, 0.1, farthest_neighbours(3, 1.0)
    scale = noise_scale_lsw_non_private(pair[0], np.eye(3), np.ones(3), return_bound=1.0, epsilon=epsilon, delta=delta)
    assert scale == pytest.approx(calibrate_exact(epsilon, delta, 3)[0] * np.sqrt(3))
    trials, loss = fewest_trials(epsilon, delta, np.sqrt(3), scale / 3, scale / 3, 3)
    test = likelihood_ratio_test(np.zeros(3), np.ones(3), scale / 3, scale / 3, loss)

    def mechanism(noise):
        def released(data, rng):
            release = dp_lsw(data, np.eye(3), np.ones(3), return_bound=1.0, epsilon=epsilon, delta=delta, noise_rng=rng)
            exact = lsw(data, np.eye(3), np.ones(3))
            return exact + noise * (release.parameters - exact)
        return released
    for seed in range(5):
        rng = np.random.default_rng(seed)
        assert audit(mechanism(1 / 3), pair, test, trials, delta, rng) > epsilon
        assert audit(mechanism(1.0), pair, test, trials, delta, rng) <= epsilon


@pytest.mark.parametrize("p, q, epsilon, delta", [(0.5, 0.2, 0.1, 0.1), (0.06, 0.01, 1.0, 1e-5), (0.99, 0.9, 1.0, 0.0)])
def test_trials_needed_gives_its_power(p, q, epsilon, delta):
    """Exactly: sum the binomial law of both counts over the outcomes that are caught."""
    n = trials_needed(p, q, epsilon=epsilon, delta=delta, confidence=0.99, power=0.99)
    likely = np.flatnonzero(binom.pmf(np.arange(n + 1), n, p) > 1e-9)

    def most_alarms(hits):  # the bound falls with every alarm: count those that leave it above epsilon
        return bisect_left(range(n + 1), True, key=lambda alarms: epsilon_lower_bound(
            int(hits), alarms, n, delta=delta, confidence=0.99) <= epsilon) - 1
    power = sum(binom.pmf(hits, n, p) * binom.cdf(most_alarms(hits), n, q) for hits in likely)
    assert power >= 0.99


@pytest.mark.parametrize("call, message", [
    (lambda: epsilon_lower_bound(5, 1, 0, delta=0), "trials must be a whole number of at least 1, got 0"),
    (lambda: epsilon_lower_bound(5, 1, 4, delta=0), "detections must be at most trials = 4, got 5"),
    (lambda: epsilon_lower_bound(-1, 1, 4, delta=0), "detections must be a whole number of at least 0, got -1"),
    (lambda: epsilon_lower_bound(1, 1, 4, delta=1), "delta must be strictly between 0 and 1, got 1.0"),
    (lambda: epsilon_lower_bound(1, 1, 4, delta=0, confidence=1), "confidence must be strictly between 0 and 1, got 1.0"),
    (lambda: trials_needed(0.2, 0.2, epsilon=1, delta=0), "detection_rate and false_alarm_rate must imply more than epsilon = 1.0 at delta = 0.0, got 0.2 and 0.2"),
    (lambda: trials_needed(0.5, 0.1, epsilon=1, delta=np.nan), "delta must be finite, got nan"),
    (lambda: likelihood_ratio_test([0, 0], [1], 1, 1, 1), "mean_neighbour must have shape [2], got [1]"),
    (lambda: likelihood_ratio_test([0], [1], 1, 1, 1)(np.zeros(3)), "z must have shape [..., 1], got [3]"),
    (lambda: trials_needed(0.5, 0.1, epsilon=1, delta=0, power=1.0), "power must be strictly between 0 and 1, got 1.0"),
    (lambda: trials_needed(1.5, 0.1, epsilon=1, delta=0), "detection_rate must be strictly between 0 and 1, got 1.5"),
    (lambda: likelihood_ratio_test([0], [1], 0, 1, 1), "scale must be positive, got 0.0"),
    (lambda: firing_probabilities(0, 1, 1, 3, 1), "distance must be positive, got 0.0"),
    (lambda: firing_probabilities(1, 1, 1, 0, 1), "d must be a whole number of at least 1, got 0"),
    (lambda: farthest_neighbours(0, 1), "n_states must be a whole number of at least 1, got 0"),
    (lambda: farthest_neighbours(3, -1), "return_bound must be positive, got -1.0"),
    (lambda: count_events(None, None, None, 0, None), "trials must be a whole number of at least 1, got 0"),
])
def test_wrong_arguments_say_so(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert message in str(error.value)
