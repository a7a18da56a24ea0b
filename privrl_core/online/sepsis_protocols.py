r"""ICU-Sepsis for a hospital that learns while it treats: few protocols in place of many treatments.

A *protocol* says how one step of treatment is given in each state. Protocol b stands for a group of treatments, of which
it gives those that are admissible in a state in the expert's proportions; where none is, it treats as the expert does:

.. math:: \pi_b(a \mid s) \propto \pi_{\text{expert}}(a \mid s)\, 1[a \in b,\ a \text{ admissible in } s] .

So a group without treatments is the expert's practice itself. Each protocol may be given in every state, and is public, as
are the expert's policy and the admissible treatments. What a hospital may choose, and count, is the protocol of each step.
"""

import numpy as np

from privrl_core.checks import booleans, instance_of, plain, shaped, whole_number, whole_numbers
from privrl_core.online.sensitivity import FirstVisits
from privrl_core.world.models import EpisodicMDP
from privrl_core.world.sepsis import DEATH, DISCHARGED, SURVIVAL, ICUSepsis

__all__ = ["protocols", "clinic_with_protocols", "first_visits_of_groups", "final_groups_known"]

CERTAIN = 1e9  # as many patients would be needed to shake what is public


def protocols(problem: ICUSepsis, treatments) -> np.ndarray:
    r"""How each protocol treats: :math:`\pi_b(a \mid s)`, ``[S, B, A]``, for ``treatments[B, A]``, which is true for those
    in group b. ValueError unless they are booleans of that shape."""
    n_actions = instance_of(ICUSepsis, "problem", problem).n_actions
    treatments = booleans("treatments", treatments, (len(np.atleast_1d(plain("treatments", treatments))), n_actions))
    given = (problem.expert_policy * problem.admissible)[:, None] * treatments
    total = given.sum(axis=-1, keepdims=True)
    return np.where(total > 0, given / np.where(total > 0, total, 1), problem.expert_policy[:, None])


def clinic_with_protocols(problem: ICUSepsis, treatments) -> EpisodicMDP:
    r"""The clinic whose treatments are the `protocols` of these groups, exactly: all S states of ``problem``, B treatments,

    .. math:: P(s' \mid s, b) = \sum_a \pi_b(a \mid s)\, P(s' \mid s, a) .

    The reward, 1, is for being in the state *survival*, which a patient leaves after one step, and not for the step that
    leads there: so it is public, where the probability of survival is not. There is one step more than in ``problem``, and
    a value is the probability to survive within the horizon of ``problem``, as there. ValueError as `protocols`.
    """
    law = np.einsum("sba,san->sbn", protocols(problem, treatments), problem.transitions[0])
    shape = problem.horizon + 1, *law.shape[:2]
    rewards = np.broadcast_to((np.arange(problem.n_states) == SURVIVAL)[:, None], shape)
    return EpisodicMDP(np.broadcast_to(law, (*shape, problem.n_states)), rewards, problem.initial)


def first_visits_of_groups(cap: int, groups) -> FirstVisits:
    """`.FirstVisits` by public ``groups[716]`` of the states, whole numbers. Only how they divide the 713 states of patients
    matters: death, survival and the absorbing state become three groups of their own, the last ones. ValueError otherwise.
    """
    groups = shaped("groups", whole_numbers("groups", groups), (DISCHARGED + 1,))
    _, living = np.unique(groups[:DEATH], return_inverse=True)
    return FirstVisits(cap, tuple(living) + tuple(living.max() + 1 + np.arange(3)))


def final_groups_known(n_groups: int, n_treatments: int) -> np.ndarray:
    """The prior ``[G, B, G]`` of `.private_posterior_sampling` that knows how a stay ends: the last three of the groups lead
    to the last one. Of the others it knows nothing, 1/G in each cell. ``n_groups >= 4`` and ``n_treatments >= 1`` are whole
    numbers; ValueError otherwise."""
    n_groups = whole_number("n_groups", n_groups, least=4)
    prior = np.full((n_groups, whole_number("n_treatments", n_treatments, least=1), n_groups), 1 / n_groups)
    prior[-3:, :, -1] = CERTAIN
    return prior
