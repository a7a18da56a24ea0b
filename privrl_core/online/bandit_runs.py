r"""Bandits: people come one after another, each is given one of A treatments, and each has a reward in [0, 1].

**Unit of privacy:** one person's reward. **Neighbours:** replace one. What is published is every treatment given; who came
when, and how many, is public. A person's own treatment is chosen before her reward is seen, so plain (central) privacy is
possible here, and all algorithms of `privrl_core.online.episode_bandits` and `privrl_core.online.index_bandits` have it, or
local privacy, with :math:`\delta = 0`. With a context that is seen first it is not:
`privrl_core.online.contextual_bandits`.

The world is simulated: rewards are 0 or 1, with mean ``means[a]``. All runs (seeds) advance together. ``rng`` draws rewards
and breaks ties, ``noise_rng`` draws what keeps the promise, and nothing else. `.ucb` and `.ucb_without_forgetting` also take
the rewards from ``outcomes[runs, n_people, A]`` that are drawn already, so that several rules, or a rule and a reader, treat
the same people.
"""

from dataclasses import dataclass

import numpy as np

from privrl_core.checks import generator, number, positive, shaped, whole_number, whole_numbers, within
from privrl_core.privacy.guarantees import REPLACE_ONE, Guarantee, Model, Status, Unit
from privrl_core.privacy.release import AddedNoise, Release

__all__ = ["ONE_REWARD", "BanditRuns", "laplace_sum_tail", "noisy_sum_tail"]

#: The reward of one person, who comes once.
ONE_REWARD = Unit("one person's reward", "rewards")
ASSUMES = ("rewards are in [0, 1]", "who comes when, and how many come, is public")


@dataclass(frozen=True, eq=False, kw_only=True)
class BanditRuns(Release):
    r"""Runs of one algorithm: how often each treatment was given, ``pulls[run, A]``, and the regret after ``times`` people.

    ``regret[run, time]`` is exact, :math:`\sum_a (\max_b m_b - m_a)\, n_a(t)`, from the world's means and never from sampled
    rewards; both follow from the published treatments. Each run has a guarantee of its own, and without ``epsilon`` none.
    """

    pulls: np.ndarray
    times: np.ndarray
    regret: np.ndarray


@dataclass(frozen=True)
class Setting:
    """The checked arguments that all algorithms share."""

    means: np.ndarray
    n_people: int
    runs: int
    times: np.ndarray
    epsilon: float | None
    outcomes: np.ndarray | None = None  # [run, person, A]: 0 or 1, drawn already

    @property
    def gaps(self) -> np.ndarray:
        return self.means.max() - self.means


def increasing(times, n_people: int) -> np.ndarray:
    """The times at which regret is read, by default the last; ValueError unless they increase, from 1 to ``n_people``."""
    times = np.atleast_1d(whole_numbers("times", n_people if times is None else times)).astype(int)
    if times.ndim != 1 or (np.diff(times) <= 0).any() or not times.size or times[0] < 1 or times[-1] > n_people:
        raise ValueError(f"times must increase, from at least 1 to at most n_people = {n_people}, got {times}")
    return times


def setting(means, n_people, runs, times, epsilon, rng, noise_rng, outcomes=None) -> Setting:
    """The arguments after their checks; ValueError for means outside [0, 1], and as the checks say."""
    means = within("means", shaped("means", means, ("A",)), 0, 1)
    n_people, runs = whole_number("n_people", n_people, least=1), whole_number("runs", runs, least=1)
    times = increasing(times, n_people)
    if epsilon is not None:
        epsilon = number(positive, "epsilon", epsilon)
        generator("noise_rng", noise_rng)
    generator("rng", rng)
    if outcomes is not None:
        outcomes = shaped("outcomes", outcomes, (runs, n_people, means.size))
        if not np.isin(outcomes, (0, 1)).all():
            raise ValueError("outcomes must be 0 or 1")
    return Setting(means, n_people, runs, times, epsilon, outcomes)


def published(own: Setting, pulls, regret, basis: str, scale: float, model: Model = Model.CENTRAL) -> BanditRuns:
    """The runs with their guarantees: one for each, or none without epsilon."""
    guarantees, noise = (), AddedNoise("none", 0.0)
    if own.epsilon is not None:
        promise = Guarantee(own.epsilon, 0.0, ONE_REWARD, REPLACE_ONE, Status.PROVED, basis, ASSUMES, model=model)
        guarantees, noise = (promise,) * own.runs, AddedNoise("Laplace", scale)
    return BanditRuns(pulls=pulls, times=own.times, regret=regret, guarantees=guarantees, noise=noise)


def laplace_sum_tail(draws, log_level):
    r"""An x that a sum of j = ``draws`` independent Laplace variables of scale 1 exceeds with probability at most
    :math:`e^{-L}`, L = ``log_level``: Chernoff's bound

    .. math:: x = \min_{0 < s < 1} \frac{L - j \ln(1 - s^2)}{s} .

    ``draws >= 0`` (0: x = 0) and ``log_level >= 0``, arrays broadcast. No checks, as it stands in inner loops.
    """
    draws, log_level = np.broadcast_arrays(np.asarray(draws, dtype=float), log_level)
    return np.where(draws > 0, noisy_sum_tail(0.0, draws, 1.0, log_level), 0.0)


def noisy_sum_tail(lengths, draws, epsilon, log_level):
    r"""An x by which a sum of n = ``lengths`` rewards in [0, 1] with j = ``draws`` noises Lap(1/ε) exceeds its mean with
    probability at most :math:`e^{-L}`: Chernoff's bound for both together, with Hoeffding's lemma for the rewards,

    .. math:: x = \min_{0 < u < 1} \frac{L + n \varepsilon^2 u^2/8 - j \ln(1 - u^2)}{\varepsilon u} .

    It is at most the sum of the two tails at this level, and :math:`\sqrt{nL/2}` without noise (``epsilon`` None). Every u
    gives a valid bound; the best one is found by bisection, as the numerator of the derivative increases in u. No checks.
    """
    if epsilon is None:
        return np.sqrt(lengths * log_level / 2)
    square = np.asarray(lengths) * epsilon**2 / 8
    low, high = np.zeros(np.broadcast(square, draws, log_level).shape), 1.0
    for _ in range(30):
        u = (low + high) / 2
        falls = square * u**2 + draws * (2 * u**2 / (1 - u**2) + np.log1p(-u**2)) < log_level
        low, high = np.where(falls, u, low), np.where(falls, high, u)
    u = np.maximum(low, 1e-12)
    return (log_level + square * u**2 - draws * np.log1p(-u**2)) / (epsilon * u)
