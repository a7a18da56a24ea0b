"""Fitted Q: targets by hand, one person at a time; the account of all rounds; and what it learns."""

import numpy as np
import pytest
import torch
from scipy.stats import chi2
from torch import nn

from privrl_core.networks import (
    CLINIC,
    DAY,
    DOSE_GRID,
    RANDOMISED,
    Trajectories,
    body_network,
    dp_fitted_q,
    evaluate,
    explored_days,
    fitted_q_non_private,
    glucose_of,
    greedy_dose,
    kovatchev_risk,
    logged_days,
    noise_multiplier,
    q_targets,
    with_dose,
    with_parameters,
)
from privrl_core.networks.fitted_q import known_error
from privrl_core.networks.private_training import trained
from privrl_core.privacy import ADD_OR_REMOVE_ONE, REPLACE_ONE

OPTIONS = dict(clip=0.3, sampling=0.5, nominal_size=40, learning_rate=0.01, discount=0.9)


def records(people=40, seed=1):
    return logged_days(CLINIC, people, np.random.default_rng(seed)).to(dtype=torch.float32)


def learned(model=None, days=None, **options):
    settings = dict(epsilon=1.0, delta=1e-5, rounds=2, steps=3, sample_rng=np.random.default_rng(3), noise_rng=np.random.default_rng(4))
    return dp_fitted_q(model or body_network(0), days or records(), **OPTIONS | settings | options)


def test_targets_by_hand():
    """A second way, by loops in float64 over people and half hours."""
    days, model = logged_days(CLINIC, 60, np.random.default_rng(2)), body_network(1).double()
    made = q_targets(model, days, discount=0.9)
    reward = -kovatchev_risk(glucose_of(days.inputs[..., :1] + days.labels), DAY) / 10
    seen_missing = 0
    for i in range(60):
        for t in range(24):
            h, (target, known) = int(days.lengths[i]), made.labels[i, t].tolist()
            if t < 23 and t + 1 < h:
                left = days.inputs[i, t + 1].clone()
                dose = doses_between(days.inputs[i, t], left)
                left[2] -= dose / 5
                best = max(model(with_dose(left, torch.tensor(a, dtype=torch.float64))).item() for a in DOSE_GRID)
                assert (known, target) == (1, pytest.approx(float(reward[i, t]) + 0.9 * best, abs=1e-9))
            elif t == 23 and h == 36:
                assert (known, target) == (1, pytest.approx(sum(0.9**k * float(reward[i, 23 + k]) for k in range(13)), abs=1e-9))
            else:
                assert (known, target) == (0, 0)
                seen_missing += 1
    assert seen_missing > 20 and (made.inputs == torch.where((made.weights > 0)[..., None], days.inputs[:, :24], 0.0)).all()


def doses_between(before, after):
    """The dose of a half hour, by the kinetics of the first compartment alone: six steps of 5 of 55 minutes."""
    dose = 5 * float(after[2] - before[2] * (1 - 5 / 55) ** 6)
    return dose if dose > 1e-3 else 0.0


def test_a_persons_targets_are_that_persons_alone():
    days = records()
    other = Trajectories(days.inputs.clone(), days.labels.clone(), days.lengths)
    other.inputs[7], other.labels[7] = days.inputs[8], days.labels[8]
    made, again = (q_targets(body_network(1), each, discount=0.9) for each in (days, other))
    assert (made.labels != again.labels).flatten(1).any(1).nonzero().flatten().tolist() == [7]


def test_what_is_not_known_adds_nothing():
    outputs, labels = torch.tensor([[3.0], [3.0]]), torch.tensor([[1.0, 1.0], [1.0, 0.0]])
    assert known_error(outputs, labels).tolist() == [4.0, 0.0]


@pytest.mark.parametrize("neighbours", [ADD_OR_REMOVE_ONE, REPLACE_ONE])
def test_the_noise_is_that_of_all_rounds_and_steps_at_once(neighbours):
    made = learned(neighbours=neighbours)
    expected = noise_multiplier(1, 1e-5, sampling=0.5, steps=6, neighbours=neighbours)
    assert made.noise.scale == pytest.approx(expected * 0.3, rel=2e-6)
    assert made.guarantee.neighbours == neighbours and made.guarantee.epsilon <= 1 + 1e-9


def test_every_round_gets_noise_of_its_own():
    """Nobody is there: plain descent that keeps its last iterate walks by noise alone. Wrong with probability 2e-7."""
    start, nobody, walked, at = nn.Linear(7, 1, dtype=torch.float64), records().people(slice(0, 0)), [], []
    nobody = Trajectories.to(nobody, dtype=torch.float64) if len(nobody) else nobody._with(
        nobody.inputs.double(), nobody.labels.double(), nobody.lengths)

    class Descent(torch.optim.SGD):
        def step(self):
            walked.append(torch.cat([each.grad.flatten() for group in self.param_groups for each in group["params"]]))
            super().step()
    sample_rng, noise_rng = np.random.default_rng(1), np.random.default_rng(2)
    for _ in range(30):
        at.append(trained(start, known_error, nobody._with(nobody.inputs, nobody.labels.expand(0, 36, 2), nobody.lengths), 2.0, clip=1.0, sampling=1,
                          steps=20, nominal_size=10, learning_rate=0.1, sample_rng=sample_rng, noise_rng=noise_rng, optimiser=Descent))
    noise = torch.stack(walked).numpy() * 10 / 2
    assert len({each.tobytes() for each in noise}) == 600
    low, high = (np.sqrt(each) for each in (chi2.ppf(1e-7, noise.size), chi2.isf(1e-7, noise.size)))
    assert low < np.linalg.norm(noise) < high * (1 + 1e-5)
    pairs = noise[:-20] * noise[20:]  # one round and the next: independent
    assert abs(pairs.sum()) < 5.5 * np.sqrt(pairs.size)


def test_the_same_generators_give_the_same_bytes_and_without_noise_it_is_another():
    first, again = learned(), learned()
    assert first.parameters.tobytes() == again.parameters.tobytes()
    plain = fitted_q_non_private(body_network(0), records(), rounds=2, steps=3, sample_rng=np.random.default_rng(3), **OPTIONS)
    assert plain.shape == first.parameters.shape and (plain != first.parameters).any()


def test_the_greedy_dose_is_the_best_of_the_grid_and_smoothing_is_its_limit():
    model, seen = body_network(2), torch.randn(50, 7)
    values = torch.stack([model(with_dose(seen, torch.full((50,), a)))[:, 0] for a in DOSE_GRID], dim=1)
    dose = greedy_dose(model)(seen)
    assert (dose == torch.tensor(DOSE_GRID)[values.argmax(1)]).all()
    torch.testing.assert_close(greedy_dose(model, smoothing=1e-6)(seen), dose, atol=1e-2, rtol=0)
    mean = torch.softmax(values / 0.5, dim=1) @ torch.tensor(DOSE_GRID)
    torch.testing.assert_close(greedy_dose(model, smoothing=0.5)(seen), mean, atol=1e-5, rtol=1e-5)


def test_it_learns_where_every_dose_was_tried():
    days = explored_days(RANDOMISED, 1000, np.random.default_rng(5))
    made = fitted_q_non_private(body_network(0), days, rounds=6, steps=80, clip=5.0, sampling=0.1, nominal_size=1000, learning_rate=0.01, discount=0.9,
                                sample_rng=np.random.default_rng(6))
    model = with_parameters(body_network(0), made)
    assert evaluate(greedy_dose(model, smoothing=0.05), RANDOMISED, 1000, np.random.default_rng(7)).risk < 4.0  # no insulin has 13, the best constant dose 4


@pytest.mark.parametrize("wrong, message", [
    (dict(rounds=0), "rounds must be a whole number"), (dict(steps=0), "steps must be a whole number"), (dict(epsilon=0), "epsilon must be positive, got 0"),
    (dict(discount=1.0), "discount must be "), (dict(doses=[-1.0]), r"doses must be a list of numbers from 0 to 10, got \[-1.0\]"),
    (dict(doses=[]), "doses must be a list"), (dict(clip=0), "clip must be positive"), (dict(nominal_size=0), "nominal_size must be a whole number"),
], ids=[str(number) for number in range(8)])
def test_bad_input_is_one_sentence(wrong, message):
    with pytest.raises(ValueError, match=message):
        learned(**wrong)


def test_bad_smoothing_is_one_sentence():
    with pytest.raises(ValueError, match="smoothing must be "):
        greedy_dose(body_network(0), smoothing=-1)
