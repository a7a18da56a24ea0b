r"""A counter for the shuffle model: nobody has to be trusted with a record, only somebody with mixing envelopes.

Each person in a batch of n sends, for each cell of the table, one true bit (was she counted there?) and g bits from tosses
of a fair coin, in envelopes that only name the cell. A shuffler mixes all envelopes of the batch. Whoever opens them learns,
for each cell, how many ones there are, and nothing else:

.. math:: \sum_i x_i + \mathrm{Bin}(M, \tfrac12), \qquad M = n g ,

from which :math:`M/2` is subtracted. One person changes up to m cells by one each, so the loss is the sum of m independent
ones of :math:`\mathrm{Bin}(M, \frac12)` against the same plus 1, whose law is known: `binomial_delta` adds them up, rounded
upwards. With as many coins as it takes, the noise is hardly larger than the Gaussian noise of a trusted curator; people pay
in messages, M/n for each cell, and in trust that enough others toss their coins.

**Unit:** one person's data, in one batch. **Neighbours:** replace one. **Model:** what the hospital sees is private in the
central sense, if the shuffler does not work with it. It lies between central, where the hospital has the records, and local,
where no one but the person needs to be trusted.

Sources: Cheu, Smith, Ullman, Zeber & Zhilyaev (2019) and Balle, Bell, Gascon & Nissim (2019) for the model, from memory, not
checked against the texts; Bai et al. (2024), arXiv 2411.11647, for reinforcement learning in it (abstract read). True bits
among coin tosses are the usual protocol of the model; the exact accounting is this book's, and the proof is above.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.stats import binom

from privrl_core.checks import (
    Record,
    generator,
    nonnegative,
    number,
    open_unit,
    plain,
    positive,
    set_fields,
    whole_number,
    whole_numbers,
)
from privrl_core.online.counters import PERSON
from privrl_core.online.posterior_sampling import sampling_plan
from privrl_core.online.sensitivity import FirstVisits, table_sensitivity
from privrl_core.online.treatment_runs import TreatmentRuns, clinic, learn_in_batches, release_times
from privrl_core.privacy.curves import gaussian_mu
from privrl_core.privacy.guarantees import REPLACE_ONE, Guarantee, Status
from privrl_core.world.models import EpisodicMDP

__all__ = ["binomial_delta", "coins_needed", "ShuffledCounter", "ShuffledCount", "shuffled_posterior_sampling"]

GRID, LOST = 2**21, 1e-14  # points of the grid of losses; probability that is counted as an infinite loss, in each cell


def binomial_delta(epsilon: float, coins: int, cells: int) -> float:
    r"""An upper bound on :math:`\delta(\varepsilon)` where ``cells`` counts move by one, each with noise
    :math:`\mathrm{Bin}(M, \frac12)`, M = ``coins``.

    .. math:: \delta(\varepsilon) = P[L = \infty] + E\bigl[(1 - e^{\varepsilon - L})^+\bigr], \qquad
              L = \sum_{i \le m} \ln\frac{X_i + 1}{M - X_i}, \quad X_i \sim \mathrm{Bin}(M, \tfrac12).

    Losses are rounded upwards to a grid, and those of the far tails, of probability 1e-14 in each cell, counted as infinite,
    so that the result exceeds the exact one by little and never falls below it, but for the rounding of a Fourier transform
    (1e-12). A count that moves down loses the same, by symmetry. ``epsilon >= 0``, whole numbers of at least 1; ValueError
    otherwise.
    """
    coins, cells = whole_number("coins", coins, least=1), whole_number("cells", cells, least=1)
    epsilon = number(nonnegative, "epsilon", epsilon)
    x = np.arange(int(binom.ppf(LOST / 2, coins, 0.5)), min(int(binom.isf(LOST / 2, coins, 0.5)), coins - 1) + 1)
    mass, loss = binom.pmf(x, coins, 0.5), np.log((x + 1) / (coins - x))
    step = cells * max(np.abs(loss).max(), 1e-12) / (GRID / 2 - cells)
    law = np.zeros(GRID)
    np.add.at(law, np.ceil(loss / step).astype(int) % GRID, mass)
    total = np.maximum(np.fft.irfft(np.fft.rfft(law) ** cells, GRID), 0)
    total_loss = step * np.where(np.arange(GRID) < GRID // 2, np.arange(GRID), np.arange(GRID) - GRID)
    infinite = -np.expm1(cells * np.log1p(-max(1 - mass.sum(), 0) - LOST))
    return float(min(1, infinite + total @ np.maximum(-np.expm1(epsilon - np.maximum(total_loss, epsilon)), 0)))


def coins_needed(epsilon: float, delta: float, cells: int) -> int:
    r"""The fewest coins M for which `binomial_delta` is at most ``delta`` (or up to 0.1 % more).

    About :math:`4 m/\mu^2`, m = ``cells``: a variance M/4 that is that of Gaussian noise. ``epsilon > 0`` and ``1e-10 <=
    delta < 1``; ValueError otherwise.
    """
    epsilon, delta = number(positive, "epsilon", epsilon), number(open_unit, "delta", delta)
    if delta < 1e-10:
        raise ValueError(f"delta must be at least 1e-10 for the accuracy of the bound, got {delta}")
    return _coins_needed(epsilon, delta, whole_number("cells", cells, least=1))


@lru_cache  # runs of one experiment share it
def _coins_needed(epsilon, delta, cells):
    low, high = 0, max(int(4 * cells / gaussian_mu(epsilon, delta) ** 2), 1)
    while binomial_delta(epsilon, high, cells) > delta:
        low, high = high, int(1.01 * high) + 1
    while high - low > max(1, high // 1000):
        middle = (low + high) // 2
        low, high = (low, middle) if binomial_delta(epsilon, middle, cells) <= delta else (middle, high)
    return high


@dataclass(frozen=True)
class CoinTosses:
    """The law and the size of the noise, as `.AddedNoise` wants it."""

    law: str = "centred binomial"


@dataclass(frozen=True, eq=False, kw_only=True)
class ShuffledCounter(Record):
    r"""A counter by shuffled bits after ``times[N]`` people: each batch is mixed on its own, and the sums are added up.

    Every cell of a person's table is 0 or 1, and at most ``cells`` of them change if the person is replaced. ``honest`` is
    the share of each batch that tosses its coins and does not work with the hospital: each person tosses
    :math:`g = \lceil M/(h n)\rceil` coins for each cell, so that :math:`M` of them stay secret. It is used as a `.Counter`.
    """

    times: np.ndarray
    epsilon: float
    delta: float
    cells: int
    honest: float = 1.0
    assumes: tuple[str, ...] = ()

    def __post_init__(self):
        times = whole_numbers("times", plain("times", self.times))
        if times.ndim != 1 or not times.size or times[0] < 1 or (np.diff(times) <= 0).any():
            raise ValueError(f"times must be increasing numbers of people, got {self.times!r:.200}")
        if not 0 < number(positive, "honest", self.honest) <= 1:
            raise ValueError(f"honest must be in (0, 1], got {self.honest}")
        set_fields(self, times=times.astype(int))
        object.__setattr__(self, "coins", coins_needed(self.epsilon, self.delta, self.cells))

    noise = CoinTosses()

    @property
    def tosses(self) -> np.ndarray:
        """``[N]``: the coins that each person of a batch tosses for each cell."""
        return np.ceil(self.coins / (self.honest * np.diff(self.times, prepend=0)) - 1e-9).astype(int)

    @property
    def scale(self) -> tuple[float, ...]:
        """The standard deviation of each batch's noise."""
        return tuple((np.sqrt(self.tosses * np.diff(self.times, prepend=0)) / 2).tolist())

    @property
    def standard_deviations(self) -> np.ndarray:
        """``[N]``: the exact standard deviation of the noise in each cell of the sum, at each of ``times``."""
        return np.sqrt(np.cumsum(np.square(self.scale)))

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee of all sums together, for a person who is in one batch."""
        return Guarantee(self.epsilon, self.delta, PERSON, REPLACE_ONE, Status.PROVED,
                         f"{self.coins} fair coins shuffled with the bits of each cell", (
                             *self.assumes, "the shuffler mixes all messages and keeps nothing",
                             f"a share of {self.honest:g} of each batch tosses its coins and keeps them secret"))

    def start(self, shape: tuple[int, ...], *, noise_rng: np.random.Generator) -> "ShuffledCount":
        """Begin to count tables of ``shape``, simulated: the sum of the coins is drawn at once."""
        return ShuffledCount(self, shape, generator("noise_rng", noise_rng))


class ShuffledCount:
    """A shuffled counter at work: `add` a batch, get the sum so far as it is published."""

    def __init__(self, counter, shape, noise_rng):
        self.counter, self.noise_rng, self.total = counter, noise_rng, np.zeros(shape)
        self._coins = iter((counter.tosses * np.diff(counter.times, prepend=0)).tolist())

    def add(self, batch_sum) -> np.ndarray:
        """The published sum after this batch."""
        coins = next(self._coins)
        self.total = self.total + batch_sum + self.noise_rng.binomial(coins, 0.5, self.total.shape) - coins / 2
        return self.total.copy()


def shuffled_posterior_sampling(world: EpisodicMDP, n_people: int, *, epsilon: float, delta: float,
                                rng: np.random.Generator, noise_rng: np.random.Generator, runs: int = 1,
                                honest: float = 1.0, times: np.ndarray | None = None, samples: int = 32,
                                width: float = 0.5) -> TreatmentRuns:
    """`.private_posterior_sampling` on shuffled bits: only the first visit of each pair in a day is counted, so that every
    cell is a bit. The batches' sums are added up, as coins cannot be correlated between people who never meet. Arguments and
    errors as there, and ``honest`` in (0, 1]."""
    counting = FirstVisits(1)
    clinic(world, counting)
    cells = int(table_sensitivity(world.horizon, 1, counting, pairs=world.n_states * world.n_actions).l1)
    times = release_times(n_people, times, first=300, growth=0.2)
    made = ShuffledCounter(times=times, epsilon=epsilon, delta=delta, cells=cells, honest=honest)
    plan = sampling_plan(world, counting, samples, width, rng)
    return learn_in_batches(world, counting, made.times, plan, made, runs=runs, rng=rng, noise_rng=noise_rng)
