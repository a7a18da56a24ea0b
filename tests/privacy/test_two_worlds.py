"""Two worlds against densities, integrals, the core's other ceilings, and draws."""

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import trapezoid

from privrl_core.privacy import (
    GaussianWorlds,
    LaplaceWorlds,
    discrete_ceiling,
    gaussian_delta,
    gaussian_log_ratio,
    gaussian_success_ceiling,
    success_ceiling,
)

MILLIONTH = 1e-6  # how often a test of chance may fail, whatever the seed
ONE = {
    "gaussian": GaussianWorlds(means=[[1.3], [0.2]], scales=0.9),
    "two widths": GaussianWorlds(means=[[1.0], [0.0]], scales=[1.0, 1.7]),
    "wide first": GaussianWorlds(means=[[0.0], [0.0]], scales=[2.0, 0.5]),
    "laplace": LaplaceWorlds(means=[[413.0], [412.0]], scales=1.5),
    "laplace below": LaplaceWorlds(means=[[-1.0], [2.0]], scales=1.0),
}
MANY = {"gaussian": GaussianWorlds(means=np.outer([1, 0], np.linspace(0.2, 0.5, 39)), scales=2.0),
        "widths": GaussianWorlds(means=np.zeros((2, 12)), scales=[1.0, 1.6]),
        "both": GaussianWorlds(means=np.outer([0, 1], np.linspace(0.2, 0.5, 5)), scales=[1.2, 0.8])}


def laws(worlds):
    kind = {"gaussian": stats.norm, "laplace": stats.laplace}[worlds.law]
    return [kind(mean, scale) for mean, scale in zip(worlds.means, worlds.scales)]


@pytest.mark.parametrize("worlds", [*ONE.values(), *MANY.values()], ids=[*ONE, *MANY])
def test_the_log_ratio_is_that_of_the_densities(worlds):
    releases = worlds.draw(200, np.random.default_rng(1))
    inside, outside = (law.logpdf(releases).sum(axis=-1) for law in laws(worlds))
    assert worlds.log_ratio(releases) == pytest.approx(inside - outside, rel=1e-9, abs=1e-9)
    if worlds.law == "gaussian":
        covariances = [scale**2 * np.eye(releases.shape[-1]) for scale in worlds.scales]
        other = gaussian_log_ratio(releases, worlds.means[0], covariances[0], worlds.means[1], covariances[1])
        assert worlds.log_ratio(releases) == pytest.approx(other, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("worlds", ONE.values(), ids=ONE)
def test_ceiling_and_delta_are_integrals_of_the_densities(worlds):
    inside, outside = laws(worlds)
    x = worlds.means.mean() + np.linspace(-40, 40, 1_000_001)
    p, q = inside.pdf(x), outside.pdf(x)
    assert worlds.ceiling == pytest.approx(trapezoid(np.maximum(p, q) / 2, x), abs=1e-7)
    for epsilon in (0.0, 0.1, 0.4, 0.66, 2.0):
        assert worlds.delta(epsilon) == pytest.approx(trapezoid(np.maximum(p - np.exp(epsilon) * q, 0), x), abs=1e-7)


def test_worlds_agree_with_the_other_ceilings_of_the_core():
    worlds = MANY["gaussian"]
    mu = float(np.linalg.norm(worlds.means[0])) / 2.0
    assert worlds.ceiling == pytest.approx(gaussian_success_ceiling(mu), rel=1e-12)
    for epsilon in (0.0, 0.5, 3.0):
        assert worlds.delta(epsilon) == pytest.approx(gaussian_delta(epsilon, mu), rel=1e-9)
    laplace = LaplaceWorlds(means=[[1.0], [0.0]], scales=0.5)  # ε = 2
    assert laplace.ceiling < success_ceiling(2.0, 0.0)
    assert laplace.delta([1.999, 2.0, 2.001]) == pytest.approx([5e-4, 0, 0], abs=5.1e-4)
    assert laplace.ceiling == pytest.approx(1 - np.exp(-1) / 2, rel=1e-12)


@pytest.mark.parametrize("worlds", MANY.values(), ids=MANY)
def test_the_ceiling_is_how_often_the_best_score_is_right(worlds):
    """By Hoeffding's inequality a mean of 400,000 bets is off by more than 0.0043 with probability below 1e-6."""
    scores = worlds.log_ratio(worlds.draw(200_000, np.random.default_rng(2)))
    bound = np.sqrt(np.log(2 / MILLIONTH) / (2 * 400_000))
    assert abs(np.mean([scores[0] > 0, scores[1] <= 0]) - worlds.ceiling) < bound < 0.0043
    for x in (-0.7, 0.3, 1.5):
        assert np.mean(scores > x, axis=1) == pytest.approx(np.array(worlds.tails(x)), abs=np.sqrt(2) * bound)


@pytest.mark.parametrize("worlds", ONE.values(), ids=ONE)
def test_draws_follow_the_law(worlds):
    """By the Dvoretzky-Kiefer-Wolfowitz inequality each distance is larger with probability below 1e-6."""
    n = 50_000
    for law, values in zip(laws(worlds), worlds.draw(n, np.random.default_rng(3))[..., 0]):
        assert stats.kstest(values, law.cdf).statistic < np.sqrt(np.log(2 / MILLIONTH) / (2 * n))


def test_of_discrete_values_the_larger_probability_is_the_better_bet():
    assert discrete_ceiling([0.5, 0.5], [0.5, 0.5]) == 0.5 and discrete_ceiling([1, 0], [0, 1]) == 1
    assert discrete_ceiling([0.2, 0.3, 0.5], [0.4, 0.4, 0.2]) == pytest.approx((0.4 + 0.4 + 0.5) / 2)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: GaussianWorlds(means=[[1], [1]], scales=2), "means must differ between the worlds, or scales"),
    (lambda: GaussianWorlds(means=[[1], [2]], scales=[1, 1.0001]), "scales must be equal, or differ by a factor from 1.001"),
    (lambda: GaussianWorlds(means=[[1], [2], [3]], scales=1), r"means must have shape \[2, d\], got \[3, 1\]"),
    (lambda: GaussianWorlds(means=[[1], [2]], scales=0), "scales must be positive, got 0.0"),
    (lambda: GaussianWorlds(means=[[1], [2]], scales=[1, 2, 3]), r"scales must be one number or one for each of 2 worlds, got shape \[3\]"),
    (lambda: LaplaceWorlds(means=[[1, 2], [2, 1]], scales=1), "means must be one number for each world"),
    (lambda: LaplaceWorlds(means=[[1], [1]], scales=1), "means must differ between the worlds, got 1.0 twice"),
    (lambda: ONE["gaussian"].log_ratio([1, 2]), r"releases must have shape \[..., 1\], got \[2\]"),
    (lambda: ONE["gaussian"].draw(0, np.random.default_rng(0)), "n must be a whole number of at least 1, got 0"),
    (lambda: ONE["gaussian"].delta(-1), "epsilon must be at least 0, got -1.0"),
    (lambda: discrete_ceiling([0.5, 0.5], [1.0]), r"p_outside must have the shape \[2\] of p_inside, got \[1\]"),
    (lambda: discrete_ceiling([0.5, 0.6], [0.5, 0.5]), "p_inside must sum to 1, got 1.1"),
])
def test_what_cannot_be_says_why(make, message):
    with pytest.raises(ValueError, match=message):
        make()
