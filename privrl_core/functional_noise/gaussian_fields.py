r"""Functional noise in any number of dimensions, with any kernel: exact, at a cost that grows with every query.

Only in one dimension does the value at a new point depend on its two neighbours alone. Otherwise it depends on all
earlier values: the n-th query takes n^2 operations and N queries take N^3/3 (`GaussianField`).
"""

from collections.abc import Callable

import numpy as np
from scipy.linalg import solve_triangular

from privrl_core.checks import generator, interval, nonnegative, number, positive, whole_number, within

__all__ = ["manhattan_kernel", "band_limited_kernel", "GaussianField"]


def manhattan_kernel(beta: float) -> Callable:
    r""":math:`K(x, y) = e^{-\beta \lVert x - y \rVert_1}`: in each coordinate the kernel of an Ornstein-Uhlenbeck path.

    Returns a function of arrays ``x[..., d]`` and ``y[..., d]``. ``beta > 0``; ValueError otherwise.
    Its Hilbert space requires a square-integrable mixed derivative :math:`\partial_1 \cdots \partial_d f`, which a ReLU
    unit lacks if it depends on several coordinates.
    """
    beta = number(positive, "beta", beta)
    return lambda x, y: np.exp(-beta * np.abs(x - y).sum(axis=-1))


def band_limited_kernel(bandwidth: float) -> Callable:
    r""":math:`K(x, y) = \prod_j \mathrm{sinc}(2w(x_j - y_j))`, :math:`\mathrm{sinc}(t) = \sin(\pi t)/(\pi t)`.

    The spectrum is flat on [-w, w] in each coordinate and 0 elsewhere, so the Hilbert space consists of the band-limited
    functions with their usual norm. On an interval of length T such a path has about 2wT degrees of freedom: after a few
    more queries the next value is almost determined. ``bandwidth`` w > 0 in periods per unit; ValueError otherwise.
    """
    bandwidth = number(positive, "bandwidth", bandwidth)
    return lambda x, y: np.prod(np.sinc(2 * bandwidth * (x - y)), axis=-1)


class GaussianField:
    r"""One sample of the Gaussian process with covariance :math:`\sigma^2 K` on a box, drawn point by point on demand.

    ``field(x)`` is its value at ``x[d]`` in [low, high]^d, or its values at ``x[n, d]``, drawn in this order. A repeated
    query gets the same answer. ``kernel(x, y)`` is positive semidefinite with K(x, x) = 1, ``sigma >= 0``, ``rng`` is a
    generator for this noise alone; ValueError outside these ranges and for points outside the box.

    With the Cholesky factor L of the Gram matrix and the normals z behind the values so far, the next value is

    .. math:: \sigma\bigl(\ell^\top z + \sqrt{d}\; z_{n+1}\bigr), \qquad L\,\ell = k(x), \qquad
              d = 1 + \tau - \ell^\top \ell ,

    and :math:`(\ell, \sqrt d)` is the next row of L. The nugget :math:`\tau = 10^{-10}` is additional independent noise
    with standard deviation :math:`10^{-5}\sigma` at each point. It cannot weaken privacy, and it keeps L well conditioned
    where the earlier values almost determine the next.
    The field is the noise, so its values must stay as secret as the data.
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
        """The standard deviation of each value given those before it, divided by sigma, in the order of the queries."""
        return np.diag(self._factor)[:len(self._known)].copy()

    def _grow(self):
        n = len(self._points)
        self._points, self._normals = (np.concatenate([part, part]) for part in (self._points, self._normals))
        factor = np.zeros((2 * n, 2 * n))
        factor[:n, :n] = self._factor
        self._factor = factor
