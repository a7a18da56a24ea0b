r"""How the noise of a running count is made: six factorisations of "sum of everything so far".

A stream :math:`x_1, \dots, x_n` of whole tables arrives one by one, and after each of them the sum so far is published:
:math:`A x` with :math:`A` the lower triangle of ones. Each counter writes :math:`A = L R`, protects :math:`R x` by
independent noise z of one scale, and publishes

.. math:: L (R x + z) = A x + L z .

What one person can change is one :math:`x_j`, by at most :math:`\Delta`, so :math:`R x` moves by at most :math:`\Delta`
times a column of R; the error at time t is a row of L. All R and L here are lower triangular: the noise at time t is known
before the later part of the stream, which may therefore depend on everything published until then (an *adaptive* stream).

=================  ============================================  =======================================================
`RunningSum`       R = 1, L = A                                  each x gets noise of its own, and the noises add up
`BinaryTree`       R: all dyadic blocks, L: the binary digits    about half of log₂ t noises at time t, log₂ n per person
`SmoothedTree`     the same R, L: best linear estimate           the same release, read better; nothing more is spent
`SquareRoot`       R = L = C with C C = A, Toeplitz              rows and columns of the same length
`WholeSquareRoot`  R: a million times C, rounded, and L R = A    R x is whole for whole x, as exact discrete noise asks
`.LeastLargest`    the best of all, for streams of at most 100   the same error at all times, and proved to be least
=================  ============================================  =======================================================

Sources: Dwork, Naor, Pitassi & Rothblum (2010) and Chan, Shi & Song (2011) for the tree; Honaker (2015) for its best
linear estimate; Fichtenberger, Henzinger & Upadhyay (2023) and Henzinger, Upadhyay & Upadhyay (2023) for the square root;
Denisov, McMahan, Rush, Smith & Thakurta (2022) for adaptive streams. All from memory of the papers, not checked against
their texts; every formula is checked by tests/online/test_counters.py instead.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
import scipy  # its parts are imported when first used

from privrl_core.checks import set_fields, whole_number, whole_numbers

__all__ = ["RunningSum", "BinaryTree", "SmoothedTree", "SquareRoot", "WholeSquareRoot",
           "square_root_coefficients"]

LONGEST, LONGEST_WHOLE = 10**8, 10**4
MILLION = 10**6


def square_root_coefficients(n: int) -> np.ndarray:
    r"""``[n]``: :math:`a_k = \binom{2k}{k} 4^{-k}`, the series of :math:`(1 - x)^{-1/2}`.

    The lower-triangular Toeplitz matrix C of these is its own square root's factor: :math:`C C = A`, because
    :math:`\sum_{i \le k} a_i a_{k-i} = 1` for every k. ``n >= 1``; ValueError otherwise.
    """
    return _coefficients(whole_number("n", n, least=1, most=LONGEST)).copy()


@lru_cache(maxsize=4)
def _coefficients(n):
    k = np.arange(1.0, n)
    a = np.cumprod(np.concatenate([[1.0], (k - 0.5) / k]))
    a.setflags(write=False)
    return a


@lru_cache(maxsize=4)
def _whole_weights(n):
    a = np.rint(MILLION * _coefficients(n))
    a.setflags(write=False)
    return a


@lru_cache(maxsize=4)
def _whole_readings(n):
    """The first column of A R⁻¹, with 1/(1 - x) divided by the series of R."""
    a = scipy.signal.lfilter([1.0], _whole_weights(n), np.ones(n))
    a.setflags(write=False)
    return a


@lru_cache(maxsize=4)
def _norms(column, n):
    a = column(n)
    return float(a.sum()), float(np.linalg.norm(a))


@lru_cache(maxsize=2)  # a third of the time of a long convolution
def _spectrum(column, n, size):
    return scipy.fft.rfft(column(n), size)


@dataclass(frozen=True)
class Factor:
    """The common part: a stream of length ``n``."""

    n: int
    whole: ClassVar[bool] = True  # is R x whole for whole x?

    def __post_init__(self):
        set_fields(self, n=whole_number("n", self.n, least=1, most=LONGEST))

    def _checked(self, batches):
        batches = whole_numbers("batches", batches).ravel()
        if not batches.size:
            raise ValueError("batches must hold at least one, got none")
        for each in (batches.min(), batches.max()):
            whole_number("batches", each, least=0, most=self.n - 1)
        return batches.astype(int)


class RunningSum(Factor):
    r"""R = 1, L = A: noise on each :math:`x_j`, and sums of the noisy values.

    Best where few sums are published, as with batches that grow: the error after j batches is :math:`\sqrt j`.
    """

    column_l1 = column_l2 = 1.0

    def errors(self) -> np.ndarray:
        r"""``[n]``: the standard deviation at each time, in units of that of z: :math:`\sqrt t`."""
        return np.sqrt(np.arange(1, self.n + 1))

    def noise(self, draw: Callable, shape: tuple[int, ...]) -> np.ndarray:
        """``[n, *shape]``: L z, for z made by ``draw(shape)``."""
        return np.cumsum(draw((self.n, *shape)), axis=0)

    def moved(self, batches) -> tuple[float, float]:
        """L1 and L2 norm of the sum of the columns of R at ``batches`` (from 0, with repetitions)."""
        times = np.bincount(self._checked(batches)).astype(float)
        return float(times.sum()), float(np.linalg.norm(times))


class BinaryTree(Factor):
    r"""R: the sums of all dyadic blocks :math:`(i 2^h, (i+1) 2^h]` within the stream; L: the blocks of t's binary digits.

    A person is in at most :math:`\lfloor \log_2 n \rfloor + 1` blocks (the first one is in so many), and the sum until t
    needs one block for every one in the binary digits of t.
    """

    @property
    def levels(self) -> int:
        r""":math:`\lfloor \log_2 n \rfloor + 1`, also for powers of two."""
        return self.n.bit_length()

    @property
    def column_l1(self) -> float:
        return float(self.levels)

    @property
    def column_l2(self) -> float:
        return float(np.sqrt(self.levels))

    def errors(self) -> np.ndarray:
        r"""``[n]``: the standard deviation at each time, in units of that of z: the root of the number of ones in t."""
        return np.sqrt(self._digits(np.ones(self.levels)))

    def _digits(self, weights):
        """The sum of ``weights[h]`` over the binary digits h of 1, ..., n that are one."""
        sums = np.zeros(1)
        for weight in weights:  # the numbers with one more digit are those without it, and the same with it
            sums = np.concatenate([sums, sums + weight])
        return sums[1:self.n + 1]

    def noise(self, draw: Callable, shape: tuple[int, ...]) -> np.ndarray:
        """``[n, *shape]``: L z, for z made by ``draw(shape)``. Blocks that no sum reads are not drawn."""
        return self._read([draw(((self.n >> h) - (self.n >> h + 1), *shape)) for h in range(self.levels)], shape)

    def _read(self, left, shape):
        """The sums over time of blocks ``left[h][i]``, the first of each pair of blocks of length 2^h."""
        total = np.zeros((1 << self.levels, *shape))
        for h, blocks in enumerate(left):  # digit h of t is one: the block of level h ends where the lower digits begin
            total.reshape(-1, 2 << h, *shape)[:len(blocks), 1 << h:] += blocks[:, None]
        return total[1:self.n + 1]

    def moved(self, batches) -> tuple[float, float]:
        """L1 and L2 norm of the sum of the columns of R at ``batches`` (from 0, with repetitions)."""
        batches, counts = self._checked(batches), []
        for h in range(self.levels):
            blocks = batches >> h
            counts.append(np.unique(blocks[blocks < self.n >> h], return_counts=True)[1])
        counts = np.concatenate(counts).astype(float)
        return float(counts.sum()), float(np.linalg.norm(counts))


class SmoothedTree(BinaryTree):
    r"""The `BinaryTree` with the best linear unbiased estimate from all blocks published so far in place of single blocks.

    A block is measured by itself and as the sum of its halves. Weighted by precision, the variance falls from 1 to

    .. math:: v_h = \Bigl(1 + \frac{1}{2 v_{h-1}}\Bigr)^{-1} = \frac{2^h}{2^{h+1} - 1}

    in a block of length :math:`2^h`. Post-processing of the tree, so of the same privacy. Source: Honaker (2015), the
    estimate "from below" (from memory of the paper, not checked against its text).
    """

    def _variances(self):
        h = np.arange(self.levels)
        return 1 / (2 - 0.5**h)

    def errors(self) -> np.ndarray:
        r"""``[n]``: the standard deviation at each time, in units of z's: :math:`\sqrt{\sum_h v_h}` over t's digits."""
        return np.sqrt(self._digits(self._variances()))

    def noise(self, draw: Callable, shape: tuple[int, ...]) -> np.ndarray:
        """``[n, *shape]``: L z, for z made by ``draw(shape)``; z has up to 2 n entries, one for each block."""
        left, variances, below = [], self._variances(), None
        for h in range(self.levels):
            blocks = draw((self.n >> h, *shape))
            if h:
                own = 1 / (1 + 1 / (2 * variances[h - 1]))
                halves = below[:2 * len(blocks)].reshape(len(blocks), 2, *shape)
                blocks = own * blocks + (1 - own) * (halves[:, 0] + halves[:, 1])
            left.append(blocks[0:2 * (len(blocks) - (self.n >> h + 1)):2])
            below = blocks
        return self._read(left, shape)


class SquareRoot(Factor):
    r"""R = L = C, the lower-triangular Toeplitz matrix of `square_root_coefficients`: :math:`C C = A`.

    With :math:`s_t^2 = \sum_{k<t} a_k^2` the error at time t is :math:`s_t`, and one person moves :math:`C x` by at most
    :math:`s_n`: the product :math:`s_t s_n` is about :math:`1.07 + \ln(n)/\pi` at the end, where a tree has
    :math:`\log_2 n`. The stream's length n must be known in advance. :math:`C x` is not whole, so discrete noise does not
    fit it: see `WholeSquareRoot`.
    """

    whole: ClassVar[bool] = False
    _moves = staticmethod(_coefficients)  # the first column of R
    _reads = staticmethod(_coefficients)  # and of L

    @property
    def column_l1(self) -> float:
        return _norms(self._moves, self.n)[0]

    @property
    def column_l2(self) -> float:
        return _norms(self._moves, self.n)[1]

    def errors(self) -> np.ndarray:
        r"""``[n]``: the standard deviation at each time, in units of that of z: :math:`s_t`, the length of a row of L."""
        return np.sqrt(np.cumsum(self._reads(self.n) ** 2))

    def noise(self, draw: Callable, shape: tuple[int, ...]) -> np.ndarray:
        """``[n, *shape]``: L z, for z made by ``draw(shape)``: a convolution, by fast Fourier transforms if it is long."""
        z = draw((self.n, *shape))
        if self.n <= 256:
            return np.tensordot(scipy.linalg.toeplitz(self._reads(self.n), np.zeros(self.n)), z, axes=1)
        size = scipy.fft.next_fast_len(2 * self.n - 1, real=True)
        spectrum = scipy.fft.rfft(z, size, axis=0)
        spectrum *= _spectrum(self._reads, self.n, size).reshape(-1, *(1 for _ in shape))
        return scipy.fft.irfft(spectrum, size, axis=0, overwrite_x=True)[:self.n]

    def moved(self, batches) -> tuple[float, float]:
        """L1 and L2 norm of the sum of the columns of R at ``batches`` (from 0, with repetitions)."""
        at, times = np.unique(self._checked(batches), return_counts=True)
        if at.size * self.n <= 10**7:
            a, column = self._moves(self.n), np.zeros(self.n)
            for j, many in zip(at, times):
                column[j:] += many * a[:self.n - j]
        else:
            x = np.zeros(self.n)
            x[at] = times
            column = scipy.signal.fftconvolve(x, self._moves(self.n))[:self.n]
        return float(np.abs(column).sum()), float(np.linalg.norm(column))


class WholeSquareRoot(SquareRoot):
    r"""The `SquareRoot` with whole weights: R is :math:`10^6\,C` with each entry rounded, and :math:`L = A R^{-1}`.

    :math:`R x` is whole for whole x, so that it can be published with exact discrete noise (`.DiscreteGaussianNoise`);
    everything after that is post-processing, and may be rounded. The errors are those of the square root to six digits, with
    a scale a million times as large. For streams of at most 10,000 batches; ValueError otherwise. Sums with noise for real
    patients::

        Counter(times=growing(20_000, first=300, growth=0.2), factor=WholeSquareRoot(25),
                noise=DiscreteGaussianNoise.of_epsilon(1.0, 1e-5), sensitivity=table_sensitivity(...))
    """

    whole: ClassVar[bool] = True
    _moves = staticmethod(_whole_weights)
    _reads = staticmethod(_whole_readings)

    def __post_init__(self):
        set_fields(self, n=whole_number("n", self.n, least=1, most=LONGEST_WHOLE))
