r"""DP-LSW and DP-LSL: regressions on first-visit returns with noise whose standard deviation depends on the data.

**Unit of privacy:** one trajectory. **Neighbours:** replace one, so the number of trajectories is public.
Source: Balle, Gomrokchi & Precup, "Differentially Private Policy Evaluation" (2016), Algorithms 1 and 2.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from privrl_core.checks import generator, instance_of, nonnegative, number
from privrl_core.policy_evaluation.first_visits import FirstVisitStatistics
from privrl_core.policy_evaluation.regression import (
    checked_features,
    checked_vector,
    checked_visit_weights,
    fitted,
    lsl,
    n_states_of,
    public_bound,
    weighted_inverse,
)
from privrl_core.policy_evaluation.smooth_bounds import (
    lsl_sensitivity_as_printed,
    lsl_sensitivity_improved,
    smooth_bound_lsl,
    smooth_bound_lsw,
)
from privrl_core.privacy.guarantees import REPLACE_ONE, TRAJECTORY, Guarantee, Status
from privrl_core.privacy.release import AddedNoise, Release
from privrl_core.privacy.smooth_sensitivity import calibrate_exact, smooth_gaussian_delta

__all__ = ["ParametersRelease", "dp_lsw", "dp_lsl", "noise_scale_lsw_non_private", "noise_scale_lsl_non_private"]

Rule = Callable[[float, float, int], tuple[float, float]]
FOLLOWS_THE_DATA = AddedNoise("Gaussian", None)


@dataclass(frozen=True, eq=False, kw_only=True)
class ParametersRelease(Release):
    """The private ``parameters[d]`` of a regression. Values are features @ parameters. The standard deviation of the noise
    depends on the data and is not part of the release."""

    parameters: np.ndarray


def noise_scale_lsw_non_private(statistics: FirstVisitStatistics, features, weights, *, return_bound: float,
                                epsilon: float, delta: float, rule: Rule = calibrate_exact) -> float:
    r"""DP-LSW's standard deviation :math:`\sigma_X = \alpha F_{\max} \lVert(\Gamma^{1/2}\Phi)^\dagger\rVert \sqrt{\psi}`.

    It depends on the data and is not covered by any guarantee: use it for figures and tests, and never publish it.
    Arguments and errors as in `dp_lsw`. Source: Balle et al. (2016), Algorithm 1.
    """
    return _lsw_and_scale(statistics, features, weights, return_bound, epsilon, delta, rule)[1]


def _lsw_and_scale(statistics, features, weights, return_bound, epsilon, delta, rule):
    """The parameters of `.lsw` and the standard deviation of their noise, from one decomposition of the features."""
    n_states = n_states_of(statistics)
    features, weights = checked_features(features, n_states), checked_vector("weights", weights, n_states)
    bound = public_bound(statistics, return_bound)
    alpha, beta = instance_of(Callable, "rule", rule)(epsilon, delta, features.shape[1])
    inverse, stretch = weighted_inverse(features, weights)
    scale = float(alpha * bound * stretch * np.sqrt(smooth_bound_lsw(statistics.visits, weights, beta)))
    return fitted(statistics, inverse, weights), scale


def dp_lsw(statistics: FirstVisitStatistics, features, weights, *, return_bound: float, epsilon: float, delta: float,
           noise_rng: np.random.Generator, rule: Rule = calibrate_exact) -> ParametersRelease:
    r"""DP-LSW: :math:`\hat\theta = \theta^w + \mathcal N(0, \sigma_X^2 I)`, (epsilon, delta)-DP for one trajectory,
    under replace one.

    ``statistics`` with every trajectory's returns clipped to [0, return_bound]
    (``first_visit_statistics(..., return_bound=...)``), ``features[S, d]``, ``weights[S] >= 0`` with
    :math:`\Gamma^{1/2}\Phi` of full column rank; weights, features and return_bound must be public. ``rule`` is
    `.as_printed`, `.as_proved` or `.calibrate_exact`. Raises ValueError for unclipped statistics and arguments out of
    range.
    Source: Balle et al. (2016), Algorithm 1 and Theorem 6.
    """
    theta, scale = _lsw_and_scale(statistics, features, weights, return_bound, epsilon, delta, rule)
    guarantee = _smooth_guarantee("DP-LSW", float(epsilon), float(delta), theta.size, rule)
    return ParametersRelease(parameters=generator("noise_rng", noise_rng).normal(theta, scale), guarantees=(guarantee,),
                             noise=FOLLOWS_THE_DATA)


def noise_scale_lsl_non_private(statistics: FirstVisitStatistics, features, visit_weights, ridge: float, *,
                                return_bound: float, epsilon: float, delta: float, rule: Rule = calibrate_exact,
                                sensitivity=lsl_sensitivity_improved) -> float:
    r"""DP-LSL's standard deviation :math:`\sigma_X = \alpha F_{\max}\, \text{sensitivity}(\Phi, \rho, \lambda) \sqrt{\psi}`.

    It depends on the data and is not covered by any guarantee: use it for figures and tests, and never publish it.
    Arguments and errors as in `dp_lsl`. Source: Balle et al. (2016), Algorithm 2.
    """
    n_states = n_states_of(statistics)
    features, rho = checked_features(features, n_states), checked_visit_weights(visit_weights, n_states)
    bound = public_bound(statistics, return_bound)
    alpha, beta = instance_of(Callable, "rule", rule)(epsilon, delta, features.shape[1])
    psi = smooth_bound_lsl(statistics.visits, statistics.n_episodes, features, rho, ridge, beta)
    factor = number(nonnegative, "sensitivity", instance_of(Callable, "sensitivity", sensitivity)(features, rho, ridge))
    if not np.isfinite(scale := float(alpha * bound * factor * np.sqrt(psi))):
        raise ValueError(f"ridge must be large enough for noise that is a finite double, got {ridge}")
    return scale


def dp_lsl(statistics: FirstVisitStatistics, features, visit_weights, ridge: float, *, return_bound: float,
           epsilon: float, delta: float, noise_rng: np.random.Generator, rule: Rule = calibrate_exact,
           sensitivity: Callable[..., float] = lsl_sensitivity_improved) -> ParametersRelease:
    r"""DP-LSL: :math:`\hat\theta = \theta^\lambda + \mathcal N(0, \sigma_X^2 I)`, (epsilon, delta)-DP for one
    trajectory, under replace one.

    ``statistics`` clipped as for `dp_lsw`, ``visit_weights[S]`` (:math:`\rho`) in [0, 1], ``ridge`` :math:`\lambda > 0`,
    all public: choosing the ridge from the data has a privacy cost that the guarantee does not include. ``sensitivity`` is
    `.lsl_sensitivity_as_printed` or `.lsl_sensitivity_improved`. Raises ValueError for arguments out of range.
    Source: Balle et al. (2016), Algorithm 2 and Theorem 10.
    """
    scale = noise_scale_lsl_non_private(statistics, features, visit_weights, ridge, return_bound=return_bound,
                                        epsilon=epsilon, delta=delta, rule=rule, sensitivity=sensitivity)
    theta = lsl(statistics, features, visit_weights, ridge)
    guarantee = _smooth_guarantee("DP-LSL", float(epsilon), float(delta), theta.size, rule, sensitivity)
    return ParametersRelease(parameters=generator("noise_rng", noise_rng).normal(theta, scale), guarantees=(guarantee,),
                             noise=FOLLOWS_THE_DATA)


@lru_cache
def _smooth_guarantee(mechanism, epsilon, delta, d, rule, sensitivity=None):
    true_delta = smooth_gaussian_delta(epsilon, *rule(epsilon, delta, d), d)
    proved = sensitivity in (None, lsl_sensitivity_as_printed, lsl_sensitivity_improved)
    status = (Status.REFUTED if true_delta > delta * (1 + 1e-8) else
              Status.PROVED if proved else Status.CLAIMED)
    named = ", ".join(getattr(f, "__name__", repr(f)) for f in (rule, sensitivity) if f)
    return Guarantee(epsilon, delta, TRAJECTORY, REPLACE_ONE, status,
                     f"{mechanism}, noise smooth in the data, {named}: true δ = {true_delta:.3g}",
                     assumes=("features, weights, return_bound and the number of trajectories are public",)
                     + (("the ridge is public",) if sensitivity else ()))
