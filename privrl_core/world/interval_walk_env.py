"""The walk of `privrl_core.world.interval_walk` as a Gymnasium environment. The one module that imports Gymnasium."""

import numpy as np

from privrl_core.lazy import needs
from privrl_core.world.interval_walk import HORIZON, Reward, middle_reward, move, rewards_of

with needs("worlds"):
    import gymnasium

__all__ = ["IntervalWalk"]


class IntervalWalk(gymnasium.Env):
    """Observations ``[1]`` in [0, 1], actions 0 (left) and 1 (right), truncated after 50 steps."""

    metadata = {"render_modes": []}

    def __init__(self, reward: Reward = middle_reward):
        self.reward = reward
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (1,), np.float64)
        self.action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self._state, self._steps = self.np_random.random(1), 0
        return self._state, {}

    def step(self, action):
        if not self.action_space.contains(action):
            raise ValueError(f"action must be 0 or 1, got {action!r}")
        self._state, self._steps = move(self._state, action, self.np_random), self._steps + 1
        return self._state, float(rewards_of(self.reward, self._state)[0]), False, self._steps == HORIZON, {}
