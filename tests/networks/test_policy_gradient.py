"""Learning on people: the vector of one person, its clip and noise, and what clipping does to a baseline."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2
from torch import nn

from privrl_core.networks import (
    CLINIC,
    DAY,
    Trajectories,
    clipped_drift,
    evaluate,
    expected_to_come,
    mean_dose,
    person_gradients,
    private_policy_gradient,
)
from privrl_core.networks.policy_gradient import SCALE, TRIES, lived, surprise
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
    days, to_come = lived(policy, CLINIC, 6, np.random.default_rng(1))
    batch = Trajectories(days.inputs, torch.cat((days.labels, to_come[..., None]), dim=-1), days.lengths)
    ours = torch.cat([each.flatten(1) for each in person_gradients(policy, surprise, batch).values()], dim=1)
    for i in range(6):
        law = torch.distributions.Normal(policy(days.inputs[i])[:, 0], TRIES)
        score = -(to_come[i] * law.log_prob(days.labels[i, :, 0])).sum() / DAY.decisions
        theirs = torch.cat([each.flatten() for each in torch.autograd.grad(score, list(policy.parameters()))])
        torch.testing.assert_close(ours[i], theirs, atol=1e-10, rtol=1e-8)


def test_what_is_to_come_is_the_rest_of_the_risk():
    _, to_come = lived(network(), CLINIC, 30, np.random.default_rng(1))
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
    (dict(noise_rng=3), "noise_rng must be a numpy.random.Generator, got 3"), (dict(baseline=np.zeros(3)), r"baseline must have shape \[24\], got \[3\]"),
], ids=[str(number) for number in range(8)])
def test_bad_input_is_one_sentence(wrong, message):
    with pytest.raises(ValueError, match=message):
        learned(**wrong)
