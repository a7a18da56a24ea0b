r"""Private policy evaluation from trajectories: DP-LSW, DP-LSL, and sufficient statistics released once.

A trajectory x gives, for each state s it visits, its first-visit return :math:`F_{x,s} \in [0, F_{\max}]`. With
:math:`|X_s|` trajectories visiting s and :math:`F_{X,s}` their mean return, features :math:`\Phi` (one row a state)
and :math:`m` trajectories, the two regressions are

.. math:: \theta^w &= \arg\min_\theta \sum_s w_s (F_{X,s} - \phi_s^\top\theta)^2, \\
          \theta^\lambda &= \arg\min_\theta \sum_s \tfrac{\rho_s |X_s|}{m} (F_{X,s} - \phi_s^\top\theta)^2
                            + \tfrac{\lambda}{2m}\lVert\theta\rVert^2 .

**Unit of privacy:** one trajectory. **Neighbours:** replace one (so m is public).
Source: Balle, Gomrokchi & Precup, "Differentially Private Policy Evaluation" (2016).
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.linalg import lstsq, matrix_rank, norm, pinv

from privrl_core.calibration import exactly, smooth_gaussian_delta
from privrl_core.episodes import FirstVisitStatistics
from privrl_core.privacy import Guarantee, Status, gaussian_mu
from privrl_core.validation import finite, nonnegative, number, open_unit, positive, whole_number

__all__ = ["tabular_features", "aggregated_features", "lsw", "lsl", "Release", "dp_lsw", "dp_lsl",
           "lsl_sensitivity_as_printed", "lsl_sensitivity_improved", "smooth_bound_lsw", "smooth_bound_lsl",
           "noise_scale_lsw_non_private", "noise_scale_lsl_non_private",
           "SufficientStatisticsRelease", "dp_sufficient_statistics", "shrunken_values"]

Rule = Callable[[float, float, int], tuple[float, float]]


# ---------------------------------------------------------------------------------------------- the regressions

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
    features, weights = _features(features, n_states), _vector("weights", weights, n_states)
    mean_returns = statistics.return_sums / np.maximum(statistics.visits, 1)
    return pinv(_weighted(features, weights)) @ (np.sqrt(weights) * mean_returns)


def lsl(statistics: FirstVisitStatistics, features, visit_weights, ridge: float) -> np.ndarray:
    r"""Least squares with a ridge: :math:`\theta^\lambda = (\Phi^\top\Gamma_X\Phi + \tfrac{\lambda}{2m}
    I)^{-1}\Phi^\top\Gamma_X F_X`, not private.

    ``features[S, d]``, ``visit_weights[S]`` (:math:`\rho`) in [0, 1], ``ridge`` :math:`\lambda > 0`; ValueError outside.
    Returns ``[d]``, in units of return. Source: Balle et al. (2016), Equation (11).
    """
    n_states = len(statistics.visits)
    features, rho = _features(features, n_states), _visit_weights(visit_weights, n_states)
    seen = np.sqrt(rho / statistics.n_episodes)
    ridge_row = np.sqrt(number(positive, "ridge", ridge) / (2 * statistics.n_episodes)) * np.eye(features.shape[1])
    # as one least-squares problem: its square, the matrix in the formula, may be singular to working precision
    rows = np.vstack([(seen * np.sqrt(statistics.visits))[:, None] * features, ridge_row])
    targets = seen * statistics.return_sums / np.sqrt(np.maximum(statistics.visits, 1))
    return lstsq(rows, np.append(targets, np.zeros(features.shape[1])))[0]


# ----------------------------------------------------------------------------------- how far a neighbour can move

def smooth_bound_lsw(visits, weights, beta: float) -> float:
    r"""The smallest beta-smooth upper bound of DP-LSW's local sensitivity, squared and without its constants:

    .. math:: \psi = \max_{k \ge 0}\ e^{-k\beta} \sum_s \frac{w_s}{\max(|X_s| - k, 1)^2}

    Between two of the points k = 0 and :math:`k = |X_s| - 1` every term is log-convex, hence so is their sum, which
    takes its maximum at one of these points: at most S + 1 of them, instead of one for each visit.
    ``visits[S] >= 0``, ``weights[S] >= 0``, ``beta > 0``; ValueError outside. Depends on the data: never publish it.
    Source: Balle et al. (2016), Equation (9), Lemmas 4 and 5; the closed form is this book's.
    """
    visits, beta = _vector("visits", visits), number(positive, "beta", beta)
    weights = _vector("weights", weights, visits.size)
    corners = np.unique(np.append(visits[visits > 1] - 1, 0))
    blocks = np.array_split(corners[:, None], 1 + corners.size * visits.size // 2**20)  # of at most 8 MB
    return float(max(np.max(np.exp(-beta * k[:, 0]) * ((1 / np.maximum(visits - k, 1) ** 2) @ weights)) for k in blocks))


def smooth_bound_lsl(visits, n_episodes: int, features, visit_weights, ridge: float, beta: float) -> float:
    r"""The smallest beta-smooth upper bound of DP-LSL's local sensitivity, squared and without its constants:

    .. math:: \psi = \max_{0 \le k \le m} e^{-k\beta} \Bigl(c_\lambda \sqrt{\textstyle\sum_s \rho_s \min(|X_s| + k, m)}
              + \lVert\rho\rVert_2\Bigr)^2, \qquad c_\lambda =
              \frac{\lVert\Phi\rVert\,\lVert\rho\rVert_\infty}{\sqrt{2\lambda}}

    The maximised function is log-concave in k, so bisection on the sign of its slope finds the maximum.
    ``0 <= visits[S] <= n_episodes``, ``visit_weights[S]`` in [0, 1], ``ridge > 0``, ``beta > 0``; ValueError outside.
    Depends on the data: never publish it. Source: Balle et al. (2016), Equation (12) (Lemma 9 prints max for min).
    """
    visits, beta = _vector("visits", visits), number(positive, "beta", beta)
    m = whole_number("n_episodes", n_episodes, least=1)
    if np.any(visits > m):
        raise ValueError(f"visits must be at most n_episodes = {m}, got {visits.max()}")
    rho = _visit_weights(visit_weights, visits.size)
    c = _spectral_norm(features, visits.size) * rho.max() / np.sqrt(2 * number(positive, "ridge", ridge))

    def root(k):
        return c * np.sqrt(rho @ np.minimum(visits + k, m)) + norm(rho)

    def falls_from(k):
        reach = rho @ np.minimum(visits + k, m)
        return c * (rho @ (visits + k < m)) <= beta * np.sqrt(reach) * root(k)
    k = bisect_left(range(m), True, key=falls_from)
    return float(max(np.exp(-beta * j) * root(j) ** 2 for j in (k, max(k - 1, 0))))


def lsl_sensitivity_as_printed(features, visit_weights, ridge: float) -> float:
    r"""DP-LSL's public sensitivity factor as printed: :math:`2\lVert\Phi\rVert / (\lambda -
    \lVert\Phi\rVert^2\lVert\rho\rVert_\infty)`.

    Times :math:`F_{\max}\sqrt{\varphi}` it bounds :math:`\lVert\theta_X - \theta_{X'}\rVert_2`. Raises ValueError unless
    ``ridge`` exceeds :math:`\lVert\Phi\rVert^2\lVert\rho\rVert_\infty`. Source: Balle et al. (2016), Corollary 8.
    """
    rho, ridge = _visit_weights(visit_weights), number(positive, "ridge", ridge)
    size = _spectral_norm(features, rho.size)
    least = size**2 * rho.max()
    if not ridge > least:
        raise ValueError(f"ridge must exceed ‖features‖² max(visit_weights) = {least:.6g}, got {ridge}")
    return float(2 * size / (ridge - least))


def lsl_sensitivity_improved(features, visit_weights, ridge: float) -> float:
    r"""DP-LSL's public sensitivity factor, sharpened: :math:`2\lVert\Phi\rVert/\lambda`, for every ``ridge > 0``.

    With H and H' the two regularised Gram matrices, subtracting the normal equations gives
    :math:`H'(\theta' - \theta) = \tfrac1m \Phi^\top\Gamma_\rho(F_{x'} - F_x + \Delta\Phi\theta)` and
    :math:`\lVert H'^{-1}\rVert \le 2m/\lambda`: the numerator of Lemma 7 over :math:`\lambda` alone.
    ValueError unless ``ridge > 0``. Source: improves Balle et al. (2016), Lemma 7 and Corollary 8.
    """
    size = _spectral_norm(features, _visit_weights(visit_weights).size)
    return float(2 * size / number(positive, "ridge", ridge))


# -------------------------------------------------------------------------- the paper's mechanisms

@dataclass(frozen=True)
class Release:
    """What may be published: the private ``parameters[d]`` and the ``guarantee`` they carry. Values are features @
    parameters."""

    parameters: np.ndarray
    guarantee: Guarantee


def noise_scale_lsw_non_private(statistics: FirstVisitStatistics, features, weights, *, return_bound: float,
                                epsilon: float, delta: float, rule: Rule = exactly) -> float:
    r"""DP-LSW's standard deviation :math:`\sigma_X = \alpha F_{\max} \lVert(\Gamma^{1/2}\Phi)^\dagger\rVert \sqrt{\psi}`.

    It follows the data and no guarantee covers it: for figures and tests, never for publication.
    Arguments and errors as in `dp_lsw`. Source: Balle et al. (2016), Algorithm 1.
    """
    n_states = len(statistics.visits)
    features, weights = _features(features, n_states), _vector("weights", weights, n_states)
    bound = _public_bound(statistics, return_bound)
    alpha, beta = rule(epsilon, delta, features.shape[1])
    stretch = norm(pinv(_weighted(features, weights)), 2)
    return float(alpha * bound * stretch * np.sqrt(smooth_bound_lsw(statistics.visits, weights, beta)))


def dp_lsw(statistics: FirstVisitStatistics, features, weights, *, return_bound: float, epsilon: float, delta: float,
           rng: np.random.Generator, rule: Rule = exactly) -> Release:
    r"""DP-LSW: :math:`\hat\theta = \theta^w + \mathcal N(0, \sigma_X^2 I)`, (epsilon, delta)-DP for one trajectory,
    replace one.

    ``statistics`` with every trajectory's returns clipped to [0, return_bound]
    (``first_visit_statistics(..., return_bound=...)``), ``features[S, d]``, ``weights[S] >= 0`` with
    :math:`\Gamma^{1/2}\Phi` of full column rank; weights, features and return_bound must be public. ``rule`` is
    `.as_printed`, `.as_proved` or `.exactly`. Raises ValueError on unclipped statistics and on arguments out of range.
    Source: Balle et al. (2016), Algorithm 1 and Theorem 6.
    """
    scale = noise_scale_lsw_non_private(statistics, features, weights, return_bound=return_bound,
                                        epsilon=epsilon, delta=delta, rule=rule)
    theta = lsw(statistics, features, weights)
    return Release(rng.normal(theta, scale), _smooth_guarantee("DP-LSW", float(epsilon), float(delta), theta.size, rule))


def noise_scale_lsl_non_private(statistics: FirstVisitStatistics, features, visit_weights, ridge: float, *,
                                return_bound: float, epsilon: float, delta: float, rule: Rule = exactly,
                                sensitivity=lsl_sensitivity_improved) -> float:
    r"""DP-LSL's standard deviation :math:`\sigma_X = \alpha F_{\max}\, \text{sensitivity}(\Phi, \rho, \lambda) \sqrt{\psi}`.

    It follows the data and no guarantee covers it: for figures and tests, never for publication.
    Arguments and errors as in `dp_lsl`. Source: Balle et al. (2016), Algorithm 2.
    """
    n_states = len(statistics.visits)
    features, rho = _features(features, n_states), _visit_weights(visit_weights, n_states)
    bound = _public_bound(statistics, return_bound)
    alpha, beta = rule(epsilon, delta, features.shape[1])
    psi = smooth_bound_lsl(statistics.visits, statistics.n_episodes, features, rho, ridge, beta)
    factor = number(nonnegative, "sensitivity", sensitivity(features, rho, ridge))
    return float(alpha * bound * factor * np.sqrt(psi))


def dp_lsl(statistics: FirstVisitStatistics, features, visit_weights, ridge: float, *, return_bound: float,
           epsilon: float, delta: float, rng: np.random.Generator, rule: Rule = exactly,
           sensitivity: Callable[..., float] = lsl_sensitivity_improved) -> Release:
    r"""DP-LSL: :math:`\hat\theta = \theta^\lambda + \mathcal N(0, \sigma_X^2 I)`, (epsilon, delta)-DP for one
    trajectory, replace one.

    ``statistics`` clipped as for `dp_lsw`, ``visit_weights[S]`` (:math:`\rho`) in [0, 1], ``ridge`` :math:`\lambda > 0`,
    all public; a ridge chosen by looking at the data costs privacy that nobody paid. ``sensitivity`` is
    `lsl_sensitivity_as_printed` or `lsl_sensitivity_improved`. Raises ValueError on arguments out of range.
    Source: Balle et al. (2016), Algorithm 2 and Theorem 10.
    """
    scale = noise_scale_lsl_non_private(statistics, features, visit_weights, ridge, return_bound=return_bound,
                                        epsilon=epsilon, delta=delta, rule=rule, sensitivity=sensitivity)
    theta = lsl(statistics, features, visit_weights, ridge)
    return Release(rng.normal(theta, scale),
                   _smooth_guarantee("DP-LSL", float(epsilon), float(delta), theta.size, rule, sensitivity))


# -------------------------------------------------------------------------- what you would do today

@dataclass(frozen=True)
class SufficientStatisticsRelease:
    r"""What may be published: noisy ``visits[S]`` and ``return_sums[S]``, ``parameters[d]`` fitted to them, the public
    ``noise_scale`` (:math:`\sigma`; the noise of each pair has covariance :math:`\sigma^2 M`), the ``guarantee``."""

    parameters: np.ndarray
    visits: np.ndarray
    return_sums: np.ndarray
    noise_scale: float
    guarantee: Guarantee


def dp_sufficient_statistics(statistics: FirstVisitStatistics, features, weights=None, *, return_bound: float,
                             epsilon: float, delta: float, rng: np.random.Generator) -> SufficientStatisticsRelease:
    r"""Release visits and summed first-visit returns once, with noise shaped to what one trajectory can change.

    A trajectory adds to each state's pair (visits, returns) one point of the triangle with corners (0, 0), (1, 0),
    (1, F), where F is ``return_bound``. Replacing it moves the pair within the hexagon with corners
    :math:`\pm(1, 0), \pm(0, F), \pm(1, F)`, whose smallest enclosing ellipse is :math:`z^\top M^{-1} z \le 1` with

    .. math:: M = \frac23\begin{pmatrix} 2 & F \\ F & 2F^2 \end{pmatrix}.

    Over S states the whole move has length at most :math:`\sqrt S` in that norm, attained. Noise
    :math:`\mathcal N(0, \sigma^2 M)` in each state, independently, with :math:`\sigma = \sqrt S/\mu` is therefore
    exactly :math:`\mu`-Gaussian-DP, and :math:`\mu` = ``gaussian_mu(epsilon, delta)``. What follows is
    post-processing: values shrunk to their pooled mean as far as the noise demands (`shrunken_values`), then
    weighted least squares as in `lsw`.

    ``statistics`` clipped to [0, return_bound], ``features[S, d]`` of full column rank under ``weights[S] >= 0``
    (None: all 1), all public; ValueError outside. **Unit:** one trajectory, replace one.
    Source: this book; its relative is AdaSSP, Wang (2018).
    """
    n_states = len(statistics.visits)
    features = _features(features, n_states)
    weights = np.ones(n_states) if weights is None else _vector("weights", weights, n_states)
    bound, weighted = _public_bound(statistics, return_bound), _weighted(features, weights)
    mu = _gaussian_mu(number(nonnegative, "epsilon", epsilon), number(open_unit, "delta", delta))
    scale = float(np.sqrt(n_states) / mu)
    covariance = [[4 / 3, 2 / 3], [2 / 3, 4 / 3]]
    noise = scale * rng.multivariate_normal(np.zeros(2), covariance, size=n_states, method="cholesky").T
    visits, return_sums = statistics.visits + noise[0], statistics.return_sums + bound * noise[1]
    values = shrunken_values(visits, return_sums, return_bound=bound, noise_scale=scale)
    guarantee = Guarantee(
        float(epsilon), float(delta), "one trajectory", "replace one", Status.PROVED,
        f"Gaussian mechanism on visits and clipped returns, exact calibration, μ = {mu:.4g}",
        assumes=("weights, features, return_bound and the number of trajectories are public",), mu=mu)
    return SufficientStatisticsRelease(pinv(weighted) @ (np.sqrt(weights) * values), visits, return_sums, scale, guarantee)


def shrunken_values(visits, return_sums, *, return_bound: float, noise_scale: float) -> np.ndarray:
    r"""State values from noisy sums, each drawn to the pooled mean c as far as its own noise demands.

    .. math:: v_s = \frac{\tilde n_s \tilde f_s + \tfrac{40}{3}\sigma^2 c}{\tilde n_s^2 + \tfrac{40}{3}\sigma^2}
              \quad \text{clipped to } [0, F]

    The posterior mean of a value with prior variance :math:`F^2/12` (that of a uniform law on [0, F]), where
    :math:`\tilde f - v\tilde n` has noise variance :math:`\tfrac{10}{9}F^2\sigma^2` on average over that law.
    ``visits[S]``, ``return_sums[S]`` noisy (any sign), ``noise_scale`` :math:`\sigma > 0`; ValueError outside.
    """
    visits, return_sums = np.maximum(finite("visits", visits), 0), finite("return_sums", return_sums)
    if visits.shape != return_sums.shape:
        raise ValueError(f"return_sums must have the shape of visits, {list(visits.shape)}, got {list(return_sums.shape)}")
    bound, sigma = number(positive, "return_bound", return_bound), number(positive, "noise_scale", noise_scale)
    pooled = np.clip(return_sums.sum() / max(visits.sum(), 1), 0, bound)
    shrinkage = max(40 / 3 * sigma**2, np.finfo(float).tiny)
    return np.clip((visits * return_sums + shrinkage * pooled) / (visits**2 + shrinkage), 0, bound)


# ---------------------------------------------------------------------------------------------- checks

def _vector(name, values, size=None):
    values = nonnegative(name, values)
    if values.ndim != 1 or not values.size or values.size != (size or values.size):
        raise ValueError(f"{name} must have shape [{size or 'S'}], got {list(values.shape)}")
    return values


def _visit_weights(visit_weights, size=None):
    rho = _vector("visit_weights", visit_weights, size)
    if np.any(rho > 1):
        raise ValueError(f"visit_weights must be at most 1, got {rho.max()}")
    return rho


def _features(features, n_states):
    features = finite("features", features)
    if features.ndim != 2 or len(features) != n_states or not features.size:
        raise ValueError(f"features must have shape [{n_states}, d], got {list(features.shape)}")
    return features


def _spectral_norm(features, n_states):
    return norm(_features(features, n_states), 2)


def _weighted(features, weights):
    """The weighted features, diag(weights)^(1/2) features, if they have full column rank."""
    weighted = np.sqrt(weights)[:, None] * features
    if (rank := matrix_rank(weighted)) < features.shape[1]:
        raise ValueError(f"features must have full column rank {features.shape[1]} under the weights, got rank {rank}")
    return weighted


def _public_bound(statistics, return_bound):
    bound = number(positive, "return_bound", return_bound)
    if statistics.return_bound is None or statistics.return_bound > bound:
        raise ValueError(f"statistics must be clipped to return_bound = {bound:g} "
                         f"(first_visit_statistics(..., return_bound={bound:g})), got {statistics.return_bound}")
    return bound


@lru_cache
def _gaussian_mu(epsilon, delta):
    return float(gaussian_mu(epsilon, delta))


@lru_cache
def _smooth_guarantee(mechanism, epsilon, delta, d, rule, sensitivity=None):
    true_delta = smooth_gaussian_delta(epsilon, *rule(epsilon, delta, d), d)
    proved = sensitivity in (None, lsl_sensitivity_as_printed, lsl_sensitivity_improved)
    status = (Status.REFUTED if true_delta > delta * (1 + 1e-8) else
              Status.PROVED if proved else Status.CLAIMED)
    named = ", ".join(getattr(f, "__name__", repr(f)) for f in (rule, sensitivity) if f)
    return Guarantee(epsilon, delta, "one trajectory", "replace one", status,
                     f"{mechanism}, noise smooth in the data, {named}: true δ = {true_delta:.3g}",
                     assumes=("features, weights, return_bound and the number of trajectories are public",)
                     + (("the ridge is public",) if sensitivity else ()))
