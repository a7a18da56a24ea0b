r"""The account of repeated clipped sums: from noise to :math:`(\varepsilon, \delta)`, and back.

In each of K steps a clipped sum with :math:`\lVert G_i\rVert \le C` is published with Gaussian noise of standard deviation
:math:`\sigma C`; :math:`\sigma` is the *noise multiplier*. Everybody takes part (q = 1), or each person independently with
probability q, and the set stays secret (Poisson sampling).

* **Everybody.** :math:`\mu = \Delta\sqrt K/\sigma`, exact, with :math:`\Delta = 1` for *add or remove one* and 2 for
  *replace one*.
* **Poisson.** The person is in the sum or not, so that the worst pair for one step is :math:`N(0, \sigma^2)` against
  :math:`(1-q) N(0, \sigma^2) + q N(1, \sigma^2)`, in both directions, for *add or remove one*, and :math:`(1-q) N(0,
  \sigma^2) + q N(\pm1, \sigma^2)` for *replace one*, which is less than twice as hard. Privacy losses of K steps add up;
  their distribution is computed on a grid, rounded upwards.

A secret order is essential: whoever knows that a person is in batch 7 knows that q = 1 there. Batches taken from a shuffled
list are not Poisson samples and have another, larger epsilon.

Sources: Dong, Roth & Su (2022) for q = 1; Abadi et al. (2016) for the sampled Gaussian; Doroshenko, Ghazi, Kamath, Kumar &
Manurangsi (2022), "Connect the Dots", for the grid, which is that of ``dp_accounting``; Lebeda, Regehr, Kamath & Steinke
(2024), arXiv 2405.20769, for the pair under *replace one*. tests/networks holds the results against another library's
accountant.
"""

from functools import lru_cache

import numpy as np
from scipy.optimize import brentq

from privrl_core.checks import instance_of, number, open_unit, positive, up_to, whole_number
from privrl_core.lazy import needs
from privrl_core.privacy.curves import gaussian_epsilon, gaussian_mu
from privrl_core.privacy.guarantees import ADD_OR_REMOVE_ONE, REPLACE_ONE, Neighbours

__all__ = ["noise_multiplier", "sampled_gaussian_epsilon"]

PRECISION = 1e-4  # of the noise multiplier, relative
GRID = 5e-4  # of privacy losses, less for more than a hundred steps: makes the noise a little too large, never too small
MOST_EPSILON, LEAST_NOISE, LEAST_SAMPLING, MOST_STEPS = 50.0, 0.1, 1e-9, 10**6  # what the grid can hold


def noise_multiplier(epsilon: float, delta: float, *, sampling: float, steps: int,
                     neighbours: Neighbours = ADD_OR_REMOVE_ONE) -> float:
    r"""The smallest :math:`\sigma` with which ``steps`` clipped sums of samples of rate ``sampling`` are private.

    From above: about 0.1 % more than it takes where epsilon is 0.5 or more, and more below. ``0 < epsilon <= 50``, ``0 <
    delta < 1``, ``1e-9 <= sampling <= 1``, ``1 <= steps <= 10^6``, ``neighbours`` *add or remove one* or *replace one*;
    ValueError otherwise.
    """
    epsilon = up_to("epsilon", number(positive, "epsilon", epsilon), MOST_EPSILON)
    return _noise_multiplier(epsilon, number(open_unit, "delta", delta), *_plan(sampling, steps, neighbours))


def sampled_gaussian_epsilon(noise: float, delta: float, *, sampling: float, steps: int,
                             neighbours: Neighbours = ADD_OR_REMOVE_ONE) -> float:
    r""":math:`\varepsilon(\delta)` of ``steps`` clipped sums with noise multiplier ``noise`` :math:`\sigma > 0`.

    Exact for ``sampling = 1``; otherwise from above, and ``noise`` at least 0.1. Ranges as in `noise_multiplier`.
    """
    noise, delta = number(positive, "noise", noise), number(open_unit, "delta", delta)
    plan = _plan(sampling, steps, neighbours)
    if plan[0] < 1 and noise < LEAST_NOISE:
        raise ValueError(f"noise must be at least {LEAST_NOISE} for the account of samples, got {noise}")
    return _epsilon(noise, delta, *plan)


def _plan(sampling, steps, neighbours):
    sampling = up_to("sampling", number(positive, "sampling", sampling), 1)
    if sampling < LEAST_SAMPLING:
        raise ValueError(f"sampling must be at least {LEAST_SAMPLING}, got {sampling}")
    if instance_of(Neighbours, "neighbours", neighbours) not in (ADD_OR_REMOVE_ONE, REPLACE_ONE):
        raise ValueError(f"neighbours must be add or remove one, or replace one, got {neighbours}")
    return sampling, whole_number("steps", steps, least=1, most=MOST_STEPS), 2 if neighbours == REPLACE_ONE else 1


@lru_cache(maxsize=256)
def _noise_multiplier(epsilon, delta, sampling, steps, distance):
    high = low = float(distance * np.sqrt(steps) / gaussian_mu(epsilon, delta))  # enough, with or without sampling
    if sampling == 1:
        return high

    def excess(noise):
        return _epsilon(noise, delta, sampling, steps, distance) - epsilon
    while excess(low) <= 0:
        if low <= LEAST_NOISE:
            return low
        low, high = max(low / 1.5, LEAST_NOISE), low
    if low == high:
        return high  # where even this grid is too coarse
    noise = brentq(excess, low, high, rtol=PRECISION)
    while excess(noise) > 0:
        noise *= 1 + PRECISION
    return float(noise)


@lru_cache(maxsize=1024)
def _epsilon(noise, delta, sampling, steps, distance):
    if sampling == 1:
        return float(gaussian_epsilon(delta, distance * np.sqrt(steps) / noise))
    with needs("networks"):
        from dp_accounting.pld import privacy_loss_distribution as pld
        from dp_accounting.privacy_accountant import NeighboringRelation as Relation
    relation = Relation.REPLACE_ONE if distance == 2 else Relation.ADD_OR_REMOVE_ONE
    step = pld.from_gaussian_mechanism(noise, sampling_prob=sampling, neighboring_relation=relation,
                                       value_discretization_interval=GRID * min(1, 10 / np.sqrt(steps)))
    epsilon = float(step.self_compose(steps).get_epsilon_for_delta(delta))
    if not np.isfinite(epsilon):
        raise ValueError(f"delta must be large enough for the grid of privacy losses, got {delta}")
    return epsilon
