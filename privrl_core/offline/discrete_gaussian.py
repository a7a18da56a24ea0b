r"""Noise for real patients: whole numbers, drawn exactly, from the randomness of the operating system.

A double that is drawn as "Gaussian" is rounded, and its last digits can tell what it was added to. Whole numbers can't,
and every count stays a whole number. Sampled by OpenDP, a library that is kept by many and open to all; it takes some
forty microseconds a count, so it is for tables that a hospital publishes, not for the figures of this book.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from privrl_core.checks import number, positive, whole_number
from privrl_core.offline.count_noise import ASSUMES, GaussianNoise
from privrl_core.offline.transition_counts import TransitionCounts
from privrl_core.privacy.curves import zcdp_epsilon, zcdp_epsilon_as_printed
from privrl_core.privacy.guarantees import Guarantee, Status

__all__ = ["DiscreteGaussianNoise", "sample_discrete_gaussian"]


def sample_discrete_gaussian(scale: float, shape) -> np.ndarray:
    r"""Independent whole numbers k with :math:`P(k) \propto e^{-k^2/(2\sigma^2)}`, as floats of ``shape``.

    ``scale`` is :math:`\sigma > 0`. No seed: nobody can draw them again. Raises ModuleNotFoundError without OpenDP.
    Source: Canonne, Kamath & Steinke, "The Discrete Gaussian for Differential Privacy" (2020).
    """
    try:
        import opendp.prelude as dp
    except ModuleNotFoundError:
        raise ModuleNotFoundError("discrete Gaussian noise needs the package opendp, which `make env` installs") from None
    shape = tuple(whole_number("shape", size, least=0) for size in np.atleast_1d(shape))
    scale = number(positive, "scale", scale)
    dp.enable_features("contrib")
    draw = dp.m.make_gaussian(dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="f64"), scale=scale)
    return np.array(draw([0] * int(np.prod(shape))), dtype=float).reshape(shape)


@dataclass(frozen=True)
class DiscreteGaussianNoise(GaussianNoise):
    r"""Discrete Gaussian noise that makes all counts together :math:`\rho`-zCDP for one trajectory, replace one.

    Width, tail and cost are those of `.GaussianNoise`, :math:`\sigma^2 = 2H/\rho`: for a query of whole numbers the
    discrete Gaussian is :math:`\Delta_2^2/(2\sigma^2)`-zCDP too, and its tails are no heavier. What it has not is the
    exact curve of :math:`\mu`-Gaussian DP, so that (epsilon, delta) is what zCDP implies, a little more. ``rho`` and
    ``delta`` as there; counts that are no whole numbers (`.pooled_counts`) raise ValueError. The generator that the
    release asks for is not used.
    Source: Canonne, Kamath & Steinke (2020).
    """

    @classmethod
    def of_epsilon(cls, epsilon: float, delta: float):
        r"""The noise whose :math:`\rho` implies (epsilon, delta) by `.zcdp_epsilon`. ``epsilon > 0``, ``0 < delta < 1``."""
        most = np.log(GaussianNoise.of_epsilon(number(positive, "epsilon", epsilon), delta).rho)  # zCDP implies no less
        root = brentq(lambda log_rho: zcdp_epsilon(np.exp(log_rho), delta) - epsilon, most - 20, most)
        return cls(float(np.exp(root)), delta)

    def scale(self, counts: TransitionCounts) -> float:
        if any((step.data != np.rint(step.data)).any() for step in counts.steps):
            raise ValueError("counts must be whole numbers for discrete noise, got counts that were shrunk")
        return super().scale(counts)

    def draw(self, scale: float, shape, rng: np.random.Generator) -> np.ndarray:
        return sample_discrete_gaussian(scale, shape)

    def _guarantee(self, rho, neighbours):
        return Guarantee(float(zcdp_epsilon(rho, self.delta)), self.delta, "one trajectory", neighbours, Status.PROVED,
                         f"discrete Gaussian noise on all counts, ρ = {rho:.4g}; "
                         f"as printed, ε = ρ + 2√(ρ ln(1/δ)) = {zcdp_epsilon_as_printed(rho, self.delta):.4g}",
                         assumes=ASSUMES, rho=rho)
