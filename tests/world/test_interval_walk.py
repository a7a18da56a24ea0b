"""The walk in the middle: Gymnasium's checker, the law of its vectorised twin, and returns by three routes."""

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from scipy.stats import ks_2samp, kstest

from privrl_core.world import (
    IntervalWalk,
    episode_returns_non_private,
    greedy_return,
    middle_reward,
    move,
    nodes,
    optimal_return,
    policy_return,
    rewards_of,
    walk,
)
from privrl_core.world.interval_walk import _after_a_move

TINY = 1e-7  # each test of a law fails by chance with this probability


@pytest.mark.filterwarnings("ignore:.*alternative render modes.*")
def test_gymnasiums_checker_finds_nothing():
    check_env(IntervalWalk())


def test_an_episode_has_fifty_steps_and_the_reward_of_the_new_state():
    env = IntervalWalk()
    state, _ = env.reset(seed=1)
    for t in range(50):
        before, (state, reward, terminated, truncated, _) = state, env.step(t % 2)
        assert 0 <= (1 if t % 2 else -1) * (state[0] - before[0]) <= 0.25
        assert reward == pytest.approx(0.5 - abs(state[0] - 0.5))
        assert not terminated and truncated == (t == 49)
    with pytest.raises(ValueError, match="action must be 0 or 1, got 2"):
        env.step(2)


def test_the_environment_has_the_reward_that_one_gives_it():
    env = IntervalWalk(lambda states: 1 - states)
    env.reset(seed=0)
    state, reward, *_ = env.step(1)
    assert reward == pytest.approx(1 - state[0])


def test_a_move_is_uniform_and_cut_off_at_the_ends():
    rng = np.random.default_rng(0)
    for start, action, sign in ((0.5, 1, 1), (0.5, 0, -1)):
        distances = sign * (move(np.full(20_000, start), np.full(20_000, action), rng) - start)
        assert kstest(distances, "uniform", (0, 0.25)).pvalue > TINY
    ends = move(np.full(20_000, 0.9), np.ones(20_000, int), rng)
    # Hoeffding: 20,000 draws leave 0.6 by more than 0.0205 with probability 2e-7 at most
    assert np.mean(ends == 1) == pytest.approx(0.6, abs=0.0205) and ends.max() == 1


def test_the_twin_has_the_law_of_the_environment():
    rng = np.random.default_rng(2)
    env, policy = IntervalWalk(), lambda s: int(s < 0.6)
    env.reset(seed=3)
    returns, last = np.zeros(400), np.empty(400)
    for k in range(400):
        state, _ = env.reset()
        for _ in range(50):
            state, reward, *_ = env.step(policy(state[0]))
            returns[k] += reward
        last[k] = state[0]
    states, twins = rng.random(4000), np.zeros(4000)
    for _ in range(50):
        states = move(states, states < 0.6, rng)
        twins += middle_reward(states)
    assert ks_2samp(returns, twins).pvalue > TINY and ks_2samp(last, states).pvalue > TINY


def test_a_random_walk_starts_anywhere_every_fifty_steps_and_joins_up():
    states, actions, next_states = walk(120, np.random.default_rng(5), runs=2000)
    for t in range(1, 120):
        assert np.array_equal(states[:, t], next_states[:, t - 1]) == (t % 50 != 0)
    assert kstest(np.concatenate([states[:, 0], states[:, 50], states[:, 100]]), "uniform").pvalue > TINY
    assert abs(actions.mean() - 0.5) < np.sqrt(np.log(2 / TINY) / (2 * actions.size))
    assert episode_returns_non_private(next_states).shape == (2000, 2)
    assert episode_returns_non_private(next_states)[7, 1] == pytest.approx(middle_reward(next_states[7, 50:100]).sum())


@pytest.mark.parametrize("policy", [lambda s: (s < 0.5) * 1.0, lambda s: np.full_like(s, 0.5), lambda s: s,
                                    lambda s: (s > 0.3) * 1.0])
def test_returns_agree_with_simulation(policy):
    rng = np.random.default_rng(1)
    states, returns = rng.random(20_000), np.zeros(20_000)
    for _ in range(50):
        states = move(states, rng.random(20_000) < policy(states), rng)
        returns += middle_reward(states)
    allowed = 5.4 * returns.std() / np.sqrt(20_000) + 0.01  # 7e-8, and the grid
    assert policy_return(policy(nodes(4000))) == pytest.approx(returns.mean(), abs=allowed)


def test_the_optimal_return_is_that_of_going_to_the_middle():
    assert optimal_return(cells=4000) == pytest.approx(497 / 24, abs=3e-6)
    assert optimal_return() == pytest.approx(497 / 24, abs=5e-5)
    assert greedy_return(lambda s: np.stack([s, 1 - s], -1)) == pytest.approx(497 / 24, abs=1e-4)


def test_the_last_three_steps_by_nested_quadrature():
    """Moving right from 0: the first steps never reach the other end, so their rewards are plain integrals."""
    x, w = np.polynomial.legendre.leggauss(20)
    u, w = (x + 1) / 8, w / 2
    first = w @ middle_reward(u)
    second = np.einsum("i,j,ij", w, w, middle_reward(u[:, None] + u))
    third = np.einsum("i,j,k,ijk", w, w, w, middle_reward(u[:, None, None] + u[:, None] + u))
    values, rewards, total = np.zeros(1001), middle_reward(nodes()), []
    for _ in range(3):
        values = _after_a_move(rewards + values)[1]
        total.append(values[0])
    assert total == pytest.approx([first, first + second, first + second + third], abs=1e-4)


def test_mirrored_rewards_share_25_between_them():
    policy = np.random.default_rng(4).random((3, 1001))
    together = policy_return(policy) + policy_return(policy, lambda s: 0.5 - middle_reward(s))
    assert together == pytest.approx([25, 25, 25], abs=1e-9)


@pytest.mark.parametrize("call, message", [
    (lambda: walk(0, np.random.default_rng(0)), "n_steps must be a whole number of at least 1, got 0"),
    (lambda: walk(5, np.random.default_rng(0), runs=0), "runs must be a whole number of at least 1, got 0"),
    (lambda: policy_return(np.full(1001, 1.1)), r"right must be in \[0, 1\], got 1.1"),
    (lambda: policy_return(np.full(1001, np.nan)), "right must be finite, got nan"),
    (lambda: policy_return(np.full(1000, 0.5)), r"right must have shape .* cells a multiple of 4, got \[1000\]"),
    (lambda: optimal_return(cells=10), "cells must be a multiple of 4, got 10"),
    (lambda: optimal_return(lambda s: s * np.nan), "reward.states. must be finite, got nan"),
    (lambda: rewards_of(lambda s: 1.0, np.zeros(3)), "reward.states. must have shape .3., got .."),
    (lambda: greedy_return(lambda s: np.full((len(s), 2), np.inf)), "q.states. must be finite, got inf"),
])
def test_wrong_arguments_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()
