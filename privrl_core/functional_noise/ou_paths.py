r"""Gaussian noise in the form of a function: sample paths with kernel :math:`\sigma^2 e^{-\beta|x-y|}`.

This is the Ornstein-Uhlenbeck process, which is Markov: given its values at the nearest known points to the left and to
the right of ``x``, its value at ``x`` is independent of all others. A path can therefore be extended at any point and any
time at the cost of finding two neighbours (`bridge`, `OUPath`; `OUPaths` for many paths at once; `sample_ou` if all points
are known). A missing neighbour is treated as a neighbour at infinity, which gets weight 0 in the same formula.

The functions that the noise can hide are measured by `.rkhs_norm`, and its size by `.suprema.sup_tail` and
`.suprema.sup_tail_exact`; for more dimensions see `privrl_core.functional_noise.gaussian_fields`.
Source of the problem: Wang & Hegde (2019), after Hall, Rinaldo & Wasserman (2013).
"""

import math
from array import array
from bisect import bisect_right

import numpy as np

from privrl_core.checks import (
    finite,
    generator,
    instance_of,
    interval,
    nonnegative,
    number,
    positive,
    real,
    whole_number,
    within,
)

__all__ = ["bridge", "OUPath", "OUPaths", "sample_ou"]

_TINY = 1e-300  # keeps a gap that underflows from being 0; adding it changes no other gap


def _bridge(a, b, xp):
    """Weights and variance of `bridge` for scaled gaps; ``xp`` is math for numbers and numpy for arrays."""
    a, b = a + _TINY, b + _TINY
    # sinh overflows long before its ratios do, so the ratios are products of factors that are at most 1
    near, far, whole = -xp.expm1(-2 * a), -xp.expm1(-2 * b), -xp.expm1(-2 * (a + b))
    return xp.exp(-a) * (far / whole), xp.exp(-b) * (near / whole), near * (far / whole)


def bridge(left, x, right, beta):
    r"""Conditional distribution of a unit Ornstein-Uhlenbeck path at ``x``, given its values at ``left`` and ``right``.

    With :math:`a = \beta(x - \text{left})` and :math:`b = \beta(\text{right} - x)`,

    .. math:: g(x) \mid g(\text{left}), g(\text{right}) \sim
              \mathcal N\!\left(w_\ell\, g(\text{left}) + w_r\, g(\text{right}),\ d\right),\qquad
              w_\ell = \tfrac{\sinh b}{\sinh(a+b)},\ w_r = \tfrac{\sinh a}{\sinh(a+b)},\
              d = \tfrac{2 \sinh a \sinh b}{\sinh(a+b)}.

    Parameters: ``left < x < right`` in the units of the state, numbers or arrays; ``left = -inf`` or ``right = inf``
    where there is no neighbour (with :math:`a = \infty`, :math:`w_\ell = 0`, :math:`w_r = e^{-b}`,
    :math:`d = 1 - e^{-2b}`); ``beta > 0`` per unit. Returns ``(w_left, w_right, d)``, no units.
    Raises ValueError if points are not in order.
    Source: corrects Eq. (2) of Wang & Hegde (2019), whose weights are swapped and whose variance is negative.
    """
    left, right = real("left", left), real("right", right)
    beta, x = positive("beta", beta), finite("x", x)
    if not np.all((left < x) & (x < right)):
        raise ValueError(f"points must satisfy left < x < right, got {left}, {x}, {right}")
    return tuple(part[()] for part in _bridge(beta * (x - left), beta * (right - x), np))


class OUPath:
    r"""One sample path of the Gaussian process with kernel :math:`\sigma^2 e^{-\beta|x-y|}`, drawn on demand.

    ``path(x)`` is its value at ``x`` in [low, high], a number or an array in any order. Its distribution is exact however
    the points are chosen, even if they depend on earlier answers, and a repeated query gets the same answer. The n-th
    query takes a binary search and one normal. ``sigma >= 0`` in the units of the values, ``beta > 0`` per unit of ``x``;
    ``rng`` is a generator for this noise alone. ValueError outside these ranges and for points outside [low, high].

    The path is the noise, and knowing it undoes the mechanism: keep ``values`` and ``saved()`` as secret as the data.
    """

    _BLOCK = 500

    def __init__(self, beta: float, sigma: float, rng: np.random.Generator, *, low: float = 0.0, high: float = 1.0):
        self.beta, self.sigma = number(positive, "beta", beta), number(nonnegative, "sigma", sigma)
        self.low, self.high = interval(low, high)
        self._rng, self._normals = generator("rng", rng), []
        self._remember([], [])

    def _remember(self, points, values):
        # sorted, in short blocks, so that an insertion moves few entries; the values at infinity are 0
        points, values = array("d", [-math.inf, *points, math.inf]), array("d", [0.0, *values, 0.0])
        cuts = range(0, len(points), self._BLOCK // 2)
        self._points, self._values = ([part[k:k + self._BLOCK // 2] for k in cuts] for part in (points, values))
        self._firsts = [block[0] for block in self._points]

    def __call__(self, x):
        if type(x) is float:
            return self._value(x)
        x = within("x", x, self.low, self.high)
        values = [self._value(point) for point in x.ravel().tolist()]
        return np.reshape(values, x.shape) if x.ndim else values[0]

    def _value(self, x: float) -> float:
        if not self.low <= x <= self.high:
            raise ValueError(f"x must be in [{self.low:g}, {self.high:g}], got {x}")
        which = bisect_right(self._firsts, x) - 1
        points, values = self._points[which], self._values[which]
        place = bisect_right(points, x)
        left, g_left = points[place - 1], values[place - 1]
        if left == x:
            return g_left
        if place < len(points):
            right, g_right = points[place], values[place]
        else:
            right, g_right = self._points[which + 1][0], self._values[which + 1][0]
        w_left, w_right, d = _bridge(self.beta * (x - left), self.beta * (right - x), math)
        if not self._normals:
            self._normals = self._rng.standard_normal(256).tolist()
        value = w_left * g_left + w_right * g_right + self.sigma * math.sqrt(d) * self._normals.pop()
        points.insert(place, x)
        values.insert(place, value)
        if len(points) > self._BLOCK:
            half = self._BLOCK // 2
            self._firsts.insert(which + 1, points[half])
            for blocks, block in ((self._points, points), (self._values, values)):
                blocks.insert(which + 1, block[half:])
                del block[half:]
        return value

    @property
    def points(self) -> np.ndarray:
        """The points where the path has been queried, in ascending order."""
        return np.concatenate(self._points)[1:-1]

    @property
    def values(self) -> np.ndarray:
        """Its values at `points`."""
        return np.concatenate(self._values)[1:-1]

    def saved(self) -> dict:
        """The complete state of the path in numbers, lists and dictionaries, which JSON stores without rounding."""
        return dict(beta=self.beta, sigma=self.sigma, low=self.low, high=self.high, points=self.points.tolist(),
                    values=self.values.tolist(), normals=list(self._normals), generator=self._rng.bit_generator.state)

    @classmethod
    def continued(cls, saved: dict) -> "OUPath":
        """The path that was `saved`: it repeats its earlier values and continues as the original would have."""
        generator = getattr(np.random, saved["generator"]["bit_generator"])()
        generator.state = saved["generator"]
        path = cls(saved["beta"], saved["sigma"], np.random.Generator(generator), low=saved["low"], high=saved["high"])
        path._normals = list(saved["normals"])
        path._remember(saved["points"], saved["values"])
        return path


class OUPaths:
    r"""Independent paths with kernels :math:`\sigma^2 e^{-\beta|x-y|}`, each queried at one point per call.

    ``paths(x)`` takes ``x`` that broadcasts to ``shape`` and returns values of that shape; ``beta`` and ``sigma``
    broadcast to it too. Distribution, repeated queries and errors as for `OUPath`. ``restart(points)`` begins new paths,
    samples them at ``points[..., n]``, if given (leading axes broadcast to ``shape``), and returns the values there.
    A call takes a scan of the latest points and a binary search among all earlier ones, in all paths at once.
    """

    _LATEST = 128

    def __init__(self, beta, sigma, rng: np.random.Generator, *, shape: tuple[int, ...],
                 low: float = 0.0, high: float = 1.0):
        self.shape = tuple(whole_number("shape", size, least=1) for size in instance_of(tuple, "shape", shape))
        self._rng = generator("rng", rng)
        self.low, self.high = interval(low, high)
        self.beta = np.broadcast_to(positive("beta", beta), shape)
        self.sigma = np.broadcast_to(nonnegative("sigma", sigma), shape)
        self._beta, self._sigma, self._each = self.beta.ravel(), self.sigma.ravel(), np.arange(self.beta.size)
        self.restart()

    def restart(self, points=None) -> np.ndarray | None:
        # the sorted points of each path between -inf and inf, where the values are 0: the latest points in columns, so
        # that an insertion moves whole rows, and all earlier points in rows
        runs = len(self._each)
        self._points, self._values = np.full((self._LATEST, runs), np.inf), np.zeros((self._LATEST, runs))
        self._points[0], self._n = -np.inf, 2
        self._earlier = np.tile([-np.inf, np.inf], (runs, 1)), np.zeros((runs, 2))
        if points is None:
            return None
        points = within("points", points, self.low, self.high)
        order, shape = np.argsort(points, axis=-1), (*self.shape, points.shape[-1])
        in_order = np.broadcast_to(np.take_along_axis(points, order, axis=-1), shape)
        path = _sample_in_order(in_order, self.beta[..., None], self.sigma[..., None], self._rng)
        self._earlier = tuple(np.pad(part.reshape(runs, -1), [(0, 0), (1, 1)], constant_values=ends)
                              for part, ends in ((in_order, (-np.inf, np.inf)), (path, 0)))
        values = np.empty(shape)
        np.put_along_axis(values, np.broadcast_to(order, shape), path, axis=-1)
        return values

    def _merge(self):
        """Move the latest points to the earlier ones."""
        latest = self._points[1:-1].T, self._values[1:-1].T
        points, values = (np.concatenate(pair, axis=1) for pair in zip(self._earlier, latest))
        order = np.argsort(points, axis=1, kind="stable")
        self._earlier = tuple(np.take_along_axis(part, order, axis=1) for part in (points, values))
        self._points[1:], self._n = np.inf, 2

    def __call__(self, x) -> np.ndarray:
        x = np.broadcast_to(within("x", x, self.low, self.high), self.shape).ravel()
        if self._n == self._LATEST:
            self._merge()
        n, each, points, values = self._n, self._each, self._points, self._values
        before = points[:n] <= x
        place = before.sum(axis=0)
        left, g_left, right, g_right = (part[k, each] for k in (place - 1, place) for part in (points, values))
        earlier, g = self._earlier
        if earlier.shape[1] > 2:
            k = _rank(earlier, x)
            nearer = earlier[each, k - 1] > left
            left, g_left = np.where(nearer, earlier[each, k - 1], left), np.where(nearer, g[each, k - 1], g_left)
            nearer = earlier[each, k] < right
            right, g_right = np.where(nearer, earlier[each, k], right), np.where(nearer, g[each, k], g_right)
        w_left, w_right, d = _bridge(self._beta * (x - left), self._beta * (right - x), np)
        # for a repeated query left = x: the weights are 1 and 0, and the variance is 0
        value = w_left * g_left + w_right * g_right + self._sigma * np.sqrt(d) * self._rng.standard_normal(len(each))
        for part, new in ((points, x), (values, value)):
            part[1:n + 1] = np.where(before, part[1:n + 1], part[:n])
            part[place, each] = new
        self._n += 1
        return value.reshape(self.shape)


def _rank(rows: np.ndarray, x: np.ndarray) -> np.ndarray:
    """How many entries of each sorted row, whose last entry is infinite, are at most ``x``: one binary search for all."""
    each, count = np.arange(len(x)), np.zeros(len(x), dtype=int)
    for step in 2 ** np.arange(rows.shape[1].bit_length() - 1, -1, -1):
        count += step * (rows[each, np.minimum(count + step, rows.shape[1]) - 1] <= x)
    return count


def sample_ou(points, beta, sigma, rng: np.random.Generator) -> np.ndarray:
    r"""Paths with kernels :math:`\sigma^2 e^{-\beta|x-y|}` at known points: ``values[..., n]`` at ``points[..., n]``.

    From left to right, with gaps :math:`h_i` (:math:`h_0 = \infty`) and independent standard normals :math:`z_i`,

    .. math:: g_i = e^{-\beta h_i} g_{i-1} + \sigma \sqrt{1 - e^{-2\beta h_i}}\; z_i .

    The points may be unsorted and repeated. There is one path for each index of the leading axes, with which ``beta > 0``
    and ``sigma >= 0`` broadcast. Raises ValueError outside these ranges. Takes a sort and a few passes.
    """
    points = finite("points", points)
    if not points.ndim:
        raise ValueError("points must be an array, got a number")
    beta, sigma = positive("beta", beta)[..., None], nonnegative("sigma", sigma)[..., None]
    if not beta.size or not sigma.size:
        raise ValueError(f"beta and sigma must not be empty, got {beta.size} and {sigma.size} numbers")
    points = np.broadcast_to(points, np.broadcast_shapes(points.shape, beta.shape, sigma.shape))
    order = np.argsort(points, axis=-1)
    path = _sample_in_order(np.take_along_axis(points, order, axis=-1), beta, sigma, rng)
    values = np.empty_like(path)
    np.put_along_axis(values, order, path, axis=-1)
    return values


def _sample_in_order(points, beta, sigma, rng):
    generator("rng", rng)
    gaps = np.diff(points, axis=-1, prepend=-np.inf)
    push = sigma * np.sqrt(-np.expm1(-2 * beta * gaps)) * rng.standard_normal(points.shape)
    return _recursion(np.exp(-beta * gaps), push)


def _recursion(decay: np.ndarray, push: np.ndarray) -> np.ndarray:
    """y_i = decay_i y_{i-1} + push_i along the last axis, in 2 sqrt(n) vectorised steps.

    First y within all blocks at once, as a function of the last y before the block, then from block to block.
    """
    n = push.shape[-1]
    size = max(math.isqrt(n), 1)
    padding = [(0, 0)] * (push.ndim - 1) + [(0, -n % size)]
    decay, push = (np.pad(part, padding).reshape(*part.shape[:-1], -1, size) for part in (decay, push))
    for j in range(1, size):
        push[..., j] += decay[..., j] * push[..., j - 1]
        decay[..., j] *= decay[..., j - 1]
    for k in range(1, push.shape[-2]):
        push[..., k, :] += decay[..., k, :] * push[..., k - 1, -1:]
    return push.reshape(*push.shape[:-2], -1)[..., :n]
