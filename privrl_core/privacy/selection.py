r"""Choosing one of many: a name is published, and the scores that led to it are not.

Each of k choices has a score, such as the number of patients whom a treatment helped. Between neighbours no score changes
by more than the ``sensitivity`` :math:`\Delta`; all may change at once. Noise on every score, of which only the name of the
largest is told, costs one :math:`\varepsilon`, whatever k is:

* Gumbel noise of scale :math:`2\Delta/\varepsilon` is the exponential mechanism: `exponential_mechanism`;
* exponential noise of the same scale names the best choice at least as often: `report_noisy_max`.

``scores`` are ``[k]``, any finite numbers; ``sensitivity`` is in their units, and ``epsilon`` from 1e-30 to 1e30. ValueError
otherwise. The noise is floating-point and for experiments, as in `privrl_core.privacy.noise`.
"""

from dataclasses import dataclass

import numpy as np

from privrl_core.checks import generator, number, positive, shaped
from privrl_core.privacy.guarantees import REPLACE_ONE, TRAJECTORY, Guarantee, Neighbours, Status, Unit
from privrl_core.privacy.noise import LaplaceNoise
from privrl_core.privacy.release import AddedNoise, Release

__all__ = ["SelectionRelease", "exponential_mechanism", "report_noisy_max", "exponential_mechanism_probabilities",
           "report_noisy_max_probabilities"]


@dataclass(frozen=True, eq=False, kw_only=True)
class SelectionRelease(Release):
    """The number of the choice, counted from 0."""

    choice: int


def exponential_mechanism(scores, *, sensitivity: float, epsilon: float, noise_rng: np.random.Generator,
                          unit: Unit = TRAJECTORY, neighbours: Neighbours = REPLACE_ONE) -> SelectionRelease:
    r"""One of k choices, by the exponential mechanism: (epsilon, 0)-DP, proved.

    .. math:: \Pr[i] = \frac{e^{\varepsilon q_i / 2\Delta}}{\sum_j e^{\varepsilon q_j / 2\Delta}} .

    Between neighbours the numerator, and each term of the sum, changes by a factor of at most :math:`e^{\varepsilon/2}`. It
    is drawn as the largest score with Gumbel noise of scale :math:`2\Delta/\varepsilon`.
    Source: McSherry & Talwar (2007).
    """
    draw = generator("noise_rng", noise_rng).gumbel
    return _largest(scores, sensitivity, epsilon, "Gumbel", draw, unit, neighbours)


def report_noisy_max(scores, *, sensitivity: float, epsilon: float, noise_rng: np.random.Generator,
                     unit: Unit = TRAJECTORY, neighbours: Neighbours = REPLACE_ONE) -> SelectionRelease:
    r"""One of k choices, the largest score with exponential noise of scale :math:`2\Delta/\varepsilon`: (epsilon, 0)-DP,
    proved.

    Given the noise of all others, i is chosen if its own noise exceeds a threshold, which moves by at most :math:`2\Delta`
    between neighbours; and :math:`\Pr[Z > c + 2\Delta] \ge e^{-\varepsilon} \Pr[Z > c]`. The probabilities are those of
    *permute and flip* (McKenna & Sheldon 2020).
    """
    draw = generator("noise_rng", noise_rng).exponential
    return _largest(scores, sensitivity, epsilon, "exponential", draw, unit, neighbours)


def exponential_mechanism_probabilities(scores, *, sensitivity: float, epsilon: float) -> np.ndarray:
    """``[k]``: how likely `exponential_mechanism` makes each choice."""
    weights = np.exp(-_behind(scores, sensitivity, epsilon))
    return weights / weights.sum()


def report_noisy_max_probabilities(scores, *, sensitivity: float, epsilon: float) -> np.ndarray:
    r"""``[k]``: how likely `report_noisy_max` makes each choice. With :math:`p_j = e^{-\varepsilon(\max q - q_j)/2\Delta}`,

    .. math:: \Pr[i] = p_i \int_0^1 \prod_{j \ne i} (1 - p_j s)\, ds ,

    a polynomial of degree k - 1, which Gauss's rule integrates exactly. For at most 2000 choices; ValueError for more.
    """
    p = np.exp(-_behind(scores, sensitivity, epsilon))
    if p.size > 2000:
        raise ValueError(f"scores must be at most 2000, got {p.size}")
    nodes, weights = np.polynomial.legendre.leggauss(p.size // 2 + 1)
    s, weights = (nodes[:, None] + 1) / 2, weights / 2       # all s are below 1, so no factor is 0
    logs = np.log1p(-p * s)
    return p * (weights @ np.exp(logs.sum(axis=1, keepdims=True) - logs))


def _checked(scores, sensitivity, epsilon):
    """The scores, and the scale of the noise."""
    scale = 2 * number(positive, "sensitivity", sensitivity) / LaplaceNoise(epsilon).epsilon
    return shaped("scores", scores, ("k",)), scale


def _behind(scores, sensitivity, epsilon):
    """How far each score is behind the largest, in scales of the noise."""
    scores, scale = _checked(scores, sensitivity, epsilon)
    return (scores.max() - scores) / scale


def _largest(scores, sensitivity, epsilon, law, draw, unit, neighbours):
    scores, scale = _checked(scores, sensitivity, epsilon)
    promise = Guarantee(LaplaceNoise(epsilon).epsilon, 0.0, unit, neighbours, Status.PROVED,
                        f"the largest of {scores.size} scores with {law} noise, of which nothing else is published")
    return SelectionRelease(choice=int(np.argmax(scores + draw(scale=scale, size=scores.size))), guarantees=(promise,),
                            noise=AddedNoise(law, scale))
