"""Sampling against the exact law of trajectories, statistics against a plain loop."""

import tracemalloc
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from privrl_core.policy_evaluation import FirstVisitStatistics, first_visit_returns, first_visit_statistics
from privrl_core.world import Episodes, FiniteMDP, recovery_chain, sample_episodes
from privrl_core.world import episodes as module
from privrl_core.world.sampling import _alias_table

seeds = st.integers(0, 2**32 - 1)


# ------------------------------------------------------------------------------------------------ the law

def law_of_table(threshold, alias):
    """What an alias table draws: slots are equally likely, each gives itself or its alias."""
    slots = np.arange(len(alias))
    return np.bincount(np.append(slots, alias), np.append(threshold, 1 - threshold)) / len(alias)


@given(seeds, st.integers(1, 40), st.integers(0, 10))
def test_the_alias_table_holds_its_distribution(seed, n, padding):
    rng = np.random.default_rng(seed)
    p = rng.exponential(size=n) ** rng.integers(0, 6)
    p /= p.sum()
    threshold, alias = _alias_table(p, n + padding)
    drawn = law_of_table(threshold, alias)
    assert drawn[:n] == pytest.approx(p, abs=1e-14)
    assert not drawn[n:].any()
    assert threshold.min() >= -1e-14 and threshold.max() <= 1


@pytest.mark.parametrize("p", [[1.0], [0.5, 0.5], [1e-300, 1.0], [0.25] * 4, [1 / 3] * 3, [0.1] * 10])
def test_the_alias_table_holds_regular_distributions(p):
    for size in range(len(p), len(p) + 4):
        threshold, alias = _alias_table(np.array(p), size)
        assert law_of_table(threshold, alias) == pytest.approx(np.append(p, np.zeros(size - len(p))), abs=1e-15)


def mixed_world(seed=0):
    """Four states of which the last ends, two actions, rewards on the transitions, some of them impossible."""
    rng = np.random.default_rng(seed)
    transitions = rng.exponential(size=(4, 2, 4)) * (rng.random((4, 2, 4)) < 0.8) + 0.02
    transitions[1, 1, 2] = 0
    transitions /= transitions.sum(axis=-1, keepdims=True)
    policy = np.array([[0.3, 0.7], [0.9, 0.1], [0.0, 1.0], [1.0, 0.0]])
    return FiniteMDP(transitions, rng.normal(size=(4, 2, 4)), 0.9, [0.5, 0.2, 0.1, 0.2], np.arange(4) == 3), policy


def law_of_trajectories(mdp, policy, max_length):
    """Probability of each trajectory, as a tuple s0, a0, s1, ..., by walking the whole tree."""
    law = {}

    def walk(path, probability):
        if not probability:
            return
        if mdp.terminal[path[-1]] or len(path) == 2 * max_length + 1:
            law[path] = probability
            return
        s = path[-1]
        for a, n in product(range(mdp.n_actions), range(mdp.n_states)):
            walk((*path, a, n), probability * policy[s, a] * mdp.transitions[s, a, n])

    for s in range(mdp.n_states):
        walk((s,), mdp.initial[s])
    return law


@pytest.mark.parametrize("max_length, m", [(1, 300_000), (2, 1_000_000)])
def test_trajectories_have_their_exact_law(max_length, m):
    """Chi-square over whole trajectories, many blocks. Failure probability 1e-9 if the law is right (fixed
    seed, so: if it passes once it always does); a law off by 2 % in one of the likely moves would fail."""
    mdp, policy = mixed_world()
    episodes = sample_episodes(mdp, policy, m, np.random.default_rng(1), max_length)
    law = law_of_trajectories(mdp, policy, max_length)
    assert sum(law.values()) == pytest.approx(1, abs=1e-12)
    shown = np.empty((m, 2 * episodes.actions.shape[1] + 1), dtype=np.int8)
    shown[:, ::2], shown[:, 1::2] = episodes.states, episodes.actions
    paths, counts = np.unique(shown, axis=0, return_counts=True)
    paths = [tuple(path[path >= 0].tolist()) for path in paths]
    assert set(paths) <= set(law)  # nothing impossible ever happens
    observed = dict(zip(paths, counts, strict=True))
    expected = np.array([m * p for p in law.values()])
    observed = np.array([observed.get(path, 0) for path in law])
    rare = expected < 20  # pooled, so that chi-square is a good approximation
    expected = np.append(expected[~rare], expected[rare].sum())
    observed = np.append(observed[~rare], observed[rare].sum())
    assert expected[:-1].min() >= 20
    statistic = ((observed - expected)[expected > 0] ** 2 / expected[expected > 0]).sum()
    assert statistic < chi2.isf(1e-9, np.count_nonzero(expected) - 1)


def test_long_runs_have_the_moments_of_the_chain():
    """The length from the first state is a sum of 39 geometric variables: mean 78, variance 78; each first-visit
    return has mean V(s). Gaussian bounds at 6 standard errors: failure probability 40 * 2e-9 < 1e-6."""
    m = 200_000
    chain = recovery_chain()
    episodes = sample_episodes(chain, np.ones((40, 1)), m, np.random.default_rng(2))
    assert abs(episodes.lengths.mean() - 78) < 6 * np.sqrt(78 / m)
    returns = first_visit_returns(episodes, 40, chain.discount)
    error = returns.mean(axis=0) - chain.policy_values(np.ones((40, 1)))
    assert (np.abs(error[:-1]) < 6 * returns.std(axis=0)[:-1] / np.sqrt(m)).all()
    assert error[-1] == 0


def test_rewards_are_those_of_the_transitions():
    mdp, policy = mixed_world()
    episodes = sample_episodes(mdp, policy, 20_000, np.random.default_rng(3), 50)
    i, t = np.nonzero(episodes.actions >= 0)
    s, a, n = episodes.states[i, t], episodes.actions[i, t], episodes.states[i, t + 1]
    assert np.array_equal(episodes.rewards[i, t], mdp.rewards[s, a, n])
    assert episodes.rewards.dtype == float  # normal variables need all their digits
    ended = mdp.terminal[episodes.states[np.arange(len(episodes)), episodes.lengths]]
    assert (ended | (episodes.lengths == 50)).all() and 0 < np.count_nonzero(~ended) < 1000
    assert (episodes.lengths == 0).sum() == (episodes.states[:, 0] == 3).sum() > 0


def test_the_same_seed_gives_the_same_bytes():
    mdp, policy = mixed_world()
    once, again, other = (sample_episodes(mdp, policy, 5000, np.random.default_rng(seed)) for seed in (4, 4, 5))
    for name in ("states", "actions", "rewards", "lengths"):
        assert getattr(once, name).tobytes() == getattr(again, name).tobytes()
    assert once.states.tobytes() != other.states.tobytes()


def test_trajectories_of_different_blocks_are_different():
    states = sample_episodes(recovery_chain(), np.ones((40, 1)), 2 * module.BLOCK, np.random.default_rng(6)).states
    assert len(np.unique(states, axis=0)) == len(states)


@pytest.mark.parametrize("n_states, rewards, states_type, rewards_type", [
    (128, [0, 1], np.int8, np.int8), (129, [0, -128], np.int16, np.int8), (2, [0, 200], np.int8, np.int16),
    (2, [0, 0.5], np.int8, np.float32), (2, [0, 0.1], np.int8, np.float64), (2, [0, 1e300], np.int8, np.float64),
])
def test_types_are_as_small_as_they_can_be(n_states, rewards, states_type, rewards_type):
    transitions = np.zeros((n_states, 1, n_states))
    transitions[:, 0, [0, -1]] = 0.5
    table = np.zeros(transitions.shape)
    table[:, 0, [0, -1]] = rewards
    mdp = FiniteMDP(transitions, table, 0.9, np.eye(n_states)[0], np.arange(n_states) == n_states - 1)
    episodes = sample_episodes(mdp, np.ones((n_states, 1)), 100, np.random.default_rng(0))
    assert (episodes.states.dtype, episodes.actions.dtype) == (states_type, states_type)
    assert episodes.rewards.dtype == rewards_type
    assert set(np.unique(episodes.rewards)) == set(rewards)


def test_all_may_start_where_they_end():
    episodes = sample_episodes(recovery_chain(3, initial=[0, 0, 1]), np.ones((3, 1)), 5, np.random.default_rng(0))
    assert episodes.states.tolist() == [[2]] * 5 and episodes.actions.shape == episodes.rewards.shape == (5, 0)
    statistics = first_visit_statistics(episodes, 3, 0.9)
    assert statistics.visits.tolist() == [0, 0, 5] and statistics.return_sums.tolist() == [0, 0, 0]


# ------------------------------------------------------------------------------------- first-visit statistics

@st.composite
def logs(draw):
    """Trajectories of different lengths, from lists: five states, any rewards."""
    rewards = draw(st.lists(st.lists(st.floats(-10, 10), max_size=12), min_size=1, max_size=12))
    states = [draw(st.lists(st.integers(0, 4), min_size=len(r) + 1, max_size=len(r) + 1)) for r in rewards]
    actions = [draw(st.lists(st.integers(0, 2), min_size=len(r), max_size=len(r))) for r in rewards]
    return states, actions, rewards


def statistics_by_hand(states, rewards, n_states, discount, bound=None):
    visits, sums = [0] * n_states, [0.0] * n_states
    for path, gains in zip(states, rewards, strict=True):
        for s in set(path):
            first = path.index(s)
            G = sum(discount**k * r for k, r in enumerate(gains[first:]))
            visits[s] += 1
            sums[s] += G if bound is None else min(max(G, 0), bound)
    return visits, sums


@given(logs(), st.floats(0, 1), st.one_of(st.none(), st.floats(0.1, 20)))
def test_statistics_are_those_of_a_plain_loop(log, discount, bound):
    states, actions, rewards = log
    visits, sums = statistics_by_hand(states, rewards, 6, discount, bound)
    statistics = first_visit_statistics(Episodes.from_lists(*log), 6, discount, return_bound=bound)
    assert statistics.visits.tolist() == visits
    assert statistics.return_sums == pytest.approx(sums, rel=1e-12, abs=1e-11)
    assert (statistics.n_episodes, statistics.return_bound) == (len(states), bound)


@given(logs(), st.floats(0, 1))
def test_returns_are_those_of_a_plain_loop(log, discount):
    states, actions, rewards = log
    expected = np.full((len(states), 6), np.nan)
    for i in range(len(states)):
        visits, sums = statistics_by_hand(states[i : i + 1], rewards[i : i + 1], 6, discount)
        expected[i] = np.where(visits, sums, np.nan)
    returns = first_visit_returns(Episodes.from_lists(*log), 6, discount)
    np.testing.assert_allclose(returns, expected, rtol=1e-12, atol=1e-11)


def test_blocks_and_order_of_memory_change_nothing():
    mdp, policy = mixed_world()
    episodes = sample_episodes(mdp, policy, 2 * module.BLOCK + 7, np.random.default_rng(7))
    rowwise = Episodes(*(np.ascontiguousarray(getattr(episodes, name)) for name in
                         ("states", "actions", "rewards", "lengths")))
    statistics = first_visit_statistics(episodes, 4, 0.9, return_bound=1)
    again = first_visit_statistics(rowwise, 4, 0.9, return_bound=1)
    assert np.array_equal(statistics.return_sums, again.return_sums)
    states = [row[: n + 1].tolist() for row, n in zip(episodes.states, episodes.lengths, strict=True)]
    rewards = [row[:n].tolist() for row, n in zip(episodes.rewards, episodes.lengths, strict=True)]
    visits, sums = statistics_by_hand(states, rewards, 4, 0.9, 1)
    assert statistics.visits.tolist() == visits
    assert statistics.return_sums == pytest.approx(sums, rel=1e-10)


def test_one_trajectory_moves_a_clipped_sum_by_at_most_the_bound():
    huge = Episodes.from_lists([[0, 1], [0, 1]], [[0], [0]], [[1e300], [-1e300]])
    assert first_visit_statistics(huge, 2, 0.9, return_bound=1).return_sums.tolist() == [1, 0]


@given(logs())
def test_lists_survive_the_round_trip(log):
    episodes = Episodes.from_lists(*log)
    for rows, original, extra in ((episodes.states, log[0], 1), (episodes.actions, log[1], 0),
                                  (episodes.rewards, log[2], 0)):
        assert [row[: n + extra].tolist() for row, n in zip(rows, episodes.lengths, strict=True)] == original
    assert len(episodes) == len(log[0]) and episodes.states.dtype == np.int8


# ------------------------------------------------------------------------------------------- wrong arguments

GOOD = dict(states=np.array([[0, 1, 2], [3, 0, -1]]), actions=np.array([[0, 0], [1, -1]]),
            rewards=np.array([[1.0, 0], [2, 0]]), lengths=np.array([2, 1]))


@pytest.mark.parametrize("changes, message", [
    (dict(states=np.zeros((0, 1), int), actions=np.zeros((0, 0), int), rewards=np.zeros((0, 0)),
          lengths=np.zeros(0, int)), r"states must hold at least one trajectory of one state, got shape \(0, 1\)"),
    (dict(states=np.zeros((2, 0), int)), "states must hold at least one trajectory of one state"),
    (dict(states=np.zeros(2, int)), r"states must be signed integers on 2 axes, got int64 of shape \(2,\)"),
    (dict(states=GOOD["states"] + 0.5), "states must be signed integers on 2 axes, got float64"),
    (dict(states=GOOD["states"].astype(np.uint8)), "states must be at least 0 up to the end of a trajectory and -1 past it, got 255"),
    (dict(actions=GOOD["actions"].astype(float)), "actions must be signed integers"),
    (dict(rewards=np.array([["a", "b"], ["c", "d"]])), "rewards must be real numbers on 2 axes, got <U1"),
    (dict(rewards=np.zeros((2, 2), complex)), "rewards must be real numbers on 2 axes, got complex128"),
    (dict(lengths=np.array([2.0, 1.0])), "lengths must be signed integers on 1 axes, got float64"),
    (dict(actions=np.zeros((2, 3), int)), r"actions must have shape \[2, 2\] as states has .* got \[2, 3\]"),
    (dict(rewards=np.zeros((3, 2))), r"rewards must have shape \[2, 2\] as states has \[2, 3\], got \[3, 2\]"),
    (dict(lengths=np.array([2])), r"lengths must have shape \[2\] as states has \[2, 3\], got \[1\]"),
    (dict(lengths=np.array([3, 1])), r"lengths must be in \[0, 2\], got 1 to 3"),
    (dict(lengths=np.array([2, -1])), r"lengths must be in \[0, 2\], got -1 to 2"),
    (dict(lengths=np.array([2, 2])), "states must be .* -1 past it, got -1 at step 2 of trajectory 1"),
    (dict(lengths=np.array([2, 0])), "states must be .* got 0 at step 1 of trajectory 1, whose length is 0"),
    (dict(states=np.array([[0, 1, 2], [3, 0, -2]])), "states must be .* got -2 at step 2 of trajectory 1"),
    (dict(states=np.array([[0, -1, 2], [3, 0, -1]])), "states must be .* got -1 at step 1 of trajectory 0"),
    (dict(actions=np.array([[0, 0], [1, 0]])), "actions must be .* got 0 at step 1 of trajectory 1"),
    (dict(actions=np.array([[0, -1], [1, -1]])), "actions must be .* got -1 at step 1 of trajectory 0"),
    (dict(rewards=np.array([[1.0, 0], [2, 7]])), "rewards must be .* 0 past the end .* got 7.0 at step 1"),
    (dict(rewards=np.array([[np.nan, 0], [2, 0]])), "rewards must be finite, .* got nan at step 0 of"),
    (dict(rewards=np.array([[1, -np.inf], [2, 0]])), "rewards must be finite, .* got -inf at step 1 of"),
    (dict(rewards=np.array([[1, 0], [2, np.nan]])), "rewards must be finite, .* got nan at step 1 of"),
])
def test_episodes_refuse(changes, message):
    Episodes(**GOOD)
    with pytest.raises(ValueError, match=message):
        Episodes(**{**GOOD, **changes})


def test_the_trajectory_at_fault_is_named_in_any_block():
    m = module.BLOCK + 3
    states, rewards = np.zeros((m, 2), np.int8), np.zeros((m, 1))
    rewards[m - 1] = np.nan
    with pytest.raises(ValueError, match=f"got nan at step 0 of trajectory {m - 1}"):
        Episodes(states, states[:, 1:], rewards, np.ones(m, int))


@pytest.mark.parametrize("states, actions, rewards, message", [
    ([], [], [], "the same number of trajectories, at least one, got 0, 0 and 0"),
    ([[0]], [], [[]], "the same number of trajectories, at least one, got 1, 0 and 1"),
    ([[0], [0, 1]], [[], []], [[], []], "states one more, got 0, 0 and 2 in trajectory 1"),
    ([[]], [[]], [[]], "states one more, got 0, 0 and 0 in trajectory 0"),
    ([[0, 1]], [[0]], [[1, 2]], "rewards must have the length of actions, and states one more, got 2, 1 and 2"),
    ([[0, 0.5]], [[0]], [[1]], r"states must be whole numbers, got \[0.5\]"),
    ([[0, 1]], [[0.5]], [[1]], r"actions must be whole numbers, got \[0.5\]"),
    ([[0, np.nan]], [[0]], [[1]], "states must be finite, got nan"),
    ([[0, -200]], [[0]], [[1]], "states must be .* got -200 at step 1 of trajectory 0"),
    ([[0, 1]], [[-1]], [[1]], "actions must be .* got -1 at step 0 of trajectory 0"),
    ([[0, 1]], [[0]], [[np.nan]], "rewards must be finite, got nan"),
    ([[0, 1]], [[0]], [["much"]], "rewards must be numeric"),
])
def test_lists_refuse(states, actions, rewards, message):
    with pytest.raises(ValueError, match=message):
        Episodes.from_lists(states, actions, rewards)


@pytest.mark.parametrize("changes, message", [
    (dict(policy=np.ones((4, 1))), r"policy must have shape \[4, 2\], got \[4, 1\]"),
    (dict(policy=np.full((4, 2), 0.4)), "policy must sum to 1 along the last axis, got 0.8"),
    (dict(policy=np.full((4, 2), np.nan)), "policy must be finite, got nan"),
    (dict(m=0), "m must be a whole number of at least 1, got 0"),
    (dict(m=2.5), "m must be a whole number of at least 1, got 2.5"),
    (dict(m=np.nan), "m must be finite, got nan"),
    (dict(max_length=0), "max_length must be a whole number of at least 1, got 0"),
    (dict(max_length=np.inf), "max_length must be finite, got inf"),
])
def test_sampling_refuses(changes, message):
    mdp, policy = mixed_world()
    with pytest.raises(ValueError, match=message):
        sample_episodes(mdp, **{**dict(policy=policy, m=5, rng=np.random.default_rng(0)), **changes})


@pytest.mark.parametrize("changes, message", [
    (dict(n_states=3), "states must be below n_states = 3, got 3"),
    (dict(n_states=0), "n_states must be a whole number of at least 1, got 0"),
    (dict(n_states=4.5), "n_states must be a whole number of at least 1, got 4.5"),
    (dict(discount=1.1), r"discount must be in \[0, 1\], got 1.1"),
    (dict(discount=np.nan), "discount must be finite, got nan"),
])
def test_statistics_and_returns_refuse(changes, message):
    for function in (first_visit_statistics, first_visit_returns):
        with pytest.raises(ValueError, match=message):
            function(Episodes(**GOOD), **{**dict(n_states=4, discount=0.9), **changes})


@pytest.mark.parametrize("bound, message", [
    (0, "return_bound must be positive, got 0"), (-1, "return_bound must be positive, got -1"),
    (np.inf, "return_bound must be finite, got inf"), (np.nan, "return_bound must be finite, got nan"),
    ([1, 2], r"return_bound must be one number, got an array of shape \[2\]"),
    ("one", "return_bound must be numeric"),
])
def test_bounds_that_are_none_are_refused(bound, message):
    with pytest.raises(ValueError, match=message):
        first_visit_statistics(Episodes(**GOOD), 4, 0.9, return_bound=bound)
    with pytest.raises(ValueError, match=message):
        FirstVisitStatistics([1], [0.5], 1, bound)


@pytest.mark.parametrize("arguments, message", [
    (([], [], 1), r"visits must have shape \[S\], got \[0\]"),
    (([[1]], [[1]], 1), r"visits must have shape \[S\], got \[1, 1\]"),
    (([1, 1], [1], 1), r"return_sums must have shape \[2\], got \[1\]"),
    (([1.5], [1], 2), r"visits must be whole numbers, got 1.5"),
    (([3], [1], 2), r"visits must be at most n_episodes = 2, got 3"),
    (([-1], [1], 2), "visits must be at least 0, got -1"),
    (([np.nan], [1], 2), "visits must be finite, got nan"),
    (([1], [np.inf], 2), "return_sums must be finite, got inf"),
    (([0, 1], [0.5, 0.5], 2), "return_sums must be 0 where visits are, .* got 0.5 in state 0 with 0 visits"),
    (([1, 2], [0.5, 2.5], 2, 1.0), "return_sums must be .* got 2.5 in state 1 with 2 visits and return_bound 1.0"),
    (([1, 2], [-0.5, 0.5], 2, 1.0), "return_sums must be .* got -0.5 in state 0"),
    (([1], [1], 0), "n_episodes must be a whole number of at least 1, got 0"),
])
def test_statistics_that_cannot_be_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        FirstVisitStatistics(*arguments)


@given(st.data())
def test_arrays_are_accepted_exactly_when_they_are_episodes(data):
    """Any small arrays, mostly wrong: accepted if and only if a plain reading of the definition agrees."""
    m, T = data.draw(st.integers(1, 3)), data.draw(st.integers(0, 3))
    path = st.lists(st.integers(-2, 2), min_size=T + 1, max_size=T + 1)
    states = np.array(data.draw(st.lists(path, min_size=m, max_size=m)))
    lengths = np.array(data.draw(st.lists(st.integers(-1, T + 1), min_size=m, max_size=m)))
    if data.draw(st.booleans()):  # often right as far as states go
        states = np.where(np.arange(T + 1) <= lengths[:, None], np.abs(states), -1)
    actions, rewards = states[:, 1:].copy(), np.where(states[:, 1:] >= 0, 1.0, 0.0)
    if T:
        rewards[0, 0] = data.draw(st.sampled_from([rewards[0, 0], 0.0, 2.0, np.nan, np.inf]))
    right = all(
        0 <= n <= T and all((s >= 0) if t <= n else (s == -1) for t, s in enumerate(path))
        and all(np.isfinite(r) and (t < n or r == 0) for t, r in enumerate(gains))
        for n, path, gains in zip(lengths, states, rewards, strict=True)
    )
    if right:
        assert len(Episodes(states, actions, rewards, lengths)) == m
    else:
        with pytest.raises(ValueError, match="^(states|actions|rewards|lengths) must be"):
            Episodes(states, actions, rewards, lengths)


def test_records_are_not_written_to():
    visits = np.array([1, 0])
    statistics = FirstVisitStatistics(visits, np.array([0.5, 0.0]), 1, 1.0)
    visits[:] = 7
    assert statistics.visits.tolist() == [1, 0]
    episodes = Episodes(np.array([[0, 1]]), np.array([[0]]), np.array([[1.0]]), np.array([1]))
    for array in (statistics.visits, statistics.return_sums, episodes.states, episodes.rewards, episodes.lengths):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


# ------------------------------------------------------------------------------- what numbers may stand for

def test_unsigned_states_and_actions_are_fine_where_nothing_is_cut():
    episodes = Episodes(np.array([[0, 255]], np.uint8), np.array([[3]], np.uint16), np.ones((1, 1)), np.array([1], np.uint64))
    assert episodes.states.tolist() == [[0, 255]] and episodes.actions.tolist() == [[3]] and episodes.lengths.tolist() == [1]
    with pytest.raises(ValueError, match="states must be signed integers"):
        Episodes(np.array([[0, 2**64 - 1]], np.uint64), np.array([[3]]), np.ones((1, 1)), np.array([1]))


def test_names_of_states_above_2_to_the_53_do_not_merge():
    big = 2**53
    episodes = Episodes.from_lists([[big, big + 1], [big + 1]], [[0], []], [[1.0], []])
    assert episodes.states.tolist() == [[big, big + 1], [big + 1, -1]]
    for states in ([[float(big), 0]], [[big + 1, 0.0]], [np.array([2**63 + 1, 2**63 + 2], np.uint64)]):
        with pytest.raises(ValueError, match=r"states from 2\^53 on must be signed integers"):
            Episodes.from_lists(states, [[0]], [[1.0]])


@pytest.mark.parametrize("field", ["states", "actions", "rewards"])
def test_masked_steps_are_refused(field):
    lists = dict(states=[[0, 1, 1]], actions=[[0, 0]], rewards=[[1.0, 1.0]])
    lists[field] = [np.ma.array(lists[field][0], mask=[False, True, False][:len(lists[field][0])])]
    with pytest.raises(ValueError, match=f"{field} must be a plain array, got a masked one"):
        Episodes.from_lists(**lists)
    arrays = dict(states=np.array([[0, 1]]), actions=np.array([[0]]), rewards=np.array([[1.0]]), lengths=np.array([1]))
    arrays[field] = np.ma.array(arrays[field], mask=True)
    with pytest.raises(ValueError, match=f"{field} must be a plain array, got a masked one"):
        Episodes(**arrays)


def test_first_visits_to_a_million_states_take_no_table_of_them():
    rng, n_states = np.random.default_rng(0), 10**6
    states = rng.integers(n_states, size=(5000, 4))
    episodes = Episodes(states, np.zeros((5000, 3), int), rng.random((5000, 3)), np.full(5000, 3))
    tracemalloc.start()
    found = first_visit_statistics(episodes, n_states, 0.9, return_bound=1.5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2e8  # a table of a block takes 33 GB
    assert found.visits.sum() == sum(len(set(row)) for row in states.tolist())


@given(seeds, st.booleans())
def test_sparse_and_dense_first_visits_agree_to_the_last_bit(seed, clipped):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, 6, size=30)
    states, actions, rewards = ([rng.integers(8, size=n + extra) for n in lengths] for extra in (1, 0, 0))
    episodes = Episodes.from_lists(states, actions, [part / 7 for part in rewards])
    found = []
    with pytest.MonkeyPatch.context() as patch:
        for sparse in 0, 1000:
            patch.setattr("privrl_core.policy_evaluation.first_visits.SPARSE", sparse)
            found.append(first_visit_statistics(episodes, 8, 0.9, return_bound=1.5 if clipped else None))
    for field in "visits", "return_sums":
        assert np.array_equal(getattr(found[0], field), getattr(found[1], field))
