r"""Offline learning in linear decision processes: PEVI, VAPVI, and their private forms.

From logged episodes, backwards from the last step: regress what the next step is worth on the features, subtract a
penalty where the data are thin, take the best action. With m = H - h + 1 steps left and features of length at most 1,

.. math:: Q_h(s, a) = \Bigl[\phi^\top w_h - \Gamma_h\Bigr]_0^m, \qquad w_h = \Lambda_h^{-1} \sum_\tau
          \frac{\phi_\tau\,(r_\tau + V_{h+1}(s'_\tau))}{\sigma_h^2}, \qquad
          \Lambda_h = \sum_\tau \frac{\phi_\tau\phi_\tau^\top}{\sigma_h^2} + \lambda I .

PEVI has :math:`\sigma_h = 1`; VAPVI estimates :math:`\sigma_h^2 = \max\{1, \mathrm{Var}\,V_{h+1}\}` by two more
regressions; DP-VAPVI does the same with noise in every sum. All sums are over the finite table of features, so that
nothing here takes longer for more episodes.

**Ties.** The papers leave open which action is taken where several have the same Q. With much noise that is almost
everywhere, as the brackets cut Q to 0 or to m. Here the action is the best *before* the cut, which is one of the best
after it; values are those after it. (`privrl_core.offline.tabular_value_iteration` splits ties: a pair without data has
no Q to go by.)

**Unit of privacy:** one trajectory. **Neighbours:** replace one.
Source: Qiao & Wang (2023), Algorithm 2; Jin et al. (2021) and Yin et al. (2022) for what is not private.
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
    """A greedy ``policy[H, S, A]``, the ``values[H+1, S]`` it was planned with, and ``q[H, S, A]``, what the policy is
    greedy for: Q before it is cut to what can be earned. Not private."""

    q: np.ndarray


@dataclass(frozen=True, eq=False, kw_only=True)
class PrivateLinearPlan(Release, LinearPlan):
    """A plan that may be published, all of it, and what it costs.

    The guarantees are those of the true cost, by the exact curve of Gaussian releases: if one trajectory is replaced, and
    if one is added or removed (there is none where D/K tells how many there are). ``epsilon_as_printed``
    is the epsilon at the same delta by the paper's way: the budget rho, converted by rho + 2 sqrt(rho ln(1/delta)).
    """

    cost: PrivacyCost
    epsilon_as_printed: float


# ----------------------------------------------------------------------------------------------- not private

def pevi(totals: StepCounts, features, *, pessimism: float, ridge: float = 1.0) -> LinearPlan:
    r"""Pessimistic value iteration, not private: :math:`\sigma_h = 1`, :math:`\Gamma_h = c\, d H \lVert\phi
    \rVert_{\Lambda_h^{-1}}`, where ``pessimism`` c holds the logarithm of the theory too.

    ``features[S, A, d]`` of any length, ``pessimism >= 0``, ``ridge > 0``, none of them beyond 1e100 or, if not 0, below
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

    Arguments as for `pevi`, ``remainder >= 0``; ValueError otherwise. The data are used twice, as in the simulations of
    Qiao & Wang (2023). Source: Yin et al. (2022), Algorithm 1.
    """
    data = Sums(totals, features)
    return LinearPlan(*variance_aware(data, data, StandardNoise(data, ridge), no_noise(), pessimism, remainder))


def centred_vapvi(totals: StepCounts, features, *, pessimism: float, ridge: float = 1.0) -> LinearPlan:
    """What `dp_vapvi_plus` becomes without noise: VAPVI that regresses values from the middle of their range on, and
    takes the variance for 1 where that range is at most 2. Not private; arguments as for `vapvi`."""
    data = Sums(totals, features)
    return LinearPlan(*centred(data, StandardNoise(data, ridge), lambda half_range: no_noise(), pessimism))


# --------------------------------------------------------------------------------------------------- private

def dp_vapvi_as_printed(totals: StepCounts, variance_totals: StepCounts, features, *, rho: float, delta: float,
                        pessimism: float, noise_rng: np.random.Generator, ridge: float = 1.0, remainder: float = 0.0,
                        failure: float = 0.1) -> PrivateLinearPlan:
    r"""DP-VAPVI, Algorithm 2 as printed: one half of the episodes (``variance_totals``) for the variance, the other
    (``totals``) for the rest, noise as in :func:`privrl_core.offline.linear_accounting.noise_as_printed`.

    It costs less than half of ``rho``, if no episode is in both halves, and if which one it is in does not depend on
    what it holds. Its E is explicit here: every noisy Gram matrix is shifted by
    :func:`privrl_core.offline.linear_accounting.half_shift`, and is positive except with probability ``failure``; then its
    eigenvalues are raised to ``ridge``. Neither costs privacy. ``remainder`` is D; D/K takes K to be public, so that
    nothing is promised under add or remove unless it is 0.

    ``features[S, A, d]`` of length at most 1 (`.unit_features`), ``rho > 0`` up to 1e30, ``delta`` (at which the guarantee
    is expressed) and ``failure`` in (0, 1), ``pessimism, remainder >= 0``, ``ridge > 0``, and ``noise_rng``, which is for
    privacy alone; ValueError otherwise, and if both halves are one object.
    """
    data, other = Sums(totals, bounded_features(features)), Sums(variance_totals, features)
    if totals is variance_totals:  # equal numbers may be chance, and an error that told of them would tell of the data
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

    The costs of its queries add up to 1.4 ``rho``, more than the paper's proof allows; what they cost together is less
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

    The costs of its queries add up to ``rho`` under replace-one; together they cost about half of it. Arguments and
    errors as for `dp_vapvi_as_printed`, one set of episodes.
    """
    data, rho = Sums(totals, bounded_features(features)), _budget(rho)
    scales = noise_corrected(rho, data.H)
    promise = _promise(cost_of_one_dataset, (rho, data.H, scales), noise_corrected, delta, remainder)
    plan = variance_aware(data, data, drawn(data, ridge, noise_rng, failure), scales, pessimism, remainder)
    return PrivateLinearPlan(*plan, **promise, noise=_added(scales))


def dp_vapvi_plus(totals: StepCounts, features, *, rho: float, delta: float, pessimism: float,
                  noise_rng: np.random.Generator, ridge: float = 1.0, failure: float = 0.1) -> PrivateLinearPlan:
    r"""DP-VAPVI+: noise for the range that the next values really have, and every bit of the budget spent.

    :math:`V_{h+1}` was computed from what is released already, so over the public states its range
    :math:`[z - a, z + a]` is public too, and is rarely as wide as the horizon. The regression is of
    :math:`U = V_{h+1} - z` and :math:`r - \frac12 + U` (in a linear process constants are linear in the features), with
    :func:`privrl_core.offline.linear_accounting.centred_noise`; where :math:`a \le 1` the variance is at most 1 and is not
    estimated at all. The number of episodes is never used.

    Its privacy is proved; of its accuracy nothing is. It is measured
    (chapters/04_offline_rl/evidence/04_cost). Without data it plans for the middle of what
    can be earned, not for 0: that is not pessimism.

    Arguments and errors as for `dp_vapvi_as_printed`, one set of episodes. Source: this book.
    """
    data, rho = Sums(totals, bounded_features(features)), _budget(rho)
    promise = _promise(cost_of_centred_noise, (rho,), centred_noise, delta)
    scales_of = partial(centred_noise, rho / data.H)
    plan = centred(data, drawn(data, ridge, noise_rng, failure), scales_of, pessimism)
    # the ranges that set the scales follow from values that are released
    scales = [scales_of(float(np.ptp(values) / 2)) for values in plan[1][1:]]
    return PrivateLinearPlan(*plan, **promise, noise=_added(*scales))


# -------------------------------------------------------------------------------------------------- the promise

def _budget(rho):
    rho = number(positive, "rho", rho)
    if not 1 / LARGEST <= rho <= 1e30:  # where the curve of Gaussian releases can be computed
        raise ValueError(f"rho must be between {1 / LARGEST} and 1e+30, got {rho}")
    return rho


def _promise(cost_of, arguments, rule, delta, remainder=0.0, *assumes):
    """What a plan promises and costs; made before any noise is drawn."""
    uses_size = number(nonnegative, "remainder", remainder) > 0
    return _kept_promise(cost_of, arguments, rule.__name__, number(open_unit, "delta", delta), uses_size, assumes)


@lru_cache  # the curve takes longer than all the rest of a release
def _kept_promise(cost_of, arguments, noise, delta, uses_size, assumes):
    cost = cost_of(*arguments)
    assumes = ("features of length at most 1 and all settings are public", "rewards are in [0, 1]", *assumes)

    def guarantee(rho, neighbours, *more):
        mu = float(np.sqrt(2 * rho))
        return Guarantee(float(gaussian_epsilon(delta, mu)), delta, TRAJECTORY, neighbours, Status.PROVED,
                         f"Gaussian mechanisms with {noise}, all queries of one trajectory together: "
                         f"{rho:.4g}-zCDP of {cost.budget:.4g}, μ = {mu:.4g}", assumes=assumes + more, mu=mu, rho=rho)
    guarantees = (guarantee(cost.true, REPLACE_ONE, "the number of trajectories is public"),)
    if uses_size:  # D/K tells how many trajectories there are
        cost = replace(cost, naive_add_remove=inf, true_add_remove=inf)
    else:
        guarantees += (guarantee(cost.true_add_remove, ADD_OR_REMOVE_ONE),)
    return {"cost": cost, "guarantees": guarantees, "epsilon_as_printed": float(zcdp_epsilon_as_printed(cost.budget, delta))}


def _added(*scales):
    """The noise of one step, or of each, as part of a release: what was not released has no scale."""
    widths = tuple(width for step in scales for width in (*step.gram, *step.vector) if width < inf)
    return AddedNoise("Gaussian", widths)
