r"""DP-SGD over people: a network learned from noisy sums of one gradient a person.

For k = 1, ..., K: each person takes part with probability q, independently and in secret; with :math:`G_i` as in
`.clipping`,

.. math:: \tilde S_k = \sum_{i\ \text{taken}} G_i \min\Bigl(1, \frac{C}{\lVert G_i\rVert}\Bigr)
          + \mathcal N(0, \sigma^2 C^2 I), \; \theta \leftarrow \text{optimiser}\Bigl(\theta, \frac{\tilde S_k}{q N}\Bigr).

What is published is the mean of the last iterates, and with it may be everything computed from :math:`\tilde S_1, \dots,
\tilde S_K`. The divisor is the *public* size qN, never the number of people who were drawn, and a step with nobody in it
gets its noise like every other.

**Unit of privacy:** one trajectory. **Neighbours:** add or remove one, or replace one. **Model:** central. What the caller
chooses by the data (rates, clip, the best of several runs) is not covered.

Source: Abadi et al. (2016), arXiv 1607.00133, Algorithm 1, with gradients of whole trajectories as in McMahan et al. (2017),
arXiv 1710.06963.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from privrl_core.checks import generator, instance_of, number, open_unit, positive, whole_number
from privrl_core.lazy import needs
from privrl_core.networks.accounting import noise_multiplier, sampled_gaussian_epsilon
from privrl_core.networks.clipping import clipped_sum, person_gradients, trainable
from privrl_core.networks.trajectories import Trajectories
from privrl_core.privacy.guarantees import ADD_OR_REMOVE_ONE, REPLACE_ONE, TRAJECTORY, Guarantee, Neighbours, Status
from privrl_core.privacy.release import AddedNoise, Release

with needs("networks"):
    import torch
    from torch import nn
    from torch.nn.utils import parameters_to_vector, vector_to_parameters

__all__ = ["NetworkRelease", "dp_sgd", "clipped_sgd_non_private", "with_parameters"]

#: Contributions and their float64 sums may exceed C by their rounding; the noise is larger by more than that.
ROUNDING = 1 + 1e-6


@dataclass(frozen=True, eq=False, kw_only=True)
class NetworkRelease(Release):
    """The trained ``parameters[P]`` of a network, in the order of its trained parameters: see `with_parameters`."""

    parameters: np.ndarray


def with_parameters(model: nn.Module, parameters: np.ndarray) -> nn.Module:
    """A copy of ``model`` with ``parameters[P]`` in place of its trained ones. ValueError unless there are P of them."""
    made = deepcopy(instance_of(nn.Module, "model", model))
    own = [each for each in made.parameters() if each.requires_grad]
    size = sum(each.numel() for each in own)
    if np.shape(parameters) != (size,):
        raise ValueError(f"parameters must have shape [{size}], got {list(np.shape(parameters))}")
    with torch.no_grad():
        vector_to_parameters(torch.tensor(parameters, dtype=own[0].dtype, device=own[0].device), own)
    return made


def dp_sgd(model: nn.Module, loss: Callable, people: Trajectories, *, epsilon: float, delta: float, clip: float,
           sampling: float, steps: int, nominal_size: int, learning_rate: float, sample_rng: np.random.Generator,
           noise_rng: np.random.Generator, neighbours: Neighbours = ADD_OR_REMOVE_ONE, averaged: float = 0.25,
           optimiser: Callable = torch.optim.Adam, kept: Path | None = None) -> NetworkRelease:
    r"""Train a copy of ``model``, from its present parameters, which must be public, as the module says.

    ``loss(outputs, labels)`` as in `.person_gradients`; ``clip`` C > 0; ``sampling`` q in (0, 1]; ``steps`` K;
    ``nominal_size`` N, a public number near that of the people, used as a divisor only; ``optimiser(parameters, lr=...)``
    from ``torch.optim``; the last ``averaged`` share of the iterates is averaged. Runs where model and people are, on a CPU
    or a GPU. ``sample_rng`` decides who takes part and ``noise_rng`` the noise, in float64: a stream is spawned from each,
    and both must stay secret. The noise is that of a simulation: for real patients see `privrl_core.privacy.noise`.

    A trajectory whose gradient is not finite adds nothing, silently, as an error would give the person away; whether loss
    and model are finite at all is asked of a trajectory of zeros, before the first step.

    ``kept``: a file for what the run knows after each step, so that a run that is interrupted goes on where it was, with the
    same sample and the same noise in a step that has to be repeated. The file is as secret as the data. ValueError if it
    belongs to another run, and for ranges and models as in `.clipped_sum` and `.noise_multiplier`.
    """
    noise = noise_multiplier(epsilon, delta, sampling=sampling, steps=steps, neighbours=neighbours)
    promised = [epsilon, delta, str(neighbours)]
    found = trained(model, loss, people, noise, clip=clip, sampling=sampling, steps=steps, nominal_size=nominal_size,
                    learning_rate=learning_rate, sample_rng=sample_rng, noise_rng=noise_rng, averaged=averaged,
                    optimiser=optimiser, kept=kept, promised=promised)
    account = dict(delta=delta, sampling=sampling, steps=steps, neighbours=neighbours)
    return NetworkRelease(parameters=found, guarantees=(promise(noise, clip, **account),),
                          noise=AddedNoise("gaussian", noise * clip * ROUNDING))


def clipped_sgd_non_private(model: nn.Module, loss: Callable, people: Trajectories, *, clip: float, sampling: float,
                            steps: int, nominal_size: int, learning_rate: float, sample_rng: np.random.Generator,
                            averaged: float = 0.25, optimiser: Callable = torch.optim.Adam) -> np.ndarray:
    """``parameters[P]`` of the same training without noise, for the price of privacy: clipped sums of the same samples."""
    return trained(model, loss, people, 0.0, clip=clip, sampling=sampling, steps=steps, nominal_size=nominal_size,
                   learning_rate=learning_rate, sample_rng=sample_rng, noise_rng=np.random.default_rng(), averaged=averaged,
                   optimiser=optimiser)


def trained(model, loss, people, noise, *, clip, sampling, steps, nominal_size, learning_rate, sample_rng, noise_rng,
            averaged=0.25, optimiser=torch.optim.Adam, kept=None, promised=()):
    """The mean of the last iterates, after ``steps`` sums with noise multiplier ``noise``. The caller keeps the account."""
    size, rate = whole_number("nominal_size", nominal_size, least=1), number(positive, "learning_rate", learning_rate)
    first_averaged = steps - max(1, round(number(open_unit, "averaged", averaged) * steps))
    generators = dict(zip(("sample", "noise"), spawned(sample_rng=sample_rng, noise_rng=noise_rng)))
    instance_of(Trajectories, "people", people)
    model = deepcopy(instance_of(nn.Module, "model", model))
    ask_of_zeros(model, loss, people)
    own = [each for each in model.parameters() if each.requires_grad]
    descent = optimiser(own, lr=rate)
    settings = [clip, noise, sampling, steps, size, rate, averaged, str(model), str(descent), promised]
    secrets = _Kept(kept, kept and _fingerprint(people, own, [*settings, getattr(loss, "__qualname__", str(loss))]))
    run = _Run(own, descent, generators, steps=steps, first_averaged=first_averaged)
    for _ in run.left(secrets):
        taken = generators["sample"].random(len(people)) < sampling if sampling < 1 else np.ones(len(people), bool)
        sums = clipped_sum(model, loss, people.people(torch.as_tensor(taken)), clip)
        run.step([(each + _noise(noise * clip * ROUNDING, each, generators["noise"])) / (sampling * size)
                  for each in sums.values()])
    return run.mean.cpu().numpy()


def spawned(**generators: np.random.Generator) -> list[np.random.Generator]:
    """A stream of its own from each generator, so that nothing drawn here is drawn again by the caller. ValueError if two
    of them would draw the same."""
    seeds = [generator(name, each).bit_generator.seed_seq.spawn(1)[0] for name, each in generators.items()]
    made = [np.random.default_rng(seed) for seed in seeds]
    if len({str(each.bit_generator.state) for each in made}) < len(made):
        raise ValueError(f"{' and '.join(generators)} must be generators with seeds of their own, got the same seed")
    return made


def ask_of_zeros(model: nn.Module, loss: Callable, people: Trajectories):
    """ValueError unless the model and the loss of a trajectory of zeros, which is nobody's, are finite."""
    trainable(model)
    zeros = [torch.zeros(1, *each.shape[1:]).to(each) for each in (people.inputs, people.labels)]
    nobody = Trajectories(*zeros, [people.horizon])
    for name, each in person_gradients(model, loss, nobody).items():
        if not each.isfinite().all():
            raise ValueError(f"loss must have finite gradients at zero inputs and labels, got others for {name}")


def promise(noise, clip, delta, sampling, steps, neighbours):
    """What K noisy sums keep. Everybody in each step: a Gaussian release, with its whole curve."""
    epsilon = sampled_gaussian_epsilon(noise, delta, sampling=sampling, steps=steps, neighbours=neighbours)
    basis = f"{steps} sums of gradients clipped to {clip:g}, one a person, noise multiplier {noise:.4g}"
    public = "each person has one trajectory", "the starting parameters, the nominal size and all settings are public"
    if sampling == 1:
        distance = 2 if neighbours == REPLACE_ONE else 1
        return Guarantee(epsilon, delta, TRAJECTORY, neighbours, Status.PROVED, f"DP-SGD: {basis}, all in each", public,
                         mu=distance * np.sqrt(steps) / noise)
    return Guarantee(epsilon, delta, TRAJECTORY, neighbours, Status.PROVED,
                     f"DP-SGD: {basis}, Poisson samples of rate {sampling:g}, accounted by their privacy loss distribution",
                     (*public, "nobody learns who took part in which step"))


def _noise(scale, like, rng):
    return torch.as_tensor(rng.normal(scale=scale, size=like.shape), device=like.device)


class _Run:
    """What changes in a run: parameters, the optimiser's memory, the mean of the last iterates, and the generators."""

    def __init__(self, parameters, optimiser, generators, *, steps, first_averaged):
        self.parameters, self.optimiser, self.generators = parameters, optimiser, generators
        self.steps, self.first_averaged, self.done = steps, first_averaged, 0
        self.mean = torch.zeros_like(parameters_to_vector(parameters), dtype=torch.float64)

    def left(self, kept) -> Iterator[int]:
        """The steps that are not done. Before each of them all that is known is kept."""
        if kept.there:
            self._restore(kept.load())
        kept.save(self._known())
        while self.done < self.steps:
            yield self.done
            kept.save(self._known())

    def step(self, gradients):
        for each, gradient in zip(self.parameters, gradients):
            each.grad = gradient.to(each.dtype)
        self.optimiser.step()
        self.done += 1
        if (many := self.done - self.first_averaged) > 0:
            self.mean += (parameters_to_vector(self.parameters).detach().double() - self.mean) / many

    def _known(self):
        return {"done": self.done, "mean": self.mean, "parameters": [each.detach() for each in self.parameters],
                "optimiser": self.optimiser.state_dict(),
                "generators": json.dumps({name: rng.bit_generator.state for name, rng in self.generators.items()})}

    def _restore(self, known):
        self.done, self.mean = known["done"], known["mean"].to(self.mean.device)
        with torch.no_grad():
            for each, value in zip(self.parameters, known["parameters"]):
                each.copy_(value)
        self.optimiser.load_state_dict(known["optimiser"])
        for name, state in json.loads(known["generators"]).items():
            self.generators[name].bit_generator.state = state


class _Kept:
    """A file that belongs to one run, by the fingerprint of its data and settings; None keeps nothing."""

    def __init__(self, path, fingerprint):
        self.path, self.fingerprint = None if path is None else Path(path), fingerprint
        self.there = self.path is not None and self.path.exists()

    def load(self):
        known = torch.load(self.path, weights_only=True)
        if known.pop("fingerprint") != self.fingerprint:
            raise ValueError("kept must be the file of a run with the same data, start and settings, got one of "
                             f"another run: {self.path}")
        return known

    def save(self, known):
        if self.path is None:
            return
        beside = self.path.with_name(self.path.name + ".new")
        torch.save(known | {"fingerprint": self.fingerprint}, beside)
        beside.replace(self.path)


def _fingerprint(people, parameters, settings):
    digest = hashlib.sha256(json.dumps(settings).encode())
    for each in (people.inputs, people.labels, people.lengths, *parameters):
        digest.update(each.detach().cpu().numpy().tobytes())
    return digest.hexdigest()
