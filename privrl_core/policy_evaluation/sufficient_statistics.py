r"""What you would do today: visits and returns released once, and everything else computed from the release.

**Unit of privacy:** one trajectory. **Neighbours:** replace one (so the number of trajectories is public).
"""

from dataclasses import dataclass

import numpy as np
from numpy.linalg import pinv

from privrl_core.checks import finite, nonnegative, number, open_unit, positive
from privrl_core.policy_evaluation.first_visits import FirstVisitStatistics
from privrl_core.policy_evaluation.regression import checked_features, checked_vector, public_bound, weighted_features
from privrl_core.privacy.curves import cached_gaussian_mu
from privrl_core.privacy.guarantees import Guarantee, Status

__all__ = ["SufficientStatisticsRelease", "dp_sufficient_statistics", "shrunken_values"]


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
    weighted least squares as in `.lsw`.

    ``statistics`` clipped to [0, return_bound], ``features[S, d]`` of full column rank under ``weights[S] >= 0``
    (None: all 1), all public; ValueError outside. **Unit:** one trajectory, replace one.
    Source: this book; its relative is AdaSSP, Wang (2018).
    """
    n_states = len(statistics.visits)
    features = checked_features(features, n_states)
    weights = np.ones(n_states) if weights is None else checked_vector("weights", weights, n_states)
    bound, weighted = public_bound(statistics, return_bound), weighted_features(features, weights)
    mu = cached_gaussian_mu(number(nonnegative, "epsilon", epsilon), number(open_unit, "delta", delta))
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
