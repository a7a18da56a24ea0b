r"""Attacks on the releases of a learner, their success, and the largest success of any attack against a guarantee.

There are two games. **Membership:** a release was made with one person's trajectory, or with another's in its place
(*replace one*); the attacker computes a score and says "inside" above a threshold chosen beforehand. **Recovery:** the
attacker recovers the reward function from a released Q. Against an (epsilon, delta)-DP release of data or of a reward
function, no attacker, whatever their knowledge, has a higher detection rate than

.. math:: \text{TPR} \le \min\bigl\{e^{\varepsilon}\,\text{FPR} + \delta,\
          1 - e^{-\varepsilon}(1 - \delta - \text{FPR}),\ 1\bigr\} .

TPR and FPR are the probabilities of saying "inside" for a person who is inside, and for one who is not.
Sources: Kairouz, Oh & Viswanath (2015) for this region; Dong, Roth & Su (2022) for the Gaussian one; Carlini et al.
(2022) for the likelihood-ratio attack.
"""

from bisect import bisect_left

import numpy as np
from scipy.special import bdtr

from privrl_core.checks import finite, number, open_unit, shaped, within
from privrl_core.privacy.auditing import clopper_pearson

__all__ = ["gaussian_log_ratio", "auc", "auc_interval", "advantage_interval", "trials_to_exclude"]


def gaussian_log_ratio(releases, mean_inside, covariance_inside, mean_outside, covariance_outside) -> np.ndarray:
    r"""The score of the likelihood-ratio attack: the log-likelihood ratio of a release with and without the target.

    .. math:: \ln\frac{\mathcal N(z;\, m_{in}, S_{in})}{\mathcal N(z;\, m_{out}, S_{out})}

    ``releases[..., d]``; means ``[..., d]``, one for all or one for each; covariances ``[d, d]``. The moments come from a
    model of the population, or from shadow releases made by the attacker. By Neyman and Pearson no score is better if the
    Gaussian models are right. Returns ``[...]``. ValueError for shapes that do not fit and for covariances that are not
    symmetric and positive definite.
    """
    releases = finite("releases", releases)

    def log_density(which, mean, covariance):
        mean, covariance = finite(f"mean_{which}", mean), finite(f"covariance_{which}", covariance)
        d = releases.shape[-1] if releases.ndim else 0
        if not d or mean.shape[-1:] != (d,) or covariance.shape != (d, d):
            wrong = f"mean_{which}" if mean.shape[-1:] != (d,) else f"covariance_{which}"
            raise ValueError(f"{wrong} must fit releases [..., {d}], got {list(mean.shape)} and {list(covariance.shape)}")
        if (gap := np.abs(covariance - covariance.T).max()) > 1e-9 * np.abs(covariance).max():
            raise ValueError(f"covariance_{which} must be symmetric, got mirrored entries that differ by {gap:.3g}")
        try:
            root = np.linalg.cholesky(covariance)
        except np.linalg.LinAlgError:
            raise ValueError(f"covariance_{which} must be positive definite, got eigenvalues down to "
                             f"{np.linalg.eigvalsh(covariance).min():.3g}") from None
        standard = (releases - mean) @ np.linalg.inv(root).T
        return -np.sum(standard**2, axis=-1) / 2 - np.log(root.diagonal()).sum()
    return log_density("inside", mean_inside, covariance_inside) - log_density("outside", mean_outside, covariance_outside)


def auc(inside, outside) -> float:
    r"""The area under the ROC curve: :math:`P[x > y] + \tfrac12 P[x = y]` for a score inside and one outside.

    ``inside[n]`` and ``outside[k]``, neither empty; ValueError otherwise. 1/2 is chance level, 1 is perfect separation.
    """
    inside, outside = _scores("inside", inside), _scores("outside", outside)
    beaten = [np.searchsorted(np.sort(outside), inside, side).mean() for side in ("left", "right")]
    return float(np.mean(beaten) / outside.size)


def auc_interval(inside, outside, *, confidence: float = 0.95) -> tuple[float, float]:
    r"""A confidence interval for the true area, valid for every distribution of the scores: the area found, plus and minus

    .. math:: \sqrt{\ln\bigl(2/(1 - \text{confidence})\bigr) / 2\min(n, k)} .

    ``0 < confidence < 1``; ValueError outside. All scores must be independent. Source: Hoeffding (1963), on U-statistics.
    """
    found, fewest = auc(inside, outside), min(np.size(inside), np.size(outside))
    slack = np.sqrt(np.log(2 / (1 - number(open_unit, "confidence", confidence))) / (2 * fewest))
    return float(max(0.0, found - slack)), float(min(1.0, found + slack))


def advantage_interval(detections: int, false_alarms: int, trials: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """A confidence interval for the true advantage TPR − FPR, from Clopper-Pearson intervals at half the error for each.

    ``detections`` of ``trials`` inside, ``false_alarms`` of ``trials`` outside, for a threshold chosen on other
    runs; ``0 < confidence < 1``; ValueError outside. Source: Clopper & Pearson (1934), and the union bound.
    """
    tail = (1 - number(open_unit, "confidence", confidence)) / 4
    (low, high), (low_false, high_false) = (
        clopper_pearson(name, count, trials, tail)
        for name, count in (("detections", detections), ("false_alarms", false_alarms)))
    return low - high_false, high - low_false


def trials_to_exclude(bound: float, *, advantage: float, confidence: float = 0.95, power: float = 0.99) -> int:
    r"""The number of runs on each side after which `advantage_interval` excludes ``bound`` with probability at least
    ``power``, for an attack whose true advantage is ``advantage``.

    The rates are (1 ± advantage)/2, for which the interval is widest. The number is not asymptotic: the error probability is
    split between the two counts, and the interval is computed at the binomial quantile of each. ``bound`` and ``advantage``
    in [-1, 1], at least 0.01 apart; ValueError otherwise, and if :math:`2^{24}` runs are too few.
    """
    bound, advantage = (number(finite, name, within(name, value, -1, 1))
                        for name, value in (("bound", bound), ("advantage", advantage)))
    if abs(bound - advantage) < 0.01:
        raise ValueError(f"bound must differ from advantage = {advantage} by 0.01 at least, got {bound}")
    miss = (1 - number(open_unit, "power", power)) / 2
    # both counts err towards the bound: detections up and false alarms down, or the reverse
    sign = 1 if bound > advantage else -1
    rate = (1 + sign * advantage) / 2

    def excluded(n):
        count = bisect_left(range(n), True, key=lambda k: bdtr(k, n, rate) >= 1 - miss)
        return advantage_interval(count, n - count, n, confidence=confidence)[1] < sign * bound
    if not excluded(2**24):
        raise ValueError(f"bound must be farther from advantage = {advantage} for 2^24 runs at confidence {confidence} and "
                         f"power {power}, got {bound}")
    return 1 + bisect_left(range(1, 2**24), True, key=excluded)


def _scores(name, scores):
    return shaped(name, scores, ("n",))
