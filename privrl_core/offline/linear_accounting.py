r"""The privacy cost, in zCDP, of the noise in private linear value iteration: as its proof adds it up, and the true cost.

At each step h of H, five queries are released with Gaussian noise: two Gram matrices :math:`\sum \phi\phi^\top`, the
second with weights in (0, 1], and three vectors :math:`\sum \phi\, y` whose targets y are bounded. Symmetric noise
:math:`(Z + Z^\top)/\sqrt2` with :math:`Z_{ij} \sim \mathcal N(0, \sigma_Z^2)` makes a shift :math:`\Delta` of a Gram
matrix cost :math:`\lVert\Delta\rVert_F^2 / 4\sigma_Z^2`, where each free entry counts once; a shift of a vector costs
:math:`\lVert\Delta\rVert^2 / 2\sigma^2`.

**The same two episodes shift all five.** Let their features at step h be u and v, unit vectors with c = <u, v>. The squared
shift of a Gram matrix is :math:`\lVert uu^\top - vv^\top\rVert_F^2 = 2(1 - c^2)`, which is largest for orthogonal u and v.
That of a vector is :math:`2B^2(1 - c)`, which is largest if they are opposite, so the worst cases exclude each other. With
G the sum of :math:`1/4\sigma_Z^2` over the two matrices and e that of :math:`B^2/2\sigma^2` over the vectors, a step costs

.. math:: \max_c\; 2G(1 - c^2) + 2e(1 - c) \quad\text{(replace one)}, \qquad G + e \quad\text{(add or remove one)},

whereas the sum of worst cases is 2G + 4e. Shorter features and smaller targets cost less. So do smaller weights, for every
noise below: chapters/04_offline_rl/evidence/04_cost proves it, and the accountant takes the larger of both cases anyway. For targets
in [-B, B], :math:`\lvert c\rvert` replaces -c, and the maximum is the same.
**Unit of privacy:** one trajectory. Source: this book; corrects the proof of Lemma D.1 of Qiao & Wang (2023).
"""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from privrl_core.checks import instance_of, nonnegative, number, open_unit, positive, shaped, whole_number, within

__all__ = ["LinearNoise", "noise_as_printed", "noise_corrected", "no_noise", "centred_noise", "PrivacyCost", "joint_cost",
           "cost_of_one_dataset", "cost_of_two_halves", "cost_of_centred_noise", "pair_costs", "half_shift"]

LARGEST = 1e100  # the largest feature, setting or cost


@dataclass(frozen=True)
class LinearNoise:
    r"""Standard deviations of one step's noise: ``gram[2]`` (:math:`\sigma_Z` of both matrices) and ``vector[3]``, for
    the squares of the next values, the values, and the targets of the weighted regression. Infinity means not released."""

    gram: tuple[float, float]
    vector: tuple[float, float, float]


def noise_as_printed(rho: float, horizon: int) -> LinearNoise:
    r"""The noise of Algorithm 2, the same at each step: with :math:`\rho_0 = \rho/5H`, variances
    :math:`\sigma_Z^2 = 1/4\rho_0`, :math:`2H^4/\rho_0`, :math:`2H^2/\rho_0` and :math:`2H^2/\rho_0`.

    ``rho > 0`` and ``horizon >= 1``, ValueError otherwise. Source: Qiao & Wang (2023), Algorithm 2.
    """
    rho_0, H = _rho_0(rho, horizon)
    gram, vector = np.sqrt(1 / (4 * rho_0)), H * np.sqrt(2 / rho_0)
    return LinearNoise((float(gram),) * 2, (float(H * vector), float(vector), float(vector)))


def noise_corrected(rho: float, horizon: int) -> LinearNoise:
    r"""As `noise_as_printed`, with :math:`\sigma_Z^2 = 1/2\rho_0`, so that each query costs at most :math:`\rho_0` if one
    trajectory is replaced, as the proof of Lemma D.1 requires. The same errors."""
    printed = noise_as_printed(rho, horizon)
    return LinearNoise(tuple(float(np.sqrt(2) * scale) for scale in printed.gram), printed.vector)


def no_noise() -> LinearNoise:
    """Noise of scale 0, which gives the algorithm without privacy."""
    return LinearNoise((0.0, 0.0), (0.0, 0.0, 0.0))


def centred_noise(step_rho: float, half_range: float) -> LinearNoise:
    r"""Noise that spends ``step_rho`` exactly, for next values in an interval of half-width a = ``half_range``.

    Targets are centred in their intervals: :math:`U^2 - a^2/2`, :math:`U` and :math:`r - \frac12 + U` with
    :math:`\lvert U\rvert \le a` have absolute values of at most :math:`a^2/2`, :math:`a` and :math:`a + \frac12`. Half of
    the sum of worst cases goes to the matrices and half to the vectors. A sum of 1 truly costs only
    :math:`\max_c \frac12(1 - c^2) + \frac14(1 + c) = \frac{25}{32}`, so all variances are smaller by this factor.

    If :math:`a \le 1`, no variance can exceed 1, and the first matrix and the first two vectors are not needed. Otherwise
    the shares are .2 and .3 (matrices), .1, .1 and .3 (vectors). ``step_rho > 0``, ``half_range >= 0``; ValueError
    otherwise. Source: this book.
    """
    budget, a = setting(positive, "step_rho", step_rho) * 32 / 25, number(nonnegative, "half_range", half_range)
    if a > LARGEST:
        raise ValueError(f"half_range must be at most {LARGEST}, got {a}")
    shares = ((0, 0.5), (0, 0, 0.5)) if a <= 1 else ((0.2, 0.3), (0.1, 0.1, 0.3))
    bounds = a**2 / 2, a, a + 0.5
    return LinearNoise(tuple(sqrt(2 / (4 * share * budget)) if share else inf for share in shares[0]),
                       tuple(2 * bound / sqrt(2 * share * budget) if share else inf
                             for share, bound in zip(shares[1], bounds, strict=True)))


@dataclass(frozen=True)
class PrivacyCost:
    """The cost of a release, in zCDP for one trajectory, and the ``budget`` that it was given.

    ``naive`` adds up the worst case of each query as the paper's proof does; ``true`` is the cost of all queries for the
    worst pair of neighbours. Both are for replace one; ``naive_add_remove`` and ``true_add_remove`` are for add or remove
    one, where the number of episodes is private, and are infinite for a release that uses it.
    """

    budget: float
    naive: float
    true: float
    naive_add_remove: float
    true_add_remove: float


def joint_cost(gram, vector):
    r""":math:`\max_{-1 \le c \le 1}\, g\,(1 - c^2) + v\,(1 - c)` for ``gram`` g and ``vector`` v: at
    :math:`c = -v/2g` it is :math:`g + v + v^2/4g`, or 2v if v > 2g. Both from 0 to 1e100 (ValueError), arrays broadcast."""
    gram, vector = within("gram", gram, 0, LARGEST), within("vector", vector, 0, LARGEST)
    most = np.minimum(vector, 2 * gram)
    c = -np.divide(most, 2 * gram, out=np.ones(most.shape), where=gram > 0)
    return gram * (1 - c**2) + vector * (1 - c)


def cost_of_one_dataset(rho: float, horizon: int, noise: LinearNoise) -> PrivacyCost:
    r"""The cost of ``noise`` at each of ``horizon`` steps if all five queries read the same episodes.

    The true cost uses that with m steps left the next values are at most m - 1 and the targets at most m. At
    H = 20 the printed noise costs 0.889 rho, where the sum of worst cases is 1.4 rho. ``rho`` is the promised budget.
    """
    G, e, e_printed = _charges(horizon, noise)
    both_count = joint_cost(2 * G.sum(), 2 * e.sum(axis=1))
    one_counts = joint_cost(2 * G[0], 2 * e[:, :2].sum(axis=1)) + G[1] + e[:, 2]  # the other one's weight is 0
    return _cost(rho, G.sum(), e.sum(axis=1), e_printed.sum(), np.maximum(both_count, one_counts))


def cost_of_two_halves(rho: float, horizon: int, noise: LinearNoise) -> PrivacyCost:
    """The cost if one half of the episodes serves the variance (first matrix, two vectors) and the other the rest.

    An episode is in only one half, so the cost is that of the more expensive half. The assignment of episodes to halves
    must not depend on their content.
    """
    G, e, e_printed = _charges(horizon, noise)
    parts = (G[0], e[:, :2].sum(axis=1), e_printed[:2].sum()), (G[1], e[:, 2], e_printed[2])
    halves = [_cost(rho, gram, vector, naive, joint_cost(2 * gram, 2 * vector)) for gram, vector, naive in parts]
    return PrivacyCost(halves[0].budget, *(max(getattr(half, name) for half in halves)
                                     for name in ("naive", "true", "naive_add_remove", "true_add_remove")))


def cost_of_centred_noise(rho: float) -> PrivacyCost:
    """The cost of `centred_noise` over all steps, with an equal part of ``rho`` for each: exactly ``rho``."""
    rho = setting(positive, "rho", rho)
    return PrivacyCost(rho, rho * 32 / 25, rho, rho * 12 / 25, rho * 12 / 25)


def pair_costs(features, gram: tuple[float, float], vector: tuple[float, float]) -> np.ndarray:
    r"""An upper bound on the cost of each pair of rows u, v of ``features[n, d]``, of any length: ``[n, n]``.

    .. math:: \max_{w, z}\; \sum_{i=1}^2 g_i\,\lVert w_i uu^\top - z_i vv^\top\rVert_F^2
              + e_i \max_{0 \le a, b \le 1} \lVert a w_i u - b z_i v\rVert^2

    for ``gram`` g (:math:`1/4\sigma_Z^2` of each matrix) and ``vector`` e (:math:`B^2/2\sigma^2`, for the first two
    together and for the last). The first of each is not weighted, :math:`w_1 = z_1 = 1`; the second has weights in [0, 1],
    of which one or both are 1 in the worst case. The maximum over a public set of features bounds the cost of a release.
    ``gram`` and ``vector`` at least 0, absolute values of features at most 1e75, ValueError otherwise.
    """
    features = shaped("features", within("features", features, -1e75, 1e75), ("n", "d"))
    g, e = (shaped(name, nonnegative(name, pair), (2,)) for name, pair in (("gram", gram), ("vector", vector)))
    inner = features @ features.T
    u, v = np.diag(inner)[:, None], np.diag(inner)
    turned, moved = u**2 + v**2 - 2 * inner**2, np.maximum(u + v - 2 * inner, np.maximum(u, v))
    alone = np.maximum(g[1] * u**2 + e[1] * u, g[1] * v**2 + e[1] * v)  # the other has weight 0
    return g[0] * turned + e[0] * moved + np.maximum(g[1] * turned + e[1] * moved, alone)


def half_shift(scale: float, d: int, matrices: int, failure: float) -> float:
    r"""E/2, the multiple of the identity that makes all noisy Gram matrices positive except with probability ``failure``.

    Symmetric noise of standard deviation :math:`\sigma_Z` off the diagonal and :math:`\sqrt2\sigma_Z` on it has
    :math:`\mathbb E[-\lambda_{\min}] \le 2\sigma_Z\sqrt d` (Sudakov-Fernique), and :math:`\lambda_{\min}` is
    :math:`\sqrt2\sigma_Z`-Lipschitz in its independent normals. A union bound over all ``matrices`` gives

    .. math:: \tfrac E2 = 2\sigma_Z\Bigl(\sqrt d + \sqrt{\ln(\text{matrices}/\text{failure})}\Bigr).

    ``scale >= 0``, ``d, matrices >= 1``, ``0 < failure < 1``; ValueError otherwise. An explicit form of the E of
    Qiao & Wang (2023), Lemma D.2, whose constants are not given.
    """
    d, matrices = (setting(positive, name, whole_number(name, value, least=1))
                   for name, value in (("d", d), ("matrices", matrices)))
    deviation = np.sqrt(np.log(matrices) - np.log(number(open_unit, "failure", failure)))
    return float(2 * setting(nonnegative, "scale", scale) * (np.sqrt(d) + deviation))


def setting(check, name, value):
    """``value``, of moderate size: squares and quotients of such numbers neither overflow nor underflow."""
    value = number(check, name, value)
    if value > LARGEST or 0 < value < 1 / LARGEST:
        raise ValueError(f"{name} must be between {1 / LARGEST} and {LARGEST} if it is not 0, got {value}")
    return value


def _horizon(horizon):
    return whole_number("horizon", horizon, least=1, most=10**6)


def _rho_0(rho, horizon):
    horizon = _horizon(horizon)
    return setting(positive, "rho", rho) / (5 * horizon), horizon


def _charges(horizon, noise):
    """1/(4 sigma_Z^2) [2]; B^2/(2 sigma^2) at each step, with the true bounds B [H, 3] and with the printed ones [3]."""
    H = _horizon(horizon)
    for scale in (*instance_of(LinearNoise, "noise", noise).gram, *noise.vector):
        if not scale > 0:
            raise ValueError(f"noise must be positive, got {scale}")
    left, variances = np.arange(H, 0, -1), 2 * np.square(noise.vector)
    bounds = np.stack([(left - 1) ** 2, left - 1, left], axis=1)
    return 1 / (4 * np.square(noise.gram)), bounds**2 / variances, np.array([H**2, H, H]) ** 2 / variances


def _cost(rho, gram, vector, vector_printed, true):
    steps = len(vector)
    return PrivacyCost(number(positive, "rho", rho), float(steps * (2 * gram + 4 * vector_printed)), float(np.sum(true)),
                       float(steps * (gram + vector_printed)), float(np.sum(gram + vector)))
