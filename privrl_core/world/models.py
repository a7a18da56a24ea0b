"""Finite models of the world and their exact values."""

import warnings
from dataclasses import dataclass

import numpy as np

from privrl_core.checks import Record, axis_sizes, booleans, discount_factor, distributions, finite, set_fields, shaped

_ROUNDING, _EXACT = 2 * np.finfo(float).eps, 1e-9  # rounding of a sum of two terms; largest relative error of exact values


def _not_overflown(values):
    if not np.isfinite(values).all():
        raise ValueError("rewards must be small enough for values that are finite doubles, got an overflow")
    return values


@dataclass(frozen=True, eq=False)
class FiniteMDP(Record):
    """A discounted Markov decision process with finitely many states and actions.

    ``transitions[s, a, n]`` is the probability of next state n, ``rewards[s, a, n]`` the reward on that
    transition, ``discount`` is in [0, 1], and ``initial[s]`` is the initial distribution. An episode ends on
    entering a state with ``terminal[s]`` True, whose value is 0. The rows of a terminal state are never
    used; by convention it returns to itself. Raises ValueError, naming the argument, for wrong shapes,
    numbers that are not finite, rows that are not distributions and a discount outside [0, 1].

    ``discount = 1`` is allowed: values then exist if a terminal state is reached with probability 1
    from every state, and otherwise :meth:`policy_values` raises ValueError, naming a state.
    """

    transitions: np.ndarray
    rewards: np.ndarray
    discount: float
    initial: np.ndarray
    terminal: np.ndarray

    def __post_init__(self):
        n_states, n_actions, _ = axis_sizes("transitions", self.transitions, 3)
        set_fields(
            self,
            transitions=distributions("transitions", self.transitions, (n_states, n_actions, n_states)),
            rewards=shaped("rewards", self.rewards, (n_states, n_actions, n_states)),
            discount=discount_factor(self.discount),
            initial=distributions("initial", self.initial, (n_states,)),
            terminal=booleans("terminal", self.terminal, (n_states,)),
        )

    @property
    def n_states(self) -> int:
        return self.transitions.shape[0]

    @property
    def n_actions(self) -> int:
        return self.transitions.shape[1]

    def policy_values(self, policy) -> np.ndarray:
        r"""Exact values [S] of ``policy[S, A]``, whose rows are distributions: the solution of

        .. math:: V(s) = \sum_a \pi(a \mid s) \sum_n P(n \mid s, a)\,\bigl(r(s, a, n) + \gamma V(n)\bigr),

        with V = 0 in terminal states. Raises ValueError if ``policy`` has rows that are not distributions, if ``discount``
        is 1 and some state never reaches a terminal state under it, or if rewards are so large that values overflow.

        Rounding errors grow with the effective horizon L, the discounted number of steps, at most :math:`1/(1 - \gamma)`.
        If the relative error :math:`4 \cdot 10^{-16} L` exceeds 1e-9, a RuntimeWarning gives its size.
        """
        policy = distributions("policy", policy, (self.n_states, self.n_actions))
        P = np.einsum("sa,san->sn", policy, self.transitions)
        r = np.einsum("sa,san,san->s", policy, self.transitions, self.rewards)
        if self.discount == 1:
            self._require_that_episodes_end(P)
        alive = ~self.terminal
        values, system = np.zeros(self.n_states), np.eye(alive.sum()) - self.discount * P[alive][:, alive]
        if 1 - self.discount < _ROUNDING / _EXACT:
            self._warn_of_lost_digits(system)
        values[alive] = np.linalg.solve(system, r[alive])
        return _not_overflown(values)

    @staticmethod
    def _warn_of_lost_digits(system):
        """The row sums of the inverse are discounted numbers of steps, and the largest of them is its norm."""
        try:
            steps = np.linalg.solve(system, np.ones(len(system)))
        except np.linalg.LinAlgError:
            steps = np.array([np.inf])
        if not steps.min(initial=1) > 0 or (lost := _ROUNDING * steps.max(initial=1)) > 0.1:
            raise ValueError("discount must be further below 1 for values in double precision, got an effective horizon of "
                             f"{steps.max():.3g} steps")
        if lost > _EXACT:
            warnings.warn(f"values are exact to about {lost:.1g} of the largest, because the effective horizon is "
                          f"{steps.max():.3g} steps", RuntimeWarning, stacklevel=3)

    def optimal_values(self) -> np.ndarray:
        """Exact values [S] of an optimal policy, by policy iteration from the uniform one.

        Raises ValueError if ``discount`` is 1 and either no policy reaches a terminal state from some state, or never
        ending earns unbounded rewards, so that no optimum exists; and as :meth:`policy_values` does.
        """
        policy = np.full((self.n_states, self.n_actions), 1 / self.n_actions)
        values = self.policy_values(policy)
        while True:
            with np.errstate(over="ignore", invalid="ignore"):
                q = np.einsum("san,san->sa", self.transitions, self.rewards + self.discount * values)
            q[self.terminal] = 0
            _not_overflown(q)
            # only a strict gain changes an action, because a tie could lead to a policy that never ends
            better = q.max(axis=1) > values + 1e-12 * np.abs(q).max(axis=1)
            policy[better] = np.eye(self.n_actions)[q[better].argmax(axis=1)]
            improved = self.policy_values(policy)
            if not (improved - values).sum() > 0:
                return values
            values = improved

    def _require_that_episodes_end(self, P):
        ending = self.terminal
        while not np.array_equal(ending, reaching := ending | (P @ ending > 0)):
            ending = reaching
        if not ending.all():
            raise ValueError(
                "discount must be below 1 where episodes need not end, got 1 and a policy under which "
                f"state {np.argmin(ending)} never reaches a terminal state"
            )


@dataclass(frozen=True, eq=False)
class EpisodicMDP(Record):
    """A Markov decision process of H steps, without discount, whose transition probabilities may depend on the step.

    ``transitions[h, s, a, n]`` is the probability of next state n, ``rewards[h, s, a]`` the reward and
    ``initial[s]`` the initial distribution. If the probabilities p[S, A, S] are the same at every step, pass
    ``np.broadcast_to(p, (H, S, A, S))``, which is stored once. Raises ValueError, naming the argument,
    for wrong shapes, numbers that are not finite and rows that are not distributions.
    """

    transitions: np.ndarray
    rewards: np.ndarray
    initial: np.ndarray

    def __post_init__(self):
        horizon, n_states, n_actions, _ = axis_sizes("transitions", self.transitions, 4)
        set_fields(
            self,
            transitions=distributions("transitions", self.transitions, (horizon, n_states, n_actions, n_states)),
            rewards=shaped("rewards", self.rewards, (horizon, n_states, n_actions)),
            initial=distributions("initial", self.initial, (n_states,)),
        )

    @property
    def horizon(self) -> int:
        return self.transitions.shape[0]

    @property
    def n_states(self) -> int:
        return self.transitions.shape[1]

    @property
    def n_actions(self) -> int:
        return self.transitions.shape[2]

    def policy_values(self, policy) -> np.ndarray:
        r"""Exact values [H+1, S] of ``policy[H, S, A]`` by backward induction from :math:`V_H = 0`:

        .. math:: V_h(s) = \sum_a \pi_h(a \mid s)\,\Bigl(r_h(s, a) + \sum_n P_h(n \mid s, a)\, V_{h+1}(n)\Bigr).

        Raises ValueError unless the rows of ``policy`` are distributions.
        """
        policy = distributions("policy", policy, self.rewards.shape)
        return self._backwards(lambda h, q: (policy[h] * q).sum(axis=1))

    def optimal_values(self) -> np.ndarray:
        """Exact optimal values [H+1, S]: as :meth:`policy_values`, with the best action at every step."""
        return self._backwards(lambda h, q: q.max(axis=1))

    def _backwards(self, value_of):
        values = np.zeros((self.horizon + 1, self.n_states))
        for h in reversed(range(self.horizon)):
            with np.errstate(over="ignore", invalid="ignore"):
                values[h] = value_of(h, self.rewards[h] + self.transitions[h] @ values[h + 1])
        return _not_overflown(values)


@dataclass(frozen=True, eq=False)
class LinearMDP(Record):
    r"""An episodic decision process that is linear in known features.

    .. math:: P_h(n \mid s, a) = \phi(s, a)^\top \mu_h(n), \qquad r_h(s, a) = \phi(s, a)^\top \theta_h,

    with ``features[s, a, d]``, ``measures[h, d, n]``, ``reward_weights[h, d]`` and ``initial[s]``, the initial
    distribution. Raises ValueError, naming the argument, for wrong shapes, numbers that are not
    finite, and features and measures whose products are not distributions.
    """

    features: np.ndarray
    measures: np.ndarray
    reward_weights: np.ndarray
    initial: np.ndarray

    def __post_init__(self):
        n_states, n_actions, d = axis_sizes("features", self.features, 3)
        horizon, *_ = axis_sizes("measures", self.measures, 3)
        set_fields(
            self,
            features=finite("features", self.features),
            measures=shaped("measures", self.measures, (horizon, d, n_states)),
            reward_weights=shaped("reward_weights", self.reward_weights, (horizon, d)),
            initial=distributions("initial", self.initial, (n_states,)),
        )
        self.tabular()

    @property
    def horizon(self) -> int:
        return self.measures.shape[0]

    @property
    def n_states(self) -> int:
        return self.features.shape[0]

    @property
    def n_actions(self) -> int:
        return self.features.shape[1]

    def tabular(self) -> EpisodicMDP:
        """The same process with explicit tables of transition probabilities and rewards."""
        transitions = np.einsum("sad,hdn->hsan", self.features, self.measures)
        # rounding may make a product slightly negative that should be 0
        transitions[(transitions < 0) & (transitions > -1e-12)] = 0
        shape = transitions.shape
        return EpisodicMDP(
            distributions("features @ measures", transitions, shape),
            np.einsum("sad,hd->hsa", self.features, self.reward_weights),
            self.initial,
        )

    def policy_values(self, policy) -> np.ndarray:
        """Exact values [H+1, S] of ``policy[H, S, A]``, see :meth:`EpisodicMDP.policy_values`."""
        return self.tabular().policy_values(policy)

    def optimal_values(self) -> np.ndarray:
        """Exact optimal values [H+1, S], see :meth:`EpisodicMDP.optimal_values`."""
        return self.tabular().optimal_values()
