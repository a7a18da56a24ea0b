r"""Synthetic clinics: random models of the size and form of ICU-Sepsis.

They serve to choose constants before looking at the model used for evaluation. From ICU-Sepsis they take the numbers of
states, treatments and admissible pairs, the end of a stay with survival or death, and, roughly, a survival rate of four in
five and stays of ten steps. All else is random: the transitions, the effects of treatments, and the *size* of these effects,
from 2 percentage points of survival, too small to detect, to 30, which would change medicine.
"""

import numpy as np

from privrl_core.checks import generator
from privrl_core.world.sepsis import DEATH, DISCHARGED, SURVIVAL, ICUSepsis

__all__ = ["random_clinic"]

N_ACTIONS, N_PAIRS, N_ALONE = 25, 2238, 237  # N_ALONE of the states have one admissible treatment
NEXT, NEAR = 20, 60  # next states of a pair; how far in rank of severity, as a standard deviation


def random_clinic(rng: np.random.Generator) -> ICUSepsis:
    r"""A random clinic, the same at every step, drawn with ``rng``. A stay ends after (s, a) with the first probability, and
    if it ends, the patient survives with the second:

    .. math:: \tfrac1{10} \exp\bigl(\tfrac12 x_s + \tau_5 u_a + \tau_6 v_{s, a}\bigr), \qquad
              \tfrac45 - \tau_1 z_s + \tau_2 \alpha_a + \tau_3 z_s \beta_a + \tau_4 \gamma_{s, a},
              \qquad \ln \tau_k \sim \mathcal U[\ln 0.02, \ln 0.3],

    clipped to at most 0.9 and to [0.01, 0.99]. Severity z, in place of the organ-failure score, and all other letters are
    standard normal. So treatments affect who survives and when a stay ends. Otherwise the next state is one of 20 of similar
    severity, with random probabilities for each pair. Popular treatments are admissible in more states; the expert policy is
    uniform on the simplex over them. Inadmissible treatments have the mean transition probabilities of the admissible ones.
    """
    admissible = _admissible(generator("rng", rng))
    expert = rng.exponential(size=admissible.shape) * admissible
    sizes = np.exp(rng.uniform(np.log(0.02), np.log(0.3), size=6))
    severity = np.sort(rng.normal(size=DEATH))[rng.permutation(DEATH)]
    effects = (-severity[:, None], rng.normal(size=N_ACTIONS), severity[:, None] * rng.normal(size=N_ACTIONS),
               rng.normal(size=(DEATH, N_ACTIONS)))
    survive = np.clip(0.8 + sum(size * effect for size, effect in zip(sizes[:4], effects, strict=True)), 0.01, 0.99)
    sooner = sizes[4] * rng.normal(size=N_ACTIONS) + sizes[5] * rng.normal(size=(DEATH, N_ACTIONS))
    ends = np.minimum(0.1 * np.exp(rng.normal(size=(DEATH, 1)) / 2 + sooner), 0.9)

    by_severity = severity.argsort()
    rank = by_severity.argsort()
    law = np.zeros((DISCHARGED + 1, N_ACTIONS, DISCHARGED + 1))
    s, a = np.nonzero(admissible[:DEATH])
    near = np.clip(np.rint(rank[s, None] + NEAR * rng.normal(size=(s.size, NEXT))), 0, DEATH - 1).astype(int)
    weights = (1 - ends[s, a])[:, None] * rng.dirichlet(np.ones(NEXT), size=s.size)
    np.add.at(law, (s[:, None], a[:, None], by_severity[near]), weights)
    law[:DEATH, :, SURVIVAL], law[:DEATH, :, DEATH] = ends * survive, ends * (1 - survive)
    law[DEATH:, :, DISCHARGED] = 1
    mean = np.matmul((admissible / admissible.sum(axis=1, keepdims=True))[:, None], law)
    law = np.where(admissible[:, :, None], law, mean)

    first = np.append(rng.dirichlet(np.ones(DEATH)), np.zeros(3))
    return ICUSepsis(law[None], law[None, :, :, SURVIVAL], first, expert / expert.sum(axis=1, keepdims=True), admissible,
                     centres=np.zeros((len(law), 0)), sofa=np.append(severity, np.zeros(3)))


def _admissible(rng):
    """``[S, A]``: one treatment in some states and at least two in the others; popular treatments occur in more states."""
    others = DEATH - N_ALONE
    more = rng.multinomial(N_PAIRS - N_ALONE - 2 * others, np.full(others, 1 / others))
    how_many = rng.permutation(np.append(np.ones(N_ALONE), 2 + more))
    liking = np.log(rng.dirichlet(np.ones(N_ACTIONS))) + rng.gumbel(size=(DEATH, N_ACTIONS))
    place = (-liking).argsort(axis=1).argsort(axis=1)
    return np.concatenate([place < how_many[:, None], np.ones((3, N_ACTIONS), dtype=bool)])
