"""Pairs of neighbouring datasets, by the thousand: drawn, arbitrary and adversarial.

A batch is one array of first-visit returns, ``returns[n, m + 1, S]``, NaN where the trajectory does not visit the
state. The first m - 1 trajectories of each row are common; the last two replace one another.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from privrl_core.policy_evaluation import first_visit_returns
from privrl_core.world import Episodes


@dataclass(frozen=True)
class Batch:
    """n pairs of datasets of m trajectories, their returns at most ``bound``."""

    returns: np.ndarray
    bound: float

    @property
    def m(self):
        return self.returns.shape[1] - 1

    def visits(self, which):
        """How many of the m trajectories visit each state, [n, S]; ``which`` is 0 for X and 1 for X'."""
        return np.sum(~np.isnan(self._dataset(which)), axis=1)

    def sums(self, which):
        return np.nansum(self._dataset(which), axis=1)

    def means(self, which):
        """F_X of Equation (4), [n, S]: 0 where nobody was."""
        return self.sums(which) / np.maximum(self.visits(which), 1)

    def last(self, which):
        """Whether the trajectory that is replaced visits each state, and its returns (0 where it does not), [n, S] each."""
        one = self.returns[:, self.m - 1 + which]
        return ~np.isnan(one), np.nan_to_num(one)

    def _dataset(self, which):
        return np.concatenate([self.returns[:, :self.m - 1], self.returns[:, self.m - 1 + which, None]], axis=1)


def drawn(n, m, rng, n_states=5, discount=0.9):
    """Real trajectories: a random walk of random length, rewards 0, 1/2 or 1."""
    lengths = rng.integers(1, 12, size=n * (m + 1))
    states = [list(rng.integers(n_states, size=length + 1)) for length in lengths]
    rewards = [list(rng.integers(3, size=length) / 2) for length in lengths]
    episodes = Episodes.from_lists(states, [[0] * length for length in lengths], rewards)
    returns = first_visit_returns(episodes, n_states, discount)
    return Batch(returns.reshape(n, m + 1, n_states), 1 / (1 - discount))


def arbitrary(n, m, rng, n_states=5, bound=1.0):
    """Any states, any returns up to the bound."""
    returns = bound * rng.random((n, m + 1, n_states))
    return Batch(np.where(rng.random(returns.shape) < rng.random((n, 1, 1)), returns, np.nan), bound)


def adversarial(n, m, rng, n_states=5, bound=1.0):
    """Returns 0 or the bound, all alike in the common part; the two last visit the same states, or everything and nothing."""
    common = np.repeat(bound * rng.integers(2, size=(n, 1, 1)), m - 1, axis=1) * np.ones((1, 1, n_states))
    common = np.where(rng.random((n, 1, n_states)) < rng.random((n, 1, 1)), common, np.nan)
    first = np.where(rng.random((n, 1, n_states)) < 0.7, bound * rng.integers(2, size=(n, 1, 1)), np.nan)
    swapped, gone, all_over = bound - first, np.full_like(first, np.nan), bound * np.ones_like(first)
    second = np.choose(rng.integers(3, size=(n, 1, 1)), [swapped, gone, all_over])
    return Batch(np.concatenate([common, first, second], axis=1), bound)


@cache
def batches(n=1500, seed=20160620):
    """Twelve batches of n pairs, of three kinds and four sizes: with n = 1500, 18 000 pairs."""
    rng = np.random.default_rng(seed)
    return tuple(kind(n, m, rng) for m in (1, 2, 4, 9) for kind in (drawn, arbitrary, adversarial))
