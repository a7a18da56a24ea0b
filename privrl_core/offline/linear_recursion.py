r"""Backward value iteration by regression on features, with given noise in its sums: the recursions behind
`privrl_core.offline.linear_value_iteration`, which explains their purpose and their privacy cost.

Data enter through `Sums` only, and every query to them passes through `StandardNoise.inverse` or `StandardNoise.vector`.
"""

from collections.abc import Callable

import numpy as np
from scipy.linalg.lapack import dposv

from privrl_core.checks import generator, instance_of, nonnegative, positive
from privrl_core.offline.features import feature_table
from privrl_core.offline.linear_accounting import half_shift, setting
from privrl_core.offline.step_counts import StepCounts


class Sums:
    """Sums over episodes, from totals and the table of features [S A, d]."""

    def __init__(self, totals, features):
        self.H, S, A = instance_of(StepCounts, "totals", totals).shape
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
        """The norm sqrt(phi' inverse phi) of each feature."""
        return np.sqrt(np.maximum(self.outer @ inverse.ravel(), 0))


class StandardNoise:
    """Unscaled noise of every step, or none: matrices [H, 2, d, d] including their shift, and vectors [H, 3, d]."""

    def __init__(self, data, ridge, standard=None):
        H, d = data.H, data.d
        self.ridge, self.identity = setting(positive, "ridge", ridge), np.eye(d)
        self.matrices, self.vectors = standard or (np.zeros((H, 2, d, d)), np.zeros((H, 3, d)))

    def inverse(self, gram, h, which, scales):
        """The inverse of a Gram matrix with noise, shift and ridge. If that is not positive definite, its eigenvalues are
        raised to the ridge, because an error would reveal something about the data."""
        noisy = gram + self.ridge * self.identity + scales.gram[which] * self.matrices[h, which]
        _, inverse, broken = dposv(noisy, self.identity)
        if broken:
            values, vectors = np.linalg.eigh(noisy)
            inverse = (vectors / np.maximum(values, self.ridge)) @ vectors.T
        return inverse

    def vector(self, sums, h, which, scales):
        """Sums of phi y with noise."""
        return sums + scales.vector[which] * self.vectors[h, which]


def drawn(data, ridge, rng, failure):
    r"""Noise for all sums of ``data``, drawn at once from ``rng``: vectors, and symmetric matrices with a shift that keeps
    all noisy Gram matrices positive definite with probability 1 − ``failure``."""
    generator("noise_rng", rng)
    H, d = data.H, data.d
    shift = half_shift(1.0, d, 2 * H, failure)
    Z, vectors = rng.normal(size=(H, 2, d, d)), rng.normal(size=(H, 3, d))
    return StandardNoise(data, ridge, ((Z + np.swapaxes(Z, 2, 3)) / np.sqrt(2) + shift * np.eye(d), vectors))


def backwards(data, q_of: Callable):
    """Policy [H, S, A], values [H+1, S] and unclipped Q [H, S, A], for q_of(h, next values) [S A]."""
    S, A = data.shape
    policy, values, q = np.zeros((data.H, S, A)), np.zeros((data.H + 1, S)), np.empty((data.H, S, A))
    for h in reversed(range(data.H)):
        q[h] = q_of(h, values[h + 1]).reshape(S, A)
        policy[h, np.arange(S), q[h].argmax(axis=1)] = 1
        values[h] = _clip(q[h].max(axis=1), 0, data.H - h)
    return policy, values, q


def variance_aware(data, variance_data, noise, scales, pessimism, remainder):
    """Algorithm 2, with the variance estimated from ``variance_data``."""
    factor = setting(nonnegative, "pessimism", pessimism) * np.sqrt(data.d)
    remainder = setting(nonnegative, "remainder", remainder) / data.K

    def q(h, V):
        # the variance of the next value, from regressions of its square and of itself
        steps_left, next_counts = data.H - h, variance_data.counts[h]
        inverse = noise.inverse(variance_data.gram(h), h, 0, scales)
        squares = noise.vector(variance_data.vector(next_counts @ V**2), h, 0, scales)
        values = noise.vector(variance_data.vector(next_counts @ V), h, 1, scales)
        mean_square = _clip(data.table @ (inverse @ squares), 0, steps_left**2)
        mean = _clip(data.table @ (inverse @ values), 0, steps_left)
        weights = 1 / np.maximum(1, mean_square - mean**2)
        # the regression of reward plus next value, with these weights
        inverse = noise.inverse(data.gram(h, weights), h, 1, scales)
        targets = noise.vector(data.vector(data.targets(h, V) * weights), h, 2, scales)
        return data.table @ (inverse @ targets) - factor * data.lengths(inverse) - remainder
    return backwards(data, q)


def centred(data, noise, scales_of: Callable, pessimism):
    """DP-VAPVI+: Algorithm 2 with values measured from the midpoint of their range."""
    factor = setting(nonnegative, "pessimism", pessimism) * np.sqrt(data.d)

    def q(h, V):
        low, high = V.min(), V.max()
        centre, half_range = (high + low) / 2, (high - low) / 2
        U, scales, weights = V - centre, scales_of(half_range), 1.0
        if half_range > 1:  # otherwise the variance is at most 1
            middle = half_range**2 / 2  # of the range of U^2
            inverse = noise.inverse(data.gram(h), h, 0, scales)
            squares = noise.vector(data.vector(data.counts[h] @ (U**2 - middle)), h, 0, scales)
            values = noise.vector(data.vector(data.counts[h] @ U), h, 1, scales)
            mean_square = _clip(data.table @ (inverse @ squares) + middle, 0, half_range**2)
            mean = _clip(data.table @ (inverse @ values), -half_range, half_range)
            weights = 1 / np.maximum(1, mean_square - mean**2)
        inverse = noise.inverse(data.gram(h, weights), h, 1, scales)
        centred_targets = data.targets(h, U) - data.visits[h] / 2
        targets = noise.vector(data.vector(centred_targets * weights), h, 2, scales)
        return data.table @ (inverse @ targets) + centre + 0.5 - factor * data.lengths(inverse)
    return backwards(data, q)


def _clip(values, low, high):
    return np.minimum(np.maximum(values, low), high)  # np.clip takes three times as long on a short array
