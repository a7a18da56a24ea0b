r"""What is published in one of two worlds, and how often the best attacker tells which.

Anna is in the data or she is not; a patient has one reward or another; the noise is narrow or wide. A fair coin decides, the
attacker sees one release and bets. By Neyman and Pearson no bet is right more often than that on the sign of the log-ratio

.. math:: L(z) = \ln\frac{p_{\text{in}}(z)}{p_{\text{out}}(z)} ,

so the two tails :math:`P_{\text{in}}[L > x]` and :math:`P_{\text{out}}[L > x]` hold everything: the success of the best
attacker at :math:`x = 0`, and at :math:`x = \varepsilon` the :math:`\delta` of the two worlds. No units: a release and its
scale have the same.
"""

from dataclasses import dataclass

import numpy as np
import scipy  # its parts are imported when first used: special alone takes 0.2 s

from privrl_core.checks import (
    Record,
    finite,
    generator,
    nonnegative,
    number,
    positive,
    real,
    set_fields,
    shaped,
    up_to,
    whole_number,
    within,
)

__all__ = ["GaussianWorlds", "LaplaceWorlds", "discrete_ceiling"]

LARGEST = 1e9  # of means, and of scales and their inverses: squares and ratios stay finite


@dataclass(frozen=True, eq=False, kw_only=True)
class _Worlds(Record):
    means: np.ndarray
    scales: np.ndarray

    def __post_init__(self):
        means = shaped("means", self.means, (2, "d"))
        within("means", means, -LARGEST, LARGEST)
        scales = positive("scales", self.scales)
        if scales.shape not in ((), (2,)):
            raise ValueError(f"scales must be one number or one for each of 2 worlds, got shape {list(scales.shape)}")
        within("scales", scales, 1 / LARGEST, LARGEST)
        set_fields(self, means=means, scales=np.broadcast_to(scales, (2,)))

    def draw(self, n: int, noise_rng: np.random.Generator) -> np.ndarray:
        """``n`` releases of each world: ``[2, n, d]``. ``n >= 1``; ValueError otherwise."""
        n, noise_rng = whole_number("n", n, least=1, most=10**7), generator("noise_rng", noise_rng)
        unit = self.unit(noise_rng, (2, n, self.means.shape[1]))
        return self.means[:, None] + self.scales[:, None, None] * unit

    @property
    def ceiling(self) -> float:
        r"""How often the best attacker is right: :math:`\tfrac12 P_{in}[L > 0] + \tfrac12 P_{out}[L \le 0]`."""
        inside, outside = self.tails(0.0)
        return float(0.5 + (inside - outside) / 2)

    def delta(self, epsilon):
        r"""What sticks out above :math:`e^\varepsilon` times the other world:
        :math:`P_{in}[L > \varepsilon] - e^\varepsilon P_{out}[L > \varepsilon]`.

        ``epsilon`` from 0 to 700, an array or a number; ValueError otherwise.
        """
        inside, outside = self.tails(up_to("epsilon", nonnegative("epsilon", epsilon), 700))
        return np.maximum(0, inside - np.exp(np.asarray(epsilon, dtype=float)) * outside)[()]

    def _releases(self, releases):
        releases, d = finite("releases", releases), self.means.shape[1]
        if not releases.ndim or releases.shape[-1] != d:
            raise ValueError(f"releases must have shape [..., {d}], got {list(releases.shape)}")
        return releases


class GaussianWorlds(_Worlds):
    r"""Normal noise on ``means[2, d]``, independent in every entry, of standard deviation ``scales``: one number, or one for
    each world. The first world is *in*, the second *out*.

    If the scales agree, :math:`L` is normal with mean :math:`\pm\mu^2/2` and standard deviation
    :math:`\mu = \lVert m_{in} - m_{out}\rVert/\sigma`, and the best attacker is right with probability :math:`\Phi(\mu/2)`.
    If not, :math:`L = a\lVert z - c\rVert^2 + k`, and the tails are those of noncentral :math:`\chi^2` variables. ValueError
    for worlds that are the same, and for scales that differ by less than one in a thousand.
    """

    law = "gaussian"

    def __post_init__(self):
        super().__post_init__()
        (inside, outside), equal = self.scales, self.scales[0] == self.scales[1]
        if equal and (self.means[0] == self.means[1]).all():
            raise ValueError(f"means must differ between the worlds, or scales, got the same twice: {self.means[0]}")
        if not equal and not 1e-3 <= abs(np.log(inside / outside)) <= 7:
            raise ValueError(f"scales must be equal, or differ by a factor from 1.001 to 1,000, got {inside} and {outside}")

    @staticmethod
    def unit(noise_rng, shape):
        return noise_rng.standard_normal(shape)

    def log_ratio(self, releases) -> np.ndarray:
        """L of ``releases[..., d]``; ValueError for another shape."""
        releases = self._releases(releases)
        away = [np.sum(((releases - m) / s) ** 2, axis=-1) for m, s in zip(self.means, self.scales)]
        return (away[1] - away[0]) / 2 + releases.shape[-1] * np.log(self.scales[1] / self.scales[0])

    def tails(self, x) -> tuple[np.ndarray, np.ndarray]:
        r""":math:`P_{in}[L > x]` and :math:`P_{out}[L > x]`, for a number or an array."""
        x, (s, t) = real("x", x), self.scales
        if s == t:
            mu = np.linalg.norm(self.means[0] - self.means[1]) / s
            return scipy.special.ndtr(mu / 2 - x / mu), scipy.special.ndtr(-mu / 2 - x / mu)
        bend = (t**-2.0 - s**-2.0) / 2
        centre = (self.means[1] / t**2 - self.means[0] / s**2) / (2 * bend)
        radius = (x - self.log_ratio(centre)) / bend
        law = [scipy.stats.ncx2(self.means.shape[1], np.sum((m - centre) ** 2) / w**2, scale=w**2)
               for m, w in zip(self.means, self.scales)]
        return tuple(one.sf(radius) if bend > 0 else one.cdf(radius) for one in law)


class LaplaceWorlds(_Worlds):
    r"""Laplace noise on one number: ``means[2, 1]``, and ``scales``, the width b of both worlds.

    With :math:`\Delta = |m_{in} - m_{out}|/b` the log-ratio never leaves :math:`[-\Delta, \Delta]`, and the best attacker is
    right with probability :math:`1 - \tfrac12 e^{-\Delta/2}`. ValueError for worlds that are the same, for more than one
    number, and for two scales.
    """

    law = "laplace"

    def __post_init__(self):
        super().__post_init__()
        if self.means.shape[1] != 1 or self.scales[0] != self.scales[1]:
            raise ValueError(f"means must be one number for each world, and scales one number for both, got shape "
                             f"{list(self.means.shape)} and scales {self.scales}")
        if self.means[0] == self.means[1]:
            raise ValueError(f"means must differ between the worlds, got {self.means[0, 0]} twice")

    @staticmethod
    def unit(noise_rng, shape):
        return noise_rng.laplace(size=shape)

    def log_ratio(self, releases) -> np.ndarray:
        """L of ``releases[..., 1]``; ValueError for another shape."""
        releases = self._releases(releases)
        near, far = (np.abs(releases[..., 0] - m[0]) for m in self.means)
        return (far - near) / self.scales[0]

    def tails(self, x) -> tuple[np.ndarray, np.ndarray]:
        r""":math:`P_{in}[L > x]` and :math:`P_{out}[L > x]`, for a number or an array."""
        gap = np.abs(self.means[0, 0] - self.means[1, 0]) / self.scales[0]
        x = np.clip(real("x", x), -gap, gap)
        inside, outside = 1 - np.exp((x - gap) / 2) / 2, np.exp(-(x + gap) / 2) / 2
        return np.where(x == gap, 0, inside)[()], np.where(x == gap, 0, outside)[()]


def discrete_ceiling(p_inside, p_outside) -> float:
    r"""How often the best attacker is right who sees one of k values: :math:`\tfrac12\sum_i \max(p_i, q_i)`.

    ``p_inside[k]`` and ``p_outside[k]`` are probabilities that sum to 1; ValueError otherwise.
    """
    p, q = (nonnegative(name, shaped(name, p, ("k",))) for name, p in (("p_inside", p_inside), ("p_outside", p_outside)))
    if p.shape != q.shape:
        raise ValueError(f"p_outside must have the shape {list(p.shape)} of p_inside, got {list(q.shape)}")
    for name, values in (("p_inside", p), ("p_outside", q)):
        if abs(number(finite, name, values.sum()) - 1) > 1e-9:
            raise ValueError(f"{name} must sum to 1, got {values.sum():.12g}")
    return float(np.maximum(p, q).sum() / 2)
