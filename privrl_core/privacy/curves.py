r"""Privacy curves: the exact curve of the Gaussian mechanism, and the bounds implied by concentrated privacy.

A mechanism that adds :math:`\mathcal N(0, \sigma^2 I)` to a query of L2 sensitivity :math:`\Delta` is
:math:`\mu`-Gaussian-DP with :math:`\mu = \Delta/\sigma`: telling two neighbours apart is exactly as hard
as telling :math:`\mathcal N(0, 1)` from :math:`\mathcal N(\mu, 1)`. This one number determines the whole curve.
"""

import math
from functools import lru_cache, partial

import numpy as np  # scipy is imported only where it is used, because importing it takes 0.4 s

from privrl_core.checks import nonnegative, open_unit, positive

__all__ = ["gaussian_delta", "gaussian_epsilon", "gaussian_mu", "compose_gaussians", "zcdp_epsilon",
           "zcdp_epsilon_as_printed"]


def gaussian_delta(epsilon, mu):
    r"""The exact :math:`\delta` of a :math:`\mu`-Gaussian-DP mechanism at ``epsilon``.

    .. math:: \delta(\varepsilon; \mu) = \Phi\left(-\tfrac{\varepsilon}{\mu} + \tfrac{\mu}{2}\right)
              - e^{\varepsilon}\, \Phi\left(-\tfrac{\varepsilon}{\mu} - \tfrac{\mu}{2}\right)

    ``epsilon >= 0`` and ``mu > 0`` (= sensitivity / standard deviation), arrays broadcast; no units.
    Raises ValueError outside. Source: Balle & Wang (2018), Theorem 8; Dong, Roth & Su (2022), Corollary 2.13.
    """
    return _delta(nonnegative("epsilon", epsilon), positive("mu", mu))


def _delta(epsilon, mu):
    from scipy.special import erf, erfcx

    near, far = (epsilon / mu - mu / 2) / np.sqrt(2), (epsilon / mu + mu / 2) / np.sqrt(2)
    # e^eps phi(far) = phi(near): with the scaled erfc no large exponential appears, and nothing cancels where near > 0
    with np.errstate(over="ignore"):  # exp(-inf) = 0 is right
        tail = np.exp(-np.maximum(near, 0) ** 2) * (erfcx(np.maximum(near, 0)) - erfcx(far)) / 2
        # where near <= 0: Phi(-near) - Phi(-far), two terms of one sign, less (e^eps - 1) Phi(-far)
        body = (erf(far) - erf(near)) / 2 - (np.exp(-np.minimum(near, 0) ** 2) - np.exp(-far**2)) * erfcx(far) / 2
    return np.where(near > 0, tail, body)[()]


def gaussian_mu(epsilon, delta):
    r"""The largest :math:`\mu` whose Gaussian mechanism is (epsilon, delta)-DP; the noise is sensitivity / mu.

    Inverts `gaussian_delta` in :math:`\mu`. ``epsilon >= 0``, ``0 < delta < 1``, arrays broadcast.
    Raises ValueError outside. Source: Balle & Wang (2018), Algorithm 1.
    """
    epsilon, delta = np.broadcast_arrays(nonnegative("epsilon", epsilon), open_unit("delta", delta))
    tail = np.sqrt(-2 * np.log1p(-delta))
    # delta < mu because delta(eps; mu) <= mu/sqrt(2 pi); the upper end has Phi(-x) + exp(-x^2/2)/2 <= 1 - delta
    bracket = np.log(delta), np.log(tail + np.sqrt(tail**2 + 2 * epsilon)) + 1e-6
    log_mu = _root(_excess_at_log_mu, bracket, (epsilon, delta))
    if np.isnan(log_mu).any():
        raise ValueError(f"epsilon and delta must be within floating-point range, got {epsilon} and {delta}")
    return np.exp(log_mu)[()]


def gaussian_epsilon(delta, mu):
    r"""The smallest :math:`\varepsilon \ge 0` at which a :math:`\mu`-Gaussian-DP mechanism has the given ``delta``.

    Inverts `gaussian_delta` in :math:`\varepsilon`. ``0 < delta < 1``, ``mu > 0``, arrays broadcast.
    Raises ValueError outside. Source: Dong, Roth & Su (2022), Corollary 2.13.
    """
    delta, mu = np.broadcast_arrays(open_unit("delta", delta), positive("mu", mu))
    # delta(eps; mu) <= Phi(-x) <= exp(-x^2/2)/2 with x = eps/mu - mu/2
    bracket = np.zeros_like(mu, dtype=float), mu * (np.sqrt(-2 * np.log(delta)) + mu / 2)
    epsilon = _root(_excess_at_epsilon, bracket, (delta, mu))
    return np.where(gaussian_delta(0.0, mu) <= delta, 0.0, epsilon)[()]


def _excess_at_log_mu(log_mu, epsilon, delta):
    return _delta(epsilon, np.exp(log_mu)) - delta


def _excess_at_epsilon(epsilon, delta, mu):
    return _delta(epsilon, mu) - delta


def _root(excess, bracket, args):
    """The root of ``excess(x, *args)``, elementwise for arrays; NaN where both ends of the bracket have the same sign."""
    from scipy.optimize import brentq, elementwise

    if args[0].ndim:
        return elementwise.find_root(excess, bracket, args=args).x
    try:  # for single numbers, fifteen times as fast
        return brentq(excess, *bracket, tuple(map(float, args)), xtol=1e-300, maxiter=2000)
    except ValueError:
        return math.nan


@lru_cache  # thousands of releases may share a guarantee
def cached_gaussian_mu(epsilon, delta):
    return float(gaussian_mu(epsilon, delta))


@lru_cache
def cached_gaussian_epsilon(delta, mu):
    return float(gaussian_epsilon(delta, mu))


def compose_gaussians(mus):
    r"""The joint :math:`\mu` of several Gaussian releases, adaptive or not: :math:`\sqrt{\sum_i \mu_i^2}`.

    ``mus`` is a non-empty sequence of positive numbers, ValueError otherwise.
    Source: Dong, Roth & Su (2022), Corollary 3.3 (exact, not a bound).
    """
    mus = positive("mus", mus)
    if mus.size == 0:
        raise ValueError("mus must hold at least one release, got none")
    return math.hypot(*mus.ravel())  # squares could overflow


@partial(np.vectorize, otypes=[float])
def _zcdp_epsilon(rho, delta):
    from scipy.optimize import minimize_scalar

    def bound(log_excess):
        a = np.exp(log_excess)  # alpha - 1
        return rho * (1 + a) + np.log(a) - np.log1p(a) - (np.log(delta) + np.log1p(a)) / a
    # the terms of the bound balance near alpha - 1 = sqrt(log(1/delta) / rho)
    centre = np.log(np.sqrt(-np.log(delta) / rho) + 1e-9)
    best = minimize_scalar(bound, bounds=(centre - 12, centre + 12), method="bounded", options={"xatol": 1e-9})
    return max(best.fun, 0.0)


def zcdp_epsilon(rho, delta):
    r"""An :math:`\varepsilon` implied by :math:`\rho`-zCDP at ``delta``, the smallest known for all such mechanisms.

    .. math:: \varepsilon = \min_{\alpha > 1}\ \rho\alpha + \ln\frac{\alpha - 1}{\alpha}
              - \frac{\ln \delta + \ln \alpha}{\alpha - 1}

    ``rho > 0``, ``0 < delta < 1``, arrays broadcast; ValueError outside. For a Gaussian mechanism the exact
    `gaussian_epsilon` is smaller. Source: Canonne, Kamath & Steinke (2020), Proposition 12.
    """
    return _zcdp_epsilon(positive("rho", rho), open_unit("delta", delta))[()]


def zcdp_epsilon_as_printed(rho, delta):
    r"""The conversion that most papers print: :math:`\varepsilon = \rho + 2\sqrt{\rho \ln(1/\delta)}`, valid but loose.

    ``rho > 0``, ``0 < delta < 1``; ValueError outside. Source: Bun & Steinke (2016), Proposition 1.3.
    """
    rho, delta = positive("rho", rho), open_unit("delta", delta)
    return (rho + 2 * np.sqrt(-rho * np.log(delta)))[()]
