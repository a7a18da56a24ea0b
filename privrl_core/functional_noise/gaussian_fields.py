r"""Functional noise in any number of dimensions, with any kernel: exact, at a cost that grows with every query.

Only in one dimension do two neighbours tell all that is known. Elsewhere the value at a new point depends on all
earlier ones: the n-th query takes n^2 operations and N queries take N^3/3 (`GaussianField`).
"""

from collections.abc import Callable

import numpy as np
from scipy.linalg import solve_triangular

from privrl_core.checks import generator, interval, nonnegative, number, positive, whole_number, within

__all__ = ["manhattan_kernel", "band_limited_kernel", "GaussianField"]


def manhattan_kernel(beta: float) -> Callable:
    r""":math:`K(x, y) = e^{-\beta \lVert x - y \rVert_1}`: in each coordinate the kernel of an Ornstein-Uhlenbeck path.

    Returns a function of arrays ``x[..., d]`` and ``y[..., d]``. ``beta > 0``; ValueError otherwise.
    Its Hilbert space asks for a square-integrable mixed derivative :math:`\partial_1 \cdots \partial_d f`, which a ReLU
    unit across the axes does not have.
    """
    beta = number(positive, "beta", beta)
    return lambda x, y: np.exp(-beta * np.abs(x - y).sum(axis=-1))


def band_limited_kernel(bandwidth: float) -> Callable:
    r""":math:`K(x, y) = \prod_j \mathrm{sinc}(2w(x_j - y_j))`, :math:`\mathrm{sinc}(t) = \sin(\pi t)/(\pi t)`.

    The spectrum is flat on [-w, w] in each coordinate and 0 beyond, so the Hilbert space is that of the band-limited
    functions with their usual norm. On an interval of length T such a path has about 2wT degrees of freedom: after a few
    more queries the next value is all but known. ``bandwidth`` w > 0 in periods per unit; ValueError otherwise.
    """
    bandwidth = number(positive, "bandwidth", bandwidth)
    return lambda x, y: np.prod(np.sinc(2 * bandwidth * (x - y)), axis=-1)


class GaussianField:
    r"""One sample of the Gaussian process with covariance :math:`\sigma^2 K` on a box, made as it is asked.

    ``field(x)`` is its value at ``x[d]`` in [low, high]^d, or its values at ``x[n, d]``, asked in this order; the same
    for ever where it was asked before. ``kernel(x, y)`` is positive semidefinite with K(x, x) = 1, ``sigma >= 0``,
    ``rng`` is the noise's own generator; ValueError outside these ranges and for points outside the box.

    With the factor :math:`LL^\top` of the Gram matrix and the normals z that made the values so far, the next is

    .. math:: \sigma\bigl(\ell^\top z + \sqrt{d}\; z_{n+1}\bigr), \qquad L\,\ell = k(x), \qquad
              d = 1 + \tau - \ell^\top \ell ,

    and :math:`(\ell, \sqrt d)` is the next row of L. The nugget :math:`\tau = 10^{-10}` is independent noise on top, of
    standard deviation :math:`10^{-5}\sigma` at each point: it can only hide more, and keeps L far from singular where the
    earlier values all but determine the next.
    The field is the noise: its values are as secret as the data.
    """

    NUGGET = 1e-10

    def __init__(self, kernel: Callable, sigma: float, rng: np.random.Generator, *, dimension: int,
                 low: float = 0.0, high: float = 1.0):
        self.kernel, self.sigma, self._rng = kernel, number(nonnegative, "sigma", sigma), generator("rng", rng)
        self.dimension = whole_number("dimension", dimension, least=1)
        self.low, self.high = interval(low, high)
        self._known = {}
        self._points, self._normals, self._factor = np.empty((16, self.dimension)), np.empty(16), np.zeros((16, 16))

    def __call__(self, x):
        x = within("x", x, self.low, self.high)
        if x.ndim not in (1, 2) or x.shape[-1] != self.dimension:
            raise ValueError(f"x must have shape [{self.dimension}] or [n, {self.dimension}], got {list(x.shape)}")
        return np.array([self._value(point) for point in x]) if x.ndim == 2 else self._value(x)

    def _value(self, x: np.ndarray) -> float:
        name, n = tuple(x.tolist()), len(self._known)
        if name not in self._known:
            if n == len(self._points):
                self._grow()
            covariances = self.kernel(self._points[:n], x)
            row = solve_triangular(self._factor[:n, :n], covariances, lower=True, check_finite=False)
            d = 1 + self.NUGGET - row @ row
            if not d > 0:
                raise ValueError(f"kernel must be positive semidefinite with K(x, x) = 1, got a variance of {d} at {x}")
            self._points[n], self._normals[n] = x, self._rng.standard_normal()
            self._factor[n, :n], self._factor[n, n] = row, np.sqrt(d)
            self._known[name] = float(self.sigma * (self._factor[n, :n + 1] @ self._normals[:n + 1]))
        return self._known[name]

    @property
    def conditional_spreads(self) -> np.ndarray:
        """What was new in each value, in the order of asking: its standard deviation given those before, over sigma."""
        return np.diag(self._factor)[:len(self._known)].copy()

    def _grow(self):
        n = len(self._points)
        self._points, self._normals = (np.concatenate([part, part]) for part in (self._points, self._normals))
        factor = np.zeros((2 * n, 2 * n))
        factor[:n, :n] = self._factor
        self._factor = factor
