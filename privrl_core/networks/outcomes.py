"""How people fare under a policy of the insulin task: risk, and the shares of time that clinicians report."""

from dataclasses import dataclass

import numpy as np

from privrl_core.lazy import needs
from privrl_core.networks.insulin import (
    DAY,
    EULER_STEPS,
    INSULIN_PEAK,
    MINUTES,
    UNITS,
    Clinic,
    Day,
    Policy,
    cohort,
    glucose_of,
    kovatchev_risk,
    live,
)

with needs("networks"):
    import torch

__all__ = ["Outcome", "outcome", "evaluate"]


@dataclass(frozen=True)
class Outcome:
    """How people fared, on average over people and half hours: Kovatchev's ``risk``, the shares of time ``in_range`` (70 to
    180 mg/dL), ``below_70`` and ``below_54``, and the insulin that a person was given on top of the basal rate, in U."""

    risk: float
    in_range: float
    below_70: float
    below_54: float
    insulin: float

    @property
    def is_overdose(self) -> bool:
        """Whether more than a tenth of the time is below 54 mg/dL: ten times what is tolerated."""
        return self.below_54 > 0.1

    def __str__(self) -> str:
        return (f"risk {self.risk:.2f}, {self.in_range:.1%} in range, {self.below_70:.1%} below 70, "
                f"{self.below_54:.1%} below 54, {self.insulin:.0f} U")


def outcome(after: torch.Tensor, y: torch.Tensor, day: Day = DAY) -> Outcome:
    """The outcome of days as `.live` gives them."""
    glucose = glucose_of((after[..., :1] + y[..., None]).double())
    first = UNITS[2] * after[..., 2].double()
    kept = (1 - MINUTES / INSULIN_PEAK) ** EULER_STEPS
    given = first[..., 0] + (first[..., 1:] - kept * first[..., :-1]).sum(dim=-1)
    return Outcome(*(float(each.double().mean()) for each in (
        kovatchev_risk(glucose, day), (glucose >= 70) & (glucose <= 180), glucose < 70, glucose < 54, given)))


def evaluate(policy: Policy, clinic: Clinic, people: int, rng: np.random.Generator, day: Day = DAY) -> Outcome:
    """The outcome of a policy for fresh ``people``. For the true clinic this is what nobody knows who has only records."""
    days = cohort(clinic, people, rng, day)
    with torch.no_grad():
        return outcome(*live(days, policy, day), day)
