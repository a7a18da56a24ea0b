"""Named problems: a small clinic, the chain of Balle et al. (2016) and the linear decision process of Qiao & Wang (2023)."""

import numpy as np

from privrl_core.checks import finite, number, whole_number, within
from privrl_core.world.models import FiniteMDP, LinearMDP

__all__ = ["clinic", "strong_from", "recovery_chain", "binary_action_linear_mdp", "binary_action_behaviour"]


def clinic(discount: float = 0.9, risk: float = 0.1) -> FiniteMDP:
    r"""Five stages of an illness, *recovered* and *lost*, and two treatments, gentle (0) and strong (1).

    Gentle, a patient moves up a stage with probability ½ and otherwise stays. Strong, a patient in stage s = 1 ... 5
    moves up with probability 0.8, is lost with probability ``risk`` (6 - s)/5, and otherwise stays. Recovery has reward 1,
    all else 0. The first state is stage 1. ``discount`` in [0, 1], ``risk`` in [0, 0.2]; ValueError otherwise.
    """
    risk = number(finite, "risk", within("risk", risk, 0, 0.2))
    transitions, rewards = np.zeros((2, 7, 2, 7))
    for s in range(5):
        danger = risk * (5 - s) / 5
        transitions[s, 0, [s, s + 1]] = 0.5, 0.5
        transitions[s, 1, [s, s + 1, 6]] = 0.2 - danger, 0.8, danger
    transitions[[5, 6], :, [5, 6]] = 1  # nothing moves any more
    rewards[:5, :, 5] = 1
    return FiniteMDP(transitions, rewards, discount, initial=np.eye(7)[0], terminal=np.arange(7) >= 5)


def strong_from(stage: int) -> np.ndarray:
    """A policy ``[7, 2]`` for the `clinic`: gentle before this stage, strong from it on; from 6 on, never strong.

    ``stage >= 1``; ValueError otherwise.
    """
    return np.eye(2)[(np.arange(1, 8) >= whole_number("stage", stage, least=1)).astype(int)]


def recovery_chain(n_states: int = 40, stay: float = 0.5, discount: float = 0.99, *, initial=None) -> FiniteMDP:
    r"""The chain of Balle, Gomrokchi & Precup (2016, section 6): a patient recovers step by step.

    From state s the next state is s with probability p = ``stay`` and s + 1 otherwise. Entering the last
    state, which is terminal, has reward 1; all other rewards are 0. There is one action. With states numbered
    1 to N as in the paper (from 0 in the code),

    .. math:: V(s) = g^{N - s} / \gamma \text{ for } s < N, \qquad V(N) = 0, \qquad
              g = \frac{\gamma (1 - p)}{1 - \gamma p}.

    ``n_states`` is at least 2, ``stay`` in [0, 1), ``discount`` in [0, 1]; ``initial[S]`` is the initial
    distribution, by default all on the first state of the chain. Raises ValueError otherwise.
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


def binary_action_linear_mdp(horizon: int = 20, seed: int = 0) -> LinearMDP:
    r"""The linear decision process of Qiao & Wang (2023, Appendix F): two states, a hundred actions in binary code.

    With :math:`\mathbf a \in \{0, 1\}^8` the binary digits of action a, most significant first, and
    :math:`\delta(s, a) = 1` where :math:`\mathbb 1\{s = 0\} = \mathbb 1\{a = 0\}`, else 0,

    .. math:: \phi(s, a) &= (\mathbf a^\top, \delta(s, a), 1 - \delta(s, a))^\top \in \mathbb R^{10}, \\
              \nu_h(0) &= (0, \dots, 0, \alpha_{h,1}, \alpha_{h,2})^\top, \qquad
              \nu_h(1) = (0, \dots, 0, 1 - \alpha_{h,1}, 1 - \alpha_{h,2})^\top, \\
              \theta_h &= \bigl(\tfrac{r_h}8, 0, \tfrac{r_h}8, \tfrac12 - \tfrac{r_h}2, \tfrac{r_h}8, 0,
              \tfrac{r_h}8, 0, \tfrac{r_h}2, \tfrac12 - \tfrac{r_h}2\bigr)^\top,

    with all :math:`\alpha_{h,i}` and :math:`r_h` uniform on [0, 1], drawn with ``seed``; both initial states are equally
    likely. **Known** from the paper's text: the sizes, the horizon of 20, the families of all distributions, and that the
    code has two digits. **Recalled**, because the formulas are missing from the available text: :math:`\delta`, the
    positions of the random numbers in :math:`\nu` and :math:`\theta`, and the digits 0 and 1, the only ones that keep
    every reward in [0, 1]. The first digit is 0 for every action, so the features have rank 9, and :math:`\lVert\phi\rVert^2
    \le 7`: divide by :math:`\sqrt 7` before use. ``horizon >= 1`` and ``seed >= 0``, ValueError otherwise.
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
    """The behaviour policy [H, 2, 100] of that paper: action 0 with probability ``first``, all others equally likely.

    The value 0.6 is recalled, not taken from the text. ``horizon >= 1``, ``first`` in [0, 1]; ValueError otherwise.
    """
    p = number(finite, "first", within("first", first, 0, 1))
    policy = np.full((whole_number("horizon", horizon, least=1), 2, 100), (1 - p) / 99)
    policy[..., 0] = p
    return policy








