r"""How high an Ornstein-Uhlenbeck path rises: a bound that holds, and the exact probability.

X has kernel :math:`e^{-\beta|x-y|}` on [0, 1]. A path with ``sigma`` is sigma X: ask for ``u / sigma``. On an interval
of length T it is X with :math:`\beta T`. m paths: at most m times the tail of one.
"""

from functools import lru_cache

import numpy as np
from scipy.special import log_ndtr, roots_legendre

from privrl_core.checks import finite, nonnegative, number, positive, within

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

    .. math:: P\Bigl(\sup_{[0,1]} X \ge u\Bigr) \le (a + c)\, \Psi(u) \quad\text{if}\quad
              a \int_0^y q(s)\, ds + c\, q(y) \ge 1 \ \text{ for all } y \in [0, 1], \qquad
              q(s) = \Psi\bigl(u \sqrt{\tanh(\beta s/2)}\bigr),

    with :math:`\Psi(u) = P(\mathcal N(0, 1) \ge u)`. Proof: let a path first reach u at 1 - y. By the strong Markov property
    it is above u a time s later with probability at least q(s), which is the one from u itself. So a times its mean
    time above u in [0, 1], plus c times the chance to be above at 1, is at least 1; without the condition it is
    :math:`(a + c)\Psi(u)`. The best c, with the least a for it, is taken from a grid; the integral from the midpoint rule,
    which is below it since q is convex. As u grows it becomes Pickands' :math:`\beta u^2\Psi(u)`, which is exact.

    For tails near 1: the maxima over n parts of [0, 1] are positively correlated, so that
    :math:`P \le 1 - (1 - P_n)^n` with the bound :math:`P_n` for :math:`\beta/n` (Slepian's inequality).
    ``u >= 0`` (a number or an array), ``beta > 0``; ValueError outside. Source: this book.
    """
    u, beta = nonnegative("u", u), number(positive, "beta", beta)
    parts = 8.0 ** np.arange(max(np.log2(beta) / 3, 0) + 1)
    with np.errstate(divide="ignore"):  # a bound of 1 for each part is one for all
        return np.min([-np.expm1(n * np.log1p(-_one_part(u, beta / n))) for n in parts], axis=0)[()]


def _one_part(u: np.ndarray, beta: float) -> np.ndarray:
    """The bound (a + c) Psi(u) of `sup_tail`, at most 1."""
    edges = np.append(0, np.geomspace(1e-6 / (1 + beta * (1 + np.max(u, initial=0)**2)), 1, 300))
    middles = (edges[1:] + edges[:-1]) / 2
    q, at_middles = (np.exp(log_ndtr(-u[..., None] * np.sqrt(np.tanh(beta * y / 2)))) for y in (edges[1:], middles))
    time_above = np.cumsum(np.diff(edges) * at_middles, axis=-1)
    best = np.full(u.shape, np.inf)
    for factor in 1 + np.append(0, np.geomspace(1e-2, 10, 20)):
        c = factor / q[..., :1]  # enough for the first panel without any a
        # on a panel, the condition is hardest where q is least and the time still that of its beginning
        a = np.max((1 - c * q[..., 1:]) / time_above[..., :-1], axis=-1)
        best = np.minimum(best, c[..., 0] + np.maximum(a, 0))
    return np.minimum(np.exp(log_ndtr(-u)) * best * (1 + 1e-9), 1)  # more than the sums can have rounded off


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
    return number(finite, name, within(name, value, low, high))


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
