"""Episodes of a finite problem, summed by step: sufficient statistics for the regressions of offline learning.

Neither their size nor the time to sample them depends on the number of episodes.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from privrl_core.checks import Record, instance_of, nonnegative, set_fields, shaped, whole_number, whole_numbers
from privrl_core.offline.transition_counts import LARGEST, count_transitions, sampled_steps
from privrl_core.world.episodes import Episodes
from privrl_core.world.models import EpisodicMDP

__all__ = ["StepCounts", "count_steps", "sample_step_counts"]


@dataclass(frozen=True, eq=False)
class StepCounts(Record):
    r"""How often each transition happened at each step, and the sum of its rewards.

    ``transition_counts[H, S, A, S]`` counts the episodes that went from s to n by action a at step h;
    ``reward_sums[H, S, A]`` sums their rewards there, each in [0, 1]; ``n_episodes`` is their number, which is public. An
    episode is in at most one cell of each step, and may end early. ``+`` gives the totals of both sets of episodes.
    Both arrays are private. Raises ValueError, naming the field, for wrong shapes, counts that are negative, not
    whole numbers, or add up to more than ``n_episodes`` in a step, and sums outside [0, count].
    """

    transition_counts: np.ndarray
    reward_sums: np.ndarray
    n_episodes: int

    def __post_init__(self):
        counts = whole_numbers("transition_counts", self.transition_counts)
        counts = shaped("transition_counts", counts, ("H", "S", "A", "S"))
        sums = shaped("reward_sums", nonnegative("reward_sums", self.reward_sums), counts.shape[:3])
        n_episodes = whole_number("n_episodes", self.n_episodes, least=1)
        if (most := counts.sum(axis=(1, 2, 3)).max()) > n_episodes:
            raise ValueError(f"transition_counts must add up to at most n_episodes = {n_episodes} a step, got {most:g}")
        if np.any(excess := sums > counts.sum(axis=3) * (1 + 1e-9)):  # sums of rewards are rounded
            raise ValueError("reward_sums must be at most the counts, as each reward is in [0, 1], "
                             f"got {sums[excess][0]:g} for {counts.sum(axis=3)[excess][0]:g}")
        set_fields(self, transition_counts=counts, reward_sums=sums, n_episodes=n_episodes)

    @property
    def shape(self) -> tuple[int, int, int]:
        """H, S and A."""
        return self.reward_sums.shape

    def __add__(self, other: Self) -> Self:
        if self.shape != other.shape:
            raise ValueError(f"both totals must have the same shape, got {self.shape} and {other.shape}")
        return StepCounts(self.transition_counts + other.transition_counts, self.reward_sums + other.reward_sums,
                          self.n_episodes + other.n_episodes)


def count_steps(episodes: Episodes, *, horizon: int, n_states: int, n_actions: int) -> StepCounts:
    """The totals of ordinary episodes: the counts of `.count_transitions`, and sums of the rewards, clipped to [0, 1] as the
    privacy proofs assume. Raises ValueError as `.count_transitions` does."""
    counted = count_transitions(episodes, n_states, n_actions, horizon)
    shape = counted.n_states, counted.n_actions, counted.n_states
    counts = np.array([step.toarray().reshape(shape) for step in counted.steps], dtype=float)
    sums = np.zeros(counts.shape[:3])
    for h in range(episodes.lengths.max()):
        alive = episodes.lengths > h
        np.add.at(sums[h], (episodes.states[alive, h], episodes.actions[alive, h]),
                  np.clip(episodes.rewards[alive, h], 0, 1))
    return StepCounts(counts, sums, len(episodes))


def sample_step_counts(mdp: EpisodicMDP, policy, n_episodes: int, rng: np.random.Generator) -> StepCounts:
    r"""Totals of ``n_episodes`` independent episodes of ``policy[H, S, A]``, with every reward at its mean.

    The distribution is that of `.sampled_steps`; a hundred million episodes take no longer than a hundred.
    ValueError unless the rows of ``policy`` are distributions, ``n_episodes`` is a whole number from 1 to
    :math:`2^{53}`, and all rewards are in [0, 1].
    """
    n_episodes = whole_number("n_episodes", n_episodes, least=1, most=LARGEST)
    if instance_of(EpisodicMDP, "mdp", mdp).rewards.min() < 0 or mdp.rewards.max() > 1:
        raise ValueError(f"rewards must be in [0, 1], got {mdp.rewards.min():g} to {mdp.rewards.max():g}")
    counts = np.zeros((mdp.horizon, mdp.n_states * mdp.n_actions, mdp.n_states))
    for step, (pair, next_state, count) in zip(counts, sampled_steps(mdp, policy, n_episodes, rng), strict=True):
        step[pair, next_state] = count
    counts = counts.reshape(mdp.transitions.shape)
    return StepCounts(counts, counts.sum(axis=3) * mdp.rewards, n_episodes)
