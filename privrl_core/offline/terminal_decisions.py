r"""A treatment policy from the last decision of each episode: few counts per episode keep the noise small.

Only the last state, the last treatment and the outcome of each episode are used. *Survivals* and *deaths* are counted by
treatment and group of states, and by treatment and state; an episode adds 1 to two counts, whatever its length. All that
follows the noisy counts is post-processing. **Unit of privacy:** one trajectory, which is one episode here. **Neighbours:**
replace one; the guarantee for add or remove is stated as well.

Treatment a in state s has a positive effect :math:`\theta(s, a)` if episodes that end after it survive more often than the
average c over all endings, and the effect grows with the number of such endings. Later effects of a treatment are ignored.
The guarantee is exact; one step of policy improvement on these effects is a heuristic without a theorem. The design is this
book's, not a paper's.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, diags_array, eye_array, hstack, kron, vstack
from scipy.sparse.linalg import lsqr

from privrl_core.checks import (
    Record,
    below,
    booleans,
    distributions,
    generator,
    instance_of,
    nonnegative,
    number,
    plain,
    positive,
    set_fields,
    shaped,
    whole_number,
    whole_numbers,
)
from privrl_core.offline.count_noise import ADDED
from privrl_core.offline.transition_counts import LARGEST
from privrl_core.privacy.guarantees import ADD_OR_REMOVE_ONE
from privrl_core.privacy.noise import GaussianNoise, Sensitivity, gaussian_kind
from privrl_core.privacy.release import AddedNoise, Release
from privrl_core.world.episodes import Episodes
from privrl_core.world.sepsis import DEATH, SURVIVAL, ICUSepsis

__all__ = ["TerminalDecisions", "count_terminal_decisions", "sample_terminal_decisions", "severity_groups", "Priors",
           "TreatmentPolicy", "dp_treatment_policy"]


ASSUMES = ("groups, behaviour policy and admissible treatments are public",)


@dataclass(frozen=True, eq=False)
class TerminalDecisions(Record):
    """How many episodes ended, after treatment a in state s, with survival and with death: ``survivals[S, A]``,
    ``deaths[S, A]``. Private data. ValueError unless they are whole numbers of one shape, at least 0 and at most
    :math:`2^{53}` in all."""

    survivals: np.ndarray
    deaths: np.ndarray

    def __post_init__(self):
        survivals = shaped("survivals", whole_numbers("survivals", self.survivals), ("S", "A"))
        deaths = shaped("deaths", whole_numbers("deaths", self.deaths), survivals.shape)
        for name, table in (("survivals", survivals), ("deaths", deaths)):
            if table.size and table.max() > LARGEST / (2 * table.size):
                raise ValueError(f"{name} must be at most 2^52 / (S A), got {table.max():g}")
        set_fields(self, survivals=survivals, deaths=deaths)


def count_terminal_decisions(episodes: Episodes, problem: ICUSepsis) -> TerminalDecisions:
    """The last decisions of ``episodes`` of ``problem``. An episode that was cut before its outcome is not counted.

    The result is private data, and so are error messages, which quote the data.

    ValueError for states or actions that the problem does not have, and for an episode that continues after its outcome.
    """
    instance_of(Episodes, "episodes", episodes)
    instance_of(ICUSepsis, "problem", problem)
    below("states", episodes.states, problem.n_states, "n_states")
    below("actions", episodes.actions, problem.n_actions, "n_actions")
    if (late := (episodes.states[:, :-1] >= DEATH) & (episodes.actions >= 0)).any():
        raise ValueError(f"states must be no outcomes before the last step, got one in trajectory {np.argwhere(late)[0, 0]}")
    who, last = np.arange(len(episodes)), episodes.lengths - 1
    end = episodes.states[who, episodes.lengths]
    tables = np.zeros((2, problem.n_states, problem.n_actions))
    for table, outcome in zip(tables, (SURVIVAL, DEATH), strict=True):
        i = who[(end == outcome) & (last >= 0)]
        np.add.at(table, (episodes.states[i, last[i]], episodes.actions[i, last[i]]), 1)
    return TerminalDecisions(*tables)


def sample_terminal_decisions(problem: ICUSepsis, policy, n: int, rng: np.random.Generator, *,
                              max_length: int) -> TerminalDecisions:
    r"""Sample the last decisions of ``n`` episodes of ``policy[S, A]``, cut after ``max_length`` steps.

    This is one multinomial draw with :math:`P(s, a, \text{outcome}) = \sum_t P(s_t = s)\, \pi(a | s)\, P(\text{outcome} |
    s, a)`, exact up to the rounding of doubles; no episode is sampled. ValueError unless the rows of ``policy`` are
    distributions, ``n`` is a whole number from 1 to :math:`2^{53}` and ``max_length`` a positive whole number.
    """
    policy = distributions("policy", policy, instance_of(ICUSepsis, "problem", problem).expert_policy.shape)
    n, max_length = whole_number("n", n, least=1, most=LARGEST), whole_number("max_length", max_length, least=1)
    generator("rng", rng)
    law = problem.transitions[0]
    step = np.einsum("sa,san->sn", policy, law)
    alive, visits = problem.initial * (np.arange(problem.n_states) < DEATH), np.zeros(problem.n_states)
    for _ in range(max_length):
        visits += alive
        alive = (alive @ step) * (np.arange(problem.n_states) < DEATH)
    ends = np.array([visits[:, None] * policy * law[:, :, outcome] for outcome in (SURVIVAL, DEATH)])
    drawn = rng.multinomial(n, np.append(ends, max(1 - ends.sum(), 0)))[:-1]
    return TerminalDecisions(*drawn.reshape(ends.shape))


def severity_groups(problem: ICUSepsis, n_groups: int = 3) -> np.ndarray:
    """A group for each state, ``[S]``, by quantiles of the public organ-failure score; ties may make the groups unequal.
    ValueError unless ``n_groups`` is a whole number from 1 to 713."""
    n_groups = whole_number("n_groups", n_groups, least=1, most=DEATH)
    edges = np.quantile(instance_of(ICUSepsis, "problem", problem).sofa[:DEATH], np.arange(1, n_groups) / n_groups)
    return np.digitize(problem.sofa, edges)


@dataclass(frozen=True)
class Priors:
    r"""Prior standard deviations of the effects on the probability of survival: of ``states``, of ``treatments``, of
    treatments by ``groups``, and of ``pairs`` of state and treatment.

    :math:`\theta(s, a) = \delta_s + \alpha_a + \beta_{g(s), a} + \gamma_{s, a}`. They affect the policy, never the
    privacy. The defaults, like three groups and a caution of 1, were chosen on synthetic clinics
    (`privrl_core.world.synthetic_clinic`) by the rule in chapters/04_offline_rl/evidence/05_clinic, not on ICU-Sepsis.
    From 1e-6 to 1e3; ValueError otherwise.
    """

    states: float = 0.1
    treatments: float = 0.1
    groups: float = 0.1
    pairs: float = 0.1

    def __post_init__(self):
        for name in ("states", "treatments", "groups", "pairs"):
            if not 1e-6 <= (deviation := number(positive, name, getattr(self, name))) <= 1e3:
                raise ValueError(f"{name} must be from 1e-6 to 1e3, got {deviation}")
            set_fields(self, **{name: deviation})


class Level(NamedTuple):
    """Noisy survivals and deaths, ``[units, A]``, with the ``scale`` of their noise; ``merge[units, S]`` is 1 at the states
    of a unit."""

    merge: csr_array
    scale: float
    survivals: np.ndarray
    deaths: np.ndarray


@dataclass(frozen=True, eq=False, kw_only=True)
class TreatmentPolicy(Release):
    """``policy[S, A]`` and the cautious ``effects[S, A]`` that it maximises, with a guarantee for replacing one trajectory,
    and one for adding or removing one."""

    policy: np.ndarray
    effects: np.ndarray


def dp_treatment_policy(data: TerminalDecisions, groups, behaviour, admissible, *, epsilon: float, delta: float,
                        noise_rng: np.random.Generator | None, noise=GaussianNoise, priors: Priors = Priors(),
                        caution: float = 1.0) -> TreatmentPolicy:
    r"""The best admissible treatment for each state, by a regression on noisy counts; (epsilon, delta)-DP.

    Survivals and deaths are counted at two levels, by group and treatment and by state and treatment. Every cell gets
    independent noise, with standard deviation :math:`2\sigma` at the first level, whose cells are few and large, and
    :math:`\sigma` at the second. Replacing an episode changes at most two cells of each level, by 1 each. In units of the
    noise, the tables move by at most :math:`\sqrt{2/4 + 2}/\sigma`, which is attained, so that :math:`\sigma =
    \sqrt{5/2}/\mu` is exactly :math:`\mu`-Gaussian-DP, for :math:`\mu` = ``gaussian_mu(epsilon, delta)``. Adding or removing
    an episode changes one cell of each level: :math:`\mu/\sqrt2`.

    Let c be the survival rate in the noisy groups, and e the expected number of endings in a cell: that of its state,
    shrunk towards that of its group according to the noise, times the public ``behaviour[S, A]``. The excess of survivals
    over the rate c is :math:`y = (1 - c)\,\text{survivals} - c\,\text{deaths}`. Its mean is modelled as :math:`e\,\theta`,
    summed over the states of a group: it is 0 if the share c survives, *however* many episodes end. The effects minimise

    .. math:: \sum_{\text{both levels}} \frac{(y - e\,\theta)^2}{((1 - c)^2 + c^2)\operatorname{Var}(\text{noise}) + c(1-c)e}
              + \Bigl\lVert \frac{\delta}{\tau_\delta} \Bigr\rVert^2 + \Bigl\lVert \frac{\alpha}{\tau_\alpha} \Bigr\rVert^2
              + \Bigl\lVert \frac{\beta}{\tau_\beta} \Bigr\rVert^2 + \Bigl\lVert \frac{\gamma}{\tau_\gamma} \Bigr\rVert^2 ,

    as if the errors of both levels were independent; those of the noise are, the sampling errors are not. The policy takes
    the treatment with the largest effect minus ``caution >= 0`` posterior standard deviations, those of
    :math:`\alpha_a + \beta_{g,a}` and of :math:`\gamma_{s,a}`, each computed from its own cell alone.
    ``groups[S]`` (whole numbers), ``behaviour`` (distributions) and ``admissible[S, A]`` (booleans, at least one true per
    row) are public. Ties go to the lowest index. ``noise`` is `.GaussianNoise`, or, for real patients,
    `.DiscreteGaussianNoise`, whose cost in zCDP is the same sum, and which ignores ``noise_rng`` (it may be None).
    ``noise_rng`` is used for privacy noise only. ValueError for wrong shapes and values.
    """
    shape = n_states, n_actions = instance_of(TerminalDecisions, "data", data).deaths.shape
    instance_of(Priors, "priors", priors)
    behaviour = distributions("behaviour", behaviour, shape)
    groups, admissible = plain("groups", groups), booleans("admissible", admissible, shape)
    if groups.shape != (n_states,) or groups.dtype.kind not in "iu" or groups.min() < 0:
        raise ValueError(f"groups must be {n_states} whole numbers of at least 0, got {groups!r}")
    if not admissible.any(axis=1).all():
        raise ValueError(f"admissible must allow a treatment in each state, got none in {np.argmin(admissible.any(axis=1))}")
    law = gaussian_kind("noise", noise).of_epsilon(epsilon, delta)
    sigma = law.scale(Sensitivity(3, np.sqrt(5 / 2), whole=True))

    _, groups = np.unique(groups, return_inverse=True)  # unused group numbers are dropped
    by_state = eye_array(n_states, format="csr")
    by_group = csr_array((np.ones(n_states), (groups, np.arange(n_states))), shape=(groups.max() + 1, n_states))
    levels = [Level(merge, scale, *(merge @ table + law.draw(scale, (merge.shape[0], n_actions), noise_rng)
                                    for table in (data.survivals, data.deaths)))
              for merge, scale in ((by_group, 2 * sigma), (by_state, sigma))]

    effects = _cautious_effects(*levels, behaviour, priors, number(nonnegative, "caution", caution))
    best = np.where(admissible, effects, -np.inf).argmax(axis=1)
    query = "counts of last decisions"
    guarantees = (law.guarantee(query, assumes=ASSUMES),
                  law.guarantee(query, share=ADDED, neighbours=ADD_OR_REMOVE_ONE, assumes=ASSUMES))
    return TreatmentPolicy(policy=np.eye(n_actions)[best], effects=effects, guarantees=guarantees,
                           noise=AddedNoise(law.law, (2 * sigma, sigma)))


def _cautious_effects(by_group, by_state, behaviour, priors, caution):
    """theta - caution * uncertainty, [S, A]; theta solves one sparse least-squares problem in (delta, alpha, beta, gamma),
    each divided by its prior standard deviation."""
    n_states, n_actions = behaviour.shape
    in_groups = np.maximum((by_group.survivals + by_group.deaths).sum(axis=1), 1)
    in_states = (by_state.survivals + by_state.deaths).sum(axis=1)
    expected = by_group.merge.T @ (in_groups / by_group.merge.sum(axis=1))
    e = _shrunk_towards(expected, in_states, 2 * n_actions * by_state.scale**2)[:, None] * behaviour
    c = np.clip(by_group.survivals.sum() / in_groups.sum(), 0.01, 0.99)

    actions = eye_array(n_actions)
    theta = hstack([priors.states * kron(eye_array(n_states), np.ones((n_actions, 1))),
                    priors.treatments * kron(np.ones((n_states, 1)), actions),
                    priors.groups * kron(by_group.merge.T, actions), priors.pairs * eye_array(e.size)], format="csr")
    rows, targets, uncertainty = [], [], np.zeros(e.shape)
    prior_variances = priors.treatments**2 + priors.groups**2, priors.pairs**2
    for level, prior_variance in zip((by_group, by_state), prior_variances, strict=True):
        cells = level.merge @ e
        variance = ((1 - c) ** 2 + c**2) * level.scale**2 + c * (1 - c) * cells
        weight = 1 / np.sqrt(variance.ravel())
        rows.append(diags_array(weight) @ kron(level.merge, actions) @ diags_array(e.ravel()) @ theta)
        targets.append(weight * ((1 - c) * level.survivals - c * level.deaths).ravel())
        uncertainty += level.merge.T @ (1 / (1 / prior_variance + cells**2 / variance))
    solution = lsqr(vstack(rows, format="csr"), np.concatenate(targets), damp=1, atol=1e-6, btol=1e-6, iter_lim=1000)[0]
    return (theta @ solution).reshape(e.shape) - caution * np.sqrt(uncertainty)


def _shrunk_towards(expected, noisy, variance):
    """``noisy`` counts shrunk towards ``expected`` by empirical Bayes, given the ``variance`` of their noise. The prior
    variance of a count is a Poisson term plus a term proportional to the squared expectation."""
    dispersion = max(np.sum((noisy - expected) ** 2 - variance - expected) / np.sum(expected**2), 0)
    prior = expected + dispersion * expected**2
    return np.maximum(expected + prior / (prior + variance) * (noisy - expected), expected / 10)
