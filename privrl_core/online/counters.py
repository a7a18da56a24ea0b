r"""Counters that never stop: the sum so far, published again and again while people keep coming, with its exact error.

A `Counter` is fixed before the first person comes: after how many people a sum is published (``times``), how its noise is
made (``factor``), which law and promise (``noise``), and what one person can change (``sensitivity``). The sum may be a
number or a whole table. Who comes next, and what happens to them, may depend on everything published before (an *adaptive*
stream): the factors are lower triangular, so no noise is decided by what comes later.

**Unit of privacy:** one person's data, in one batch. **Model:** central, for the whole sequence of releases; whoever is
treated by earlier releases has the joint guarantee of `.billboard`. People who come back: `Counter.guarantee_of_returning`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from privrl_core.checks import (
    Record,
    finite,
    generator,
    instance_of,
    number,
    open_unit,
    plain,
    positive,
    set_fields,
    whole_number,
    whole_numbers,
)
from privrl_core.online.factors import BinaryTree, Factor, RunningSum, SmoothedTree, SquareRoot
from privrl_core.online.least_largest import LeastLargest
from privrl_core.privacy.guarantees import REPLACE_ONE, Guarantee, Neighbours, Unit
from privrl_core.privacy.noise import DiscreteGaussianNoise, GaussianNoise, LaplaceNoise, Noise, Sensitivity
from privrl_core.privacy.release import AddedNoise, Release

__all__ = ["PERSON", "every_person", "doubling", "growing", "Counter", "CounterRelease", "RunningCount", "counter",
           "counter_standard_deviations", "KINDS"]

#: All data of one person, who comes once.
PERSON = Unit("one person's data", "visits")


# ------------------------------------------------------------------------------------------------ when it is published

def every_person(n: int) -> np.ndarray:
    """``[n]``: after every person. ``n >= 1``."""
    return np.arange(1, whole_number("n", n, least=1) + 1)


def doubling(n: int) -> np.ndarray:
    """After 1, 2, 4, ... people, and after all ``n``: each batch is as large as everything before it."""
    return growing(n, first=1, growth=1.0)


def growing(n: int, *, first: int, growth: float) -> np.ndarray:
    """After ``first`` people, then when the number has grown by the share ``growth``, rounded up, and after all ``n``.

    ``growing(20_000, first=300, growth=0.2)``: 300, 360, 432, ... ``1 <= first``, ``growth > 0``; ValueError otherwise.
    """
    n, first = whole_number("n", n, least=1), whole_number("first", first, least=1)
    growth, times = number(positive, "growth", growth), [min(first, n)]
    while times[-1] < n:
        times.append(min(n, max(times[-1] + 1, int(np.ceil(times[-1] * (1 + growth) * (1 - 1e-12))))))
    return np.array(times)


# ------------------------------------------------------------------------------------------------------- the mechanism

@dataclass(frozen=True, eq=False, kw_only=True)
class Counter(Record):
    r"""A counter, fixed in advance: sums after ``times[N]`` people, made by ``factor`` over the N batch sums.

    With the columns of the factor's R at most :math:`\kappa` long (L2 for Gaussian noise, L1 for Laplace), the whole
    sequence of releases is one release of :math:`R x` with noise for the sensitivity :math:`\kappa \Delta`, so its guarantee
    is that of ``noise``, for Gaussian noise exactly. The error at time t is the factor's times the scale.

    ``times`` must increase; ``factor.n`` must be N; ``noise`` must be `.GaussianNoise`, `.LaplaceNoise`, or
    `.DiscreteGaussianNoise` (for factors and tables of whole numbers; it is not reproducible). ValueError otherwise.
    """

    times: np.ndarray
    factor: Factor
    noise: Noise
    sensitivity: Sensitivity
    unit: Unit = PERSON
    neighbours: Neighbours = REPLACE_ONE
    assumes: tuple[str, ...] = ()

    def __post_init__(self):
        times = whole_numbers("times", plain("times", self.times))
        if times.ndim != 1 or not times.size or times[0] < 1 or (np.diff(times) <= 0).any():
            raise ValueError(f"times must be increasing numbers of people, got {self.times!r:.200}")
        if instance_of(Factor, "factor", self.factor).n != times.size:
            raise ValueError(f"factor must be for {times.size} batches, one for each of times, got {self.factor}")
        instance_of(Noise, "noise", self.noise), instance_of(Sensitivity, "sensitivity", self.sensitivity)
        if isinstance(self.noise, LaplaceNoise) and isinstance(self.factor, SquareRoot):
            raise ValueError("noise must be Gaussian for a square root, whose columns are long in L1, got Laplace noise")
        instance_of(Unit, "unit", self.unit), instance_of(Neighbours, "neighbours", self.neighbours)
        for line in instance_of(tuple, "assumes", self.assumes):
            instance_of(str, "assumes", line)
        set_fields(self, times=times.astype(int))
        self.scale  # noqa: B018  (refuses discrete noise for what is not whole)

    @property
    def scale(self) -> float:
        """The scale of z: a standard deviation, or the b of Laplace noise."""
        own, factor = self.sensitivity, self.factor
        whole = own.whole and factor.whole
        return self.noise.scale(Sensitivity(own.l1 * factor.column_l1, own.l2 * factor.column_l2, whole))

    @property
    def standard_deviations(self) -> np.ndarray:
        """``[N]``: the exact standard deviation of the noise in each cell at each of ``times`` (discrete noise: a bound)."""
        return self.factor.errors() * self.scale * (np.sqrt(2) if isinstance(self.noise, LaplaceNoise) else 1)

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee of all releases together, in the central model, for a person who is in one batch."""
        return self._guarantee(1.0, self.unit, ())

    def guarantee_of_returning(self, batches) -> Guarantee:
        r"""The guarantee for a person who came in each of ``batches`` (from 0; several times: repeated), exactly.

        Her visits move :math:`R x` by up to :math:`\Delta` times the norm of the sum of their columns, which takes the place
        of the longest column, :math:`\kappa`: see `charge`. The batches she was in must then be public.
        """
        charge, visits = self.charge(batches), np.size(batches)
        unit = replace(self.unit, records=visits * self.unit.records)
        return self._guarantee(charge, unit, ("in which batches a person comes is public",))

    def charge(self, batches) -> float:
        r"""By how much the loss grows for a person who came in each of ``batches``: the factor of :math:`\mu`, or of ε for
        Laplace noise.

        .. math:: \Bigl\lVert \sum_{j} R e_j \Bigr\rVert \Big/ \kappa

        It is g for g visits in the batch with the longest column. Only for `.RunningSum` are the columns orthogonal, so that
        g different batches have √g; those of all others have positive inner products, and g different batches have more.
        """
        l1, l2 = self.factor.moved(batches)
        return l1 / self.factor.column_l1 if isinstance(self.noise, LaplaceNoise) else l2 / self.factor.column_l2

    def _guarantee(self, charge, unit, more):
        share = Sensitivity(charge, charge)
        what = f"{type(self.factor).__name__} of {self.times.size} batches"
        return self.noise.guarantee(what, share=share, unit=unit, neighbours=self.neighbours, assumes=(*self.assumes, *more))

    def start(self, shape: tuple[int, ...] = (), *, noise_rng: np.random.Generator | None) -> "RunningCount":
        """Begin to count tables of ``shape``. ``noise_rng`` is used for privacy noise only, and all of it is drawn now."""
        return RunningCount(self, shape, noise_rng)

    def release(self, batch_sums, *, noise_rng: np.random.Generator | None) -> "CounterRelease":
        """All releases at once, of a stream that is there already: ``batch_sums[N, *shape]``."""
        sums = finite("batch_sums", batch_sums)
        if not sums.ndim or len(sums) != self.times.size:
            raise ValueError(f"batch_sums must hold one table for each of {self.times.size} batches, got shape "
                             f"{list(sums.shape)}")
        return self._release(np.cumsum(sums, axis=0) + self._noise(sums.shape[1:], noise_rng))

    def _noise(self, shape, noise_rng):
        if not isinstance(self.noise, DiscreteGaussianNoise):
            generator("noise_rng", noise_rng)
        scale = self.scale
        return self.factor.noise(lambda size: self.noise.draw(scale, size, noise_rng), shape)

    def _release(self, totals):
        so_far = self.times[:len(totals)]
        return CounterRelease(totals=totals, times=so_far, standard_deviations=self.standard_deviations[:len(totals)],
                              guarantees=(self.guarantee,), noise=AddedNoise(self.noise.law, self.scale))


@dataclass(frozen=True, eq=False, kw_only=True)
class CounterRelease(Release):
    """What a counter published: ``totals[t, *shape]`` after ``times[t]`` people, with noise of ``standard_deviations[t]``.

    The guarantee is that of the counter's whole run, also if it stopped early."""

    totals: np.ndarray
    times: np.ndarray
    standard_deviations: np.ndarray


class RunningCount:
    """A counter at work: `add` a batch, get the sum so far as it is published. Private: it holds noise that is still secret.

    ``published`` is the `CounterRelease` so far. Nothing else of it may leave the hospital.
    """

    def __init__(self, counter: Counter, shape: tuple[int, ...], noise_rng: np.random.Generator | None):
        shape = tuple(whole_number("shape", size, least=1) for size in np.atleast_1d(plain("shape", shape)))
        self.counter, self.shape = instance_of(Counter, "counter", counter), shape
        self._noise, self._sum, self._totals = counter._noise(shape, noise_rng), np.zeros(shape), []

    def add(self, batch_sum) -> np.ndarray:
        """The published sum after this batch. ``batch_sum`` has the counter's shape; ValueError for another one, and for
        more batches than the counter was made for."""
        batch_sum = finite("batch_sum", batch_sum)
        if batch_sum.shape != self.shape:
            raise ValueError(f"batch_sum must have shape {list(self.shape)}, got {list(batch_sum.shape)}")
        done, most = len(self._totals), self.counter.times.size
        if done == most:
            raise ValueError(f"batch_sum must be one of {most}, for which the noise was made, got one more")
        self._sum = self._sum + batch_sum
        self._totals.append(self._sum + self._noise[done])
        return self._totals[-1].copy()

    @property
    def published(self) -> CounterRelease:
        """Everything published so far. ValueError before the first batch."""
        if not self._totals:
            raise ValueError("published must follow at least one batch, got none")
        return self.counter._release(np.stack(self._totals))


# ----------------------------------------------------------------------------------------------------- counters by name

#: Each counter by its name: when it publishes, how its noise is made, and which law it has.
KINDS: dict[str, tuple[Callable, type, type]] = {
    "tree-laplace": (every_person, BinaryTree, LaplaceNoise),
    "tree-gaussian": (every_person, BinaryTree, GaussianNoise),
    "tree-smoothed": (every_person, SmoothedTree, GaussianNoise),
    "toeplitz": (every_person, SquareRoot, GaussianNoise),
    "doubling": (doubling, RunningSum, GaussianNoise),
    "doubling-toeplitz": (doubling, SquareRoot, GaussianNoise),
    "doubling-best": (doubling, LeastLargest, GaussianNoise),
}


def counter(kind: str, n: int, sensitivity: Sensitivity | float = 1.0, *, epsilon: float, delta: float = 0.0,
            times: np.ndarray | None = None) -> Counter:
    r"""The counter of this ``kind`` (`KINDS`) for ``n`` people that is (epsilon, delta)-DP, as a whole.

    ``sensitivity`` is a `.Sensitivity`, or one number that stands for the norm that the kind needs (L1 for Laplace noise, L2
    for Gaussian). ``times`` replaces the times of the kind, as ``growing(n, first=300, growth=0.2)``; the last is then n.

    ================== ===================================================== ==========================
    kind               standard deviation when t people have come            grows with n like
    ================== ===================================================== ==========================
    tree-laplace       :math:`\sqrt{2\,p(t)}\; L \Delta_1/\varepsilon`       :math:`\log^{3/2} n`, δ = 0
    tree-gaussian      :math:`\sqrt{L\, p(t)}\; \Delta_2/\mu`                :math:`\log n`
    tree-smoothed      :math:`\sqrt{L \sum_h v_h}\; \Delta_2/\mu`            :math:`\log n`
    toeplitz           :math:`s_t s_n\, \Delta_2/\mu`                        :math:`\ln(n)/\pi`
    doubling           :math:`\sqrt{j}\; \Delta_2/\mu` after batch j         :math:`\sqrt{\log n}`
    doubling-toeplitz  :math:`s_j s_N\, \Delta_2/\mu` after batch j of N     :math:`\log\log n`
    doubling-best      :math:`\gamma_2\, \Delta_2/\mu`, `.LeastLargest`      :math:`\log\log n`
    ================== ===================================================== ==========================

    p(t): the number of ones in t's binary digits; :math:`L = \lfloor\log_2 n\rfloor + 1`; :math:`v_h`: `.SmoothedTree`;
    :math:`\mu` = ``gaussian_mu(epsilon, delta)``; :math:`s_t`: `.SquareRoot`. Laplace noise is pure: it is ε-DP for every
    ``delta``, which it does not use. ``epsilon > 0``, ``0 < delta < 1`` for Gaussian noise; ValueError otherwise.
    """
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
    schedule, factor, law = KINDS[kind]
    n, epsilon = whole_number("n", n, least=1), number(positive, "epsilon", epsilon)
    if law is LaplaceNoise:
        noise = LaplaceNoise.of_epsilon(epsilon)
        if delta != 0:
            number(open_unit, "delta", delta)
    else:
        noise = law.of_epsilon(epsilon, number(open_unit, "delta", delta))
    if not isinstance(sensitivity, Sensitivity):
        size = number(positive, "sensitivity", sensitivity)
        sensitivity = Sensitivity(size, size)
    if times is None:
        times = schedule(n)
    elif np.size(times) == 0 or np.ravel(times)[-1] != n:
        raise ValueError(f"times must end with n = {n}, got {times!r:.200}")
    return Counter(times=times, factor=factor(np.size(times)), noise=noise, sensitivity=sensitivity)


def counter_standard_deviations(kind: str, n: int, sensitivity: Sensitivity | float = 1.0, *, epsilon: float,
                                delta: float = 0.0) -> np.ndarray:
    """``[n]``: the exact standard deviation of each published cell when 1, ..., n people have come.

    As `counter`, with the same formulas and errors. Between two releases the last one stands, with its noise; before the
    first there is none (doubling publishes after the first person).
    """
    made = counter(kind, n, sensitivity, epsilon=epsilon, delta=delta)
    return np.repeat(made.standard_deviations, np.diff(np.append(made.times, made.times[-1] + 1)))
