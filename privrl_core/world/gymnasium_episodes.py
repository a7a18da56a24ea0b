"""Logged data from any Gymnasium environment and any behaviour policy."""

from collections.abc import Callable

import numpy as np

from privrl_core.checks import generator, whole_number
from privrl_core.world.episodes import Episodes

__all__ = ["sample_episodes_gymnasium"]


def sample_episodes_gymnasium(env, behaviour: Callable, m: int, rng: np.random.Generator, *, state_of: Callable = int,
                              max_length: int = 1000) -> Episodes:
    """``m`` trajectories of ``env``, with the action ``behaviour(observation, rng)`` at each step.

    States and actions are stored as whole numbers: ``state_of(observation)`` is the state of an observation, such as the
    grid cell of a continuous one. A trajectory ends when the environment terminates or truncates it, or after
    ``max_length`` steps. All randomness comes from ``rng``, which also seeds the environment. ValueError unless ``m``
    and ``max_length`` are positive whole numbers, and as in `.Episodes`. For models with a table of transitions,
    `privrl_core.world.gymnasium_models.from_gymnasium` and `privrl_core.world.sampling.sample_episodes` are a thousand
    times faster.
    """
    m, max_length = whole_number("m", m, least=1), whole_number("max_length", max_length, least=1)
    seed = int(generator("rng", rng).integers(2**31))
    states, actions, rewards = ([[] for _ in range(m)] for _ in range(3))
    for i in range(m):
        observation, _ = env.reset(seed=seed if i == 0 else None)  # later episodes continue from there
        states[i].append(state_of(observation))
        over = False
        while not over and len(actions[i]) < max_length:
            actions[i].append(behaviour(observation, rng))
            observation, reward, terminated, truncated, _ = env.step(actions[i][-1])
            states[i].append(state_of(observation))
            rewards[i].append(reward)
            over = terminated or truncated
    return Episodes.from_lists(states, actions, rewards)
