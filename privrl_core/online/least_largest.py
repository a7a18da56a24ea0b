"""The factorisation of a running count with the least largest error: found by repetition, and proved by its dual."""

from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar

import numpy as np

from privrl_core.checks import whole_number
from privrl_core.online.factors import Factor

__all__ = ["LeastLargest"]


class LeastLargest(Factor):
    r"""The factorisation whose largest error, over all times and for the same privacy, is the smallest that there is.

    What counts is the longest row of L times the longest column of R. Its minimum over all :math:`L R = A` is

    .. math:: \gamma_2(A) = \max_{w, v}\ \bigl\lVert W^{1/2} A V^{1/2} \bigr\rVert_*

    over probabilities w of rows and v of columns (the sum of the singular values): each w, v is a lower bound for every
    factorisation. With :math:`U S V'` the singular value decomposition at the best w, v, the factors :math:`W^{-1/2} U
    S^{1/2}` and :math:`S^{1/2} V' V^{-1/2}` attain it, and a rotation makes both lower triangular, which changes no length.
    The weights are found by repeating :math:`w_t \leftarrow (M M^\top)^{1/2}_{tt}`, :math:`v_j \leftarrow (M^\top
    M)^{1/2}_{jj}`, :math:`M = W^{1/2} A V^{1/2}`, scaled to sum to 1, until both bounds agree to a billionth.

    For 16 batches 1.7045, where `.SquareRoot` has 1.9439. The error is the same at all times, so that of the first releases
    is larger than with `.SquareRoot`. ``n`` is at most 100 (some seconds), as for batches; ValueError otherwise. Sources:
    the norm and its dual are textbook (Haagerup; Linial & Shraibman), and Henzinger, Upadhyay & Upadhyay (2023) use them for
    counting, all from memory, not checked against the texts; the repetition is this book's, and it checks itself.
    """

    whole: ClassVar[bool] = False

    def __post_init__(self):
        super().__post_init__()
        whole_number("n", self.n, least=1, most=100)

    @property
    def least_possible(self) -> float:
        """A lower bound for the longest row times the longest column of every factorisation, a billionth below this one."""
        return _least_largest(self.n)[2]

    @property
    def column_l1(self) -> float:
        return float(np.abs(_least_largest(self.n)[1]).sum(axis=0).max())

    @property
    def column_l2(self) -> float:
        return float(np.linalg.norm(_least_largest(self.n)[1], axis=0).max())

    def errors(self) -> np.ndarray:
        """``[n]``: the standard deviation at each time, in units of that of z: nearly the same at all times."""
        return np.linalg.norm(_least_largest(self.n)[0], axis=1)

    def noise(self, draw: Callable, shape: tuple[int, ...]) -> np.ndarray:
        """``[n, *shape]``: L z, for z made by ``draw(shape)``."""
        return np.tensordot(_least_largest(self.n)[0], draw((self.n, *shape)), axes=1)

    def moved(self, batches) -> tuple[float, float]:
        """L1 and L2 norm of the sum of the columns of R at ``batches`` (from 0, with repetitions)."""
        column = _least_largest(self.n)[1][:, self._checked(batches)].sum(axis=1)
        return float(np.abs(column).sum()), float(np.linalg.norm(column))


@lru_cache(maxsize=16)
def _least_largest(n):
    """L, R and the lower bound."""
    triangle, rows, columns = np.tril(np.ones((n, n))), np.full(n, 1 / n), np.full(n, 1 / n)
    while True:
        left, values, right = np.linalg.svd(np.sqrt(rows)[:, None] * triangle * np.sqrt(columns))
        bound, row_root, column_root = values.sum(), (left**2) @ values, values @ (right**2)
        if np.sqrt((row_root / rows).max() * (column_root / columns).max()) <= bound * (1 + 1e-9):
            break
        rows, columns = row_root / bound, column_root / bound
    strategy = np.sqrt(values)[:, None] * right / np.sqrt(columns)
    _, upper = np.linalg.qr(strategy[:, ::-1])  # strategy = Q R: with both axes turned round, lower triangular
    lower = upper[::-1, ::-1] * np.sign(np.diag(upper)[::-1])[:, None]
    lower = np.tril(lower)
    reading = np.tril(np.linalg.solve(lower.T, triangle.T).T)
    return reading, lower, float(bound)
