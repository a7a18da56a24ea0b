"""Plans: a policy, and the values from which it was chosen."""

from dataclasses import dataclass

import numpy as np

from privrl_core.checks import Record
from privrl_core.privacy.release import Release

__all__ = ["Plan", "PrivatePlan"]


@dataclass(frozen=True, eq=False)
class Plan(Record):
    """A policy ``policy[H, S, A]`` and the pessimistic values ``values[H+1, S]`` from which it was chosen. A plan made by
    `.apvi` is private data and must not be published."""

    policy: np.ndarray
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class PrivatePlan(Release, Plan):
    """A plan that may be published, since it is computed from noisy counts only. It has a guarantee for replacing one
    trajectory, and one for adding or removing one."""
