r"""Randomised response: an answer that its giver can deny.

Each person says the truth with probability :math:`p = 1/(1+e^{-\varepsilon})` and the opposite otherwise. Whatever is
heard, it was at most :math:`e^\varepsilon` times as likely with one truth as with the other, so each answer is
:math:`(\varepsilon, 0)`-private by itself, whoever collects it (the local model). Source: Warner (1965).
"""

import numpy as np

from privrl_core.checks import generator, number, positive
from privrl_core.privacy.guarantees import REPLACE_ONE, Guarantee, Model, Status, Unit

__all__ = ["truthful", "answers", "share", "guarantee"]


def truthful(epsilon: float) -> float:
    r"""The probability :math:`p = 1/(1+e^{-\varepsilon})` of the truth. Raises ValueError unless ``epsilon > 0``."""
    return 1 / (1 + np.exp(-number(positive, "epsilon", epsilon)))


def answers(truth: np.ndarray, epsilon: float, noise_rng: np.random.Generator) -> np.ndarray:
    """What people say whose ``truth`` is an array of booleans: each entry as it is with probability `truthful`, else
    its opposite. Raises ValueError for other entries, and unless ``epsilon > 0``."""
    truth = np.asarray(truth)
    if truth.dtype != bool:
        raise ValueError(f"truth must hold booleans, got {truth.dtype}")
    return truth ^ (generator("noise_rng", noise_rng).random(truth.shape) >= truthful(epsilon))


def share(heard: np.ndarray, epsilon: float) -> float:
    r"""The share of people whose truth is yes, without bias, from what was ``heard``:
    :math:`\hat\pi = (\bar a - (1-p))/(2p-1)`, which may lie outside of [0, 1]. Raises ValueError unless ``epsilon > 0``
    and somebody was heard."""
    heard = np.asarray(heard, float)
    if not heard.size:
        raise ValueError("heard must hold an answer, got none")
    p = truthful(epsilon)
    return float((heard.mean() - (1 - p)) / (2 * p - 1))


def guarantee(epsilon: float) -> Guarantee:
    """What is promised to each person who answers once. Raises ValueError unless ``epsilon > 0``."""
    return Guarantee(number(positive, "epsilon", epsilon), 0, Unit("one answer", "answers"), REPLACE_ONE, Status.PROVED,
                     "randomised response (Warner 1965)", model=Model.LOCAL)
