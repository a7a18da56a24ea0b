r"""Posterior sampling on noisy counts: today's learner with joint privacy.

In each batch people are treated by policies that are optimal in worlds drawn from what was released:

.. math:: T' = T + \kappa\,\sigma\,\mathcal N(0, 1), \qquad \tilde n = (T' - t)^+ , \qquad
          P(\cdot \mid s, a) \sim \mathrm{Dirichlet}\bigl(\tilde n_{s,a,\cdot} + n^0_{s,a,\cdot}\bigr),

with T the released sums, :math:`\sigma` the standard deviation of their noise, t the water level of each row, at which its
total is kept, and :math:`n^0` the prior counts, 1/S unless more is public. The first line spreads the policies as far as the
noise makes the world uncertain, the Dirichlet distribution as far as too few visits do. All of it is post-processing of the
releases; the regret has no theorem.

Sources: Osband, Russo & Van Roy (2013) for posterior sampling, from memory, not checked against the text. The rest, and its
settings, are this book's: :math:`\kappa` = 1/2, 32 samples, 6 visits, batches from 300 people on that grow by a fifth.
"""

import numpy as np

from privrl_core.checks import nonnegative, number, positive, shaped, whole_number
from privrl_core.online.days import empty_tables, seen
from privrl_core.online.policies import best_policies
from privrl_core.online.sensitivity import PER_STEP, POOLED, Counting, FirstVisits
from privrl_core.online.treatment_runs import TreatmentRuns, clinic, learn_in_batches, release_times, table_counter
from privrl_core.world.models import EpisodicMDP

__all__ = ["private_posterior_sampling", "posterior_sampling_non_private", "plausible_counts"]


def private_posterior_sampling(world: EpisodicMDP, n_people: int, *, epsilon: float, delta: float,
                               rng: np.random.Generator, noise_rng: np.random.Generator | None, runs: int = 1,
                               counting: Counting | FirstVisits = FirstVisits(6), kind: str = "doubling-toeplitz",
                               times: np.ndarray | None = None, samples: int = 32, width: float = 0.5,
                               prior: np.ndarray | None = None) -> TreatmentRuns:
    r"""Treat ``n_people`` and learn, (epsilon, delta)-jointly private.

    Triples (s, a, s') are counted as ``counting`` says and released by the counter ``kind`` (`.counter`) after ``times``
    people, by default after 300, 360, 432, ... The sensitivity is `.table_sensitivity` with one family, so the guarantee of
    the releases is exact, and joint by the billboard lemma. ``samples`` policies are shared out in each batch, and
    ``width`` is :math:`\kappa`. If ``counting`` has groups, the world that is learned has G groups in place of S conditions,
    and policies go by group. ``prior[S, A, S]`` (None: 1/S everywhere) is :math:`n^0`, and holds what is public of the
    transitions: a very large count makes a next condition certain.

    ``world`` is only simulated; its rewards, its first condition and its size are public. ``epsilon > 0``, ``0 < delta <
    1``, ``width >= 0``, ``prior > 0``; ValueError otherwise, and as `privrl_core.online.treatment_runs.clinic` says. Several
    ``runs`` advance together. ``noise_rng`` is used for privacy noise only.
    """
    made = table_counter(world, n_people, counting, kind, times, epsilon=epsilon, delta=delta)
    plan = sampling_plan(world, counting, samples, width, rng, prior)
    return learn_in_batches(world, counting, made.times, plan, made, runs=runs, rng=rng, noise_rng=noise_rng)


def posterior_sampling_non_private(world: EpisodicMDP, n_people: int, *, rng: np.random.Generator, runs: int = 1,
                                   counting: Counting | FirstVisits = POOLED, times: np.ndarray | None = None,
                                   samples: int = 32, prior: np.ndarray | None = None) -> TreatmentRuns:
    """The same without noise and without a guarantee; by default all visits are counted, and the policies renewed after 1,
    2, 3, ... people, in batches that grow by a tenth. Arguments and errors as above."""
    clinic(world, counting)
    times = release_times(n_people, times, first=1, growth=0.1)
    plan = sampling_plan(world, counting, samples, 0.0, rng, prior)
    return learn_in_batches(world, counting, times, plan, None, runs=runs, rng=rng, noise_rng=None)


def sampling_plan(world: EpisodicMDP, counting: Counting | FirstVisits, samples: int, width: float,
                  rng: np.random.Generator, prior: np.ndarray | None = None):
    """The `plan` of `.learn_in_batches`: policies ``[runs, samples, H, S, A]`` from the sums released so far."""
    samples, width = whole_number("samples", samples, least=1), number(nonnegative, "width", width)
    rewards, cells = seen(world, counting).rewards, empty_tables(world, counting)[-3:]
    prior = np.full(cells, 1 / cells[0]) if prior is None else positive("prior", shaped("prior", prior, cells))

    def plan(totals, deviation):
        drawn = np.repeat(totals[:, None], samples, axis=1)
        if deviation and width:
            drawn += width * deviation * rng.normal(size=drawn.shape)
        return sampled_policies(rewards, drawn if counting is PER_STEP else drawn[..., None, :, :, :], prior, rng)
    return plan


def sampled_policies(rewards, noisy, prior, rng: np.random.Generator) -> np.ndarray:
    """The best policies ``[..., H, S, A]`` for ``rewards[H, S, A]`` in worlds drawn from the posterior, given counts
    ``noisy[..., H, S, A, S]``, or ``[..., 1, S, A, S]`` for all steps, and those of the ``prior``."""
    weights = rng.standard_gamma(plausible_counts(noisy) + prior)
    total = weights.sum(axis=-1, keepdims=True)
    law = np.where(total > 0, weights, 1) / np.where(total > 0, total, rewards.shape[1])
    return best_policies(law, rewards)


def plausible_counts(noisy) -> np.ndarray:
    r"""The nearest counts without negative cells, with the same total in each row (0 if that is negative):

    .. math:: \tilde n = (n - t)^+ , \qquad \textstyle\sum_{s'} (n_{s'} - t)^+ = \bigl(\sum_{s'} n_{s'}\bigr)^+ .

    ``noisy[..., S]``. It is `.consistent_counts` with no slack and the row's own total. To clip the cells first and add
    them up then would leave :math:`0.4\,\sigma` in every empty cell.
    """
    falling = -np.sort(-noisy, axis=-1)
    excess = np.cumsum(falling, axis=-1) - np.maximum(noisy.sum(axis=-1, keepdims=True), 0)
    level = excess / np.arange(1, noisy.shape[-1] + 1)
    above = np.maximum((falling > level).sum(axis=-1, keepdims=True), 1)
    return np.maximum(noisy - np.take_along_axis(level, above - 1, axis=-1), 0)
