r"""What an audit finds where the account of DP-SGD is right on paper and the program does something else.

Batches of a shuffled list are the commonest: a program deals everybody into T batches and accounts for Poisson samples of
rate 1/T. `shuffled_epsilon` has the event that an attacker chooses, in closed form, so that nothing has to be sampled.

`one_run_epsilon` audits one run by many canaries at once. It holds for any mechanism and any attack, and proves little where
it finds nothing: its bound stays far below the true epsilon for networks.
"""

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import expit, log_ndtr
from scipy.stats import binom

from privrl_core.checks import nonnegative, number, open_unit, positive, up_to, whole_number

__all__ = ["shuffled_epsilon", "one_run_epsilon"]

LEAST_NOISE = 0.05


def shuffled_epsilon(noise: float, delta: float, *, batches: int) -> float:
    r"""A lower bound on :math:`\varepsilon` of one epoch of ``batches`` T shuffled batches of one size, noise multiplier
    ``noise`` :math:`\sigma`, all batch sums published.

    The neighbour is a person whose contribution becomes zero (the slot stays). Everybody else adds -1 along one direction
    and she adds +1, so that her batch is ahead of the others by 2 with her and by 1 without her data. The attacker looks at
    the largest sum, :math:`M = \max_j x_j`:

    .. math:: P[M > t] = 1 - \Phi(t/\sigma)^{T-1}\,\Phi\bigl((t - 2)/\sigma\bigr), \qquad
              P'[M > t] = 1 - \Phi(t/\sigma)^{T-1}\,\Phi\bigl((t - 1)/\sigma\bigr),
              \qquad \varepsilon \ge \max_t \ln\frac{P[M > t] - \delta}{P'[M > t]} .

    For T = 1 it is at most that of the Gaussian mechanism, which for every T bounds the true epsilon from above (batches in
    a fixed order). ``0.05 <= noise <= 20``, ``0 < delta < 1``, ``batches >= 1``; ValueError otherwise. Source of the pair:
    Chua et al. (2024), arXiv 2403.17673, from memory; the event's probabilities are checked by simulation in tests/networks.
    """
    noise, delta = number(positive, "noise", noise), number(open_unit, "delta", delta)
    batches = whole_number("batches", batches, least=1)

    if not LEAST_NOISE <= noise <= 1 / LEAST_NOISE:
        raise ValueError(f"noise must be from {LEAST_NOISE} to {1 / LEAST_NOISE:g}, got {noise}")

    def above(t, ahead):
        return -np.expm1((batches - 1) * log_ndtr(t / noise) + log_ndtr((t - ahead) / noise))

    def minus_epsilon(t):
        return -np.log(max((above(t, 2) - delta) / above(t, 1), 1e-300))
    grid = np.linspace(-3 * noise, 3 + 8 * noise, 400)
    start = grid[np.argmin([minus_epsilon(t) for t in grid])]
    best = minimize_scalar(minus_epsilon, bounds=(start - 0.1 * noise, start + 0.1 * noise), method="bounded")
    return float(max(0.0, -best.fun))


def one_run_epsilon(correct: int, guesses: int, *, canaries: int, delta: float, confidence: float = 0.95) -> float:
    r"""A lower confidence bound on :math:`\varepsilon`, from one run with m = ``canaries``, each included with probability
    1/2.

    The auditor guesses r = ``guesses`` of them (in or out) from everything that was published, and is ``correct`` v times.
    If the run is :math:`(\varepsilon, \delta)`-private under *add or remove one*, then with :math:`X \sim
    \mathrm{Bin}\bigl(r, e^\varepsilon/(1 + e^\varepsilon)\bigr)`

    .. math:: P[V \ge v] \le P[X \ge v] + 2 m \delta \max_{1 \le i \le v} \frac{P[v - i \le X < v]}{i} ;

    the bound is the largest epsilon that this refutes at 1 - ``confidence``, and 0 if there is none. The number of guesses
    must be fixed before the run. ``0 <= correct <= guesses <= canaries``; ValueError otherwise. Source: Steinke, Nasr &
    Jagielski (2023), arXiv 2305.08846, Theorem 5.2, from memory and not checked against the text; tests/networks holds it
    against mechanisms whose epsilon is known.
    """
    canaries = whole_number("canaries", canaries, least=1)
    guesses = up_to("guesses", whole_number("guesses", guesses, least=1), canaries, "canaries")
    correct = up_to("correct", whole_number("correct", correct, least=0), guesses, "guesses")
    delta = number(nonnegative, "delta", delta) and number(open_unit, "delta", delta)
    chance = 1 - number(open_unit, "confidence", confidence)

    def excess(epsilon):
        right = expit(epsilon)
        below = np.cumsum(binom.pmf(np.arange(correct - 1, -1, -1), guesses, right)) / np.arange(1, correct + 1)
        return binom.sf(correct - 1, guesses, right) + 2 * canaries * delta * below.max(initial=0) - chance
    return 0.0 if excess(0.0) >= 0 else float(brentq(excess, 0.0, 60.0, xtol=1e-9)) if excess(60.0) > 0 else 60.0

