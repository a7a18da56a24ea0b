r"""Counting transitions in private: noisy counts, the consistent counts nearest to them, and laws made of these.

At step h, :math:`n_{s,a}` trajectories take action a in state s, and :math:`n_{s,a,s'}` of them go on to s'. Every count
gets its own noise, is clipped at 0, and the triples are then moved as little as possible, so that they nearly add up:

.. math:: n' = \{n + \text{noise}\}^+, \qquad
          \tilde n_{s,a,\cdot} = \arg\min_{x \ge 0}\ \max_{s'} |x_{s'} - n'_{s,a,s'}|
          \quad\text{with}\quad \Bigl|\sum_{s'} x_{s'} - n'_{s,a}\Bigr| \le E/2,

where :math:`E/2` bounds every noise with high probability. **Unit of privacy:** one trajectory. **Neighbours:** replace
one; what a release costs under add-or-remove is said beside it. The number of trajectories is never used.
Source: Qiao & Wang, "Offline Reinforcement Learning with Differential Privacy" (2023), Equations (2) to (5).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from scipy.sparse import coo_array, csr_array

from privrl_core.episodes import Episodes
from privrl_core.mdp import EpisodicMDP, distributions
from privrl_core.privacy import (
    Guarantee,
    Status,
    gaussian_epsilon,
    gaussian_mu,
    zcdp_epsilon_as_printed,
)
from privrl_core.validation import nonnegative, number, open_unit, positive, stored, whole_number

__all__ = ["TransitionCounts", "sample_counts", "count_transitions", "pooled_counts", "Noise", "GaussianNoise",
           "LaplaceNoise", "noise_bound", "noisy_counts", "consistent_counts", "Transitions", "private_transitions",
           "empirical_transitions_non_private"]

ROWS = 512  # rows of S counts handled together: what they need stays in the cache, and memory does not grow


# ------------------------------------------------------------------------------------------------------ the data

@dataclass(frozen=True, eq=False)
class TransitionCounts:
    r"""How often each (s, a, s') was seen: ``steps[h]`` is a sparse matrix [S A, S], row s A + a. Private data.

    One step a law: H of them, or one if all steps are pooled. A trajectory has at most ``horizon`` transitions, and
    ``l2_contribution`` and ``l1_contribution`` bound the norms of what it adds to the triples, and to the pairs.
    Contributions are at least 0, so replacing one moves each of the two families by at most
    :math:`\Delta_2 = \sqrt 2\, C_2` and :math:`\Delta_1 = 2 C_1`. Made by `sample_counts`, `count_transitions`,
    `pooled_counts`, which see to that.
    """

    steps: tuple[csr_array, ...]
    n_actions: int
    horizon: int
    l2_contribution: float
    l1_contribution: float

    def __post_init__(self):
        for step in self.steps:
            nonnegative("steps", step.data)

    @property
    def n_states(self) -> int:
        return self.steps[0].shape[1]

    def pooled(self) -> "TransitionCounts":
        r"""All steps in one, for laws that do not change: a trajectory may spend them all in one cell, :math:`C_2 = H`."""
        return TransitionCounts((csr_array(sum(self.steps)),), self.n_actions, self.horizon, float(self.horizon),
                                float(self.horizon))


    def restricted(self, admissible) -> "TransitionCounts":
        """Only the pairs of the public ``admissible[S, A]`` (booleans): contributions shrink, the rest is never known."""
        admissible = np.asarray(admissible)
        if admissible.dtype != bool or admissible.shape != (self.n_states, self.n_actions):
            raise ValueError(f"admissible must be booleans of shape {[self.n_states, self.n_actions]}, "
                             f"got {admissible.dtype} of shape {list(admissible.shape)}")
        steps = tuple(csr_array(step.multiply(admissible.reshape(-1, 1))) for step in self.steps)
        return replace(self, steps=steps)


def _counts_by_step(steps, n_actions):
    horizon = len(steps)
    return TransitionCounts(tuple(steps), n_actions, horizon, float(np.sqrt(horizon)), float(horizon))


def sample_counts(mdp: EpisodicMDP, policy, n: int, rng: np.random.Generator) -> TransitionCounts:
    r"""The counts of ``n`` independent trajectories of ``policy[H, S, A]``, without the trajectories.

    Down the tree of steps, each a multinomial law given what is above it:

    .. math:: N_1(\cdot) \sim \mathrm{Mult}(n, d_1), \quad N_h(s, \cdot) \sim \mathrm{Mult}(N_h(s), \pi_h(\cdot | s)), \quad
              N_h(s, a, \cdot) \sim \mathrm{Mult}(N_h(s, a), P_h(\cdot | s, a)), \quad
              N_{h+1}(s') = \sum_{s, a} N_h(s, a, s') .

    The law is exact up to the rounding of doubles, the cost does not depend on n. Raises ValueError unless the rows
    of ``policy`` are distributions and ``n`` is a positive whole number.
    """
    policy = distributions("policy", policy, mdp.rewards.shape)
    visits = _multinomial(whole_number("n", n, least=1), mdp.initial, rng)
    laws, shape, steps = stored(mdp.transitions, 1), (mdp.n_states * mdp.n_actions, mdp.n_states), []
    for h in range(mdp.horizon):
        if h < len(laws):  # else it is the law of the step before
            columns, law = _supports(laws[h].reshape(shape))
        pairs = _multinomial(visits, policy[h], rng).ravel()
        seen = np.flatnonzero(pairs)
        blocks = []
        for rows in np.split(seen, range(ROWS, seen.size, ROWS)):
            found = _multinomial(pairs[rows], law[rows], rng)
            i, j = np.nonzero(found)
            blocks.append((found[i, j], rows[i], columns[rows[i], j]))
        data, row, column = map(np.concatenate, zip(*blocks, strict=True))
        steps.append(csr_array((data, (row, column)), shape=shape))
        visits = steps[-1].sum(axis=0)
    return _counts_by_step(steps, mdp.n_actions)


def _supports(law):
    """``(columns[k, K], probabilities[k, K])`` of the possible next states of each row; zeros come first."""
    size = np.count_nonzero(law, axis=1).max()
    columns = np.argsort(law > 0, axis=1, kind="stable")[:, -size:].astype(np.int32)
    return columns, np.take_along_axis(law, columns, axis=1)


def _multinomial(n, p, rng):
    return rng.multinomial(n, p / p.sum(axis=-1, keepdims=True))  # numpy wants sums of 1 more exactly than a law has them


def count_transitions(episodes: Episodes, n_states: int, n_actions: int, horizon: int) -> TransitionCounts:
    """The counts of ordinary ``episodes``, step by step. A trajectory may be shorter than ``horizon``, not longer:
    ValueError then, as the noise would not cover it, and for states or actions out of range."""
    row, horizon = _rows(episodes, n_states, n_actions, horizon), whole_number("horizon", horizon, least=1)
    steps = []
    for h in range(horizon):
        here = np.flatnonzero(episodes.lengths > h)
        triple = (row[here, h], episodes.states[here, h + 1]) if here.size else (here, here)
        steps.append(csr_array((np.ones(here.size, np.int64), triple), shape=(n_states * n_actions, n_states)))
    return _counts_by_step(steps, n_actions)


def pooled_counts(episodes: Episodes, n_states: int, n_actions: int, horizon: int, *,
                  contribution: float) -> TransitionCounts:
    r"""The counts of all steps together, each trajectory's pairs shrunk to length at most ``contribution`` C.

    With :math:`c_i(s, a)` the visits of trajectory i,

    .. math:: n_{s,a,s'} = \sum_i \min\Bigl(1, \frac{C}{\lVert c_i \rVert_2}\Bigr)\, c_i(s, a, s') .

    The length of a trajectory's triples is at most that of its pairs, so C bounds both. ``contribution > 0`` is public;
    ValueError outside, and for trajectories longer than ``horizon``.
    """
    row, horizon = _rows(episodes, n_states, n_actions, horizon), whole_number("horizon", horizon, least=1)
    bound = number(positive, "contribution", contribution)
    who, when = np.nonzero(episodes.actions >= 0)
    visits = coo_array((np.ones(who.size), (who, row[who, when])), shape=(len(episodes), n_states * n_actions)).tocsr()
    length = np.sqrt(visits.multiply(visits).sum(axis=1))
    weight = np.minimum(1, bound / np.maximum(length, 1))
    triples = coo_array((weight[who], (row[who, when], episodes.states[who, when + 1])),
                        shape=(n_states * n_actions, n_states)).tocsr()
    bound = min(bound, float(horizon))
    return TransitionCounts((triples,), n_actions, horizon, bound, min(float(horizon), bound * np.sqrt(horizon)))


def _rows(episodes, n_states, n_actions, horizon):
    """s A + a for each transition, [m, T]; what is past the end of a trajectory has no meaning."""
    if episodes.lengths.max() > horizon:
        raise ValueError(f"horizon must be at least the length of every trajectory, got {horizon} "
                         f"and a trajectory of {episodes.lengths.max()} transitions")
    for name, values, size in (("states", episodes.states, n_states), ("actions", episodes.actions, n_actions)):
        if values.max(initial=0) >= size:
            raise ValueError(f"{name} must be below n_{name} = {size}, got {values.max()}")
    return episodes.states[:, :-1].astype(np.int64) * n_actions + episodes.actions


# ------------------------------------------------------------------------------------------------------- the noise

class Noise(Protocol):
    """Independent noise on all counts, whose width follows from the sensitivity of the counts, and its guarantee."""

    def scale(self, counts: TransitionCounts) -> float: ...
    def draw(self, scale: float, shape, rng: np.random.Generator) -> np.ndarray: ...
    def tail(self, scale: float, probability: float) -> float: ...
    def guarantee(self) -> Guarantee: ...
    def guarantee_add_remove(self) -> Guarantee: ...


ASSUMES = ("no trajectory has more transitions than the horizon",)


@dataclass(frozen=True)
class GaussianNoise:
    r"""Gaussian noise that makes all counts together exactly :math:`\rho`-zCDP for one trajectory, replace one:

    .. math:: \sigma^2 = \frac{\Delta_2^2}{\rho} = \frac{2H}{\rho},

    as each of the two families (pairs, triples) costs :math:`\Delta_2^2/(2\sigma^2) = \rho/2`. Under add-or-remove
    :math:`\Delta_2^2` is half as large, and so is the cost. ``rho > 0``; ``delta`` in (0, 1) is where the guarantee is
    quoted as (epsilon, delta). Source: Qiao & Wang (2023), Equation (2) and Lemma C.1.
    """

    rho: float
    delta: float = 1e-5

    def __post_init__(self):
        number(positive, "rho", self.rho)
        number(open_unit, "delta", self.delta)

    @classmethod
    def of_epsilon(cls, epsilon: float, delta: float):
        r"""The noise that is exactly (epsilon, delta)-DP: :math:`\rho = \mu^2/2`. ``epsilon >= 0``, ``0 < delta < 1``."""
        return cls(number(positive, "mu", gaussian_mu(epsilon, delta)) ** 2 / 2, delta)

    def scale(self, counts: TransitionCounts) -> float:
        """The standard deviation."""
        return float(np.sqrt(2 * counts.l2_contribution**2 / self.rho))

    def draw(self, scale: float, shape, rng: np.random.Generator) -> np.ndarray:
        return rng.normal(0, scale, shape)

    def tail(self, scale: float, probability: float) -> float:
        r"""A t with P(\|noise\| > t) at most ``probability``: :math:`t = \sigma\sqrt{2\ln(2/p)}`."""
        return float(scale * np.sqrt(2 * np.log(2 / probability)))

    def guarantee(self) -> Guarantee:
        """Replace one: (epsilon, delta) by the exact curve of the Gaussian mechanism; the printed conversion in words."""
        return self._guarantee(self.rho, "replace one")

    def guarantee_add_remove(self) -> Guarantee:
        """Add or remove one: rho / 2."""
        return self._guarantee(self.rho / 2, "add or remove one")

    def _guarantee(self, rho, neighbours):
        mu = float(np.sqrt(2 * rho))
        return Guarantee(float(gaussian_epsilon(self.delta, mu)), self.delta, "one trajectory", neighbours, Status.PROVED,
                         f"Gaussian noise on all counts, ρ = {rho:.4g}, exact curve of μ = {mu:.4g}-Gaussian DP; "
                         f"as printed, ε = ρ + 2√(ρ ln(1/δ)) = {zcdp_epsilon_as_printed(rho, self.delta):.4g}",
                         assumes=ASSUMES, mu=mu, rho=rho)


@dataclass(frozen=True)
class LaplaceNoise:
    r"""Laplace noise that makes all counts together :math:`\varepsilon`-DP (pure) for one trajectory, replace one:

    .. math:: b = \frac{2\Delta_1}{\varepsilon} = \frac{4H}{\varepsilon},

    half of :math:`\varepsilon` for each family. Under add-or-remove the cost is :math:`\varepsilon/2`. ``epsilon > 0``.
    Source: Qiao & Wang (2023), Section 3, last paragraph.
    """

    epsilon: float

    def __post_init__(self):
        number(positive, "epsilon", self.epsilon)

    def scale(self, counts: TransitionCounts) -> float:
        """The width b; the standard deviation is √2 b."""
        return float(4 * counts.l1_contribution / self.epsilon)

    def draw(self, scale: float, shape, rng: np.random.Generator) -> np.ndarray:
        return rng.laplace(0, scale, shape)

    def tail(self, scale: float, probability: float) -> float:
        r"""A t with P(\|noise\| > t) = ``probability``: :math:`t = b \ln(1/p)`."""
        return float(scale * np.log(1 / probability))

    def guarantee(self) -> Guarantee:
        """Replace one, delta = 0."""
        return self._guarantee(self.epsilon, "replace one")

    def guarantee_add_remove(self) -> Guarantee:
        """Add or remove one: epsilon / 2."""
        return self._guarantee(self.epsilon / 2, "add or remove one")

    def _guarantee(self, epsilon, neighbours):
        return Guarantee(epsilon, 0.0, "one trajectory", neighbours, Status.PROVED, "Laplace noise on all counts",
                         assumes=ASSUMES)


def noise_bound(counts: TransitionCounts, noise: Noise, failure: float) -> float:
    r"""E/2, above which no noise is, but with probability ``failure``; by a union over :math:`2 H S^2 A` counts.

    .. math:: E_\rho = 4 \sqrt{\frac{H \ln(4 H S^2 A/\delta)}{\rho}} \quad\text{(Gaussian)}, \qquad
              E_\varepsilon = \frac{8H}{\varepsilon} \ln \frac{2 H S^2 A}{\delta} \quad\text{(Laplace)} .

    There are :math:`HSA(S+1)` counts (one step in place of H if pooled). ``failure`` in (0, 1), ValueError outside.
    Source: Qiao & Wang (2023), Lemma C.2; the Laplace bound is this book's.
    """
    n_counts = 2 * len(counts.steps) * counts.n_states**2 * counts.n_actions
    return noise.tail(noise.scale(counts), number(open_unit, "failure", failure) / n_counts)


# --------------------------------------------------------------------------------------------------- the release

def noisy_counts(counts: TransitionCounts, noise: Noise,
                 rng: np.random.Generator) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    r"""``(triples[S, A, S], pairs[S, A])`` of each step, last step first: :math:`n' = \{n + \text{noise}\}^+` in
    every cell.

    One step at a time, so that memory does not grow with the horizon. ``rng`` is for privacy alone. The guarantee of
    all steps together is ``noise.guarantee()``. Source: Qiao & Wang (2023), Equation (2).
    """
    scale, shape = noise.scale(counts), (counts.n_states, counts.n_actions)
    for step in reversed(counts.steps):
        pairs = np.maximum(step.sum(axis=1).reshape(shape) + noise.draw(scale, shape, rng), 0)
        triples = step.toarray().reshape(*shape, -1)
        yield np.maximum(triples + noise.draw(scale, triples.shape, rng), 0), pairs


def consistent_counts(noisy_triples, noisy_pairs, slack: float) -> np.ndarray:
    r"""The unique x >= 0 nearest to ``noisy_triples[..., S]`` in the largest error, whose sum is within ``slack`` of
    ``noisy_pairs[...]``.

    With :math:`N' = \sum_{s'} n'_{s'}`, lower end :math:`\ell = m - R` and upper end :math:`u = m + R`,

    .. math:: x = \begin{cases} n' & \ell \le N' \le u, \\ n' + (\ell - N')/S & N' < \ell, \\
              (n' - t)^+ & N' > u, \text{ with } \sum_{s'} (n'_{s'} - t)^+ = u . \end{cases}

    Why: errors of at most t allow exactly the sums from :math:`\sum (n' - t)^+` to :math:`N' + St`. The smallest t that
    reaches the interval reaches an end of it, where every x is forced. Counts and slack at least 0, ValueError otherwise.
    Source: Qiao & Wang (2023), problem (3), a linear program there; the closed form is this book's.
    """
    triples, pairs = nonnegative("noisy_triples", noisy_triples), nonnegative("noisy_pairs", noisy_pairs)
    slack = number(nonnegative, "slack", slack)
    if triples.ndim < 1 or not triples.shape[-1] or triples.shape[:-1] != pairs.shape:
        raise ValueError(f"noisy_pairs must have the shape of noisy_triples without its last axis, "
                         f"got {list(pairs.shape)} and {list(triples.shape)}")
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
    """The t of each row with sum of (row - t)^+ equal to ``total``, below the row's sum.

    Newton's method from the left on a convex, piecewise linear function: it ends, exactly, when no cell changes sides.
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
class Transitions:
    """Estimated laws of one step, where there are any: for each of k pairs its ``row`` s A + a, the law
    ``probabilities[k, S]`` of the next state, and the count ``visits[k]`` it rests on."""

    row: np.ndarray
    probabilities: np.ndarray | csr_array
    visits: np.ndarray


def private_transitions(counts: TransitionCounts, noise: Noise, failure: float,
                        rng: np.random.Generator) -> Iterator[Transitions]:
    r"""The private laws of each step, last step first: :math:`\tilde P = \tilde n_{s,a,s'}/\tilde n_{s,a}` where
    :math:`\tilde n_{s,a} > E`.

    The same law as from `noisy_counts`, with less noise drawn: as :math:`\tilde n_{s,a} \le n'_{s,a} + E/2`, a pair with
    :math:`n'_{s,a} \le E/2` is dropped whatever the noise on its S triples is. ``failure`` in (0, 1) sets E (`noise_bound`);
    ``rng`` is for privacy alone. Source: Qiao & Wang (2023), Equations (2) to (5).
    """
    scale, slack = noise.scale(counts), noise_bound(counts, noise, failure)
    for step in reversed(counts.steps):
        pairs = step.sum(axis=1)
        pairs = np.maximum(pairs + noise.draw(scale, pairs.shape, rng), 0)
        candidates = np.flatnonzero(pairs > slack)
        found = []
        for row in np.split(candidates, range(ROWS, candidates.size, ROWS)):
            triples = step[row].toarray()
            triples = consistent_counts(np.maximum(triples + noise.draw(scale, triples.shape, rng), 0), pairs[row], slack)
            visits = triples.sum(axis=1)
            known = visits > 2 * slack
            found.append((row[known], triples[known] / visits[known, None], visits[known]))
        yield Transitions(*map(np.concatenate, zip(*found, strict=True)))


def empirical_transitions_non_private(counts: TransitionCounts) -> Iterator[Transitions]:
    r"""The empirical laws :math:`n_{s,a,s'}/n_{s,a}` of each step, last step first, of all pairs seen. Not private."""
    for step in reversed(counts.steps):
        visits = step.sum(axis=1)
        row = np.flatnonzero(visits)
        yield Transitions(row, csr_array(step[row].multiply(1 / visits[row, None])), visits[row])
