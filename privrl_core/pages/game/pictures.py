"""What is drawn of a round: a curve, stems or one number, what to compare it with, and what is left without the others."""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from privrl_core.checks import Record, finite, instance_of, interval, number, set_fields, shaped, whole_number
from privrl_core.formatting import show
from privrl_core.pages.game.levels import words

__all__ = ["Curve", "Stems", "Number", "Beside", "Subtract", "Walk", "World"]


@dataclass(frozen=True, eq=False)
class World(Record):
    """One of the two answers: its ``name`` in keys and tables, the words on its button, and the sentence that tells it."""

    name: str
    bet: str
    truth: str

    def __post_init__(self):
        words(self, "name", "bet", "truth")


@dataclass(frozen=True, eq=False)
class Beside(Record):
    """What the published values are compared with: ``values[d]``, in the units of the picture, and a ``label``.

    ``values[levels, d]`` has a row for each level, where what is compared changes from one to the next.
    ``world`` is 0 or 1 if it is what one of the worlds would add, and gives it the colour of that world.
    """

    label: str
    values: np.ndarray
    _: KW_ONLY
    world: int | None = None

    def __post_init__(self):
        words(self, "label")
        world = self.world if self.world is None else whole_number("world", self.world, least=0, most=1)
        values = finite("values", self.values)
        set_fields(self, values=shaped("values", values, ("levels", "d") if values.ndim == 2 else ("d",)), world=world)


@dataclass(frozen=True, eq=False)
class _Picture(Record):
    title: str
    _: KW_ONLY
    y: str
    x: str = ""
    low: float | None = None
    high: float | None = None
    first: int = 1
    unit: str = ""
    key: str = "published"
    values: tuple[tuple[float, str], ...] = ()
    beside: tuple[Beside, ...] = ()

    def __post_init__(self):
        words(self, "title", "y", "x", "unit", "key")
        set_fields(self, values=named(self.values))
        if (self.low is None) != (self.high is None):
            raise ValueError(f"low and high must both be given, or none, got {self.low} and {self.high}")
        if self.low is not None:
            low, high = interval(self.low, self.high)
            set_fields(self, low=low, high=high)
        if not isinstance(self.beside, (tuple, list)):
            raise ValueError(f"beside must be a sequence of Beside, got {self.beside!r:.200}")
        set_fields(self, first=whole_number("first", self.first, least=0),
                   beside=tuple(instance_of(Beside, "beside", one) for one in self.beside))


class Curve(_Picture):
    """The values as a line over ``first``, ``first`` + 1, ...: ``title`` says what is seen, ``x`` and ``y`` what is plotted.

    ``low`` and ``high`` are the ends of the axis, which only noise that does not fit makes longer; without them the axis
    follows the noise.
    ``key`` is what the drawn values are called. ``values`` are names for some of them, ``((1, "strong"), (-1, "gentle"))``,
    which stand at the axis in place of numbers.
    """

    kind = "curve"


class Stems(_Picture):
    """The values as stems from zero: for noise alone, whose width one bets on, and for counts. Arguments as in `Curve`."""

    kind = "stems"


class Number(_Picture):
    """One published number on an axis, with those of earlier rounds in lanes above and below. Arguments as in `Curve`."""

    kind = "number"


@dataclass(frozen=True, eq=False)
class Subtract(Record):
    """A button that takes away what the attacker knows; what is left is drawn beside, in the units of the release.

    ``button`` and ``hint`` are its words, ``title`` is that of the second picture, ``y`` its axis; ``keys`` say what is
    left in each world, for the key: ``("if she is in", "if she is out")``.
    """

    button: str
    _: KW_ONLY
    hint: str
    title: str
    keys: tuple[str, str]
    y: str = ""

    def __post_init__(self):
        words(self, "button", "hint", "title", "y")
        if not isinstance(self.keys, (tuple, list)) or len(self.keys) != 2 or not all(isinstance(k, str) for k in self.keys):
            raise ValueError(f"keys must be two words, one for each world, got {self.keys!r:.200}")
        set_fields(self, keys=tuple(self.keys))


@dataclass(frozen=True, eq=False)
class Walk(Record):
    """Patients as dots that walk while a round is published: ``paths[n, T]``, the state of each at each time, and whose
    place the coin decides, the first. ``start``, ``end`` and ``place`` are words below. At most 60,000 places in all."""

    paths: np.ndarray
    _: KW_ONLY
    start: str
    end: str
    place: str

    def __post_init__(self):
        words(self, "start", "end", "place")
        paths = np.asarray(self.paths)
        if paths.ndim != 2 or 0 in paths.shape or paths.size > 60_000:
            raise ValueError(f"paths must have shape [n, T] and at most 60,000 entries, got {list(paths.shape)}")
        if paths.dtype.kind not in "iu" or paths.min() < 0 or paths.max() > 255:
            raise ValueError("paths must be whole numbers from 0 to 255")
        set_fields(self, paths=paths.astype(np.uint8))


def named(values) -> tuple[tuple[float, str], ...]:
    """ValueError unless ``values`` are pairs of a number and its name."""
    if not (isinstance(values, (tuple, list)) and all(isinstance(one, (tuple, list)) and len(one) == 2 for one in values)):
        raise ValueError(f"values must be pairs of a number and its name, got {values!r:.200}")
    return tuple((number(finite, "values", value), instance_of(str, "values", name)) for value, name in values)


def ticks(low: float, high: float, wanted: int = 5) -> list[list]:
    """Round values of a linear axis with their names."""
    unit = 10.0 ** np.floor(np.log10((high - low) / wanted))
    step = next(unit * factor for factor in (1, 2, 5, 10) if wanted * unit * factor >= high - low)
    found = step * np.arange(np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9) + 1)
    return [[float(value), show(float(round(value / step) * step))] for value in found]
