r"""Today's method of choice: release visits and returns once, and compute everything else from the release.

**Unit of privacy:** one trajectory. **Neighbours:** add, remove or replace one; the number of trajectories is not used.
"""

from dataclasses import dataclass, replace

import numpy as np

from privrl_core.checks import finite, generator, nonnegative, number, open_unit, positive, shaped
from privrl_core.policy_evaluation.first_visits import GRID, FirstVisitStatistics
from privrl_core.policy_evaluation.regression import (
    checked_features,
    checked_vector,
    n_states_of,
    public_range,
    weighted_inverse,
)
from privrl_core.privacy.curves import cached_gaussian_mu
from privrl_core.privacy.guarantees import ADD_REMOVE_OR_REPLACE_ONE, REPLACE_ONE, TRAJECTORY, Guarantee, Status
from privrl_core.privacy.noise import DiscreteGaussianNoise, GaussianNoise, Sensitivity, gaussian_kind
from privrl_core.privacy.release import AddedNoise, Release

__all__ = ["SufficientStatisticsRelease", "dp_sufficient_statistics", "shrunken_values"]

PUBLIC = ("weights, features and return_bound are public",)
ASSUMES = ("weights, features, return_bound and the number of trajectories are public",)
LABELS = "the labels of the states, taken from the data, were public before"


@dataclass(frozen=True, eq=False, kw_only=True)
class SufficientStatisticsRelease(Release):
    r"""Noisy ``visits[S]`` and ``return_sums[S]``, ``parameters[d]`` fitted to them, and the public ``noise_scale``
    (:math:`\sigma`; the noise of each pair has covariance :math:`\sigma^2 M` for returns minus the lowest).
    ``state_labels[S]`` are the labels of the states, or None."""

    parameters: np.ndarray
    visits: np.ndarray
    return_sums: np.ndarray
    noise_scale: float
    state_labels: np.ndarray | None = None


def dp_sufficient_statistics(statistics: FirstVisitStatistics, features, weights=None, *, return_bound: float | None = None,
                             return_range: tuple[float, float] | None = None, epsilon: float, delta: float,
                             noise_rng: np.random.Generator | None, noise=GaussianNoise) -> SufficientStatisticsRelease:
    r"""Release visits and summed first-visit returns once, with noise adapted to the change that one trajectory can make.

    A trajectory adds to each state's pair (visits, returns) one point of the triangle with corners (0, 0), (1, 0),
    (1, F), where F is ``return_bound``. Replacing it moves the pair within the hexagon with corners
    :math:`\pm(1, 0), \pm(0, F), \pm(1, F)`, whose smallest enclosing ellipse is :math:`z^\top M^{-1} z \le 1` with

    .. math:: M = \frac23\begin{pmatrix} 2 & F \\ F & 2F^2 \end{pmatrix}.

    Over S states the total change has length at most :math:`\sqrt S` in that norm, which is attained. Noise
    :math:`\mathcal N(0, \sigma^2 M)` in each state, independently, with :math:`\sigma = \sqrt S/\mu` is therefore
    exactly :math:`\mu`-Gaussian-DP, and :math:`\mu` = ``gaussian_mu(epsilon, delta)``. The rest is post-processing:
    values are shrunk towards their pooled mean according to the noise (`shrunken_values`), and weighted least squares
    follows as in `.lsw`.

    Adding or removing a trajectory moves the pair by a point of the triangle, which lies in the same hexagon. So the
    guarantee holds for adding, removing or replacing one alike, and k such steps lead from any person with at most k
    trajectories to any other.

    With ``noise=DiscreteGaussianNoise``, for real patients, the noise is drawn exactly and ``noise_rng`` is not used; it may
    be None. Since :math:`z^\top M^{-1} z = \frac12\bigl(n^2 + y^2 + (n - y)^2\bigr)` for :math:`z = (n, Fy)`, the three
    whole numbers :math:`Gn`, :math:`Y` and :math:`Gn - Y` are released in each state with noise of the same scale. Here
    :math:`G = 2^{20}`, and Y sums :math:`\lfloor G y_i \rfloor` over the trajectories. A trajectory adds to (Gn, Y) a point
    with whole coordinates in the triangle with corners (0, 0), (G, 0), (G, G), so :math:`\Delta_2^2 = 2 S G^2` holds without
    rounding errors. The least-squares fit to the three gives visits and returns with the covariance above.

    With ``return_range`` (low, high) in place of ``return_bound``, for example for costs, F = high - low, and low is first
    subtracted from the returns and added back after the release: low times the *noisy* visits to return sums, and low to
    values. Both are post-processing.

    ``statistics`` must be clipped to [0, return_bound] or to ``return_range``, of which exactly one is given;
    ``features[S, d]`` have full column rank under ``weights[S] >= 0`` (None: all 1), all public; ``noise`` is
    `.GaussianNoise` or `.DiscreteGaussianNoise`; ValueError otherwise.
    **Unit:** one trajectory; add, remove or replace one. Source: this book; its relative is AdaSSP, Wang (2018).
    """
    gaussian_kind("noise", noise)
    n_states = n_states_of(statistics)
    features = checked_features(features, n_states)
    weights = np.ones(n_states) if weights is None else checked_vector("weights", weights, n_states)
    lowest, bound = public_range(statistics, return_bound, return_range)
    inverse, _ = weighted_inverse(features, weights)
    epsilon, delta = number(nonnegative, "epsilon", epsilon), number(open_unit, "delta", delta)
    visits, return_sums, scale, guarantee = _NOISY[noise](statistics, bound, epsilon, delta, noise_rng)
    values = lowest + shrunken_values(visits, return_sums, return_bound=bound, noise_scale=scale)
    labels_are_public = (LABELS,) if statistics.labels_from_data else ()
    guarantees = (replace(guarantee, assumes=ASSUMES + labels_are_public),
                  replace(guarantee, assumes=PUBLIC + labels_are_public, neighbours=ADD_REMOVE_OR_REPLACE_ONE))
    labels = None if statistics.state_labels is None else np.array(statistics.state_labels)
    law = "discrete Gaussian" if noise is DiscreteGaussianNoise else "Gaussian"
    return SufficientStatisticsRelease(
        parameters=inverse @ (np.sqrt(weights) * values), visits=visits, return_sums=return_sums + lowest * visits,
        noise_scale=scale, state_labels=labels, guarantees=guarantees, noise=AddedNoise(law, scale))


def _gaussian(statistics, bound, epsilon, delta, noise_rng):
    """Noisy visits and return sums, sigma, and the guarantee."""
    mu = cached_gaussian_mu(epsilon, delta)
    scale = float(np.sqrt(statistics.visits.size) / mu)
    covariance = [[4 / 3, 2 / 3], [2 / 3, 4 / 3]]
    rng, size = generator("noise_rng", noise_rng), statistics.visits.size
    drawn = scale * rng.multivariate_normal(np.zeros(2), covariance, size=size, method="cholesky").T
    guarantee = Guarantee(epsilon, delta, TRAJECTORY, REPLACE_ONE, Status.PROVED,
                          f"Gaussian mechanism on visits and clipped returns, exact calibration, μ = {mu:.4g}", mu=mu)
    return statistics.visits + drawn[0], statistics.return_sums + bound * drawn[1], scale, guarantee


def _exact(statistics, bound, epsilon, delta, noise_rng):
    """The result of `_gaussian`, with discrete noise on three tables of whole numbers."""
    if statistics.grid_sums is None:
        raise ValueError("statistics must be made by first_visit_statistics for exact noise, got some without grid_sums")
    law, tables = DiscreteGaussianNoise.of_epsilon(epsilon, delta), whole_tables(statistics)
    scale = law.scale(grid_sensitivity(statistics.visits.size))
    n, y, rest = (tables + law.draw(scale, tables.shape)) / GRID
    guarantee = law.guarantee("visits and clipped returns")
    bound = statistics.return_bound  # the unit of the sums; at most the argument
    return (2 * n + y + rest) / 3, bound * (n + 2 * y - rest) / 3, float(scale / GRID / np.sqrt(2)), guarantee


def whole_tables(statistics: FirstVisitStatistics) -> np.ndarray:
    """``[3, S]``: visits, returns, and visits minus returns, all in units of the grid. Private data."""
    n, y = GRID * statistics.visits, statistics.grid_sums
    return np.stack([n, y, n - y])


def grid_sensitivity(n_states: int) -> Sensitivity:
    """The sensitivity of `whole_tables` if one trajectory is added, removed or replaced."""
    return Sensitivity(2 * n_states * GRID, np.sqrt(2 * n_states) * GRID, whole=True)


_NOISY = {GaussianNoise: _gaussian, DiscreteGaussianNoise: _exact}


def shrunken_values(visits, return_sums, *, return_bound: float, noise_scale: float) -> np.ndarray:
    r"""State values from noisy sums, each shrunk towards the pooled mean c by an amount that depends on its noise.

    .. math:: v_s = \frac{\tilde n_s \tilde f_s + \tfrac{40}{3}\sigma^2 c}{\tilde n_s^2 + \tfrac{40}{3}\sigma^2}
              \quad \text{clipped to } [0, F]

    This is the posterior mean of a value with prior variance :math:`F^2/12`, that of the uniform distribution on [0, F],
    where :math:`\tilde f - v\tilde n` has noise variance :math:`\tfrac{10}{9}F^2\sigma^2` on average over the prior.
    ``visits[S]``, ``return_sums[S]`` noisy (any sign), ``noise_scale`` :math:`\sigma > 0`; ValueError outside.
    """
    visits = np.maximum(finite("visits", visits), 0)
    return_sums = shaped("return_sums", return_sums, visits.shape)
    bound, sigma = number(positive, "return_bound", return_bound), number(positive, "noise_scale", noise_scale)
    pooled = np.clip(return_sums.sum() / max(visits.sum(), 1), 0, bound)
    shrinkage = max(40 / 3 * sigma**2, np.finfo(float).tiny)
    return np.clip((visits * return_sums + shrinkage * pooled) / (visits**2 + shrinkage), 0, bound)
