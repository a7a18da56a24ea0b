r"""A treatment policy from the last decision of each episode: ask for little, and the noise stays small.

Of each episode only the last state and treatment and the outcome are used, at two levels: by group of states, and by
state. At each level an episode adds 1 to the endings of its unit (the group, or the state), 1 to those of its unit and
treatment, and to their score 1 if it survived or -1 if it died, however long it was. All that follows the noisy tables is
post-processing. **Unit of privacy:** one trajectory, which is one episode here. **Neighbours:** replace one; what it costs
under add-or-remove is said beside it.

Why scores and endings apart, and not survivals and deaths: the outcome is what one wants to learn and what is worst to
hide. If two episodes differ in it alone, the scores move by 2 and the endings do not move; if they ended in different
units, all move, but the scores less. So the endings are to be had for nothing (`dp_treatment_policy` has the proof).

Why the last decision: a decision for a in s adds to survival, by :math:`\theta(s, a)`, if episodes that end after it
survive more often than the mean c of all endings, the more the more of them end. What a treatment does *later* is left out;
one step of policy improvement on what remains is a heuristic without a theorem, beside an exact guarantee. The design is
this book's, not a paper's.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, diags_array, eye_array, hstack, kron, vstack
from scipy.sparse.linalg import lsqr

from privrl_core.episodes import Episodes
from privrl_core.mdp import distributions
from privrl_core.privacy import Guarantee, Status, gaussian_epsilon, gaussian_mu
from privrl_core.problems import DEATH, SURVIVAL, ICUSepsis
from privrl_core.transition_counts import LARGEST
from privrl_core.validation import nonnegative, number, of_kind, open_unit, positive, set_fields, whole_number

__all__ = ["LastDecisions", "last_decisions", "sample_last_decisions", "severity_groups", "Priors", "TreatmentPolicy",
           "dp_treatment_policy"]


@dataclass(frozen=True, eq=False)
class LastDecisions:
    """How many episodes ended, after treatment a in state s, with survival and with death: ``survivals[S, A]``,
    ``deaths[S, A]``. Private data. ValueError unless they are whole numbers of one shape, at least 0 and at most
    :math:`2^{53}` in all."""

    survivals: np.ndarray
    deaths: np.ndarray

    def __post_init__(self):
        survivals, deaths = nonnegative("survivals", self.survivals), nonnegative("deaths", self.deaths)
        if survivals.ndim != 2 or survivals.shape != deaths.shape:
            raise ValueError(f"survivals and deaths must have the same shape [S, A], got {list(survivals.shape)} "
                             f"and {list(deaths.shape)}")
        for name, table in (("survivals", survivals), ("deaths", deaths)):
            if np.any(broken := table != np.rint(table)):
                raise ValueError(f"{name} must be whole numbers, got {table[broken][0]}")
            if table.size and table.max() > LARGEST / (2 * table.size):
                raise ValueError(f"{name} must be at most 2^52 / (S A), got {table.max():g}")
        set_fields(self, survivals=survivals, deaths=deaths)


def last_decisions(episodes: Episodes, problem: ICUSepsis) -> LastDecisions:
    """The last decisions of ``episodes`` of ``problem``; one that was cut before its outcome counts nowhere.

    ValueError for states or actions that are none of the problem's, and for an episode that goes on after its end.
    """
    for name, values, size in (("states", of_kind(Episodes, "episodes", episodes).states, problem.n_states),
                               ("actions", episodes.actions, problem.n_actions)):
        if values.max(initial=0) >= size:
            raise ValueError(f"{name} must be below {size}, got {values.max()}")
    if (late := (episodes.states[:, :-1] >= DEATH) & (episodes.actions >= 0)).any():
        raise ValueError(f"states must be no outcome before the last step, got one in trajectory {np.argwhere(late)[0, 0]}")
    who, last = np.arange(len(episodes)), episodes.lengths - 1
    end = episodes.states[who, episodes.lengths]
    tables = np.zeros((2, problem.n_states, problem.n_actions))
    for table, outcome in zip(tables, (SURVIVAL, DEATH), strict=True):
        i = who[(end == outcome) & (last >= 0)]
        np.add.at(table, (episodes.states[i, last[i]], episodes.actions[i, last[i]]), 1)
    return LastDecisions(*tables)


def sample_last_decisions(problem: ICUSepsis, policy, n: int, rng: np.random.Generator, *, max_length: int) -> LastDecisions:
    r"""The last decisions of ``n`` episodes of ``policy[S, A]``, cut after ``max_length`` steps, without the episodes:

    one multinomial draw with :math:`P(s, a, \text{outcome}) = \sum_t P(s_t = s)\, \pi(a | s)\, P(\text{outcome} | s, a)`,
    exact up to the rounding of doubles. ValueError unless the rows of ``policy`` are distributions, ``n`` is a whole
    number from 1 to :math:`2^{53}` and ``max_length`` a positive one.
    """
    policy = distributions("policy", policy, problem.expert_policy.shape)
    n, max_length = whole_number("n", n, least=1, most=LARGEST), whole_number("max_length", max_length, least=1)
    of_kind(np.random.Generator, "rng", rng)
    law = problem.transitions[0]
    step = np.einsum("sa,san->sn", policy, law)
    alive, visits = problem.initial * (np.arange(problem.n_states) < DEATH), np.zeros(problem.n_states)
    for _ in range(max_length):
        visits += alive
        alive = (alive @ step) * (np.arange(problem.n_states) < DEATH)
    ends = np.array([visits[:, None] * policy * law[:, :, outcome] for outcome in (SURVIVAL, DEATH)])
    drawn = rng.multinomial(n, np.append(ends, max(1 - ends.sum(), 0)))[:-1]
    return LastDecisions(*drawn.reshape(ends.shape))


def severity_groups(problem: ICUSepsis, n_groups: int = 3) -> np.ndarray:
    """A group for each state, ``[S]``: by the public organ-failure score, as many states in each as ties allow.
    ValueError unless ``n_groups`` is a whole number from 1 to 713."""
    n_groups = whole_number("n_groups", n_groups, least=1, most=DEATH)
    edges = np.quantile(problem.sofa[:DEATH], np.arange(1, n_groups) / n_groups)
    return np.digitize(problem.sofa, edges)


@dataclass(frozen=True)
class Priors:
    r"""How much the chance to survive may differ, as standard deviations in probability: between ``states``, between
    ``treatments``, for a treatment between ``groups``, and for a treatment between the states of a ``pair`` of both.

    :math:`\theta(s, a) = \delta_s + \alpha_a + \beta_{g(s), a} + \gamma_{s, a}`. They change the policy, never the
    privacy. The defaults, like three groups and a caution of one half, were chosen on invented clinics
    (`privrl_core.invented_clinic`) by the rule that chapters/04_offline_rl/05_clinic states and runs, not on ICU-Sepsis.
    From 1e-6 to 1e3; ValueError otherwise.
    """

    states: float = 0.1
    treatments: float = 0.4
    groups: float = 0.05
    pairs: float = 0.1

    def __post_init__(self):
        for name in ("states", "treatments", "groups", "pairs"):
            if not 1e-6 <= (width := number(positive, name, getattr(self, name))) <= 1e3:
                raise ValueError(f"{name} must be from 1e-6 to 1e3, got {width}")
            set_fields(self, **{name: width})


@dataclass(frozen=True, eq=False)
class TreatmentPolicy:
    """What may be published: ``policy[S, A]``, the cautious ``effects[S, A]`` it maximises, the ``guarantee`` if one
    trajectory is replaced, and ``guarantee_add_remove`` if one is added or removed."""

    policy: np.ndarray
    effects: np.ndarray
    guarantee: Guarantee
    guarantee_add_remove: Guarantee

    def __post_init__(self):
        set_fields(self, policy=self.policy, effects=self.effects)


def dp_treatment_policy(data: LastDecisions, groups, behaviour, admissible, *, epsilon: float, delta: float,
                        noise_rng: np.random.Generator, priors: Priors = Priors(), caution: float = 0.5) -> TreatmentPolicy:
    r"""The best admissible treatment for each state, by a regression on noisy tables; (epsilon, delta)-DP.

    Of the groups, and of the states, the endings by unit and by unit and treatment get independent noise of
    :math:`\sqrt2\,\sigma` on every cell, the scores by unit and treatment of :math:`\sigma = \sqrt8/\mu`
    (``gaussian_mu(epsilon, delta)``). Replace one episode by another. In units of the noise, the tables of one level move by
    a vector whose squared length is, if the two ended in

    * the same unit, after the same treatment: :math:`(0 + 0)/2\sigma^2 + 2^2/\sigma^2 = 4/\sigma^2` at most, for the scores;
    * the same unit, after two treatments: :math:`(0 + 2)/2\sigma^2 + 2/\sigma^2 = 3/\sigma^2`;
    * two units: :math:`(2 + 2)/2\sigma^2 + 2/\sigma^2 = 4/\sigma^2`; and half as much if one was cut before its end.

    Both levels: :math:`8/\sigma^2 = \mu^2` at most, and attained, which is :math:`\mu`-Gaussian-DP exactly.

    Let e be the endings in a state, drawn to those of its group as far as their noise demands, times the public
    ``behaviour[S, A]``; and E those in a cell, the noisy ones drawn to what e and the group's treatments let expect. With
    survival rate c, :math:`y = \tfrac12\,\text{score} - (c - \tfrac12) E` has mean :math:`e\,\theta`. The effects minimise

    .. math:: \sum_{\text{both levels}} \frac{(y - e\,\theta)^2}{\sigma^2/4 + c(1-c)e + (c - \frac12)^2 \operatorname{Var} E}
              + \Bigl\lVert \frac{\delta}{\tau_\delta} \Bigr\rVert^2 + \Bigl\lVert \frac{\alpha}{\tau_\alpha} \Bigr\rVert^2
              + \Bigl\lVert \frac{\beta}{\tau_\beta} \Bigr\rVert^2 + \Bigl\lVert \frac{\gamma}{\tau_\gamma} \Bigr\rVert^2 ,

    and the policy takes the treatment of the largest effect less ``caution >= 0`` posterior standard deviations (of
    :math:`\alpha_a + \beta_{g,a}` and of :math:`\gamma_{s,a}`, each as if its own cell were all that is known of it).
    ``groups[S]`` (whole numbers), ``behaviour`` (distributions) and ``admissible[S, A]`` (booleans, some in each row)
    are public. Ties go to the lowest index. ``noise_rng`` is for privacy alone. ValueError on wrong shapes and values.
    """
    shape = n_states, n_actions = of_kind(LastDecisions, "data", data).deaths.shape
    of_kind(np.random.Generator, "noise_rng", noise_rng), of_kind(Priors, "priors", priors)
    behaviour = distributions("behaviour", behaviour, shape)
    groups = np.asarray(groups)
    admissible = np.asarray(admissible)
    if groups.shape != (n_states,) or groups.dtype.kind not in "iu" or groups.min() < 0:
        raise ValueError(f"groups must be {n_states} whole numbers of at least 0, got {groups!r}")
    if admissible.shape != shape or admissible.dtype != bool or not admissible.any(axis=1).all():
        raise ValueError(f"admissible must be booleans of shape {list(shape)}, some in each row, got {admissible!r}")
    mu = float(gaussian_mu(number(nonnegative, "epsilon", epsilon), number(open_unit, "delta", delta)))
    sigma, basis = np.sqrt(8) / mu, f"Gaussian mechanism on endings and scores of last decisions, μ = {mu:.4g}"
    public = ("groups, behaviour policy and admissible treatments are public",)

    _, groups = np.unique(groups, return_inverse=True)  # a number that no state has is no group
    by_state = eye_array(n_states, format="csr")
    by_group = csr_array((np.ones(n_states), (groups, np.arange(n_states))), shape=(groups.max() + 1, n_states))
    endings, scores = data.survivals + data.deaths, data.survivals - data.deaths

    def noisy(table, scale):
        return table + noise_rng.normal(0, scale, table.shape)
    levels = [(merge, noisy((merge @ endings).sum(axis=1), np.sqrt(2) * sigma), noisy(merge @ endings, np.sqrt(2) * sigma),
               noisy(merge @ scores, sigma)) for merge in (by_group, by_state)]
    effects = _cautious_effects(levels, by_group, behaviour, sigma, priors, number(nonnegative, "caution", caution))
    best = np.where(admissible, effects, -np.inf).argmax(axis=1)
    guarantee = Guarantee(float(epsilon), float(delta), "one trajectory", "replace one", Status.PROVED, basis, public, mu)
    mu /= np.sqrt(2)  # one cell of each table moves, by 1: (1 + 1)/2 + 1 in units of sigma^2, at each level
    added = Guarantee(float(gaussian_epsilon(delta, mu)), float(delta), "one trajectory", "add or remove one",
                      Status.PROVED, basis, public, mu)
    return TreatmentPolicy(np.eye(n_actions)[best], effects, guarantee, added)


def _cautious_effects(levels, by_group, behaviour, sigma, priors, caution):
    """theta - caution * uncertainty, [S, A]; theta by one sparse least-squares problem in (delta, alpha, beta, gamma),
    each in units of its prior."""
    n_states, n_actions = behaviour.shape
    (_, of_groups, by_treatment, scores), (_, of_states, by_pair, _) = levels
    of_groups = np.maximum(of_groups, 1)
    c = np.clip((1 + scores.sum() / of_groups.sum()) / 2, 0.01, 0.99)
    of_states, _ = _drawn_to(by_group.T @ (of_groups / by_group.sum(axis=1)), of_states, 2 * sigma**2)
    e = of_states[:, None] * behaviour
    # some treatments end an episode sooner than others: their endings are more than practice lets expect
    in_groups = _drawn_to(by_group @ e, by_treatment, 2 * sigma**2)
    sooner = by_group.T @ (in_groups[0] / np.maximum(by_group @ e, 1e-9))
    in_states = _drawn_to(e * sooner, by_pair, 2 * sigma**2)

    actions, everyone = eye_array(n_actions), np.ones((1, n_states))
    theta = hstack([priors.states * kron(eye_array(n_states), np.ones((n_actions, 1))),
                    priors.treatments * kron(everyone.T, actions),
                    priors.groups * kron(by_group.T, actions), priors.pairs * eye_array(e.size)], format="csr")
    rows, targets, uncertainty = [eye_array(theta.shape[1])], [np.zeros(theta.shape[1])], np.zeros(e.shape)
    prior_variances = priors.treatments**2 + priors.groups**2, priors.pairs**2
    for (merge, *_, scores), (ended, its_variance), prior_variance in zip(
            levels, (in_groups, in_states), prior_variances, strict=True):
        cells = merge @ e
        variance = sigma**2 / 4 + c * (1 - c) * cells + (c - 0.5) ** 2 * its_variance
        weight = 1 / np.sqrt(variance.ravel())
        rows.append(diags_array(weight) @ kron(merge, actions) @ diags_array(e.ravel()) @ theta)
        targets.append(weight * (scores / 2 - (c - 0.5) * ended).ravel())
        uncertainty += merge.T @ (1 / (1 / prior_variance + cells**2 / variance))
    solution = lsqr(vstack(rows, format="csr"), np.concatenate(targets), atol=1e-6, btol=1e-6, iter_lim=1000)[0]
    return (theta @ solution).reshape(e.shape) - caution * np.sqrt(uncertainty)


def _drawn_to(expected, noisy, variance):
    """``noisy`` counts drawn to what was ``expected`` of them, as far as their ``variance`` demands, and the variance of
    what comes out. Counts stray from what is expected by chance, as those of Poisson do, and in proportion."""
    strays = max(np.sum((noisy - expected) ** 2 - variance - expected) / np.sum(expected**2), 0)
    prior = expected + strays * expected**2
    drawn = np.maximum(expected + prior / (prior + variance) * (noisy - expected), expected / 10)
    return drawn, prior * variance / (prior + variance)
