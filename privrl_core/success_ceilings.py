r"""How often a private learner can succeed where success for one task excludes success for its neighbours.

Think of rewards :math:`r_1, \dots, r_K` with disjoint events :math:`S_i`, "the released policy is good for r_i". If the
rewards are neighbours, a private release cannot be good for each of them often: the events share one probability.
No algorithm with that guarantee, whatever its noise, does better; which guarantee, each function says. For the walk of
Wang & Hegde :math:`r' = 0.5 - r` is such a pair; with neighbours within eta the two are :math:`\lceil 0.5/\eta\rceil`
steps apart.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from privrl_core.validation import nonnegative, number, open_unit, positive, whole_number

__all__ = ["success_ceiling", "chain_success_ceiling", "gaussian_success_ceiling"]


def success_ceiling(epsilon: float, delta: float, n_rewards: int = 2) -> float:
    r"""The largest mean success over K mutually neighbouring rewards, of any (epsilon, delta)-DP learner:

    .. math:: p \le \frac{e^\varepsilon + (K - 1)\delta}{e^\varepsilon + K - 1} ,

    attained by randomised response. For each i,
    :math:`1 \ge \sum_j P_i(S_j) \ge p_i + \sum_{j \ne i} e^{-\varepsilon}(p_j - \delta)`; sum over i.
    ``epsilon >= 0``, ``0 <= delta < 1``, ``n_rewards >= 2``; ValueError outside.
    """
    epsilon = number(nonnegative, "epsilon", epsilon)
    delta = 0.0 if np.ndim(delta) == 0 and delta == 0 else number(open_unit, "delta", delta)
    others = (whole_number("n_rewards", n_rewards, least=2) - 1) * np.exp(-epsilon)
    return float((1 + others * delta) / (1 + others))


def chain_success_ceiling(epsilon: float, delta: float, steps: int) -> float:
    r"""The largest mean success over two rewards ``steps`` neighbours apart, of any (epsilon, delta)-DP learner.

    Let :math:`a_i` be the probability of the first event on the i-th reward of a chain from one to the other. A chain
    and its mirror image :math:`1 - a_{k-i}` have the same mean success, and so has their mean: take
    :math:`a_i + a_{k-i} = 1`. Then :math:`a_{k/2} = 1/2` for even k, the two in the middle are bounded by
    `success_ceiling` for odd k, and from there on :math:`a_{i+1} \ge e^{-\varepsilon}(a_i - \delta)`. The ceiling is
    :math:`1 - a_k`; a learner that answers yes or no attains it. For delta = 0 and even k it is

    .. math:: 1 - \tfrac12 e^{-k\varepsilon/2} ,

    which Laplace noise attains. ``epsilon >= 0``, ``0 <= delta < 1``, ``steps >= 1``; ValueError outside.
    """
    one_step = success_ceiling(epsilon, delta)
    failure = 1 - one_step if whole_number("steps", steps, least=1) % 2 else 0.5
    for _ in range(steps // 2):
        failure = max(0.0, np.exp(-float(epsilon)) * (failure - float(delta)))
    return float(1 - failure)


def gaussian_success_ceiling(mu: float, n_rewards: int = 2, *, steps: int = 1) -> float:
    r"""The same for a :math:`\mu`-Gaussian-DP learner, the rewards ``steps`` neighbours apart: the root p of

    .. math:: p + (K - 1)\,\Phi\bigl(\Phi^{-1}(p) - \text{steps}\cdot\mu\bigr) = 1 ,

    which is :math:`\Phi(\text{steps}\cdot\mu/2)` for K = 2. An (epsilon, delta)-DP learner that is not
    :math:`\mu`-Gaussian-DP may pass it: see `chain_success_ceiling`. ``mu > 0``, ``n_rewards >= 2``, ``steps >= 1``;
    ValueError outside.
    Source: this book, from group privacy and the trade-off function of Dong, Roth & Su (2022).
    """
    shift = number(positive, "mu", mu) * whole_number("steps", steps, least=1)
    others = whole_number("n_rewards", n_rewards, least=2) - 1
    z = brentq(lambda z: others * ndtr(z - shift) - ndtr(-z), -9.0 - np.log(others), shift + 1.0, xtol=1e-13)
    return float(ndtr(z))
