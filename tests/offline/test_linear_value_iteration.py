"""Private and plain value iteration in linear problems: the paper's loops, limits, orderings, audits, wrong arguments."""

import numpy as np
import pytest

from privrl_core.offline import (
    StepCounts,
    centred_noise,
    centred_vapvi,
    count_steps,
    dp_vapvi,
    dp_vapvi_as_printed,
    dp_vapvi_as_run_by_authors,
    dp_vapvi_plus,
    feature_coverage,
    half_shift,
    linear_recursion,
    pevi,
    sample_step_counts,
    unit_features,
    vapvi,
)
from privrl_core.offline.linear_recursion import StandardNoise
from privrl_core.privacy import (
    ADD_OR_REMOVE_ONE,
    REPLACE_ONE,
    TRAJECTORY,
    Status,
    count_events,
    epsilon_lower_bound,
    firing_probabilities,
    gaussian_epsilon,
    trials_needed,
    zcdp_epsilon_as_printed,
)
from privrl_core.world import Episodes, EpisodicMDP, binary_action_behaviour, binary_action_linear_mdp

SETTINGS = dict(pessimism=0.03, ridge=0.01)
PROMISE = dict(rho=1.0, delta=1e-5)
ONE_DATASET = dp_vapvi_as_run_by_authors, dp_vapvi, dp_vapvi_plus


def problem(horizon=20, seed=0):
    mdp = binary_action_linear_mdp(horizon, seed)
    return mdp.tabular(), binary_action_behaviour(horizon), unit_features(mdp.features)


def gap(mdp, plan):
    return mdp.initial @ (mdp.optimal_values() - mdp.policy_values(plan.policy))[0]


def sample_episodes(mdp, policy, m, rng):
    """One episode after the other, as a clinic would log them; rewards by the toss of a coin."""
    states, actions, rewards = [], [], []
    for _ in range(m):
        s, one = rng.choice(mdp.n_states, p=mdp.initial), ([], [], [])
        for h in range(mdp.horizon):
            a = rng.choice(mdp.n_actions, p=policy[h, s])
            for place, value in zip(one, (s, a, rng.random() < mdp.rewards[h, s, a])):
                place.append(value)
            s = rng.choice(mdp.n_states, p=mdp.transitions[h, s, a])
        for places, place in zip((states, actions, rewards), (one[0] + [s], one[1], one[2])):
            places.append(place)
    return Episodes.from_lists(states, actions, rewards)


# ---- the paper's loops

def algorithm_2(episodes, others, features, H, *, printed, rho, seed, pessimism, ridge, failure=0.1):
    """Line by line over episodes; ``printed``: variance of the Gram noise times rho_0. The same draws as the package."""
    d, rng, K = features.shape[2], np.random.default_rng(seed), len(episodes)
    rho_0, C = rho / (5 * H), pessimism
    scale = np.sqrt(printed / rho_0)
    Z, vectors = scale * rng.normal(size=(H, 2, d, d)), rng.normal(size=(H, 3, d))
    E = 2 * half_shift(scale, d, 2 * H, failure)
    V, policy = np.zeros((H + 1, 2)), np.zeros((H, 2, 100))
    for h in reversed(range(H)):
        K1, K2 = (E / 2 * np.eye(d) + (z + z.T) / np.sqrt(2) for z in Z[h])
        phi1, phi2, phi3 = vectors[h] * np.sqrt(2 / rho_0) * np.array([[H**2], [H], [H]])
        Sigma, beta, theta = ridge * np.eye(d) + K1, phi1, phi2
        for tau in range(len(others)):
            phi, after = features[others.states[tau, h], others.actions[tau, h]], V[h + 1, others.states[tau, h + 1]]
            Sigma, beta, theta = Sigma + np.outer(phi, phi), beta + phi * after**2, theta + phi * after
        beta, theta = np.linalg.solve(Sigma, beta), np.linalg.solve(Sigma, theta)
        variance = np.clip(features @ beta, 0, (H - h) ** 2) - np.clip(features @ theta, 0, H - h) ** 2
        sigma2 = np.maximum(1, variance)
        Lambda, b = ridge * np.eye(d) + K2, phi3
        for tau in range(K):
            s, a, after = episodes.states[tau, h], episodes.actions[tau, h], episodes.states[tau, h + 1]
            phi = features[s, a]
            Lambda = Lambda + np.outer(phi, phi) / sigma2[s, a]
            b = b + phi * (episodes.rewards[tau, h] + V[h + 1, after]) / sigma2[s, a]
        Gamma = C * np.sqrt(d * np.einsum("sai,ij,saj->sa", features, np.linalg.inv(Lambda), features))
        Q = features @ np.linalg.solve(Lambda, b) - Gamma
        for s in range(2):
            policy[h, s, np.argmax(Q[s])] = 1
            V[h, s] = np.clip(Q[s], 0, H - h).max()
    return policy, V


def plus(episodes, features, H, *, rho, seed, pessimism, ridge, failure=0.1):
    """DP-VAPVI+ over episodes, its noise written out again."""
    (S, A, d), rng, budget = features.shape, np.random.default_rng(seed), rho / H / 0.78125
    Z, vectors = rng.normal(size=(H, 2, d, d)), rng.normal(size=(H, 3, d))
    V, policy = np.zeros((H + 1, S)), np.zeros((H, S, A))
    wide = []

    def gram(h, i, share, weights):
        scale = np.sqrt(1 / (2 * share * budget))
        total = (ridge + half_shift(scale, d, 2 * H, failure)) * np.eye(d) + scale * (Z[h, i] + Z[h, i].T) / np.sqrt(2)
        for s, a in zip(episodes.states[:, h], episodes.actions[:, h]):
            total = total + weights[s, a] * np.outer(features[s, a], features[s, a])
        return total

    def vector(h, i, share, bound, target):
        total = vectors[h, i] * np.sqrt((2 * bound) ** 2 / (2 * share * budget))
        for tau in range(len(episodes)):
            total = total + features[episodes.states[tau, h], episodes.actions[tau, h]] * target(tau)
        return total

    for h in reversed(range(H)):
        after = V[h + 1]
        c, a = (after.max() + after.min()) / 2, (after.max() - after.min()) / 2
        U = [after[s] - c for s in episodes.states[:, h + 1]]
        sigma2, shares = np.ones((S, A)), (0.5, 0.5)
        if a > 1:
            wide.append(h)
            shares, Sigma = (0.3, 0.3), gram(h, 0, 0.2, np.ones((S, A)))
            second = features @ np.linalg.solve(Sigma, vector(h, 0, 0.1, a**2 / 2, lambda t: U[t] ** 2 - a**2 / 2)) + a**2 / 2
            first = features @ np.linalg.solve(Sigma, vector(h, 1, 0.1, a, lambda t: U[t]))
            sigma2 = np.maximum(1, np.clip(second, 0, a**2) - np.clip(first, -a, a) ** 2)
        Lambda = gram(h, 1, shares[0], 1 / sigma2)
        w = np.linalg.solve(Lambda, vector(h, 2, shares[1], a + 0.5, lambda t: (
            episodes.rewards[t, h] - 0.5 + U[t]) / sigma2[episodes.states[t, h], episodes.actions[t, h]]))
        Gamma = pessimism * np.sqrt(d * np.einsum("sai,ij,saj->sa", features, np.linalg.inv(Lambda), features))
        Q = features @ w + c + 0.5 - Gamma
        policy[h, np.arange(S), Q.argmax(axis=1)] = 1
        V[h] = np.clip(Q, 0, H - h).max(axis=1)
    return policy, V, wide


@pytest.mark.parametrize("seed, rho", [(0, 1e3), (1, 1e6), (2, 1e9)])
def test_algorithm_2_over_episodes_gives_the_same_plan(seed, rho):
    mdp, behaviour, features = problem(horizon=6, seed=seed)
    halves = [sample_episodes(mdp, behaviour, 60, np.random.default_rng([seed, i])) for i in (0, 1)]
    first, second = (count_steps(half, horizon=6, n_states=2, n_actions=100) for half in halves)
    promise, settings = dict(rho=rho, delta=1e-5), dict(pessimism=0.01, ridge=0.1)
    for printed, release, arguments, data in (
            (1 / 4, dp_vapvi_as_printed, (first, second), halves),
            (1 / 4, dp_vapvi_as_run_by_authors, (first,), halves[:1] * 2), (1 / 2, dp_vapvi, (first,), halves[:1] * 2)):
        policy, values = algorithm_2(*data, features, 6, printed=printed, rho=rho, seed=seed, **settings)
        plan = release(*arguments, features, noise_rng=np.random.default_rng(seed), **promise, **settings)
        assert plan.values == pytest.approx(values, abs=1e-8)
        assert np.array_equal(plan.policy, policy)


def test_dp_vapvi_plus_over_episodes_gives_the_same_plan():
    """Two states that one hardly leaves, one of them rich: values drift apart, so that both branches are taken."""
    stay = np.array([[0.9, 0.1], [0.2, 0.8]])
    mdp = EpisodicMDP(np.broadcast_to(stay[:, None], (6, 2, 2, 2)), np.broadcast_to([[0.9, 1], [0, 0.1]], (6, 2, 2)), [0.5, 0.5])
    behaviour, features, wide = np.full((6, 2, 2), 0.5), np.eye(4).reshape(2, 2, 4), []
    for seed in range(6):
        episodes = sample_episodes(mdp, behaviour, 200, np.random.default_rng(seed))
        totals = count_steps(episodes, horizon=6, n_states=2, n_actions=2)
        settings = dict(pessimism=0.02, ridge=0.05)
        policy, values, branch = plus(episodes, features, 6, rho=300.0, seed=seed, **settings)
        plan = dp_vapvi_plus(totals, features, rho=300.0, delta=1e-5, noise_rng=np.random.default_rng(seed), **settings)
        assert plan.values == pytest.approx(values, abs=1e-8)
        assert np.array_equal(plan.policy, policy)
        wide += branch
    assert 6 < len(wide) < 30


def test_pevi_is_the_closed_form_of_a_ridge_regression():
    """At the last step, by stacking one row an episode and calling a least-squares solver."""
    mdp, behaviour, features = problem(horizon=1)
    episodes = sample_episodes(mdp, behaviour, 200, np.random.default_rng(0))
    X = features[episodes.states[:, 0], episodes.actions[:, 0]]
    y, ridge, d = episodes.rewards[:, 0], 0.5, 10
    w = np.linalg.lstsq(np.vstack([X, np.sqrt(ridge) * np.eye(d)]), np.append(y, np.zeros(d)), rcond=None)[0]
    spread = np.einsum("sai,ij,saj->sa", features, np.linalg.inv(X.T @ X + ridge * np.eye(d)), features)
    plan = pevi(count_steps(episodes, horizon=1, n_states=2, n_actions=100), features, pessimism=0.01, ridge=ridge)
    expected = np.clip(features @ w - 0.01 * d * np.sqrt(spread), 0, 1)
    assert plan.values[0] == pytest.approx(expected.max(axis=1), abs=1e-10)


# ---- limits

def copy_of(totals):
    """Other episodes that happen to hold the same: as far as anybody can tell without looking at the data."""
    return StepCounts(totals.transition_counts, totals.reward_sums, totals.n_episodes)


@pytest.mark.parametrize("release, parent", [
    (dp_vapvi_as_run_by_authors, vapvi), (dp_vapvi, vapvi), (dp_vapvi_plus, centred_vapvi),
    (lambda totals, *args, **more: dp_vapvi_as_printed(totals, copy_of(totals), *args, **more), vapvi)])
@pytest.mark.parametrize("K", [30, 1000])
def test_without_privacy_the_parent_comes_back(release, parent, K):
    mdp, behaviour, features = problem()
    totals = sample_step_counts(mdp, behaviour, K, np.random.default_rng(K))
    settings = dict(pessimism=0.03, ridge=0.1)
    limit = release(totals, features, rho=1e22, delta=1e-5, noise_rng=np.random.default_rng(0), **settings)
    plan = parent(totals, features, **settings)
    assert limit.values == pytest.approx(plan.values, abs=1e-4)
    assert np.array_equal(limit.policy, plan.policy)


def test_halves_that_hold_the_same_give_the_plan_of_one_set():
    """They may: an error that told of it would tell of the data. One object twice is no split, whatever it holds."""
    mdp, behaviour, features = problem()
    totals = sample_step_counts(mdp, behaviour, 500, np.random.default_rng(0))
    one, two = (release(*arguments, features, noise_rng=np.random.default_rng(0), **PROMISE, **SETTINGS) for release, arguments in
                ((dp_vapvi_as_run_by_authors, (totals,)), (dp_vapvi_as_printed, (totals, copy_of(totals)))))
    assert one.values.tobytes() == two.values.tobytes()
    with pytest.raises(ValueError, match="variance_totals must be of other episodes than totals, got the same object twice"):
        dp_vapvi_as_printed(totals, totals, features, noise_rng=np.random.default_rng(0), **PROMISE, **SETTINGS)


def test_each_half_serves_its_own_regressions():
    """Without noise: swapped halves give another plan, and with a half of nothing the variance of nothing, which is 0."""
    mdp, behaviour, features = problem()
    first, second = (sample_step_counts(mdp, behaviour, 30, np.random.default_rng(seed)) for seed in (0, 1))
    nothing = StepCounts(np.zeros_like(first.transition_counts), np.zeros_like(first.reward_sums), 30)
    settings = dict(rho=1e22, delta=1e-5, pessimism=0.03, ridge=0.1)
    plan, swapped, unweighted = (dp_vapvi_as_printed(*halves, features, noise_rng=np.random.default_rng(0), **settings)
                                 for halves in ((first, second), (second, first), (first, nothing)))
    assert np.abs(plan.values - swapped.values).max() > 0.01 and np.abs(plan.values - unweighted.values).max() > 0.01
    as_pevi = pevi(first, features, pessimism=0.03 / np.sqrt(10) / 20, ridge=0.1)  # its penalty is d H / sqrt d times as large
    assert unweighted.values == pytest.approx(as_pevi.values, abs=1e-4)


@pytest.mark.parametrize("plan", [pevi, vapvi, centred_vapvi])
def test_with_all_the_data_there_are_the_plan_is_optimal(plan):
    mdp, behaviour, features = problem()
    totals = sample_step_counts(mdp, behaviour, 10**13, np.random.default_rng(0))
    found = plan(totals, features, pessimism=1e-4, ridge=1e-6)
    assert gap(mdp, found) < 1e-3
    assert found.values == pytest.approx(mdp.optimal_values(), abs=0.01)


@pytest.mark.parametrize("seed", range(3))
def test_pessimistic_values_are_below_the_truth(seed):
    """Enough pessimism, little data: what is planned is less than what the plan is worth."""
    mdp, behaviour, features = problem(seed=seed)
    totals = sample_step_counts(mdp, behaviour, 2000, np.random.default_rng(seed))
    for plan in (pevi(totals, features, pessimism=0.1), vapvi(totals, features, pessimism=0.5)):
        assert np.all(plan.values <= mdp.policy_values(plan.policy) + 1e-9)


def test_the_remainder_is_subtracted_at_every_step():
    mdp, behaviour, features = problem()
    totals = sample_step_counts(mdp, behaviour, 10_000, np.random.default_rng(0))
    plain, less = (vapvi(totals, features, remainder=D, **SETTINGS).values for D in (0.0, 100.0))
    assert plain[-2] - less[-2] == pytest.approx(0.01)


@pytest.mark.parametrize("plan", [
    lambda data, features: pevi(data, features, pessimism=100.0),
    lambda data, features: pevi(data, features, **SETTINGS),
    lambda data, features: vapvi(data, features, **SETTINGS),
    lambda data, features: dp_vapvi_as_run_by_authors(data, features, noise_rng=np.random.default_rng(0), rho=100.0, delta=1e-5, **SETTINGS),
    lambda data, features: dp_vapvi_plus(data, features, noise_rng=np.random.default_rng(0), rho=1e-3, delta=1e-5, **SETTINGS)])
def test_the_action_is_the_best_before_q_is_cut_and_values_are_those_after(plan):
    """At either end of what can be earned many actions are tied, and the tie is broken by what was cut off."""
    mdp, behaviour, features = problem()
    found = plan(sample_step_counts(mdp, behaviour, 300, np.random.default_rng(0)), features)
    cut = np.clip(found.q, 0, np.arange(20, 0, -1)[:, None, None])
    assert np.all(found.policy.argmax(axis=2) == found.q.argmax(axis=2)) and np.all(found.policy.sum(axis=2) == 1)
    assert np.array_equal(found.values[:-1], cut.max(axis=2)) and not found.values[-1].any()
    assert np.array_equal((cut * found.policy).sum(axis=2), found.values[:-1])  # one of the best after the cut


def test_how_many_actions_are_tied_after_the_cut():
    """Why the rule matters: with the printed noise, at nine of ten states and steps the first tied action is an accident."""
    mdp, behaviour, features = problem()
    tied = []
    for run in range(4):
        data = sample_step_counts(mdp, behaviour, 1000, np.random.default_rng(run))
        plan = dp_vapvi_as_run_by_authors(data, features, rho=25.0, delta=1e-5, noise_rng=np.random.default_rng([run, 1]), **SETTINGS)
        tied.append((plan.q >= np.arange(20, 0, -1)[:, None, None]).sum(axis=2) > 1)
    assert np.mean(tied) > 0.8


def test_an_indefinite_matrix_gives_a_plan_and_no_error():
    """With a failure probability near 1 the shift is too small for some matrices: the repair must hold."""
    mdp, behaviour, features = problem()
    totals = sample_step_counts(mdp, behaviour, 5, np.random.default_rng(0))
    for seed in range(20):
        plan = dp_vapvi(totals, features, rho=1e-4, delta=1e-5, noise_rng=np.random.default_rng(seed), failure=0.999, **SETTINGS)
        assert np.isfinite(plan.values).all() and np.all(plan.policy.sum(axis=2) == 1)


# ---- orderings, at fixed seeds and with margins

def mean_gaps(K, plans, runs=12):
    found = {name: [] for name in plans}
    for run in range(runs):
        mdp, behaviour, features = problem(seed=run % 4)
        totals = sample_step_counts(mdp, behaviour, K, np.random.default_rng([K, run]))
        for name, plan in plans.items():
            found[name].append(gap(mdp, plan(totals, features, run)))
    return {name: np.mean(values) for name, values in found.items()}


def private(release, rho):
    return lambda totals, features, run: release(totals, features, rho=rho, delta=1e-5,
                                                 noise_rng=np.random.default_rng(run), **SETTINGS)


PARENTS = {"PEVI": lambda t, f, run: pevi(t, f, **SETTINGS), "VAPVI": lambda t, f, run: vapvi(t, f, **SETTINGS)}


def test_up_to_1000_episodes_the_printed_noise_leaves_a_little_and_in_the_order_of_the_budgets():
    """The uniform policy has a gap of 4.9."""
    few, many = (mean_gaps(K, PARENTS | {rho: private(dp_vapvi_as_run_by_authors, rho) for rho in (1, 5, 25, 100)})
                 for K in (200, 1000))
    assert few["VAPVI"] < 0.2 and many["VAPVI"] < 0.1 and few["PEVI"] > 6 and 1 < many["PEVI"] < 2.5
    assert 4.9 > few[1] > few[5] > 1.1 * few[25] > 1.2 * few[100] and few[100] > 2
    assert 4.3 > many[1] > 1.15 * many[5] > 1.2 * many[25] and min(many.values()) < 2 < min(many[25], many[100])


def test_of_actions_tied_by_the_cut_the_first_is_an_accident():
    """The same plans at 1,000 episodes and rho = 25, had they taken the first of the tied: near the uniform policy again."""
    gaps = []
    for run in range(8):
        mdp, behaviour, features = problem(seed=run % 4)
        plan = private(dp_vapvi_as_run_by_authors, 25)(sample_step_counts(mdp, behaviour, 1000, np.random.default_rng([1000, run])), features, run)
        first = np.clip(plan.q, 0, np.arange(20, 0, -1)[:, None, None]).argmax(axis=2)
        gaps.append([mdp.initial @ (mdp.optimal_values() - mdp.policy_values(policy))[0] for policy in (plan.policy, np.eye(100)[first])])
        assert mdp.initial @ plan.values[0] > 14.2  # planned, far above the best: noise is not pessimism
    assert np.mean(gaps, axis=0) == pytest.approx([2.5, 4.6], abs=0.5)


def test_at_1000_episodes_dp_vapvi_plus_stands_in_the_order_that_the_paper_reports():
    found = mean_gaps(1000, PARENTS | {rho: private(dp_vapvi_plus, rho) for rho in (1, 5, 25, 100)})
    order = [found[name] for name in ("VAPVI", 100, 25, 5, 1, "PEVI")]
    assert all(1.15 * better < worse for better, worse in zip(order, order[1:]))


def test_with_100_000_episodes_the_printed_noise_works_too():
    found = mean_gaps(100_000, {rho: private(dp_vapvi_as_run_by_authors, rho) for rho in (1, 5, 25, 100)})
    assert found[100] < found[25] < found[5] < found[1] < 2 and found[25] < 0.1


# ---- what is promised

def test_every_release_says_what_it_costs():
    mdp, behaviour, features = problem()
    totals = sample_step_counts(mdp, behaviour, 100, np.random.default_rng(0))
    expected = {dp_vapvi_as_run_by_authors: (1.4, 0.8887, 0.55), dp_vapvi: (1.0, 0.4930, 0.35), dp_vapvi_plus: (1.28, 1.0, 0.48),
                dp_vapvi_as_printed: (0.8, 0.4516, 0.3)}
    other = sample_step_counts(mdp, behaviour, 100, np.random.default_rng(1))
    for release, (naive, true, naive_add_remove) in expected.items():
        both = (totals, other) if release is dp_vapvi_as_printed else (totals,)
        plan = release(*both, features, rho=0.5, delta=1e-6, noise_rng=np.random.default_rng(0), **SETTINGS)
        cost, guarantee = plan.cost, plan.guarantee
        assert (cost.budget, cost.naive) == (0.5, pytest.approx(naive / 2))
        assert cost.true == pytest.approx(true / 2, abs=5e-5) and cost.true <= cost.budget * (1 + 1e-12)
        assert cost.naive_add_remove == pytest.approx(naive_add_remove / 2)
        assert cost.true_add_remove <= cost.naive_add_remove and cost.true_add_remove <= cost.true
        assert (guarantee.unit, guarantee.neighbours, guarantee.status) == (TRAJECTORY, REPLACE_ONE, Status.PROVED)
        assert guarantee.mu == pytest.approx(np.sqrt(2 * cost.true)) and guarantee.rho == cost.true
        assert guarantee.epsilon == pytest.approx(gaussian_epsilon(1e-6, np.sqrt(2 * cost.true)))
        assert plan.epsilon_as_printed == pytest.approx(zcdp_epsilon_as_printed(0.5, 1e-6)) and plan.epsilon_as_printed > guarantee.epsilon
        assert set(vars(plan)) == {"policy", "values", "q", "cost", "guarantees", "noise", "identity", "epsilon_as_printed"}
        added = plan.under(ADD_OR_REMOVE_ONE)
        assert (added.unit, added.neighbours, added.status) == (TRAJECTORY, ADD_OR_REMOVE_ONE, Status.PROVED)
        assert added.rho == cost.true_add_remove and added.delta == 1e-6
        assert added.epsilon == pytest.approx(gaussian_epsilon(1e-6, np.sqrt(2 * cost.true_add_remove))) and added.epsilon < guarantee.epsilon
        assert any("no trajectory is in both halves" in one for one in guarantee.assumes) == (release is dp_vapvi_as_printed)


def test_with_a_remainder_nothing_is_promised_under_add_or_remove():
    """The same counts out of 10 and of 11 episodes give other values, without any noise between them: D/K tells K."""
    totals = sample_step_counts(MDP, BEHAVIOUR, 10, np.random.default_rng(0))
    more = StepCounts(totals.transition_counts, totals.reward_sums, 11)
    for release, halves in ((dp_vapvi, 1), (dp_vapvi_as_run_by_authors, 1), (dp_vapvi_as_printed, 2)):
        for remainder in (0.0, 5.0):
            plans = [release(*[data, copy_of(totals)][:halves], FEATURES, noise_rng=np.random.default_rng(0), rho=1e4, delta=1e-5,
                             remainder=remainder, **SETTINGS) for data in (totals, more)]
            told = plans[0].q.tobytes() != plans[1].q.tobytes()
            costs = plans[0].cost.true_add_remove, plans[0].cost.naive_add_remove
            assert told == (remainder > 0) == (min(costs) == np.inf) == (max(costs) == np.inf)
            assert np.isfinite(plans[0].cost.true) and (len(plans[0].guarantees) == 1) == told


class Recorded(StandardNoise):
    """Notes every noisy sum; or, for other data, has just the noise with which these sums come out again."""

    played, notes = None, {}

    def use(self, kind, sums, h, which, scale, noise):
        if self.played is None:
            assert (kind, h, which) not in self.notes  # each noise is used once
            self.notes[kind, h, which] = sums + scale * noise[h, which], scale
            return
        noisy, same_scale = self.played[kind, h, which]
        assert scale == pytest.approx(same_scale, rel=1e-6)  # how much noise there is tells nothing of the data
        noise[h, which] = (noisy - sums) / scale

    def inverse(self, gram, h, which, scales):
        self.use("gram", gram, h, which, scales.gram[which], self.matrices)
        return super().inverse(gram, h, which, scales)

    def vector(self, sums, h, which, scales):
        self.use("vector", sums, h, which, scales.vector[which], self.vectors)
        return super().vector(sums, h, which, scales)


def three_states():
    """One of them is never visited, and pays: features of all pairs in the unit ball, values far apart."""
    rng = np.random.default_rng(0)
    transitions = np.zeros((5, 3, 2, 3))
    transitions[:, :2, :, :2] = rng.dirichlet(np.ones(2), size=(5, 2, 2))
    transitions[:, 2, :, 2] = 1
    rewards = np.zeros((5, 3, 2))
    rewards[:, 0], rewards[:, 2] = 0.1, 1.0
    features = rng.normal(size=(3, 2, 4))
    return EpisodicMDP(transitions, rewards, [0.5, 0.5, 0]), np.full((5, 3, 2), 0.5), unit_features(features)


@pytest.mark.parametrize("release, n_sets", [(dp_vapvi, 1), (dp_vapvi_as_run_by_authors, 1), (dp_vapvi_plus, 1), (dp_vapvi_as_printed, 2)])
@pytest.mark.parametrize("rho", [1.0, 1e5])
@pytest.mark.parametrize("world", [three_states, lambda: problem(horizon=4)])
def test_data_reach_the_plan_through_noisy_sums_alone(monkeypatch, release, n_sets, rho, world):
    """Other data, and the noise that hides the change: the plan is the same, and so is the size of the noise."""
    mdp, behaviour, features = world()
    Recorded.played, Recorded.notes = None, {}
    monkeypatch.setattr(linear_recursion, "StandardNoise", Recorded)
    one = StepCounts(np.zeros_like(mdp.transitions), np.zeros_like(mdp.rewards), 1)  # an episode that ended before it began
    sampled = [sample_step_counts(mdp, behaviour, 1000, np.random.default_rng(i)) for i in range(n_sets)]
    plans = []
    for data, seed in ((sampled, 0), ([one, copy_of(one)][:n_sets], 1)):
        plans.append(release(*data, features, noise_rng=np.random.default_rng(seed), rho=rho, delta=1e-5, **SETTINGS))
        Recorded.played = Recorded.notes
    assert len(Recorded.notes) >= 2 * mdp.horizon
    assert plans[0].q == pytest.approx(plans[1].q, rel=1e-7, abs=1e-7)
    assert plans[0].values == pytest.approx(plans[1].values, rel=1e-7, abs=1e-7)


def test_the_range_of_values_is_over_all_states_seen_or_not():
    """What DP-VAPVI+ does at the first step, from its definition, where the state that nobody visited is worth most."""
    mdp, behaviour, features = three_states()
    data = sample_step_counts(mdp, behaviour, 1000, np.random.default_rng(0))
    assert not data.transition_counts[:, 2].any() and not data.transition_counts[..., 2].any()
    seen = []
    plan = dp_vapvi_plus(data, features, noise_rng=np.random.default_rng(3), rho=0.05, delta=1e-5, **SETTINGS)
    for h in range(5):
        V = plan.values[h + 1]
        scales = centred_noise(0.05 / 5, np.ptp(V) / 2)
        noise = np.random.default_rng(3)
        Z, vectors = noise.normal(size=(5, 2, 4, 4))[h], noise.normal(size=(5, 3, 4))[h]
        E = half_shift(1.0, 4, 10, 0.1)
        table, counts = features.reshape(6, 4), data.transition_counts[h].reshape(6, 3)
        U, a = V - (V.max() + V.min()) / 2, np.ptp(V) / 2

        def noisy_gram(i, weights):
            return (table.T * (counts.sum(axis=1) * weights)) @ table + 0.01 * np.eye(4) + scales.gram[i] * (
                (Z[i] + Z[i].T) / np.sqrt(2) + E * np.eye(4))
        weights = np.ones(6)
        if a > 1:
            Sigma = noisy_gram(0, 1)
            second = np.linalg.solve(Sigma, table.T @ (counts @ (U**2 - a**2 / 2)) + scales.vector[0] * vectors[0])
            first = np.linalg.solve(Sigma, table.T @ (counts @ U) + scales.vector[1] * vectors[1])
            weights = 1 / np.maximum(1, np.clip(table @ second + a**2 / 2, 0, a**2) - np.clip(table @ first, -a, a) ** 2)
        Lambda, sums = noisy_gram(1, weights), data.reward_sums[h].ravel() - counts.sum(axis=1) / 2 + counts @ U
        w = np.linalg.solve(Lambda, table.T @ (sums * weights) + scales.vector[2] * vectors[2])
        spread = np.sqrt(np.einsum("si,ij,sj->s", table, np.linalg.inv(Lambda), table))
        q = table @ w + (V.max() + V.min()) / 2 + 0.5 - 0.03 * 2 * spread
        assert plan.q[h].ravel() == pytest.approx(q, abs=1e-8)
        seen.append(np.ptp(V) - np.ptp(V[:2]))
    assert max(seen) > 0.1  # visited states alone would have given another range


def test_the_same_seed_gives_the_same_bytes_and_another_another():
    mdp, behaviour, features = problem()
    totals = sample_step_counts(mdp, behaviour, 100, np.random.default_rng(0))
    for release in ONE_DATASET:
        one, same, other = (release(totals, features, noise_rng=np.random.default_rng(seed), **PROMISE, **SETTINGS) for seed in (1, 1, 2))
        assert one.values.tobytes() == same.values.tobytes() != other.values.tobytes()


def test_how_many_episodes_there_are_changes_nothing_but_the_remainder():
    """Nothing else may depend on K: the same counts, said to be out of more episodes."""
    mdp, behaviour, features = problem()
    totals = sample_step_counts(mdp, behaviour, 100, np.random.default_rng(0))
    more = StepCounts(totals.transition_counts, totals.reward_sums, 10**6)
    for release in ONE_DATASET:
        plans = [release(data, features, noise_rng=np.random.default_rng(0), **PROMISE, **SETTINGS) for data in (totals, more)]
        assert plans[0].values.tobytes() == plans[1].values.tobytes()


# ---- an audit with known power

def one_reward(reward):
    return StepCounts(np.ones((1, 1, 1, 1)), np.full((1, 1, 1), reward), 1)


def value_of_one_reward(rho):
    """DP-VAPVI+ on one episode of one step: its value is above 1/2 if and only if r - 1/2 + noise is positive."""
    def release(reward, rng):
        return dp_vapvi_plus(one_reward(reward), np.ones((1, 1, 1)), rho=rho, delta=1e-5, pessimism=0.0, noise_rng=rng,
                             ridge=1.0, failure=1e-9).values[0, 0]
    return release


def test_an_audit_finds_a_broken_budget_and_clears_the_kept_one():
    """The event has exact probabilities. A release that spends 12 times its budget is caught, with power 99.9 %."""
    rho, delta = 0.05, 0.1
    promised = float(gaussian_epsilon(delta, np.sqrt(2 * rho)))
    p, q = firing_probabilities(np.sqrt(1.28 * 12 * rho), 1.0, 1.0, 1, 0.0)
    trials = trials_needed(p, q, epsilon=promised, delta=delta)
    for spent, caught in ((rho, False), (12 * rho, True)):
        counts = [count_events(value_of_one_reward(spent), reward, lambda value: value > 0.5, trials, np.random.default_rng(3))
                  for reward in (1.0, 0.0)]
        assert (epsilon_lower_bound(*counts, trials, delta=delta) > promised) == caught
        # the counts are binomial with the probabilities that the accounting gives: 6.5 standard deviations, below 1e-10
        shift = np.sqrt(1.28 * spent)
        for count, rate in zip(counts, firing_probabilities(shift, 1.0, 1.0, 1, 0.0)):
            assert abs(count - trials * rate) < 6.5 * np.sqrt(trials * rate * (1 - rate))


# ---- features

def test_coverage_of_the_binary_action_problem():
    """One coordinate is always 0: the smallest eigenvalue is 0. Without it, the expectation by sampled episodes."""
    mdp, behaviour, features = problem(horizon=3)
    assert feature_coverage(mdp, behaviour, features) == pytest.approx(0, abs=1e-12)
    kept = features[..., 1:]
    kappa = feature_coverage(mdp, behaviour, kept)
    totals = sample_step_counts(mdp, behaviour, 10**12, np.random.default_rng(0))
    visits = totals.transition_counts.sum(axis=3) / 1e12
    for h in range(3):
        gram = np.einsum("sa,sai,saj->ij", visits[h], kept, kept)
        assert np.linalg.eigvalsh(gram)[0] == pytest.approx(kappa[h], abs=1e-5)
    assert np.all((0.004 < kappa) & (kappa < 0.012))


def test_unit_features_have_length_one_at_most():
    features = unit_features(binary_action_linear_mdp(1).features)
    assert np.linalg.norm(features, axis=2).max() == pytest.approx(1, abs=1e-15)


# ---- wrong arguments

MDP, BEHAVIOUR, FEATURES = problem(horizon=2)
DATA = sample_step_counts(MDP, BEHAVIOUR, 10, np.random.default_rng(0))
LONGER = sample_step_counts(*problem(horizon=3)[:2], 10, np.random.default_rng(0))
RAW = binary_action_linear_mdp(1).features


def call(plan=dp_vapvi, data=(DATA,), features=FEATURES, **changes):
    arguments = dict(pessimism=0.1, ridge=1.0)
    if plan.__name__.startswith("dp_"):
        arguments |= dict(rho=1.0, delta=1e-5, noise_rng=np.random.default_rng(0))
    return plan(*data, features, **(arguments | changes))


@pytest.mark.parametrize("plan", [pevi, vapvi, centred_vapvi, dp_vapvi, dp_vapvi_as_run_by_authors, dp_vapvi_plus])
@pytest.mark.parametrize("changes, message", [
    (dict(pessimism=-1), "pessimism must be at least 0, got -1.0"), (dict(pessimism=np.nan), "pessimism must be finite, got nan"),
    (dict(ridge=0), "ridge must be positive, got 0.0"), (dict(ridge=[1, 2]), "ridge must be one number"),
    (dict(features=np.ones((2, 3, 4))), "features must have shape [2, 100, d], got [2, 3, 4]"),
    (dict(features=np.ones((200, 4))), "features must have shape ["), (dict(features="x"), "features must be numeric, got 'x'"),
    (dict(features=np.full((2, 100, 1), np.nan)), "features must be finite, got nan"),
    (dict(pessimism=1e101), "pessimism must be between 1e-100 and 1e+100 if it is not 0, got 1e+101"),
    (dict(ridge=1e-101), "ridge must be between 1e-100 and 1e+100 if it is not 0, got 1e-101"),
])
def test_wrong_arguments_of_every_plan_say_so(plan, changes, message):
    if changes.get("features") is not None and "[2, 100" in message and plan.__name__.startswith("dp_"):
        changes = dict(features=np.ones((2, 3, 4)) / 2)
    with pytest.raises(ValueError) as error:
        call(plan, **changes)
    assert message in str(error.value)


@pytest.mark.parametrize("plan", ONE_DATASET + (dp_vapvi_as_printed,))
@pytest.mark.parametrize("changes, message", [
    (dict(rho=0), "rho must be positive, got 0.0"), (dict(rho=-1), "rho must be positive, got -1.0"),
    (dict(rho=np.inf), "rho must be finite, got inf"), (dict(rho=[1.0]), "rho must be one number"),
    (dict(delta=0), "delta must be strictly between 0 and 1, got 0"), (dict(delta=1.5), "delta must be strictly between 0 and 1, got 1.5"),
    (dict(failure=0), "failure must be strictly between 0 and 1, got 0.0"), (dict(noise_rng=None), "noise_rng must be a numpy.random.Generator, got None"),
    (dict(features=RAW), "features must have length at most 1 (see unit_features), got 2.64575"),
    (dict(delta=[1e-5]), "delta must be one number, got an array of shape [1]"),
    (dict(rho=1e100), "rho must be between 1e-100 and 1e+30, got 1e+100"), (dict(rho=1e-200), "rho must be between 1e-100 and 1e+30, got 1e-200"),
    (dict(noise_rng=3), "noise_rng must be a numpy.random.Generator, got 3"),
])
def test_wrong_arguments_of_every_release_say_so(plan, changes, message):
    with pytest.raises(ValueError) as error:
        call(plan, (DATA, copy_of(DATA)) if plan is dp_vapvi_as_printed else (DATA,), **changes)
    assert message in str(error.value)


@pytest.mark.parametrize("function, message", [
    (lambda: call(dp_vapvi_as_printed, (DATA, LONGER)), "variance_totals must have the shape of totals, (2, 2, 100), got (3, 2, 100)"),
    (lambda: call(pevi, (None,)), "totals must be of type StepCounts, got None"),
    (lambda: call(dp_vapvi_as_printed, (DATA, 3)), "totals must be of type StepCounts, got 3"),
    (lambda: call(vapvi, remainder=-1), "remainder must be at least 0, got -1.0"),
    (lambda: call(remainder=-1), "remainder must be at least 0, got -1.0"),
    (lambda: call(vapvi, remainder=1e200), "remainder must be between 1e-100 and 1e+100 if it is not 0, got 1e+200"),
    (lambda: call(pevi, features=FEATURES * 1e200), "features must be in [-1e+100, 1e+100], got"),
    (lambda: call(pevi, features=-FEATURES * 1e200), "features must be in [-1e+100, 1e+100], got"),
    (lambda: unit_features(np.zeros((2, 2, 2))), "the longest feature must be positive, got 0.0"),
    (lambda: unit_features(np.zeros((2, 2))), "features must have shape [S, A, d], got [2, 2]"),
    (lambda: feature_coverage(MDP, BEHAVIOUR, np.ones((3, 2, 2))), "features must have shape [2, 100, d], got [3, 2, 2]"),
    (lambda: feature_coverage(None, BEHAVIOUR, FEATURES), "mdp must be of type EpisodicMDP, got None"),
    (lambda: feature_coverage(MDP, BEHAVIOUR[:1], FEATURES), "policy must have shape [2, 2, 100], got [1, 2, 100]"),
])
def test_other_wrong_arguments_say_so(function, message):
    with pytest.raises(ValueError) as error:
        function()
    assert message in str(error.value)


def test_arguments_at_the_ends_of_their_ranges_give_finite_plans():
    for features in (FEATURES, FEATURES * 1e-100, FEATURES * 1e-200):
        for extreme in (dict(pessimism=1e100), dict(pessimism=0), dict(ridge=1e-100), dict(ridge=1e100)):
            for plan in (pevi, vapvi, centred_vapvi, dp_vapvi, dp_vapvi_plus):
                assert np.isfinite(call(plan, features=features, **extreme).values).all()
    assert np.isfinite(call(pevi, features=FEATURES * 1e100).values).all()
    for rho in (1e-100, 1e30):
        plan = call(dp_vapvi, rho=rho, delta=np.array(1e-5))
        assert np.isfinite(plan.values).all() and plan.guarantee.delta == 1e-5
