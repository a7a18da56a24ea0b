"""Slips in programs for DP-SGD: what each costs, and that an audit of the program finds it.

Each audit states its power: the number of runs is such that a bound at 99.9 % confidence exceeds the claim with probability
99.9 % (`trials_needed`), and the correct program passes the same audit.
"""

import numpy as np
import pytest
import torch
from scipy.stats import norm
from test_clipping import network

from privrl_core.networks import (
    Trajectories,
    clipped_sum,
    noise_multiplier,
    one_run_epsilon,
    shuffled_epsilon,
    squared_error,
)
from privrl_core.privacy import epsilon_lower_bound, gaussian_epsilon, gaussian_mu, trials_needed

DELTA, CLIP, HORIZON = 1e-5, 0.2, 24
SIGMA = 1 / gaussian_mu(1, DELTA)  # everybody in one step, at epsilon 1
MODEL = network([7, 16, 1])
CANARY = Trajectories(torch.ones(1, HORIZON, 7, dtype=torch.float64), torch.full((1, HORIZON, 1), 9.0, dtype=torch.float64), [HORIZON])
STEPS = Trajectories(CANARY.inputs.reshape(HORIZON, 1, 7), CANARY.labels.reshape(HORIZON, 1, 1), [1] * HORIZON)


def added(people, clip=CLIP):
    """What a person adds to the sum, by running the program."""
    return torch.cat([each.flatten() for each in clipped_sum(MODEL, squared_error, people, clip).values()]).numpy()


def audit(ahead, scale, claimed, seed, batches=1):
    """The bound from noisy sums along the canary's direction, for an attacker who knows the batch (one batch), or does not:
    with the canary one sum is ahead by ``ahead[0]``, without it by ``ahead[1]``."""
    def probability(t, by):
        return 1 - norm.cdf(t / scale) ** (batches - 1) * norm.cdf((t - by) / scale)
    grid = np.linspace(ahead[0] - 3 * scale, ahead[0] + 5 * scale, 400)
    event = grid[np.argmax([(probability(t, ahead[0]) - np.exp(claimed) * probability(t, ahead[1]) - DELTA)
                            / np.sqrt(probability(t, ahead[0])) for t in grid])]
    rates = [np.clip(probability(event, by), 1e-9, 1 - 1e-9) for by in ahead]
    trials = trials_needed(*rates, epsilon=claimed, delta=DELTA)
    rng, counts = np.random.default_rng(seed), []
    for by in ahead:
        sums = rng.normal(scale=scale, size=(trials, batches))
        sums[:, 0] += by
        counts.append(int((sums.max(axis=1) > event).sum()))
    return epsilon_lower_bound(*counts, trials, delta=DELTA)


def test_a_correct_step_passes():
    length = np.linalg.norm(added(CANARY))
    rng = np.random.default_rng(1)
    for t in np.linspace(0, 4, 9) * SIGMA * CLIP:
        counts = [int((rng.normal(by, SIGMA * CLIP, 200_000) > t).sum()) for by in (length, 0)]
        assert epsilon_lower_bound(*counts, 200_000, delta=DELTA, confidence=1 - 1e-7) <= 1


def test_every_step_clipped_is_found_and_costs_47():
    length = np.linalg.norm(added(STEPS))
    assert length == pytest.approx(HORIZON * CLIP, abs=1e-9)
    assert gaussian_epsilon(DELTA, length / (SIGMA * CLIP)) == pytest.approx(47.4, abs=0.05)
    assert audit((length, 0), SIGMA * CLIP, 1, seed=2) > 1


def test_noise_that_is_not_scaled_by_c_is_found_and_costs_6():
    length = np.linalg.norm(added(CANARY, clip=5.0))
    assert length == pytest.approx(5.0, abs=1e-9)
    assert gaussian_epsilon(DELTA, length / SIGMA) == pytest.approx(6.17, abs=0.01)
    assert audit((length, 0), SIGMA, 1, seed=3) > 1


@pytest.mark.parametrize("sampling, steps, times, true", [(0.01, 100, 1, 4.93), (0.05, 100, 5, 4.59)])
def test_batches_in_a_fixed_order_accounted_as_samples_are_found(sampling, steps, times, true):
    sigma = noise_multiplier(1, DELTA, sampling=sampling, steps=steps)
    ahead = np.sqrt(times)  # the sums of the batches she is in, along her direction
    assert gaussian_epsilon(DELTA, ahead / sigma) == pytest.approx(true, abs=0.02)
    assert audit((ahead, 0), sigma, 1, seed=4) > 1


@pytest.mark.parametrize("claimed, batches, low, high", [(1, 20, 2.71, 3.07), (1, 100, 4.77, 4.94), (3, 100, 7.25, 7.28)])
def test_shuffled_batches_accounted_as_samples(claimed, batches, low, high):
    """The condition: batches of one size, all others at -1, and a neighbour whose contribution becomes zero."""
    sigma = noise_multiplier(claimed, DELTA, sampling=1 / batches, steps=batches)
    assert low < shuffled_epsilon(sigma, DELTA, batches=batches) <= gaussian_epsilon(DELTA, 1 / sigma) < high


def test_shuffled_batches_are_found():
    sigma = noise_multiplier(1, DELTA, sampling=1 / 20, steps=20)
    assert audit((2, 1), sigma, 1, seed=5, batches=20) > 1


def test_the_event_of_shuffled_batches_by_shuffling():
    """Everybody's -1, hers +1 or 0, dealt into batches: the probability of the largest sum, wrong with probability 1e-7."""
    rng, batches, size, sigma, t, runs = np.random.default_rng(6), 5, 4, 1.3, 1.8, 20_000
    for hers, by in ((1.0, 2), (0.0, 1)):
        contributions = np.tile(np.r_[hers, -np.ones(batches * size - 1)], (runs, 1))
        sums = rng.permuted(contributions, axis=1).reshape(runs, batches, size).sum(axis=2) + rng.normal(scale=sigma, size=(runs, batches))
        expected = 1 - norm.cdf(t / sigma) ** (batches - 1) * norm.cdf((t - by) / sigma)
        found = (sums.max(axis=1) > t - size).mean()
        assert abs(found - expected) < 5.4 * np.sqrt(expected * (1 - expected) / runs)


def test_a_published_normaliser_gives_a_person_away():
    """Mean and standard deviation of all records, published beside the network: two releases and a subtraction."""
    rng = np.random.default_rng(7)
    days = rng.normal(size=(50, HORIZON))
    with_her, without_her = days.mean(), days[1:].mean()
    assert 50 * with_her - 49 * without_her == pytest.approx(days[0].mean(), abs=1e-12)
    assert np.std(days) != np.std(days[1:])
    # the event "the published mean is this one" has probabilities 1 and 0: 18,000 runs refute epsilon 1, 3, and 7
    assert epsilon_lower_bound(18_000, 0, 18_000, delta=DELTA) > 7


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_the_audit_of_one_run_never_exceeds_randomised_response(epsilon):
    """1,000 people answer truthfully with probability e^ε/(1 + e^ε): pure, and the tightest case of the theorem. With 99.9 %
    confidence 300 audits raise more than 6 alarms with probability below 1e-6; the bound is not far below."""
    rng = np.random.default_rng(8)
    correct = rng.binomial(1000, 1 / (1 + np.exp(-epsilon)), size=300)
    bounds = [one_run_epsilon(int(v), 1000, canaries=1000, delta=0.0, confidence=0.999) for v in correct]
    assert sum(bound > epsilon for bound in bounds) <= 6
    assert np.median(bounds) > 0.8 * epsilon - 0.2


def test_the_audit_of_one_run_never_exceeds_a_gaussian():
    """Canaries along different directions of one Gaussian release at (3, 1e-5), add or remove one; 100 guesses of each
    kind. Wrong with probability 5e-7."""
    mu, rng, bounds = gaussian_mu(3, DELTA), np.random.default_rng(9), []
    for _ in range(50):
        there = rng.random(1000) < 0.5
        order = np.argsort(there + rng.normal(scale=1 / mu, size=1000))
        correct = int((~there[order[:100]]).sum() + there[order[-100:]].sum())
        assert one_run_epsilon(correct, 200, canaries=1000, delta=DELTA, confidence=1 - 1e-8) <= 3
        bounds.append(one_run_epsilon(correct, 200, canaries=1000, delta=DELTA))
    assert np.median(bounds) > 0.5  # it is no empty statement


@pytest.mark.parametrize("wrong, message", [
    (lambda: shuffled_epsilon(0, 1e-5, batches=3), "noise must be positive, got 0"),
    (lambda: shuffled_epsilon(1, 1e-5, batches=0), "batches must be a whole number of at least 1, got 0"),
    (lambda: one_run_epsilon(3, 2, canaries=5, delta=0.0), "correct must be at most guesses = 2, got 3"),
    (lambda: one_run_epsilon(1, 7, canaries=5, delta=0.0), "guesses must be at most canaries = 5, got 7"),
    (lambda: one_run_epsilon(1, 2, canaries=5, delta=1.0), "delta must be "),
], ids=[str(number) for number in range(5)])
def test_what_cannot_be_audited_is_one_sentence(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()
