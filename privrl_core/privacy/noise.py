r"""Noise for private releases: its scale, its sampling, its tail and its guarantee.

A query whose values move by at most :math:`\Delta_1` (sum of absolute changes) and :math:`\Delta_2` (Euclidean length)
between neighbours is released with independent noise in every entry. Three kinds of noise have the same interface. Each is
made from the promise, ``GaussianNoise.of_epsilon(1.0, 1e-5)``, and computes the ``scale`` that a `Sensitivity` needs. The
arguments of a mechanism are the kind, ``noise=DiscreteGaussianNoise``, and the promise, ``epsilon`` and ``delta``.

Floating-point noise is for experiments only, because its last digits can reveal the value it was added to. Whole numbers do
not have this problem, so use `DiscreteGaussianNoise` for real patients. OpenDP, a community-maintained library, draws it
exactly from the randomness of the operating system, in about forty microseconds per number.
"""

from dataclasses import dataclass
from typing import ClassVar, Protocol, Self, runtime_checkable

import numpy as np

from privrl_core.checks import generator, nonnegative, number, open_unit, plain, positive, set_fields, up_to, whole_number
from privrl_core.lazy import needs
from privrl_core.privacy.curves import cached_gaussian_epsilon, cached_gaussian_mu, zcdp_epsilon
from privrl_core.privacy.guarantees import REPLACE_ONE, TRAJECTORY, Guarantee, Neighbours, Status, Unit

__all__ = ["Sensitivity", "WHOLE", "Noise", "GaussianNoise", "LaplaceNoise", "DiscreteGaussianNoise",
           "sample_discrete_gaussian"]


@dataclass(frozen=True)
class Sensitivity:
    r"""The sensitivity of a query, :math:`\Delta_1` = ``l1`` and :math:`\Delta_2` = ``l2``, in the units of the query;
    ``whole`` if all its values are whole numbers. ValueError unless both are positive."""

    l1: float
    l2: float
    whole: bool = False

    def __post_init__(self):
        set_fields(self, l1=number(positive, "l1", self.l1), l2=number(positive, "l2", self.l2))


#: The share of neighbours between which a query moves by its full sensitivity.
WHOLE = Sensitivity(1.0, 1.0)


@runtime_checkable
class Noise(Protocol):
    """Independent noise in every entry of a query, with a scale that follows from the sensitivity, and its guarantee."""

    law: ClassVar[str]

    @classmethod
    def of_epsilon(cls, epsilon: float, delta: float) -> Self: ...
    def scale(self, sensitivity: Sensitivity) -> float: ...
    def draw(self, scale: float, shape, noise_rng: np.random.Generator) -> np.ndarray: ...
    def tail(self, scale: float, probability: float) -> float: ...
    def guarantee(self, query: str, *, share: Sensitivity = WHOLE, unit: Unit = TRAJECTORY,
                  neighbours: Neighbours = REPLACE_ONE, assumes: tuple[str, ...] = ()) -> Guarantee: ...


def _promise(epsilon, delta):
    return number(nonnegative, "epsilon", epsilon), number(open_unit, "delta", delta)


def _budget(name, value):
    value = number(positive, name, value)
    if not 1e-30 <= value <= 1e30:  # beyond, a scale or an epsilon would not be a finite double
        raise ValueError(f"{name} must be from 1e-30 to 1e30, got {value}")
    return value


@dataclass(frozen=True)
class _ConcentratedNoise:
    r"""The common part of both kinds of Gaussian noise: :math:`\rho`-zCDP by :math:`\sigma = \Delta_2/\sqrt{2\rho}`."""

    rho: float
    delta: float = 1e-5

    def __post_init__(self):
        set_fields(self, rho=_budget("rho", self.rho), delta=number(open_unit, "delta", self.delta))

    def scale(self, sensitivity: Sensitivity) -> float:
        """The standard deviation."""
        return float(np.sqrt(sensitivity.l2**2 / (2 * self.rho)))

    def tail(self, scale: float, probability: float) -> float:
        r"""A t with P(\|noise\| > t) at most ``probability``: :math:`t = \sigma\sqrt{2\ln(2/p)}`."""
        return float(scale * np.sqrt(2 * np.log(2 / probability)))


class GaussianNoise(_ConcentratedNoise):
    r"""Gaussian noise that makes a query exactly :math:`\rho`-zCDP and :math:`\mu`-Gaussian-DP, :math:`\rho = \mu^2/2`:

    .. math:: \sigma = \frac{\Delta_2}{\sqrt{2\rho}} .

    ``rho`` is from 1e-30 to 1e30; the guarantee is expressed as (epsilon, delta) at the given ``delta`` in (0, 1).
    Sources: Bun & Steinke (2016), Proposition 1.6; Dong, Roth & Su (2022), Theorem 2.7.
    """

    law = "Gaussian"

    @classmethod
    def of_epsilon(cls, epsilon: float, delta: float) -> Self:
        r"""The noise that is exactly (epsilon, delta)-DP: :math:`\rho = \mu^2/2`. ``epsilon >= 0``, ``0 < delta < 1``."""
        return cls(number(positive, "mu", cached_gaussian_mu(*_promise(epsilon, delta))) ** 2 / 2, delta)

    @property
    def mu(self) -> float:
        return float(np.sqrt(2 * self.rho))

    def draw(self, scale: float, shape, noise_rng: np.random.Generator) -> np.ndarray:
        return generator("noise_rng", noise_rng).normal(0, scale, shape)

    def guarantee(self, query: str, *, share: Sensitivity = WHOLE, unit: Unit = TRAJECTORY,
                  neighbours: Neighbours = REPLACE_ONE, assumes: tuple[str, ...] = ()) -> Guarantee:
        r"""The guarantee by the exact curve of the Gaussian mechanism. Under other neighbours, between which the query moves
        ``share.l2`` times as far, rho is share.l2² times as large."""
        rho = self.rho * share.l2**2
        mu = float(np.sqrt(2 * rho))
        return Guarantee(cached_gaussian_epsilon(self.delta, mu), self.delta, unit, neighbours, Status.PROVED,
                         f"Gaussian noise on {query}, ρ = {rho:.4g}, exact curve of μ = {mu:.4g}-Gaussian DP",
                         assumes=assumes, mu=mu, rho=rho)


@dataclass(frozen=True)
class LaplaceNoise:
    r"""Laplace noise that makes a query :math:`\varepsilon`-DP (pure):

    .. math:: b = \frac{\Delta_1}{\varepsilon} .

    ``epsilon`` is from 1e-30 to 1e30. Source: Dwork, McSherry, Nissim & Smith (2006).
    """

    epsilon: float
    law: ClassVar[str] = "Laplace"

    def __post_init__(self):
        set_fields(self, epsilon=_budget("epsilon", self.epsilon))

    @classmethod
    def of_epsilon(cls, epsilon: float, delta: float = 0.0) -> Self:
        """The noise that is (epsilon, 0)-DP. ValueError unless ``delta`` is 0."""
        if number(nonnegative, "delta", delta):
            raise ValueError(f"delta must be 0 for Laplace noise, got {delta}")
        return cls(epsilon)

    def scale(self, sensitivity: Sensitivity) -> float:
        """The scale b; the standard deviation is √2 b."""
        return float(sensitivity.l1 / self.epsilon)

    def draw(self, scale: float, shape, noise_rng: np.random.Generator) -> np.ndarray:
        return generator("noise_rng", noise_rng).laplace(0, scale, shape)

    def tail(self, scale: float, probability: float) -> float:
        r"""A t with P(\|noise\| > t) = ``probability``: :math:`t = b \ln(1/p)`."""
        return float(scale * np.log(1 / probability))

    def guarantee(self, query: str, *, share: Sensitivity = WHOLE, unit: Unit = TRAJECTORY,
                  neighbours: Neighbours = REPLACE_ONE, assumes: tuple[str, ...] = ()) -> Guarantee:
        """The guarantee, with delta = 0. Under other neighbours, between which the query moves ``share.l1`` times as far,
        epsilon is share.l1 times as large."""
        return Guarantee(self.epsilon * share.l1, 0.0, unit, neighbours, Status.PROVED, f"Laplace noise on {query}",
                         assumes=assumes)


class DiscreteGaussianNoise(_ConcentratedNoise):
    r"""Discrete Gaussian noise that makes a query of whole numbers :math:`\rho`-zCDP, for real patients.

    Its scale is that of `GaussianNoise`: for whole numbers the discrete Gaussian is :math:`\Delta_2^2/(2\sigma^2)`-zCDP
    too, and it is sub-Gaussian with the same :math:`\sigma`, so the same bound on its tail holds. It lacks the exact curve
    of :math:`\mu`-Gaussian DP, so (epsilon, delta) is what zCDP implies, which is slightly larger. The generator is not
    used, so the noise cannot be reproduced. Raises ValueError for a query whose values are not whole numbers.
    Source: Canonne, Kamath & Steinke (2020).
    """

    law = "discrete Gaussian"

    @classmethod
    def of_epsilon(cls, epsilon: float, delta: float) -> Self:
        r"""The noise whose :math:`\rho` implies (epsilon, delta) by `.zcdp_epsilon`. ``epsilon > 0``, ``0 < delta < 1``."""
        from scipy.optimize import brentq

        most = np.log(GaussianNoise.of_epsilon(number(positive, "epsilon", epsilon), delta).rho)  # zCDP needs no larger rho
        root = brentq(lambda log_rho: zcdp_epsilon(np.exp(log_rho), delta) - epsilon, most - 20, most)
        return cls(float(np.exp(root)), delta)

    def scale(self, sensitivity: Sensitivity) -> float:
        if not sensitivity.whole:
            raise ValueError("sensitivity must be of whole numbers for discrete noise, got values that are not whole")
        return super().scale(sensitivity)

    def draw(self, scale: float, shape, noise_rng=None) -> np.ndarray:
        return sample_discrete_gaussian(scale, shape)

    def guarantee(self, query: str, *, share: Sensitivity = WHOLE, unit: Unit = TRAJECTORY,
                  neighbours: Neighbours = REPLACE_ONE, assumes: tuple[str, ...] = ()) -> Guarantee:
        """The guarantee by the tightest conversion from zCDP."""
        rho = self.rho * share.l2**2
        return Guarantee(float(zcdp_epsilon(rho, self.delta)), self.delta, unit, neighbours, Status.PROVED,
                         f"discrete Gaussian noise on {query}, ρ = {rho:.4g}",
                         assumes=assumes, rho=rho)


def sample_discrete_gaussian(scale: float, shape) -> np.ndarray:
    r"""Independent whole numbers k with :math:`P(k) \propto e^{-k^2/(2\sigma^2)}`, as floats of ``shape``.

    ``scale`` is :math:`\sigma` in (0, 2^48], beyond which 64-bit integers might overflow. There is no seed, so the numbers
    cannot be reproduced. Raises ValueError for another scale, and ModuleNotFoundError without OpenDP.
    Source: Canonne, Kamath & Steinke, "The Discrete Gaussian for Differential Privacy" (2020).
    """
    with needs("exact"):  # not opendp.prelude, which imports scikit-learn if it is installed, and takes seconds
        from opendp.domains import atom_domain, vector_domain
        from opendp.measurements import make_gaussian
        from opendp.metrics import l2_distance
        from opendp.mod import enable_features
    scale = float(up_to("scale", number(positive, "scale", scale), 2.0**48))
    sizes = tuple(whole_number("shape", size, least=0) for size in np.atleast_1d(plain("shape", shape)))
    enable_features("contrib")
    draw = make_gaussian(vector_domain(atom_domain(T="i64")), l2_distance(T="f64"), scale=scale)
    return np.array(draw([0] * int(np.prod(sizes))), dtype=float).reshape(sizes)


def kind_of_noise(name: str, value) -> type:
    """``value`` if it is a class of noise, such as `GaussianNoise`; ValueError otherwise."""
    if not (isinstance(value, type) and hasattr(value, "of_epsilon")):
        raise ValueError(f"{name} must be a kind of noise such as GaussianNoise, got {value!r:.200}")
    return value


def gaussian_kind(name: str, value) -> type:
    """``value`` if it is `GaussianNoise` or `DiscreteGaussianNoise`; ValueError otherwise."""
    if value is not GaussianNoise and value is not DiscreteGaussianNoise:
        raise ValueError(f"{name} must be GaussianNoise or DiscreteGaussianNoise, got {value!r:.200}")
    return value
