r"""Values by weighted regression on first-visit returns, not private, and the checks of its arguments.

A trajectory x gives, for each state s it visits, its first-visit return :math:`F_{x,s} \in [0, F_{\max}]`. With
:math:`|X_s|` trajectories visiting s and :math:`F_{X,s}` their mean return, features :math:`\Phi` (one row per state)
and :math:`m` trajectories, the two regressions are

.. math:: \theta^w &= \arg\min_\theta \sum_s w_s (F_{X,s} - \phi_s^\top\theta)^2, \\
          \theta^\lambda &= \arg\min_\theta \sum_s \tfrac{\rho_s |X_s|}{m} (F_{X,s} - \phi_s^\top\theta)^2
                            + \tfrac{\lambda}{2m}\lVert\theta\rVert^2 .

Source: Balle, Gomrokchi & Precup, "Differentially Private Policy Evaluation" (2016).
"""

import numpy as np
from numpy.linalg import lstsq, norm, svd

from privrl_core.checks import instance_of, nonnegative, number, positive, shaped, up_to, whole_number
from privrl_core.policy_evaluation.first_visits import FirstVisitStatistics, lowest_and_bound

__all__ = ["tabular_features", "aggregated_features", "lsw", "lsl", "n_states_of", "checked_vector", "checked_visit_weights",
           "checked_features", "spectral_norm", "weighted_inverse", "fitted", "public_bound", "public_range"]


def tabular_features(n_states: int) -> np.ndarray:
    """One feature per state: the identity, ``[n_states, n_states]``. ValueError unless ``n_states >= 1``."""
    return np.eye(whole_number("n_states", n_states, least=1))


def aggregated_features(n_states: int, group_size: int) -> np.ndarray:
    """One feature for each run of ``group_size`` neighbouring states (the last run may be shorter): ``[n_states, d]``."""
    groups = np.arange(whole_number("n_states", n_states, least=1)) // whole_number("group_size", group_size, least=1)
    return np.eye(groups[-1] + 1)[groups]


def lsw(statistics: FirstVisitStatistics, features, weights) -> np.ndarray:
    r"""Least squares with fixed weights: :math:`\theta^w = (\Gamma^{1/2}\Phi)^\dagger\, \Gamma^{1/2} F_X`, not private.

    ``features[S, d]``, ``weights[S] >= 0`` with :math:`\Gamma^{1/2}\Phi` of full column rank (ValueError otherwise);
    the mean return of an unvisited state is set to 0. Returns ``[d]``, in units of return.
    Source: Balle et al. (2016), Equation (8).
    """
    n_states = n_states_of(statistics)
    features, weights = checked_features(features, n_states), checked_vector("weights", weights, n_states)
    return fitted(statistics, weighted_inverse(features, weights)[0], weights)


def lsl(statistics: FirstVisitStatistics, features, visit_weights, ridge: float) -> np.ndarray:
    r"""Least squares with a ridge: :math:`\theta^\lambda = (\Phi^\top\Gamma_X\Phi + \tfrac{\lambda}{2m}
    I)^{-1}\Phi^\top\Gamma_X F_X`, not private.

    ``features[S, d]``, ``visit_weights[S]`` (:math:`\rho`) in [0, 1], ``ridge`` :math:`\lambda > 0`; ValueError outside.
    Returns ``[d]``, in units of return. Source: Balle et al. (2016), Equation (11).
    """
    n_states = n_states_of(statistics)
    features, rho = checked_features(features, n_states), checked_visit_weights(visit_weights, n_states)
    _require_from_zero(statistics)
    own = number(positive, "ridge", ridge) / (2 * statistics.n_episodes)
    if _has_no_overlaps(features):
        seen = rho / statistics.n_episodes
        curvature = np.maximum((seen * statistics.visits) @ features**2 + own, np.finfo(float).tiny)
        return features.T @ (seen * statistics.return_sums) / curvature
    seen, ridge_row = np.sqrt(rho / statistics.n_episodes), np.sqrt(own) * np.eye(features.shape[1])
    # as one least-squares problem, because the matrix in the formula may be singular to working precision
    rows = np.vstack([(seen * np.sqrt(statistics.visits))[:, None] * features, ridge_row])
    targets = seen * statistics.return_sums / np.sqrt(np.maximum(statistics.visits, 1))
    return lstsq(rows, np.append(targets, np.zeros(features.shape[1])))[0]


def n_states_of(statistics) -> int:
    """S of first-visit statistics; ValueError for anything else."""
    return len(instance_of(FirstVisitStatistics, "statistics", statistics).visits)


def checked_vector(name, values, size=None):
    """``values[S]``, at least 0; ValueError otherwise."""
    return shaped(name, nonnegative(name, values), (size or "S",))


def checked_visit_weights(visit_weights, size=None):
    """``visit_weights[S]`` in [0, 1]; ValueError otherwise."""
    return up_to("visit_weights", checked_vector("visit_weights", visit_weights, size), 1)


def checked_features(features, n_states):
    """``features[S, d]``, finite; ValueError otherwise."""
    return shaped("features", features, (n_states, "d"))


def spectral_norm(features, n_states):
    """The largest singular value of ``features[S, d]``."""
    features = checked_features(features, n_states)
    return norm(features, axis=0).max() if _has_no_overlaps(features) else norm(features, 2)


def _has_no_overlaps(features):
    """Whether each state has at most one nonzero feature, as in a table or in groups. Then the columns are orthogonal, and
    no decomposition is needed."""
    return (np.count_nonzero(features, axis=1) <= 1).all()


def weighted_inverse(features, weights) -> tuple[np.ndarray, float]:
    """The pseudo-inverse [d, S] of the weighted features, ``diag(weights)^(1/2) features``, and its norm; ValueError unless
    they have full column rank."""
    weighted = np.sqrt(weights)[:, None] * features
    if _has_no_overlaps(weighted):
        sizes = norm(weighted, axis=0)
        u, vt = weighted / np.maximum(sizes, np.finfo(float).tiny), None
    else:
        u, sizes, vt = svd(weighted, full_matrices=False)
    rank = np.count_nonzero(sizes > sizes.max() * max(weighted.shape) * np.finfo(float).eps)
    if rank < features.shape[1]:
        raise ValueError(f"features must have full column rank {features.shape[1]} under the weights, got rank {rank}")
    inverse = (1 / sizes)[:, None] * u.T
    return inverse if vt is None else vt.T @ inverse, float(1 / sizes.min())


def fitted(statistics, inverse, weights) -> np.ndarray:
    """The parameters of `lsw`, from the pseudo-inverse of the weighted features."""
    _require_from_zero(statistics)
    mean_returns = statistics.return_sums / np.maximum(statistics.visits, 1)
    return inverse @ (np.sqrt(weights) * mean_returns)


def _require_from_zero(statistics):
    if statistics.lowest_return:
        raise ValueError(f"statistics must be of returns from 0 on, got lowest_return = {statistics.lowest_return}")


def public_bound(statistics, return_bound):
    """``return_bound``, if the statistics are clipped to it or to less; ValueError otherwise."""
    bound = number(positive, "return_bound", return_bound)
    if statistics.return_bound is None or statistics.return_bound > bound:
        raise ValueError(f"statistics must be clipped to return_bound = {bound:g} "
                         f"(first_visit_statistics(..., return_bound={bound:g})), got {statistics.return_bound}")
    return bound


def public_range(statistics, return_bound, return_range):
    """The lowest return and the bound above it, from whichever is given; ValueError unless the statistics respect them."""
    lowest, bound = lowest_and_bound(return_bound, return_range)
    if bound is None:
        raise ValueError("one of return_bound and return_range must be given, got neither")
    if statistics.lowest_return != lowest:
        raise ValueError(f"statistics must be clipped from {lowest:g} on (return_range), got lowest_return = "
                         f"{statistics.lowest_return:g}")
    return lowest, public_bound(statistics, bound)
