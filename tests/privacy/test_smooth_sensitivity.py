"""Noise whose width follows the data: the exact delta against independent routes, and the three rules."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ive
from scipy.stats import ncx2

from privrl_core.privacy import (
    as_printed,
    as_proved,
    calibrate_exact,
    event_probabilities,
    gaussian_delta,
    gaussian_mu,
    smooth_gaussian_alpha,
    smooth_gaussian_beta_max,
    smooth_gaussian_delta,
)

GRID = [(epsilon, alpha, beta, d) for epsilon in (0.01, 0.1, 1.0, 5.0) for alpha in (0.5, 3.0, 12.0, 120.0)
        for beta in (1e-3, 0.02, 0.3, 1.5) for d in (1, 2, 5, 40, 300)]


def divergence(epsilon, shift, ratio, d):
    """P[E] - e^eps Q[E] for P = N(0, I), Q = N(shift e1, ratio I): the event is a ball or the outside of one."""
    centre = -shift / (ratio - 1)
    radius = centre**2 + (shift**2 / ratio + d * np.log(ratio) - 2 * epsilon) / (1 - 1 / ratio)
    law = ncx2.cdf if ratio > 1 else ncx2.sf
    return law(max(radius, 0), d, centre**2) - np.exp(epsilon) * law(max(radius, 0) / ratio, d, (centre - shift)**2 / ratio)


def worst(epsilon, alpha, beta, d, fractions):
    """The largest divergence over ratios exp(beta f), both orders, the smaller width 1 and the shift 1/alpha."""
    return max(max(divergence(epsilon, 1 / alpha, np.exp(beta * f), d),
                   divergence(epsilon, np.exp(-beta * f / 2) / alpha, np.exp(-beta * f), d)) for f in fractions)


@pytest.mark.parametrize("epsilon, alpha, beta, d", GRID)
def test_delta_agrees_with_noncentral_chi_squared_probabilities(epsilon, alpha, beta, d):
    other = max(gaussian_delta(epsilon, 1 / alpha), worst(epsilon, alpha, beta, d, [1.0]))
    assert smooth_gaussian_delta(epsilon, alpha, beta, d) == pytest.approx(other, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("epsilon, alpha, beta, d", GRID[::7])
def test_no_ratio_between_the_ends_is_worse(epsilon, alpha, beta, d):
    inside = worst(epsilon, alpha, beta, d, np.linspace(0.05, 0.95, 10))
    assert inside <= smooth_gaussian_delta(epsilon, alpha, beta, d) * (1 + 1e-6) + 1e-12


def rises(epsilon, shift, ratio, d):
    """h - kappa A(kappa) of the docstring's proof, and u = kappa A'/A: delta rises with the ratio where it is positive."""
    h = shift**2 / (ratio - 1) ** 2 + (d * np.log(ratio) - 2 * epsilon) / (ratio - 1)
    if h <= 0:
        return np.nan, np.nan
    kappa = np.sqrt(ratio * h) * shift / (ratio - 1)
    a = ive(d / 2, kappa) / ive(d / 2 - 1, kappa)
    return h - kappa * a, kappa * (1 - a**2) / a - (d - 1)


@settings(max_examples=200, deadline=None)
@given(st.floats(-2, 3), st.floats(0.02, 3), st.floats(0.05, 3), st.integers(1, 60))
def test_the_proof_that_an_extreme_ratio_is_worst(epsilon, shift, log_ratio, d):
    """Each line of it: the sign of the slope against a finite difference, u in (0, 1), one crossing, from falling to rising.

    epsilon < 0 is the case of the wider first law.
    """
    def delta(log_r):
        p, q = event_probabilities(epsilon, shift, np.exp(log_r), d)
        return p - q
    slope, u = rises(epsilon, shift, np.exp(log_ratio), d)
    difference = delta(log_ratio * (1 + 1e-4)) - delta(log_ratio * (1 - 1e-4))
    assert not (abs(difference) > 1e-9 and abs(slope) > 1e-3) or np.sign(difference) == np.sign(slope)
    assert np.isnan(u) or -1e-6 < u < 1 + 1e-6
    signs = [np.sign(rises(epsilon, shift, r, d)[0]) for r in np.exp(np.linspace(0.02, 3, 60))]
    signs = [s for s in signs if s == s and s != 0]
    assert signs == sorted(signs)


@pytest.mark.parametrize("d", [1, 2, 3, 40])
def test_small_deltas_agree_with_high_precision_integration(d):
    """At delta near 1e-8, where cancellation would show: mpmath at 30 digits integrates over both coordinates' laws."""
    epsilon, beta = 1.0, 0.02
    alpha = smooth_gaussian_alpha(epsilon, 1e-8, beta, d)
    routes = []
    with mpmath.workdps(30):
        for ratio, shift in ((mpmath.exp(beta), mpmath.mpf(1) / alpha), (mpmath.exp(-beta), mpmath.exp(-mpmath.mpf(beta) / 2) / alpha)):
            k = (shift**2 / ratio + d * mpmath.log(ratio) - 2 * epsilon) / (1 - 1 / ratio)
            c = -shift / (ratio - 1)

            def across(t, upper):
                if d == 1:
                    return mpmath.mpf((t > 0) != upper)
                if t <= 0:
                    return mpmath.mpf(upper)
                low, high = (t / 2, mpmath.inf) if upper else (0, t / 2)
                return mpmath.gammainc(mpmath.mpf(d - 1) / 2, low, high, regularized=True)

            def integrand(x):
                t, upper = k + 2 * c * x - x**2, ratio < 1
                return (mpmath.npdf(x) * across(t, upper)
                        - mpmath.exp(epsilon) * mpmath.npdf(x, shift, mpmath.sqrt(ratio)) * across(t / ratio, upper))
            root = mpmath.sqrt(max(c**2 + k, 0))
            edges = sorted([mpmath.mpf(-12), mpmath.mpf(12)] + [x for x in (c - root, c + root) if abs(x) < 12])
            pieces = [a + (b - a) * i / 12 for a, b in zip(edges, edges[1:]) for i in range(12)] + [edges[-1]]
            routes.append(mpmath.quad(integrand, pieces, maxdegree=5))
    assert smooth_gaussian_delta(epsilon, alpha, beta, d) == pytest.approx(float(max(routes)), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0, 5.0, 40.0])
@pytest.mark.parametrize("delta", [0.1, 1e-5, 1e-8, 1e-12, 1e-20])
def test_exact_calibration_in_one_dimension(epsilon, delta):
    """In one dimension the event is an interval or the outside of one: normal probabilities at 60 digits."""
    alpha, beta = calibrate_exact(epsilon, delta, 1)
    found = []
    with mpmath.workdps(60):
        for one, other in ((1, mpmath.exp(mpmath.mpf(beta) / 2)), (mpmath.exp(mpmath.mpf(beta) / 2), 1)):
            shift = 1 / mpmath.mpf(alpha)
            a, b = 1 / (2 * mpmath.mpf(other) ** 2) - 1 / (2 * mpmath.mpf(one) ** 2), -shift / mpmath.mpf(other) ** 2
            c = mpmath.log(mpmath.mpf(other) / one) + shift**2 / (2 * mpmath.mpf(other) ** 2) - mpmath.mpf(epsilon)
            if b * b <= 4 * a * c:
                continue
            low, high = sorted([(-b - mpmath.sqrt(b * b - 4 * a * c)) / (2 * a), (-b + mpmath.sqrt(b * b - 4 * a * c)) / (2 * a)])
            inside = [mpmath.ncdf(high, m, s) - mpmath.ncdf(low, m, s) for m, s in ((0, one), (shift, other))]
            outside = [mpmath.ncdf(low, m, s) + mpmath.ncdf(-high, -m, s) for m, s in ((0, one), (shift, other))]
            p, q = inside if a < 0 else outside
            found.append(p - mpmath.exp(mpmath.mpf(epsilon)) * q)
    assert float(max(found)) <= delta * (1 + 1e-6)
    assert float(max([*found, gaussian_delta(epsilon, 1 / alpha)])) == pytest.approx(delta, rel=1e-6)


def test_delta_agrees_with_sampling():
    """d = 5, both orders: the frequency of loss > eps, with delta = E[(1 - exp(eps - loss))+] over 4e5 draws.

    Each draw lies in [0, 1]; by Hoeffding a deviation of 5e-3 has probability below 2 exp(-2 * 4e5 * 2.5e-5) = 4e-9.
    """
    epsilon, alpha, beta, d, n = 0.5, 1.5, 0.4, 5, 400_000
    rng = np.random.default_rng(7)
    found = 0.0
    for s, s_other in ((1.0, np.exp(beta / 2)), (np.exp(beta / 2), 1.0)):
        z = rng.normal(0, s, (n, d))
        other = z - np.eye(d)[0] / alpha
        loss = d * np.log(s_other / s) + (other**2).sum(1) / (2 * s_other**2) - (z**2).sum(1) / (2 * s**2)
        found = max(found, np.mean(np.maximum(0, -np.expm1(epsilon - loss))))
    assert smooth_gaussian_delta(epsilon, alpha, beta, d) == pytest.approx(found, abs=5e-3)


def test_equal_widths_are_the_gaussian_mechanism():
    assert smooth_gaussian_delta(1.0, 3.73, 0.0, 40) == pytest.approx(gaussian_delta(1.0, 1 / 3.73), rel=1e-12)
    assert smooth_gaussian_alpha(1.0, 1e-5, 0.0, 40) == pytest.approx(1 / gaussian_mu(1.0, 1e-5), rel=1e-8)


@pytest.mark.parametrize("d, epsilon, delta, alpha, beta_max", [
    (1, 0.1, 0.1, 2.85, 0.510), (40, 0.1, 0.1, 2.85, 0.0772), (20, 0.1, 0.1, 2.85, 0.109), (5, 0.5, 1e-3, 4.87, 0.0920),
    (40, 1.0, 1e-5, 3.87, 0.0465), (1, 1.0, 1e-5, 4.28, 0.129), (20, 5.0, 1e-3, 0.725, 0.332)])
def test_what_the_printed_beta_really_needs(d, epsilon, delta, alpha, beta_max):
    """Beside the printed alpha: 122.4 at (0.1, 0.1), 24.7 at (1, 1e-5)."""
    assert smooth_gaussian_alpha(epsilon, delta, as_printed(epsilon, delta, d)[1], d) == pytest.approx(alpha, rel=4e-3)
    assert smooth_gaussian_beta_max(epsilon, delta, d) == pytest.approx(beta_max, rel=4e-3)


def test_the_printed_constants():
    assert as_printed(0.1, 0.1, 40) == pytest.approx((122.387, 0.1 / (4 * (40 + np.log(20)))), rel=1e-5)
    assert as_printed(1.0, 1e-5, 40)[0] == pytest.approx(24.70, rel=1e-3)
    assert as_proved(0.1, 0.1, 40)[0] == pytest.approx(407.4, rel=1e-3)


@settings(max_examples=60, deadline=None)
@given(st.floats(0.02, 8), st.floats(1e-8, 0.3), st.integers(1, 200), st.floats(0.02, 0.98))
def test_alpha_meets_delta_and_is_minimal(epsilon, delta, d, fraction):
    beta = fraction * smooth_gaussian_beta_max(epsilon, delta, d)
    alpha = smooth_gaussian_alpha(epsilon, delta, beta, d)
    assert smooth_gaussian_delta(epsilon, alpha, beta, d) <= delta * (1 + 1e-9) + 1e-14
    assert smooth_gaussian_delta(epsilon, alpha * 0.999, beta, d) > delta


@settings(max_examples=60, deadline=None)
@given(st.floats(0.02, 8), st.floats(1e-8, 0.3), st.integers(1, 200))
def test_beta_max_is_the_largest_private_beta(epsilon, delta, d):
    beta = smooth_gaussian_beta_max(epsilon, delta, d)
    assert smooth_gaussian_delta(epsilon, np.inf, beta, d) <= delta * (1 + 1e-9)
    assert smooth_gaussian_delta(epsilon, np.inf, beta * 1.001, d) > delta


@settings(max_examples=60, deadline=None)
@given(st.floats(0.02, 5), st.floats(1e-8, 0.3), st.integers(1, 200))
def test_every_rule_is_private(epsilon, delta, d):
    for rule in (as_printed, as_proved, calibrate_exact):
        alpha, beta = rule(epsilon, delta, d)
        assert smooth_gaussian_delta(epsilon, alpha, beta, d) <= delta * (1 + 1e-9) + 1e-14


@settings(max_examples=60, deadline=None)
@given(st.floats(0.01, 8), st.floats(0.1, 50), st.floats(0, 1), st.integers(1, 100))
def test_delta_is_monotone(epsilon, alpha, beta, d):
    delta, slack = smooth_gaussian_delta(epsilon, alpha, beta, d), 1e-12
    assert smooth_gaussian_delta(epsilon * 1.1, alpha, beta, d) <= delta + slack
    assert smooth_gaussian_delta(epsilon, alpha * 1.1, beta, d) <= delta + slack
    assert delta <= smooth_gaussian_delta(epsilon, alpha, beta * 1.1, d) + slack


@pytest.mark.parametrize("call, message", [
    (lambda: smooth_gaussian_delta(-1, 3, 0.1, 4), "epsilon must be at least 0, got -1.0"),
    (lambda: smooth_gaussian_delta(1, 0, 0.1, 4), "alpha must be positive, got 0.0"),
    (lambda: smooth_gaussian_delta(1, 3, -0.1, 4), "beta must be at least 0, got -0.1"),
    (lambda: smooth_gaussian_delta(1, 3, np.nan, 4), "beta must be finite, got nan"),
    (lambda: smooth_gaussian_delta(1, 3, 0.1, 0), "d must be a whole number of at least 1, got 0"),
    (lambda: smooth_gaussian_delta(1, 3, 0.1, 2.5), "d must be a whole number of at least 1, got 2.5"),
    (lambda: smooth_gaussian_alpha(1, 1e-5, 0.5, 40), "beta must be below smooth_gaussian_beta_max = 0.0464528, got 0.5"),
    (lambda: smooth_gaussian_alpha(1, 1.0, 0.01, 40), "delta must be strictly between 0 and 1, got 1.0"),
    (lambda: smooth_gaussian_beta_max(1, 0.0, 40), "delta must be strictly between 0 and 1, got 0.0"),
    (lambda: as_printed(0, 0.1, 4), "epsilon must be positive, got 0.0"),
    (lambda: as_printed(-0.1, 0.1, 4), "epsilon must be positive, got -0.1"),
    (lambda: as_proved(6, 0.1, 4), "epsilon must be at most 5 for Lemma 14, got 6.0"),
    (lambda: as_proved(1, -0.1, 4), "delta must be strictly between 0 and 1, got -0.1"),
    (lambda: calibrate_exact(1, 2, 4), "delta must be strictly between 0 and 1, got 2.0"),
    (lambda: calibrate_exact(101, 0.1, 4), "epsilon must be at most 100, got 101"),
    (lambda: calibrate_exact(1, 1e-21, 4), "delta must be at least 1e-20 for noise that depends on the data, got 1e-21"),
    (lambda: smooth_gaussian_delta(1, 3, 501, 4), "beta must be at most 500, got 501"),
    (lambda: smooth_gaussian_delta([1, 2], 3, 0.1, 4), "epsilon must be one number, got an array of shape [2]"),
    (lambda: calibrate_exact(np.inf, 0.1, 4), "epsilon must be finite, got inf"),
])
def test_wrong_arguments_say_so(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert message in str(error.value)
