"""Plans: a policy, and the values it was chosen by."""

from dataclasses import dataclass

import numpy as np

from privrl_core.checks import Record
from privrl_core.privacy.release import Release

__all__ = ["Plan", "PrivatePlan"]


@dataclass(frozen=True, eq=False)
class Plan(Record):
    """A policy ``policy[H, S, A]`` and the pessimistic values ``values[H+1, S]`` it was chosen by. Made from data by
    `.apvi`: private data, not to be published."""

    policy: np.ndarray
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class PrivatePlan(Release, Plan):
    """A plan that may be published: it is made of nothing but private counts. Its guarantees are those if one trajectory
    is replaced, and if one is added or removed."""
