"""Named problems: the closed form of the chain, and Gymnasium's tables against a second route."""

import hashlib
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import gymnasium
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrl_core.world import (
    binary_action_behaviour,
    binary_action_linear_mdp,
    clinic,
    from_gymnasium,
    icu_sepsis,
    recovery_chain,
    sample_episodes,
    state_groups,
    strong_from,
)
from privrl_core.world.sepsis import ARRAYS


@given(st.integers(2, 80), st.floats(0, 0.99), st.floats(0.01, 1))
def test_values_of_the_chain_have_the_closed_form(N, p, gamma):
    g = gamma * (1 - p) / (1 - gamma * p)
    expected = np.append(g ** (N - np.arange(1, N)) / gamma, 0)
    chain = recovery_chain(N, p, gamma)
    assert chain.policy_values(np.ones((N, 1))) == pytest.approx(expected, rel=1e-10, abs=1e-300)
    assert chain.optimal_values() == pytest.approx(expected, rel=1e-10, abs=1e-300)


@given(st.integers(1, 6), st.floats(0, 0.2), st.floats(0.01, 1))
def test_values_of_the_clinic_have_the_closed_form(stage, risk, gamma):
    strong = np.arange(1, 6) >= stage
    up, stay = np.where(strong, 0.8, 0.5), np.where(strong, 0.2 - risk * np.arange(5, 0, -1) / 5, 0.5)
    expected = np.cumprod((gamma * up / (1 - gamma * stay))[::-1])[::-1] / gamma
    values = clinic(gamma, risk).policy_values(strong_from(stage))
    assert values == pytest.approx([*expected, 0, 0], rel=1e-9)
    assert (strong_from(stage)[:5, 1] == strong).all() and (strong_from(stage).sum(axis=1) == 1).all()


def test_the_chain_starts_where_one_says():
    assert np.array_equal(recovery_chain().initial, np.arange(40) == 0)
    assert np.array_equal(recovery_chain(3, initial=[0.2, 0.3, 0.5]).initial, [0.2, 0.3, 0.5])


@pytest.mark.parametrize("changes, message", [
    (dict(n_states=1), "n_states must be a whole number of at least 2, got 1"),
    (dict(n_states=2.5), "n_states must be a whole number of at least 2, got 2.5"),
    (dict(n_states=np.inf), "n_states must be finite, got inf"),
    (dict(stay=1), r"stay must be in \[0, 1\), got 1"),
    (dict(stay=-0.1), r"stay must be in \[0, 1\), got -0.1"),
    (dict(stay=np.nan), "stay must be finite, got nan"),
    (dict(stay=[0.5]), r"stay must be in \[0, 1\), got \[0.5\]"),
    (dict(discount=1.5), r"discount must be in \[0, 1\], got 1.5"),
    (dict(initial=[1.0]), r"initial must have shape \[40\], got \[1\]"),
    (dict(initial=np.ones(40)), "initial must sum to 1"),
])
def test_the_chain_refuses(changes, message):
    with pytest.raises(ValueError, match=message):
        recovery_chain(**changes)


def test_the_binary_action_problem_is_the_reference_instance():
    """Figures of an independent implementation, at seed 0."""
    mdp, behaviour = binary_action_linear_mdp(), binary_action_behaviour()
    optimum = mdp.initial @ mdp.optimal_values()[0]
    first, uniform = np.zeros((20, 2, 100)), np.full((20, 2, 100), 0.01)
    first[..., 0] = 1
    gaps = [optimum - mdp.initial @ mdp.policy_values(policy)[0] for policy in (first, behaviour, uniform)]
    assert optimum == pytest.approx(14.1509, abs=5e-5)
    assert gaps == pytest.approx([9.288, 7.478, 5.24], abs=0.01)


def test_properties_of_the_binary_action_problem():
    for seed in range(20):
        mdp = binary_action_linear_mdp(5, seed)
        rewards, features = mdp.tabular().rewards, mdp.features.reshape(200, 10)
        assert 0 <= rewards.min() and rewards.max() <= 1
        assert np.square(features).sum(axis=1).max() == 7 and np.linalg.matrix_rank(features) == 9
        best = np.isclose(rewards[:, 1], rewards[:, 1].max(axis=1, keepdims=True), rtol=0, atol=1e-12)
        assert all(set(np.flatnonzero(row)) == {58, 59, 62, 63} for row in best)


@pytest.mark.parametrize("action, digits", [(0, "00000000"), (1, "00000001"), (58, "00111010"), (99, "01100011")])
def test_actions_are_coded_in_binary_the_largest_digit_first(action, digits):
    features = binary_action_linear_mdp(1).features
    assert features[0, action, :8].tolist() == features[1, action, :8].tolist() == [int(digit) for digit in digits]
    same = (action == 0, action != 0)
    assert features[:, action, 8].tolist() == list(same) and features[:, action, 9].tolist() == [not one for one in same]


def test_the_behaviour_takes_the_first_action_most_of_the_time():
    policy = binary_action_behaviour(3, 0.7)
    assert policy.shape == (3, 2, 100) and np.all(policy[..., 0] == 0.7)
    assert policy[..., 1:] == pytest.approx(0.3 / 99) and policy.sum(axis=2) == pytest.approx(1)


@pytest.mark.parametrize("call, message", [
    (lambda: binary_action_linear_mdp(0), "horizon must be a whole number of at least 1, got 0"),
    (lambda: binary_action_linear_mdp(2.5), "horizon must be a whole number of at least 1, got 2.5"),
    (lambda: binary_action_linear_mdp(seed=-1), "seed must be a whole number of at least 0, got -1"),
    (lambda: binary_action_behaviour(0), "horizon must be a whole number of at least 1, got 0"),
    (lambda: binary_action_behaviour(first=1.1), r"first must be in \[0, 1\], got 1.1"),
    (lambda: binary_action_behaviour(first=np.nan), "first must be finite, got nan"),
])
def test_the_binary_action_problem_refuses(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def reachable(world):
    seen, unseen = set(), set(np.flatnonzero(world.initial_state_distrib))
    while unseen:
        s = unseen.pop()
        seen.add(s)
        unseen |= {n for a in world.P[s] for p, n, _, end in world.P[s][a] if p > 0 and not end} - seen
    return sorted(seen)


def values_by_sweeps(world, discount, backup, sweeps):
    """Gymnasium's own reading of its table: nothing follows an outcome that is terminated."""
    V = np.zeros(len(world.P))
    for _ in range(sweeps):
        V = np.array([
            backup([sum(p * (r + discount * (not end) * V[n]) for p, n, r, end in outcomes)
                    for outcomes in world.P[s].values()])
            for s in world.P
        ])
    return V


# 0.9^300 = 2e-14, times values of at most 1,000
@pytest.mark.parametrize("name, sizes", [
    ("FrozenLake-v1", (16, 4)), ("CliffWalking-v1", (48, 4)), ("Taxi-v4", (500, 6)),
])
def test_values_of_gymnasium_problems_agree_with_sweeps_over_their_tables(name, sizes):
    world = gymnasium.make(name).unwrapped
    mdp, states = from_gymnasium(gymnasium.make(name), discount=0.9), reachable(world)
    assert (mdp.n_states, mdp.n_actions) == sizes
    uniform = mdp.policy_values(np.full(sizes, 1 / sizes[1]))
    assert uniform[states] == pytest.approx(values_by_sweeps(world, 0.9, np.mean, 300)[states], abs=1e-9)
    assert mdp.optimal_values()[states] == pytest.approx(values_by_sweeps(world, 0.9, max, 300)[states], abs=1e-9)


@pytest.mark.parametrize("name", ["FrozenLake-v1", "CliffWalking-v1", "Taxi-v4"])
def test_outcomes_of_gymnasium_problems_keep_their_law(name):
    world = gymnasium.make(name).unwrapped
    mdp = from_gymnasium(world, discount=1)
    assert mdp.initial == pytest.approx(world.initial_state_distrib, abs=1e-12)
    for s in reachable(world):
        for a in world.P[s]:
            law = Counter()
            for p, n, r, end in world.P[s][a]:
                law[n, float(r), bool(end)] += p
            ours = {(n, mdp.rewards[s, a, n], bool(mdp.terminal[n])): mdp.transitions[s, a, n]
                    for n in np.flatnonzero(mdp.transitions[s, a])}
            assert ours == pytest.approx(dict(law), abs=1e-12)


@pytest.mark.parametrize("name, optimum", [("FrozenLake-v1", 14 / 17), ("CliffWalking-v1", -13)])
def test_known_optima_without_discount(name, optimum):
    mdp = from_gymnasium(gymnasium.make(name), discount=1)
    assert mdp.initial @ mdp.optimal_values() == pytest.approx(optimum, abs=1e-9)


def world(outcomes, initial=(1.0, 0.0)):
    """Two states, one action; state 1 returns to itself and ends."""
    table = {0: {0: outcomes}, 1: {0: [(1.0, 1, 0.0, True)]}}
    env = SimpleNamespace(P=table, initial_state_distrib=np.array(initial))
    env.unwrapped = env
    return env


def test_a_state_entered_in_two_ways_gets_a_copy_for_the_end():
    """From 0: end in 0 (reward 5), stay in 0, or end in 1. The copy of 0 is state 2."""
    mdp = from_gymnasium(world([(0.25, 0, 5.0, True), (0.5, 0, 0.0, False), (0.25, 1, 1.0, True)]), discount=0.5)
    assert np.array_equal(mdp.terminal, [False, True, True])
    assert np.array_equal(mdp.transitions[0, 0], [0.5, 0.25, 0.25])
    assert np.array_equal(mdp.rewards[0, 0], [0, 1, 5])
    assert mdp.policy_values(np.ones((3, 1)))[0] == pytest.approx(1.5 / 0.75)  # V = 1.5 + 0.5 * 0.5 V


def test_an_episode_may_start_where_another_ends():
    mdp = from_gymnasium(world([(1.0, 1, 1.0, True)], initial=(0.5, 0.5)), discount=0.5)
    assert np.array_equal(mdp.terminal, [False, False, True])
    assert np.array_equal(mdp.initial, [0.5, 0.5, 0])


@pytest.mark.parametrize("env, message", [
    (gymnasium.make("CartPole-v1"), "env must have a transition table P"),
    (world([(0.5, 1, 0.0, True), (0.5, 1, 1.0, True)]), "P must have one reward .* got 0 and 1 for 0, 0 and 1"),
    (world([(0.5, 1, 0.0, True)]), "transitions must sum to 1 along the last axis, got 0.5"),
    (world([(1.0, 1, np.nan, True)]), "P must hold probabilities, states in .0, 2., finite rewards"),
    (world([(1.0, 1, 0.0, True)], initial=(0.5, 0.6)), "initial must sum to 1 along the last axis, got 1.1"),
])
def test_from_gymnasium_refuses(env, message):
    with pytest.raises(ValueError, match=message):
        from_gymnasium(env, discount=0.9)


def test_from_gymnasium_refuses_a_discount_above_one():
    with pytest.raises(ValueError, match=r"discount must be in \[0, 1\], got 2"):
        from_gymnasium(world([(1.0, 1, 0.0, True)]), discount=2)


@pytest.mark.parametrize("outcome", [(1.0, -1, 0.0, False), (1.0, 7, 0.0, False), (-0.5, 1, 0.0, False), (np.nan, 1, 0.0, False),
                                     (1.0, 1, np.inf, False)])
def test_a_broken_table_is_named(outcome):
    class World:
        P = {0: {0: [outcome]}, 1: {0: [(1.0, 1, 0.0, True)]}}
        initial_state_distrib = np.array([1.0, 0.0])
        unwrapped = property(lambda self: self)
    with pytest.raises(ValueError, match="P must hold probabilities"):
        from_gymnasium(World(), discount=0.9)


# ---- ICU-Sepsis

SEPSIS = icu_sepsis()


def test_the_arrays_of_icu_sepsis_are_bit_for_bit_those_that_were_published():
    """Those of the package icu-sepsis 2.0.1, which brings its licence along."""
    arrays = {"transitions": SEPSIS.transitions[0], "rewards": SEPSIS.rewards[0], "initial": SEPSIS.initial,
              "expert_policy": SEPSIS.expert_policy, "admissible": SEPSIS.admissible, "centres": SEPSIS.centres, "sofa": SEPSIS.sofa}
    assert {name: hashlib.sha256(np.ascontiguousarray(array)).hexdigest()[:16] for name, array in arrays.items()} == {
        "transitions": "092fea86db851078", "rewards": "77a493ab079fbcc6", "initial": "5dda8806d66475a7",
        "expert_policy": "765a67db44f9874f", "admissible": "82edbd13e2afe6d0", "centres": "2433709bd2ecb4f0", "sofa": "528d9199b76e0215"}
    assert "Copyright (c) 2024 Kartik Choudhary, Dhawal Gupta, Philip S. Thomas" in ARRAYS.with_suffix(".LICENSE.txt").read_text()


@pytest.mark.parametrize("horizon, expert, uniform, optimal", [(20, 0.692, 0.685, 0.792), (60, 0.780, 0.778, 0.873)])
def test_values_of_icu_sepsis(horizon, expert, uniform, optimal):
    problem = icu_sepsis(horizon)
    found = [problem.initial @ values[0] for values in (
        problem.policy_values(np.broadcast_to(problem.expert_policy, problem.rewards.shape)),
        problem.policy_values(np.full(problem.rewards.shape, 1 / 25)), problem.optimal_values())]
    assert found == pytest.approx([expert, uniform, optimal], abs=5e-4)


def test_icu_sepsis_is_what_its_files_say():
    with np.load(ARRAYS) as arrays:
        law, rewards, expert = arrays["tx_mat"], arrays["r_mat"], arrays["expert_policy"]
        assert (SEPSIS.centres == arrays["state_cluster_centers"]).all() and (SEPSIS.sofa == arrays["sofa_scores"]).all()
    assert SEPSIS.transitions.shape == (20, 716, 25, 716) and SEPSIS.transitions.strides[0] == 0, "kept once"
    assert (SEPSIS.transitions[7] == law).all() and (SEPSIS.expert_policy[:713] == expert[:713]).all()
    assert np.allclose(SEPSIS.rewards[3], np.einsum("san,san->sa", law, rewards), atol=1e-12)
    assert (law[[713, 714, 715], :, 715] == 1).all() and not expert[713:].any()


def test_admissible_treatments_are_those_that_the_others_average():
    """An inadmissible treatment has the mean law of the admissible ones: it tells which they are."""
    assert SEPSIS.admissible[:713].sum() == 2238 and (SEPSIS.admissible[:713].sum(axis=1) == 1).sum() == 237
    for s in range(0, 713, 31):
        law, admissible = SEPSIS.transitions[0, s], SEPSIS.admissible[s]
        mean = law[admissible].mean(axis=0)
        assert np.allclose(law[~admissible], mean, atol=1e-12)


def test_icu_sepsis_to_the_end():
    """A value is the probability to survive: what 500 steps give, and a reward only for entering survival."""
    endless = SEPSIS.to_the_end()
    values = endless.policy_values(SEPSIS.expert_policy)
    step = np.einsum("sa,san->sn", SEPSIS.expert_policy, SEPSIS.transitions[0])
    step[714:] = np.eye(716)[714:]  # who survives stays there, to be counted
    assert np.allclose(values[:713], np.linalg.matrix_power(step, 500)[:713, 714], atol=1e-5)
    assert endless.initial @ values == pytest.approx(0.782, abs=5e-4)
    episodes = sample_episodes(endless, SEPSIS.expert_policy, 20_000, np.random.default_rng(0), max_length=60)
    # a mean of 20,000 outcomes in [0, 1]: within 0.02 but for 2 exp(-2 * 20,000 * 0.0004) < 1e-6
    assert episodes.rewards.sum(axis=1).mean() == pytest.approx(0.781, abs=0.02)
    assert episodes.lengths.mean() == pytest.approx(9.2, abs=0.3)


def test_groups_of_states_follow_the_centres():
    groups = state_groups(SEPSIS, 20, np.random.default_rng(0))
    assert groups.shape == (716,) and set(groups) == set(range(groups.max() + 1)) and groups.max() <= 22
    assert (np.bincount(groups)[groups[713:]] == 1).all() and (groups[713:] == groups.max() + [-2, -1, 0]).all()
    patients = SEPSIS.centres[:713] / np.maximum(SEPSIS.centres[:713].std(axis=0), 1e-12)
    within = sum(((x := patients[groups[:713] == g]) - x.mean(axis=0)).var(axis=0).sum() * len(x) for g in set(groups[:713]))
    assert within < 0.8 * patients.var(axis=0).sum() * 713
    assert (state_groups(SEPSIS, 20, np.random.default_rng(0)) == groups).all()


@pytest.mark.parametrize("call, message", [
    (lambda: icu_sepsis(0), "horizon must be a whole number of at least 1, got 0"),
    (lambda: state_groups(SEPSIS, 0, np.random.default_rng(0)), "n_groups must be a whole number of at least 1"),
    (lambda: state_groups(SEPSIS, 714, np.random.default_rng(0)), "n_groups must be a whole number of at most 713, got 714"),
    (lambda: replace(SEPSIS, expert_policy=SEPSIS.expert_policy / 2), "expert_policy must sum to 1")])
def test_icu_sepsis_refuses(call, message):
    with pytest.raises(ValueError, match=message):
        call()
