r"""How high an Ornstein-Uhlenbeck path rises: a bound that holds, and the exact probability.

X has kernel :math:`e^{-\beta|x-y|}` on [0, 1]. A path with ``sigma`` is sigma X: ask for ``u / sigma``. On an interval
of length T it is X with :math:`\beta T`. m paths: at most m times the tail of one.
"""

from functools import lru_cache

import numpy as np
from scipy.special import log_ndtr, roots_legendre

from privrl_core.validation import finite, nonnegative, number, positive

__all__ = ["expected_sup_bound", "sup_tail", "sup_abs_tail", "sup_tail_exact", "sup_abs_tail_exact"]


def expected_sup_bound(beta: float, sigma: float = 1.0) -> float:
    r"""A bound on the mean: :math:`E \sup \sigma X \le 2\sqrt{\beta/\pi}\,\sigma`, sharp as :math:`\beta \to 0`.

    Increments are smaller than those of :math:`\sqrt{2\beta}` times a Brownian motion, :math:`E(X_x - X_y)^2 =
    2(1 - e^{-\beta|x-y|}) \le 2\beta|x-y|`, whose mean maximum is :math:`\sqrt{2/\pi}` (Sudakov-Fernique inequality).
    ``beta > 0``, ``sigma >= 0``; ValueError outside.
    """
    return float(2 * np.sqrt(number(positive, "beta", beta) / np.pi) * number(nonnegative, "sigma", sigma))


def sup_tail(u, beta: float):
    r"""A bound on :math:`P(\sup_{[0,1]} X \ge u)` that is never below it.

    .. math:: P\Bigl(\sup_{[0,1]} X \ge u\Bigr) \le
              \inf_{h > 0} \frac{(1 + h)\,\Psi(u)}{\int_0^h \Psi\bigl(u \sqrt{\tanh(\beta s/2)}\bigr)\, ds},
              \qquad \Psi(u) = P(\mathcal N(0, 1) \ge u).

    The numerator is the mean time that X spends above u in [0, 1 + h]. A path that reaches u by time 1 spends there
    on average at least the denominator in the h that follow, by the strong Markov property. As u grows it becomes
    Pickands' :math:`\beta u^2 \Psi(u)`, which is exact. The integrand is convex, so the midpoint rule is below it.
    ``u >= 0`` (a number or an array), ``beta > 0``; ValueError outside. Source: this book.
    """
    u, beta = nonnegative("u", u), number(positive, "beta", beta)
    # edges of the panels and their middles, in units of 1/beta; none beyond them can be the best h
    edges = np.append(0, np.geomspace(1e-7 / (1 + np.max(u, initial=0)**2), 1e3 * (1 + 1 / beta), 800))
    middles, widths = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    steps = np.sqrt(np.tanh(middles / 2))
    below = np.log(np.cumsum(widths * np.exp(log_ndtr(-u[..., None] * steps)), axis=-1))
    bound = log_ndtr(-u) + np.min(np.log(beta + edges[1:]) - below, axis=-1)
    return np.minimum(np.exp(bound) * (1 + 1e-9), 1)[()]  # more than the sums can have rounded off


def sup_abs_tail(u, beta: float):
    r"""A bound on :math:`P(\sup_{[0,1]} |X| \ge u)`: twice `sup_tail`, by symmetry. Same arguments."""
    return np.minimum(2 * sup_tail(u, beta), 1)[()]


def sup_tail_exact(u: float, beta: float) -> float:
    r""":math:`P(\sup_{[0,1]} X \ge u)`, to an absolute error of :math:`10^{-9}` for :math:`0.01 \le \beta \le 10^5`.

    One minus the probability to stay below u, which is that of a killed diffusion: with the generator
    :math:`Lf = \beta(f'' - x f')` and :math:`f(u) = 0`, self-adjoint under the normal density :math:`\varphi`,

    .. math:: P(\text{stay}) = \langle 1, e^{L} 1 \rangle_\varphi
              = \sum_k e^{-\lambda_k} \langle 1, f_k \rangle_\varphi^2 .

    ``-8 <= u <= 8``, ``beta`` as above; ValueError outside.
    """
    return 1 - _stay(-_FLOOR, _within("u", u, -8, 8), _within("beta", beta, 0.01, 1e5))


def sup_abs_tail_exact(u: float, beta: float) -> float:
    r""":math:`P(\sup_{[0,1]} |X| \ge u)`, as `sup_tail_exact` with killing at both u and -u, for ``0.1 <= u <= 8``."""
    u = _within("u", u, 0.1, 8)
    return 1 - _stay(-u, u, _within("beta", beta, 0.01, 1e5))


_FLOOR = 12.0  # a path gets below -12 with a probability of less than 1e-25
_SIZE = 200


def _within(name, value, low, high):
    value = number(finite, name, value)
    if not low <= value <= high:
        raise ValueError(f"{name} must be between {low:g} and {high:g}, got {value}")
    return value


@lru_cache(maxsize=512)
def _spectrum(low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    r"""Eigenvalues of -L/beta on [low, high], killed at both ends, and :math:`\langle 1, f_k \rangle_\varphi^2`.

    With :math:`f = \psi/\sqrt\varphi` it is the quantum oscillator :math:`-\psi'' + (x^2/4 - 1/2)\psi` in a box: sines.
    """
    width, k = high - low, np.arange(1, _SIZE + 1)
    m = np.arange(1, 2 * _SIZE + 1)
    # integrals of x^2 cos(m pi (x - low) / width) over the box
    cosines = np.append((high**3 - low**3) / 3, 2 * (width / (m * np.pi))**2 * (high * (-1.0)**m - low))
    square = (cosines[np.abs(k[:, None] - k)] - cosines[k[:, None] + k]) / width
    oscillator = np.diag((k * np.pi / width)**2 - 0.5) + square / 4
    modes = np.linalg.eigh(oscillator)[1]
    energies = np.sum(modes * (oscillator @ modes), axis=0)  # the small ones to far more digits than eigh's own
    node, weight = roots_legendre(_SIZE + 200)
    x = low + width * (1 + node) / 2
    sines = np.sqrt(2 / width) * np.sin(np.outer(k, np.pi * (x - low) / width))
    overlaps = sines @ (weight * width / 2 * np.exp(-x**2 / 4) / (2 * np.pi)**0.25)
    return energies, (modes.T @ overlaps)**2


def _stay(low: float, high: float, beta: float) -> float:
    """Probability that X stays between low and high on [0, 1]."""
    energies, weights = _spectrum(low, high)
    return float(weights @ np.exp(-beta * energies))
