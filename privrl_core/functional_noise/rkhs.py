r"""The functions that Ornstein-Uhlenbeck noise can hide, and how much noise they need: the space H^1 and its norm.

If a Gaussian process with kernel :math:`\sigma^2 e^{-\beta|x-y|}` is added to f or to f', telling the two apart is exactly
as hard as for two unit Gaussians whose means differ by :math:`\mu = \lVert f - f' \rVert_H / \sigma`.
A network with one input and ReLU units is piecewise linear, so its norm is a finite sum.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from privrl_core.checks import Record, finite, instance_of, interval, number, positive, set_fields, within

__all__ = ["PiecewiseLinear", "relu_network", "rkhs_norm"]


@dataclass(frozen=True, eq=False)
class PiecewiseLinear(Record):
    """A continuous function, or m of them, linear between its knots: ``knots[n]``, ``values[n]`` or ``values[n, m]``.

    ``knots`` are strictly ascending, n >= 2; the domain is [knots[0], knots[-1]]. ``f(x)`` evaluates the function, and
    ``f - g`` is exact, on the knots of both. ValueError for anything else.
    """

    knots: np.ndarray
    values: np.ndarray

    def __post_init__(self):
        knots, values = finite("knots", self.knots), finite("values", self.values)
        if knots.ndim != 1 or len(knots) < 2 or not np.all(np.diff(knots) > 0):
            raise ValueError(f"knots must be at least two ascending numbers, got {self.knots}")
        if values.ndim not in (1, 2) or len(values) != len(knots):
            raise ValueError(f"values must have shape [{len(knots)}] or [{len(knots)}, m], got {list(values.shape)}")
        set_fields(self, knots=knots, values=values)

    def __call__(self, x) -> np.ndarray:
        x = within("x", x, self.knots[0], self.knots[-1])
        left = np.clip(np.searchsorted(self.knots, x, side="right") - 1, 0, len(self.knots) - 2)
        share = (x - self.knots[left]) / np.diff(self.knots)[left]
        share = share.reshape(x.shape + (1,) * (self.values.ndim - 1))
        return (1 - share) * self.values[left] + share * self.values[left + 1]

    def __sub__(self, other: "PiecewiseLinear") -> "PiecewiseLinear":
        if (self.knots[0], self.knots[-1]) != (other.knots[0], other.knots[-1]):
            raise ValueError("functions must be defined on the same interval")
        knots = np.union1d(self.knots, other.knots)
        return PiecewiseLinear(knots, self(knots) - other(knots))


def relu_network(weights, biases, *, low: float = 0.0, high: float = 1.0) -> PiecewiseLinear:
    r"""The network :math:`W_\ell\,\mathrm{relu}(\cdots\mathrm{relu}(W_1 x + b_1)\cdots) + b_\ell`, exactly.

    On [low, high], with one input. ``weights[i]`` has shape [units of layer i, units of the layer before] (1 for the
    input) and ``biases[i]`` [units], as in torch. Each layer adds a knot wherever a unit changes sign. The result has
    ``values[n, outputs]``. ValueError for shapes that do not fit.
    """
    knots = np.array(interval(low, high))
    if len(instance_of(Sequence, "weights", weights)) != len(instance_of(Sequence, "biases", biases)) or not weights:
        raise ValueError(f"weights and biases must have equal length, at least 1, got {len(weights)} and {len(biases)}")
    values = knots[:, None]
    for layer, (weight, bias) in enumerate(zip(weights, biases)):
        weight, bias = finite("weights", weight), finite("biases", bias)
        if weight.ndim != 2 or weight.shape != (*bias.shape, values.shape[1]):
            raise ValueError(f"weights[{layer}] must have shape [units, {values.shape[1]}] and biases[{layer}] [units],"
                             f" got {list(weight.shape)} and {list(bias.shape)}")
        values = values @ weight.T + bias
        if layer < len(weights) - 1:
            before, after = values[:-1], values[1:]
            piece, unit = np.nonzero(before * after < 0)
            share = before[piece, unit] / (before[piece, unit] - after[piece, unit])
            crossings = knots[piece] + share * np.diff(knots)[piece]
            finer = np.union1d(knots, crossings)
            values, knots = np.maximum(PiecewiseLinear(knots, values)(finer), 0), finer
    return PiecewiseLinear(knots, values)


def rkhs_norm(f: PiecewiseLinear, beta: float):
    r"""The norm (not its square) in the Hilbert space with kernel :math:`e^{-\beta|x-y|}` on the domain [a, b] of ``f``.

    .. math:: \lVert f \rVert_H^2 = \tfrac12\bigl(f(a)^2 + f(b)^2\bigr)
              + \tfrac{1}{2\beta} \int_a^b \bigl(f'(x)^2 + \beta^2 f(x)^2\bigr)\, dx ,

    which is exact for piecewise-linear functions; for others in H^1 it is the limit over finer knots. Returns a number,
    or [m] for m functions. ``beta > 0``; ValueError otherwise. Source: Wang & Hegde (2019), Lemma 6.
    """
    f, beta = instance_of(PiecewiseLinear, "f", f), number(positive, "beta", beta)
    width = np.diff(f.knots).reshape(-1, *(1,) * (f.values.ndim - 1))
    left, right = f.values[:-1], f.values[1:]
    ends = (f.values[0]**2 + f.values[-1]**2) / 2
    slopes = np.sum((right - left)**2 / width, axis=0)
    squares = np.sum(width * (left**2 + left * right + right**2) / 3, axis=0)
    return np.sqrt(ends + slopes / (2 * beta) + beta / 2 * squares)[()]
