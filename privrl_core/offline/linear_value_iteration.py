r"""Offline learning in linear decision processes: PEVI, VAPVI, and their private forms.

From logged episodes, backwards from the last step: regress reward plus next value on the features, subtract a penalty
that is large where data are sparse, take the best action. With m = H - h + 1 steps left and features of length at most 1,

.. math:: Q_h(s, a) = \Bigl[\phi^\top w_h - \Gamma_h\Bigr]_0^m, \qquad w_h = \Lambda_h^{-1} \sum_\tau
          \frac{\phi_\tau\,(r_\tau + V_{h+1}(s'_\tau))}{\sigma_h^2}, \qquad
          \Lambda_h = \sum_\tau \frac{\phi_\tau\phi_\tau^\top}{\sigma_h^2} + \lambda I .

PEVI has :math:`\sigma_h = 1`; VAPVI estimates :math:`\sigma_h^2 = \max\{1, \mathrm{Var}\,V_{h+1}\}` by two more
regressions; DP-VAPVI does the same with noise in every sum. All sums are over the finite table of features, so that the
running time does not depend on the number of episodes.

**Ties.** The papers do not say which action is taken if several have the same Q. With much noise this happens almost
everywhere, because the brackets clip Q to 0 or to m. Here the action is the best *before* clipping, which is one of the best
after it; the values are the clipped ones. `privrl_core.offline.tabular_value_iteration` splits ties instead, because a pair
without data has no unclipped Q.

**Unit of privacy:** one trajectory. **Neighbours:** replace one.
Source: Qiao & Wang (2023), Algorithm 2; Jin et al. (2021) and Yin et al. (2022) for the non-private algorithms.
"""

from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import inf

import numpy as np

from privrl_core.checks import nonnegative, number, open_unit, positive
from privrl_core.offline.features import bounded_features
from privrl_core.offline.linear_accounting import (
    LARGEST,
    PrivacyCost,
    centred_noise,
    cost_of_centred_noise,
    cost_of_one_dataset,
    cost_of_two_halves,
    no_noise,
    noise_as_printed,
    noise_corrected,
    setting,
)
from privrl_core.offline.linear_recursion import StandardNoise, Sums, backwards, centred, drawn, variance_aware
from privrl_core.offline.plans import Plan
from privrl_core.offline.step_counts import StepCounts
from privrl_core.privacy.curves import gaussian_epsilon, zcdp_epsilon_as_printed
from privrl_core.privacy.guarantees import ADD_OR_REMOVE_ONE, REPLACE_ONE, TRAJECTORY, Guarantee, Status
from privrl_core.privacy.release import AddedNoise, Release

__all__ = ["LinearPlan", "PrivateLinearPlan", "pevi", "vapvi", "centred_vapvi", "dp_vapvi", "dp_vapvi_as_printed",
           "dp_vapvi_as_run_by_authors", "dp_vapvi_plus"]


@dataclass(frozen=True, eq=False)
class LinearPlan(Plan):
    """A greedy ``policy[H, S, A]``, the ``values[H+1, S]`` it was planned with, and the ``q[H, S, A]`` it maximises, which
    is Q before clipping to the attainable range. Not private."""

    q: np.ndarray


@dataclass(frozen=True, eq=False, kw_only=True)
class PrivateLinearPlan(Release, LinearPlan):
    """A plan of which every field may be published, and its privacy cost.

    The guarantees follow from the true cost by the exact curve of Gaussian releases: one for replacing a trajectory, and
    one for adding or removing it, which is absent where D/K depends on the number of trajectories. ``epsilon_as_printed``
    is the paper's epsilon at the same delta: the budget rho, converted by rho + 2 sqrt(rho ln(1/delta)).
    """

    cost: PrivacyCost
    epsilon_as_printed: float


# ----------------------------------------------------------------------------------------------- not private

def pevi(totals: StepCounts, features, *, pessimism: float, ridge: float = 1.0) -> LinearPlan:
    r"""Pessimistic value iteration, not private: :math:`\sigma_h = 1`, :math:`\Gamma_h = c\, d H \lVert\phi
    \rVert_{\Lambda_h^{-1}}`, where ``pessimism`` c includes the logarithm of the theory.

    ``features[S, A, d]`` of any length, ``pessimism >= 0``, ``ridge > 0``, none of them above 1e100 or, if not 0, below
    1e-100; ValueError otherwise.
    Source: Jin, Yang & Wang (2021), Algorithm 2.
    """
    data = Sums(totals, features)
    noise, factor = StandardNoise(data, ridge), setting(nonnegative, "pessimism", pessimism) * data.d * data.H

    def q(h, V):
        inverse = noise.inverse(data.gram(h), h, 0, no_noise())
        return data.table @ (inverse @ data.vector(data.targets(h, V))) - factor * data.lengths(inverse)
    return LinearPlan(*backwards(data, q))


def vapvi(totals: StepCounts, features, *, pessimism: float, ridge: float = 1.0, remainder: float = 0.0) -> LinearPlan:
    r"""Variance-aware pessimistic value iteration, not private: :math:`\Gamma_h = c\sqrt d\,\lVert\phi
    \rVert_{\Lambda_h^{-1}} + D/K`, with ``pessimism`` c and ``remainder`` D (in theory :math:`2H^3\sqrt d`).

    Arguments as for `pevi`, ``remainder >= 0``; ValueError otherwise. The same data serve the variance and the rest, as in
    the simulations of Qiao & Wang (2023). Source: Yin et al. (2022), Algorithm 1.
    """
    data = Sums(totals, features)
    return LinearPlan(*variance_aware(data, data, StandardNoise(data, ridge), no_noise(), pessimism, remainder))


def centred_vapvi(totals: StepCounts, features, *, pessimism: float, ridge: float = 1.0) -> LinearPlan:
    """`dp_vapvi_plus` without noise: VAPVI that regresses values measured from the midpoint of their range, and sets the
    variance to 1 where that range is at most 2. Not private; arguments as for `vapvi`."""
    data = Sums(totals, features)
    return LinearPlan(*centred(data, StandardNoise(data, ridge), lambda half_range: no_noise(), pessimism))


# --------------------------------------------------------------------------------------------------- private

def dp_vapvi_as_printed(totals: StepCounts, variance_totals: StepCounts, features, *, rho: float, delta: float,
                        pessimism: float, noise_rng: np.random.Generator, ridge: float = 1.0, remainder: float = 0.0,
                        failure: float = 0.1) -> PrivateLinearPlan:
    r"""DP-VAPVI, Algorithm 2 as printed: one half of the episodes (``variance_totals``) for the variance, the other
    (``totals``) for the rest, noise as in :func:`privrl_core.offline.linear_accounting.noise_as_printed`.

    It costs less than half of ``rho`` from H = 2 on, and 0.51 ``rho`` at H = 1, if no episode is in both halves and the
    assignment to halves does not depend on the content of the episodes. E is explicit here: every noisy Gram matrix is
    shifted by :func:`privrl_core.offline.linear_accounting.half_shift`, and is positive except with probability
    ``failure``, when its eigenvalues are raised to ``ridge``. Neither costs privacy. ``remainder`` is D. Since D/K assumes
    that K is public, there is no guarantee under add or remove unless D is 0.

    ``features[S, A, d]`` of length at most 1 (`.unit_features`), ``rho > 0`` up to 1e30, ``delta`` (at which the guarantee
    is expressed) and ``failure`` in (0, 1), ``pessimism, remainder >= 0``, ``ridge > 0``, and ``noise_rng``, used for
    privacy noise only; ValueError otherwise, and if both halves are the same object.
    """
    data, other = Sums(totals, bounded_features(features)), Sums(variance_totals, features)
    if totals is variance_totals:  # an error for equal numbers would reveal something about the data
        raise ValueError("variance_totals must be of other episodes than totals, got the same object twice")
    if totals.shape != variance_totals.shape:
        raise ValueError(f"variance_totals must have the shape of totals, {totals.shape}, got {variance_totals.shape}")
    rho = _budget(rho)
    scales = noise_as_printed(rho, data.H)
    promise = _promise(cost_of_two_halves, (rho, data.H, scales), noise_as_printed, delta, remainder,
                       "no trajectory is in both halves, and which one it is in does not depend on what it holds")
    plan = variance_aware(data, other, drawn(data, ridge, noise_rng, failure), scales, pessimism, remainder)
    return PrivateLinearPlan(*plan, **promise, noise=_added(scales))


def dp_vapvi_as_run_by_authors(totals: StepCounts, features, *, rho: float, delta: float, pessimism: float,
                               noise_rng: np.random.Generator, ridge: float = 1.0, remainder: float = 0.0,
                               failure: float = 0.1) -> PrivateLinearPlan:
    """Algorithm 2 as its authors ran it: the noise as printed, and the same episodes for the variance and the rest.

    The costs of its queries add up to 1.4 ``rho``, more than the paper's proof allows, but their true joint cost is less
    than ``rho``. Arguments and errors as for `dp_vapvi_as_printed`. Source: Qiao & Wang (2023), Section 6.
    """
    data, rho = Sums(totals, bounded_features(features)), _budget(rho)
    scales = noise_as_printed(rho, data.H)
    promise = _promise(cost_of_one_dataset, (rho, data.H, scales), noise_as_printed, delta, remainder)
    plan = variance_aware(data, data, drawn(data, ridge, noise_rng, failure), scales, pessimism, remainder)
    return PrivateLinearPlan(*plan, **promise, noise=_added(scales))


def dp_vapvi(totals: StepCounts, features, *, rho: float, delta: float, pessimism: float,
             noise_rng: np.random.Generator, ridge: float = 1.0, remainder: float = 0.0,
             failure: float = 0.1) -> PrivateLinearPlan:
    """DP-VAPVI with the noise that its proof needs, :func:`privrl_core.offline.linear_accounting.noise_corrected`.

    If one trajectory is replaced, the costs of its queries add up to ``rho``, and their true joint cost is about half of
    that. Arguments and errors as for `dp_vapvi_as_printed`, with one set of episodes.
    """
    data, rho = Sums(totals, bounded_features(features)), _budget(rho)
    scales = noise_corrected(rho, data.H)
    promise = _promise(cost_of_one_dataset, (rho, data.H, scales), noise_corrected, delta, remainder)
    plan = variance_aware(data, data, drawn(data, ridge, noise_rng, failure), scales, pessimism, remainder)
    return PrivateLinearPlan(*plan, **promise, noise=_added(scales))


def dp_vapvi_plus(totals: StepCounts, features, *, rho: float, delta: float, pessimism: float,
                  noise_rng: np.random.Generator, ridge: float = 1.0, failure: float = 0.1) -> PrivateLinearPlan:
    r"""DP-VAPVI+: noise scaled to the actual range of the next values, with the whole budget spent.

    :math:`V_{h+1}` was computed from released quantities, so its range :math:`[z - a, z + a]` over the public states is
    public too, and it is rarely as wide as the horizon. The regressions are of :math:`U = V_{h+1} - z` and
    :math:`r - \frac12 + U`, which is possible because constants are linear in the features of a linear process. The noise is
    :func:`privrl_core.offline.linear_accounting.centred_noise`; where :math:`a \le 1` the variance is at most 1 and is not
    estimated. The number of episodes is never used.

    Its privacy is proved; its accuracy is measured (chapters/04_offline_rl/evidence/04_cost), not proved. Without data its
    values are the middle of the attainable range, not 0, so that it is not pessimistic there.

    Arguments and errors as for `dp_vapvi_as_printed`, with one set of episodes. Source: this book.
    """
    data, rho = Sums(totals, bounded_features(features)), _budget(rho)
    promise = _promise(cost_of_centred_noise, (rho,), centred_noise, delta)
    scales_of = partial(centred_noise, rho / data.H)
    plan = centred(data, drawn(data, ridge, noise_rng, failure), scales_of, pessimism)
    # the scales depend on the data only through released values
    scales = [scales_of(float(np.ptp(values) / 2)) for values in plan[1][1:]]
    return PrivateLinearPlan(*plan, **promise, noise=_added(*scales))


# -------------------------------------------------------------------------------------------------- the promise

def _budget(rho):
    rho = number(positive, "rho", rho)
    if not 1 / LARGEST <= rho <= 1e30:  # the range in which the curve of Gaussian releases can be computed
        raise ValueError(f"rho must be between {1 / LARGEST} and 1e+30, got {rho}")
    return rho


def _promise(cost_of, arguments, rule, delta, remainder=0.0, *assumes):
    """The guarantees and the cost of a plan, computed before any noise is drawn."""
    uses_size = number(nonnegative, "remainder", remainder) > 0
    return _kept_promise(cost_of, arguments, rule.__name__, number(open_unit, "delta", delta), uses_size, assumes)


@lru_cache  # computing the curve takes longer than the rest of a release
def _kept_promise(cost_of, arguments, noise, delta, uses_size, assumes):
    cost = cost_of(*arguments)
    assumes = ("features of length at most 1 and all settings are public", "rewards are in [0, 1]", *assumes)

    def guarantee(rho, neighbours, *more):
        mu = float(np.sqrt(2 * rho))
        return Guarantee(float(gaussian_epsilon(delta, mu)), delta, TRAJECTORY, neighbours, Status.PROVED,
                         f"Gaussian mechanisms with {noise}, all queries of one trajectory together: "
                         f"{rho:.4g}-zCDP of {cost.budget:.4g}, μ = {mu:.4g}", assumes=assumes + more, mu=mu, rho=rho)
    guarantees = (guarantee(cost.true, REPLACE_ONE, "the number of trajectories is public"),)
    if uses_size:  # D/K reveals the number of trajectories
        cost = replace(cost, naive_add_remove=inf, true_add_remove=inf)
    else:
        guarantees += (guarantee(cost.true_add_remove, ADD_OR_REMOVE_ONE),)
    return {"cost": cost, "guarantees": guarantees, "epsilon_as_printed": float(zcdp_epsilon_as_printed(cost.budget, delta))}


def _added(*scales):
    """The noise of one step, or of each, as part of a release, without the scales of quantities that are not released."""
    return AddedNoise("Gaussian", tuple(scale for step in scales for scale in (*step.gram, *step.vector) if scale < inf))
