"""Problems with a name, and other people's."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from privrl_core.mdp import EpisodicMDP, FiniteMDP, distributions
from privrl_core.middle_walk import middle_reward
from privrl_core.validation import finite, set_fields, whole_number

DEATH, SURVIVAL, DISCHARGED = 713, 714, 715  # the last three states of ICU-Sepsis, each of them an end


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
    n_groups = whole_number("n_groups", n_groups, least=1)
    if n_groups > DEATH:
        raise ValueError(f"n_groups must be at most {DEATH}, got {n_groups}")
    patients = problem.centres[:DEATH]
    _, label = kmeans2(whiten(patients[:, np.ptp(patients, axis=0) > 0]), n_groups, minit="++", rng=rng)
    _, label = np.unique(label, return_inverse=True)  # a group may have come out empty
    return np.append(label, label.max() + 1 + np.arange(3))
