"""The reward function, recovered from a released Q."""

import numpy as np

from privrl_core.checks import discount_below_one, distributions, shaped

__all__ = ["reward_from_q"]


def reward_from_q(q, transitions, discount: float) -> np.ndarray:
    r"""The Bellman equation solved for the reward: the expected reward of each action, from a Q that satisfies it.

    .. math:: r(s, a) = Q(s, a) - \gamma \sum_{s'} P(s' \mid s, a) \max_{a'} Q(s', a')

    ``q[S, A]``, ``transitions[S, A, S]`` known to the attacker, ``discount`` in [0, 1). A terminal state leads to itself
    and has q = 0. Returns ``[S, A]``, in units of reward. ValueError for shapes that do not fit, for rows that are not
    distributions and for any other discount, 1 included.
    Source: the premise of inverse reinforcement learning, Ng & Russell (2000).
    """
    q, discount = shaped("q", q, ("S", "A")), discount_below_one(discount)
    return q - discount * distributions("transitions", transitions, (*q.shape, len(q))) @ q.max(axis=1)
