r"""The noise that the theorems on Q-learning with functional noise require: one function for each reading.

A training run of T samples in batches of B makes T/B updates. Each moves the value function by f with
:math:`\lVert f\rVert_H \le \Delta`. The release of one update with noise
:math:`\mathcal G(0, \sigma^2 e^{-\beta|x - y|})` is :math:`\Delta/\sigma`-Gaussian-DP, so that all updates together need

.. math:: \sigma = \sqrt{T/B}\;\Delta(k) / \mu(\varepsilon, \delta) ,

where k bounds the noise (:math:`\lvert g(s') - g(s)\rvert \le 2k`) except with probability :math:`\delta_g`. More noise
needs a larger k, which in turn allows a larger step. The readings differ in :math:`\Delta`, in :math:`\mu` and in the
tail of the noise. Each is ``(epsilon, delta, training) -> PathNoise``: the smallest :math:`\sigma` that it allows.

Unit of privacy: the reward function; neighbours: :math:`\lVert r - r'\rVert_\infty \le 1`. These numbers are not proofs:
*as printed*, no theorem covers what the printed algorithms release, see ``chapters/03_functional_noise``.
Source: Wang & Hegde (2019), Theorem 5 and Appendix E.3; its arXiv version, Theorem 4.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from privrl_core.checks import instance_of, nonnegative, number, open_unit, positive, set_fields, up_to, whole_number
from privrl_core.functional_noise.suprema import sup_tail
from privrl_core.privacy.curves import cached_gaussian_mu

__all__ = ["Training", "APPENDIX_E3", "PathNoise", "step", "norm_bound", "h_norm_bound", "mu_as_printed",
           "sup_failure_as_printed", "theorem_5_as_printed", "theorem_5_with_root", "theorem_5_with_right_tail",
           "theorem_5_composed_exactly", "theorem_5_with_tight_sup", "one_step", "one_step_jointly", "one_step_smooth",
           "theorem_4_as_printed", "theorem_4_with_root", "theorem_4_with_right_tail", "smallest_epsilon"]


@dataclass(frozen=True)
class Training:
    """The constants of a training run, all public.

    ``learning_rate`` (alpha), ``lipschitz`` (L: of Q in the state and in its parameters), ``n_samples`` (T),
    ``batch_size`` (B), ``n_paths`` (J: how often the noise is redrawn), ``n_actions`` (m), ``reward_bound`` (r_0).
    ValueError unless all are positive, the counts whole numbers, and batch_size at most n_samples.
    """

    learning_rate: float
    lipschitz: float
    n_samples: int
    batch_size: int
    n_paths: int
    n_actions: int
    reward_bound: float

    def __post_init__(self):
        for name in ("learning_rate", "lipschitz", "reward_bound"):
            set_fields(self, **{name: number(positive, name, getattr(self, name))})
        for name in ("n_samples", "batch_size", "n_paths", "n_actions"):
            set_fields(self, **{name: whole_number(name, getattr(self, name), least=1)})
        up_to("batch_size", self.batch_size, self.n_samples, "n_samples")

    @property
    def rounds(self) -> float:
        """T/B, the number of updates as the theorems count them."""
        return self.n_samples / self.batch_size

    @property
    def updates(self) -> int:
        """The number of full batches, that is, of updates of the parameters."""
        return self.n_samples // self.batch_size


#: The settings of appendix E.3 of the paper.
APPENDIX_E3 = Training(learning_rate=3e-4, lipschitz=4.0, n_samples=5000, batch_size=64, n_paths=78, n_actions=2,
                       reward_bound=0.5)


@dataclass(frozen=True)
class PathNoise:
    """The noise that a reading requires: standard deviation ``sigma``, kernel ``exp(-beta |x - y|)``, and its ``k``, if any.
    ValueError unless they are positive."""

    sigma: float
    beta: float
    k: float | None = None

    def __post_init__(self):
        for name in ("sigma", "beta") if self.k is None else ("sigma", "beta", "k"):
            set_fields(self, **{name: number(positive, name, getattr(self, name))})


def step(k: float, training: Training) -> float:
    r""":math:`v = 4\alpha(k + 1)/B`; the theorem's kernel has :math:`\beta = 1/v`. ``k > 0``; ValueError outside."""
    instance_of(Training, "training", training)
    return 4 * training.learning_rate * (number(positive, "k", k) + 1) / training.batch_size


def norm_bound(k: float, training: Training) -> float:
    r""":math:`C(\alpha, k, L, B) = (v^2 + v)L^2`, which Theorem 5's proof shows to bound the *square* of the norm."""
    v = step(k, training)
    return (v**2 + v) * training.lipschitz**2


def h_norm_bound(largest: float, slope: float, beta: float) -> float:
    r""":math:`\lVert f\rVert_H \le \sqrt{S^2(1 + \beta/2) + \ell^2/2\beta}` if :math:`|f| \le S` (``largest``) and
    :math:`|f'| \le \ell` (``slope``). It is smallest at :math:`\beta = \ell/S`:
    :math:`\sqrt{S^2 + S\ell}`. All positive; ValueError outside.
    """
    S, lip = number(positive, "largest", largest), number(positive, "slope", slope)
    beta = number(positive, "beta", beta)
    return float(np.sqrt(S**2 * (1 + beta / 2) + lip**2 / (2 * beta)))


def mu_as_printed(epsilon: float, delta: float) -> float:
    r""":math:`\mu = \varepsilon/\sqrt{2\ln(e + \varepsilon/\delta)}`, which Theorem 5 uses in place of `.gaussian_mu`.

    It is smaller, hence safe, up to an epsilon of about 12, and larger, hence wrong, beyond. ``epsilon > 0``,
    ``0 < delta < 1``; ValueError outside.
    """
    epsilon, delta = number(positive, "epsilon", epsilon), number(open_unit, "delta", delta)
    return float(epsilon / np.sqrt(2 * np.log(np.e + epsilon / delta)))


def sup_failure_as_printed(k: float, sigma: float, training: Training) -> float:
    r"""What Theorem 5 adds to delta: :math:`J\exp(-(2k - 8.68\sqrt\beta\,\sigma)^2/2)`, :math:`\beta = 1/v`.

    ``k, sigma > 0``; ValueError outside, and unless :math:`2k > 8.68\sqrt\beta\,\sigma`, which the theorem demands.
    """
    drift = 8.68 * number(positive, "sigma", sigma) / np.sqrt(step(k, training))
    if not 2 * k > drift:
        raise ValueError(f"2k must be above 8.68 sqrt(beta) sigma = {drift:.4g} for Theorem 5, got {2 * k:.4g}")
    return float(training.n_paths * np.exp(-((2 * k - drift) ** 2) / 2))


def _first(room: Callable, grid: np.ndarray, why: str) -> float:
    """The smallest k with ``room(k) >= 0``, at least the first of the grid; ValueError if none on the grid qualifies."""
    enough = room(grid) >= 0
    if not enough.any():
        raise ValueError(f"epsilon and delta must leave room for the tail of the noise: no k is large enough at {why}")
    right = int(np.argmax(enough))
    return float(grid[0] if right == 0 else brentq(room, grid[right - 1], grid[right], rtol=1e-13))


_EVERY_K = np.geomspace(1e-3, 1e9, 4801)


def _theorem_5(epsilon, delta, training: Training, per_norm: float, norm: Callable, deviation: Callable) -> PathNoise:
    """The noise at the first k that exceeds the printed mean of the supremum by u deviations; sigma grows with k."""
    slope, u = 4 * training.learning_rate / training.batch_size, np.sqrt(2 * np.log(2 * training.n_paths / delta))

    def sigma(k):
        v = slope * (k + 1)
        return per_norm * norm((v**2 + v) * training.lipschitz**2)

    def room(k):
        at = sigma(k)
        return 2 * k - 8.68 * at / np.sqrt(slope * (k + 1)) - u * deviation(at)
    k = _first(room, _EVERY_K, f"epsilon = {epsilon}, delta = {delta}")
    return PathNoise(float(sigma(k)), 1 / step(k, training), k)


def _per_norm_as_printed(epsilon, delta, training):
    instance_of(Training, "training", training)
    return np.sqrt(training.rounds) / mu_as_printed(epsilon, number(open_unit, "delta", delta) / 2)


def theorem_5_as_printed(epsilon: float, delta: float, training: Training) -> PathNoise:
    r"""Theorem 5 to the letter: :math:`\sigma \ge \sqrt{2(T/B)\ln(e + \varepsilon/\delta)}\;C/\varepsilon`.

    As in Appendix E.3, half of ``delta`` is spent on the supremum of the noise. The square root of C is missing, because
    a squared norm is used as the norm. ``epsilon > 0``, ``0 < delta < 1``; ValueError outside, and if no k satisfies it.
    """
    per_norm = _per_norm_as_printed(epsilon, delta, training)
    return _theorem_5(epsilon, delta, training, per_norm, np.positive, np.ones_like)


def theorem_5_with_root(epsilon: float, delta: float, training: Training) -> PathNoise:
    r"""Theorem 5 as its proof concludes: :math:`\sqrt C` in place of C. Range and errors of `theorem_5_as_printed`."""
    per_norm = _per_norm_as_printed(epsilon, delta, training)
    return _theorem_5(epsilon, delta, training, per_norm, np.sqrt, np.ones_like)


def theorem_5_with_right_tail(epsilon: float, delta: float, training: Training) -> PathNoise:
    r"""`theorem_5_with_root`, with Borell's tail :math:`\exp(-u^2/2\sigma^2)`. The same range and errors."""
    per_norm = _per_norm_as_printed(epsilon, delta, training)
    return _theorem_5(epsilon, delta, training, per_norm, np.sqrt, np.positive)


def theorem_5_composed_exactly(epsilon: float, delta: float, training: Training) -> PathNoise:
    r"""`theorem_5_with_right_tail`, with the exact `.gaussian_mu` over the full batches. The same range and errors."""
    instance_of(Training, "training", training)
    mu = cached_gaussian_mu(number(positive, "epsilon", epsilon), number(open_unit, "delta", delta) / 2)
    return _theorem_5(epsilon, delta, training, np.sqrt(training.updates) / mu, np.sqrt, np.positive)


def theorem_5_with_tight_sup(epsilon: float, delta: float, training: Training) -> PathNoise:
    r"""The paper's step :math:`S = vL`, with all else corrected: exact composition, a difference with slope up to 2L, and
    :math:`\sup|g| \le k` for each of J paths of m action functions by `.suprema.sup_tail`.

    The step itself still has an unjustified factor 1/B. Range and errors of `theorem_5_as_printed`.
    """
    instance_of(Training, "training", training)
    mu = cached_gaussian_mu(number(positive, "epsilon", epsilon), number(open_unit, "delta", delta) / 2)
    each = delta / (4 * training.n_paths * training.n_actions)  # two sides of every path

    def noise(k):
        S, slope = step(k, training) * training.lipschitz, 2 * training.lipschitz
        beta = slope / S
        return PathNoise(float(np.sqrt(training.updates) * h_norm_bound(S, slope, beta) / mu), beta, k)

    @np.vectorize
    def room(k):
        at = noise(k)
        return np.log(each / sup_tail(min(k / at.sigma, 30.0), at.beta))  # beyond 30 the tail is negligible
    return noise(_first(room, np.geomspace(0.1, 1e5, 61), f"epsilon = {epsilon}, delta = {delta}"))


def one_step(epsilon: float, delta: float, training: Training) -> PathNoise:
    r"""The noise for one update if it stays in the parameters, for the values of *one* action.

    Premise: Q is linear in its parameters. From the same parameters, batch and noise the reward enters the gradient
    linearly, hence :math:`\lVert Q - Q'\rVert_\infty \le \alpha L^2 =: S`, without k, and the difference has a slope of
    at most 2L. Q itself has no bounded slope, since it contains a path. For a network, no algorithm in the book keeps such
    noise, and this is accounting only. The best kernel has :math:`\beta = 2L/S`. Composition over the full batches is
    exact and uses all of ``delta``. To release all actions, use `one_step_jointly`. ``epsilon >= 0``, ``0 < delta < 1``;
    ValueError outside.
    """
    return _one_step(epsilon, delta, training, slope=2 * instance_of(Training, "training", training).lipschitz)


def one_step_jointly(epsilon: float, delta: float, training: Training) -> PathNoise:
    r"""`one_step` for the values of all m actions together: at most :math:`\sqrt m` times the norm with shared weights."""
    each = one_step(epsilon, delta, training)
    return PathNoise(each.sigma * training.n_actions**0.5, each.beta)


def one_step_smooth(epsilon: float, delta: float, training: Training) -> PathNoise:
    r"""`one_step` if the change is also smooth, with slope at most :math:`\alpha L^2`: then :math:`\beta = 1`."""
    instance_of(Training, "training", training)
    return _one_step(epsilon, delta, training, slope=training.learning_rate * training.lipschitz**2)


def _one_step(epsilon, delta, training, *, slope):
    S = training.learning_rate * training.lipschitz**2
    norm = h_norm_bound(S, slope, slope / S)
    mu = cached_gaussian_mu(number(nonnegative, "epsilon", epsilon), number(open_unit, "delta", delta))
    return PathNoise(float(np.sqrt(training.updates) * norm / mu), slope / S)


def _theorem_4(epsilon, delta, training: Training, deviation: float, power: float) -> PathNoise:
    """The noise at the best beta, with its k: C is a sum of exponentials of ln beta, so it has one minimum."""
    per_norm = _per_norm_as_printed(epsilon, delta, training)
    r0, L, u = training.reward_bound, training.lipschitz, deviation * np.sqrt(2 * np.log(2 * training.n_paths / delta))

    def k_of(beta):
        return (51.7 * np.sqrt(beta) + u) / r0

    def C(beta):
        largest = 2 * training.learning_rate * L**2 * (2 * k_of(beta) + 1) * r0 / training.batch_size
        return (1 + beta**2) * largest**2 + L**2 / (2 * beta)
    beta = np.exp(minimize_scalar(lambda x: np.log(C(np.exp(x))), bounds=(-20, 20), method="bounded",
                                  options={"xatol": 1e-10}).x)
    sigma = per_norm * C(beta) ** power
    if sigma > 5:
        raise ValueError(f"sigma must be at most 5 in Theorem 4, which asks for {sigma:.4g} at epsilon = {epsilon}, "
                         f"delta = {delta}")
    return PathNoise(float(sigma), float(beta), float(k_of(beta)))


def theorem_4_as_printed(epsilon: float, delta: float, training: Training) -> PathNoise:
    r"""Theorem 4 of the arXiv version to the letter, at the best :math:`\beta`:

    .. math:: C = (1 + \beta^2)(2\alpha L^2(2k + 1)r_0/B)^2 + L^2/2\beta, \qquad
              \delta_g = J\exp(-(kr_0 - 51.7\sqrt\beta)^2/2), \qquad \sigma \le 5 .

    Range and errors of `theorem_5_as_printed`; ValueError also if it would need a larger sigma.
    """
    return _theorem_4(epsilon, delta, training, 1.0, 1.0)


def theorem_4_with_root(epsilon: float, delta: float, training: Training) -> PathNoise:
    r"""Theorem 4 as its proof concludes: :math:`\sqrt C` in place of C. Range and errors of `theorem_4_as_printed`."""
    return _theorem_4(epsilon, delta, training, 1.0, 0.5)


def theorem_4_with_right_tail(epsilon: float, delta: float, training: Training) -> PathNoise:
    r"""`theorem_4_with_root`, with the tail at :math:`\sigma \le 5`: :math:`\exp(-u^2/50)`. The same range and errors."""
    return _theorem_4(epsilon, delta, training, 5.0, 0.5)


def smallest_epsilon(reading: Callable, sigma: float, delta: float, training: Training) -> float:
    r"""The smallest :math:`\varepsilon` at which ``reading`` requires no more than ``sigma``, between 1e-3 and 1e5.

    ``sigma > 0``, ``0 < delta < 1``; ValueError outside, and if no such epsilon is in the range.
    """
    sigma, delta = number(positive, "sigma", sigma), number(open_unit, "delta", delta)
    instance_of(Training, "training", training)
    instance_of(Callable, "reading", reading)

    def excess(log_epsilon):
        try:
            return np.log(reading(float(np.exp(log_epsilon)), delta, training).sigma / sigma)
        except ValueError:
            return 1e3  # no noise satisfies the reading at this epsilon
    low, high = np.log(1e-3), np.log(1e5)
    if excess(low) < 0 or excess(high) > 0:
        raise ValueError(f"sigma must be what {reading.__name__} asks for at an epsilon from 1e-3 to 1e5, got {sigma}")
    return float(np.exp(brentq(excess, low, high, xtol=1e-10)))
