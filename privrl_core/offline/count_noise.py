r"""Noise for transition counts: how wide it has to be, what it promises, and how large it may get.

**Unit of privacy:** one trajectory. **Neighbours:** replace one; what a release costs under add-or-remove is said beside it.
The number of trajectories is never used. Source: Qiao & Wang, "Offline Reinforcement Learning with Differential Privacy"
(2023), Equation (2) and Lemmas C.1 and C.2.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from privrl_core.checks import generator, instance_of, number, open_unit, positive, set_fields
from privrl_core.offline.transition_counts import TransitionCounts
from privrl_core.privacy.curves import gaussian_epsilon, gaussian_mu, zcdp_epsilon_as_printed
from privrl_core.privacy.guarantees import Guarantee, Status

__all__ = ["Noise", "GaussianNoise", "LaplaceNoise", "noise_bound"]


@runtime_checkable
class Noise(Protocol):
    """Independent noise on all counts, whose width follows from the sensitivity of the counts, and its guarantee."""

    def scale(self, counts: TransitionCounts) -> float: ...
    def draw(self, scale: float, shape, rng: np.random.Generator) -> np.ndarray: ...
    def tail(self, scale: float, probability: float) -> float: ...
    def guarantee(self) -> Guarantee: ...
    def guarantee_add_remove(self) -> Guarantee: ...


ASSUMES = ("no trajectory has more transitions than the horizon, nor adds more to the counts than they say",)


def _budget(name, value):
    value = number(positive, name, value)
    if not 1e-30 <= value <= 1e30:  # beyond, a width or an epsilon would not be a finite double
        raise ValueError(f"{name} must be from 1e-30 to 1e30, got {value}")
    return value


@dataclass(frozen=True)
class GaussianNoise:
    r"""Gaussian noise that makes all counts together exactly :math:`\rho`-zCDP for one trajectory, replace one:

    .. math:: \sigma^2 = \frac{\Delta_2^2}{\rho} = \frac{2H}{\rho},

    as each of the two families (pairs, triples) costs :math:`\Delta_2^2/(2\sigma^2) = \rho/2`. Under add-or-remove
    :math:`\Delta_2^2` is half as large, and so is the cost. ``rho`` is from 1e-30 to 1e30; ``delta`` in (0, 1) is where
    the guarantee is quoted as (epsilon, delta). Source: Qiao & Wang (2023), Equation (2) and Lemma C.1.
    """

    rho: float
    delta: float = 1e-5

    def __post_init__(self):
        set_fields(self, rho=_budget("rho", self.rho), delta=number(open_unit, "delta", self.delta))

    @classmethod
    def of_epsilon(cls, epsilon: float, delta: float):
        r"""The noise that is exactly (epsilon, delta)-DP: :math:`\rho = \mu^2/2`. ``epsilon >= 0``, ``0 < delta < 1``."""
        return cls(number(positive, "mu", gaussian_mu(epsilon, delta)) ** 2 / 2, delta)

    def scale(self, counts: TransitionCounts) -> float:
        """The standard deviation."""
        return float(np.sqrt(2 * counts.l2_contribution**2 / self.rho))

    def draw(self, scale: float, shape, rng: np.random.Generator) -> np.ndarray:
        return generator("rng", rng).normal(0, scale, shape)

    def tail(self, scale: float, probability: float) -> float:
        r"""A t with P(\|noise\| > t) at most ``probability``: :math:`t = \sigma\sqrt{2\ln(2/p)}`."""
        return float(scale * np.sqrt(2 * np.log(2 / probability)))

    def guarantee(self) -> Guarantee:
        """Replace one: (epsilon, delta) by the exact curve of the Gaussian mechanism; the printed conversion in words."""
        return self._guarantee(self.rho, "replace one")

    def guarantee_add_remove(self) -> Guarantee:
        """Add or remove one: rho / 2."""
        return self._guarantee(self.rho / 2, "add or remove one")

    def _guarantee(self, rho, neighbours):
        mu = float(np.sqrt(2 * rho))
        return Guarantee(float(gaussian_epsilon(self.delta, mu)), self.delta, "one trajectory", neighbours, Status.PROVED,
                         f"Gaussian noise on all counts, ρ = {rho:.4g}, exact curve of μ = {mu:.4g}-Gaussian DP; "
                         f"as printed, ε = ρ + 2√(ρ ln(1/δ)) = {zcdp_epsilon_as_printed(rho, self.delta):.4g}",
                         assumes=ASSUMES, mu=mu, rho=rho)


@dataclass(frozen=True)
class LaplaceNoise:
    r"""Laplace noise that makes all counts together :math:`\varepsilon`-DP (pure) for one trajectory, replace one:

    .. math:: b = \frac{2\Delta_1}{\varepsilon} = \frac{4H}{\varepsilon},

    half of :math:`\varepsilon` for each family. Under add-or-remove the cost is :math:`\varepsilon/2`. ``epsilon`` is
    from 1e-30 to 1e30.
    Source: Qiao & Wang (2023), Section 3, last paragraph.
    """

    epsilon: float

    def __post_init__(self):
        set_fields(self, epsilon=_budget("epsilon", self.epsilon))

    def scale(self, counts: TransitionCounts) -> float:
        """The width b; the standard deviation is √2 b."""
        return float(4 * counts.l1_contribution / self.epsilon)

    def draw(self, scale: float, shape, rng: np.random.Generator) -> np.ndarray:
        return generator("rng", rng).laplace(0, scale, shape)

    def tail(self, scale: float, probability: float) -> float:
        r"""A t with P(\|noise\| > t) = ``probability``: :math:`t = b \ln(1/p)`."""
        return float(scale * np.log(1 / probability))

    def guarantee(self) -> Guarantee:
        """Replace one, delta = 0."""
        return self._guarantee(self.epsilon, "replace one")

    def guarantee_add_remove(self) -> Guarantee:
        """Add or remove one: epsilon / 2."""
        return self._guarantee(self.epsilon / 2, "add or remove one")

    def _guarantee(self, epsilon, neighbours):
        return Guarantee(epsilon, 0.0, "one trajectory", neighbours, Status.PROVED, "Laplace noise on all counts",
                         assumes=ASSUMES)


def noise_bound(counts: TransitionCounts, noise: Noise, failure: float) -> float:
    r"""E/2, above which no noise is, but with probability ``failure``; by a union over :math:`2 H S^2 A` counts.

    .. math:: E_\rho = 4 \sqrt{\frac{H \ln(4 H S^2 A/\delta)}{\rho}} \quad\text{(Gaussian)}, \qquad
              E_\varepsilon = \frac{8H}{\varepsilon} \ln \frac{2 H S^2 A}{\delta} \quad\text{(Laplace)} .

    There are :math:`HSA(S+1)` counts (one step in place of H if pooled). ``failure`` is from 1e-200 to below 1, ValueError
    outside.
    Source: Qiao & Wang (2023), Lemma C.2; the Laplace bound is this book's.
    """
    instance_of(Noise, "noise", noise)
    n_counts = 2 * len(instance_of(TransitionCounts, "counts", counts).steps) * counts.n_states**2 * counts.n_actions
    if (failure := number(open_unit, "failure", failure)) < 1e-200:  # a quotient below would be 0
        raise ValueError(f"failure must be at least 1e-200, got {failure}")
    return noise.tail(noise.scale(counts), failure / n_counts)
