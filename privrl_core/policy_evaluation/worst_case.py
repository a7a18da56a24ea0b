"""Neighbouring data sets that no others are farther apart than."""

import numpy as np

from privrl_core.checks import number, positive, whole_number
from privrl_core.policy_evaluation.first_visits import FirstVisitStatistics

__all__ = ["farthest_neighbours"]


def farthest_neighbours(n_states: int, return_bound: float) -> tuple[FirstVisitStatistics, FirstVisitStatistics]:
    """Two neighbouring datasets no others are farther apart than: one trajectory through every state, its returns 0
    or ``return_bound``.

    For DP-LSW they attain Lemma 2, for `.dp_sufficient_statistics` the whole sensitivity; the widths are equal.
    ``n_states >= 1``, ``return_bound > 0``; ValueError outside.
    """
    visits = np.ones(whole_number("n_states", n_states, least=1), dtype=int)
    bound = number(positive, "return_bound", return_bound)
    return tuple(FirstVisitStatistics(visits, returns * visits, 1, bound) for returns in (0.0, bound))
