r"""Counts of transitions, by step or pooled over all steps: sampled, or counted in ordinary episodes.

**Unit of privacy:** one trajectory. The record `TransitionCounts` bounds its contribution; `privrl_core.offline.count_noise`
has the noise that hides it, and `privrl_core.offline.private_counts` private transition probabilities.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import coo_array, csr_array

from privrl_core.checks import (
    Record,
    below,
    booleans,
    distributions,
    generator,
    instance_of,
    nonnegative,
    number,
    positive,
    set_fields,
    stored,
    whole_number,
    whole_numbers,
)
from privrl_core.privacy.noise import Sensitivity
from privrl_core.world.episodes import Episodes
from privrl_core.world.models import EpisodicMDP

__all__ = ["TransitionCounts", "sampled_steps", "sample_counts", "count_transitions", "pooled_counts"]

LARGEST = 2**53  # doubles represent every whole number up to here
ROWS = 512  # pairs processed together, so that they fit into the cache


@dataclass(frozen=True, eq=False)
class TransitionCounts(Record):
    r"""How often each (s, a, s') was observed: ``steps[h]`` is a sparse matrix [S A, S], row s A + a. Private data.

    By step, there is one matrix for each of the H = ``horizon`` steps, and a trajectory adds at most 1 to one cell of each:
    its triples, and its pairs, have L2 norm at most :math:`C_2 = \sqrt H` and sum at most :math:`C_1 = H`. Pooled, there is
    one matrix for all steps, in which the pairs of each trajectory have L2 norm at most C = ``contribution``. The maker of
    the counts must ensure this (`pooled`: C = H, `pooled_counts`: any C); then :math:`C_2 = C` and :math:`C_1 = \min(H,
    C \sqrt H)`. Contributions are at least 0, so replacing a trajectory moves each of the two families by at most
    :math:`\Delta_2 = \sqrt 2\, C_2` and :math:`\Delta_1 = 2 C_1`. The matrices are stored as read-only copies.

    Raises ValueError unless the steps are H sparse matrices of whole numbers (one matrix if pooled, with any numbers if
    C < H), at least 0, with a sum of at most :math:`2^{53}`, all of shape [S A, S], and ``contribution`` is positive.
    """

    steps: tuple[csr_array, ...]
    n_actions: int
    horizon: int
    contribution: float | None = None

    def __post_init__(self):
        horizon, n_actions = (whole_number(name, getattr(self, name), least=1) for name in ("horizon", "n_actions"))
        steps, by_step = tuple(instance_of(Sequence, "steps", self.steps)), self.contribution is None
        contribution = None if by_step else min(number(positive, "contribution", self.contribution), float(horizon))
        if len(steps) != (expected := horizon if by_step else 1):
            raise ValueError(f"steps must have length {expected}, got {len(steps)}")
        for step in self._different().values():
            if not isinstance(step, csr_array) or step.shape != steps[0].shape or not 0 < step.shape[0] == (
                    step.shape[1] * n_actions):
                raise ValueError("steps must be sparse (csr_array), all of one shape [S A, S] with A = "
                                 f"{n_actions}, got {getattr(step, 'shape', step)!r}")
            whole = by_step or contribution == horizon  # otherwise some may be scaled down
            data = (whole_numbers if whole else nonnegative)("steps", step.data)
            if data.sum() > LARGEST:
                raise ValueError(f"steps must add up to at most 2^53, got {data.sum():g}")
        set_fields(self, steps=steps, n_actions=n_actions, horizon=horizon, contribution=contribution)

    @property
    def n_states(self) -> int:
        return self.steps[0].shape[1]

    @property
    def l2_contribution(self) -> float:
        """The largest L2 norm of what a trajectory adds to the triples, and to the pairs."""
        return float(np.sqrt(self.horizon)) if self.contribution is None else self.contribution

    @property
    def l1_contribution(self) -> float:
        """The largest sum of what a trajectory adds to the triples, and to the pairs."""
        horizon = float(self.horizon)
        return horizon if self.contribution is None else min(horizon, self.contribution * float(np.sqrt(horizon)))

    @property
    def sensitivity(self) -> Sensitivity:
        r"""The sensitivity of all counts, pairs and triples, to replacing a trajectory: :math:`4 C_1` and :math:`2 C_2`."""
        return Sensitivity(4 * self.l1_contribution, 2 * self.l2_contribution, whole=not self._may_be_shrunk)

    @property
    def _may_be_shrunk(self) -> bool:
        """Whether counts may be fractional. This depends on the public bound alone and reveals nothing about the data."""
        return self.contribution is not None and self.contribution < self.horizon

    def pooled(self) -> "TransitionCounts":
        r"""The sum over all steps, for a stationary model. A trajectory may add H to one cell, so :math:`C_2 = H`."""
        return TransitionCounts((csr_array(sum(self.steps)),), self.n_actions, self.horizon, self.horizon)

    def restricted(self, admissible) -> "TransitionCounts":
        """The counts of the pairs in the public ``admissible[S, A]`` (booleans), with 0 for all others."""
        kept = booleans("admissible", admissible, (self.n_states, self.n_actions)).reshape(-1, 1)
        steps = {key: csr_array(step.multiply(kept)) for key, step in self._different().items()}
        return replace(self, steps=tuple(steps[id(step)] for step in self.steps))

    def _different(self):
        """The matrices by their identity: steps that no episode reached may share one (`count_transitions`)."""
        return {id(step): step for step in self.steps}


def sampled_steps(mdp: EpisodicMDP, policy, n: int, rng: np.random.Generator) -> Iterator[tuple[np.ndarray, ...]]:
    r"""Sample ``(pair, next_state, count)`` of each step of ``n`` independent trajectories of ``policy[H, S, A]``, in order
    of the steps, without the trajectories themselves. Counts of 0 are omitted. A pair is s A + a.

    The counts of each step are multinomial given those of the step before:

    .. math:: N_1(\cdot) \sim \mathrm{Mult}(n, d_1), \quad N_h(s, \cdot) \sim \mathrm{Mult}(N_h(s), \pi_h(\cdot | s)), \quad
              N_h(s, a, \cdot) \sim \mathrm{Mult}(N_h(s, a), P_h(\cdot | s, a)), \quad
              N_{h+1}(s') = \sum_{s, a} N_h(s, a, s') .

    The distribution is exact up to the rounding of doubles, and the cost does not depend on n. Raises ValueError unless the
    rows of ``policy`` are distributions and ``n`` is a whole number from 1 to :math:`2^{53}`.
    """
    policy = distributions("policy", policy, instance_of(EpisodicMDP, "mdp", mdp).rewards.shape)
    n, rng = whole_number("n", n, least=1, most=LARGEST), generator("rng", rng)
    visits = _multinomial(n, mdp.initial, rng)
    laws, n_states = stored(mdp.transitions, 1), mdp.n_states
    for h in range(mdp.horizon):
        if h < len(laws):  # otherwise the transition probabilities are those of the step before
            columns, law = _supports(laws[h].reshape(-1, n_states))
        pairs = _multinomial(visits, policy[h], rng).ravel()
        seen = np.flatnonzero(pairs)
        blocks = []
        for rows in np.split(seen, range(ROWS, seen.size, ROWS)):
            found = _multinomial(pairs[rows], law[rows], rng)
            i, j = np.nonzero(found)
            blocks.append((rows[i], columns[rows[i], j], found[i, j]))
        pair, next_state, count = map(np.concatenate, zip(*blocks, strict=True))
        yield pair, next_state, count
        visits = np.zeros(n_states, dtype=np.int64)
        np.add.at(visits, next_state, count)


def sample_counts(mdp: EpisodicMDP, policy, n: int, rng: np.random.Generator) -> TransitionCounts:
    """The counts of ``n`` independent trajectories of ``policy[H, S, A]``; distribution and errors as in `sampled_steps`."""
    shape = (instance_of(EpisodicMDP, "mdp", mdp).n_states * mdp.n_actions, mdp.n_states)
    steps = tuple(csr_array((count, (pair, next_state)), shape=shape)
                  for pair, next_state, count in sampled_steps(mdp, policy, n, rng))
    return TransitionCounts(steps, mdp.n_actions, mdp.horizon)


def _supports(law):
    """``(columns[k, K], probabilities[k, K])`` of the possible next states of each row, with probabilities of 0 first."""
    size = np.count_nonzero(law, axis=1).max()
    columns = np.argsort(law > 0, axis=1, kind="stable")[:, -size:].astype(np.int32)
    return columns, np.take_along_axis(law, columns, axis=1)


def _multinomial(n, p, rng):
    return rng.multinomial(n, p / p.sum(axis=-1, keepdims=True))  # numpy tolerates less rounding


def count_transitions(episodes: Episodes, n_states: int, n_actions: int, horizon: int) -> TransitionCounts:
    """The counts of ordinary ``episodes``, step by step. ValueError for a trajectory longer than ``horizon``, because the
    noise would not cover it, and for states or actions out of range."""
    n_states, n_actions, horizon = _sizes(episodes, n_states, n_actions, horizon)
    row, shape = _rows(episodes, n_actions), (n_states * n_actions, n_states)
    steps = []
    for h in range(episodes.lengths.max()):
        here = np.flatnonzero(episodes.lengths > h)
        steps.append(csr_array((np.ones(here.size, np.int64), (row[here, h], episodes.states[here, h + 1])), shape=shape))
    steps += [csr_array(shape, dtype=np.int64)] * (horizon - len(steps))  # one matrix, however long the horizon
    return TransitionCounts(tuple(steps), n_actions, horizon)


def pooled_counts(episodes: Episodes, n_states: int, n_actions: int, horizon: int, *,
                  contribution: float) -> TransitionCounts:
    r"""The counts of all steps together, with each trajectory scaled so that its pairs have L2 norm at most C.

    With :math:`c_i(s, a)` the visits of trajectory i,

    .. math:: n_{s,a,s'} = \sum_i \min\Bigl(1, \frac{C}{\lVert c_i \rVert_2}\Bigr)\, c_i(s, a, s') .

    The L2 norm of a trajectory's triples is at most that of its pairs, so C = ``contribution`` bounds both. It must be
    public and positive; ValueError otherwise, and for trajectories longer than ``horizon``.
    """
    n_states, n_actions, horizon = _sizes(episodes, n_states, n_actions, horizon)
    row, bound = _rows(episodes, n_actions), number(positive, "contribution", contribution)
    who, when = np.nonzero(episodes.actions >= 0)
    visits = coo_array((np.ones(who.size), (who, row[who, when])), shape=(len(episodes), n_states * n_actions)).tocsr()
    length = np.sqrt(visits.multiply(visits).sum(axis=1))
    weight = np.minimum(1, bound / np.maximum(length, 1))
    triples = coo_array((weight[who], (row[who, when], episodes.states[who, when + 1])),
                        shape=(n_states * n_actions, n_states)).tocsr()
    return TransitionCounts((triples,), n_actions, horizon, bound)


def _sizes(episodes, n_states, n_actions, horizon):
    """The three sizes as whole numbers; ValueError if ``episodes`` exceed one of them."""
    sizes = {"n_states": n_states, "n_actions": n_actions, "horizon": horizon}
    n_states, n_actions, horizon = (whole_number(name, size, least=1) for name, size in sizes.items())
    instance_of(Episodes, "episodes", episodes)
    if episodes.lengths.max() > horizon:
        raise ValueError(f"horizon must be at least the length of every trajectory, got {horizon} "
                         f"and a trajectory of {episodes.lengths.max()} transitions")
    below("states", episodes.states, n_states, "n_states")
    below("actions", episodes.actions, n_actions, "n_actions")
    return n_states, n_actions, horizon


def _rows(episodes, n_actions):
    """s A + a for each transition, [m, T]; entries past the end of a trajectory have no meaning."""
    return episodes.states[:, :-1].astype(np.int64) * n_actions + episodes.actions
