r"""Q as a sum of hat functions: piecewise linear on equally spaced knots of [0, 1], one row of parameters per action.

Hats are non-negative and sum to 1. Their Gram matrix in the noise's Hilbert space, the largest change that a neighbouring
reward makes to an update, and the contraction factor of fitted Q-iteration therefore have exact formulas.
"""

from dataclasses import dataclass

import numpy as np

from privrl_core.checks import Record, discount_below_one, finite, number, positive, set_fields, shaped, whole_number, within

__all__ = ["LinearQ", "hat_features", "hat_gram", "fitted_q_iteration"]

ITERATED = 0.999  # the largest discount at which fitted Q-iteration is iterated: some twenty thousand rounds


@dataclass(frozen=True, eq=False)
class LinearQ(Record):
    """Q of many runs, ``parameters[runs, 2, knots]``; ``q(states[n])`` or ``q(states[runs, n])`` is ``[runs, n, 2]``."""

    parameters: np.ndarray

    def __post_init__(self):
        set_fields(self, parameters=finite("parameters", self.parameters))

    def __call__(self, states) -> np.ndarray:
        return np.einsum("...nk,...ak->...na", hat_features(states, self.parameters.shape[-1]), self.parameters)


def hat_features(states, n_knots: int) -> np.ndarray:
    r"""The hats :math:`\phi_k(s) = \max(0, 1 - |(n - 1)s - k|)` at ``states[...]`` in [0, 1]: ``[..., n_knots]``.

    ``n_knots >= 2``; ValueError otherwise and for states outside [0, 1].
    """
    states, last = within("states", states, 0, 1), whole_number("n_knots", n_knots, least=2) - 1
    return np.maximum(0, 1 - np.abs(last * states[..., None] - np.arange(last + 1)))


def hat_gram(n_knots: int, beta: float) -> np.ndarray:
    r"""Inner products of the hats in the Hilbert space of the kernel :math:`e^{-\beta|x-y|}`: ``[n_knots, n_knots]``.

    .. math:: G_{ij} = \tfrac12\bigl(\phi_i(0)\phi_j(0) + \phi_i(1)\phi_j(1)\bigr)
              + \tfrac{1}{2\beta}\int_0^1 \phi_i'\phi_j' + \beta^2\phi_i\phi_j

    Tridiagonal: a cell of width h adds [[1, −1], [−1, 1]]/h and :math:`\beta^2 h/6` [[2, 1], [1, 2]] to the integral.
    ``n_knots >= 2``, ``beta > 0``; ValueError otherwise. Source: Wang & Hegde (2019), Lemma 6.
    """
    cells, beta = whole_number("n_knots", n_knots, least=2) - 1, number(positive, "beta", beta)
    gram = np.zeros((cells + 1, cells + 1))
    cell = cells * np.array([[1, -1], [-1, 1]]) + beta**2 / (6 * cells) * np.array([[2, 1], [1, 2]])
    for k in range(cells):
        gram[k:k + 2, k:k + 2] += cell / (2 * beta)
    gram[0, 0] += 0.5
    gram[-1, -1] += 0.5
    return gram


def fitted_q_iteration(states, actions, next_states, rewards, *, discount: float, n_knots: int) -> LinearQ:
    r"""Value iteration on the steps of a walk, started at 0, with an interpolated value of the next state.

    .. math:: \theta_{ak} \leftarrow
              \operatorname{mean}_t \bigl[r_t + \gamma \sum_l \phi_l(s'_t) \max_{a'} \theta_{a'l}\bigr]

    The mean weights the steps with action a by :math:`\phi_k(s_t)`, and the value of the next state is interpolated.
    Both operations are averages, so one round contracts by :math:`\gamma` in the sup-norm, and rewards that all move by at
    most :math:`\eta` move :math:`\theta` by at most :math:`\eta/(1-\gamma)`. The number of rounds follows from
    :math:`\gamma` alone (:math:`\gamma^n \le 10^{-9}`), because a stopping rule that looked at the values would leak
    information. Above :math:`\gamma = 0.999` the rounds would take minutes; their limit is then computed by policy
    iteration, with a relative error of about :math:`10^{-16}/(1 - \gamma)`.

    All of ``states``, ``actions`` (0 or 1), ``next_states`` and ``rewards`` are ``[runs, steps]``. If an action was never
    taken near a knot, its mean reward and its future value there are 0. ``0 <= discount < 1``, else ValueError.
    Source: Gordon (1995) for averagers; Ernst, Geurts & Wehenkel (2005) for the name.
    """
    states = shaped("states", states, ("runs", "steps"))
    actions, next_states, rewards = (shaped(name, values, states.shape) for name, values in (
        ("actions", actions), ("next_states", next_states), ("rewards", rewards)))
    if np.any((actions != 0) & (actions != 1)):
        raise ValueError(f"actions must be 0 or 1, got {actions[(actions != 0) & (actions != 1)][0]}")
    discount, n_knots = discount_below_one(discount), whole_number("n_knots", n_knots, least=2)
    means, moves = np.empty((2, len(states), n_knots)), np.empty((2, len(states), n_knots, n_knots))
    for run in range(len(states)):
        here, there = hat_features(states[run], n_knots), hat_features(next_states[run], n_knots)
        for a in range(2):
            weights = here[actions[run] == a].T
            weights = weights / np.maximum(weights.sum(1, keepdims=True), np.finfo(float).tiny)
            means[a, run] = weights @ rewards[run, actions[run] == a]
            moves[a, run] = weights @ there[actions[run] == a]
    if discount > ITERATED:
        return LinearQ(np.moveaxis(_solved(means, moves, discount), 0, 1))
    values = means
    for _ in range(int(np.ceil(np.log(1e-9) / np.log(discount))) if discount else 0):
        values = means + discount * np.einsum("arkl,rl->ark", moves, values.max(0))
    return LinearQ(np.moveaxis(values, 0, 1))


def _solved(means, moves, discount):
    """The limit of the rounds, by policy iteration in each run: solve a linear system for the values of a policy, then
    improve its actions. A run is finished when the sum of its values no longer grows."""
    best, total = np.zeros(means.shape[1:], int), np.full(len(means[0]), -np.inf)
    values, q = np.zeros(means.shape[1:]), means
    while True:
        taken = np.take_along_axis(moves, best[None, :, :, None], 0)[0]
        new = np.linalg.solve(np.eye(taken.shape[-1]) - discount * taken,
                              np.take_along_axis(means, best[None], 0)[0][..., None])[..., 0]
        grown = new.sum(-1) > total
        if not grown.any():
            return q
        values[grown], total[grown] = new[grown], new[grown].sum(-1)
        q = means + discount * np.einsum("arkl,rl->ark", moves, values)
        best = q.argmax(0)
