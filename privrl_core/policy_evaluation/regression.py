r"""Values by weighted regression on first-visit returns, not private; and the checks of its arguments.

A trajectory x gives, for each state s it visits, its first-visit return :math:`F_{x,s} \in [0, F_{\max}]`. With
:math:`|X_s|` trajectories visiting s and :math:`F_{X,s}` their mean return, features :math:`\Phi` (one row per state)
and :math:`m` trajectories, the two regressions are

.. math:: \theta^w &= \arg\min_\theta \sum_s w_s (F_{X,s} - \phi_s^\top\theta)^2, \\
          \theta^\lambda &= \arg\min_\theta \sum_s \tfrac{\rho_s |X_s|}{m} (F_{X,s} - \phi_s^\top\theta)^2
                            + \tfrac{\lambda}{2m}\lVert\theta\rVert^2 .

Source: Balle, Gomrokchi & Precup, "Differentially Private Policy Evaluation" (2016).
"""

import numpy as np
from numpy.linalg import lstsq, matrix_rank, norm, pinv

from privrl_core.checks import finite, nonnegative, number, positive, whole_number
from privrl_core.policy_evaluation.first_visits import FirstVisitStatistics, lowest_and_bound

__all__ = ["tabular_features", "aggregated_features", "lsw", "lsl", "checked_vector", "checked_visit_weights",
           "checked_features", "spectral_norm", "weighted_features", "public_bound", "public_range"]


def tabular_features(n_states: int) -> np.ndarray:
    """One feature a state: the identity, ``[n_states, n_states]``. ValueError unless ``n_states >= 1``."""
    return np.eye(whole_number("n_states", n_states, least=1))


def aggregated_features(n_states: int, group_size: int) -> np.ndarray:
    """One feature for each run of ``group_size`` neighbouring states (the last run may be shorter): ``[n_states, d]``."""
    groups = np.arange(whole_number("n_states", n_states, least=1)) // whole_number("group_size", group_size, least=1)
    return np.eye(groups[-1] + 1)[groups]


def lsw(statistics: FirstVisitStatistics, features, weights) -> np.ndarray:
    r"""Least squares with fixed weights: :math:`\theta^w = (\Gamma^{1/2}\Phi)^\dagger\, \Gamma^{1/2} F_X`, not private.

    ``features[S, d]``, ``weights[S] >= 0`` with :math:`\Gamma^{1/2}\Phi` of full column rank (ValueError otherwise);
    a state nobody visited has mean return 0. Returns ``[d]``, in units of return.
    Source: Balle et al. (2016), Equation (8).
    """
    n_states = len(statistics.visits)
    features, weights = checked_features(features, n_states), checked_vector("weights", weights, n_states)
    _require_from_zero(statistics)
    mean_returns = statistics.return_sums / np.maximum(statistics.visits, 1)
    return pinv(weighted_features(features, weights)) @ (np.sqrt(weights) * mean_returns)


def lsl(statistics: FirstVisitStatistics, features, visit_weights, ridge: float) -> np.ndarray:
    r"""Least squares with a ridge: :math:`\theta^\lambda = (\Phi^\top\Gamma_X\Phi + \tfrac{\lambda}{2m}
    I)^{-1}\Phi^\top\Gamma_X F_X`, not private.

    ``features[S, d]``, ``visit_weights[S]`` (:math:`\rho`) in [0, 1], ``ridge`` :math:`\lambda > 0`; ValueError outside.
    Returns ``[d]``, in units of return. Source: Balle et al. (2016), Equation (11).
    """
    n_states = len(statistics.visits)
    features, rho = checked_features(features, n_states), checked_visit_weights(visit_weights, n_states)
    _require_from_zero(statistics)
    seen = np.sqrt(rho / statistics.n_episodes)
    ridge_row = np.sqrt(number(positive, "ridge", ridge) / (2 * statistics.n_episodes)) * np.eye(features.shape[1])
    # as one least-squares problem: its square, the matrix in the formula, may be singular to working precision
    rows = np.vstack([(seen * np.sqrt(statistics.visits))[:, None] * features, ridge_row])
    targets = seen * statistics.return_sums / np.sqrt(np.maximum(statistics.visits, 1))
    return lstsq(rows, np.append(targets, np.zeros(features.shape[1])))[0]


def checked_vector(name, values, size=None):
    values = nonnegative(name, values)
    if values.ndim != 1 or not values.size or values.size != (size or values.size):
        raise ValueError(f"{name} must have shape [{size or 'S'}], got {list(values.shape)}")
    return values


def checked_visit_weights(visit_weights, size=None):
    rho = checked_vector("visit_weights", visit_weights, size)
    if np.any(rho > 1):
        raise ValueError(f"visit_weights must be at most 1, got {rho.max()}")
    return rho


def checked_features(features, n_states):
    features = finite("features", features)
    if features.ndim != 2 or len(features) != n_states or not features.size:
        raise ValueError(f"features must have shape [{n_states}, d], got {list(features.shape)}")
    return features


def spectral_norm(features, n_states):
    return norm(checked_features(features, n_states), 2)


def weighted_features(features, weights):
    r"""The weighted features, :math:`\Gamma^{1/2}\Phi`, if they have full column rank."""
    weighted = np.sqrt(weights)[:, None] * features
    if (rank := matrix_rank(weighted)) < features.shape[1]:
        raise ValueError(f"features must have full column rank {features.shape[1]} under the weights, got rank {rank}")
    return weighted


def _require_from_zero(statistics):
    if statistics.lowest_return:
        raise ValueError(f"statistics must be of returns from 0 on, got lowest_return = {statistics.lowest_return}")


def public_bound(statistics, return_bound):
    bound = number(positive, "return_bound", return_bound)
    if statistics.return_bound is None or statistics.return_bound > bound:
        raise ValueError(f"statistics must be clipped to return_bound = {bound:g} "
                         f"(first_visit_statistics(..., return_bound={bound:g})), got {statistics.return_bound}")
    return bound


def public_range(statistics, return_bound, return_range):
    """The lowest return and the bound above it, of which one is given; ValueError unless the statistics keep to them."""
    lowest, bound = lowest_and_bound(return_bound, return_range)
    if bound is None:
        raise ValueError("one of return_bound and return_range must be given, got neither")
    if statistics.lowest_return != lowest:
        raise ValueError(f"statistics must be clipped from {lowest:g} on (return_range), got lowest_return = "
                         f"{statistics.lowest_return:g}")
    return lowest, public_bound(statistics, bound)
