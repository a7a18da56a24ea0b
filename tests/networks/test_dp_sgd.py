"""Training with one gradient a person: who takes part, what noise is added, and what is left after an interruption."""

import numpy as np
import pytest
import torch
from scipy.stats import chi2, norm
from test_clipping import days, network
from torch import nn

from privrl_core.networks import (
    Trajectories,
    clipped_sgd_non_private,
    dp_sgd,
    noise_multiplier,
    sampled_gaussian_epsilon,
    squared_error,
    with_parameters,
)
from privrl_core.privacy import ADD_OR_REMOVE_ONE, REPLACE_ONE, Status, epsilon_lower_bound, trials_needed

PROMISE = dict(epsilon=1.0, delta=1e-5)


def trained(model, people, seed=0, loss=squared_error, **options):
    settings = PROMISE | dict(clip=0.2, sampling=0.25, steps=8, nominal_size=len(people), learning_rate=0.05)
    return dp_sgd(model, loss, people, sample_rng=np.random.default_rng(seed), noise_rng=np.random.default_rng(seed + 1), **settings | options)


def one_number(n):
    """A network with one parameter, at zero, and people whose gradient is -1 each."""
    model = nn.Linear(1, 1, bias=False, dtype=torch.float64)
    nn.init.zeros_(model.weight)
    ones = torch.ones(n, 1, 1, dtype=torch.float64)
    return model, Trajectories(ones, ones / 2, [1] * n)


def path(model, people, **options):
    """All noisy sums, read off the steps of plain gradient descent with rate 1 that keeps its last iterate only."""
    sums = []

    class Descent(torch.optim.SGD):
        def step(self):
            sums.append([each.grad.clone() for group in self.param_groups for each in group["params"]])
            for group in self.param_groups:
                for each in group["params"]:
                    each.grad.zero_()  # so that the gradients of all steps are taken at the start
            super().step()
    trained(model, people, optimiser=Descent, **options)
    return torch.stack([torch.cat([each.flatten() for each in one]) for one in sums]).numpy()


def within(statistic, degrees, failure=1e-7):
    return chi2.ppf(failure / 2, degrees) < statistic < chi2.isf(failure / 2, degrees)


def test_each_step_has_the_noise_of_its_account():
    """Nobody is there: all 6,000 numbers are noise, of the law that was promised. Wrong with probability 2e-7."""
    model = network([7, 16, 1])
    nobody = days(1, 4, 7, 1).people(slice(0, 0))
    sums = path(model, nobody, steps=40, nominal_size=100)
    scale = noise_multiplier(1, 1e-5, sampling=0.25, steps=40) * 0.2 * (1 + 1e-6) / 25
    assert within((sums**2).sum() / scale**2, sums.size)
    assert within(((sums[1::2] - sums[::2]) ** 2).sum() / (2 * scale**2), sums.size / 2)  # and independent


def test_each_person_takes_part_with_probability_q():
    """Sums of N(0, σ²) and the number who were drawn, in 200 steps. Wrong with probability 1e-7."""
    model, people = one_number(4000)
    sums = -path(model, people, sampling=0.1, steps=200, clip=1.0, nominal_size=4000)[:, 0] * 400
    sigma = noise_multiplier(1, 1e-5, sampling=0.1, steps=200)
    assert within(((sums - 400) ** 2).sum() / (4000 * 0.1 * 0.9 + sigma**2), 200)


def test_the_divisor_is_public():
    """Half the people, the same noise: the divisor stays qN."""
    model, people = one_number(1000)
    all_of_them, half = (path(model, each, sampling=1, steps=1, clip=1.0, nominal_size=1000) for each in (people, people.people(slice(0, 500))))
    assert all_of_them - half == pytest.approx(-0.5, abs=1e-9)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_same_generators_give_the_same_bytes(dtype):
    model, people = network([3, 8, 1], dtype), days(40, 6, 3, 1, dtype)
    first, second, other = trained(model, people), trained(model, people), trained(model, people, seed=5)
    assert first.parameters.tobytes() == second.parameters.tobytes() != other.parameters.tobytes()
    assert np.isfinite(first.parameters).all()


class Killed(Exception):
    pass


@pytest.mark.parametrize("fatal", range(1, 10))
def test_a_run_that_is_killed_goes_on_with_the_same_sample_and_the_same_noise(tmp_path, fatal):
    """Killed in each of its steps, once, by whatever happens in the middle of it; generators that are new are not used."""
    model, people, left = network([3, 8, 1]), days(40, 6, 3, 1), [fatal]

    def fragile(outputs, labels):
        if left and not left[0]:
            left.clear()
            raise Killed
        left[:] = [each - 1 for each in left]
        return squared_error(outputs, labels)
    fragile.__qualname__ = squared_error.__qualname__  # the first call asks it of zeros, before anything is drawn
    whole = trained(model, people, kept=tmp_path / "whole")
    try:
        trained(model, people, loss=fragile, kept=tmp_path / "run")
    except Killed:
        pass
    assert not left or fatal == 9
    again = trained(model, people, seed=77, kept=tmp_path / "run")
    assert again.parameters.tobytes() == whole.parameters.tobytes()
    assert trained(model, people, seed=78, kept=tmp_path / "run").parameters.tobytes() == whole.parameters.tobytes()


def absolute(outputs, labels):
    return (outputs - labels).abs().sum(dim=-1)


def test_a_file_of_another_run_is_refused(tmp_path):
    model, people = network([3, 8, 1]), days(40, 6, 3, 1)
    trained(model, people, kept=tmp_path / "run")
    for other in (dict(steps=9), dict(clip=0.3), dict(loss=absolute), dict(optimiser=torch.optim.SGD), dict(epsilon=0.9), dict(people=days(40, 6, 3, 1, seed=9)), dict(model=network([3, 8, 1], seed=3))):
        with pytest.raises(ValueError, match="kept must be the file of a run with the same data, start and settings, got "):
            trained(**dict(model=model, people=people, kept=tmp_path / "run") | other)


def test_it_learns_what_many_people_share():
    model, people = network([2, 8, 1]), days(3000, 6, 2, 1)
    people = Trajectories(people.inputs, people.inputs[..., :1], people.lengths)
    release = trained(model, people, steps=60, learning_rate=0.1)
    before, after = (squared_error(each(people.inputs), people.labels).mean() for each in (model, with_parameters(model, release.parameters)))
    assert after < before / 5


@pytest.mark.parametrize("sampling, neighbours", [(1, ADD_OR_REMOVE_ONE), (1, REPLACE_ONE), (0.25, ADD_OR_REMOVE_ONE), (0.25, REPLACE_ONE)])
def test_the_guarantee_is_that_of_its_noise(sampling, neighbours):
    model, people = network([3, 8, 1]), days(40, 6, 3, 1)
    release = trained(model, people, sampling=sampling, neighbours=neighbours)
    promise, noise = release.guarantee, noise_multiplier(1, 1e-5, sampling=sampling, steps=8, neighbours=neighbours)
    assert promise.epsilon == sampled_gaussian_epsilon(noise, 1e-5, sampling=sampling, steps=8, neighbours=neighbours) <= 1 + 1e-9
    assert (promise.neighbours, promise.status, promise.delta) == (neighbours, Status.PROVED, 1e-5)
    assert (promise.mu is not None) == (sampling == 1)
    assert release.noise.scale == pytest.approx(0.2 * noise, rel=2e-6)
    assert ("nobody learns who took part in which step" in promise.assumes) == (sampling < 1)


def test_without_noise_it_is_the_same_training_of_the_same_samples():
    """With a clip that nobody reaches, and everybody in each step: plain gradient descent on the mean loss."""
    model, people = network([3, 8, 1]), days(40, 6, 3, 1)
    found = clipped_sgd_non_private(model, squared_error, people, clip=1e6, sampling=1, steps=4, nominal_size=40, learning_rate=0.1,
                                    sample_rng=np.random.default_rng(1), averaged=0.1, optimiser=torch.optim.SGD)
    plain = network([3, 8, 1])
    optimiser = torch.optim.SGD(plain.parameters(), lr=0.1)
    for _ in range(4):
        optimiser.zero_grad()
        ((people.weights * squared_error(plain(people.inputs), people.labels)).sum() / 40).backward()
        optimiser.step()
    assert found == pytest.approx(torch.nn.utils.parameters_to_vector(plain.parameters()).detach().numpy(), abs=1e-12)


def test_the_model_that_is_given_does_not_change():
    model, people = network([3, 8, 1]), days(40, 6, 3, 1)
    before = [each.clone() for each in model.parameters()]
    release = trained(model, people)
    assert all(torch.equal(a, b) for a, b in zip(before, model.parameters()))
    assert not torch.equal(with_parameters(model, release.parameters)[0].weight, model[0].weight)
    with pytest.raises(ValueError, match=r"parameters must have shape \[41\], got \[40\]"):
        with_parameters(model, release.parameters[1:])


@pytest.mark.parametrize("wrong, message", [
    (dict(clip=0), "clip must be positive, got 0"), (dict(sampling=1.5), "sampling must be at most 1, got 1.5"),
    (dict(steps=0), "steps must be a whole number of at least 1, got 0"), (dict(learning_rate=-1), "learning_rate must be positive, got -1"),
    (dict(nominal_size=0), "nominal_size must be a whole number of at least 1, got 0"), (dict(averaged=0), "averaged must be "),
    (dict(sample_rng=3), "sample_rng must be a numpy.random.Generator, got 3"), (dict(noise_rng=None), "noise_rng must be a numpy.random.Generator"),
    (dict(neighbours="replace"), "neighbours must be "), (dict(epsilon=-1), "epsilon must be positive, got -1"),
    (dict(model=nn.Sequential(nn.Linear(3, 1), nn.BatchNorm1d(1))), "model must treat each person alone"),
    (dict(people=None), "people must be of type Trajectories, got None"),
], ids=[str(number) for number in range(12)])
def test_what_cannot_be_trained_is_one_sentence(wrong, message):
    arguments = PROMISE | dict(model=network([3, 1]), loss=squared_error, people=days(4, 5, 3, 1), clip=0.1, sampling=0.5, steps=2, nominal_size=4,
                               learning_rate=0.1, sample_rng=np.random.default_rng(1), noise_rng=np.random.default_rng(2))
    with pytest.raises(ValueError, match=message):
        dp_sgd(**arguments | wrong)


@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.Philox, np.random.SFC64, np.random.MT19937])
def test_every_generator_will_do_and_its_owner_draws_other_numbers(kind, tmp_path):
    model, people = network([3, 8, 1]), days(40, 6, 3, 1)
    settings = PROMISE | dict(clip=0.2, sampling=0.25, steps=3, nominal_size=40, learning_rate=0.05, kept=tmp_path / "run")
    mine, again = np.random.Generator(kind(2)), np.random.Generator(kind(2))
    first = dp_sgd(model, squared_error, people, sample_rng=np.random.Generator(kind(1)), noise_rng=mine, **settings)
    second = dp_sgd(model, squared_error, people, sample_rng=np.random.Generator(kind(1)), noise_rng=again, **settings)
    assert first.parameters.tobytes() == second.parameters.tobytes()
    assert mine.random() == again.random() == np.random.Generator(kind(2)).random()  # nothing of the run's noise


def test_an_audit_of_the_training_itself():
    """One step with everybody and one parameter, with a person and without: 300 runs each of the program. A correct one
    exceeds its promise with probability below 1e-6; with noise divided by eight a bound at 99.9 % exceeds it, with a power of
    more than 99.9 % (`trials_needed`). A mistake that is less than sevenfold is for the test of the noise above."""
    def noisy(people, seed, factor):
        model, _ = one_number(1)
        sums = [path(model, people, seed=seed + 2 * k, sampling=1, steps=1, clip=1.0, nominal_size=1)[0, 0] for k in range(300)]
        return -np.array(sums) - (1 - factor) * (-np.array(sums) - len(people))  # a program whose noise is too small

    _, her = one_number(1)
    scale = noise_multiplier(1, 1e-5, sampling=1, steps=1)
    for factor, confidence, caught in ((1.0, 1 - 1e-6, False), (1 / 8, 0.999, True)):
        counts = [int((noisy(people, seed, factor) > 1.0).sum()) for people, seed in ((her, 0), (her.people(slice(0, 0)), 10**6))]
        assert (epsilon_lower_bound(*counts, 300, delta=1e-5, confidence=confidence) > 1) == caught
    rates = [norm.sf((1.0 - there) / (scale / 8)) for there in (1, 0)]
    assert trials_needed(*rates, epsilon=1, delta=1e-5) < 300


def test_one_seed_for_both_is_refused():
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="sample_rng and noise_rng must be generators with seeds of their own, got the same seed"):
        dp_sgd(network([3, 1]), squared_error, days(4, 5, 3, 1), **PROMISE, clip=1, sampling=1, steps=1, nominal_size=4, learning_rate=1,
               sample_rng=rng, noise_rng=np.random.default_rng(1))
