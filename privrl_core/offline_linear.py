r"""Offline learning in linear decision processes: PEVI, VAPVI, and their private forms.

From logged episodes, backwards from the last step: regress what the next step is worth on the features, subtract a
penalty where the data are thin, take the best action. With m = H - h + 1 steps left and features of length at most 1,

.. math:: Q_h(s, a) = \Bigl[\phi^\top w_h - \Gamma_h\Bigr]_0^m, \qquad w_h = \Lambda_h^{-1} \sum_\tau
          \frac{\phi_\tau\,(r_\tau + V_{h+1}(s'_\tau))}{\sigma_h^2}, \qquad
          \Lambda_h = \sum_\tau \frac{\phi_\tau\phi_\tau^\top}{\sigma_h^2} + \lambda I .

PEVI has :math:`\sigma_h = 1`; VAPVI estimates :math:`\sigma_h^2 = \max\{1, \mathrm{Var}\,V_{h+1}\}` by two more
regressions; DP-VAPVI does the same with noise in every sum. All sums are over the finite table of features, so that
nothing here takes longer for more episodes. Of equally good actions, the first is taken: where every Q is 0, that is
action 0.

**Unit of privacy:** one trajectory. **Neighbours:** replace one.
Source: Qiao & Wang (2023), Algorithm 2; Jin et al. (2021) and Yin et al. (2022) for what is not private.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from scipy.linalg.lapack import dposv

from privrl_core.linear_accounting import (
    PrivacyCost,
    centred_noise,
    cost_of_centred_noise,
    cost_of_one_dataset,
    cost_of_two_halves,
    half_shift,
    no_noise,
    noise_as_printed,
    noise_corrected,
)
from privrl_core.linear_features import bounded_features, feature_table
from privrl_core.privacy import Guarantee, Status, gaussian_epsilon, zcdp_epsilon_as_printed
from privrl_core.step_totals import StepTotals
from privrl_core.validation import nonnegative, number, open_unit, positive, set_fields

__all__ = ["Plan", "PrivatePlan", "pevi", "vapvi", "centred_vapvi",
           "dp_vapvi", "dp_vapvi_as_printed", "dp_vapvi_as_run_by_authors", "dp_vapvi_plus"]


@dataclass(frozen=True, eq=False)
class Plan:
    """A greedy ``policy[H, S, A]`` and the ``values[H+1, S]`` it was planned with, not private."""

    policy: np.ndarray
    values: np.ndarray

    def __post_init__(self):
        set_fields(self, policy=self.policy, values=self.values)


@dataclass(frozen=True, eq=False)
class PrivatePlan(Plan):
    """What may be published: ``policy[H, S, A]``, ``values[H+1, S]``, and what they cost.

    ``guarantee`` is that of the true cost, by the exact curve of Gaussian releases; ``epsilon_as_printed`` is the
    epsilon at the same delta by the paper's way: the budget rho, converted by rho + 2 sqrt(rho ln(1/delta)).
    """

    cost: PrivacyCost
    guarantee: Guarantee
    epsilon_as_printed: float


# ----------------------------------------------------------------------------------------------- not private

def pevi(totals: StepTotals, features, *, pessimism: float, ridge: float = 1.0) -> Plan:
    r"""Pessimistic value iteration, not private: :math:`\sigma_h = 1`, :math:`\Gamma_h = c\, d H \lVert\phi
    \rVert_{\Lambda_h^{-1}}`, where ``pessimism`` c holds the logarithm of the theory too.

    ``features[S, A, d]`` of any length, ``pessimism >= 0``, ``ridge > 0``; ValueError otherwise.
    Source: Jin, Yang & Wang (2021), Algorithm 2.
    """
    data = _Sums(totals, features)
    noise, factor = _Noise(data, ridge), number(nonnegative, "pessimism", pessimism) * data.d * data.H

    def q(h, V):
        inverse = noise.inverse(data.gram(h), h, 0, no_noise())
        return data.table @ (inverse @ data.vector(data.targets(h, V))) - factor * data.lengths(inverse)
    return Plan(*_backwards(data, q))


def vapvi(totals: StepTotals, features, *, pessimism: float, ridge: float = 1.0, remainder: float = 0.0) -> Plan:
    r"""Variance-aware pessimistic value iteration, not private: :math:`\Gamma_h = c\sqrt d\,\lVert\phi
    \rVert_{\Lambda_h^{-1}} + D/K`, with ``pessimism`` c and ``remainder`` D (in theory :math:`2H^3\sqrt d`).

    ``features[S, A, d]`` of any length, ``pessimism, remainder >= 0``, ``ridge > 0``; ValueError otherwise. The data
    are used twice, as in the simulations of Qiao & Wang (2023). Source: Yin et al. (2022), Algorithm 1.
    """
    data = _Sums(totals, features)
    return Plan(*_variance_aware(data, data, _Noise(data, ridge), no_noise(), pessimism, remainder))


def centred_vapvi(totals: StepTotals, features, *, pessimism: float, ridge: float = 1.0) -> Plan:
    """What `dp_vapvi_plus` becomes without noise: VAPVI that regresses values from the middle of their range on, and
    takes the variance for 1 where that range is at most 2. Not private; arguments as for `vapvi`."""
    data = _Sums(totals, features)
    return Plan(*_centred(data, _Noise(data, ridge), lambda half_range: no_noise(), pessimism))


# --------------------------------------------------------------------------------------------------- private

def dp_vapvi_as_printed(totals: StepTotals, variance_totals: StepTotals, features, *, rho: float, delta: float,
                        pessimism: float, rng: np.random.Generator, ridge: float = 1.0, remainder: float = 0.0,
                        failure: float = 0.1) -> PrivatePlan:
    r"""DP-VAPVI, Algorithm 2 as printed: one half of the episodes (``variance_totals``) for the variance, the other
    (``totals``) for the rest, noise as in :func:`privrl_core.linear_accounting.noise_as_printed`.

    It costs less than half of ``rho``. Its E is explicit here: every noisy Gram matrix is shifted by
    :func:`privrl_core.linear_accounting.half_shift`, and is positive except with probability ``failure``; then its
    eigenvalues are raised to ``ridge``. Neither costs privacy. ``remainder`` is D; D/K takes K to be public.

    ``features[S, A, d]`` of length at most 1 (`unit_features`), ``rho > 0``, ``delta`` (at which the guarantee is
    expressed) and ``failure`` in (0, 1), ``pessimism, remainder >= 0``, ``ridge > 0``; ValueError otherwise.
    """
    data, other = _Sums(totals, bounded_features(features)), _Sums(variance_totals, features)
    if totals.shape != variance_totals.shape:
        raise ValueError(f"variance_totals must have the shape of totals, {totals.shape}, got {variance_totals.shape}")
    rho = number(positive, "rho", rho)
    scales = noise_as_printed(rho, data.H)
    plan = _variance_aware(data, other, _Noise(data, ridge, _drawn(data, rng, failure)), scales, pessimism, remainder)
    return PrivatePlan(*plan, *_promise(cost_of_two_halves, (rho, data.H, scales), noise_as_printed, delta))


def dp_vapvi_as_run_by_authors(totals: StepTotals, features, *, rho: float, delta: float, pessimism: float,
                               rng: np.random.Generator, ridge: float = 1.0, remainder: float = 0.0,
                               failure: float = 0.1) -> PrivatePlan:
    """Algorithm 2 as its authors ran it: the noise as printed, and the same episodes for the variance and the rest.

    The costs of its queries add up to 1.4 ``rho``, more than the paper's proof allows; what they cost together is less
    than ``rho``. Arguments and errors as for `dp_vapvi_as_printed`. Source: Qiao & Wang (2023), Section 6.
    """
    return _one_dataset(noise_as_printed, totals, features, rho, delta, pessimism, rng, ridge, remainder, failure)


def dp_vapvi(totals: StepTotals, features, *, rho: float, delta: float, pessimism: float, rng: np.random.Generator,
             ridge: float = 1.0, remainder: float = 0.0, failure: float = 0.1) -> PrivatePlan:
    """DP-VAPVI with the noise that its proof needs, :func:`privrl_core.linear_accounting.noise_corrected`.

    The costs of its queries add up to ``rho`` under replace-one; together they cost about half of it. Arguments and
    errors as for `dp_vapvi_as_printed`, one set of episodes.
    """
    return _one_dataset(noise_corrected, totals, features, rho, delta, pessimism, rng, ridge, remainder, failure)


def dp_vapvi_plus(totals: StepTotals, features, *, rho: float, delta: float, pessimism: float,
                  rng: np.random.Generator, ridge: float = 1.0, failure: float = 0.1) -> PrivatePlan:
    r"""DP-VAPVI+: noise for the range that the next values really have, and every bit of the budget spent.

    :math:`V_{h+1}` was computed from what is released already, so over the public states its range
    :math:`[c - a, c + a]` is public too, and is rarely as wide as the horizon. The regression is of
    :math:`U = V_{h+1} - c` and :math:`r - \frac12 + U` (in a linear process constants are linear in the features), with
    :func:`privrl_core.linear_accounting.centred_noise`; where :math:`a \le 1` the variance is at most 1 and is not
    estimated at all. The number of episodes is never used.

    Arguments and errors as for `dp_vapvi_as_printed`, one set of episodes. Source: this book.
    """
    data, rho = _Sums(totals, bounded_features(features)), number(positive, "rho", rho)
    plan = _centred(data, _Noise(data, ridge, _drawn(data, rng, failure)), partial(centred_noise, rho / data.H), pessimism)
    return PrivatePlan(*plan, *_promise(cost_of_centred_noise, (rho,), centred_noise, delta))


# ------------------------------------------------------------------------------------------------ the recursion

class _Sums:
    """Sums over episodes, from totals and the table of features [S A, d]."""

    def __init__(self, totals, features):
        self.H, S, A = totals.shape
        self.shape, self.K = (S, A), totals.n_episodes
        self.table = feature_table(features, self.shape).reshape(S * A, -1)
        self.d = self.table.shape[1]
        self.outer = (self.table[:, :, None] * self.table[:, None]).reshape(S * A, -1)
        self.counts = totals.transition_counts.reshape(self.H, S * A, S)
        self.visits, self.rewards = self.counts @ np.ones(S), totals.reward_sums.reshape(self.H, S * A)

    def gram(self, h, weights=1.0):
        return ((self.visits[h] * weights) @ self.outer).reshape(self.d, self.d)

    def vector(self, sums):
        """The sum of phi y, from the sums of y over the episodes in each cell."""
        return self.table.T @ sums

    def targets(self, h, V):
        return self.rewards[h] + self.counts[h] @ V

    def lengths(self, inverse):
        """The length of each feature in the metric of ``inverse``."""
        return np.sqrt(np.maximum(self.outer @ inverse.ravel(), 0))


class _Noise:
    """Standard noise of every step, to be scaled: matrices [H, 2, d, d] with their shift, vectors [H, 3, d]; or none."""

    def __init__(self, data, ridge, standard=None):
        H, d = data.H, data.d
        self.ridge, self.identity = number(positive, "ridge", ridge), np.eye(d)
        self.matrices, self.vectors = standard or (np.zeros((H, 2, d, d)), np.zeros((H, 3, d)))

    def inverse(self, gram, h, which, scales):
        """Of a Gram matrix with noise, shift and ridge; if that is not positive, eigenvalues are raised to the ridge."""
        noisy = gram + self.ridge * self.identity + scales.gram[which] * self.matrices[h, which]
        _, inverse, broken = dposv(noisy, self.identity)
        if broken:  # with the probability that the shift allows: no error tells of the data
            values, vectors = np.linalg.eigh(noisy)
            inverse = (vectors / np.maximum(values, self.ridge)) @ vectors.T
        return inverse

    def vector(self, h, which, scales):
        return scales.vector[which] * self.vectors[h, which]


def _drawn(data, rng, failure):
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy Generator, got {rng!r}")
    H, d = data.H, data.d
    Z = rng.normal(size=(H, 2, d, d))
    symmetric, shift = (Z + np.swapaxes(Z, 2, 3)) / np.sqrt(2), half_shift(1.0, d, 2 * H, failure)
    return symmetric + shift * np.eye(d), rng.normal(size=(H, 3, d))


def _backwards(data, q_of: Callable):
    """Policy [H, S, A] and values [H+1, S] of q_of(h, next values) [S A], cut to what can be earned."""
    S, A = data.shape
    policy, values = np.zeros((data.H, S, A)), np.zeros((data.H + 1, S))
    for h in reversed(range(data.H)):
        q = _clip(q_of(h, values[h + 1]), 0, data.H - h).reshape(S, A)
        policy[h, np.arange(S), q.argmax(axis=1)] = 1
        values[h] = q.max(axis=1)
    return policy, values


def _variance_aware(data, variance_data, noise, scales, pessimism, remainder):
    """Algorithm 2."""
    factor = number(nonnegative, "pessimism", pessimism) * np.sqrt(data.d)
    remainder = number(nonnegative, "remainder", remainder) / data.K

    def q(h, V):
        left, other = data.H - h, variance_data
        inverse = noise.inverse(other.gram(h), h, 0, scales)
        beta = inverse @ (other.vector(other.counts[h] @ V**2) + noise.vector(h, 0, scales))
        theta = inverse @ (other.vector(other.counts[h] @ V) + noise.vector(h, 1, scales))
        variance = _clip(data.table @ beta, 0, left**2) - _clip(data.table @ theta, 0, left) ** 2
        weights = 1 / np.maximum(1, variance)
        inverse = noise.inverse(data.gram(h, weights), h, 1, scales)
        w = inverse @ (data.vector(data.targets(h, V) * weights) + noise.vector(h, 2, scales))
        return data.table @ w - factor * data.lengths(inverse) - remainder
    return _backwards(data, q)


def _centred(data, noise, scales_of: Callable, pessimism):
    """DP-VAPVI+: as Algorithm 2, with values measured from the middle of their range on."""
    factor = number(nonnegative, "pessimism", pessimism) * np.sqrt(data.d)

    def q(h, V):
        low, high = V.min(), V.max()
        centre, a = (high + low) / 2, (high - low) / 2
        U, scales, weights = V - centre, scales_of(a), 1.0
        if a > 1:
            inverse = noise.inverse(data.gram(h), h, 0, scales)
            beta = inverse @ (data.vector(data.counts[h] @ (U**2 - a**2 / 2)) + noise.vector(h, 0, scales))
            theta = inverse @ (data.vector(data.counts[h] @ U) + noise.vector(h, 1, scales))
            variance = _clip(data.table @ beta + a**2 / 2, 0, a**2) - _clip(data.table @ theta, -a, a) ** 2
            weights = 1 / np.maximum(1, variance)
        inverse = noise.inverse(data.gram(h, weights), h, 1, scales)
        w = inverse @ (data.vector((data.targets(h, U) - data.visits[h] / 2) * weights) + noise.vector(h, 2, scales))
        return data.table @ w + centre + 0.5 - factor * data.lengths(inverse)
    return _backwards(data, q)


def _clip(values, low, high):
    return np.minimum(np.maximum(values, low), high)  # np.clip takes three times as long on a short array


def _one_dataset(rule, totals, features, rho, delta, pessimism, rng, ridge, remainder, failure):
    data, rho = _Sums(totals, bounded_features(features)), number(positive, "rho", rho)
    scales = rule(rho, data.H)
    plan = _variance_aware(data, data, _Noise(data, ridge, _drawn(data, rng, failure)), scales, pessimism, remainder)
    return PrivatePlan(*plan, *_promise(cost_of_one_dataset, (rho, data.H, scales), rule, delta))


# -------------------------------------------------------------------------------------------------- the promise

@lru_cache
def _promise(cost_of, arguments, rule, delta):
    cost = cost_of(*arguments)
    delta, mu = number(open_unit, "delta", delta), float(np.sqrt(2 * cost.true))
    guarantee = Guarantee(
        float(gaussian_epsilon(delta, mu)), delta, "one trajectory", "replace one", Status.PROVED,
        f"Gaussian mechanisms with {rule.__name__}, all queries of one trajectory together: "
        f"{cost.true:.4g}-zCDP of {cost.budget:.4g}, μ = {mu:.4g}",
        assumes=("features of length at most 1, the number of trajectories and all settings are public",
                 "rewards are in [0, 1]"), mu=mu, rho=cost.true)
    return cost, guarantee, float(zcdp_epsilon_as_printed(cost.budget, delta))
