"""Problems with a name, and other people's."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from privrl_core.mdp import EpisodicMDP, FiniteMDP, LinearMDP, distributions
from privrl_core.middle_walk import middle_reward
from privrl_core.validation import finite, set_fields, whole_number

#: The last three states of ICU-Sepsis, each of them an end.
DEATH, SURVIVAL, DISCHARGED = 713, 714, 715


def recovery_chain(n_states: int = 40, stay: float = 0.5, discount: float = 0.99, *, initial=None) -> FiniteMDP:
    r"""The chain of Balle, Gomrokchi & Precup (2016, section 6): a patient recovers step by step.

    From state s the next one is s with probability p = ``stay`` and s + 1 otherwise; entering the last
    state, which is terminal, has reward 1, all else 0. There is one action. With states counted 1 to N as
    in the paper (code counts from 0),

    .. math:: V(s) = g^{N - s} / \gamma \text{ for } s < N, \qquad V(N) = 0, \qquad
              g = \frac{\gamma (1 - p)}{1 - \gamma p}.

    ``n_states`` is at least 2, ``stay`` in [0, 1), ``discount`` in [0, 1]; ``initial[S]`` is the law of the
    first state, by default always the first of the chain. Raises ValueError otherwise.
    """
    n_states = whole_number("n_states", n_states, least=2)
    p = finite("stay", stay)
    if p.ndim or not 0 <= p < 1:
        raise ValueError(f"stay must be in [0, 1), got {stay!r}")
    terminal = np.arange(n_states) == n_states - 1
    transitions = p * np.eye(n_states) + (1 - p) * np.eye(n_states, k=1)
    transitions[-1, -1] = 1
    rewards = np.zeros((n_states, n_states))
    rewards[:-1, -1] = 1
    if initial is None:
        initial = np.arange(n_states) == 0
    return FiniteMDP(transitions[:, None, :], rewards[:, None, :], discount, initial, terminal)


def middle_walk(reward=middle_reward):
    """The walk of Wang & Hegde (2019, appendix E.1) as a Gymnasium environment: state in [0, 1], 50 steps.

    ``reward(states)`` of the new state, by default largest in the middle: what their algorithm is to keep private.
    For many walks at once, and exact returns, see :mod:`privrl_core.middle_walk`.
    """
    from privrl_core.middle_walk_gymnasium import MiddleWalk

    return MiddleWalk(reward)


def binary_action_linear_mdp(horizon: int = 20, seed: int = 0) -> LinearMDP:
    r"""The linear decision process of Qiao & Wang (2023, Appendix F): two states, a hundred actions in binary code.

    With :math:`\mathbf a \in \{0, 1\}^8` the binary digits of action a, the largest first, and
    :math:`\delta(s, a) = 1` where :math:`\mathbb 1\{s = 0\} = \mathbb 1\{a = 0\}`, else 0,

    .. math:: \phi(s, a) &= (\mathbf a^\top, \delta(s, a), 1 - \delta(s, a))^\top \in \mathbb R^{10}, \\
              \nu_h(0) &= (0, \dots, 0, \alpha_{h,1}, \alpha_{h,2})^\top, \qquad
              \nu_h(1) = (0, \dots, 0, 1 - \alpha_{h,1}, 1 - \alpha_{h,2})^\top, \\
              \theta_h &= \bigl(\tfrac{r_h}8, 0, \tfrac{r_h}8, \tfrac12 - \tfrac{r_h}2, \tfrac{r_h}8, 0,
              \tfrac{r_h}8, 0, \tfrac{r_h}2, \tfrac12 - \tfrac{r_h}2\bigr)^\top,

    with all :math:`\alpha_{h,i}` and :math:`r_h` uniform on [0, 1], drawn with ``seed``; both states are as likely to
    be first. **Known** from the paper's text: the sizes, the horizon of 20, the kind of every law, the two letters of
    the code. **Recalled**, because the formulas of the text at hand are lost: :math:`\delta`, where the random numbers
    stand in :math:`\nu` and :math:`\theta`, and the digits 0 and 1, the only ones that keep every reward in [0, 1].
    The largest digit is 0 for every action, so the features have rank 9, and :math:`\lVert\phi\rVert^2 \le 7`: divide
    by :math:`\sqrt 7` before use. ``horizon >= 1`` and ``seed >= 0``, ValueError otherwise.
    """
    horizon, seed = whole_number("horizon", horizon, least=1), whole_number("seed", seed, least=0)
    rng, actions, d = np.random.default_rng(seed), np.arange(100), 10
    alpha, r = rng.random((horizon, 2)), rng.random(horizon)
    same = (np.arange(2)[:, None] == 0) == (actions == 0)
    features = np.zeros((2, 100, d))
    features[..., :8] = actions[:, None] >> np.arange(8)[::-1] & 1
    features[..., 8], features[..., 9] = same, ~same
    measures = np.zeros((horizon, d, 2))
    measures[:, 8:, 0], measures[:, 8:, 1] = alpha, 1 - alpha
    reward_weights = np.zeros((horizon, d))
    reward_weights[:, [0, 2, 4, 6]] = r[:, None] / 8
    reward_weights[:, [3, 9]] = (1 - r[:, None]) / 2
    reward_weights[:, 8] = r / 2
    return LinearMDP(features, measures, reward_weights, [0.5, 0.5])


def binary_action_behaviour(horizon: int = 20, first: float = 0.6) -> np.ndarray:
    """The policy [H, 2, 100] that logged the data there: action 0 with probability ``first``, the others alike.

    0.6 is recalled, not read. ``horizon >= 1``, ``first`` in [0, 1]; ValueError otherwise.
    """
    p = finite("first", first)
    if p.ndim or not 0 <= p <= 1:
        raise ValueError(f"first must be in [0, 1], got {first!r}")
    policy = np.full((whole_number("horizon", horizon, least=1), 2, 100), (1 - p) / 99)
    policy[..., 0] = p
    return policy


def from_gymnasium(env, *, discount: float) -> FiniteMDP:
    """The model behind a Gymnasium environment that shows its transition table.

    ``env.unwrapped.P[s][a]`` lists the outcomes ``(probability, next state, reward, terminated)``,
    ``env.unwrapped.initial_state_distrib`` is the law of the first state (FrozenLake, CliffWalking, Taxi).
    Outcomes with the same next state are merged, which changes no law if their rewards agree. Where they
    differ, a table of rewards by (s, a, next state) cannot hold them (their mean would keep the values
    but not the law of the returns), and ValueError says so.

    A state that is entered both by ending an episode and by going on (or starting) gets a copy for the
    end, numbered from ``len(P)``. Outcomes out of states that no episode visits play no part in this.
    Time limits are wrappers around the environment, not part of it: see ``max_length`` of
    :func:`privrl_core.episodes.sample_episodes`. Raises ValueError if the table is missing or no law.
    """
    world = env.unwrapped
    if not (hasattr(world, "P") and hasattr(world, "initial_state_distrib")):
        raise ValueError(f"env must have a transition table P and an initial_state_distrib, got {world!r}")
    table, first = world.P, finite("initial_state_distrib", world.initial_state_distrib)
    n_states, n_actions = len(table), len(table[0])
    for s, a in np.ndindex(n_states, n_actions):
        for probability, n, reward, _ in table[s][a]:
            if not (0 <= probability <= 1 and 0 <= n < n_states and np.isfinite(reward)
                    and len(table[s]) == n_actions):
                raise ValueError(f"P must hold probabilities, states in [0, {n_states}), finite rewards and {n_actions} "
                                 f"actions for each state, got {probability}, {n}, {reward} and {len(table[s])} "
                                 f"for state {s}, action {a}")

    ends, goes_on = set(), set(np.flatnonzero(first))
    unseen = list(goes_on)
    while unseen:
        s = unseen.pop()
        outcomes = [outcome for a in range(n_actions) for outcome in table[s][a] if outcome[0] > 0]
        ends |= {n for _, n, _, terminated in outcomes if terminated}
        new = {n for _, n, _, terminated in outcomes if not terminated} - goes_on
        goes_on |= new
        unseen += new
    copy = {s: n_states + k for k, s in enumerate(sorted(ends & goes_on))}

    size = n_states + len(copy)
    transitions, rewards = np.zeros((2, size, n_actions, size))
    for s in range(n_states):
        for a in range(n_actions):
            for probability, n, reward, terminated in table[s][a]:
                n = copy.get(n, n) if terminated else n
                if transitions[s, a, n] > 0 and probability > 0 and rewards[s, a, n] != reward:
                    raise ValueError(
                        "P must have one reward for each state, action and next state, "
                        f"got {rewards[s, a, n]:g} and {reward:g} for {s}, {a} and {n}"
                    )
                if probability > 0:
                    transitions[s, a, n] += probability
                    rewards[s, a, n] = reward
    transitions[range(n_states, size), :, range(n_states, size)] = 1
    terminal = np.isin(np.arange(size), list(ends - goes_on) + list(copy.values()))
    return FiniteMDP(transitions, rewards, discount, np.append(first, np.zeros(len(copy))), terminal)


@dataclass(frozen=True, eq=False)
class ICUSepsis(EpisodicMDP):
    """The ICU-Sepsis model over a fixed number of steps, with what is public about it.

    ``expert_policy[S, A]`` is the estimated practice of the clinicians, ``admissible[S, A]`` says which treatments
    they used often enough to be modelled, ``centres[S, 47]`` is the mean record of the patients in each state and
    ``sofa[S]`` their mean organ-failure score. ValueError where the expert's rows are no distributions.
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
    (5 doses of fluids times 5 of vasopressors), the same laws at each of ``horizon`` steps. Entering survival has
    reward 1, so that a value is the probability to survive within the horizon:

    .. math:: r(s, a) = P(\text{survival} \mid s, a) .

    A treatment that is not admissible has the mean law of those that are. The expert's rows of the three last
    states, where nobody decides, are uniform. Read from the array inside the package ``icu-sepsis``, whose code is
    not run. Raises ModuleNotFoundError if it is not installed, ValueError unless ``horizon`` is a positive whole number.
    Source: Choudhary, Gupta & Thomas (2024), "ICU-Sepsis: a benchmark MDP built from real medical data".
    """
    horizon = whole_number("horizon", horizon, least=1)
    package = find_spec("icu_sepsis")
    if package is None:
        raise ModuleNotFoundError("icu_sepsis needs the package icu-sepsis, which `make env` installs")
    assets = Path(package.origin).parent / "envs" / "assets"
    _, *lists = (assets / "admissible_actions.txt").read_text().splitlines()
    with np.load(assets / "dynamics.npz") as arrays:
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
    """A group for each state, ``[S]``: k-means of the standardised centres into at most ``n_groups``.

    Uses nothing but the public centres, so that it costs no privacy. Death, survival and the absorbing state stay
    alone, in the last three groups. ValueError unless ``1 <= n_groups <= 713``.
    """
    from scipy.cluster.vq import kmeans2, whiten
    n_groups = whole_number("n_groups", n_groups, least=1, most=DEATH)
    patients = problem.centres[:DEATH]
    _, label = kmeans2(whiten(patients[:, np.ptp(patients, axis=0) > 0]), n_groups, minit="++", rng=rng)
    _, label = np.unique(label, return_inverse=True)  # a group may have come out empty
    return np.append(label, label.max() + 1 + np.arange(3))
