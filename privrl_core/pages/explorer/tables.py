r"""Axes, and quantities over them that are computed here and looked up in the page.

A table holds a function on the grid of its axes. Between grid points the page interpolates multilinearly, in the
declared scale of each axis and of the values. On a logarithmic axis with a logarithmic table this is exact for every
power law, :math:`y = c\,x^p`.
"""

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property, reduce
from typing import Literal

import numpy as np

from privrl_core.formatting import power, show

__all__ = ["Axis", "Slider", "Choice", "Quantity", "Table", "constant", "quadrature", "largest"]

Scale = Literal["log", "linear"]
OFF_GRID = 64  # points at which a new table is compared with its function


@dataclass(frozen=True)
class Axis:
    """A range of one number, and the grid of ``points`` values on it, evenly spaced in its ``scale``.

    ``name`` is the keyword argument of functions, and ``label`` is shown to readers ("privacy loss ε").
    Raises ValueError unless ``low < high`` are finite (and positive if logarithmic) and ``points >= 2``.
    """

    name: str
    label: str
    low: float
    high: float
    _: KW_ONLY
    points: int = 25
    scale: Scale = "log"

    def __post_init__(self):
        if not self.name.isidentifier():
            raise ValueError(f"name must be a Python identifier, got {self.name!r}")
        if self.scale not in ("log", "linear"):
            raise ValueError(f"{self.name}: scale must be 'log' or 'linear', got {self.scale!r}")
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ValueError(f"{self.name}: low must be below high, both finite, got {self.low} and {self.high}")
        if self.scale == "log" and self.low <= 0:
            raise ValueError(f"{self.name}: low must be positive on a logarithmic scale, got {self.low}")
        if self.points < 2:
            raise ValueError(f"{self.name}: points must be at least 2, got {self.points}")

    @cached_property
    def grid(self) -> np.ndarray:
        return self.value(np.arange(self.points))

    def scaled(self, value):
        """The coordinate in the axis's scale: the decimal logarithm, or the value itself."""
        return np.log10(value) if self.scale == "log" else value

    def unscaled(self, scaled):
        return 10.0**scaled if self.scale == "log" else scaled

    def value(self, position):
        """The value at a position of the grid: 0 is ``low``, ``points - 1`` is ``high``."""
        low, high = self.scaled(self.low), self.scaled(self.high)
        return np.clip(self.unscaled(low + (high - low) * np.asarray(position) / (self.points - 1)),
                       self.low, self.high)

    def position(self, value):
        """The inverse of `value`; values beyond an end have the position of that end."""
        low, high = self.scaled(self.low), self.scaled(self.high)
        share = (self.scaled(np.clip(value, self.low, self.high)) - low) / (high - low)
        return share * (self.points - 1)

    @property
    def on_grid(self) -> bool:
        """Whether the slider can take only values on the grid."""
        return False

    def halves(self, cells: int) -> np.ndarray:
        """Points of the grid, with both ends, and the midpoints of about ``cells`` cells, where errors are largest."""
        first = np.linspace(0, self.points - 2, min(self.points - 1, cells)).round()
        return self.value(np.unique([*first, *first + 0.5, self.points - 1]))

    def random(self, rng: np.random.Generator, count: int) -> np.ndarray:
        return self.value(rng.uniform(0, self.points - 1, count))


@dataclass(frozen=True)
class Slider(Axis):
    """An axis that the reader moves along: about ``steps`` steps from ``low`` to ``high``.

    The reader sees three significant digits, and those are what is looked up: at ε = 1.047 the slider shows and uses 1.05.
    So the grid, too, consists of such numbers. ``low_end`` and ``high_end`` are the labels of its ends.
    The initial value is always on a step. Raises ValueError unless ``low <= initial <= high`` and ``steps >= 2``,
    for ends of more than three digits, and for grid points that agree in three digits.
    """

    initial: float
    _: KW_ONLY
    low_end: str = "more private"
    high_end: str = "more accurate"
    steps: int = 100

    def __post_init__(self):
        super().__post_init__()
        if not self.low <= self.initial <= self.high:
            raise ValueError(f"{self.name}: initial must lie in [{self.low}, {self.high}], got {self.initial}")
        if self.steps < 2:
            raise ValueError(f"{self.name}: steps must be at least 2, got {self.steps}")
        for end in ("low", "high"):
            if (value := getattr(self, end)) != (seen := float(self.seen(value))):
                raise ValueError(f"{self.name}: {end} must be a number of three digits, as {seen:g}, got {value}")
        if (np.diff(self.grid) <= 0).any():
            raise ValueError(f"{self.name}: three digits must tell the points apart, got {self.points}")

    def seen(self, value):
        """The number that is shown and used when the slider is at ``value``."""
        return np.vectorize(lambda number: float(f"{number:.2e}"), otypes=[float])(value)

    @cached_property
    def grid(self) -> np.ndarray:
        return self.seen(self.value(np.arange(self.points)))

    def position(self, value):
        lower = np.clip(np.floor(super().position(value)).astype(int), 0, self.points - 2)
        left, right = self.scaled(self.grid[lower]), self.scaled(self.grid[lower + 1])
        return lower + (self.scaled(np.clip(value, self.low, self.high)) - left) / (right - left)

    @cached_property
    def step(self) -> float:
        """The size of a step: a difference of values, or of their decimal logarithms on a logarithmic scale."""
        low, initial, high = (float(self.scaled(value)) for value in (self.low, self.initial, self.high))
        size = (high - low) / self.steps
        whole = round((initial - low) / size)
        return (initial - low) / whole if whole else size

    def random(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """Values that the keyboard reaches."""
        return rng.choice(self.stops, count)

    @cached_property
    def stops(self) -> np.ndarray:
        """All values that the keyboard reaches, in ascending order."""
        low, high = self.scaled(self.low), self.scaled(self.high)
        return np.unique(self.seen(np.append(self.unscaled(np.arange(low, high, self.step)), self.high)))

    @cached_property
    def on_grid(self) -> bool:
        return bool(np.isin(self.stops, self.grid).all())

    def halves(self, cells: int) -> np.ndarray:
        if self.on_grid:
            return self.grid[np.linspace(0, self.points - 1, min(self.points, cells + 1)).round().astype(int)]
        return self.seen(super().halves(cells))


@dataclass(frozen=True)
class Choice:
    """A slider over a few values without interpolation between them: 1, 2, 4 or 8 states per group.

    Raises ValueError unless there are at least two different options and ``initial`` is one of them.
    """

    name: str
    label: str
    options: tuple
    initial: object
    _: KW_ONLY
    low_end: str = ""
    high_end: str = ""

    def __post_init__(self):
        if not self.name.isidentifier():
            raise ValueError(f"name must be a Python identifier, got {self.name!r}")
        if len(set(self.options)) < max(2, len(self.options)):
            raise ValueError(f"{self.name}: options must be at least two and all different, got {self.options}")
        if self.initial not in self.options:
            raise ValueError(f"{self.name}: initial must be one of {self.options}, got {self.initial!r}")

    @property
    def points(self) -> int:
        return len(self.options)

    @property
    def grid(self) -> tuple:
        return self.options

    def position(self, value):
        return np.vectorize(self.options.index)(value)

    on_grid = True

    def halves(self, cells: int) -> np.ndarray:
        return np.array(self.options)

    def random(self, rng: np.random.Generator, count: int) -> np.ndarray:
        return np.asarray(self.options)[rng.integers(self.points, size=count)]


class Quantity:
    """A quantity to draw or to show: a table, or a product, quotient, sum, difference, quadrature or maximum of
    quantities."""

    def at(self, **values):
        """The number that the page shows, by interpolation in tables. One value per axis, arrays broadcast."""
        raise NotImplementedError

    def exact(self, **values):
        """The exact number, by calling the functions. Only for tables made by `Table.of`."""
        raise NotImplementedError

    @property
    def tables(self) -> tuple["Table", ...]:
        raise NotImplementedError

    @property
    def closed_form(self) -> bool:
        return all(table.function or not table.axes for table in self.tables)

    def __mul__(self, other):
        return Combination("*", (self, constant(other)))

    __rmul__ = __mul__

    def __truediv__(self, other):
        return Combination("/", (self, constant(other)))

    def __add__(self, other):
        return Combination("+", (self, constant(other)))

    def __sub__(self, other):
        return Combination("-", (self, constant(other)))


@dataclass(frozen=True, eq=False)
class Table(Quantity):
    """Values on the grid of some axes: ``values[i, j, ...]`` belongs to ``axes[0].grid[i], axes[1].grid[j], ...``.

    ``scale`` is the scale in which values are interpolated; logarithmic ones must be positive.
    Raises ValueError for a shape that is not that of the axes, and for NaN and infinities.
    """

    axes: tuple[Axis | Choice, ...]
    values: np.ndarray
    _: KW_ONLY
    scale: Scale = "log"
    function: Callable | None = field(default=None, repr=False)

    def __post_init__(self):
        values = np.asarray(self.values, dtype=float)
        object.__setattr__(self, "axes", tuple(self.axes))
        object.__setattr__(self, "values", values)
        names = [axis.name for axis in self.axes]
        where = f"table over ({', '.join(names)})"
        if len(set(names)) < len(names):
            raise ValueError(f"{where}: axes must have different names")
        if self.scale not in ("log", "linear"):
            raise ValueError(f"{where}: scale must be 'log' or 'linear', got {self.scale!r}")
        if values.shape != (shape := tuple(axis.points for axis in self.axes)):
            raise ValueError(f"{where}: values must have the shape {shape} of the axes, got {values.shape}")
        if not np.isfinite(values).all():
            raise ValueError(f"{where}: values must be finite, got {values[~np.isfinite(values)].flat[0]}")
        if self.scale == "log" and (values <= 0).any():
            raise ValueError(f"{where}: values must be positive on a logarithmic scale, got {values.min()}")

    @classmethod
    def of(cls, function: Callable, *axes: Axis | Choice, scale: Scale = "log", tolerance: float = 0.005) -> "Table":
        """The table of ``function(**{axis.name: value})`` on the grid of ``axes``, checked between its points.

        The function takes arrays, one value of each axis for every point of the grid, and returns an array of
        that shape; ``np.vectorize`` converts a function of numbers into one of arrays. It is called
        again at 64 random points off the grid. If the relative interpolation error exceeds ``tolerance`` at
        one of them, ValueError gives the point and the error. The default, half a percent, is the rounding error of the
        three digits shown.
        """
        points = np.meshgrid(*(axis.grid for axis in axes), indexing="ij")
        values = function(**{axis.name: point for axis, point in zip(axes, points, strict=True)})
        table = cls(axes, values, scale=scale, function=function)
        rng = np.random.default_rng(0)
        between = {axis.name: axis.random(rng, OFF_GRID) for axis in axes}
        check(function.__name__, table.at(**between), table.exact(**between), between, tolerance)
        return table

    @property
    def tables(self) -> tuple["Table", ...]:
        return (self,)

    @cached_property
    def stored(self) -> np.ndarray:
        """The values for the page: in single precision, in the scale of interpolation."""
        return (np.log(self.values) if self.scale == "log" else self.values).astype(np.float32)

    def at(self, **values):
        from scipy.ndimage import map_coordinates

        positions = np.broadcast_arrays(*(axis.position(values[axis.name]) for axis in self.axes))
        found = (map_coordinates(self.stored.astype(float), [np.ravel(p) for p in positions], order=1,
                                 mode="nearest").reshape(positions[0].shape) if self.axes else self.stored)
        return np.exp(found, dtype=float) if self.scale == "log" else found

    def exact(self, **values):
        return self.function(**{axis.name: values[axis.name] for axis in self.axes}) if self.axes else self.values


OPERATIONS = {"*": np.multiply, "/": np.divide, "hypot": np.hypot, "max": np.maximum, "min": np.minimum,
              "+": np.add, "-": np.subtract}


@dataclass(frozen=True, eq=False)
class Combination(Quantity):
    """Quantities combined by one of `OPERATIONS`, which the page implements too."""

    operation: str
    parts: tuple[Quantity, ...]

    @property
    def tables(self) -> tuple[Table, ...]:
        return tuple(table for part in self.parts for table in part.tables)

    @property
    def axes(self) -> tuple[Axis | Choice, ...]:
        return tuple(dict.fromkeys(axis for table in self.tables for axis in table.axes))

    def at(self, **values):
        return reduce(OPERATIONS[self.operation], (part.at(**values) for part in self.parts))

    def exact(self, **values):
        return reduce(OPERATIONS[self.operation], (part.exact(**values) for part in self.parts))


def constant(value: float | Quantity) -> Quantity:
    """A number as a quantity: a table without axes."""
    return value if isinstance(value, Quantity) else Table((), np.asarray(value), scale="linear")


def quadrature(*parts: float | Quantity) -> Quantity:
    r""":math:`\sqrt{a^2 + b^2 + \dots}`, the rule for adding independent errors."""
    return Combination("hypot", tuple(map(constant, parts)))


def largest(*parts: float | Quantity) -> Quantity:
    """The largest of several quantities. Each is interpolated separately, so that kinks where they cross stay sharp."""
    return Combination("max", tuple(map(constant, parts)))


def check(what: str, shown: np.ndarray, exact: np.ndarray, where: dict[str, np.ndarray], tolerance: float):
    """ValueError, naming the worst point, if the relative interpolation error exceeds ``tolerance``."""
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.where(shown == exact, 0, np.abs(shown / exact - 1))
    worst = int(np.argmax(error))
    if not error[worst] <= tolerance:
        place = ", ".join(f"{name} = {values[worst]}" for name, values in where.items())
        raise ValueError(f"{what}: the grid is too coarse, interpolation gives {shown[worst]:.6g} instead of"
                         f" {exact[worst]:.6g} at {place}; give the axes more points")


def ticks(axis: Axis) -> list[tuple[float, str]]:
    """Round values along an axis and their labels: powers of ten, and 2 and 5 times them on a short logarithmic axis."""
    low, high = float(axis.scaled(axis.low)), float(axis.scaled(axis.high))
    if axis.scale == "log":
        stride = math.ceil((high - low) / 8)
        found = [factor * 10.0**exponent for exponent in range(math.floor(low), math.ceil(high) + 1)
                 if exponent % stride == 0 for factor in ((1,) if high - low > 2.5 else (1, 2, 5))]
    elif axis.points == 2:
        found = [low, high]  # two bars: each is labelled where it stands
    else:
        unit = 10.0 ** math.floor(math.log10((high - low) / 6))
        step = next(unit * factor for factor in (1, 2, 5, 10) if 6 * unit * factor >= high - low)
        found = [count * step for count in range(math.floor(low / step), math.ceil(high / step) + 1)]
    slack = 1e-9 * (high - low)
    found = [value for value in found if low - slack <= axis.scaled(value) <= high + slack]
    if axis.scale == "log" and high - low > 2.5 and not all(1e-3 <= value < 1e6 for value in found):
        # the same notation for all labels
        return [(value, show(value) if value in (1, 10) else power(round(math.log10(value)))) for value in found]
    return [(value, show(value)) for value in found]
