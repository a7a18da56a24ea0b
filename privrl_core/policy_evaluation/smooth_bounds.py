r"""The sensitivity of the regressions, and the smallest smooth upper bounds on their local sensitivity.

**Unit of privacy:** one trajectory. **Neighbours:** replace one, so the number of trajectories is public.
Source: Balle, Gomrokchi & Precup (2016), Lemmas 2 to 9.
"""

from bisect import bisect_left

import numpy as np
from numpy.linalg import norm

from privrl_core.checks import number, positive, up_to, whole_number
from privrl_core.policy_evaluation.regression import checked_vector, checked_visit_weights, spectral_norm

__all__ = ["smooth_bound_lsw", "smooth_bound_lsl", "lsl_sensitivity_as_printed", "lsl_sensitivity_improved"]


def smooth_bound_lsw(visits, weights, beta: float) -> float:
    r"""The smallest beta-smooth upper bound on DP-LSW's local sensitivity, squared and without its constants:

    .. math:: \psi = \max_{k \ge 0}\ e^{-k\beta} \sum_s \frac{w_s}{\max(|X_s| - k, 1)^2}

    Between neighbouring points of k = 0 and :math:`k = |X_s| - 1` every term is log-convex, hence so is their sum. The
    maximum is therefore at one of these at most S + 1 points, and not every k has to be tried.
    ``visits[S] >= 0``, ``weights[S] >= 0``, ``beta > 0``; ValueError outside. Depends on the data: never publish it.
    Source: Balle et al. (2016), Equation (9), Lemmas 4 and 5; the closed form is this book's.
    """
    visits, beta = checked_vector("visits", visits), number(positive, "beta", beta)
    weights = checked_vector("weights", weights, visits.size)
    corners = np.unique(np.append(visits[visits > 1] - 1, 0))
    blocks = np.array_split(corners[:, None], 1 + corners.size * visits.size // 2**20)  # of at most 8 MB
    return float(max(np.max(np.exp(-beta * k[:, 0]) * ((1 / np.maximum(visits - k, 1) ** 2) @ weights)) for k in blocks))


def smooth_bound_lsl(visits, n_episodes: int, features, visit_weights, ridge: float, beta: float) -> float:
    r"""The smallest beta-smooth upper bound on DP-LSL's local sensitivity, squared and without its constants:

    .. math:: \psi = \max_{0 \le k \le m} e^{-k\beta} \Bigl(c_\lambda \sqrt{\textstyle\sum_s \rho_s \min(|X_s| + k, m)}
              + \lVert\rho\rVert_2\Bigr)^2, \qquad c_\lambda =
              \frac{\lVert\Phi\rVert\,\lVert\rho\rVert_\infty}{\sqrt{2\lambda}}

    The maximised function is log-concave in k, so bisection on the sign of its slope finds the maximum.
    ``0 <= visits[S] <= n_episodes``, ``visit_weights[S]`` in [0, 1], ``ridge > 0``, ``beta > 0``; ValueError outside.
    Depends on the data: never publish it. Source: Balle et al. (2016), Equation (12); Lemma 9 prints max for min.
    """
    visits, beta = checked_vector("visits", visits), number(positive, "beta", beta)
    m = whole_number("n_episodes", n_episodes, least=1)
    up_to("visits", visits, m, "n_episodes")
    rho = checked_visit_weights(visit_weights, visits.size)
    c = spectral_norm(features, visits.size) * rho.max() / np.sqrt(2 * number(positive, "ridge", ridge))

    def root(k):
        return c * np.sqrt(rho @ np.minimum(visits + k, m)) + norm(rho)

    def falls_from(k):
        reach = rho @ np.minimum(visits + k, m)
        return c * (rho @ (visits + k < m)) <= beta * np.sqrt(reach) * root(k)
    k = bisect_left(range(m), True, key=falls_from)
    return float(max(np.exp(-beta * j) * root(j) ** 2 for j in (k, max(k - 1, 0))))


def lsl_sensitivity_as_printed(features, visit_weights, ridge: float) -> float:
    r"""DP-LSL's public sensitivity factor as printed: :math:`2\lVert\Phi\rVert / (\lambda -
    \lVert\Phi\rVert^2\lVert\rho\rVert_\infty)`.

    Its product with :math:`F_{\max}\sqrt{\varphi}` bounds :math:`\lVert\theta_X - \theta_{X'}\rVert_2`. Raises ValueError
    unless ``ridge`` exceeds :math:`\lVert\Phi\rVert^2\lVert\rho\rVert_\infty`. Source: Balle et al. (2016), Corollary 8.
    """
    rho, ridge = checked_visit_weights(visit_weights), number(positive, "ridge", ridge)
    size = spectral_norm(features, rho.size)
    least = size**2 * rho.max()
    if not ridge > least:
        raise ValueError(f"ridge must exceed ‖features‖² max(visit_weights) = {least:.6g}, got {ridge}")
    return float(2 * size / (ridge - least))


def lsl_sensitivity_improved(features, visit_weights, ridge: float) -> float:
    r"""DP-LSL's public sensitivity factor, sharpened: :math:`2\lVert\Phi\rVert/\lambda`, for every ``ridge > 0``.

    With H and H' the two regularised Gram matrices, subtracting the normal equations gives
    :math:`H'(\theta' - \theta) = \tfrac1m \Phi^\top\Gamma_\rho(F_{x'} - F_x + \Delta\Phi\theta)` and
    :math:`\lVert H'^{-1}\rVert \le 2m/\lambda`: the numerator of Lemma 7 over :math:`\lambda` alone.
    ValueError unless ``ridge > 0``. Source: improves Balle et al. (2016), Lemma 7 and Corollary 8.
    """
    size = spectral_norm(features, checked_visit_weights(visit_weights).size)
    return float(2 * size / number(positive, "ridge", ridge))
