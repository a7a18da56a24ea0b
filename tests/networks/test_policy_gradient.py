"""Learning on people: the vector of one person, its clip and noise, and what clipping does to a baseline."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import toeplitz
from scipy.stats import binom, chi2
from torch import nn

from privrl_core.networks import (
    ALL_DAYS,
    CLINIC,
    DAY,
    Trajectories,
    clipped_drift,
    cohort,
    evaluate,
    expected_to_come,
    mean_dose,
    noise_multiplier,
    person_gradients,
    private_policy_gradient,
    returning_policy_gradient,
)
from privrl_core.networks.policy_gradient import SCALE, TRIES, correlated, lived, surprise
from privrl_core.privacy import REPLACE_ONE, Model, gaussian_mu


def network(seed=0, dtype=torch.float32):
    torch.manual_seed(seed)
    made = nn.Sequential(nn.Linear(7, 16, dtype=dtype), nn.Tanh(), nn.Linear(16, 1, dtype=dtype))
    nn.init.constant_(made[2].bias, -3.0)
    return made


def learned(**options):
    settings = dict(epsilon=3.0, delta=1e-5, updates=3, people=20, clip=0.1, baseline=np.zeros(24), learning_rate=0.03)
    return private_policy_gradient(network(), CLINIC, rng=np.random.default_rng(1), **dict(noise_rng=np.random.default_rng(2)) | settings | options)


def test_a_persons_vector_is_the_gradient_of_the_log_probability():
    policy = network(dtype=torch.float64)
    days, to_come = lived(policy, cohort(CLINIC, 6, rng := np.random.default_rng(1)), rng)
    batch = Trajectories(days.inputs, torch.cat((days.labels, to_come[..., None]), dim=-1), days.lengths)
    ours = torch.cat([each.flatten(1) for each in person_gradients(policy, surprise, batch).values()], dim=1)
    for i in range(6):
        law = torch.distributions.Normal(policy(days.inputs[i])[:, 0], TRIES)
        score = -(to_come[i] * law.log_prob(days.labels[i, :, 0])).sum() / DAY.decisions
        theirs = torch.cat([each.flatten() for each in torch.autograd.grad(score, list(policy.parameters()))])
        torch.testing.assert_close(ours[i], theirs, atol=1e-10, rtol=1e-8)


def test_what_is_to_come_is_the_rest_of_the_risk():
    _, to_come = lived(network(), cohort(CLINIC, 30, rng := np.random.default_rng(1)), rng)
    whole = -evaluate(mean_dose(network(), learned().parameters[0]), CLINIC, 2000, np.random.default_rng(3)).risk / 10
    assert (to_come[:, 1:] >= to_come[:, :-1]).all()
    assert to_come[:, 0].mean() == pytest.approx(whole, rel=0.3)  # thirty people who try, and two thousand who do not


def test_the_first_step_has_the_noise_of_its_account():
    """Steps of the baseline: one person's part, at most C/√10 long, and 24 independent numbers of noise, in 200 updates."""
    made = learned(updates=200, people=1)
    moved = np.diff(made.baseline, axis=0) * SCALE / made.noise.scale
    share = np.sqrt(0.1) * gaussian_mu(3, 1e-5) / 2  # the person's part, in units of the noise
    low, high = np.sqrt(chi2.ppf(5e-8, moved.size)), np.sqrt(chi2.isf(5e-8, moved.size))
    assert low - share * np.sqrt(200) < np.linalg.norm(moved) < high + share * np.sqrt(200)
    assert made.noise.scale == pytest.approx(2 / gaussian_mu(3, 1e-5) * 0.1, rel=2e-6)


def factor(updates):
    """A unit lower triangular matrix without structure."""
    return np.tril(np.random.default_rng(updates).normal(size=(updates, updates)), -1) / 2 + np.eye(updates)


def test_correlated_noise_is_the_inverse_of_its_factor():
    """A second way, by a solve: 40 updates of one long draw."""
    matrix = factor(40)
    made = np.stack(list(correlated(matrix, 3.0, 1000, np.random.default_rng(8))))
    z = np.random.default_rng(8).normal(scale=3.0, size=(40, 1000))
    np.testing.assert_allclose(made, np.linalg.solve(matrix, z), atol=1e-9 * np.abs(made).max())
    assert np.array_equal(np.stack(list(correlated(np.eye(40), 3.0, 1000, np.random.default_rng(8)))), z)


def test_its_longest_column_counts():
    matrix = factor(3)
    made, plain = learned(factor=matrix), learned()
    assert made.noise.scale == pytest.approx(np.linalg.norm(matrix, axis=0).max() * plain.noise.scale, rel=1e-12)
    assert made.guarantee.mu == pytest.approx(plain.guarantee.mu) and "times" in made.guarantee.basis
    assert learned(factor=np.eye(3)).parameters.tobytes() == plain.parameters.tobytes()


@pytest.mark.parametrize("j", [0, 7, 19])
def test_a_person_of_one_update_moves_the_published_as_the_proof_says(j):
    """What is published, x + noise, is a Gaussian release of x_j, whose mu follows from the covariance of the noise: it has to
    be the length of R's column j."""
    class Units:
        """In place of noise: the k-th draw is the k-th unit vector, so that what comes out is the map from z to the noise."""
        drawn = 0

        def normal(self, scale, size):
            self.drawn += 1
            return scale * np.eye(size)[self.drawn - 1]
    matrix = factor(20)
    mixes = np.stack(list(correlated(matrix, 1.0, 20, Units())))
    covariance, moved = mixes @ mixes.T, np.eye(20)[j]
    assert np.sqrt(moved @ np.linalg.solve(covariance, moved)) == pytest.approx(np.linalg.norm(matrix[:, j]), rel=1e-9)


def test_the_noise_of_the_square_root_cancels_in_running_sums():
    """What plain descent adds up: the noise so far has a standard deviation that grows like a logarithm and not like a root."""
    coefficients = np.cumprod(np.concatenate([[1.0], (np.arange(1, 40) - 0.5) / np.arange(1, 40)]))
    matrix = toeplitz(coefficients, np.zeros(40))
    sums = np.cumsum(np.stack(list(correlated(matrix, 1.0, 4000, np.random.default_rng(9)))), axis=0)
    assert sums[-1].std() * np.linalg.norm(matrix[:, 0]) < 0.5 * np.sqrt(40)


def returned(**options):
    settings = dict(epsilon=3.0, delta=1e-5, updates=3, sampling=0.5, nominal_size=30, clip=0.1, baseline=np.zeros(24), learning_rate=0.03)
    streams = dict(rng=np.random.default_rng(1), sample_rng=np.random.default_rng(2), noise_rng=np.random.default_rng(3))
    people = options.pop("population", None) or cohort(CLINIC, 30, np.random.default_rng(4))
    return returning_policy_gradient(network(), people, **settings | streams | options)


@pytest.mark.parametrize("sampling", [0.5, 1])
def test_people_who_come_again_are_accounted_together(sampling):
    made = returned(sampling=sampling)
    expected = noise_multiplier(3, 1e-5, sampling=sampling, steps=3, neighbours=REPLACE_ONE)
    assert made.noise.scale == pytest.approx(0.1 * expected, rel=2e-6)
    promise = made.guarantee
    assert (promise.model, promise.neighbours, promise.unit) == (Model.JOINT, REPLACE_ONE, ALL_DAYS) and promise.epsilon <= 3 + 1e-9
    assert (promise.mu == pytest.approx(gaussian_mu(3, 1e-5), rel=1e-9)) if sampling == 1 else promise.mu is None
    assert any("who took part" in each for each in promise.assumes) == (sampling < 1)


def test_everybody_comes_when_q_is_one_and_about_half_when_it_is_a_half(monkeypatch):
    """Counted where days are lived: 2,000 coins of 1/2. Wrong with probability 1e-7. Bodies stay, days are new."""
    came, population = [], cohort(CLINIC, 100, np.random.default_rng(4))

    def watch(policy, own, rng, day=DAY):
        came.append(own)
        return lived(policy, own, rng, day)
    monkeypatch.setattr("privrl_core.networks.policy_gradient.lived", watch)
    returned(population=population, updates=20)
    low, high = binom.ppf(5e-8, 2000, 0.5), binom.isf(5e-8, 2000, 0.5)
    assert low <= sum(map(len, came)) <= high and len({len(each) for each in came}) > 3
    assert all(set(each.sensitivity.tolist()) <= set(population.sensitivity.tolist()) for each in came)
    assert not (set(came[0].start.tolist()) & set(came[1].start.tolist()))
    came.clear()
    returned(population=population, sampling=1)
    assert [len(each) for each in came] == [100, 100, 100]


def test_the_divisor_is_public_and_an_update_with_nobody_has_its_noise():
    """Noise far above everything else: nominal sizes scale it, and the steps of the baseline have the size of the account."""
    made = returned(sampling=1e-9, updates=200, epsilon=0.01, nominal_size=10**9)
    moved = np.diff(made.baseline, axis=0) * SCALE / made.noise.scale
    low, high = np.sqrt(chi2.ppf(5e-8, moved.size)), np.sqrt(chi2.isf(5e-8, moved.size))
    assert low < np.linalg.norm(moved) < high


def test_returning_people_give_the_same_bytes_again_and_the_first_policy_knows_nobody():
    first, again, other = returned(), returned(), returned(population=cohort(CLINIC, 30, np.random.default_rng(5)))
    assert first.parameters.tobytes() == again.parameters.tobytes()
    assert (first.parameters[0] == other.parameters[0]).all() and (first.parameters[-1] != other.parameters[-1]).any()


def test_correlated_noise_is_refused_for_people_who_come_again():
    with pytest.raises(TypeError, match="factor"):
        returned(factor=np.eye(3))


@pytest.mark.parametrize("wrong, message", [
    (dict(sampling=0), "sampling must be "), (dict(sampling=1.5), "sampling must be "), (dict(nominal_size=0), "nominal_size must be a whole number"),
    (dict(population=3), "population must be "), (dict(updates=0), "steps must be a whole number"), (dict(sample_rng=4), "sample_rng must be "),
    (dict(sample_rng=np.random.default_rng(1)), "seeds of their own"),
], ids=[str(number) for number in range(7)])
def test_bad_input_of_returning_people_is_one_sentence(wrong, message):
    with pytest.raises(ValueError, match=message):
        returned(**wrong)


def test_the_guarantee_is_joint():
    promise = learned().guarantee
    assert (promise.model, promise.neighbours) == (Model.JOINT, REPLACE_ONE)
    assert promise.mu == pytest.approx(gaussian_mu(3, 1e-5), rel=1e-9)


def test_the_first_policy_knows_nobody_and_the_same_generators_give_the_same_bytes():
    first, again, other = learned(), learned(), learned(noise_rng=np.random.default_rng(9))
    assert first.parameters.tobytes() == again.parameters.tobytes()
    assert (first.parameters[0] == other.parameters[0]).all() and (first.parameters[1] != other.parameters[1]).any()
    assert first.parameters.shape == (4, 145) and first.baseline.shape == (4, 24)


def test_without_a_share_the_baseline_stays():
    made = learned(baseline_share=0, baseline=np.full(24, -0.3))
    assert (made.baseline == -0.3).all()


def test_it_learns():
    policy = network()
    baseline = expected_to_come(policy, CLINIC, 300, np.random.default_rng(5))
    made = learned(epsilon=10.0, updates=25, people=250, baseline=baseline)
    before, after = (evaluate(mean_dose(policy, made.parameters[k]), CLINIC, 400, np.random.default_rng(6)).risk for k in (0, -1))
    assert after < 0.75 * before


@given(p=st.floats(0.01, 0.99), a=st.floats(-5, 5), b=st.floats(-5, 5))
def test_the_drift_without_and_with_clipping(p, a, b):
    assert clipped_drift(p, (a, b), 1e9) == pytest.approx(p * (1 - p) * (a - b), abs=1e-12)  # and for every baseline
    shift = 3.0
    assert clipped_drift(p, (a + shift, b + shift), 1e9) == pytest.approx(clipped_drift(p, (a, b), 1e9), abs=1e-12)
    assert clipped_drift(p, (a - 1e6, b - 1e6), 0.1) == pytest.approx(0.1 * (1 - 2 * p), abs=1e-12)  # all negative
    assert clipped_drift(p, (a + 1e6, b + 1e6), 0.1) == pytest.approx(0.1 * (2 * p - 1), abs=1e-12)  # all positive


@pytest.mark.parametrize("wrong, message", [
    (dict(epsilon=0), "epsilon must be positive, got 0"), (dict(updates=0), "updates must be a whole number"), (dict(clip=-1), "clip must be positive, got -1"),
    (dict(people=0), "people must be a whole number"), (dict(baseline_share=1), "baseline_share must be "), (dict(learning_rate=0), "learning_rate must be positive"),
    (dict(factor=2 * np.eye(3)), "factor must be lower triangular with ones on its diagonal"), (dict(factor=np.ones((3, 3))), "factor must be lower triangular"), (dict(factor=np.eye(2)), r"factor must have shape \[3, 3\], got \[2, 2\]"),
    (dict(noise_rng=3), "noise_rng must be a numpy.random.Generator, got 3"), (dict(baseline=np.zeros(3)), r"baseline must have shape \[24\], got \[3\]"),
], ids=[str(number) for number in range(11)])
def test_bad_input_is_one_sentence(wrong, message):
    with pytest.raises(ValueError, match=message):
        learned(**wrong)
