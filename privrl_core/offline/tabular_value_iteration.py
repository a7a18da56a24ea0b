r"""Pessimistic value iteration from logged data: APVI, and DP-APVI from private counts.

Backwards from :math:`\tilde V_{H+1} = 0`, with estimated transition probabilities :math:`\tilde P_h` and a penalty
:math:`\Gamma_h` for their uncertainty,

.. math:: \bar Q_h = \min\bigl\{r_h + \tilde P_h \tilde V_{h+1} - \Gamma_h,\ H - h + 1\bigr\}^+, \qquad
          \hat\pi_h(s) \in \arg\max_a \bar Q_h(s, a), \qquad \tilde V_h(s) = \max_a \bar Q_h(s, a) .

Everything after the counts is post-processing: the constants below affect the policy, but not the privacy.
Source: Qiao & Wang, "Offline Reinforcement Learning with Differential Privacy" (2023), Algorithm 1; APVI is that of Yin
& Wang, "Towards Instance-Optimal Offline Reinforcement Learning with Pessimism" (2021).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from privrl_core.checks import (
    distributions,
    instance_of,
    nonnegative,
    number,
    open_unit,
    set_fields,
    shaped,
    up_to,
    whole_number,
)
from privrl_core.offline.count_noise import count_guarantees, noise_bound
from privrl_core.offline.plans import Plan, PrivatePlan
from privrl_core.offline.private_counts import Transitions, empirical_transitions_non_private, private_transitions
from privrl_core.offline.transition_counts import TransitionCounts
from privrl_core.privacy.noise import GaussianNoise, kind_of_noise
from privrl_core.privacy.release import AddedNoise

__all__ = ["Constants", "APVI_PRINTED", "DP_APVI_PRINTED", "practical", "bernstein", "hoeffding", "apvi", "dp_apvi"]


@dataclass(frozen=True)
class Constants:
    r"""The two constants of a penalty, at least 0: :math:`C_1` of the deviation of a mean, and :math:`C_2` of the rest."""

    deviation: float
    remainder: float

    def __post_init__(self):
        set_fields(self, deviation=number(nonnegative, "deviation", self.deviation),
                   remainder=number(nonnegative, "remainder", self.remainder))


#: The constants of APVI, as printed.
APVI_PRINTED = Constants(2, 14 / 3)
#: The constants of DP-APVI, as printed.
DP_APVI_PRINTED = Constants(np.sqrt(2), 16)


def practical(n_states: int) -> Constants:
    r"""Constants that work for data sets of ordinary size: :math:`C_1 = 0.1` and :math:`C_2 = 0.01/S`.

    The printed constants serve a proof: with them a pair has value 0 below about :math:`16\,S E \iota` visits. Theorem 3.4
    does not cover the constants here; the privacy is the same. ValueError unless ``n_states`` is a positive whole number.
    """
    return Constants(0.1, 0.01 / whole_number("n_states", n_states, least=1))


Pessimism = Callable[[np.ndarray, np.ndarray, int], np.ndarray]


def bernstein(variance: np.ndarray, visits: np.ndarray, horizon: int) -> np.ndarray:
    r"""The standard error of a mean of ``visits`` values: :math:`\sqrt{\mathrm{Var}/n}`."""
    return np.sqrt(variance / visits)


def hoeffding(variance: np.ndarray, visits: np.ndarray, horizon: int) -> np.ndarray:
    r"""A bound on the standard error from the range of the values alone: :math:`H/\sqrt n`."""
    return horizon / np.sqrt(visits)


def apvi(counts: TransitionCounts, rewards, *, failure: float = 0.1, pessimism: Pessimism = bernstein,
         constants: Constants = APVI_PRINTED, arrival_rewards=None, ties=None) -> Plan:
    r"""APVI, the non-private algorithm behind DP-APVI: empirical transition probabilities of all observed pairs, and

    .. math:: \Gamma_h = 2\sqrt{\frac{\mathrm{Var}_{\hat P_h}(\hat V_{h+1})\,\iota}{n_{s,a}}} + \frac{14 H\iota}{3 n_{s,a}},
              \qquad \iota = \ln\frac{HSA}{\delta} .

    Arguments and errors as in `dp_apvi`. Source: Yin & Wang (2021), Algorithm 1.
    """
    rewards = _rewards(rewards, counts)
    iota, horizon = _log_term(rewards, failure), len(rewards)
    instance_of(Constants, "constants", constants)
    instance_of(Callable, "pessimism", pessimism)

    def penalty(variance, visits):
        return (constants.deviation * np.sqrt(iota) * pessimism(variance, visits, horizon)
                + constants.remainder * horizon * iota / visits)
    laws = empirical_transitions_non_private(counts)
    return Plan(*_iterate(laws, rewards, penalty, arrival_rewards, ties))


def dp_apvi(counts: TransitionCounts, rewards, *, epsilon: float, delta: float, noise_rng: np.random.Generator | None,
            noise=GaussianNoise, failure: float = 0.1, pessimism: Pessimism = bernstein,
            constants: Constants = DP_APVI_PRINTED, arrival_rewards=None, ties=None) -> PrivatePlan:
    r"""DP-APVI: private transition probabilities of all pairs with :math:`\tilde n_{s,a} > E`, and

    .. math:: \Gamma_h = C_1 \sqrt{\frac{\mathrm{Var}_{\tilde P_h}(\tilde V_{h+1})\,\iota}{\tilde n_{s,a} - E}}
              + \frac{C_2\, S H E\, \iota}{\tilde n_{s,a}}, \qquad \iota = \ln\frac{HSA}{\delta} .

    All other pairs have value 0, as if their penalty exceeded H. With ``pessimism=hoeffding`` the variance is replaced by
    :math:`H^2`. ``rewards[H, S, A]`` and ``arrival_rewards[S]``, the reward for entering a state, are public; together they
    are at most 1 per step. Pooled ``counts`` give the same transition probabilities at every step: the privacy proof still
    holds, but Theorem 3.4 does not apply, since it needs fresh data for each step. ``failure`` in (0, 1) is the theorem's
    :math:`\delta`, which is not a privacy parameter.

    **Ties** are split among the best actions in proportion to the public ``ties[S, A]``, and evenly without it or where it
    is 0 for all of them. Without information every action is tied, so ``ties`` serves as the fallback policy.
    ``noise`` is the kind of noise on all counts: `.GaussianNoise`, exactly (epsilon, delta)-DP; `.LaplaceNoise`, with
    ``delta = 0``; or, for real patients, `.DiscreteGaussianNoise`, which ignores ``noise_rng`` (it may be None). The
    paper's :math:`\rho` is ``noise.of_epsilon(epsilon, delta).rho``. ``noise_rng`` is used for privacy noise only. Raises
    ValueError for wrong shapes and values out of range.
    Source: Qiao & Wang (2023), Algorithm 1 and Theorem 3.4.
    """
    law = kind_of_noise("noise", noise).of_epsilon(epsilon, delta)
    rewards = _rewards(rewards, counts)
    iota, horizon = _log_term(rewards, failure), len(rewards)
    error = 2 * noise_bound(counts, law, failure)
    instance_of(Constants, "constants", constants)
    instance_of(Callable, "pessimism", pessimism)

    def penalty(variance, visits):
        return (constants.deviation * np.sqrt(iota) * pessimism(variance, visits - error, horizon)
                + constants.remainder * counts.n_states * horizon * error * iota / visits)
    laws = private_transitions(counts, law, failure, noise_rng)
    return PrivatePlan(*_iterate(laws, rewards, penalty, arrival_rewards, ties), guarantees=count_guarantees(law),
                       noise=AddedNoise(law.law, law.scale(counts.sensitivity)))


def _iterate(laws: Iterator[Transitions], rewards, penalty, arrival_rewards, ties):
    """Backward induction with the estimates ``laws``, last step first: ``(policy[H, S, A], values[H+1, S])``."""
    horizon, n_states, n_actions = rewards.shape
    arrival = np.zeros(n_states) if arrival_rewards is None else nonnegative("arrival_rewards", arrival_rewards)
    if shaped("arrival_rewards", arrival, (n_states,)).max() + rewards.max() > 1:
        raise ValueError("arrival_rewards must be at most 1 together with rewards, got up to "
                         f"{arrival.max() + rewards.max():g}")
    ties = np.full((n_states, n_actions), 1 / n_actions) if ties is None else \
        distributions("ties", ties, (n_states, n_actions))
    policy, values = np.empty(rewards.shape), np.zeros((horizon + 1, n_states))
    law = None
    for h in reversed(range(horizon)):
        law = next(laws, law)  # pooled counts give one estimate for all steps
        middle = (arrival + values[h + 1]).mean()  # centring avoids cancellation in the variance
        centred = arrival + values[h + 1] - middle
        mean = law.probabilities @ centred
        variance = np.maximum(law.probabilities @ centred**2 - mean**2, 0)
        q = np.zeros(n_states * n_actions)
        q[law.row] = rewards[h].ravel()[law.row] + middle + mean - penalty(variance, law.visits)
        q = np.clip(q, 0, horizon - h).reshape(n_states, n_actions)
        values[h] = q.max(axis=1)
        best = q == values[h][:, None]
        weights = best * ties
        policy[h] = np.where(weights.sum(axis=1, keepdims=True) > 0, weights, best)
        policy[h] /= policy[h].sum(axis=1, keepdims=True)
    return policy, values


def _rewards(rewards, counts):
    rewards = nonnegative("rewards", rewards)
    shape = instance_of(TransitionCounts, "counts", counts).n_states, counts.n_actions
    if rewards.ndim != 3 or not len(rewards) or rewards.shape[1:] != shape or len(counts.steps) not in (1, len(rewards)):
        raise ValueError(f"rewards must have shape [H, S, A] = [{len(counts.steps)}, {shape[0]}, {shape[1]}] "
                         f"(any H for pooled counts), got {list(rewards.shape)}")
    return up_to("rewards", rewards, 1)


def _log_term(rewards, failure):
    return float(np.log(rewards.size) - np.log(number(open_unit, "failure", failure)))
