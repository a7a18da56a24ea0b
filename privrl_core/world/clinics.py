r"""Small clinics for learning while treating: people are treated one after another, each for H steps.

All have the same transition probabilities at every step, rewards in [0, 1] that are known, and one first state.
"""

import numpy as np

from privrl_core.checks import generator, number, open_unit, whole_number
from privrl_core.world.models import EpisodicMDP

__all__ = ["river_swim", "ward", "random_episodic_mdp"]


def _same_at_every_step(law, rewards, horizon, first=0) -> EpisodicMDP:
    return EpisodicMDP(np.broadcast_to(law, (horizon, *law.shape)), np.broadcast_to(rewards, (horizon, *rewards.shape)),
                       np.eye(len(law))[first])


def river_swim(n_states: int = 6, horizon: int = 20) -> EpisodicMDP:
    r"""RiverSwim, the benchmark of private reinforcement learning: against the current to a distant reward.

    Action 0, left, always succeeds. Action 1, right, moves

    =============  ========  =======  =======
    from           left      stay     right
    =============  ========  =======  =======
    first state    --        0.4      0.6
    in between     0.05      0.6      0.35
    last state     0.4       0.6      --
    =============  ========  =======  =======

    Left in the first state has reward 0.005, right in the last has reward 1. Everybody starts in the first. The optimal
    value is 3.397 at 6 states and 20 steps; treating at random is worth 0.044. ``n_states >= 2``, ``horizon >= 1``;
    ValueError otherwise. Source: Osband, Russo & Van Roy (2013), with the numbers of the code of Chowdhury & Zhou (2022),
    the repository PrivateTabularRL of XingyuZhou989 on GitHub, which were read there.
    """
    n_states, horizon = whole_number("n_states", n_states, least=2), whole_number("horizon", horizon, least=1)
    stay, up, left = np.eye(n_states), np.eye(n_states, k=1), np.eye(n_states, k=-1)
    right = 0.05 * left + 0.6 * stay + 0.35 * up
    left[0, 0] = 1
    right[0, :2], right[-1, -2:] = (0.4, 0.6), (0.4, 0.6)
    rewards = np.zeros((n_states, 2))
    rewards[0, 0], rewards[-1, 1] = 0.005, 1
    return _same_at_every_step(np.stack([left, right], axis=1), rewards, horizon)


def ward(horizon: int = 10, *, improvement: float = 0.35) -> EpisodicMDP:
    r"""A ward: people are admitted one after another, and stay for ``horizon`` days.

    Conditions: 0 recovered, 1 mild, 2 serious, 3 very ill; everybody arrives serious. Treatments: 0 wait, 1 gentle,
    2 strong. The right one is to wait when recovered, gentle when mild or serious, and strong when very ill: it leads one
    condition up with probability p = ``improvement`` and down with p/4. Strong treatment of those who are not very ill
    harms them, and weak treatment of the very ill does nothing: up with p/5, down with p. A day recovered is worth 1, mild
    0.6, serious 0.2, very ill 0, whatever the treatment. All numbers are made up: no hospital's records are behind them.

    ``horizon >= 1``, ``improvement`` in (0, 0.8]; ValueError otherwise.
    """
    horizon, p = whole_number("horizon", horizon, least=1), number(open_unit, "improvement", improvement)
    if p > 0.8:
        raise ValueError(f"improvement must be at most 0.8, got {p}")
    right_one, law = (0, 1, 1, 2), np.zeros((4, 3, 4))
    for s in range(4):
        for a in range(3):
            up, down = (p, p / 4) if a == right_one[s] else (p / 5, p)
            law[s, a, max(s - 1, 0)] += up
            law[s, a, min(s + 1, 3)] += down
            law[s, a, s] += 1 - up - down
    return _same_at_every_step(law, np.repeat([[1.0], [0.6], [0.2], [0.0]], 3, axis=1), horizon, first=2)


def random_episodic_mdp(n_states: int, n_actions: int, horizon: int, rng: np.random.Generator) -> EpisodicMDP:
    """A world drawn with ``rng``: each row of probabilities uniform on the simplex, each reward the cube of a uniform
    number, so that good ones are rare. The first state is 0. All sizes at least 1; ValueError otherwise."""
    sizes = [whole_number(name, value, least=1)
             for name, value in (("n_states", n_states), ("n_actions", n_actions), ("horizon", horizon))]
    generator("rng", rng)
    return _same_at_every_step(rng.dirichlet(np.ones(sizes[0]), size=sizes[:2]), rng.random(sizes[:2]) ** 3, sizes[2])
