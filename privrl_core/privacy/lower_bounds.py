r"""Upper bounds on the success of a private learner when success for one task excludes success for its neighbours.

Let :math:`r_1, \dots, r_K` be rewards with disjoint events :math:`S_i`, "the released policy is good for r_i". If the
rewards are neighbours, a private release cannot often be good for each of them, because the probabilities of disjoint
events add up to at most 1. The bounds hold for every algorithm with the guarantee that the function names. For the walk of
Wang & Hegde, r and :math:`r' = 0.5 - r` are such a pair; with neighbours within eta they are
:math:`\lceil 0.5/\eta\rceil` steps apart.
"""

from math import log

import numpy as np
import scipy  # its parts are imported when first used: special alone takes 0.2 s

from privrl_core.checks import instance_of, nonnegative, number, open_unit, positive, whole_number, within
from privrl_core.privacy.guarantees import Guarantee

__all__ = ["success_ceiling", "chain_success_ceiling", "gaussian_success_ceiling", "right_guess_ceiling", "belief_ceiling",
           "detection_ceiling", "advantage_ceiling", "auc_ceiling", "gaussian_detection_ceiling",
           "gaussian_advantage_ceiling", "gaussian_auc_ceiling"]


def success_ceiling(epsilon: float, delta: float, n_rewards: int = 2) -> float:
    r"""The largest mean success over K mutually neighbouring rewards, of any (epsilon, delta)-DP learner:

    .. math:: p \le \frac{e^\varepsilon + (K - 1)\delta}{e^\varepsilon + K - 1} ,

    which some learner attains. It is proved in chapter 3, evidence page *How private is it?*
    ``epsilon >= 0``, ``0 <= delta < 1``, ``n_rewards >= 2``; ValueError outside.
    """
    epsilon = number(nonnegative, "epsilon", epsilon)
    delta = 0.0 if np.ndim(delta) == 0 and delta == 0 else number(open_unit, "delta", delta)
    others = (whole_number("n_rewards", n_rewards, least=2) - 1) * np.exp(-epsilon)
    return float((1 + others * delta) / (1 + others))


def chain_success_ceiling(epsilon: float, delta: float, steps: int) -> float:
    r"""The largest mean success over two rewards ``steps`` neighbours apart, of any (epsilon, delta)-DP learner.

    It is :math:`1 - a`, with a = 1/2 for an even number k of steps, and :math:`1 - p` of `success_ceiling` for an odd one,
    after :math:`\lfloor k/2 \rfloor` times :math:`a \leftarrow \max(0,\ e^{-\varepsilon}(a - \delta))`. For delta = 0 and
    even k this is

    .. math:: 1 - \tfrac12 e^{-k\varepsilon/2} .

    Some learner attains it. It is proved in chapter 3, evidence page *How private is it?*
    ``epsilon >= 0``, ``0 <= delta < 1``, ``steps >= 1``; ValueError outside.
    """
    one_step, steps = success_ceiling(epsilon, delta), whole_number("steps", steps, least=1)
    failure = 1 - one_step if steps % 2 else 0.5
    for _ in range(steps // 2):
        failure = max(0.0, np.exp(-float(epsilon)) * (failure - float(delta)))
    return float(1 - failure)


def gaussian_success_ceiling(mu: float, n_rewards: int = 2, *, steps: int = 1) -> float:
    r"""The largest mean success of a :math:`\mu`-Gaussian-DP learner, with rewards ``steps`` neighbours apart: the root p of

    .. math:: p + (K - 1)\,\Phi\bigl(\Phi^{-1}(p) - \text{steps}\cdot\mu\bigr) = 1 ,

    which is :math:`\Phi(\text{steps}\cdot\mu/2)` for K = 2. An (epsilon, delta)-DP learner that is not
    :math:`\mu`-Gaussian-DP may exceed it: see `chain_success_ceiling`. ``mu > 0``, ``n_rewards >= 2``, ``steps >= 1``;
    ValueError outside.
    Source: this book, from group privacy and the trade-off function of Dong, Roth & Su (2022).
    """
    shift = number(positive, "mu", mu) * whole_number("steps", steps, least=1)
    others = whole_number("n_rewards", n_rewards, least=2) - 1
    ndtr = scipy.special.ndtr
    z = scipy.optimize.brentq(lambda z: others * ndtr(z - shift) - ndtr(-z), -9.0 - np.log(others), shift + 1.0, xtol=1e-13)
    return float(ndtr(z))


def right_guess_ceiling(guarantee: Guarantee, prior: float = 0.5) -> float:
    r"""The largest probability of a correct guess between two neighbours, if the first has probability ``prior``.

    For a :math:`\mu`-Gaussian release, with :math:`t = \frac\mu2 + \frac1\mu\ln\frac{1-\pi}{\pi}`, it is exactly
    :math:`\pi\,\Phi(\mu - t) + (1 - \pi)\,\Phi(t)`; for any :math:`(\varepsilon, \delta)`-DP release at most

    .. math:: \max\Bigl\{1 - \pi + \pi\delta,\ \pi + (1 - \pi)\delta,\
              \frac{e^\varepsilon + \delta}{e^\varepsilon + 1}\Bigr\},

    the largest value at a corner of the region that :math:`(\varepsilon, \delta)` allows, attained by some mechanism. At
    even odds these are :math:`\Phi(\mu/2)` and the third term. ``prior`` in (0, 1); ValueError outside. No units.
    """
    p, mu = number(open_unit, "prior", prior), instance_of(Guarantee, "guarantee", guarantee).mu
    if mu:
        ndtr, t = scipy.special.ndtr, mu / 2 - scipy.special.logit(p) / mu
        return float(p * ndtr(mu - t) + (1 - p) * ndtr(t))
    epsilon, delta = guarantee.epsilon, guarantee.delta
    return float(max(1 - p + p * delta, p + (1 - p) * delta, success_ceiling(epsilon, delta)))


def belief_ceiling(guarantee: Guarantee, prior: float = 0.5) -> tuple[float, float]:
    r"""The largest posterior probability of a neighbour with probability ``prior``, and a bound on how often it is exceeded.

    By Bayes' rule the posterior is :math:`\pi e^\ell / (1 - \pi + \pi e^\ell)` at privacy loss :math:`\ell`. If
    :math:`\delta = 0`, :math:`\ell \le \varepsilon` always. Otherwise the second number is :math:`2\delta`, which bounds
    the probability, under either neighbour, of a loss above :math:`\varepsilon + \ln 2`, since
    :math:`\delta \ge P[\ell > a](1 - e^{\varepsilon - a})`. For :math:`\mu`-Gaussian-DP it bounds that of a loss above

    .. math:: \ln 2\delta - \ln \Phi\bigl(\Phi^{-1}(2\delta) - \mu\bigr),

    which some releases attain: by Neyman and Pearson an event of probability :math:`P` has probability :math:`Q \ge
    \Phi(\Phi^{-1}(P) - \mu)` under the other neighbour, a convex function of :math:`P`, so :math:`P/Q` is no larger for
    :math:`P \ge 2\delta`. The loss of a Gaussian shift itself is normal and stays lower, but that of its post-processing
    need not. ``prior`` in (0, 1), and the delta of ``guarantee`` below 1/2; ValueError outside.
    """
    p, delta = number(open_unit, "prior", prior), instance_of(Guarantee, "guarantee", guarantee).delta
    if delta >= 0.5:
        raise ValueError(f"delta must be below 1/2 to bound a belief, got {delta}")
    if delta == 0:
        loss = guarantee.epsilon
    elif guarantee.mu:
        loss = log(2 * delta) - scipy.special.log_ndtr(scipy.special.ndtri(2 * delta) - guarantee.mu)
    else:
        loss = guarantee.epsilon + log(2)
    return float(scipy.special.expit(scipy.special.logit(p) + loss)), 2 * delta


def detection_ceiling(false_alarm_rate, epsilon, delta):
    r"""The largest TPR at this FPR against an (epsilon, delta)-DP release, see `privrl_core.privacy.attacks`.

    ``false_alarm_rate`` in [0, 1], ``epsilon >= 0``, ``0 <= delta < 1``, arrays broadcast; ValueError outside.
    Attained. Source: Kairouz, Oh & Viswanath (2015).
    """
    rate, (epsilon, delta) = _rate(false_alarm_rate), _promise(epsilon, delta)
    with np.errstate(over="ignore"):
        steep = np.exp(epsilon) * rate
    return np.minimum(np.minimum(np.where(rate == 0, 0, steep) + delta, 1 - np.exp(-epsilon) * (1 - delta - rate)), 1)[()]


def advantage_ceiling(epsilon, delta):
    r"""The largest TPR − FPR: :math:`\dfrac{e^\varepsilon - 1 + 2\delta}{e^\varepsilon + 1}`, where the region's two
    lines meet, at FPR :math:`= (1 - \delta)/(1 + e^\varepsilon)`.

    Arguments as in `detection_ceiling`. It is :math:`2p - 1` for `.success_ceiling` p.
    """
    epsilon, delta = _promise(epsilon, delta)
    return (np.tanh(epsilon / 2) + 2 * delta * scipy.special.expit(-epsilon))[()]


def auc_ceiling(epsilon, delta):
    r"""The largest area under the ROC curve, :math:`1 - (1 - \delta)^2/(1 + e^\varepsilon)`, that of the whole region.

    Arguments as in `detection_ceiling`.
    """
    epsilon, delta = _promise(epsilon, delta)
    return (1 - (1 - delta) ** 2 * scipy.special.expit(-epsilon))[()]


def gaussian_detection_ceiling(false_alarm_rate, mu):
    r"""The largest TPR against a :math:`\mu`-Gaussian-DP release: :math:`\Phi(\Phi^{-1}(\text{FPR}) + \mu)`.

    The lower envelope of `detection_ceiling` over the whole curve :math:`\delta(\varepsilon; \mu)`. ``mu > 0``;
    ValueError outside. Source: Dong, Roth & Su (2022), Corollary 2.13.
    """
    return scipy.special.ndtr(scipy.special.ndtri(_rate(false_alarm_rate)) + positive("mu", mu))[()]


def gaussian_advantage_ceiling(mu):
    r"""The largest TPR − FPR: :math:`2\Phi(\mu/2) - 1`. ``mu > 0``; ValueError outside."""
    return (2 * scipy.special.ndtr(positive("mu", mu) / 2) - 1)[()]


def gaussian_auc_ceiling(mu):
    r"""The largest area under the ROC curve: :math:`\Phi(\mu/\sqrt2)`. ``mu > 0``; ValueError outside."""
    return scipy.special.ndtr(positive("mu", mu) / np.sqrt(2))[()]


def _rate(value):
    return within("false_alarm_rate", value, 0, 1)


def _promise(epsilon, delta):
    epsilon, delta = nonnegative("epsilon", epsilon), nonnegative("delta", delta)
    if np.any(delta >= 1):
        raise ValueError(f"delta must be below 1, got {delta.max()}")
    return epsilon, delta
