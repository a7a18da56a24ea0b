"""ICU-Sepsis: the treatment of sepsis in intensive care as a finite model."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from privrl_core.checks import distributions, finite, generator, instance_of, set_fields, whole_number
from privrl_core.world.models import EpisodicMDP, FiniteMDP

__all__ = ["DEATH", "SURVIVAL", "DISCHARGED", "ICUSepsis", "icu_sepsis", "state_groups"]

#: The last three states of ICU-Sepsis, in which episodes end.
DEATH, SURVIVAL, DISCHARGED = 713, 714, 715

ARRAYS = Path(__file__).with_name("icu_sepsis.npz")
ADMISSIBLE = Path(__file__).with_name("icu_sepsis_admissible.txt")


@dataclass(frozen=True, eq=False)
class ICUSepsis(EpisodicMDP):
    """The ICU-Sepsis model over a fixed number of steps, with public information about it.

    ``expert_policy[S, A]`` is the estimated practice of the clinicians, ``admissible[S, A]`` marks the treatments that
    they used often enough to be modelled, ``centres[S, 47]`` is the mean record of the patients in each state, and
    ``sofa[S]`` is their mean organ-failure score. ValueError if the rows of ``expert_policy`` are not distributions.
    """

    expert_policy: np.ndarray
    admissible: np.ndarray
    centres: np.ndarray
    sofa: np.ndarray

    def __post_init__(self):
        super().__post_init__()
        set_fields(self, expert_policy=distributions("expert_policy", self.expert_policy, self.rewards.shape[1:]),
                   admissible=self.admissible, centres=finite("centres", self.centres), sofa=finite("sofa", self.sofa))

    def to_the_end(self) -> FiniteMDP:
        """The same model without a horizon: episodes end with death or survival, and survival has reward 1."""
        ends = np.arange(self.n_states) >= DEATH
        rewards = np.broadcast_to(np.arange(self.n_states) == SURVIVAL, self.transitions.shape[1:])
        return FiniteMDP(self.transitions[0], rewards, 1.0, self.initial, ends)


def icu_sepsis(horizon: int = 20) -> ICUSepsis:
    r"""The treatment of sepsis in intensive care, a model estimated from the records of MIMIC-III.

    716 states (713 clusters of patients, then death, survival, and an absorbing state after both), 25 treatments
    (5 doses of fluids times 5 of vasopressors), the same transition probabilities at each of ``horizon`` steps. Entering
    survival has reward 1, so that a value is the probability of survival within the horizon:

    .. math:: r(s, a) = P(\text{survival} \mid s, a) .

    An inadmissible treatment has the mean transition probabilities of the admissible ones. The expert policy is uniform in
    the last three states, where there are no decisions. The data are files of the package ``icu-sepsis`` 2.0.1, stored
    beside this module with its licence (MIT). Raises ValueError unless ``horizon`` is a positive whole number.
    Source: Choudhary, Gupta & Thomas (2024), "ICU-Sepsis: a benchmark MDP built from real medical data".
    """
    horizon = whole_number("horizon", horizon, least=1)
    _, *lists = ADMISSIBLE.read_text("utf-8").splitlines()
    with np.load(ARRAYS) as arrays:
        transitions, expert = arrays["tx_mat"], arrays["expert_policy"]
        initial, centres, sofa = arrays["d_0"], arrays["state_cluster_centers"], arrays["sofa_scores"]
    expert[DEATH:] = 1 / expert.shape[1]
    admissible = np.zeros(expert.shape, dtype=bool)
    for s, actions in enumerate(lists):
        admissible[s, [int(a) for a in actions.split()]] = True
    return ICUSepsis(np.broadcast_to(transitions, (horizon, *transitions.shape)),
                     np.broadcast_to(transitions[:, :, SURVIVAL], (horizon, *expert.shape)),
                     initial, expert, admissible, centres, sofa)


def state_groups(problem: ICUSepsis, n_groups: int, rng: np.random.Generator) -> np.ndarray:
    """A group for each state, ``[S]``, by k-means of the standardised centres into at most ``n_groups``.

    This uses only the public centres and costs no privacy. Death, survival and the absorbing state are groups of their
    own, the last three. ValueError unless ``1 <= n_groups <= 713``.
    """
    from scipy.cluster.vq import kmeans2, whiten
    n_groups = whole_number("n_groups", n_groups, least=1, most=DEATH)
    patients = instance_of(ICUSepsis, "problem", problem).centres[:DEATH]
    _, label = kmeans2(whiten(patients[:, np.ptp(patients, axis=0) > 0]), n_groups, minit="++",
                       rng=generator("rng", rng))
    _, label = np.unique(label, return_inverse=True)  # k-means may leave groups empty
    return np.append(label, label.max() + 1 + np.arange(3))
