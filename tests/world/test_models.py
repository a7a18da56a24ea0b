"""Exact values, each against a second route: sums over time, all policies, all trajectories."""

import re
import warnings
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrl_core.checks import discount_factor, distributions
from privrl_core.world import EpisodicMDP, FiniteMDP, LinearMDP

seeds = st.integers(0, 2**32 - 1)


def random_laws(rng, *shape):
    """Distributions along the last axis, about half of the entries 0."""
    weights = rng.exponential(size=shape) * (rng.random(shape) < 0.5)
    weights[..., 0] += 1e-3
    return weights / weights.sum(axis=-1, keepdims=True)


def random_mdp(rng, n_states, n_actions, discount, terminal):
    return FiniteMDP(
        random_laws(rng, n_states, n_actions, n_states),
        rng.normal(size=(n_states, n_actions, n_states)),
        discount,
        random_laws(rng, n_states),
        np.arange(n_states) >= n_states - terminal,
    )


def walk(discount, reward=0.0):
    """States 0 - 1 - 2 (terminal); action 0 stays with ``reward``, action 1 goes right."""
    transitions = np.stack([np.eye(3), np.eye(3, k=1) + np.diag([0, 0, 1.0])], axis=1)
    rewards = np.zeros((3, 2, 3))
    rewards[:2, 0, :], rewards[1, 1, 2] = reward, 1
    return FiniteMDP(transitions, rewards, discount, [1, 0, 0], np.array([False, False, True]))


def deterministic_policies(n_states, n_actions):
    return (np.eye(n_actions)[list(choice)] for choice in product(range(n_actions), repeat=n_states))


@given(seeds, st.floats(0, 0.95), st.integers(1, 6), st.integers(1, 3), st.integers(0, 2))
def test_policy_values_are_the_discounted_sum_over_time(seed, discount, n_states, n_actions, terminal):
    rng = np.random.default_rng(seed)
    mdp, policy = random_mdp(rng, n_states, n_actions, discount, terminal), random_laws(rng, n_states, n_actions)
    alive = np.where(mdp.terminal, 0.0, 1.0)
    step = alive[:, None] * np.einsum("sa,san->sn", policy, mdp.transitions)
    reward = alive * np.einsum("sa,san,san->s", policy, mdp.transitions, mdp.rewards)
    total, now = np.zeros(n_states), reward
    for t in range(700):  # 0.95^700 / 0.05 < 1e-14 times rewards of a few units
        total, now = total + discount**t * now, step @ now
    assert mdp.policy_values(policy) == pytest.approx(total, abs=1e-11)


@given(seeds, st.floats(0, 0.999), st.integers(1, 4), st.integers(1, 3), st.integers(0, 2))
def test_optimal_values_are_the_best_of_all_policies(seed, discount, n_states, n_actions, terminal):
    mdp = random_mdp(np.random.default_rng(seed), n_states, n_actions, discount, terminal)
    best = np.max([mdp.policy_values(policy) for policy in deterministic_policies(n_states, n_actions)], axis=0)
    assert mdp.optimal_values() == pytest.approx(best, rel=1e-9, abs=1e-9)


def test_without_discount_values_are_expected_sums():
    right, lazy = np.array([[0, 1]] * 3), np.array([[0.75, 0.25]] * 3)
    assert walk(1).policy_values(right) == pytest.approx([1, 1, 0], abs=1e-14)
    # three stays in the mean, of reward -1 each, before each of the two moves
    assert walk(1, reward=-1).policy_values(lazy) == pytest.approx([1 - 6, 1 - 3, 0], abs=1e-12)
    assert walk(1, reward=-1).optimal_values() == pytest.approx([1, 1, 0], abs=1e-14)


def test_without_discount_a_tie_does_not_make_the_policy_endless():
    """Under the uniform policy to stay looks as good as to go (q = 1), but to stay forever earns nothing."""
    assert walk(1, reward=0).optimal_values() == pytest.approx([1, 1, 0], abs=1e-14)


@pytest.mark.parametrize("policy, state", [([[1, 0], [0, 1], [0, 1]], 0), ([[0, 1], [1, 0], [0, 1]], 0)])
def test_without_discount_endless_policies_have_no_values(policy, state):
    with pytest.raises(ValueError, match=f"discount must be below 1 .* state {state} never reaches"):
        walk(1).policy_values(policy)


def test_without_discount_there_may_be_no_optimum():
    with pytest.raises(ValueError, match="discount must be below 1"):
        walk(1, reward=0.5).optimal_values()


def test_what_a_terminal_state_would_do_does_not_matter():
    mdp = walk(0.9)
    rewards, transitions = mdp.rewards.copy(), mdp.transitions.copy()
    rewards[2], transitions[2] = 1e15, [1, 0, 0]
    other = FiniteMDP(transitions, rewards, 0.9, mdp.initial, mdp.terminal)
    assert np.array_equal(other.optimal_values(), mdp.optimal_values())
    assert np.array_equal(other.policy_values(np.full((3, 2), 0.5)), mdp.policy_values(np.full((3, 2), 0.5)))


def test_a_world_without_anything_to_do_has_value_zero():
    mdp = FiniteMDP(np.eye(2)[:, None], np.ones((2, 1, 2)), 1, [0.5, 0.5], np.array([True, True]))
    assert np.array_equal(mdp.policy_values(np.ones((2, 1))), [0, 0])
    assert np.array_equal(mdp.optimal_values(), [0, 0])


def by_enumeration(mdp, policy, h, s):
    """The value as the sum over all trajectories from step h, written as one knows it."""
    if h == mdp.horizon:
        return 0.0
    return sum(
        policy[h, s, a] * (mdp.rewards[h, s, a] + sum(
            mdp.transitions[h, s, a, n] * by_enumeration(mdp, policy, h + 1, n) for n in range(mdp.n_states)
        )) for a in range(mdp.n_actions)
    )


def random_episodic(rng, horizon, n_states, n_actions):
    return EpisodicMDP(
        random_laws(rng, horizon, n_states, n_actions, n_states),
        rng.normal(size=(horizon, n_states, n_actions)),
        random_laws(rng, n_states),
    )


@given(seeds)
def test_episodic_values_are_sums_over_all_trajectories(seed):
    rng = np.random.default_rng(seed)
    mdp, policy = random_episodic(rng, 3, 3, 2), random_laws(rng, 3, 3, 2)
    expected = [[by_enumeration(mdp, policy, h, s) for s in range(3)] for h in range(4)]
    assert mdp.policy_values(policy) == pytest.approx(np.array(expected), abs=1e-12)


def test_a_law_that_repeats_is_kept_once_and_gives_the_values_of_one_written_out():
    rng = np.random.default_rng(0)
    laws, rewards = (np.broadcast_to(x, (6, *x.shape)) for x in (random_laws(rng, 3, 2, 3), rng.random((3, 2))))
    kept, written = EpisodicMDP(laws, rewards, np.ones(3) / 3), EpisodicMDP(laws.copy(), rewards.copy(), np.ones(3) / 3)
    assert kept.transitions.strides[0] == kept.rewards.strides[0] == 0 and not kept.transitions.flags.writeable
    assert np.array_equal(kept.optimal_values(), written.optimal_values())
    with pytest.raises(ValueError, match="transitions must sum to 1"):
        EpisodicMDP(laws / 2, rewards, np.ones(3) / 3)
    with pytest.raises(ValueError, match="transitions must be at least 0"):
        EpisodicMDP(np.broadcast_to(-1.0, laws.shape), rewards, np.ones(3) / 3)
    uniform = np.broadcast_to(1 / 3, laws.shape)  # repeats along the axis of the distributions, too
    assert EpisodicMDP(uniform, rewards, np.ones(3) / 3).transitions.sum(axis=-1) == pytest.approx(1)


@given(seeds)
def test_episodic_optimum_is_the_best_of_all_policies(seed):
    mdp = random_episodic(np.random.default_rng(seed), 2, 3, 2)
    policies = (policy.reshape(2, 3, 2) for policy in deterministic_policies(6, 2))
    best = np.max([mdp.policy_values(policy) for policy in policies], axis=0)
    assert mdp.optimal_values() == pytest.approx(best, abs=1e-12)


@given(seeds)
def test_a_linear_process_has_the_values_of_its_table(seed):
    """Mixtures of d distributions: features are the weights of the mixture, measures its parts."""
    rng = np.random.default_rng(seed)
    features, measures = random_laws(rng, 4, 2, 3), random_laws(rng, 5, 3, 4)
    mdp = LinearMDP(features, measures, rng.normal(size=(5, 3)), random_laws(rng, 4))
    table = EpisodicMDP(
        np.array([[[features[s, a] @ measures[h] for a in range(2)] for s in range(4)] for h in range(5)]),
        np.array([features @ theta for theta in mdp.reward_weights]),
        mdp.initial,
    )
    policy = random_laws(rng, 5, 4, 2)
    for process in (mdp, table):
        assert (process.horizon, process.n_states, process.n_actions) == (5, 4, 2)
    assert mdp.policy_values(policy) == pytest.approx(table.policy_values(policy), abs=1e-12)
    assert mdp.optimal_values() == pytest.approx(table.optimal_values(), abs=1e-12)


# ------------------------------------------------------------------------------------------- wrong arguments

FINITE = dict(transitions=np.full((2, 1, 2), 0.5), rewards=np.zeros((2, 1, 2)), discount=0.9, initial=[1, 0],
              terminal=np.array([False, True]))
EPISODIC = dict(transitions=np.full((3, 2, 1, 2), 0.5), rewards=np.zeros((3, 2, 1)), initial=[1, 0])
LINEAR = dict(features=np.ones((2, 1, 1)), measures=np.full((3, 1, 2), 0.5), reward_weights=np.zeros((3, 1)),
              initial=[1, 0])


@pytest.mark.parametrize("changes, message", [
    (dict(transitions=np.ones((2, 2))), r"transitions must have 3 axes, none of them empty, got shape \(2, 2\)"),
    (dict(transitions=np.zeros((0, 1, 0))), "transitions must have 3 axes, none of them empty"),
    (dict(transitions=np.full((2, 1, 3), 1 / 3)), r"transitions must have shape \[2, 1, 2\], got \[2, 1, 3\]"),
    (dict(transitions=np.full((2, 1, 2), 0.6)), "transitions must sum to 1 along the last axis, got 1.2"),
    (dict(transitions=[[[0.5, 0.5 + 2e-9]], [[0, 1]]]), "transitions must sum to 1 .* got 1.000000002"),
    (dict(transitions=[[[1.5, -0.5]], [[0, 1]]]), "transitions must be at least 0, got -0.5"),
    (dict(transitions=np.full((2, 1, 2), np.nan)), "transitions must be finite, got nan"),
    (dict(transitions=[[["a", "b"]], [["c", "d"]]]), "transitions must be numeric"),
    (dict(rewards=np.zeros((2, 2))), r"rewards must have shape \[2, 1, 2\], got \[2, 2\]"),
    (dict(rewards=np.full((2, 1, 2), np.inf)), "rewards must be finite, got inf"),
    (dict(discount=1.01), r"discount must be in \[0, 1\], got 1.01"),
    (dict(discount=-0.1), r"discount must be in \[0, 1\], got -0.1"),
    (dict(discount=np.nan), "discount must be finite, got nan"),
    (dict(discount="high"), "discount must be numeric, got 'high'"),
    (dict(discount=[0.9]), "discount must be one number, got an array of shape"),
    (dict(initial=[1, 0, 0]), r"initial must have shape \[2\], got \[3\]"),
    (dict(initial=[0.5, 0.4]), "initial must sum to 1 along the last axis, got 0.9"),
    (dict(terminal=[0, 1]), r"terminal must be booleans of shape \[2\], got int64"),
    (dict(terminal=np.array([True])), r"terminal must be booleans of shape \[2\], got bool of shape \[1\]"),
])
def test_finite_mdp_refuses(changes, message):
    with pytest.raises(ValueError, match=message):
        FiniteMDP(**{**FINITE, **changes})


@pytest.mark.parametrize("changes, message", [
    (dict(transitions=np.full((2, 1, 2), 0.5)), "transitions must have 4 axes"),
    (dict(transitions=np.full((3, 2, 1, 2), 0.4)), "transitions must sum to 1"),
    (dict(rewards=np.zeros((3, 2))), r"rewards must have shape \[3, 2, 1\], got \[3, 2\]"),
    (dict(rewards=np.full((3, 2, 1), np.nan)), "rewards must be finite, got nan"),
    (dict(initial=[2, -1]), "initial must be at least 0, got -1"),
])
def test_episodic_mdp_refuses(changes, message):
    with pytest.raises(ValueError, match=message):
        EpisodicMDP(**{**EPISODIC, **changes})


@pytest.mark.parametrize("changes, message", [
    (dict(features=np.ones((2, 1))), "features must have 3 axes"),
    (dict(features=np.full((2, 1, 1), np.nan)), "features must be finite, got nan"),
    (dict(features=np.full((2, 1, 1), 0.5)), "features @ measures must sum to 1 along the last axis, got 0.5"),
    (dict(measures=np.full((3, 2, 2), 0.5)), r"measures must have shape \[3, 1, 2\], got \[3, 2, 2\]"),
    (dict(measures=[[[1.5, -0.5]]] * 3), "features @ measures must be at least 0, got -0.5"),
    (dict(reward_weights=np.zeros(3)), r"reward_weights must have shape \[3, 1\], got \[3\]"),
    (dict(initial=[1, 1]), "initial must sum to 1"),
])
def test_linear_mdp_refuses(changes, message):
    with pytest.raises(ValueError, match=message):
        LinearMDP(**{**LINEAR, **changes})


@pytest.mark.parametrize("mdp, policy, message", [
    (FiniteMDP(**FINITE), np.ones(2), r"policy must have shape \[2, 1\], got \[2\]"),
    (FiniteMDP(**FINITE), np.full((2, 1), 0.5), "policy must sum to 1 along the last axis, got 0.5"),
    (FiniteMDP(**FINITE), [[1], [np.nan]], "policy must be finite, got nan"),
    (EpisodicMDP(**EPISODIC), np.ones((2, 1)), r"policy must have shape \[3, 2, 1\], got \[2, 1\]"),
    (LinearMDP(**LINEAR), np.full((3, 2, 1), -1), "policy must be at least 0, got -1"),
])
def test_policies_that_are_none_are_refused(mdp, policy, message):
    with pytest.raises(ValueError, match=message):
        mdp.policy_values(policy)


def test_rounding_is_not_refused():
    assert distributions("p", [1 / 49] * 49, (49,)).sum() != 1
    distributions("p", [0.5, 0.5 + 9e-10], (2,))


@given(st.lists(st.floats(), min_size=1, max_size=4))
def test_distributions_are_accepted_exactly_when_they_are(values):
    is_law = all(np.isfinite(values)) and min(values) >= 0 and abs(sum(values) - 1) <= 1e-9
    if is_law:
        assert np.array_equal(distributions("p", values, (len(values),)), values)
    else:
        with pytest.raises(ValueError, match="^p must "):
            distributions("p", values, (len(values),))


@given(st.floats())
def test_discounts_are_accepted_exactly_in_the_unit_interval(discount):
    if 0 <= discount <= 1:
        assert discount_factor(discount) == discount
    else:
        with pytest.raises(ValueError, match="^discount must be"):
            discount_factor(discount)


def test_a_large_reward_elsewhere_hides_no_small_one():
    """State 0 earns 1e16 whatever it does; state 1 earns 0 or 1, and 1 is the better."""
    transitions = np.zeros((3, 2, 3))
    transitions[:, :, 2] = 1
    rewards = np.zeros((3, 2, 3))
    rewards[0], rewards[1, 1] = 1e16, 1
    mdp = FiniteMDP(transitions, rewards, 0.9, np.ones(3) / 3, np.array([False, False, True]))
    assert mdp.optimal_values() == pytest.approx([1e16, 1.0, 0.0])


def test_a_problem_keeps_what_it_was_made_of():
    transitions, rewards = np.ones((1, 1, 1)), np.zeros((1, 1, 1))
    problem = FiniteMDP(transitions, rewards, 0.5, np.ones(1), np.zeros(1, dtype=bool))
    rewards[:] = 9
    assert problem.rewards == 0
    with pytest.raises(ValueError, match="read-only"):
        problem.rewards[:] = 9


@pytest.mark.parametrize("reward", [1e308, -1e308])
def test_rewards_that_overflow_are_refused_and_not_iterated_for_ever(reward):
    """Values of inf - inf are no numbers, and no number is at most 0."""
    rewards = np.full((2, 2, 2), reward)
    finite = FiniteMDP(np.full((2, 2, 2), 0.5), rewards, 0.99, [1, 0], np.zeros(2, dtype=bool))
    steps = EpisodicMDP(np.full((5, 2, 2, 2), 0.5), np.full((5, 2, 2), reward), [1, 0])
    for mdp, policy in (finite, np.full((2, 2), 0.5)), (steps, np.full((5, 2, 2), 0.5)):
        for values in mdp.optimal_values, lambda: mdp.policy_values(policy):
            with pytest.raises(ValueError, match="^rewards must be small enough for values that are finite"):
                values()


def test_an_action_that_overflows_is_not_taken_for_a_bad_one():
    rewards = np.zeros((2, 2, 2))
    rewards[0, 0], rewards[0, 1] = -1.7e308, 1.0
    mdp = FiniteMDP(np.full((2, 2, 2), 0.5), rewards, 0.5, [1, 0], np.zeros(2, dtype=bool))
    with pytest.raises(ValueError, match="rewards must be small enough"):
        FiniteMDP(mdp.transitions, rewards * 0.5 - 8e307, 0.5, [1, 0], mdp.terminal).optimal_values()


def exact_values(mdp, policy):
    """In fractions: the numbers that the arrays hold, with rows that sum to 1."""
    S = range(mdp.n_states)
    F = [[Fraction(float(x)) for x in row] for row in np.einsum("sa,san->sn", policy, mdp.transitions)]
    F = [[x / sum(row) for x in row] for row in F]
    r = [Fraction(float(x)) for x in np.einsum("sa,san,san->s", policy, mdp.transitions, mdp.rewards)]
    rows = [[(s == n) - Fraction(mdp.discount) * F[s][n] for n in S] + [r[s]] for s in S]
    for k in S:
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for s in S:
            if s != k:
                rows[s] = [x - rows[s][k] * y for x, y in zip(rows[s], rows[k])]
    return np.array([float(row[-1]) for row in rows])


@pytest.mark.parametrize("distance", [1e-5, 1e-7, 1e-8, 1e-10, 1e-12, 1e-14, 2e-16])
def test_values_near_discount_one_say_how_exact_they_are(distance):
    worst = 0.0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        mdp = random_mdp(rng, 5, 2, 1 - distance, 0)
        policy, said = random_laws(rng, 5, 2), 1e-9
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                values = mdp.policy_values(policy)
            except ValueError as error:
                assert "discount must be further below 1" in str(error) and distance < 1e-13
                continue
        if caught:
            said = float(re.search(r"exact to about (\S+) of the largest", str(caught[0].message))[1])
        assert bool(caught) == (distance < 4e-7)
        truth = exact_values(mdp, policy)
        worst = max(worst, np.abs(values - truth).max() / np.abs(truth).max() / said)
    assert worst < 2


def test_a_policy_in_single_precision_is_a_policy():
    mdp = random_mdp(np.random.default_rng(0), 6, 3, 0.9, 1)
    policy = np.random.default_rng(1).dirichlet(np.ones(3), size=6).astype(np.float32)
    assert mdp.policy_values(policy) == pytest.approx(mdp.policy_values(policy / policy.sum(1, keepdims=True, dtype=float)))
