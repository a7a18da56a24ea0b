r"""Private counts of transitions: noisy counts, the nearest consistent counts, and transition probabilities from these.

At step h, :math:`n_{s,a}` trajectories take action a in state s, and :math:`n_{s,a,s'}` of them continue to s'. Every count
gets its own noise and is clipped at 0. Then the triples are moved as little as possible so that they nearly add up:

.. math:: n' = \{n + \text{noise}\}^+, \qquad
          \tilde n_{s,a,\cdot} = \arg\min_{x \ge 0}\ \max_{s'} |x_{s'} - n'_{s,a,s'}|
          \quad\text{with}\quad \Bigl|\sum_{s'} x_{s'} - n'_{s,a}\Bigr| \le E/2,

where :math:`E/2` bounds every noise with high probability (`privrl_core.offline.count_noise`).
Source: Qiao & Wang, "Offline Reinforcement Learning with Differential Privacy" (2023), Equations (2) to (5).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from privrl_core.checks import Record, finite, instance_of, nonnegative, number
from privrl_core.offline.count_noise import noise_bound
from privrl_core.offline.transition_counts import TransitionCounts
from privrl_core.privacy.noise import Noise

__all__ = ["noisy_counts", "consistent_counts", "Transitions", "private_transitions", "empirical_transitions_non_private"]

ROWS = 512  # rows of S counts processed together, so that they fit into the cache and memory stays bounded


def noisy_counts(counts: TransitionCounts, noise: Noise,
                 noise_rng: np.random.Generator) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    r"""``(triples[S, A, S], pairs[S, A])`` of each step, last step first: :math:`n' = \{n + \text{noise}\}^+` in
    every cell.

    One step at a time, so that memory does not grow with the horizon. ``noise_rng`` is used for privacy noise only. All
    steps together have the guarantees of `.count_guarantees`. Source: Qiao & Wang (2023), Equation (2).
    """
    instance_of(Noise, "noise", noise)
    scale = noise.scale(instance_of(TransitionCounts, "counts", counts).sensitivity)
    shape = counts.n_states, counts.n_actions
    for step in reversed(counts.steps):
        pairs = np.maximum(step.sum(axis=1).reshape(shape) + noise.draw(scale, shape, noise_rng), 0)
        triples = step.toarray().reshape(*shape, -1)
        yield np.maximum(triples + noise.draw(scale, triples.shape, noise_rng), 0), pairs


def consistent_counts(noisy_triples, noisy_pairs, slack: float) -> np.ndarray:
    r"""The unique x >= 0 that is nearest to ``noisy_triples[..., S]`` in the maximum norm among those whose sum is within
    ``slack`` of ``noisy_pairs[...]``.

    With :math:`N' = \sum_{s'} n'_{s'}`, noisy pair m, slack R, :math:`\ell = m - R` and :math:`u = m + R`,

    .. math:: x = \begin{cases} n' & \ell \le N' \le u, \\ n' + (\ell - N')/S & N' < \ell, \\
              (n' - t)^+ & N' > u, \text{ with } \sum_{s'} (n'_{s'} - t)^+ = u . \end{cases}

    Proof: errors of at most t allow exactly the sums from :math:`\sum (n' - t)^+` to :math:`N' + St`. The smallest t for
    which these meet :math:`[\ell, u]` reaches one of its ends, where x is unique. Counts and slack must be at least 0 and
    all sums finite, ValueError otherwise.
    Source: Qiao & Wang (2023), problem (3), a linear program there; the closed form is this book's.
    """
    triples, pairs = nonnegative("noisy_triples", noisy_triples), nonnegative("noisy_pairs", noisy_pairs)
    slack = number(nonnegative, "slack", slack)
    if triples.ndim < 1 or not triples.shape[-1] or triples.shape[:-1] != pairs.shape:
        raise ValueError(f"noisy_pairs must have the shape of noisy_triples without its last axis, "
                         f"got {list(pairs.shape)} and {list(triples.shape)}")
    with np.errstate(over="ignore"):
        finite("sums of noisy_triples", triples.sum(axis=-1))
        finite("noisy_pairs + slack", pairs + slack)
    n_states = triples.shape[-1]
    rows, x = triples.reshape(-1, n_states), np.empty((pairs.size, n_states))
    least, most = pairs.ravel() - slack, pairs.ravel() + slack
    for block in (slice(start, start + ROWS) for start in range(0, len(rows), ROWS)):
        total = rows[block].sum(axis=1)
        shift = np.maximum(least[block] - total, 0) / n_states
        lower = np.flatnonzero(total > most[block])
        shift[lower] = -_thresholds(rows[block][lower], most[block][lower])
        np.maximum(rows[block] + shift[:, None], 0, out=x[block])
    return x.reshape(triples.shape)


def _thresholds(rows, total):
    """The t of each row at which the sum of (row - t)^+ equals ``total``, which is below the row's sum.

    Newton's method from the left on a convex, piecewise linear function is exact once the set of cells above t is stable.
    """
    t, live, size = np.zeros(len(rows)), np.arange(len(rows)), np.zeros(len(rows))
    while live.size:
        above = rows > t[live, None]
        count = above.sum(axis=1)
        found = np.maximum((np.einsum("ij,ij->i", rows, above) - total[live]) / np.maximum(count, 1), t[live])
        t[live], changed = found, count != size[live]
        size[live] = count
        rows, live = rows[changed], live[changed]
    return t


@dataclass(frozen=True, eq=False)
class Transitions(Record):
    """Estimated transition probabilities of one step for k pairs: for each pair its ``row`` s A + a, the distribution
    ``probabilities[k, S]`` of the next state, and the count ``visits[k]`` that it is based on."""

    row: np.ndarray
    probabilities: np.ndarray | csr_array
    visits: np.ndarray


def private_transitions(counts: TransitionCounts, noise: Noise, failure: float,
                        noise_rng: np.random.Generator) -> Iterator[Transitions]:
    r"""Private transition probabilities of each step, last step first: :math:`\tilde P = \tilde n_{s,a,s'}/\tilde n_{s,a}`
    where :math:`\tilde n_{s,a} > E`.

    They have the same distribution as estimates from `noisy_counts`, but need less noise: as
    :math:`\tilde n_{s,a} \le n'_{s,a} + E/2`, a pair with :math:`n'_{s,a} \le E/2` is dropped whatever the noise on its S
    triples. ``failure`` in (0, 1) determines E (`.noise_bound`); ``noise_rng`` is used for privacy noise only.
    Source: Qiao & Wang (2023), Equations (2) to (5).
    """
    slack = noise_bound(counts, noise, failure)
    scale = noise.scale(counts.sensitivity)
    for step in reversed(counts.steps):
        pairs = step.sum(axis=1)
        pairs = np.maximum(pairs + noise.draw(scale, pairs.shape, noise_rng), 0)
        candidates = np.flatnonzero(pairs > slack)
        found = []
        for row in np.split(candidates, range(ROWS, candidates.size, ROWS)):
            triples = step[row].toarray()
            triples = np.maximum(triples + noise.draw(scale, triples.shape, noise_rng), 0)
            triples = consistent_counts(triples, pairs[row], slack)
            visits = triples.sum(axis=1)
            known = visits > 2 * slack
            found.append((row[known], triples[known] / visits[known, None], visits[known]))
        yield Transitions(*map(np.concatenate, zip(*found, strict=True)))


def empirical_transitions_non_private(counts: TransitionCounts) -> Iterator[Transitions]:
    r"""Empirical transition probabilities :math:`n_{s,a,s'}/n_{s,a}` of all observed pairs, last step first. Not private."""
    for step in reversed(instance_of(TransitionCounts, "counts", counts).steps):
        visits = step.sum(axis=1)
        row = np.flatnonzero(visits)
        yield Transitions(row, csr_array(step[row].multiply(1 / visits[row, None])), visits[row])
