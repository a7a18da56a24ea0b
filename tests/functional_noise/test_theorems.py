"""The readings of Theorems 5 and 4: second routes to each number, and what cannot be asked."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrl_core.functional_noise import APPENDIX_E3 as E3
from privrl_core.functional_noise import Training
from privrl_core.functional_noise import theorems as fg
from privrl_core.privacy import gaussian_delta, gaussian_epsilon, gaussian_mu

READINGS = [fg.theorem_5_as_printed, fg.theorem_5_with_root, fg.theorem_5_with_right_tail,
            fg.theorem_5_composed_exactly, fg.theorem_5_with_tight_sup, fg.one_step, fg.one_step_jointly,
            fg.one_step_smooth]


def formula(epsilon, delta):
    return np.sqrt(2 * 5000 / 64 * np.log(np.e + epsilon / delta)) / epsilon


# k by brute force: written out once more, every k of a fine grid, and the least sigma among those that are allowed
CLOSED = {
    fg.theorem_5_as_printed: (lambda C: C, lambda sigma: 1.0, formula),
    fg.theorem_5_with_root: (np.sqrt, lambda sigma: 1.0, formula),
    fg.theorem_5_with_right_tail: (np.sqrt, lambda sigma: sigma, formula),
    fg.theorem_5_composed_exactly: (np.sqrt, lambda sigma: sigma, lambda e, d: np.sqrt(78) / gaussian_mu(e, d)),
}


@pytest.mark.parametrize("reading", CLOSED, ids=lambda reading: reading.__name__)
@pytest.mark.parametrize("epsilon", [0.45, 0.9, 3.0])
def test_the_smallest_sigma_is_that_of_a_search_over_k(reading, epsilon):
    norm, deviation, multiplier = CLOSED[reading]
    k = np.geomspace(0.1, 1e6, 2_000_001)  # each 8.1e-6 above the last
    v = 4 * 3e-4 * (k + 1) / 64
    sigma = multiplier(epsilon, 5e-5) * norm((v**2 + v) * 16)
    excess = 2 * k - 8.68 * sigma / np.sqrt(v)
    allowed = (excess > 0) & (78 * np.exp(-((excess / deviation(sigma)) ** 2) / 2) <= 5e-5)
    found = reading(epsilon, 1e-4, E3)
    assert found.sigma == pytest.approx(sigma[allowed].min(), rel=3e-5)
    assert found.k == pytest.approx(k[allowed][sigma[allowed].argmin()], rel=2e-5)
    assert found.beta == pytest.approx(1 / v[allowed][sigma[allowed].argmin()], rel=2e-5)


@pytest.mark.parametrize("sigma, k, epsilon, reading", [  # computed apart from this code, to the digits given
    (2.35, 178, 0.9, fg.theorem_5_as_printed), (16.8, 657, 0.45, fg.theorem_5_as_printed),
    (21.0, 763, 0.9, fg.theorem_5_with_root), (56.6, 1478, 0.45, fg.theorem_5_with_root),
    (21.7, 819, 0.9, fg.theorem_5_with_right_tail), (59.6, 1637, 0.45, fg.theorem_5_with_right_tail),
    (14.0, 606, 0.9, fg.theorem_5_composed_exactly), (36.2, 1162, 0.45, fg.theorem_5_composed_exactly),
    (4.62, 32.5, 0.9, fg.theorem_5_with_tight_sup), (15.3, 105, 0.45, fg.theorem_5_with_tight_sup)])
def test_numbers_of_the_audit(sigma, k, epsilon, reading):
    found = reading(epsilon, 1e-4, E3)
    assert (found.sigma, found.k) == (pytest.approx(sigma, rel=5e-3), pytest.approx(k, rel=5e-3))


def test_numbers_of_the_audit_for_one_step():
    for epsilon, each, both, smooth in ((0.9, 6.05, 8.56, 0.210), (0.45, 11.2, 15.8, 0.388)):
        found = [reading(epsilon, 1e-4, E3).sigma for reading in (fg.one_step, fg.one_step_jointly, fg.one_step_smooth)]
        assert found == [pytest.approx(each, rel=5e-3), pytest.approx(both, rel=5e-3), pytest.approx(smooth, rel=5e-3)]
    assert fg.one_step(0.9, 1e-4, E3).beta == pytest.approx(2 * 4 / (3e-4 * 16))


def test_the_exact_composition_is_that_of_an_accountant():
    """dp-accounting composes discretised privacy losses; its grid of 1e-4 rounds up, so it may be above by a little."""
    from dp_accounting import GaussianDpEvent, SelfComposedDpEvent
    from dp_accounting.pld import PLDAccountant

    for epsilon in (0.45, 0.9, 5.0):
        sigma = fg.one_step(epsilon, 1e-4, E3).sigma
        norm = fg.h_norm_bound(0.0048, 8.0, 8 / 0.0048)
        accountant = PLDAccountant(value_discretization_interval=1e-4)
        accountant.compose(SelfComposedDpEvent(GaussianDpEvent(sigma / norm), 78))
        assert accountant.get_epsilon(1e-4) == pytest.approx(epsilon, abs=1e-4)


def test_a_step_as_wide_as_the_norm_bound_is_attained():
    """A zig-zag between 0 and S that never rests: of the bound it lacks only what its mean square is below S^2."""
    S, slope, beta, n = 0.01, 8.0, 1.0, 400_000
    x = np.linspace(0, 1, n + 1)
    flat = fg.h_norm_bound(S, slope, beta) ** 2
    f = S - np.abs((slope * x) % (2 * S) - S)
    squared = (f[0] ** 2 + f[-1] ** 2) / 2 + (np.sum(np.diff(f) ** 2) * n + beta**2 * np.mean(f[1:] ** 2)) / (2 * beta)
    assert 0.999 * flat < squared <= flat
    least = min(fg.h_norm_bound(S, slope, b) for b in np.geomspace(1, 1e6, 2001))
    best = fg.h_norm_bound(S, slope, slope / S)
    assert best == pytest.approx(np.sqrt(S**2 + S * slope), rel=1e-12) and best <= least


@given(st.floats(0.05, 12), st.floats(1e-8, 0.01))
def test_the_printed_composition_is_safe_for_moderate_epsilon(epsilon, delta):
    assert gaussian_delta(epsilon, fg.mu_as_printed(epsilon, delta)) <= delta


def test_the_printed_composition_fails_for_a_large_epsilon():
    assert gaussian_delta(20.0, fg.mu_as_printed(20.0, 1e-4)) == pytest.approx(9.7e-4, rel=0.01)
    assert fg.mu_as_printed(0.9, 1e-4) == pytest.approx(0.9 / np.sqrt(2 * np.log(np.e + 9000)), rel=1e-14)


def test_theorem_4_is_that_of_a_search_over_beta_and_k():
    easy = replace(E3, learning_rate=1e-6, n_samples=640, n_paths=10)
    for reading, power, spread in ((fg.theorem_4_as_printed, 1.0, 1), (fg.theorem_4_with_root, 0.5, 1),
                                   (fg.theorem_4_with_right_tail, 0.5, 25)):
        beta, k = np.geomspace(1e-1, 1e4, 2001)[:, None], np.geomspace(10, 1e5, 4001)
        C = (1 + beta**2) * (2 * 1e-6 * 16 * (2 * k + 1) * 0.5 / 64) ** 2 + 16 / (2 * beta)
        excess = k * 0.5 - 51.7 * np.sqrt(beta)
        allowed = (excess > 0) & (10 * np.exp(-(excess**2) / (2 * spread)) <= 5e-5)
        sigma = np.sqrt(2 * 10 * np.log(np.e + 12 / 5e-5)) * C**power / 12
        best = np.min(np.where(allowed, sigma, np.inf))
        found = reading(12.0, 1e-4, easy).sigma
        assert found <= best * (1 + 1e-12) and found == pytest.approx(best, rel=0.01)


def test_theorem_4_says_nothing_at_the_settings_of_the_experiments():
    for reading in (fg.theorem_4_as_printed, fg.theorem_4_with_root, fg.theorem_4_with_right_tail):
        for epsilon in (0.45, 0.9):
            with pytest.raises(ValueError, match="at most 5 in Theorem 4"):
                reading(epsilon, 1e-4, E3)


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.__name__)
def test_stricter_privacy_takes_more_noise_and_the_inverse_finds_its_way_back(reading):
    sigmas = [reading(epsilon, 1e-4, E3).sigma for epsilon in (0.6, 0.9, 2.0)]
    assert sigmas == sorted(sigmas, reverse=True)
    assert reading(0.9, 1e-6, E3).sigma > sigmas[1]
    if reading is not fg.theorem_5_with_tight_sup:  # the same inverse, thirty times as slow
        assert fg.smallest_epsilon(reading, sigmas[1], 1e-4, E3) == pytest.approx(0.9, rel=1e-6)


def test_what_the_published_noise_gives():
    assert fg.smallest_epsilon(fg.one_step, 0.32, 1e-4, E3) == pytest.approx(34.0, rel=0.005)
    assert fg.smallest_epsilon(fg.one_step, 0.74, 1e-4, E3) == pytest.approx(10.8, rel=0.005)
    assert fg.smallest_epsilon(fg.one_step_jointly, 0.32, 1e-4, E3) == pytest.approx(56.9, rel=0.005)
    assert fg.smallest_epsilon(fg.one_step_jointly, 0.74, 1e-4, E3) == pytest.approx(17.1, rel=0.005)
    direct = gaussian_epsilon(1e-4, np.sqrt(78) * np.sqrt(0.0048**2 + 8 * 0.0048) / 0.32)
    assert fg.smallest_epsilon(fg.one_step, 0.32, 1e-4, E3) == pytest.approx(direct, rel=1e-6)


def test_the_tail_of_the_theorem_and_its_condition():
    assert fg.sup_failure_as_printed(178.4, 2.3464, E3) < 5e-5 < fg.sup_failure_as_printed(178.2, 2.3464, E3)
    for k, sigma in ((23, 0.32), (2.3, 0.32), (23, 0.74), (2.3, 0.74)):
        with pytest.raises(ValueError, match="2k must be above"):
            fg.sup_failure_as_printed(k, sigma, E3)


def test_the_counts():
    assert (E3.updates, E3.rounds) == (78, 78.125)
    assert fg.norm_bound(23, E3) == pytest.approx(0.0072, rel=1e-3) and fg.step(23, E3) == pytest.approx(4.5e-4)


FIELDS = dict(learning_rate=1e-3, lipschitz=1.0, n_samples=100, batch_size=10, n_paths=10, n_actions=2,
              reward_bound=1.0)


@pytest.mark.parametrize("field, wrong, message", [
    ("learning_rate", 0, "learning_rate must be positive, got 0"), ("lipschitz", -1, "lipschitz must be positive"),
    ("n_samples", 0, "n_samples must be a whole number of at least 1"), ("batch_size", 2.5, "batch_size must be"),
    ("batch_size", 101, "batch_size must be at most n_samples = 100, got 101"), ("n_paths", 0, "n_paths must be"),
    ("n_actions", 0, "n_actions must be"), ("reward_bound", np.nan, "reward_bound must be finite")])
def test_wrong_training(field, wrong, message):
    with pytest.raises(ValueError, match=message):
        Training(**{**FIELDS, field: wrong})


@pytest.mark.parametrize("reading", READINGS + [fg.theorem_4_as_printed], ids=lambda reading: reading.__name__)
@pytest.mark.parametrize("epsilon, delta, message", [
    (-0.1, 1e-4, "epsilon must be"), (np.nan, 1e-4, "epsilon must be finite"), ("x", 1e-4, "epsilon must be numeric"),
    (0.9, 0.0, "delta must be strictly between 0 and 1"), (0.9, 1.0, "delta must be strictly"),
    ([0.9, 1.0], 1e-4, "epsilon must be one number")])
def test_wrong_targets(reading, epsilon, delta, message):
    with pytest.raises(ValueError, match=message):
        reading(epsilon, delta, E3)


@pytest.mark.parametrize("call, message", [
    (lambda: fg.step(0, E3), "k must be positive"), (lambda: fg.norm_bound(-1, E3), "k must be positive"),
    (lambda: fg.h_norm_bound(0, 1, 1), "largest must be"), (lambda: fg.h_norm_bound(1, 0, 1), "slope must be"),
    (lambda: fg.h_norm_bound(1, 1, 0), "beta must be"), (lambda: fg.mu_as_printed(0, 0.1), "epsilon must be"),
    (lambda: fg.mu_as_printed(1, 1), "delta must be"), (lambda: fg.sup_failure_as_printed(1, 0, E3), "sigma must be"),
    (lambda: fg.smallest_epsilon(fg.one_step, 0, 0.1, E3), "sigma must be positive"),
    (lambda: fg.smallest_epsilon(fg.one_step, 1, 0, E3), "delta must be"),
    (lambda: fg.smallest_epsilon(fg.one_step, 1e9, 1e-4, E3), "sigma must be what one_step asks for"),
    (lambda: fg.theorem_5_as_printed(0.05, 1e-4, E3), "no k is large enough")])
def test_wrong_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()
