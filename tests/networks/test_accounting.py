"""The account of sampled Gaussian noise: against closed forms, another library, and attackers."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from privrl_core.networks import noise_multiplier, sampled_gaussian_epsilon
from privrl_core.privacy import ADD_OR_REMOVE_ONE, REPLACE_ONE, gaussian_delta, gaussian_mu, sup_norm

PLANS = [(0.25, 100), (0.05, 100), (0.01, 100), (0.02, 300), (0.1, 1)]


@pytest.mark.parametrize("epsilon", [0.5, 1, 3, 10])
@pytest.mark.parametrize("steps", [1, 25, 100])
def test_everybody_in_each_step_is_the_gaussian_mechanism(epsilon, steps):
    sigma = noise_multiplier(epsilon, 1e-5, sampling=1, steps=steps)
    assert sigma == pytest.approx(np.sqrt(steps) / gaussian_mu(epsilon, 1e-5), rel=1e-9)
    assert noise_multiplier(epsilon, 1e-5, sampling=1, steps=steps, neighbours=REPLACE_ONE) == pytest.approx(2 * sigma, rel=1e-9)
    assert sampled_gaussian_epsilon(sigma, 1e-5, sampling=1, steps=steps) == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.5, 1, 3])
@pytest.mark.parametrize("sampling, steps", PLANS)
def test_another_accountant_agrees_within_half_a_percent(epsilon, sampling, steps):
    """The PRV accountant of Opacus with an error of at most 1e-3 in epsilon, which its results are above the truth by."""
    from opacus.accountants import PRVAccountant
    sigma = noise_multiplier(epsilon, 1e-5, sampling=sampling, steps=steps)

    def epsilon_of(at):
        accountant = PRVAccountant()
        accountant.history = [(at, sampling, steps)]
        return accountant.get_epsilon(1e-5, eps_error=1e-3)
    assert epsilon_of(sigma * 1.005) - 2e-3 <= epsilon <= epsilon_of(sigma * 0.995) + 2e-3


@pytest.mark.parametrize("neighbours, shifts", [(ADD_OR_REMOVE_ONE, (0, 1)), (REPLACE_ONE, (-1, 1))])
@pytest.mark.parametrize("sampling, sigma", [(0.25, 1.5), (0.05, 0.7), (0.5, 3.0)])
def test_one_step_is_the_integral_over_the_sampled_gaussian(neighbours, shifts, sampling, sigma):
    """delta at the epsilon that is given, by numerical integration in both directions: never above, and close."""
    delta = 1e-4
    epsilon = sampled_gaussian_epsilon(sigma, delta, sampling=sampling, steps=1, neighbours=neighbours)

    def density(x, shift):
        return (1 - sampling) * norm.pdf(x, 0, sigma) + sampling * norm.pdf(x, shift, sigma)

    def exact(a, b):
        def excess(x):
            return max(density(x, a) - np.exp(epsilon) * density(x, b), 0)
        return quad(excess, -15 * sigma, 15 * sigma, points=np.linspace(-6 * sigma, 6 * sigma, 41), limit=500)[0]
    worst = max(exact(*shifts), exact(*shifts[::-1]))
    assert worst <= delta * (1 + 1e-6) and worst >= delta * 0.98


@pytest.mark.parametrize("sampling, steps", PLANS)
def test_to_replace_is_harder_than_to_add_and_never_twice_as_hard(sampling, steps):
    one, other = (noise_multiplier(1, 1e-5, sampling=sampling, steps=steps, neighbours=each) for each in (ADD_OR_REMOVE_ONE, REPLACE_ONE))
    assert one < other <= 2 * one * (1 + 1e-3)


def test_secrecy_helps_and_steps_cost():
    at = [noise_multiplier(1, 1e-5, sampling=q, steps=100) for q in (0.02, 0.05, 0.25, 1)]
    assert at == sorted(at)
    at = [noise_multiplier(1, 1e-5, sampling=0.05, steps=k) for k in (1, 10, 100)]
    assert at == sorted(at)
    assert noise_multiplier(1, 1e-5, sampling=0.25, steps=1) < 1 / gaussian_mu(1, 1e-5)


def test_the_noise_keeps_its_promise():
    for sampling, steps in PLANS:
        sigma = noise_multiplier(1, 1e-5, sampling=sampling, steps=steps)
        assert 1 - 5e-3 <= sampled_gaussian_epsilon(sigma, 1e-5, sampling=sampling, steps=steps) <= 1
    assert gaussian_delta(1, 10 / noise_multiplier(1, 1e-5, sampling=1, steps=100)) == pytest.approx(1e-5, rel=1e-9)


@pytest.mark.parametrize("wrong, message", [
    (dict(epsilon=0), "epsilon must be positive, got 0"), (dict(epsilon=60), "epsilon must be at most 50, got 60"),
    (dict(delta=0), "delta must be "), (dict(sampling=1.1), "sampling must be at most 1, got 1.1"),
    (dict(sampling=0), "sampling must be positive, got 0"), (dict(steps=0), "steps must be a whole number of at least 1, got 0"),
    (dict(steps=2.5), "steps must be a whole number"), (dict(neighbours=sup_norm(1)), "neighbours must be add or remove one, or replace one"),
], ids=str)
def test_what_cannot_be_accounted_is_one_sentence(wrong, message):
    with pytest.raises(ValueError, match=message):
        noise_multiplier(**dict(epsilon=1, delta=1e-5, sampling=0.1, steps=10) | wrong)
