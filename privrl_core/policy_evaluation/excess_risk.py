r"""The cost of privacy in empirical risk: exactly, and by the paper's bounds as printed and corrected.

The private parameters are :math:`\hat\theta = \theta + \eta` with :math:`\eta \sim \mathcal N(0, \sigma_X^2 I)`, so
the expected excess of the empirical risk is a quadratic form times :math:`E[\sigma_X^2]`. The paper bounds this
expectation for i.i.d. trajectories; two of its lemmas take the wrong end of an interval. Bounds are in units of the
squared public constant, :math:`C^2` for DP-LSW and :math:`C_\lambda^2` for DP-LSL (including its alpha), with

.. math:: C = \alpha F_{\max}\lVert(\Gamma^{1/2}\Phi)^\dagger\rVert\,\lVert\Gamma^{1/2}\Phi\rVert_F, \qquad
          C_\lambda = \frac{2\alpha F_{\max}\lVert\Phi\rVert}{\lambda - \lVert\Phi\rVert^2\lVert\rho\rVert_\infty}.

Source: Balle, Gomrokchi & Precup (2016), Section 5 and Appendices D and E of the arXiv version.
"""

import numpy as np
from numpy.linalg import norm

from privrl_core.checks import nonnegative, number, positive, shaped, whole_number, within

__all__ = ["lsw_excess_risk", "lsl_excess_risk", "peak", "peak_as_printed", "capped_peak", "capped_peak_as_printed",
           "lsw_bound", "lsw_bound_as_printed", "lsw_bound_as_printed_in_the_text", "lsl_bound", "lsl_bound_as_printed"]


def lsw_excess_risk(features, weights, scale: float) -> float:
    r"""Expected excess risk of DP-LSW at noise ``scale``: :math:`\sigma^2 \lVert\Gamma^{1/2}\Phi\rVert_F^2`, units
    of return squared.

    ``features[S, d]``, ``weights[S] >= 0``, ``scale > 0``; ValueError outside. Source: Lemma 22.
    """
    weights = shaped("weights", nonnegative("weights", weights), ("S",))
    features = shaped("features", features, (len(weights), "d"))
    return number(positive, "scale", scale) ** 2 * float(weights @ np.sum(features**2, axis=1))


def lsl_excess_risk(visits, n_episodes: int, features, visit_weights, ridge: float, scale: float) -> float:
    r"""Expected excess risk of DP-LSL on one dataset: :math:`\sigma^2\bigl(\tfrac{\lambda d}{2m} + \tfrac1m\sum_s
    \rho_s\lVert\phi_s\rVert^2|X_s|\bigr)`.

    ``visits[S]``, ``features[S, d]``, ``visit_weights[S]`` at least 0, ``ridge`` and ``scale`` positive; ValueError
    outside. Units of return squared. Source: Lemma 29.
    """
    rho = shaped("visit_weights", nonnegative("visit_weights", visit_weights), ("S",))
    visits = shaped("visits", nonnegative("visits", visits), rho.shape)
    features, m = shaped("features", features, (len(rho), "d")), whole_number("n_episodes", n_episodes, least=1)
    curvature = number(positive, "ridge", ridge) * features.shape[1] / 2 + rho * visits @ np.sum(features**2, axis=1)
    return number(positive, "scale", scale) ** 2 * float(curvature) / m


# --------------------------------------------------------------------------------------- the two maxima

def peak(a, b):
    r""":math:`\max_{0 \le x \le a - 1} e^{-bx}/(a - x)^2 = \max(a^{-2}, e^{-b(a - 1)})`, at an end, by log-convexity.

    ``a >= 1``, ``b > 0``, arrays broadcast; ValueError outside. Source: corrects Lemma 23.
    """
    a, b = _at_least_one(a), positive("b", b)
    return np.maximum(1 / a**2, np.exp(-b * (a - 1)))


def peak_as_printed(a, b):
    r"""Lemma 23 as printed: :math:`a^{-2}` if b < 2/a, :math:`e^{1-ab}` if b > 2, else :math:`\tfrac{e^2}{4}b^2e^{-ab}`.

    The last case is the interior stationary point, which is the minimum, and the first two are interchanged.
    Arguments as in `peak`.
    """
    a, b = _at_least_one(a), positive("b", b)
    return np.where(b < 2 / a, 1 / a**2, np.where(b > 2, np.exp(1 - a * b), np.e**2 / 4 * b**2 * np.exp(-a * b)))


def capped_peak(a, b, m):
    r""":math:`\max_{0 \le x \le m - a} e^{-2bx}(a + x)`, attained at x = 1/(2b) - a, or at the nearer end of the range.

    ``0 <= a <= m``, ``b > 0``, arrays broadcast; ValueError outside. Source: corrects Lemma 30.
    """
    (a, m), b = _at_most(a, m), positive("b", b)
    x = np.clip(1 / (2 * b) - a, 0, m - a)
    return np.exp(-2 * b * x) * (a + x)


def capped_peak_as_printed(a, b, m):
    r"""Lemma 30 as printed: a if b < a/2, :math:`m e^{-2b(m-a)}` if b > m/2, else :math:`e^{2ab}/(2eb)`.

    The conditions should read b > 1/(2a) and b < 1/(2m). Arguments as in `capped_peak`.
    """
    (a, m), b = _at_most(a, m), positive("b", b)
    return np.where(b < a / 2, a, np.where(b > m / 2, m * np.exp(-2 * b * (m - a)), np.exp(2 * a * b - 1) / (2 * b)))


# ----------------------------------------------------------------------------------------- DP-LSW's bounds

def lsw_bound(visit_probabilities, weights, m: int, beta: float) -> float:
    r"""Bound on DP-LSW's expected excess risk over :math:`C^2`, with the maximum of Lemma 23 corrected:

    .. math:: \sum_{p_s = 0} w_s + \sum_{p_s > 0} w_s \Bigl(\frac{6}{p_s^2 (m+1)(m+2)}
              + e^{\beta}\bigl(1 - (1 - e^{-\beta}) p_s\bigr)^m\Bigr)

    from :math:`\max(a^{-2}, e^{-\beta(a-1)}) \le a^{-2} + e^\beta e^{-\beta a}` and the binomial generating function.
    ``visit_probabilities[S]`` in [0, 1], ``weights[S] >= 0``, ``m >= 1``, ``beta > 0``; ValueError outside.
    Source: corrects Theorem 26.
    """
    return _lsw(visit_probabilities, weights, m, beta, lambda p, m, beta: 6 / (p**2 * (m + 1) * (m + 2))
                + np.exp(beta) * (1 + np.expm1(-beta) * p) ** m)


def lsw_bound_as_printed(visit_probabilities, weights, m: int, beta: float) -> float:
    r"""Theorem 26 over :math:`C^2` as printed: `lsw_bound` with :math:`e^2\beta^2/4` in place of :math:`e^\beta`."""
    return _lsw(visit_probabilities, weights, m, beta, lambda p, m, beta: 6 / (p**2 * (m + 1) * (m + 2))
                + (np.e * beta / 2) ** 2 * (1 + np.expm1(-beta) * p) ** m)


def lsw_bound_as_printed_in_the_text(visit_probabilities, weights, m: int, beta: float) -> float:
    r"""Theorem 11 (and Corollary 27) over :math:`C^2` as printed: :math:`6\bigl(1/(p_sm)^2 + \beta^2(1 - \beta
    p_s/2)^m\bigr)` for each state."""
    return _lsw(visit_probabilities, weights, m, beta, lambda p, m, beta: 6 * (1 / (p * m) ** 2
                + beta**2 * (1 - beta * p / 2) ** m))


def _lsw(visit_probabilities, weights, m, beta, term):
    p = shaped("visit_probabilities", within("visit_probabilities", visit_probabilities, 0, 1), ("S",))
    weights = shaped("weights", nonnegative("weights", weights), p.shape)
    m, beta = whole_number("m", m, least=1), number(positive, "beta", beta)
    with np.errstate(over="ignore", invalid="ignore"):
        bound = float(weights[p == 0].sum() + weights[p > 0] @ term(p[p > 0], m, beta))
    if not np.isfinite(bound):
        raise ValueError(f"beta must be small enough for a bound that is a finite double, got {beta}")
    return bound


# ----------------------------------------------------------------------------------------- DP-LSL's bounds

def lsl_bound(joint_visits, features, visit_weights, ridge: float, m: int, beta: float) -> float:
    r"""Bound on DP-LSL's expected excess risk over :math:`C_\lambda^2`, from :math:`\max_k e^{-k\beta}\min(a + k, m)
    \le a + 1/(e\beta)`:

    .. math:: E\Bigl[\Bigl(\tfrac{\lambda d}{2m} + \tfrac1m\sum_s\rho_s\lVert\phi_s\rVert^2|X_s|\Bigr)
              \Bigl(2\lVert\rho\rVert^2 + \tfrac{\lVert\Phi\rVert^2\lVert\rho\rVert_\infty^2}{\lambda}
              \sum_s\rho_s\bigl(|X_s| + \tfrac{1}{e\beta}\bigr)\Bigr)\Bigr]

    ``joint_visits[S, S]``: the probabilities that one trajectory visits both states (on the diagonal: that it visits
    the state). ``features[S, d]``, ``visit_weights[S] >= 0``, ``ridge``, ``beta`` positive, ``m >= 1``; ValueError
    outside. Source: corrects Theorem 32.
    """
    rho, m = nonnegative("visit_weights", visit_weights), whole_number("m", m, least=1)
    most = np.sum(rho) / (np.e * number(positive, "beta", beta))
    return _lsl(joint_visits, features, rho, ridge, m, most, lambda loads, p: most * m * (loads @ p))


def lsl_bound_as_printed(joint_visits, features, visit_weights, ridge: float, m: int, beta: float) -> float:
    r"""Theorem 32 over :math:`C_\lambda^2` as printed: `lsl_bound` with :math:`\mathbb I_{|X_s| = 0}/(2e\beta)` in place of
    :math:`1/(e\beta)`."""
    rho, m = nonnegative("visit_weights", visit_weights), whole_number("m", m, least=1)
    joint = _joint(joint_visits, rho)
    p, once = np.diag(joint), 1 / (2 * np.e * number(positive, "beta", beta))
    only_first = p[:, None] - joint
    return _lsl(joint, features, rho, ridge, m, once * (rho @ (1 - p) ** m),
                lambda loads, p: once * m * (loads @ only_first @ (rho * (1 - p) ** (m - 1))))


def _lsl(joint_visits, features, rho, ridge, m, extra, extra_with_visits):
    """The product's expectation: ``extra`` is that of the term added to visits, ``extra_with_visits`` that times visits."""
    joint, features = _joint(joint_visits, rho), shaped("features", features, (len(rho), "d"))
    ridge, p = number(positive, "ridge", ridge), np.diag(joint)
    loads, pull = rho * np.sum(features**2, axis=1), norm(features, 2) ** 2 * rho.max() ** 2 / ridge
    shift, fixed = ridge * features.shape[1] / 2, 2 * norm(rho) ** 2
    pairs = loads @ (m * (m - 1) * np.outer(p, p) + m * joint) @ rho
    return float((shift * (fixed + pull * (m * (rho @ p) + extra))
                  + m * (loads @ p) * fixed + pull * (pairs + extra_with_visits(loads, p))) / m)


def _joint(joint_visits, rho):
    joint = shaped("joint_visits", nonnegative("joint_visits", joint_visits), shaped("visit_weights", rho, ("S",)).shape * 2)
    if np.any(joint > np.minimum.outer(np.diag(joint), np.diag(joint))) or np.any(np.diag(joint) > 1):
        raise ValueError("joint_visits must hold probabilities, none above that of either of its two states")
    return joint


def _at_most(a, m):
    a, most = nonnegative("a", a), nonnegative("m", m)
    if np.any(a > most):
        raise ValueError(f"a must be at most m = {m}, got {a.max()}")
    return a, most


def _at_least_one(a):
    a = positive("a", a)
    if np.any(a < 1):
        raise ValueError(f"a must be at least 1, got {a.min()}")
    return a
