"""Pessimistic value iteration: penalties against loops, limits, ties, guarantees."""

import numpy as np
import pytest

from privrl_core.offline import (
    APVI_PRINTED,
    DP_APVI_PRINTED,
    Constants,
    apvi,
    bernstein,
    consistent_counts,
    count_guarantees,
    dp_apvi,
    hoeffding,
    noise_bound,
    practical,
    sample_counts,
)
from privrl_core.privacy import ADD_OR_REMOVE_ONE, GaussianNoise, LaplaceNoise
from privrl_core.world import EpisodicMDP
from tests.noises import of

SILENT = GaussianNoise(1e16)  # noise below 1e-7 of a count


def random_mdp(seed=0, horizon=4, n_states=4, n_actions=3):
    rng, shape = np.random.default_rng(seed), (horizon, n_states, n_actions)
    return EpisodicMDP(rng.dirichlet(np.ones(n_states), size=shape), rng.random(shape), rng.dirichlet(np.ones(n_states)))


def data(mdp, n, seed=1):
    return sample_counts(mdp, np.full(mdp.rewards.shape, 1 / mdp.n_actions), n, np.random.default_rng(seed))


def gap(mdp, plan):
    return mdp.initial @ (mdp.optimal_values()[0] - mdp.policy_values(plan.policy)[0])


def by_loops(counts, rewards, known, law, penalty, unknown):
    """Algorithm 1, one pair at a time; ``known(h, row)``, ``law(h, row)``, ``penalty(h, row, variance)``; lowest index wins."""
    H, S, A = rewards.shape
    values, actions = np.zeros((H + 1, S)), np.zeros((H, S), int)
    for h in reversed(range(H)):
        for s in range(S):
            q = np.empty(A)
            for a in range(A):
                if known(h, s * A + a):
                    p = law(h, s * A + a)
                    mean = sum(p[n] * values[h + 1, n] for n in range(S))
                    variance = sum(p[n] * (values[h + 1, n] - mean) ** 2 for n in range(S))
                    gamma = penalty(h, s * A + a, variance)
                else:
                    mean, gamma = values[h + 1].mean(), unknown
                q[a] = max(min(rewards[h, s, a] + mean - gamma, H - h), 0)
            values[h, s], actions[h, s] = q.max(), q.argmax()
    return values, actions


# ---- the algorithms are the printed ones

@pytest.mark.parametrize("pessimism", [bernstein, hoeffding])
def test_apvi_is_what_loops_over_the_printed_formulas_find(pessimism):
    mdp = random_mdp(horizon=3)
    H, S, A = mdp.rewards.shape
    for n in (30, 30_000):
        counts, iota = data(mdp, n), np.log(H * S * A / 0.05)
        steps = [step.toarray() for step in counts.steps]

        def penalty(h, row, variance, steps=steps, iota=iota):
            visits = steps[h][row].sum()
            spread = np.sqrt(variance) if pessimism is bernstein else H
            return 2 * np.sqrt(iota / visits) * spread + 14 * H * iota / (3 * visits)
        values, actions = by_loops(counts, mdp.rewards, lambda h, row: steps[h][row].sum() >= 1,
                                   lambda h, row: steps[h][row] / steps[h][row].sum(), penalty, 1.5 * H * iota)
        plan = apvi(counts, mdp.rewards, failure=0.05, pessimism=pessimism)
        assert plan.values == pytest.approx(values, abs=1e-9)
        assert (np.take_along_axis(plan.policy, actions[..., None], axis=2) > 0).all(), "what a loop chooses is a best action"
    assert plan.values.max() > 0.5 and plan.policy.sum(axis=2) == pytest.approx(1)


class Recorded:
    """Gaussian noise, whose draws are kept."""

    def __init__(self, noise):
        self.noise, self.drawn = noise, []
        self.scale, self.tail = noise.scale, noise.tail
        self.guarantee, self.law, self.of_epsilon = noise.guarantee, noise.law, noise.of_epsilon

    def draw(self, scale, shape, rng):
        self.drawn.append(self.noise.draw(scale, shape, rng))
        return self.drawn[-1]


@pytest.mark.parametrize("pessimism", [bernstein, hoeffding])
@pytest.mark.parametrize("constants", [DP_APVI_PRINTED, practical(4), Constants(0.3, 0.001)])
def test_dp_apvi_is_what_loops_over_the_printed_formulas_find(pessimism, constants):
    mdp = random_mdp(horizon=3)
    H, S, A = mdp.rewards.shape
    counts, noise = data(mdp, 10**6), Recorded(GaussianNoise(1.0))
    plan = dp_apvi(counts, mdp.rewards, **of(noise), noise_rng=np.random.default_rng(0), failure=0.05, pessimism=pessimism,
                   constants=constants)
    slack, iota = noise_bound(counts, noise, 0.05), np.log(H * S * A / 0.05)
    E = 4 * np.sqrt(H * np.log(4 * H * S**2 * A / 0.05) / 1.0)
    assert E == pytest.approx(2 * slack) and len(noise.drawn) == 2 * H
    private = {}
    for k, h in enumerate(reversed(range(H))):
        true = counts.steps[h].toarray()
        private[h] = consistent_counts(np.maximum(true + noise.drawn[2 * k + 1], 0),
                                       np.maximum(true.sum(axis=1) + noise.drawn[2 * k], 0), slack)

    def penalty(h, row, variance):
        visits = private[h][row].sum()
        spread = np.sqrt(variance) if pessimism is bernstein else H
        return (constants.deviation * spread * np.sqrt(iota / (visits - E))
                + constants.remainder * S * H * E * iota / visits)
    values, actions = by_loops(counts, mdp.rewards, lambda h, row: private[h][row].sum() > E,
                               lambda h, row: private[h][row] / private[h][row].sum(), penalty, 1.01 * H)
    assert plan.values == pytest.approx(values, abs=1e-9)
    assert (np.take_along_axis(plan.policy, actions[..., None], axis=2) > 0).all()
    assert plan.values.max() > 0.5 or constants is DP_APVI_PRINTED


def test_without_noise_dp_apvi_is_apvi_with_the_same_penalty():
    """rho to infinity: E vanishes, and with it all that DP-APVI adds."""
    mdp = random_mdp()
    counts = data(mdp, 5000)
    private = dp_apvi(counts, mdp.rewards, **of(SILENT), noise_rng=np.random.default_rng(0), constants=Constants(1.3, 0))
    plain = apvi(counts, mdp.rewards, constants=Constants(1.3, 0))
    assert private.values == pytest.approx(plain.values, abs=1e-5) and (private.policy == plain.policy).all()


def test_with_enough_data_every_variant_is_optimal():
    mdp = random_mdp()
    counts = data(mdp, 10**12)
    rng = np.random.default_rng(0)
    for plan in (apvi(counts, mdp.rewards), apvi(counts, mdp.rewards, pessimism=hoeffding),
                 *(dp_apvi(counts, mdp.rewards, **of(noise), noise_rng=rng, pessimism=pessimism)
                   for noise in (GaussianNoise(0.1), LaplaceNoise(1.0)) for pessimism in (bernstein, hoeffding))):
        assert gap(mdp, plan) == pytest.approx(0, abs=1e-9)
        assert (plan.values[0] <= mdp.optimal_values()[0]).all()


def test_the_values_are_pessimistic():
    """At or below the true values of the policy: in all of 20 runs, each but with the theorem's probability (and far less)."""
    mdp = random_mdp(2)
    for seed in range(20):
        counts = data(mdp, 10**6, seed)
        plan = dp_apvi(counts, mdp.rewards, **of(GaussianNoise(5.0)), noise_rng=np.random.default_rng(seed), failure=1e-6,
                       constants=DP_APVI_PRINTED)
        assert (plan.values <= mdp.policy_values(plan.policy) + 1e-9).all() and plan.values[0].max() > 0


# ---- ties, arrival rewards, pooled counts

def test_with_nothing_learnt_the_policy_is_the_one_to_fall_back_to():
    mdp = random_mdp()
    ties = np.random.default_rng(0).dirichlet(np.ones(3), size=4)
    plan = dp_apvi(data(mdp, 10), mdp.rewards, **of(GaussianNoise(0.1)), noise_rng=np.random.default_rng(0), ties=ties)
    assert plan.policy == pytest.approx(np.broadcast_to(ties, (4, 4, 3))) and not plan.values.any()
    even = dp_apvi(data(mdp, 10), mdp.rewards, **of(GaussianNoise(0.1)), noise_rng=np.random.default_rng(0))
    assert even.policy == pytest.approx(1 / 3)
    never = np.tile([0.0, 0, 1], (4, 1))
    clear = apvi(data(mdp, 10**7), mdp.rewards, ties=never)
    assert gap(mdp, clear) < 0.01, "ties decide nothing where there are none"


def test_arrival_rewards_are_rewards_for_entering():
    """A reward for entering a state is one on the transition: with laws that are certain the values agree."""
    rng = np.random.default_rng(0)
    targets = rng.integers(4, size=(3, 4, 2))
    mdp = EpisodicMDP(np.eye(4)[targets], np.zeros((3, 4, 2)), np.ones(4) / 4)
    arrival = np.array([0, 0.3, 0.7, 1])
    known = EpisodicMDP(mdp.transitions, arrival[targets], mdp.initial)
    free = dict(constants=Constants(0, 0))
    one = apvi(data(mdp, 10**4), mdp.rewards, arrival_rewards=arrival, **free)
    seen = data(known, 10**4)
    assert one.values == pytest.approx(apvi(seen, known.rewards, **free).values)
    assert one.values[2].max() == 1


def test_pooled_counts_have_one_law_for_all_steps():
    rng = np.random.default_rng(0)
    law, rewards = rng.dirichlet(np.ones(4), size=(4, 3)), rng.random((4, 3))
    mdp = EpisodicMDP(*(np.broadcast_to(x, (6, *x.shape)) for x in (law, rewards)), np.ones(4) / 4)
    counts, noise = data(mdp, 150), GaussianNoise(5.0)
    by_step, pooled = (dp_apvi(c, mdp.rewards, **of(noise), noise_rng=np.random.default_rng(1), constants=practical(4))
                       for c in (counts, counts.pooled()))
    assert gap(mdp, pooled) < 0.5 * gap(mdp, by_step)
    assert pooled.guarantee == by_step.guarantee
    longer = apvi(counts.pooled(), np.broadcast_to(rewards, (9, 4, 3)))
    assert longer.policy.shape == (9, 4, 3), "any horizon"


# ---- what is published

def test_a_private_plan_says_how_private_and_a_plan_says_nothing():
    mdp = random_mdp()
    plan = dp_apvi(data(mdp, 100), mdp.rewards, **of(GaussianNoise(0.5)), noise_rng=np.random.default_rng(0))
    assert plan.guarantees == count_guarantees(GaussianNoise(0.5)) and plan.guarantees[0] != plan.guarantees[1]
    assert plan.under(ADD_OR_REMOVE_ONE) == plan.guarantees[1]
    assert set(vars(plan)) == {"policy", "values", "guarantees", "noise", "identity"}
    assert set(vars(apvi(data(mdp, 100), mdp.rewards))) == {"policy", "values"}
    with pytest.raises(ValueError, match="read-only"):
        plan.policy[:] = 0


def test_the_same_seed_gives_the_same_plan():
    mdp = random_mdp()
    one, two = (dp_apvi(data(mdp, 1000), mdp.rewards, **of(LaplaceNoise(50.0)), noise_rng=np.random.default_rng(3),
                        constants=practical(4)) for _ in range(2))
    assert (one.policy == two.policy).all() and (one.values == two.values).all()


def test_constants_change_the_policy_and_never_the_guarantee():
    mdp = random_mdp()
    plans = [dp_apvi(data(mdp, 10**4), mdp.rewards, **of(GaussianNoise(1.0)), noise_rng=np.random.default_rng(3), constants=c)
             for c in (DP_APVI_PRINTED, practical(4))]
    assert plans[0].guarantee == plans[1].guarantee and gap(mdp, plans[1]) < 0.1 < gap(mdp, plans[0])
    assert APVI_PRINTED == Constants(2, 14 / 3) and DP_APVI_PRINTED == Constants(np.sqrt(2), 16)


class Compensating:
    """Noise that turns ``counts`` into the same noisy counts, whatever they are: integers of its own less the counts."""

    def __init__(self, counts, noise):
        self.counts, self.scale, self.tail, self.step = counts, noise.scale, noise.tail, counts.horizon
        self.guarantee, self.law, self.of_epsilon = noise.guarantee, noise.law, noise.of_epsilon
        self.slack = noise_bound(counts, noise, 0.1)

    def draw(self, scale, shape, rng):
        if len(shape) == 1:
            self.step -= 1
            self.pairs = np.random.default_rng([self.step, 0]).integers(-5, 900, size=shape)
            return self.pairs - self.counts.steps[self.step].sum(axis=1)
        triples = np.random.default_rng([self.step, 1]).integers(-5, 300, size=self.counts.steps[self.step].shape)
        return (triples - self.counts.steps[self.step].toarray())[self.pairs > self.slack]


@pytest.mark.parametrize("pessimism", [bernstein, hoeffding])
def test_the_data_enter_a_private_plan_through_the_noisy_counts_alone(pessimism):
    """The proof's whole content: other data, and the noise that makes up for it, give the same plan."""
    mdp = random_mdp()
    plans = [dp_apvi(counts, mdp.rewards, **of(Compensating(counts, GaussianNoise(2.0))), noise_rng=np.random.default_rng(),
                     constants=practical(4), pessimism=pessimism) for counts in (data(mdp, n) for n in (4000, 1, 300))]
    for other in plans[1:]:
        assert (plans[0].policy == other.policy).all() and plans[0].values == pytest.approx(other.values, abs=1e-12)
    assert plans[0].values.max() > 0.5 and plans[0].policy.max() == 1, "something was learnt from the noisy counts"


# ---- wrong arguments

MDP = random_mdp()
DATA = data(MDP, 50)
RIGHT = dict(**of(GaussianNoise(1.0)), noise_rng=np.random.default_rng(0))
WRONG = {
    "rewards above 1": (dict(rewards=MDP.rewards + 1), "rewards must be at most 1, got"),
    "rewards below 0": (dict(rewards=MDP.rewards - 1), "rewards must be at least 0, got"),
    "rewards' shape": (dict(rewards=MDP.rewards[0]), "rewards must have shape [H, S, A] = [4, 4, 3]"),
    "rewards' horizon": (dict(rewards=MDP.rewards[:2]), "rewards must have shape [H, S, A] = [4, 4, 3]"),
    "failure": (dict(failure=1.0), "failure must be strictly between 0 and 1, got 1"),
    "arrival": (dict(arrival_rewards=np.ones(4)), "arrival_rewards must be at most 1 together with rewards"),
    "arrival's shape": (dict(arrival_rewards=np.zeros(3)), "arrival_rewards must have shape [4]"),
    "negative arrival": (dict(arrival_rewards=[0, 0, -1, 0]), "arrival_rewards must be at least 0, got -1"),
    "ties": (dict(ties=np.ones((4, 3))), "ties must sum to 1 along the last axis, got 3"),
    "ties' shape": (dict(ties=np.ones((4, 1))), "ties must have shape [4, 3]"),
}


@pytest.mark.parametrize("wrong, message", WRONG.values(), ids=WRONG)
def test_wrong_arguments_say_so(wrong, message):
    arguments = dict(rewards=MDP.rewards) | wrong
    for call in (lambda: dp_apvi(DATA, **arguments, **RIGHT), lambda: apvi(DATA, **arguments)):
        with pytest.raises(ValueError) as error:
            call()
        assert message in str(error.value)


PRIVATE = {
    "no generator": (dict(noise_rng=None), "noise_rng must be a numpy.random.Generator, got None"),
    "a seed": (dict(noise_rng=3), "noise_rng must be a numpy.random.Generator, got 3"),
    "no noise": (dict(noise=1.0), "noise must be a kind of noise such as GaussianNoise, got 1.0"),
    "constants": (dict(constants=(1, 2)), "constants must be of type Constants, got (1, 2)"),
    "no counts": (dict(counts=DATA.steps[0]), "counts must be of type TransitionCounts, got"),
    "no steps": (dict(counts=DATA.pooled(), rewards=MDP.rewards[:0]), "rewards must have shape [H, S, A]"),
}


@pytest.mark.parametrize("wrong, message", PRIVATE.values(), ids=PRIVATE)
def test_wrong_arguments_of_the_release_say_so(wrong, message):
    with pytest.raises(ValueError) as error:
        dp_apvi(**(dict(counts=DATA, rewards=MDP.rewards) | RIGHT | wrong))
    assert message in str(error.value)


@pytest.mark.parametrize("n_states, message", [(0, "n_states must be a whole number of at least 1, got 0"),
                                               (np.nan, "n_states must be finite, got nan")])
def test_practical_constants_are_for_a_number_of_states(n_states, message):
    with pytest.raises(ValueError, match=message):
        practical(n_states)


@pytest.mark.parametrize("constants, message", [((-1, 1), "deviation must be at least 0, got -1"),
                                                ((1, np.nan), "remainder must be finite, got nan")])
def test_wrong_constants_say_so(constants, message):
    with pytest.raises(ValueError, match=message):
        Constants(*constants)
