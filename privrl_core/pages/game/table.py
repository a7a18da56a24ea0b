"""A whole game, declared and checked, and what the page gets of it: a specification and one run of numbers."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property

import numpy as np

from privrl_core.checks import Record, finite, instance_of, number, positive, set_fields, shaped, whole_number
from privrl_core.pages.game.levels import Draws, Exact, Level, Noisy, Pile, words
from privrl_core.pages.game.pictures import Beside, Curve, Number, Stems, Subtract, Walk, World, ticks

__all__ = ["Dial", "Table", "STAGES"]

#: What a game can go through, in this order.
STAGES = ("rounds", "dial", "piles")


@dataclass(frozen=True, eq=False)
class Dial(Record):
    """The slider over the levels: its ``label``, where its ends lead, and the words on the button that leads on,
    ``first`` to the slider and then to the ``next`` level, whose label takes the place of {}. With ``bars`` no line joins
    the levels, which have no order."""

    label: str
    _: KW_ONLY
    low_end: str
    high_end: str
    first: str = "Now with noise"
    next: str = "More noise"
    bars: bool = False

    def __post_init__(self):
        words(self, "label", "low_end", "high_end", "first", "next")


@dataclass(frozen=True, eq=False, kw_only=True)
class Table(Record):
    """All that `play` was given. Raises ValueError for what could not be played, or would be told wrongly."""

    name: str
    question: str
    worlds: tuple[World, World]
    picture: Curve | Stems | Number
    levels: tuple[Level, ...]
    noise: np.ndarray | None
    known: np.ndarray | None
    per: float
    subtract: Subtract | None
    dial: Dial | None
    stages: tuple[str, ...]
    initial: int
    rounds: int
    publish: str
    player: str
    best: str
    names: bool
    expects: bool
    walk: Walk | None
    caption: str
    alt: str

    def __post_init__(self):
        words(self, "name", "question", "publish", "player", "best", "caption", "alt")
        if not self.name.isidentifier():
            raise ValueError(f"name must be a Python identifier, got {self.name!r}")
        worlds = self._tuple("worlds", World)
        if len(worlds) != 2:
            raise ValueError(f"worlds must be two, got {len(worlds)}")
        if not isinstance(self.picture, (Curve, Stems, Number)):
            raise ValueError(f"picture must be a Curve, Stems or a Number, got {self.picture!r:.200}")
        levels = self._tuple("levels", (Exact, Noisy, Draws))
        if not levels:
            raise ValueError("levels must be at least one, got none")
        rounds = whole_number("rounds", self.rounds, least=1, most=100)
        initial = whole_number("initial", self.initial, least=0, most=len(levels) - 1)
        per = number(positive, "per", self.per)
        for name, kind in (("subtract", Subtract), ("dial", Dial), ("walk", Walk)):
            if (value := getattr(self, name)) is not None:
                instance_of(kind, name, value)
        for name in ("names", "expects"):
            instance_of(bool, name, getattr(self, name))
        self._check_stages(levels)
        self._check_sizes(levels)
        known = self._known(levels)
        noise = self._noise(levels)
        if self.subtract and known is None:
            raise ValueError("known must be given, as there is something to subtract, got None")
        for level in levels:
            if level.kind == "exact":
                level.check(per)
        set_fields(self, worlds=worlds, levels=levels, rounds=rounds, initial=initial, per=per, known=known, noise=noise,
                   stages=tuple(self.stages))

    def _tuple(self, name, kinds):
        values = getattr(self, name)
        if not isinstance(values, (tuple, list)) or not all(isinstance(value, kinds) for value in values):
            allowed = " or ".join(kind.__name__ for kind in (kinds if isinstance(kinds, tuple) else (kinds,)))
            raise ValueError(f"{name} must be a sequence of {allowed}, got {values!r:.200}")
        return tuple(values)

    def _check_stages(self, levels):
        stages = self.stages
        if not isinstance(stages, (tuple, list)) or not stages or any(stage not in STAGES for stage in stages) \
                or sorted(stages, key=STAGES.index) != list(stages) or len(set(stages)) < len(stages):
            raise ValueError(f"stages must be some of {STAGES}, in this order, got {stages!r:.200}")
        if ("dial" in stages) != (self.dial is not None):
            raise ValueError(f"dial must be given if it is one of the stages, and only then, got {self.dial!r:.200}")
        if self.dial is not None and len(levels) < 2:
            raise ValueError(f"levels must be at least two where there is a dial, got {len(levels)}")
        if self.dial is None and len(levels) > 1:
            raise ValueError(f"levels must be one where there is no dial, got {len(levels)}")
        if len({level.label for level in levels}) < len(levels):
            raise ValueError(f"levels must have different labels, got {[level.label for level in levels]}")
        if self.names and "piles" not in stages:
            raise ValueError("names must be False where no rounds pile up")

    def _check_sizes(self, levels):
        d = levels[0].d
        for level in levels:
            if level.d != d:
                raise ValueError(f"{level.label}: each level must publish {d} values, as the first does, got {level.d}")
        if (self.picture.kind == "number") != (d == 1):
            raise ValueError(f"picture must be a Number if and only if one value is published, got"
                             f" {self.picture.kind!r} for {d}")
        for beside in self.picture.beside:
            if beside.values.shape not in ((d,), (len(levels), d)):
                raise ValueError(f"{beside.label}: beside must have {d} values, or as many for each level, got"
                                 f" {' times '.join(map(str, beside.values.shape))}")

    def _known(self, levels):
        if self.known is None:
            return None
        if any(level.kind == "draws" for level in levels):
            raise ValueError("known must be None where a level has draws of its own: they hold it already")
        return shaped("known", self.known, ("K", levels[0].d))

    def _noise(self, levels):
        laws = {level.worlds.law for level in levels if level.kind == "noisy"}
        if not laws:
            if self.noise is not None:
                raise ValueError("noise must be None where no level is Noisy")
            return None
        if len(laws) > 1:
            raise ValueError(f"levels must have noise of one law, which they share, got {sorted(laws)}")
        if self.noise is None:
            raise ValueError("noise must be draws in multiples of the scale, as some level is Noisy, got None")
        noise = finite("noise", self.noise).ravel()
        d = levels[0].d
        if noise.size < (least := max(2_000, 100 * d)):
            raise ValueError(f"noise must be at least {least:,} draws, got {noise.size:,}")
        # whoever hands over noise of another scale, or the released values themselves, gets odds that are not so
        spread = {"gaussian": 1.0, "laplace": np.sqrt(2)}[laws.pop()]
        if abs(noise.mean()) > 6 * spread / np.sqrt(noise.size) or abs(noise.std() / spread - 1) > 12 / np.sqrt(noise.size):
            raise ValueError(f"noise must be in multiples of the scale: mean 0 and standard deviation {spread:.3g}, got"
                             f" {noise.mean():.3g} and {noise.std():.3g}")
        return noise

    @property
    def d(self) -> int:
        return self.levels[0].d

    @cached_property
    def piles(self) -> tuple[Pile, ...]:
        return tuple(Pile(level) for level in self.levels)

    def beside(self, level: Level, beside: Beside) -> np.ndarray:
        """What is drawn beside a release of this level: of one number, where it would be in a world without noise."""
        if self.picture.kind != "number" or beside.world is None or self.known is not None or level.kind == "draws":
            return beside.values if beside.values.ndim == 1 else beside.values[self._place(level)]
        return (level.means if level.kind == "exact" else level.worlds.means)[beside.world] / self.per

    def _place(self, level):
        return next(place for place, one in enumerate(self.levels) if one is level)

    def axis(self, level: Level) -> tuple[float, float]:
        """The ends of the axis of the published values."""
        given = None if self.picture.low is None else (float(self.picture.low), float(self.picture.high))
        if given and level.kind != "noisy":
            return given
        values = [self.beside(level, beside) for beside in self.picture.beside]
        if level.kind == "draws":
            values.append(np.quantile(level.values, (0.001, 0.999)))
        else:
            means, reach = self._means_and_reach(level, {"gaussian": 3.4, "laplace": 5})
            base = 0 if self.known is None else self.known
            values += [(base + mean + side * reach) / self.per for mean in means for side in (-1, 1)]
        low, high = min(np.min(one) for one in values), max(np.max(one) for one in values)
        if given:  # much noise does not fit: the axis gets longer, so that nothing is cut
            slack = 0.06 * (given[1] - given[0])
            return float(low if low < given[0] - slack else given[0]), float(high if high > given[1] + slack else given[1])
        if self.picture.kind == "stems":
            low, high = min(low, 0), max(high, 0)
        slack = 0.04 * (high - low) or 1.0
        return float(low - slack), float(high + slack)

    @staticmethod
    def _means_and_reach(level, scales):
        if level.kind == "exact":
            return level.means, 0.0
        return level.worlds.means, scales[level.worlds.law] * level.worlds.scales.max()

    def axis_left(self, level: Level) -> tuple[float, float]:
        """The ends of the axis of what is left, which follows the noise."""
        means, reach = self._means_and_reach(level, {"gaussian": 2.8, "laplace": 4})
        slack = 0.12 * np.ptp(means) + 1e-9
        return float(min(means.min(), 0) - reach - slack), float(max(means.max(), 0) + reach + slack)

    @cached_property
    def packed(self) -> tuple[dict, bytes]:
        """The specification, and single-precision numbers that it points into by place and size."""
        numbers, places, size = [], {}, 0

        def put(values):
            nonlocal size
            array = np.asarray(values, dtype="<f4").ravel()
            key = array.tobytes()
            if key not in places:
                places[key] = [size, array.size]
                numbers.append(array)
                size += array.size
            return places[key]

        levels, named = [], [list(each) for each in self.picture.values]
        for level, pile in zip(self.levels, self.piles):
            low, high = self.axis(level)
            entry = {"label": level.label, "kind": level.kind, "ceiling": level.ceiling, "guarantee": level.guarantee,
                     "notes": [list(note) for note in level.notes], "low": low, "high": high,
                     "ticks": named or ticks(low, high, 8 if self.picture.kind == "number" else 5),
                     "besides": [put(self.beside(level, beside)) for beside in self.picture.beside]}
            if level.kind == "draws":
                entry |= {"values": put(level.values), "ratios": put(level.log_ratios), "n": level.values.shape[1]}
            elif level.kind == "exact":
                entry |= {"means": put(level.means), "decimals": level.decimals}
            else:
                entry |= {"means": put(level.worlds.means), "law": level.worlds.law, "scales": level.worlds.scales.tolist()}
            if self.subtract:
                entry["left"] = (left := self.axis_left(level))
                entry["leftTicks"] = ticks(*left)
            if "piles" in self.stages:
                entry["pile"] = {"on": pile.on, "low": pile.range[0], "high": pile.range[1]}
                if pile.on == "number":
                    entry["pile"]["ticks"] = ticks(*pile.range)
                if pile.density is not None:
                    entry["pile"] |= {"density": put(pile.density), "epsilons": put(pile.epsilons),
                                      "deltas": put(pile.deltas)}
            levels.append(entry)
        picture = {"kind": self.picture.kind, "title": self.picture.title, "x": self.picture.x, "y": self.picture.y,
                   "first": self.picture.first, "unit": self.picture.unit, "key": self.picture.key,
                   "values": named,
                   "beside": [{"label": one.label, "world": one.world} for one in self.picture.beside]}
        specification = {
            "name": self.name, "question": self.question, "publish": self.publish, "player": self.player, "best": self.best,
            "rounds": self.rounds, "d": self.d,
            "worlds": [{"name": one.name, "bet": one.bet, "truth": one.truth} for one in self.worlds],
            "picture": picture, "levels": levels, "per": self.per, "initial": self.initial, "stages": list(self.stages),
            "noise": None if self.noise is None else put(self.noise),
            "known": None if self.known is None else put(self.known),
            "subtract": self.subtract and {"button": self.subtract.button, "hint": self.subtract.hint, "y": self.subtract.y,
                                           "title": self.subtract.title, "keys": list(self.subtract.keys)},
            "dial": self.dial and {"label": self.dial.label, "low": self.dial.low_end, "high": self.dial.high_end,
                                   "first": self.dial.first, "next": self.dial.next, "bars": bool(self.dial.bars)},
            "walk": self.walk and {"shape": list(self.walk.paths.shape), "start": self.walk.start, "end": self.walk.end,
                                   "place": self.walk.place},
            "names": self.names, "expects": self.expects, "caption": self.caption, "alt": self.alt}
        return specification, b"".join(array.tobytes() for array in numbers)
