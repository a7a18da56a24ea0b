"""Discrete Gaussian noise: its law, its cost by enumeration, and where it may not be used."""

from itertools import product

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import binom

from privrl_core.offline import count_guarantees, dp_apvi, noisy_counts, practical, sample_counts
from privrl_core.privacy import (
    DiscreteGaussianNoise,
    GaussianNoise,
    gaussian_epsilon,
    sample_discrete_gaussian,
    zcdp_epsilon,
)
from privrl_core.world import EpisodicMDP
from tests.noises import of

WORLD = np.random.default_rng(0)
MDP = EpisodicMDP(WORLD.dirichlet(np.ones(3), size=(4, 3, 2)), WORLD.random((4, 3, 2)), np.ones(3) / 3)
COUNTS = sample_counts(MDP, np.full((4, 3, 2), 0.5), 10_000, np.random.default_rng(1))


def law(scale):
    k = np.arange(-60, 61)
    weights = np.exp(-(k**2) / (2 * scale**2))
    return k, weights / weights.sum()


@pytest.mark.parametrize("scale", [0.6, 2.5])
def test_it_is_drawn_from_its_law(scale):
    """Each whole number as often as its binomial law allows, 4,000 draws without a seed: fails by chance once in ten
    million runs, by a union over 121 numbers and two sides."""
    drawn, (k, p) = sample_discrete_gaussian(scale, (40, 100)), law(scale)
    assert drawn.shape == (40, 100) and (drawn == np.rint(drawn)).all() and np.abs(drawn).max() <= 60
    seen = np.array([(drawn == value).sum() for value in k])
    least = np.minimum(binom.cdf(seen, drawn.size, p), binom.sf(seen - 1, drawn.size, p))
    assert least.min() > 1e-7 / (2 * k.size)


@pytest.mark.parametrize("scale", [0.6, 1.0, 2.5])
def test_a_count_that_moves_by_one_costs_what_zcdp_says(scale):
    """Renyi divergence of order alpha between the law and itself moved by 1 or 2, by summing: at most alpha d^2/(2 sigma^2)."""
    k, found = np.arange(-4000, 4001), []  # wide: with alpha = 20 the sum is largest near 20 d
    logs = {d: -((k - d) ** 2) / (2 * scale**2) for d in (0, 1, 2)}
    logs = {d: x - logsumexp(x) for d, x in logs.items()}
    for d, alpha in product((1, 2), (1.1, 2, 5, 20)):
        divergence = logsumexp(alpha * logs[0] + (1 - alpha) * logs[d]) / (alpha - 1)
        found.append(divergence / (alpha * d**2 / (2 * scale**2)))
    worst = np.max(found)
    assert 0.9 < worst <= 1 + 1e-9


def test_its_tail_is_no_heavier_than_that_of_the_gaussian():
    noise = DiscreteGaussianNoise(1.0)
    for scale in (0.6, 2.5):
        k, p = law(scale)
        for probability in (0.3, 0.01, 1e-6):
            assert p[np.abs(k) > noise.tail(scale, probability)].sum() <= probability


def test_counts_stay_whole_and_the_width_is_that_of_the_gaussian():
    noise = DiscreteGaussianNoise(0.7)
    assert noise.scale(COUNTS.sensitivity) == GaussianNoise(0.7).scale(COUNTS.sensitivity)
    triples, pairs = next(noisy_counts(COUNTS, noise, np.random.default_rng(0)))
    assert (triples == np.rint(triples)).all() and (pairs == np.rint(pairs)).all()
    plan = dp_apvi(COUNTS, MDP.rewards, **of(noise), noise_rng=np.random.default_rng(0), constants=practical(3))
    assert plan.guarantee == count_guarantees(noise)[0] and plan.values.max() > 0


def test_the_guarantee_is_that_of_zcdp():
    promise = count_guarantees(DiscreteGaussianNoise(0.5, 1e-6))[0]
    assert promise.epsilon == pytest.approx(zcdp_epsilon(0.5, 1e-6)) and (promise.rho, promise.mu) == (0.5, None)
    assert gaussian_epsilon(1e-6, 1.0) < promise.epsilon < 1.2 * gaussian_epsilon(1e-6, 1.0)
    assert count_guarantees(DiscreteGaussianNoise(0.5))[1].rho == pytest.approx(0.25)
    for epsilon in (0.01, 1.0, 8.0):
        noise = DiscreteGaussianNoise.of_epsilon(epsilon, 1e-5)
        assert isinstance(noise, DiscreteGaussianNoise) and count_guarantees(noise)[0].epsilon == pytest.approx(epsilon)


def test_wrong_arguments_say_so():
    shrunk = type(COUNTS)((COUNTS.pooled().steps[0] / 3,), 2, 4, 1.0)
    with pytest.raises(ValueError, match="sensitivity must be of whole numbers for discrete noise"):
        DiscreteGaussianNoise(1.0).scale(shrunk.sensitivity)
    with pytest.raises(ValueError, match="scale must be positive, got 0"):
        sample_discrete_gaussian(0, 3)
    with pytest.raises(ValueError, match="epsilon must be positive, got 0"):
        DiscreteGaussianNoise.of_epsilon(0, 1e-5)
