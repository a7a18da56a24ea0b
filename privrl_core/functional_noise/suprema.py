r"""How high an Ornstein-Uhlenbeck path rises: a bound that holds, and the exact probability.

X has kernel :math:`e^{-\beta|x-y|}` on [0, 1]. For a path with standard deviation sigma, use ``u / sigma``; on an interval
of length T, use :math:`\beta T`; for m paths, the tail is at most m times that of one.
"""

from functools import lru_cache

import numpy as np
from scipy.special import log_ndtr, roots_legendre

from privrl_core.checks import finite, nonnegative, number, positive, within

__all__ = ["expected_sup_bound", "sup_tail", "sup_abs_tail", "sup_tail_exact", "sup_abs_tail_exact"]


def expected_sup_bound(beta: float, sigma: float = 1.0) -> float:
    r"""A bound on the mean: :math:`E \sup \sigma X \le 2\sqrt{\beta/\pi}\,\sigma`, sharp as :math:`\beta \to 0`.

    Increments are smaller than those of :math:`\sqrt{2\beta}` times a Brownian motion, :math:`E(X_x - X_y)^2 =
    2(1 - e^{-\beta|x-y|}) \le 2\beta|x-y|`. Brownian motion has mean maximum :math:`\sqrt{2/\pi}` (Sudakov-Fernique).
    ``beta > 0``, ``sigma >= 0``; ValueError outside.
    """
    return float(2 * np.sqrt(number(positive, "beta", beta) / np.pi) * number(nonnegative, "sigma", sigma))


def sup_tail(u, beta: float):
    r"""An upper bound on :math:`P(\sup_{[0,1]} X \ge u)`.

    .. math:: P\Bigl(\sup_{[0,1]} X \ge u\Bigr) \le (a + c)\, \Psi(u) \quad\text{if}\quad
              a \int_0^y q(s)\, ds + c\, q(y) \ge 1 \ \text{ for all } y \in [0, 1], \qquad
              q(s) = \Psi\bigl(u \sqrt{\tanh(\beta s/2)}\bigr),

    with :math:`\Psi(u) = P(\mathcal N(0, 1) \ge u)`. Proof: let a path first reach u at 1 - y. By the strong Markov property
    it is above u a time s later with probability at least q(s), the probability when it starts at u. Hence, given that it
    reaches u, a times its mean time above u in [0, 1] plus c times the probability of being above u at 1 is at least 1;
    without this condition the sum is :math:`(a + c)\Psi(u)`. The best c and the smallest a for it come from a grid, with the
    midpoint rule for the integral, which underestimates it since q is convex. For large u the bound approaches Pickands'
    :math:`\beta u^2\Psi(u)`, which is asymptotically exact.

    For tails near 1, [0, 1] is cut into n parts, whose maxima are positively correlated, so that
    :math:`P \le 1 - (1 - P_n)^n` with the bound :math:`P_n` for :math:`\beta/n` (Slepian's inequality).
    ``u >= 0`` (a number or an array), ``beta > 0``; ValueError outside. Source: this book.
    """
    u, beta = nonnegative("u", u), number(positive, "beta", beta)
    parts = 8.0 ** np.arange(max(np.log2(beta) / 3, 0) + 1)
    with np.errstate(divide="ignore"):  # log1p(-1): a bound of 1 for each part gives 1
        return np.min([-np.expm1(n * np.log1p(-_one_part(u, beta / n))) for n in parts], axis=0)[()]


def _one_part(u: np.ndarray, beta: float) -> np.ndarray:
    """The bound (a + c) Psi(u) of `sup_tail`, at most 1."""
    edges = np.append(0, np.geomspace(1e-6 / (1 + beta * (1 + np.max(u, initial=0)**2)), 1, 300))
    middles = (edges[1:] + edges[:-1]) / 2
    q, at_middles = (np.exp(log_ndtr(-u[..., None] * np.sqrt(np.tanh(beta * y / 2)))) for y in (edges[1:], middles))
    time_above = np.cumsum(np.diff(edges) * at_middles, axis=-1)
    best = np.full(u.shape, np.inf)
    for factor in 1 + np.append(0, np.geomspace(1e-2, 10, 20)):
        c = factor / q[..., :1]  # meets the condition on the first panel with a = 0
        # on a later panel, the condition is met if it is for the q at its end and the integral up to its beginning
        a = np.max((1 - c * q[..., 1:]) / time_above[..., :-1], axis=-1)
        best = np.minimum(best, c[..., 0] + np.maximum(a, 0))
    return np.minimum(np.exp(log_ndtr(-u)) * best * (1 + 1e-9), 1)  # covers the rounding of the sums


def sup_abs_tail(u, beta: float):
    r"""A bound on :math:`P(\sup_{[0,1]} |X| \ge u)`: twice `sup_tail`, by symmetry. Same arguments."""
    return np.minimum(2 * sup_tail(u, beta), 1)[()]


def sup_tail_exact(u: float, beta: float) -> float:
    r""":math:`P(\sup_{[0,1]} X \ge u)`, to an absolute error of :math:`10^{-9}` for :math:`0.01 \le \beta \le 10^5`.

    This is one minus the probability that a diffusion killed at u survives. Its generator
    :math:`Lf = \beta(f'' - x f')` with :math:`f(u) = 0` is self-adjoint under the normal density :math:`\varphi`, so that

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

    With :math:`f = \psi/\sqrt\varphi` the operator becomes :math:`-\psi'' + (x^2/4 - 1/2)\psi`, the quantum oscillator, on
    an interval with :math:`\psi = 0` at both ends. It is expanded in sines :math:`\sqrt{2/w}\,\sin(k\pi(x - \text{low})/w)`.
    """
    width, k = high - low, np.arange(1, _SIZE + 1)
    # the integrals over the interval of x^2 cos(m pi (x - low) / width), m = 0, ..., 2 * _SIZE
    m = np.arange(1, 2 * _SIZE + 1)
    later = 2 * (width / (m * np.pi))**2 * (high * (-1.0)**m - low)
    cosines = np.append((high**3 - low**3) / 3, later)
    # the operator between sines: 2 sin(j z) sin(k z) = cos((j - k) z) - cos((j + k) z)
    x_squared = (cosines[np.abs(k[:, None] - k)] - cosines[k[:, None] + k]) / width
    operator = np.diag((k * np.pi / width)**2 - 0.5) + x_squared / 4
    modes = np.linalg.eigh(operator)[1]
    eigenvalues = np.sum(modes * (operator @ modes), axis=0)  # more accurate than eigh's where they are small
    # the inner products of sqrt(phi) with the sines, by Gauss-Legendre quadrature
    node, weight = roots_legendre(_SIZE + 200)
    x = low + width * (1 + node) / 2
    sines = np.sqrt(2 / width) * np.sin(np.outer(k, np.pi * (x - low) / width))
    weighted_root = weight * width / 2 * np.exp(-x**2 / 4) / (2 * np.pi)**0.25
    return eigenvalues, (modes.T @ (sines @ weighted_root))**2


def _stay(low: float, high: float, beta: float) -> float:
    """Probability that X stays between low and high on [0, 1]."""
    eigenvalues, weights = _spectrum(low, high)
    return float(weights @ np.exp(-beta * eigenvalues))
