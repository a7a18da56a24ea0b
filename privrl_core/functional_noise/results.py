r"""What a learner releases and with which guarantees: records shared by the Q-learning modules.

**Unit of privacy:** the reward function. **Neighbours:** :math:`\lVert r - r'\rVert_\infty \le \eta`. The transition
probabilities are public. So are the visited states, if the walk depends on rewards only through what was released, or
not at all.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from privrl_core.checks import each_run, instance_of, open_unit, positive, whole_number
from privrl_core.privacy.curves import gaussian_mu
from privrl_core.privacy.guarantees import REWARD_FUNCTION, Guarantee, Status, sup_norm
from privrl_core.privacy.release import AddedNoise, Release

__all__ = ["Learned", "Iterated", "gaussian_guarantees", "added_noise"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Learned(Release):
    """``q(states)`` and the walk it was learned from, for several independent runs, with one guarantee for each run.

    ``states``, ``actions`` and ``next_states`` are ``[runs, steps]``; ``guarantees`` is empty if none is claimed. The
    received rewards are not released (see `privrl_core.world.interval_walk.episode_returns_non_private`).
    """

    q: Callable[[np.ndarray], np.ndarray]
    states: np.ndarray
    actions: np.ndarray
    next_states: np.ndarray


@dataclass(frozen=True, eq=False, kw_only=True)
class Iterated(Learned):
    """``iterates[runs, updates + 1, ...]``: parameters before and after each update, all released; ``q`` has the last."""

    iterates: np.ndarray


def added_noise(law: str, scale) -> AddedNoise:
    """The noise of several runs: ``scale`` is one number, one for each run, or ``[runs, updates]``, flattened."""
    return AddedNoise(law, tuple(np.ravel(scale).astype(float).tolist()))


def gaussian_guarantees(epsilon, delta, eta, runs: int, basis: str):
    """Neighbour radius and largest mu for each run, both ``[runs]``, and a tuple of guarantees with exactly that mu.

    ``epsilon > 0``, ``0 < delta < 1`` and the sup-norm radius ``eta > 0`` are numbers or one for each run, else
    ValueError.
    """
    runs, basis = whole_number("runs", runs, least=1), instance_of(str, "basis", basis)
    epsilon, delta = each_run("epsilon", positive, epsilon, runs), each_run("delta", open_unit, delta, runs)
    eta = each_run("eta", positive, eta, runs)
    pairs, which = np.unique([epsilon, delta], axis=1, return_inverse=True)
    mu = gaussian_mu(*pairs)[which]
    settings = list(zip(epsilon.tolist(), delta.tolist(), eta.tolist(), mu.tolist()))
    # runs with equal settings share a guarantee, because checking a new one takes longer than a run
    made = {(e, d, radius, m): Guarantee(e, d, REWARD_FUNCTION, sup_norm(radius), Status.PROVED, basis, mu=m)
            for e, d, radius, m in set(settings)}
    return eta, mu, tuple(made[setting] for setting in settings)
