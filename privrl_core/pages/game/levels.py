"""What a round is drawn from: one setting of the noise, with its draws, its best score and its ceiling."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property

import numpy as np
from scipy.special import ndtr

from privrl_core.checks import Record, finite, instance_of, number, set_fields, shaped, whole_number

__all__ = ["Exact", "Noisy", "Draws", "Level", "Pile"]

DOUBT = 6.0  # standard errors between a stated ceiling and what the draws say: beyond, one of the two is wrong
LEAST = 200  # draws: fewer would come again while a reader plays
STEPS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)  # of the slider for ε: numbers that one can say


@dataclass(frozen=True, eq=False)
class Exact(Record):
    """No noise: what is published are ``means[2, d]``, the first if the coin says so, with so many ``decimals``, as printed.

    ``label`` names the setting on the dial. ``notes`` are pairs of words, ``("the values are off by", "0")``, and
    ``guarantee`` is a sentence; both are shown below the dial. ValueError if rounding could hide the difference.
    """

    label: str
    _: KW_ONLY
    means: np.ndarray
    guarantee: str
    decimals: int = 4
    notes: tuple[tuple[str, str], ...] = ()
    kind = "exact"
    ceiling = 1.0

    def __post_init__(self):
        words(self, "label", "guarantee")
        means = shaped("means", self.means, (2, "d"))
        decimals = whole_number("decimals", self.decimals, least=0, most=12)
        set_fields(self, means=means, decimals=decimals, notes=pairs(self.notes))

    @property
    def d(self) -> int:
        return self.means.shape[1]

    def check(self, per: float):
        """ValueError unless the difference of the worlds shows after division by ``per`` and rounding."""
        gap = np.abs(self.means[0] - self.means[1]).max() / per
        if gap <= 10.0**-self.decimals:
            raise ValueError(f"{self.label}: decimals must show the difference between the worlds, which is at most"
                             f" {gap:.3g}, got {self.decimals}")


@dataclass(frozen=True, eq=False)
class Noisy(Record):
    """Noise on the means of two worlds: ``GaussianWorlds`` or ``LaplaceWorlds`` of the core, which know the law of the
    noise, the best score and the ceiling.

    The browser takes the noise itself, in multiples of the scale, from the draws that the whole game shares: ``noise`` of
    `play`. ``label``, ``guarantee`` and ``notes`` as in `Exact`.
    """

    label: str
    worlds: object
    _: KW_ONLY
    guarantee: str
    notes: tuple[tuple[str, str], ...] = ()
    kind = "noisy"

    def __post_init__(self):
        words(self, "label", "guarantee")
        if not all(hasattr(self.worlds, name) for name in ("law", "means", "scales", "ceiling", "delta", "log_ratio")):
            raise ValueError(f"worlds must be GaussianWorlds or LaplaceWorlds of privrl_core.privacy, got"
                             f" {self.worlds!r:.200}")
        set_fields(self, notes=pairs(self.notes))

    @property
    def ceiling(self) -> float:
        return self.worlds.ceiling

    @property
    def d(self) -> int:
        return self.worlds.means.shape[1]

    def delta(self, epsilon: np.ndarray) -> np.ndarray:
        return np.asarray(self.worlds.delta(epsilon))


@dataclass(frozen=True, eq=False)
class Draws(Record):
    """Releases that any mechanism made, in Python: ``values[2, N, d]``, N of each world, the first *in*.

    ``log_ratios[2, N]`` are the best score of each, and ``ceiling`` is how often the best attacker is right, from the core
    (``right_guess_ceiling``, ``discrete_ceiling``, ...). ``label``, ``guarantee`` and ``notes`` as in `Exact`. ValueError
    for fewer than 200 draws, and for a ceiling that the draws contradict by more than six standard errors.
    """

    label: str
    values: np.ndarray
    _: KW_ONLY
    log_ratios: np.ndarray
    ceiling: float
    guarantee: str
    notes: tuple[tuple[str, str], ...] = ()
    kind = "draws"

    def __post_init__(self):
        words(self, "label", "guarantee")
        values = shaped("values", self.values, (2, "N", "d"))
        n = whole_number("the number of draws in values", values.shape[1], least=LEAST)
        ratios = shaped("log_ratios", self.log_ratios, (2, n))
        ceiling = number(finite, "ceiling", self.ceiling)
        if not 0.5 <= ceiling <= 1:
            raise ValueError(f"ceiling must be in [0.5, 1], got {ceiling}")
        # half a bet is right where the two worlds are equally likely
        right = np.mean([np.heaviside(ratios[0], 0.5), np.heaviside(-ratios[1], 0.5)])
        error = np.sqrt(max(ceiling * (1 - ceiling), 1 / (2 * n)) / (2 * n))
        if abs(right - ceiling) > DOUBT * error:
            raise ValueError(f"{self.label}: ceiling must agree with log_ratios, which are right in {100 * right:.1f} of"
                             f" 100, got {100 * ceiling:.1f}")
        set_fields(self, values=values, log_ratios=ratios, ceiling=ceiling, notes=pairs(self.notes))

    @property
    def d(self) -> int:
        return self.values.shape[2]

    def delta(self, epsilon: np.ndarray) -> np.ndarray:
        """From the draws: the mean of 1 − exp(ε − score) over those of the first world whose score is above ε."""
        gain = np.minimum(0, np.asarray(epsilon)[..., None] - self.log_ratios[0])
        return np.mean(-np.expm1(gain), axis=-1)


Level = Exact | Noisy | Draws


@dataclass(frozen=True, eq=False)
class Pile(Record):
    """The axis on which rounds pile up, the density of both worlds along it, and how δ falls as ε grows."""

    level: Level
    STOPS = 101
    POINTS = 201

    @property
    def on(self) -> str:
        """ "number" if one number is published whose order is that of the best score; else "score"."""
        one = self.level.kind == "noisy" and self.level.d == 1 and self.level.worlds.scales[0] == self.level.worlds.scales[1]
        return "number" if one else "score"

    @cached_property
    def range(self) -> tuple[float, float]:
        level = self.level
        if level.kind == "exact":
            return -1.0, 1.0
        if level.kind == "draws":
            low, high = np.quantile(level.log_ratios, (0.002, 0.998))
            reach = max(abs(low), abs(high), 0.1) * 1.05
            return -reach, reach
        means, scales = level.worlds.means, level.worlds.scales
        if self.on == "number":
            reach = (3.2 if level.worlds.law == "gaussian" else 4) * scales[0]
            return float(means.min() - reach), float(means.max() + reach)
        if scales[0] == scales[1]:
            mu = np.linalg.norm(means[0] - means[1]) / scales[0]
            reach = mu**2 / 2 + 3.2 * mu
            return float(-reach), float(reach)
        edges = np.linspace(-60, 60, 4001)
        inside, outside = level.worlds.tails(edges)
        held = edges[(np.maximum(inside, outside) > 0.003) & (np.minimum(inside, outside) < 0.997)]
        return float(held[0]), float(held[-1])

    @cached_property
    def density(self) -> np.ndarray | None:
        """``[2, POINTS]`` over the range, the probability per unit of the axis; None where nothing is known of it."""
        level, (low, high) = self.level, self.range
        if level.kind == "exact":
            return None
        step = (high - low) / (self.POINTS - 1)
        edges = np.linspace(low - step / 2, high + step / 2, self.POINTS + 1)
        if level.kind == "draws":
            drawn = np.clip(level.log_ratios, low, high)
            widths = np.maximum(1.06 * drawn.std(axis=1) * drawn.shape[1] ** -0.2, step)    # of a kernel estimate
            below = [ndtr((edges[:, None] - one) / width).mean(axis=1) for one, width in zip(drawn, widths)]
            return np.diff(below, axis=1) / step
        if self.on == "score":
            return np.array([-np.diff(tail) / step for tail in level.worlds.tails(edges)])
        # along the number the order is that of the score, so the tails of the one are those of the other
        x = (np.linspace(low, high, self.POINTS) - level.worlds.means) / level.worlds.scales[:, None]
        shape = np.exp(-x**2 / 2) / np.sqrt(2 * np.pi) if level.worlds.law == "gaussian" else np.exp(-np.abs(x)) / 2
        return shape / level.worlds.scales[:, None]

    @cached_property
    def epsilons(self) -> np.ndarray:
        """The stops of the slider that makes the second pile taller: up to where next to nothing sticks out."""
        if self.level.kind == "exact":
            return np.zeros(0)
        last = next((step for step in STEPS if self.level.delta(np.array(step * (self.STOPS - 1))) < 5e-4), STEPS[-1])
        return np.round(last * np.arange(self.STOPS), 9)

    @cached_property
    def deltas(self) -> np.ndarray:
        return self.level.delta(self.epsilons) if self.epsilons.size else np.zeros(0)


def words(record, *names):
    """ValueError unless these fields are text."""
    for name in names:
        instance_of(str, name, getattr(record, name))


def pairs(notes) -> tuple[tuple[str, str], ...]:
    def is_pair(note):
        return isinstance(note, (tuple, list)) and len(note) == 2 and all(isinstance(word, str) for word in note)
    if not isinstance(notes, (tuple, list)) or not all(map(is_pair, notes)):
        raise ValueError(f"notes must be pairs of words, got {notes!r:.200}")
    return tuple((label, value) for label, value in notes)
