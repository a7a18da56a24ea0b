"""Copying practice: the doses that the records hold, and a clone that is about as good."""

import numpy as np
import pytest
import torch

from privrl_core.networks import (
    CLINIC,
    DAY,
    HALF_DAY,
    Trajectories,
    clipped_sgd_non_private,
    cohort,
    dose_logit,
    doses_given,
    dp_sgd,
    evaluate,
    live,
    logged_days,
    mean_dose,
    policy_network,
    practice,
    squared_error,
    to_copy,
)
from privrl_core.networks.cloning import COPIED


def watched(clinic, people, rng, day=DAY):
    """The same days once more, with somebody who writes down what is seen and what is given."""
    own, doctors, seen, given = cohort(clinic, people, rng, day), practice(rng), [], []

    def dose(now):
        seen.append(now)
        given.append(doctors(now).clamp(0, 10))
        return given[-1]
    live(own, dose, day)
    return torch.stack(seen, 1), torch.stack(given, 1)


@pytest.mark.parametrize("day", [DAY, HALF_DAY])
@pytest.mark.parametrize("dtype, tolerance", [(torch.float64, 1e-12), (torch.float32, 2e-4)])
def test_the_records_hold_the_doses(day, dtype, tolerance):
    seen, given = watched(CLINIC, 200, np.random.default_rng(9), day)
    found = doses_given(logged_days(CLINIC, 200, np.random.default_rng(9), day).to(dtype=dtype), day)
    inside = found.weights > 0
    assert found.inputs.shape == (200, 24, 7) and found.labels.shape == (200, 24, 1) and (found.lengths < 24).any()
    torch.testing.assert_close(found.labels[inside][:, 0].double(), given[inside], atol=tolerance, rtol=0)
    torch.testing.assert_close(found.inputs[inside].double(), seen[inside], atol=tolerance, rtol=0)


def test_a_persons_doses_are_that_persons_alone():
    records = logged_days(CLINIC, 30, np.random.default_rng(1))
    other = Trajectories(records.inputs.clone(), records.labels.clone(), records.lengths)
    other.inputs[7] = logged_days(CLINIC, 1, np.random.default_rng(2)).inputs[0]
    before, after = to_copy(records), to_copy(other)
    changed = (before.inputs != after.inputs).flatten(1).any(1) | (before.labels != after.labels).flatten(1).any(1)
    assert changed.nonzero().flatten().tolist() == [7]


def test_logits_are_those_of_doses_moved_inside():
    doses = torch.tensor([0.0, 0.05, 5.0, 9.9, 12.0], dtype=torch.float64)
    assert (10 * torch.sigmoid(dose_logit(doses))).tolist() == pytest.approx([0.05, 0.05, 5, 9.9, 9.9])
    assert dose_logit(torch.tensor(COPIED)).abs().max() < 5.4


def test_a_clone_is_about_as_good_as_practice():
    """A private one, and without noise: between two thirds and four thirds of its risk, for people who are not in it."""
    days = to_copy(logged_days(CLINIC, 1000, np.random.default_rng(3)).to(dtype=torch.float32))
    options = dict(clip=0.2, sampling=0.25, steps=100, nominal_size=1000, learning_rate=0.02, sample_rng=np.random.default_rng(4))
    start = policy_network(0)
    made = (dp_sgd(start, squared_error, days, epsilon=1.0, delta=1e-5, noise_rng=np.random.default_rng(5), **options).parameters,
            clipped_sgd_non_private(start, squared_error, days, **options))
    doctors = evaluate(practice(np.random.default_rng(6)), CLINIC, 1000, np.random.default_rng(7)).risk
    for parameters in made:
        assert 0.67 < evaluate(mean_dose(start, parameters), CLINIC, 1000, np.random.default_rng(7)).risk / doctors < 1.33


def test_the_same_seed_gives_the_same_network_and_leaves_torch_alone():
    torch.manual_seed(3)
    expected = torch.rand(1)
    torch.manual_seed(3)
    first, second = policy_network(1), policy_network(1)
    assert torch.rand(1) == expected and all((a == b).all() for a, b in zip(first.parameters(), second.parameters()))


@pytest.mark.parametrize("call, message", [
    (lambda: doses_given(3), "records must be "),
    (lambda: doses_given(logged_days(CLINIC, 2, np.random.default_rng(0), HALF_DAY)), r"records must have 36 half hours of 7 numbers, got \[24, 7\]"),
    (lambda: policy_network(-1), "seed must be a whole number"),
], ids=["kind", "shape", "seed"])
def test_bad_input_is_one_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()
