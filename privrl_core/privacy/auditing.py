r"""Audits of a guarantee: run the mechanism on two neighbours and try to tell them apart.

For every event E that is chosen beforehand, (epsilon, delta)-DP requires

.. math:: P[M(X) \in E] \le e^{\varepsilon} P[M(X') \in E] + \delta .

Counts of E on both sides give a lower bound on epsilon, which can expose a violated guarantee. A correct guarantee is
rarely rejected: the bound exceeds the true epsilon with probability at most 1 - confidence.
Source of the method: Jagielski, Ullman & Oprea (2020), with Clopper-Pearson intervals.
"""

from bisect import bisect_left
from collections.abc import Callable

import numpy as np
from scipy.special import bdtr, bdtrc, betainccinv, betaincinv, ndtr

from privrl_core.checks import (
    generator,
    instance_of,
    nonnegative,
    number,
    open_unit,
    positive,
    shaped,
    up_to,
    whole_number,
    within,
)
from privrl_core.privacy.smooth_sensitivity import event_probabilities

__all__ = ["epsilon_lower_bound", "trials_needed", "clopper_pearson", "count_events", "likelihood_ratio_test",
           "firing_probabilities"]


def epsilon_lower_bound(detections: int, false_alarms: int, trials: int, *, delta: float,
                        confidence: float = 0.999) -> float:
    r"""A lower confidence bound on the mechanism's :math:`\varepsilon`, from counts of one event on two neighbours.

    With :math:`p_-` the Clopper-Pearson lower limit of the event's probability on X and :math:`q_+` the upper limit on
    X', each at level :math:`(1 - \text{confidence})/2`,

    .. math:: \hat\varepsilon = \max\Bigl(0,\ \ln\frac{p_- - \delta}{q_+},\ \ln\frac{1 - q_+ - \delta}{1 - p_-}\Bigr).

    ``detections`` of ``trials`` on X, ``false_alarms`` of ``trials`` on X'; ``0 <= delta < 1``, ``0 < confidence < 1``;
    ValueError outside. With probability ``confidence`` the true epsilon is at least the result, for an event chosen
    before the counts. Source: Clopper & Pearson (1934); Jagielski, Ullman & Oprea (2020).
    """
    delta, tail = _delta(delta), (1 - number(open_unit, "confidence", confidence)) / 2
    p, _ = clopper_pearson("detections", detections, trials, tail)
    _, q = clopper_pearson("false_alarms", false_alarms, trials, tail)
    return float(np.log(max(1.0, (p - delta) / q, (1 - q - delta) / (1 - p))))


def clopper_pearson(name: str, count: int, trials: int, tail: float) -> tuple[float, float]:
    """Confidence limits of a probability, from ``count`` events in ``trials`` runs, each wrong with probability at most
    ``tail``. ValueError, naming ``name``, unless ``count`` is a whole number from 0 to ``trials``."""
    trials = whole_number("trials", trials, least=1)
    count = up_to(name, whole_number(name, count, least=0), trials, "trials")
    low = betaincinv(count, trials - count + 1, tail) if count else 0.0
    high = betainccinv(count + 1, trials - count, tail) if count < trials else 1.0
    return float(low), float(high)


def trials_needed(detection_rate: float, false_alarm_rate: float, *, epsilon: float, delta: float,
                  confidence: float = 0.999, power: float = 0.999) -> int:
    r"""Runs on each neighbour after which `epsilon_lower_bound` exceeds ``epsilon`` with probability ``power``.

    For an event with the two given probabilities. The number is not asymptotic: the error probability is split equally
    between the two counts, and the bound is computed at the binomial quantile of each.
    Requires ``detection_rate > exp(epsilon) false_alarm_rate + delta``, or the mirrored inequality for the complement, by
    a margin that 2^40 trials can detect: ValueError otherwise. Other ranges as in `epsilon_lower_bound`; ``0 < power < 1``.
    """
    p, q = number(open_unit, "detection_rate", detection_rate), number(open_unit, "false_alarm_rate", false_alarm_rate)
    delta, epsilon = _delta(delta), number(nonnegative, "epsilon", epsilon)
    miss = (1 - number(open_unit, "power", power)) / 2
    if not np.log(max((p - delta) / q, (1 - q - delta) / (1 - p), 1e-300)) > epsilon:
        raise ValueError(f"detection_rate and false_alarm_rate must imply more than epsilon = {epsilon} at delta = {delta}, "
                         f"got {p} and {q}")

    def caught(n):
        fewest = bisect_left(range(n), True, key=lambda k: bdtr(k, n, p) >= miss)  # binomial quantiles
        most = bisect_left(range(n), True, key=lambda k: bdtrc(k, n, q) <= miss)
        return epsilon_lower_bound(fewest, most, n, delta=delta, confidence=confidence) > epsilon
    high = 1
    while not caught(high):
        high *= 2
        if high > 2**40:
            raise ValueError(f"detection_rate and false_alarm_rate must differ enough for 2^40 trials, got {p} and {q}")
    low = high // 2
    while high - low > max(1, low // 200):
        middle = (low + high) // 2
        low, high = (low, middle) if caught(middle) else (middle, high)
    return high


def _delta(delta):
    return number(nonnegative if np.ndim(delta) == 0 and delta == 0 else open_unit, "delta", delta)


def count_events(mechanism: Callable, data, event: Callable, trials: int, rng: np.random.Generator) -> int:
    """How many of ``trials`` runs of ``mechanism(data, rng)`` fall into ``event(output) -> bool``."""
    trials = whole_number("trials", trials, least=1)
    mechanism, event = instance_of(Callable, "mechanism", mechanism), instance_of(Callable, "event", event)
    return sum(bool(event(mechanism(data, generator("rng", rng)))) for _ in range(trials))


def likelihood_ratio_test(mean, mean_neighbour, scale: float, scale_neighbour: float, epsilon: float) -> Callable:
    r"""The best event against a Gaussian release at ``epsilon``: that the privacy loss exceeds ``epsilon``.

    .. math:: E = \Bigl\{z : d\ln\frac{\sigma'}{\sigma} + \frac{\lVert z - \mu'\rVert^2}{2\sigma'^2}
              - \frac{\lVert z - \mu\rVert^2}{2\sigma^2} > \varepsilon\Bigr\}

    By Neyman and Pearson no event has a larger :math:`P[E] - e^{\varepsilon}P'[E]`. ``mean[d]``, ``mean_neighbour[d]``,
    positive standard deviations, ``epsilon >= 0``; ValueError outside. Returns the event, a function of ``z[..., d]``.
    """
    mean = shaped("mean", mean, ("d",))
    mean_neighbour = shaped("mean_neighbour", mean_neighbour, mean.shape)
    s, s_neighbour = number(positive, "scale", scale), number(positive, "scale_neighbour", scale_neighbour)
    threshold = number(nonnegative, "epsilon", epsilon) - mean.size * np.log(s_neighbour / s)

    def event(z):
        if np.shape(z)[-1:] != mean.shape:
            raise ValueError(f"z must have shape [..., {mean.size}], got {list(np.shape(z))}")
        return np.sum(((z - mean_neighbour) / s_neighbour) ** 2 - ((z - mean) / s) ** 2, axis=-1) / 2 > threshold
    return event


def firing_probabilities(distance: float, scale: float, scale_neighbour: float, d: int,
                         epsilon: float) -> tuple[float, float]:
    r"""The probabilities p and q of the event of `likelihood_ratio_test` under :math:`\mathcal N(\mu, \sigma^2 I_d)` and
    under :math:`\mathcal N(\mu', \sigma'^2 I_d)`.

    With equal standard deviations the event is a half-space, otherwise a ball or the complement of one. ``distance``
    :math:`\lVert\mu - \mu'\rVert_2 > 0`, positive standard deviations, ``d >= 1``, ``epsilon >= 0``, and factors of at most
    1e100 between the standard deviations, and from ``scale`` to ``distance``; ValueError outside.
    :math:`p - e^{\varepsilon}q` is the exact delta.
    """
    s, epsilon, d = number(positive, "scale", scale), number(nonnegative, "epsilon", epsilon), whole_number("d", d, least=1)
    shift = up_to("distance / scale", number(positive, "distance", distance) / s, 1e100)
    ratio = number(positive, "scale_neighbour", scale_neighbour) / s
    ratio = float(within("scale_neighbour / scale", ratio, 1e-100, 1e100)) ** 2
    if ratio == 1:
        return float(ndtr(shift / 2 - epsilon / shift)), float(ndtr(-shift / 2 - epsilon / shift))
    p, q = event_probabilities(epsilon, shift, ratio, d)
    return p, float(np.exp(-epsilon) * q)
