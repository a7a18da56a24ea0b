r"""Noise for transition counts: its guarantees, and a bound on its size.

**Unit of privacy:** one trajectory. **Neighbours:** replace one; each release also states its guarantee for add or remove.
The number of trajectories is never used. Source: Qiao & Wang, "Offline Reinforcement Learning with Differential Privacy"
(2023), Equation (2) and Lemmas C.1 and C.2.
"""

from dataclasses import replace

import numpy as np

from privrl_core.checks import instance_of, number, open_unit
from privrl_core.offline.transition_counts import TransitionCounts
from privrl_core.privacy.curves import zcdp_epsilon_as_printed
from privrl_core.privacy.guarantees import ADD_OR_REMOVE_ONE, Guarantee
from privrl_core.privacy.noise import Noise, Sensitivity

__all__ = ["count_guarantees", "noise_bound"]

ASSUMES = ("no trajectory has more transitions than the horizon, nor adds more to the counts than they say",)
#: Adding a trajectory moves each family of counts half as far in L1, and 1/√2 times as far in L2, as replacing one.
ADDED = Sensitivity(1 / 2, np.sqrt(1 / 2))


def count_guarantees(noise: Noise) -> tuple[Guarantee, Guarantee]:
    r"""The guarantees of ``noise`` on all counts for one trajectory: if it is replaced, and if it is added or removed.

    If a trajectory is replaced, each of the two families, pairs and triples, moves by at most :math:`\Delta_2 = \sqrt2\,C_2`
    and :math:`\Delta_1 = 2 C_1` (`.TransitionCounts`), and both together by :math:`2 C_2` and :math:`4 C_1`. Gaussian noise
    therefore has variance :math:`\sigma^2 = 2 C_2^2/\rho`, which is :math:`2H/\rho` for counts by step, and Laplace noise
    has scale :math:`b = 4 C_1/\varepsilon`.
    Source: Qiao & Wang (2023), Equation (2), Lemma C.1, and Section 3, last paragraph, for Laplace noise.
    """
    instance_of(Noise, "noise", noise)
    return (_and_as_printed(noise.guarantee("all counts", assumes=ASSUMES)),
            _and_as_printed(noise.guarantee("all counts", share=ADDED, neighbours=ADD_OR_REMOVE_ONE, assumes=ASSUMES)))


def _and_as_printed(guarantee):
    """The guarantee; for zCDP, its basis also gives the epsilon of the conversion that the paper prints."""
    if guarantee.rho is None:
        return guarantee
    printed = zcdp_epsilon_as_printed(guarantee.rho, guarantee.delta)
    return replace(guarantee, basis=f"{guarantee.basis}; as printed, ε = ρ + 2√(ρ ln(1/δ)) = {printed:.4g}")


def noise_bound(counts: TransitionCounts, noise: Noise, failure: float) -> float:
    r"""E/2, a bound on all noise except with probability ``failure``, by a union bound over :math:`2 H S^2 A` counts.

    .. math:: E_\rho = 4 \sqrt{\frac{H \ln(4 H S^2 A/\delta)}{\rho}} \quad\text{(Gaussian)}, \qquad
              E_\varepsilon = \frac{8H}{\varepsilon} \ln \frac{2 H S^2 A}{\delta} \quad\text{(Laplace)} .

    There are in fact :math:`HSA(S+1)` counts; pooled counts have one step in place of H. ``failure`` is at least 1e-200 and
    below 1, ValueError outside.
    Source: Qiao & Wang (2023), Lemma C.2; the Laplace bound is this book's.
    """
    instance_of(Noise, "noise", noise)
    n_counts = 2 * len(instance_of(TransitionCounts, "counts", counts).steps) * counts.n_states**2 * counts.n_actions
    if (failure := number(open_unit, "failure", failure)) < 1e-200:  # otherwise failure / n_counts could be 0
        raise ValueError(f"failure must be at least 1e-200, got {failure}")
    return noise.tail(noise.scale(counts.sensitivity), failure / n_counts)
