r"""Calibration of Gaussian noise whose standard deviation depends on the data.

A mechanism releases :math:`\mathcal N(\mu_X, \sigma_X^2 I_d)`. For all neighbours :math:`X \simeq X'`

.. math:: \sigma_X \ge \alpha \lVert \mu_X - \mu_{X'} \rVert_2
          \qquad\text{and}\qquad \lvert \ln \sigma_X^2 - \ln \sigma_{X'}^2 \rvert \le \beta .

Three rules ``(epsilon, delta, d) -> (alpha, beta)`` choose pairs :math:`(\alpha, \beta)`: `as_printed` (the constants of
Algorithms 1 and 2), `as_proved` (those that the paper's appendix proves to be private) and `calibrate_exact` (from the
exact delta of two Gaussians).
Source of the problem: Nissim, Raskhodnikova & Smith (2007); Balle, Gomrokchi & Precup (2016), Lemmas 1 and 14.
"""

from functools import lru_cache

import numpy as np
import scipy  # its parts are imported when first used: special alone takes 0.2 s

from privrl_core.checks import nonnegative, number, open_unit, positive, up_to, whole_number
from privrl_core.privacy.curves import gaussian_delta, gaussian_mu

__all__ = ["smooth_gaussian_delta", "smooth_gaussian_alpha", "smooth_gaussian_beta_max", "event_probabilities", "as_printed",
           "as_proved", "calibrate_exact"]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(80)
_SUPPORT = 12.0  # a standard normal leaves [-12, 12] with probability 4e-33, and the integrands are below its density


def _panels(a: float, b: float) -> tuple[np.ndarray, np.ndarray]:
    """Gauss-Legendre nodes and weights on [a, b] under x = a + (b - a) u^2 (3 - 2u), which tames root singularities."""
    u = (1 + _NODES) / 2
    return a + (b - a) * u**2 * (3 - 2 * u), (b - a) * 3 * u * (1 - u) * _WEIGHTS


def _crossings(c: float, k: float) -> list[float]:
    """The real roots of x^2 - 2 c x - k = 0, without cancellation for large c."""
    if c**2 + k <= 0:
        return []
    far = c + np.copysign(np.sqrt(c**2 + k), c)
    return [far, -k / far]


def event_probabilities(epsilon: float, shift: float, ratio: float, d: int) -> tuple[float, float]:
    r""":math:`P[E]` and :math:`e^{\varepsilon} Q[E]` for the event E that the privacy loss exceeds epsilon.

    P = N(0, I_d), Q = N(shift e_1, ratio I_d). With x along the shift and y the squared length orthogonal to it, E is where
    y is below (ratio > 1) or above (ratio < 1) the parabola :math:`t(x) = k + 2cx - x^2`. As y is chi-squared with d - 1
    degrees of freedom, scaled by the ratio under Q, one integral over x remains. The difference of the two is the
    hockey-stick divergence, the largest over all events. Arguments are not checked.
    """
    c = -shift / (ratio - 1)
    k = (shift**2 / ratio + d * np.log(ratio) - 2 * epsilon) * ratio / (ratio - 1)
    # the chi-squared distribution function rises between t = 0 and t = steep, and is constant beyond
    steep = (d + 20 * np.sqrt(d) + 200) * max(ratio, 1.0)
    breaks = [x for x in _crossings(c, k) + _crossings(c, k - steep) if abs(x) < _SUPPORT]
    edges = np.sort(np.concatenate([[-_SUPPORT, 0, _SUPPORT], breaks]))
    x, weight = np.hstack([_panels(a, b) for a, b in zip(edges, edges[1:])])
    t = k + 2 * c * x - x**2

    def across(scale):
        half = np.maximum(t, 0) / (2 * scale)
        return np.where(t > 0, scipy.special.gammainc((d - 1) / 2, half), 0) if ratio > 1 \
            else np.where(t > 0, scipy.special.gammaincc((d - 1) / 2, half), 1)
    p = np.exp(-x**2 / 2) * across(1.0)
    with np.errstate(divide="ignore"):  # in logarithms: on E, q is at most p, so it cannot overflow
        q = np.exp(epsilon - (x - shift)**2 / (2 * ratio) - np.log(ratio) / 2 + np.log(across(ratio)))
    return tuple(float(weight @ density / np.sqrt(2 * np.pi)) for density in (p, q))


def _delta(epsilon: float, shift: float, beta: float, d: int) -> float:
    """The larger delta of standard deviations with ratio 1 and exp(beta/2), with the shift in units of the smaller one."""
    equal = gaussian_delta(epsilon, shift) if shift > 0 else 0.0
    if beta == 0:
        return float(equal)
    beta = max(beta, 1e-12)  # smaller ratios are 1 in floating point; a larger beta never understates delta
    pairs = (event_probabilities(epsilon, shift, np.exp(beta), d),
             event_probabilities(epsilon, shift * np.exp(-beta / 2), np.exp(-beta), d))
    return float(np.clip(np.max([equal, *(p - q for p, q in pairs)]), 0, 1))


_FARTHEST = 1e100  # in standard deviations: delta is 1 anyway, and squares don't overflow


def _moderate(epsilon, delta=1.0):
    """Beyond these limits overflow or rounding errors could decide, and the guarantees are of no practical use."""
    up_to("epsilon", epsilon, 100)
    if delta < 1e-20:
        raise ValueError(f"delta must be at least 1e-20 for noise that depends on the data, got {delta}")
    return epsilon


def smooth_gaussian_delta(epsilon: float, alpha: float, beta: float, d: int) -> float:
    r"""The exact :math:`\delta(\varepsilon)` of Gaussian noise whose standard deviation depends on the data.

    The largest hockey-stick divergence :math:`\int (p - e^{\varepsilon} q)_+` over
    :math:`\mathcal N(0, s_1^2 I_d)`, :math:`\mathcal N(v, s_2^2 I_d)` in either order, with
    :math:`\alpha\lVert v\rVert \le \min(s_1, s_2)` and :math:`\lvert \ln s_1^2 - \ln s_2^2\rvert \le \beta`.

    The largest shift is worst, because :math:`\int\min(p, e^\varepsilon q)` sums common volumes of two balls, which decrease
    with their distance. The worst ratio :math:`r = s_2^2/s_1^2` is 1 or :math:`e^{\beta}`. Let P be the narrower; then E is
    a ball of squared radius R^2, and by the heat equation and Gauss's theorem
    :math:`\partial_r \delta \propto h - \kappa A(\kappa)` with :math:`h = R^2/r`, :math:`\kappa = R\lVert v\rVert/(r-1)`,
    :math:`A = I_{d/2}/I_{d/2-1}`. Where this vanishes, with :math:`u = \kappa A'/A \in (0, 1)` and :math:`\tau = 1/(r-1)`,
    its slope in :math:`\tau` has the sign of :math:`-u h (2\tau + 1) - \tfrac{\tau}{2}(1 - u)^2 < 0`: delta decreases in r,
    then increases, so its maximum is at an end. If P is the wider, exchange P and Q and use :math:`-\varepsilon`.

    ``0 <= epsilon <= 100``, ``alpha > 0`` (``numpy.inf``: no shift), ``0 <= beta <= 500``, ``d >= 1``; ValueError outside.
    Relative accuracy 1e-6 or better, absolute 1e-12.
    Source: this book; sharpens Lemmas 1 and 14 of Balle, Gomrokchi & Precup (2016).
    """
    shift = 0.0 if np.ndim(alpha) == 0 and alpha == np.inf else min(1 / number(positive, "alpha", alpha), _FARTHEST)
    epsilon, beta = _moderate(number(nonnegative, "epsilon", epsilon)), number(nonnegative, "beta", beta)
    up_to("beta", beta, 500)
    return _delta(epsilon, shift, beta, whole_number("d", d, least=1))


@lru_cache
def _beta_max(epsilon: float, delta: float, d: int) -> float:
    def excess(log_beta):
        return _delta(epsilon, 0.0, np.exp(log_beta), d) - delta
    high = 0.0
    while excess(high) < 0:
        high += 1
    low = high - 1
    while excess(low) > 0:
        low -= 1
    return float(np.exp(scipy.optimize.brentq(excess, low, high, xtol=1e-11)) * (1 - 1e-10))


def smooth_gaussian_beta_max(epsilon: float, delta: float, d: int) -> float:
    r"""The largest :math:`\beta` that is private for some :math:`\alpha`: :math:`\delta(\varepsilon; \infty, \beta,
    d) = \delta`.

    ``0 <= epsilon <= 100``, ``1e-20 <= delta < 1``, ``d >= 1``; ValueError outside.
    """
    epsilon, delta = number(nonnegative, "epsilon", epsilon), number(open_unit, "delta", delta)
    return _beta_max(_moderate(epsilon, delta), delta, whole_number("d", d, least=1))


@lru_cache
def _alpha(epsilon: float, delta: float, beta: float, d: int) -> float:
    def excess(log_alpha):
        return _delta(epsilon, np.exp(-log_alpha), beta, d) - delta
    low = -np.log(float(gaussian_mu(epsilon, delta)))  # enough for equal standard deviations
    if excess(low) <= 0:
        return float(np.exp(low))
    high = low + 1
    while excess(high) > 0:
        low, high = high, high + 1
        if high > 60:
            raise ValueError(f"beta must be below smooth_gaussian_beta_max, got {beta}")
    return float(np.exp(scipy.optimize.brentq(excess, low, high, xtol=1e-11)) * (1 + 1e-10))


def smooth_gaussian_alpha(epsilon: float, delta: float, beta: float, d: int) -> float:
    r"""The smallest :math:`\alpha` with :math:`\delta(\varepsilon; \alpha, \beta, d) \le \delta`: the standard deviation per
    unit of sensitivity.

    ``0 <= epsilon <= 100``, ``1e-20 <= delta < 1``, ``0 <= beta < smooth_gaussian_beta_max(epsilon, delta, d)``, ``d >= 1``;
    ValueError outside, which names the largest beta.
    """
    epsilon, delta = number(nonnegative, "epsilon", epsilon), number(open_unit, "delta", delta)
    beta, limit = number(nonnegative, "beta", beta), smooth_gaussian_beta_max(epsilon, delta, d)
    if beta >= limit:
        raise ValueError(f"beta must be below smooth_gaussian_beta_max = {limit:.6g}, got {beta}")
    return _alpha(epsilon, delta, beta, whole_number("d", d, least=1))


def as_printed(epsilon: float, delta: float, d: int) -> tuple[float, float]:
    r"""The constants of Algorithms 1 and 2: :math:`\alpha = 5\sqrt{2\ln(2/\delta)}/\varepsilon`, :math:`\beta =
    \varepsilon/(4d + 4\ln(2/\delta))`.

    ``epsilon > 0``, ``0 < delta < 1``, ``d >= 1``; ValueError outside.
    Source: Balle, Gomrokchi & Precup (2016), Lemma 1 (cited there, not proved).
    """
    epsilon, delta = number(positive, "epsilon", epsilon), number(open_unit, "delta", delta)
    tail = np.log(2 / delta)
    return float(5 * np.sqrt(2 * tail) / epsilon), float(epsilon / (4 * (whole_number("d", d, least=1) + tail)))


def as_proved(epsilon: float, delta: float, d: int) -> tuple[float, float]:
    r"""The constants that the appendix proves: :math:`\alpha = 15\sqrt{2\ln(4/\delta)}/\varepsilon`, :math:`\beta =
    \frac{2\ln 2\;\varepsilon/5}{(\sqrt d + \sqrt{2\ln(4/\delta)})^2}`.

    ``0 < epsilon <= 5``, ``0 < delta < 1``, ``d >= 1``; ValueError outside.
    Source: Balle, Gomrokchi & Precup (2016), Lemma 14.
    """
    epsilon, delta = number(positive, "epsilon", epsilon), number(open_unit, "delta", delta)
    if epsilon > 5:
        raise ValueError(f"epsilon must be at most 5 for Lemma 14, got {epsilon}")
    tail = np.sqrt(2 * np.log(4 / delta))
    beta = 2 * np.log(2) * (epsilon / 5) / (np.sqrt(whole_number("d", d, least=1)) + tail) ** 2
    return float(15 * tail / epsilon), float(beta)


def calibrate_exact(epsilon: float, delta: float, d: int) -> tuple[float, float]:
    r"""The exact calibration: half of the largest possible :math:`\beta`, with the smallest :math:`\alpha` for it.

    A larger beta allows a smaller smooth bound but needs a larger alpha; up to half the largest beta, alpha grows little.
    ``0 <= epsilon <= 100``, ``1e-20 <= delta < 1``, ``d >= 1``; ValueError outside.
    """
    beta = smooth_gaussian_beta_max(epsilon, delta, d) / 2
    return smooth_gaussian_alpha(epsilon, delta, beta, d), beta
