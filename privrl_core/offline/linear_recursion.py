r"""Value iteration by regression on features, backwards, with given noise in its sums: the recursions behind
`privrl_core.offline.linear_value_iteration`, which says what they are for and what they cost.

Data enter through `Sums` alone, and what leaves them passes `StandardNoise.inverse` and `StandardNoise.vector`.
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
        """The length of each feature in the metric of ``inverse``."""
        return np.sqrt(np.maximum(self.outer @ inverse.ravel(), 0))


class StandardNoise:
    """Standard noise of every step, to be scaled: matrices [H, 2, d, d] with their shift, vectors [H, 3, d]; or none."""

    def __init__(self, data, ridge, standard=None):
        H, d = data.H, data.d
        self.ridge, self.identity = setting(positive, "ridge", ridge), np.eye(d)
        self.matrices, self.vectors = standard or (np.zeros((H, 2, d, d)), np.zeros((H, 3, d)))

    def inverse(self, gram, h, which, scales):
        """Of a Gram matrix with noise, shift and ridge; if that is not positive, eigenvalues are raised to the ridge."""
        noisy = gram + self.ridge * self.identity + scales.gram[which] * self.matrices[h, which]
        _, inverse, broken = dposv(noisy, self.identity)
        if broken:  # with the probability that the shift allows: no error tells of the data
            values, vectors = np.linalg.eigh(noisy)
            inverse = (vectors / np.maximum(values, self.ridge)) @ vectors.T
        return inverse

    def vector(self, sums, h, which, scales):
        """Sums of phi y with noise."""
        return sums + scales.vector[which] * self.vectors[h, which]


def drawn(data, ridge, rng, failure):
    r"""Noise for all sums of ``data``, drawn at once from ``rng``: symmetric matrices, shifted so that with probability
    1 − ``failure`` none of the noisy Gram matrices loses its definiteness, and vectors."""
    generator("noise_rng", rng)
    H, d = data.H, data.d
    shift = half_shift(1.0, d, 2 * H, failure)
    Z, vectors = rng.normal(size=(H, 2, d, d)), rng.normal(size=(H, 3, d))
    return StandardNoise(data, ridge, ((Z + np.swapaxes(Z, 2, 3)) / np.sqrt(2) + shift * np.eye(d), vectors))


def backwards(data, q_of: Callable):
    """Policy [H, S, A], values [H+1, S] and Q [H, S, A] before the cut, for q_of(h, next values) [S A]."""
    S, A = data.shape
    policy, values, q = np.zeros((data.H, S, A)), np.zeros((data.H + 1, S)), np.empty((data.H, S, A))
    for h in reversed(range(data.H)):
        q[h] = q_of(h, values[h + 1]).reshape(S, A)
        policy[h, np.arange(S), q[h].argmax(axis=1)] = 1
        values[h] = _clip(q[h].max(axis=1), 0, data.H - h)
    return policy, values, q


def variance_aware(data, variance_data, noise, scales, pessimism, remainder):
    """Algorithm 2."""
    factor = setting(nonnegative, "pessimism", pessimism) * np.sqrt(data.d)
    remainder = setting(nonnegative, "remainder", remainder) / data.K

    def q(h, V):
        left, other = data.H - h, variance_data
        inverse = noise.inverse(other.gram(h), h, 0, scales)
        beta = inverse @ noise.vector(other.vector(other.counts[h] @ V**2), h, 0, scales)
        theta = inverse @ noise.vector(other.vector(other.counts[h] @ V), h, 1, scales)
        variance = _clip(data.table @ beta, 0, left**2) - _clip(data.table @ theta, 0, left) ** 2
        weights = 1 / np.maximum(1, variance)
        inverse = noise.inverse(data.gram(h, weights), h, 1, scales)
        w = inverse @ noise.vector(data.vector(data.targets(h, V) * weights), h, 2, scales)
        return data.table @ w - factor * data.lengths(inverse) - remainder
    return backwards(data, q)


def centred(data, noise, scales_of: Callable, pessimism):
    """DP-VAPVI+: as Algorithm 2, with values measured from the middle of their range on."""
    factor = setting(nonnegative, "pessimism", pessimism) * np.sqrt(data.d)

    def q(h, V):
        low, high = V.min(), V.max()
        centre, a = (high + low) / 2, (high - low) / 2
        U, scales, weights = V - centre, scales_of(a), 1.0
        if a > 1:
            inverse = noise.inverse(data.gram(h), h, 0, scales)
            beta = inverse @ noise.vector(data.vector(data.counts[h] @ (U**2 - a**2 / 2)), h, 0, scales)
            theta = inverse @ noise.vector(data.vector(data.counts[h] @ U), h, 1, scales)
            variance = _clip(data.table @ beta + a**2 / 2, 0, a**2) - _clip(data.table @ theta, -a, a) ** 2
            weights = 1 / np.maximum(1, variance)
        inverse = noise.inverse(data.gram(h, weights), h, 1, scales)
        w = inverse @ noise.vector(data.vector((data.targets(h, U) - data.visits[h] / 2) * weights), h, 2, scales)
        return data.table @ w + centre + 0.5 - factor * data.lengths(inverse)
    return backwards(data, q)


def _clip(values, low, high):
    return np.minimum(np.maximum(values, low), high)  # np.clip takes three times as long on a short array
