"""Totals by step: read from episodes against a loop, sampled against their exact law."""

import numpy as np
import pytest
from scipy.stats import chi2

from privrl_core.offline import StepCounts, count_steps, sample_step_counts
from privrl_core.world import Episodes, EpisodicMDP


def problem(H=3, S=2, A=2, seed=0):
    rng = np.random.default_rng(seed)
    return (EpisodicMDP(rng.dirichlet(np.full(S, 5), (H, S, A)), rng.random((H, S, A)), rng.dirichlet(np.full(S, 5))),
            rng.dirichlet(np.full(A, 5), (H, S)))


def test_totals_are_what_a_loop_over_episodes_finds():
    rng = np.random.default_rng(0)
    lengths = rng.integers(0, 4, 50)
    states, actions = ([rng.integers(0, size, n + more) for n in lengths] for size, more in ((3, 1), (2, 0)))
    rewards = [rng.normal(size=n) for n in lengths]  # some outside [0, 1]
    totals = count_steps(Episodes.from_lists(states, actions, rewards), horizon=5, n_states=3, n_actions=2)
    counts, sums = np.zeros((5, 3, 2, 3)), np.zeros((5, 3, 2))
    for s, a, r in zip(states, actions, rewards):
        for h in range(len(a)):
            counts[h, s[h], a[h], s[h + 1]] += 1
            sums[h, s[h], a[h]] += min(max(r[h], 0), 1)
    assert np.array_equal(totals.transition_counts, counts) and totals.n_episodes == 50
    assert totals.reward_sums == pytest.approx(sums, abs=1e-5) and totals.shape == (5, 3, 2)


def test_sampled_totals_have_the_law_of_episodes():
    """Mean over 4,000 draws of 5 episodes against the exact occupancies, and the variance of each cell."""
    (mdp, policy), rng, runs, K = problem(), np.random.default_rng(1), 4000, 5
    counts = np.array([sample_step_counts(mdp, policy, K, rng).transition_counts for _ in range(runs)])
    visits, law = mdp.initial, []
    for h in range(mdp.horizon):
        law.append(visits[:, None, None] * policy[h][:, :, None] * mdp.transitions[h])
        visits = law[-1].sum(axis=(0, 1))
    law = np.array(law)
    deviation = (counts.mean(axis=0) - K * law) / np.sqrt(K * law * (1 - law) / runs)
    assert np.abs(deviation).max() < 6.5  # 24 cells: probability below 1e-8
    # a cell is binomial; a sample variance of 4,000 is within 20 % but for a probability below 1e-9
    assert counts.var(axis=0) == pytest.approx(K * law * (1 - law), rel=0.25)
    # the states at which step h + 1 begins are those in which step h ended
    assert np.array_equal(counts[:, :-1].sum(axis=(2, 3)), counts[:, 1:].sum(axis=(3, 4)))


def test_steps_of_one_episode_hang_together():
    """The pair of first and last transition of single episodes, by chi-square against its exact law."""
    (mdp, policy), rng, runs = problem(H=2), np.random.default_rng(2), 20_000
    seen = np.zeros((8, 8))
    for _ in range(runs):
        first, last = sample_step_counts(mdp, policy, 1, rng).transition_counts.reshape(2, 8)
        seen[first.argmax(), last.argmax()] += 1
    law = np.einsum("s,sa,san,nb,nbm->sanbm", mdp.initial, policy[0], mdp.transitions[0], policy[1], mdp.transitions[1])
    expected = runs * np.einsum("sanbm,nt->santbm", law, np.eye(2)).reshape(8, 8)
    possible = expected > 0
    assert not seen[~possible].any()
    statistic = np.sum((seen - expected)[possible] ** 2 / expected[possible])
    assert chi2(possible.sum() - 1).sf(statistic) > 1e-7


def test_rewards_are_at_their_mean_and_any_number_of_episodes_will_do():
    mdp, policy = problem()
    totals = sample_step_counts(mdp, policy, 10**15, np.random.default_rng(0))
    assert totals.transition_counts.sum(axis=(1, 2, 3)).tolist() == [1e15] * 3
    assert totals.reward_sums == pytest.approx(totals.transition_counts.sum(axis=3) * mdp.rewards)


def test_totals_add_up():
    (mdp, policy), rng = problem(), np.random.default_rng(0)
    one, other = (sample_step_counts(mdp, policy, K, rng) for K in (3, 4))
    both = one + other
    assert np.array_equal(both.transition_counts, one.transition_counts + other.transition_counts)
    assert np.array_equal(both.reward_sums, one.reward_sums + other.reward_sums) and both.n_episodes == 7


def test_totals_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        sample_step_counts(*problem(), 3, np.random.default_rng(0)).reward_sums[0, 0, 0] = 1


MDP, POLICY = problem()
RNG = np.random.default_rng(0)
LOGGED = Episodes.from_lists([[0, 1, 0]], [[0, 1]], [[1, 0]])


@pytest.mark.parametrize("call, message", [
    (lambda: StepCounts(np.zeros((2, 2, 2)), np.zeros((2, 2, 2)), 1), "transition_counts must have shape [H, S, A, S], got [2, 2, 2]"),
    (lambda: StepCounts(np.zeros((1, 2, 2, 3)), np.zeros((1, 2, 2)), 1), "transition_counts must have shape [H, S, A, S], got [1, 2, 2, 3]"),
    (lambda: StepCounts(np.full((1, 1, 1, 1), -1), np.zeros((1, 1, 1)), 1), "transition_counts must be at least 0, got -1.0"),
    (lambda: StepCounts(np.full((1, 1, 1, 1), 0.5), np.zeros((1, 1, 1)), 1), "transition_counts must be whole numbers, got 0.5"),
    (lambda: StepCounts(np.full((1, 1, 1, 1), np.nan), np.zeros((1, 1, 1)), 1), "transition_counts must be finite, got nan"),
    (lambda: StepCounts(np.ones((1, 1, 1, 1)), np.zeros((1, 1)), 1), "reward_sums must have shape [1, 1, 1], got [1, 1]"),
    (lambda: StepCounts(np.ones((1, 1, 1, 1)), np.full((1, 1, 1), -0.1), 1), "reward_sums must be at least 0, got -0.1"),
    (lambda: StepCounts(np.ones((1, 1, 1, 1)), np.full((1, 1, 1), 1.5), 1), "reward_sums must be at most the counts"),
    (lambda: StepCounts(np.full((1, 1, 1, 1), 3), np.zeros((1, 1, 1)), 2), "transition_counts must add up to at most n_episodes = 2"),
    (lambda: StepCounts(np.ones((1, 1, 1, 1)), np.ones((1, 1, 1)), 0), "n_episodes must be a whole number of at least 1, got 0"),
    (lambda: count_steps(LOGGED, horizon=1, n_states=2, n_actions=2), "horizon must be at least the length of every trajectory, got 1"),
    (lambda: count_steps(LOGGED, horizon=2, n_states=1, n_actions=2), "states must be below n_states = 1, got 1"),
    (lambda: count_steps(LOGGED, horizon=2, n_states=2, n_actions=1), "actions must be below n_actions = 1, got 1"),
    (lambda: count_steps(LOGGED, horizon=0, n_states=2, n_actions=2), "horizon must be a whole number of at least 1, got 0"),
    (lambda: sample_step_counts(MDP, POLICY, 0, RNG), "n_episodes must be a whole number of at least 1, got 0"),
    (lambda: sample_step_counts(MDP, POLICY, 10**17, RNG), "n_episodes must be a whole number of at most 9007199254740992"),
    (lambda: sample_step_counts(MDP, POLICY, 10**19, RNG), "n_episodes must be a whole number of at most 9007199254740992"),
    (lambda: sample_step_counts(MDP, POLICY, 5, None), "rng must be a numpy.random.Generator, got None"),
    (lambda: count_steps(LOGGED, horizon="3", n_states=2, n_actions=2), "horizon must be numeric, got '3'"),
    (lambda: sample_step_counts(MDP, POLICY * 2, 1, RNG), "policy must sum to 1"),
    (lambda: sample_step_counts(MDP, POLICY[0], 1, RNG), "policy must have shape [3, 2, 2], got [2, 2]"),
    (lambda: sample_step_counts(EpisodicMDP(MDP.transitions, MDP.rewards + 1, MDP.initial), POLICY, 1, RNG), "rewards must be in [0, 1]"),
    (lambda: sample_step_counts(MDP, POLICY, 1, RNG) + sample_step_counts(*problem(H=2), 1, RNG), "both totals must have the same shape"),
])
def test_wrong_arguments_say_so(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert message in str(error.value)
