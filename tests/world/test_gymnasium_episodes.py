"""Episodes of Gymnasium environments: against the law in FrozenLake's table, and where there is no table."""

import gymnasium
import numpy as np
import pytest

from privrl_core.offline import count_transitions
from privrl_core.world import from_gymnasium, sample_episodes_gymnasium

LAKE = gymnasium.make("FrozenLake-v1")


def test_episodes_of_frozen_lake_have_the_law_of_its_table():
    """Shares of each transition at each of six steps among 4,000 episodes: one of 6,144 is off by 0.06 with probability
    below 6,144 * 2 exp(-2 * 4,000 * 0.0036) < 1e-6."""
    rng, m, mdp = np.random.default_rng(0), 4000, from_gymnasium(LAKE, discount=1)
    policy = rng.dirichlet(np.ones(4), size=16)
    episodes = sample_episodes_gymnasium(LAKE, lambda s, rng: rng.choice(4, p=policy[s]), m, rng, max_length=6)
    here = mdp.initial
    for step in count_transitions(episodes, 16, 4, 6).steps:
        law = (here * ~mdp.terminal)[:, None, None] * policy[:, :, None] * mdp.transitions
        assert step.toarray().reshape(16, 4, 16) / m == pytest.approx(law, abs=0.06)
        here = law.sum(axis=(0, 1))
    assert episodes.lengths.max() == 6 and 0 < (episodes.lengths < 6).mean() < 1
    ends = episodes.states[np.arange(m), episodes.lengths]
    assert mdp.terminal[ends[episodes.lengths < 6]].all()


def test_an_environment_without_a_table_and_with_real_observations():
    """CartPole: the pole leans left or right, and one pushes against it."""
    cart = gymnasium.make("CartPole-v1")
    one, two = (sample_episodes_gymnasium(cart, lambda x, rng: int(x[2] > 0), 5, np.random.default_rng(seed), max_length=30,
                                          state_of=lambda x: int(x[2] > 0)) for seed in (1, 1))
    assert (one.states == two.states).all() and (one.rewards[one.actions >= 0] == 1).all()
    inside = one.actions >= 0
    assert (one.actions[inside] == one.states[:, :-1][inside]).all() and one.lengths.max() == 30


@pytest.mark.parametrize("changes, message", [
    (dict(m=0), "m must be a whole number of at least 1, got 0"),
    (dict(max_length=0), "max_length must be a whole number of at least 1, got 0"),
    (dict(rng=3), "rng must be a numpy.random.Generator, got 3"),
    (dict(state_of=lambda s: -1), "states must be at least 0"),
    (dict(state_of=lambda s: 0.5), "states must be whole numbers"),
])
def test_wrong_arguments_say_so(changes, message):
    with pytest.raises(ValueError, match=message):
        sample_episodes_gymnasium(**(dict(env=LAKE, behaviour=lambda s, rng: 0, m=2, rng=np.random.default_rng(0)) | changes))
