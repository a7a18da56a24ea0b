"""What an explorer shows, declared and checked: sliders, curves, numbers and words."""

import math
import string
from dataclasses import KW_ONLY, dataclass
from functools import cached_property

import numpy as np

from privrl_core.formatting import round_up, show
from privrl_core.pages.explorer.tables import Axis, Choice, Combination, Quantity, Slider, Table, check, constant, ticks
from privrl_core.pages.theme import DASHES, PALETTE, REFERENCE, REFERENCE_DASHES

__all__ = ["Curve", "Readout", "Follower", "Derived", "Scene"]

PROBES = 50  # positions at which tests compare the page with the functions behind its tables
PLACES = 2_000  # about the largest number of positions at which upper bounds are compared with those functions here


@dataclass(frozen=True, eq=False)
class Curve:
    """A quantity drawn over the x axis, with a band from ``low`` to ``high`` if both are given.

    A ``reference`` is the result without privacy; it is drawn in a different style. ``at_most`` as in
    `Readout`.
    """

    label: str
    quantity: Quantity
    _: KW_ONLY
    low: Quantity | None = None
    high: Quantity | None = None
    reference: bool = False
    at_most: bool = False

    def __post_init__(self):
        if (self.low is None) != (self.high is None):
            raise ValueError(f"curve {self.label!r}: a band needs both low and high")

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        return (self.quantity,) if self.low is None else (self.quantity, self.low, self.high)


@dataclass(frozen=True, eq=False)
class Readout:
    """A number shown under the picture: its ``label``, its value to ``digits`` significant digits, its ``unit``.

    ``{name}`` stands for the number in the texts of the explorer. With ``at_most`` the number shown is never below the exact
    one: a margin for interpolation errors is added, and the result is rounded up. Use this for every number of a guarantee
    (ε, δ, the noise that it needs). Raises ValueError for fewer than 3 digits.
    """

    name: str
    label: str
    quantity: Quantity
    _: KW_ONLY
    digits: int = 3
    unit: str = ""
    at_most: bool = False

    def __post_init__(self):
        if not self.name.isidentifier():
            raise ValueError(f"name must be a Python identifier, got {self.name!r}")
        if self.digits < 3:
            raise ValueError(f"readout {self.name!r}: digits must be at least 3, got {self.digits}")


@dataclass(frozen=True, eq=False)
class Follower:
    """When the reader moves one of the sliders ``of``, this ``slider`` moves to the value in ``table``.

    Two of (ε, δ, σ) are free and the third follows: ``Follower(sigma, table_of_sigma, of=(epsilon, delta))``
    and ``Follower(epsilon, table_of_epsilon, of=(sigma,))``, where the second table has the axes σ and δ.
    A follower is rounded up like a `Readout` with ``at_most``. At the end of its range it stops the slider that moves it.
    """

    slider: Slider
    table: Table
    _: KW_ONLY
    of: tuple[Slider, ...]


@dataclass(frozen=True, eq=False)
class Derived:
    """A number without a slider that is an axis of other tables: its value is that of ``table``.

    Raises ValueError unless the values of the table lie within the axis.
    """

    axis: Axis
    table: Table

    def __post_init__(self):
        low, high = self.table.values.min(), self.table.values.max()
        if low < self.axis.low or high > self.axis.high:
            raise ValueError(f"derived {self.axis.name!r}: the axis must hold the values of its table, from {low:.6g}"
                             f" to {high:.6g}; got the range {self.axis.low:.6g} to {self.axis.high:.6g}")


@dataclass(frozen=True, eq=False, kw_only=True)
class Scene:
    """The arguments of `explore`. Raises ValueError for what could not be drawn, or would be drawn incorrectly."""

    name: str
    sliders: tuple[Slider | Choice, ...]
    x: Axis
    y: Axis
    curves: tuple[Curve, ...]
    readouts: tuple[Readout, ...]
    followers: tuple[Follower, ...]
    derived: tuple[Derived, ...]
    guarantee: str
    alt: str
    caption: str
    bars: bool = False
    dots: bool = False

    def __post_init__(self):
        if not self.name.isidentifier():
            raise ValueError(f"name must be a Python identifier, got {self.name!r}")
        if not self.sliders or not self.curves:
            raise ValueError(f"{self.name}: at least one slider and one curve, got {len(self.sliders)} and"
                             f" {len(self.curves)}")
        references = sum(curve.reference for curve in self.curves)
        if len(self.curves) - references > len(PALETTE) or references > len(REFERENCE_DASHES):
            raise ValueError(f"{self.name}: at most {len(PALETTE)} curves and {len(REFERENCE_DASHES)} references can be"
                             f" told apart, got {len(self.curves) - references} and {references}")
        banded = any(curve.low is not None for curve in self.curves)
        both = self.bars and self.dots
        if (self.bars or self.dots) and (self.x in self.sliders or self.x.scale == "log" or banded or both):
            raise ValueError(f"{self.name}: bars or dots must stand on a linear x that is no slider, and have no band")
        self._check_names()
        self._check_axes()
        self._check_followers()
        self._check_every_slider_moves_something()
        self._check_texts()
        self.probes  # noqa: B018  compares interpolated numbers with exact ones

    def _check_names(self):
        declared = [axis.name for axis in self.sliders] + [derived.axis.name for derived in self.derived]
        declared += [readout.name for readout in self.readouts]
        if self.x not in self.sliders:
            declared.append(self.x.name)
        for name in declared:
            if declared.count(name) > 1:
                raise ValueError(f"{self.name}: the name {name!r} is given more than once")

    def _check_axes(self):
        known = {axis.name: axis for axis in [*self.sliders, self.x]}
        for derived in self.derived:
            self._check_known(derived.table, known)
            known[derived.axis.name] = derived.axis
        for curve in self.curves:
            for quantity in curve.quantities:
                self._check_known(quantity, known)
        without_x = {name: axis for name, axis in known.items() if axis in self.sliders}
        for derived in self.derived:
            if all(axis.name in without_x for axis in derived.table.axes):
                without_x[derived.axis.name] = derived.axis
        for follower in self.followers:
            self._check_known(follower.table, without_x)
        for readout in self.readouts:
            self._check_known(readout.quantity, without_x)

    def _check_known(self, quantity: Quantity, known: dict[str, Axis | Choice]):
        for axis in quantity.axes:
            if axis.name not in known:
                raise ValueError(f"{self.name}: a table has the axis {axis.name!r}, which is not one of"
                                 f" {', '.join(known)}")
            if _grid(axis) != _grid(known[axis.name]):
                raise ValueError(f"{self.name}: a table was computed on another axis called {axis.name!r}")

    def _check_followers(self):
        for follower in self.followers:
            for slider in (follower.slider, *follower.of):
                if slider not in self.sliders or isinstance(slider, Choice):
                    raise ValueError(f"{self.name}: {slider.name!r} follows or is followed, but is not a slider of numbers")
            expected = float((follower.table.exact if follower.table.function else follower.table.at)(**self.initial))
            if not -1e-6 <= self.initial[follower.slider.name] / expected - 1 <= 0.02:
                raise ValueError(f"{self.name}: initial of {follower.slider.name!r} must agree with its table, rounded up,"
                                 f" {round_up(expected):g}, got {follower.slider.initial:.6g}")
            if self.x in follower.of and any(follower.slider in quantity.axes for curve in self.curves
                                             for quantity in curve.quantities):
                raise ValueError(f"{self.name}: curves over {self.x.name!r} cannot be computed from"
                                 f" {follower.slider.name!r}, which follows it")

    def _check_every_slider_moves_something(self):
        reached = {axis.name for curve in self.curves for quantity in curve.quantities for axis in quantity.axes}
        reached.add(self.x.name)  # its slider moves the marker
        for derived in reversed(self.derived):
            if derived.axis.name in reached:
                reached.update(axis.name for axis in derived.table.axes)
        for slider in self.sliders:
            pulled = {follower.slider.name for follower in self.followers if slider in follower.of}
            if not (pulled | {slider.name}) & reached:
                raise ValueError(f"{self.name}: the slider {slider.name!r} moves nothing in the picture")

    def _check_texts(self):
        known = {axis.name for axis in self.sliders} | {readout.name for readout in self.readouts}
        for kind in ("guarantee", "alt", "caption"):
            fields = {field for _, field, _, _ in string.Formatter().parse(getattr(self, kind)) if field is not None}
            if unknown := fields - known:
                raise ValueError(f"{self.name}: {kind} names {sorted(unknown)}, but only {sorted(known)} are known")
            if kind != "caption" and not fields:
                raise ValueError(f"{self.name}: {kind} must name the value of a slider, as in '{{{self.sliders[0].name}}}'")

    @property
    def initial(self) -> dict[str, object]:
        return {slider.name: slider.initial if isinstance(slider, Choice) else float(slider.seen(slider.initial))
                for slider in self.sliders}

    def evaluate(self, quantity: Quantity, values: dict[str, object], exact: bool = False):
        """A quantity at given values of the sliders and of x, with derived values filled in; see `Quantity`."""
        look_up = (lambda q, v: q.exact(**v)) if exact else (lambda q, v: q.at(**v))
        values = dict(values)
        for derived in self.derived:
            if all(axis.name in values for axis in derived.table.axes):
                values[derived.axis.name] = look_up(derived.table, values)
        return look_up(quantity, values)

    def at_most(self, quantity: Quantity, values: dict[str, object]):
        """As `evaluate`, but never below the exact number."""
        return self.evaluate(self.raised[quantity], values)

    def words(self, text: str) -> str:
        """A text with the initial values in it."""
        values = {axis.name: axis.initial if isinstance(axis, Choice) else show(axis.initial) for axis in self.sliders}
        for r in self.readouts:
            found = (round_up(float(self.at_most(r.quantity, self.initial)), r.digits) if r.at_most
                     else float(self.evaluate(r.quantity, self.initial)))
            values[r.name] = show(found, r.digits)
        return text.format_map(values)

    @cached_property
    def axes(self) -> dict[str, Axis | Choice]:
        return {axis.name: axis for axis in [*self.sliders, self.x, *(derived.axis for derived in self.derived)]}

    @cached_property
    def raised(self) -> dict[Quantity, Quantity]:
        """What the page shows for every quantity with ``at_most`` and every table of a follower: see `_raised`."""
        shown = {curve.quantity: curve.label for curve in self.curves if curve.at_most}
        shown |= {readout.quantity: readout.name for readout in self.readouts if readout.at_most}
        return {f.table: self._raised(f.table, f.slider.name, f.slider.low, f.slider.high) for f in self.followers} | {
            quantity: self._raised(quantity, name) for quantity, name in shown.items()}

    def _raised(self, quantity: Quantity, what: str, low: float = -math.inf, high: float = math.inf) -> Quantity:
        r""":math:`\min\{(1 + m)\, y,\ l\}`, never below the exact number, for an interpolated :math:`y`.

        :math:`m` is 1.5 times the largest relative shortfall measured where the exact number is between ``low`` and
        ``high``. :math:`l` is the largest exact number, if it is at a corner, so that no probability is raised above 1.
        Raises ValueError if interpolation is far too low.
        """
        names = {axis.name for axis in quantity.axes}
        for derived in reversed(self.derived):
            if derived.axis.name in names:
                names |= {axis.name for axis in derived.table.axes}
        if all(self.axes[name].on_grid for name in names):
            return quantity  # nothing lies between points
        if not self._closed_form(quantity):
            raise ValueError(f"{self.name}, {what!r}: at_most needs tables with functions, to be compared with them")
        free = [axis for axis in dict.fromkeys((*self.sliders, self.x)) if axis.name in names]
        numbers = [axis for axis in free if isinstance(axis, Axis)]
        cells = int(PLACES ** (1 / max(1, len(numbers))) / 2)
        places = np.meshgrid(*(axis.halves(cells) for axis in free), indexing="ij")
        values = {axis.name: place.ravel() for axis, place in zip(free, places, strict=True)}
        found, exact = (np.broadcast_to(self.evaluate(quantity, values, exact=exact), places[0].size)
                        for exact in (False, True))
        below = (found < exact) & (low <= exact) & (exact <= high)
        margin = 1.5 * float(np.max(exact[below] / found[below] - 1, initial=0))
        if margin > 0.03:
            raise ValueError(f"{self.name}, {what!r}: the grid is too coarse, interpolation is up to {margin / 1.5:.2%}"
                             " too low")
        if margin < 1e-6:
            return quantity  # within the precision of the tables
        corner = np.all([np.isin(values[axis.name], axis.grid[[0, -1]]) for axis in numbers], axis=0)
        more, highest = quantity * (1 + margin), float(exact.max())
        return Combination("min", (more, constant(highest))) if exact[corner].max() == highest else more

    @cached_property
    def samples(self) -> np.ndarray:
        """Where curves are drawn: the grid of x, refined to about 120 points. Bars and dots stand on the grid."""
        if self.bars or self.dots:
            return self.x.grid
        cells = self.x.points - 1
        return self.x.value(np.linspace(0, cells, cells * math.ceil(120 / cells) + 1))

    @cached_property
    def style(self) -> list[tuple[str, tuple[float, ...]]]:
        """Colour and dashes of each curve."""
        private = iter(zip(PALETTE, DASHES, strict=True))
        references = iter((REFERENCE, dashes) for dashes in REFERENCE_DASHES)
        return [next(references if curve.reference else private) for curve in self.curves]

    @cached_property
    def probes(self) -> list[dict]:
        """Positions of the sliders that the keyboard reaches, with the exact numbers there.

        These come from the functions behind the tables, not from the tables. Raises ValueError if the interpolation
        error of one exceeds half a percent.
        """
        pulled = {}  # the first follower of each slider, without those that lead back to an earlier slider
        for follower in self.followers:
            if not pulled.keys() & {slider.name for slider in follower.of} and follower.table.function:
                pulled[follower.slider.name] = follower
        curves = {index: curve.quantity for index, curve in enumerate(self.curves) if self._closed_form(curve.quantity)}
        readouts = {r.name: r.quantity for r in self.readouts if self._closed_form(r.quantity)}
        rng = np.random.default_rng(0)
        free = {s.name: s.random(rng, 20 * PROBES) for s in self.sliders if s.name not in pulled}
        x = self.x.random(rng, PROBES)  # if it is not a slider
        inside = np.ones(20 * PROBES, dtype=bool)
        for follower in pulled.values():
            target = self.at_most(follower.table, free)
            inside &= (follower.slider.low <= target) & (target <= follower.slider.high)
        free = {name: _short(values[inside][:PROBES]) for name, values in free.items()}
        values = dict(free)
        for name, follower in pulled.items():
            values[name] = np.minimum([round_up(at) for at in self.at_most(follower.table, free)], follower.slider.high)
        x = values.get(self.x.name, _short(x[:inside.sum()]))
        followed = {name: follower.table.exact(**free) for name, follower in pulled.items()}
        exact = {name: self._checked(quantity, name, values) for name, quantity in readouts.items()}
        for name, at in exact.items():
            if readouts[name] in self.raised and (self.at_most(readouts[name], values) < at * (1 - 2e-6)).any():
                raise ValueError(f"{self.name}, {name!r}: the function is too irregular for a number that is never below it")
        drawn = {index: self._checked(quantity, self.curves[index].label, values | {self.x.name: x})
                 for index, quantity in curves.items()}
        axes = {slider.name: slider for slider in self.sliders}
        places = {name: axes[name].position(at) if isinstance(axes[name], Choice) else at for name, at in free.items()}
        return [{"sliders": {name: at[k].item() for name, at in places.items()},
                 "followers": {name: _short(at)[k].item() for name, at in followed.items()},
                 "x": x[k].item(),
                 "readouts": {name: _short(at)[k].item() for name, at in exact.items()},
                 "curves": {index: _short(at)[k].item() for index, at in drawn.items()}} for k in range(len(x))]

    def _closed_form(self, quantity: Quantity) -> bool:
        names = {axis.name for axis in quantity.axes}
        return quantity.closed_form and all(derived.table.closed_form for derived in self.derived
                                            if derived.axis.name in names)

    def _checked(self, quantity: Quantity, what: str, values: dict[str, np.ndarray]) -> np.ndarray:
        count = len(next(iter(values.values())))
        shown, exact = (np.broadcast_to(self.evaluate(quantity, values, exact=exact), count) for exact in (False, True))
        check(f"{self.name}, {what!r}", shown, exact, values, 0.005)
        return exact

    @cached_property
    def tables(self) -> list[Table]:
        """Each table once."""
        quantities = [derived.table for derived in self.derived] + [follower.table for follower in self.followers]
        quantities += [quantity for curve in self.curves for quantity in curve.quantities]
        quantities += [readout.quantity for readout in self.readouts]
        quantities += self.raised.values()
        return list(dict.fromkeys(table for quantity in quantities for table in quantity.tables))

    def specification(self) -> dict:
        """The scene as the page reads it. Tables are named by their place in `tables`."""
        place = {table: index for index, table in enumerate(self.tables)}

        def expression(quantity: Quantity | None):
            if isinstance(quantity, Combination):
                return [quantity.operation, *map(expression, quantity.parts)]
            return None if quantity is None else place[quantity]

        def shown(what: Curve | Readout) -> dict:
            return {"value": expression(self.raised[what.quantity] if what.at_most else what.quantity), "up": what.at_most}

        return {
            "name": self.name,
            "axes": {name: _drawn(axis) for name, axis in self.axes.items()},
            "sliders": [slider.name for slider in self.sliders],
            "x": self.x.name,
            "xTicks": ticks(self.x),
            "y": _drawn(self.y),
            "yTicks": ticks(self.y),
            "samples": len(self.samples),
            "bars": self.bars,
            "dots": self.dots,
            "tables": [{"axes": [axis.name for axis in table.axes], "scale": table.scale} for table in self.tables],
            "curves": [{"label": curve.label, **shown(curve), "low": expression(curve.low),
                        "high": expression(curve.high), "reference": curve.reference, "colour": colour,
                        "dash": " ".join(map(str, dash))}
                       for curve, (colour, dash) in zip(self.curves, self.style, strict=True)],
            "readouts": [{"name": r.name, "label": r.label, "digits": r.digits, "unit": r.unit, **shown(r)}
                         for r in self.readouts],
            "followers": [{"slider": f.slider.name, "of": [s.name for s in f.of],
                           "value": expression(self.raised[f.table]), "up": True} for f in self.followers],
            "derived": [{"axis": d.axis.name, "table": place[d.table]} for d in self.derived],
            "guarantee": self.guarantee,
            "alt": self.alt,
            "caption": self.caption,
            "probes": self.probes,
        }


def _short(values: np.ndarray) -> np.ndarray:
    """Numbers rounded to eight digits, which is enough for showing three and halves their length. Words are unchanged."""
    return np.array([float(f"{value:.8g}") for value in values]) if values.dtype.kind == "f" else values


def _grid(axis: Axis | Choice):
    """The properties that make two axes the same axis of a table."""
    return axis.options if isinstance(axis, Choice) else (axis.name, axis.low, axis.high, axis.points, axis.scale)


def _drawn(axis: Axis | Choice) -> dict:
    if isinstance(axis, Choice):
        return {"label": axis.label, "options": [str(option) for option in axis.options]}
    grid = {"grid": axis.grid.tolist(), "onGrid": axis.on_grid} if isinstance(axis, Slider) else {}
    return {"label": axis.label, "low": axis.low, "high": axis.high, "points": axis.points, "scale": axis.scale} | grid
