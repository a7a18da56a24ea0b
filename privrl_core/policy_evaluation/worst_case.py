"""Neighbouring data sets that are as far apart as neighbours can be."""

import numpy as np

from privrl_core.checks import number, positive, whole_number
from privrl_core.policy_evaluation.first_visits import FirstVisitStatistics

__all__ = ["farthest_neighbours"]


def farthest_neighbours(n_states: int, return_bound: float) -> tuple[FirstVisitStatistics, FirstVisitStatistics]:
    """Two neighbouring data sets at the largest possible distance: one trajectory through every state, with all returns 0
    or ``return_bound``.

    They attain Lemma 2 for DP-LSW and the sensitivity of `.dp_sufficient_statistics`; the noise scales are equal.
    ``n_states >= 1``, ``return_bound > 0``; ValueError outside.
    """
    visits = np.ones(whole_number("n_states", n_states, least=1), dtype=int)
    bound = number(positive, "return_bound", return_bound)
    return tuple(FirstVisitStatistics(visits, returns * visits, 1, bound) for returns in (0.0, bound))
