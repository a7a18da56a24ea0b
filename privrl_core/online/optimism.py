r"""Optimism on noisy counts, with bonuses as large as the noise of what they protect.

A plan needs :math:`\tilde P V`, one number for each pair, and not every count. With :math:`\tilde n` visits in a row whose
cells have noise of standard deviation :math:`\sigma`, the standard error of that number is

.. math:: \sqrt{\frac{\operatorname{Var}_{\tilde P} V}{\tilde n}
          + \frac{\sigma^2 \lVert V - \tilde P V \rVert^2}{\tilde n^2}},

where a bound on all counts together, as in print, makes it :math:`H (S + 2) E/\tilde n`. The bonus is :math:`\beta` standard
errors, plus :math:`(H - h)/\tilde n`, without which two visits with the same outcome would look certain for ever; and all
that is left, :math:`H - h`, where :math:`\tilde n < z \sigma \sqrt S`. The design is this book's; the privacy is proved, the
regret is not.
"""

import numpy as np

from privrl_core.checks import nonnegative, number
from privrl_core.online.days import seen
from privrl_core.online.policies import greedy
from privrl_core.online.posterior_sampling import plausible_counts
from privrl_core.online.sensitivity import PER_STEP, POOLED, Counting, FirstVisits
from privrl_core.online.treatment_runs import TreatmentRuns, clinic, learn_in_batches, release_times, table_counter
from privrl_core.world.models import EpisodicMDP

__all__ = ["private_optimist", "optimist_non_private"]


def private_optimist(world: EpisodicMDP, n_people: int, *, epsilon: float, delta: float, rng: np.random.Generator,
                     noise_rng: np.random.Generator | None, runs: int = 1,
                     counting: Counting | FirstVisits = FirstVisits(6), kind: str = "doubling-toeplitz",
                     times: np.ndarray | None = None, errors: float = 0.2, trust: float = 1.0) -> TreatmentRuns:
    r"""Treat ``n_people`` and learn, (epsilon, delta)-jointly private, by one optimistic policy in each batch.

    ``errors`` is :math:`\beta` and ``trust`` is z, both at least 0; all else as in `.private_posterior_sampling`.
    """
    made = table_counter(world, n_people, counting, kind, times, epsilon=epsilon, delta=delta)
    return learn_in_batches(world, counting, made.times, _plan(world, counting, errors, trust), made, runs=runs, rng=rng,
                            noise_rng=noise_rng)


def optimist_non_private(world: EpisodicMDP, n_people: int, *, rng: np.random.Generator, runs: int = 1,
                         counting: Counting | FirstVisits = POOLED, times: np.ndarray | None = None,
                         errors: float = 0.2) -> TreatmentRuns:
    """The same without noise and without a guarantee, in batches that grow by a tenth from the first person on."""
    clinic(world, counting)
    times = release_times(n_people, times, first=1, growth=0.1)
    return learn_in_batches(world, counting, times, _plan(world, counting, errors, 0.0), None, runs=runs, rng=rng,
                            noise_rng=None)


def _plan(world, counting, errors, trust):
    errors, trust = number(nonnegative, "errors", errors), number(nonnegative, "trust", trust)
    rewards = seen(world, counting).rewards
    horizon, n_states = rewards.shape[:2]

    def plan(totals, deviation):
        counts = plausible_counts(totals)
        visits = counts.sum(axis=-1)
        known = visits > trust * deviation * np.sqrt(n_states)
        n = np.where(known, visits, 1)
        law = np.where(known[..., None], counts, 1 / n_states) / n[..., None]
        values, policies = np.zeros((len(totals), n_states)), np.empty((len(totals), 1, *rewards.shape))
        for h in reversed(range(horizon)):
            step = (slice(None), h) if counting is PER_STEP else slice(None)
            p, visited, left = law[step], n[step], horizon - h
            mean = np.einsum("rsan,rn->rsa", p, values)
            away = values[:, None, None, :] - mean[..., None]
            variance = np.einsum("rsan,rsan->rsa", p, away**2)
            of_noise = deviation**2 * (away**2).sum(axis=-1) / visited**2
            bonus = errors * np.sqrt(variance / visited + of_noise) + left / visited
            q = np.minimum(np.where(known[step], rewards[h] + mean + bonus, left), left)
            policies[:, 0, h], values = greedy(q), q.max(axis=-1)
        return policies
    return plan
