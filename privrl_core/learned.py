r"""What a learner hands out, and for whom it is private: records shared by the Q-learning modules.

**Unit of privacy:** the reward function. **Neighbours:** :math:`\lVert r - r'\rVert_\infty \le \eta`. The law of the
world and, wherever the walk does not depend on rewards or only through what was released, the visited states are
public.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from privrl_core.privacy import Guarantee, Status, gaussian_mu
from privrl_core.validation import finite, number, open_unit, positive, set_fields, whole_number
from privrl_core.words import show

__all__ = ["UNIT", "Learned", "Iterated", "n_updates", "each_run", "discount_below_one", "gaussian_guarantees"]

#: What all learners of this chapter protect.
UNIT = "the reward function"


@dataclass(frozen=True)
class Learned:
    """``q(states)``, the walk behind it, and one guarantee for each run.

    ``states``, ``actions`` and ``next_states`` are ``[runs, steps]``; there are no guarantees where nobody claims one.
    The rewards that were received stay with their owner (see `privrl_core.middle_walk.episode_returns_non_private`).
    """

    q: Callable[[np.ndarray], np.ndarray]
    states: np.ndarray
    actions: np.ndarray
    next_states: np.ndarray
    guarantees: tuple[Guarantee, ...]

    def __post_init__(self):
        set_fields(self, **vars(self))  # arrays that can't be written to


@dataclass(frozen=True)
class Iterated(Learned):
    """``iterates[runs, updates + 1, ...]``: parameters before and after updates, all released; ``q`` has the last."""

    iterates: np.ndarray


def n_updates(n_steps: int, batch_size: int) -> int:
    """How many whole batches there are in ``n_steps``; ValueError unless there is one."""
    if whole_number("batch_size", batch_size, least=1) > whole_number("n_steps", n_steps, least=1):
        raise ValueError(f"batch_size must be at most n_steps = {n_steps}, got {batch_size}")
    return int(n_steps // batch_size)


def each_run(name: str, check: Callable, value, runs: int) -> np.ndarray:
    """``value``, one number or one for each run, as ``[runs]``; ValueError unless it is, and passes ``check``."""
    value = check(name, value)
    if value.shape not in ((), (runs,)):
        raise ValueError(f"{name} must be one number or one for each of {runs} runs, got shape {list(value.shape)}")
    return np.broadcast_to(value, (runs,))


def discount_below_one(value) -> float:
    """``value`` if it is in [0, 1), where an infinite sum of rewards is finite; ValueError otherwise."""
    if not 0 <= number(finite, "discount", value) < 1:
        raise ValueError(f"discount must be in [0, 1), got {value}")
    return float(value)


def gaussian_guarantees(epsilon, delta, eta, runs: int, basis: str):
    """Neighbour radius and largest mu for each run, both ``[runs]``, and a tuple of guarantees that use all of that mu.

    ``epsilon > 0``, ``0 < delta < 1`` and the sup-norm radius ``eta > 0`` are numbers or one for each run, else
    ValueError.
    """
    epsilon, delta = each_run("epsilon", positive, epsilon, runs), each_run("delta", open_unit, delta, runs)
    eta = each_run("eta", positive, eta, runs)
    pairs, which = np.unique([epsilon, delta], axis=1, return_inverse=True)
    mu = gaussian_mu(*pairs)[which]
    settings = list(zip(epsilon.tolist(), delta.tolist(), eta.tolist(), mu.tolist()))
    # many runs, few settings: a guarantee checks itself, which takes longer than a run
    made = {(e, d, radius, m): Guarantee(e, d, UNIT, f"sup-norm at most {show(radius, 6)}", Status.PROVED, basis, mu=m)
            for e, d, radius, m in set(settings)}
    return eta, mu, tuple(made[setting] for setting in settings)
