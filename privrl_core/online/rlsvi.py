r"""RLSVI as it is: exploration noise that is privacy noise as well, and how far it goes.

Source: Lu, Gajane, Bai & Talebi (2026), arXiv 2606.01952. The formula is in the abstract, which was read; the proof was not.
"""

import numpy as np

from privrl_core.checks import number, open_unit, positive, whole_number

__all__ = ["rlsvi_epsilon", "rlsvi_people"]


def _rate(horizon, n_states, n_actions):
    horizon, n_states, n_actions = (whole_number(name, value, least=1) for name, value in (
        ("horizon", horizon), ("n_states", n_states), ("n_actions", n_actions)))
    return 2 * n_actions / (horizon**2 * np.log(2 * horizon * n_states * n_actions))


def rlsvi_epsilon(n_people: int, delta: float, *, horizon: int, n_states: int, n_actions: int) -> float:
    r"""The claimed joint privacy of RLSVI with its own noise, after K = ``n_people``:

    .. math:: \varepsilon(\delta) = x + 2\sqrt{x \ln(1/\delta)}, \qquad x = \frac{2AK}{H^2 \ln(2HSA)} .

    The natural logarithm is this book's reading. In RiverSwim (S = 6, A = 2, H = 20) it is 71.0 after 20,000 people at
    :math:`\delta = 10^{-5}`. ``0 < delta < 1`` and whole numbers of at least 1; ValueError otherwise.
    """
    x = whole_number("n_people", n_people, least=1) * _rate(horizon, n_states, n_actions)
    return float(x + 2 * np.sqrt(-x * np.log(number(open_unit, "delta", delta))))


def rlsvi_people(epsilon: float, delta: float, *, horizon: int, n_states: int, n_actions: int) -> int:
    """The largest number of people for whom `rlsvi_epsilon` is at most ``epsilon > 0``: 12 in RiverSwim at (1, 1e-5)."""
    log = -np.log(number(open_unit, "delta", delta))
    x = (np.sqrt(log + number(positive, "epsilon", epsilon)) - np.sqrt(log)) ** 2
    return int(np.floor(x / _rate(horizon, n_states, n_actions) * (1 + 1e-12)))
