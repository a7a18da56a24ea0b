"""Today's learners: what they promise, what they release, and what they cost."""

from dataclasses import replace

import numpy as np
import pytest

from privrl_core.offline import consistent_counts
from privrl_core.online import (
    PER_STEP,
    POOLED,
    FirstVisits,
    counter,
    doubling,
    growing,
    learn_in_batches,
    optimist_non_private,
    plausible_counts,
    posterior_sampling_non_private,
    private_optimist,
    private_posterior_sampling,
    private_posterior_sampling_from_all_releases,
    rlsvi_epsilon,
    rlsvi_people,
    shuffled_posterior_sampling,
    table_sensitivity,
    treatment_runs,
)
from privrl_core.online.all_releases import weighted_counts
from privrl_core.privacy import compose_guarantees
from privrl_core.privacy.guarantees import REPLACE_ONE, Model
from privrl_core.world import EpisodicMDP, river_swim, ward

RIVER, EPSILON, DELTA = river_swim(), 1.0, 1e-5
SEED = np.random.default_rng


def run(learner=private_posterior_sampling, world=RIVER, people=2_000, seed=0, **more):
    return learner(world, people, **dict(epsilon=EPSILON, delta=DELTA, rng=SEED(seed), noise_rng=SEED(seed + 1)) | more)


LEARNERS = [private_posterior_sampling, private_posterior_sampling_from_all_releases, private_optimist, shuffled_posterior_sampling]


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_guarantee_is_joint_and_of_the_promise(learner):
    found = run(learner, runs=2, people=600)
    one = found.guarantees[0]
    assert (one.model, one.neighbours, one.status.value) == (Model.JOINT, REPLACE_ONE, "proved")
    assert one.epsilon == pytest.approx(EPSILON, rel=1e-6) and one.delta == DELTA and len(found.guarantees) == 2
    assert found.regret.shape == (2, found.times.size) and found.times[-1] == 600
    other = run(learner, people=600).guarantee
    with pytest.raises(ValueError, match="model must be the same"):
        compose_guarantees(other, replace(other, model=Model.CENTRAL))
    assert compose_guarantees(other, run(learner, people=600).guarantee).model is Model.JOINT


@pytest.mark.parametrize("counting, families_norm", [(FirstVisits(6), np.sqrt(2 * 112)), (PER_STEP, np.sqrt(40)), (POOLED, 20 * np.sqrt(2))])
def test_the_noise_is_that_of_the_sensitivity(counting, families_norm):
    found = run(counting=counting, people=600)
    mu, times = found.guarantee.mu, growing(600, first=300, growth=0.2)
    s = np.sqrt(np.cumsum(np.array([1, 0.5, 0.375, 0.3125, 35 / 128, 63 / 256])[:times.size] ** 2))
    assert found.noise.scale == pytest.approx(families_norm * s[-1] / mu, rel=1e-9)


def test_what_is_seen_by_the_plan_is_sums_plus_noise_of_the_generator_for_noise(monkeypatch):
    """Everything that policies are made of: the counts so far plus the counter's own noise, and never the batch to come."""
    counted, seen = [], []

    def spy(world, policies, people, counting, rng):
        counted.append(np.ones((2, 6, 2, 6)) * people)
        return counted[-1]

    monkeypatch.setattr(treatment_runs, "count_days_non_private", spy)

    def plan(totals, deviation):
        assert len(seen) == len(counted), "a batch is planned before it is counted"
        seen.append((totals - sum(counted), deviation))
        return np.full((2, 1, 20, 6, 2), 0.5)
    made = counter("doubling-toeplitz", 4_000, table_sensitivity(20, 1, FirstVisits(6), pairs=12), epsilon=1.0, delta=1e-5,
                   times=growing(4_000, first=300, growth=0.2))
    learn_in_batches(RIVER, FirstVisits(6), made.times, plan, made, runs=2, rng=SEED(0), noise_rng=SEED(7))
    noise = made.release(np.zeros((made.times.size, 2, 6, 2, 6)), noise_rng=SEED(7)).totals
    assert not seen[0][0].any() and seen[0][1] == 0
    for (found, deviation), true, sd in zip(seen[1:], noise, made.standard_deviations):
        assert np.allclose(found, true, atol=1e-9) and deviation == sd


@pytest.mark.parametrize("learner", LEARNERS)
def test_same_seeds_same_bytes_and_the_noise_has_a_generator_of_its_own(learner):
    a, b, c = run(learner), run(learner), run(learner, noise_rng=SEED(99))
    assert a.regret.tobytes() == b.regret.tobytes() and a.regret.tobytes() != c.regret.tobytes()
    assert a.regret[0, 0] == c.regret[0, 0], "before the first release there is no noise"


def test_counts_without_negative_cells_are_the_nearest_with_the_row_s_total():
    rng = SEED(3)
    noisy = rng.normal(2, 3, size=(3_000, 6)) + rng.integers(0, 2, size=(3_000, 1)) * rng.exponential(20, size=(3_000, 6))
    total = noisy.sum(axis=1)
    found = plausible_counts(noisy)
    assert found.min() >= 0 and found.sum(axis=1) == pytest.approx(np.maximum(total, 0), abs=1e-9)
    positive = total > 0
    floor = np.minimum(noisy.min(axis=1, keepdims=True), 0)
    # consistent_counts needs counts of at least 0: what stays below the water level stays there when all are raised to 0
    raised = np.maximum(noisy, 0)
    assert np.allclose(found[positive], consistent_counts(raised[positive], total[positive], 0.0), atol=1e-9)
    assert not found[~positive].any() and floor.max() <= 0


def test_clipping_before_adding_up_would_invent_visits():
    empty = SEED(0).normal(size=(200_000, 6))  # sd of the means below 0.002: five of them 0.01
    assert np.maximum(empty, 0).mean() == pytest.approx(1 / np.sqrt(2 * np.pi), abs=0.01)
    assert plausible_counts(empty).sum(axis=1).mean() == pytest.approx(np.sqrt(6) / np.sqrt(2 * np.pi), abs=0.03)


# Means of 16 runs, with bounds at least six of their standard errors away (one run: 6,343 with a standard deviation of 1,940
# in 400 other runs; the optimist 8,290 and 3,095 in 80), so that another seed fails with probability below 1e-6.

def test_today_s_learner_in_the_river():
    found = run(runs=16, people=20_000, seed=21)
    never = 20_000 * 3.353474936
    assert found.regret[:, -1].mean() < never / 6 and (np.diff(found.regret, axis=1) >= -1e-9).all()
    early, late = (found.regret[:, -1] - found.regret[:, j] for j in (0, found.times.searchsorted(10_000)))
    assert late.mean() < early.mean() / 3


def test_the_optimist_learns_too_and_without_noise_both_hardly_pay():
    assert run(private_optimist, runs=16, people=20_000, seed=5).regret[:, -1].mean() < 67_069 / 4
    for learner, most in ((posterior_sampling_non_private, 80), (optimist_non_private, 100)):
        found = learner(RIVER, 20_000, rng=SEED(1), runs=8)
        assert found.regret[:, -1].max() < most and found.guarantees == ()
        with pytest.raises(ValueError, match="no guarantee"):
            found.guarantee  # noqa: B018


def test_two_visits_with_one_outcome_would_look_certain_for_ever():
    """Without (H - h)/n the bonus of a row with no variance is 0; with it, it is not, and the river is learned."""
    found = optimist_non_private(RIVER, 3_000, rng=SEED(0), runs=8, errors=0.0, times=doubling(3_000))
    assert found.regret[:, -1].max() < 3_000 * 3.35 / 2


def test_reading_all_releases_makes_the_same_releases_worth_more():
    """Same promise, same noise. The mean of 24 runs lies ten standard errors (580, from 400 other runs, with a mean of 5,396)
    below the bound; how much less the regret is, `python -m bench online_treatment` says."""
    last, every = (run(learner, runs=24, people=people, seed=31) for learner, people in zip(LEARNERS[:2], (1_000, 20_000)))
    assert last.guarantees[0].mu == every.guarantees[0].mu and every.regret[:, -1].mean() < 67_069 / 6


def releases(x, scale, seed, repeats):
    """The running sums of batches ``x[j, S]``, with the counter's noise, again and again: ``[j, repeats, S]``."""
    made = counter("doubling-toeplitz", len(x), 1.0, epsilon=1.0, delta=1e-5, times=np.arange(1, len(x) + 1))
    noise = made.release(np.zeros((len(x), repeats, x.shape[1])), noise_rng=SEED(seed)).totals
    return np.cumsum(x, axis=0)[:, None] + noise * scale / made.scale


@pytest.mark.parametrize("visits", [[0, 0, 0, 0, 900], [900, 0, 0, 0, 0], [100, 120, 144, 173, 207]])
def test_weighted_counts_are_unbiased_and_as_noisy_as_they_say(visits):
    """Without noise exactly the row's law, times the visits that it is worth; with it, 40,000 times, the stated variance (whose
    relative sd is 0.007: five of them), and less of it than in the last sum."""
    law, visits, scale = np.array([0.5, 0.3, 0.2]), np.array(visits, dtype=float), 30.0
    x = visits[:, None] * law
    exact, _ = weighted_counts(np.cumsum(x, axis=0)[:, None], visits[:, None], scale)
    assert exact[0] / exact.sum() == pytest.approx(law, abs=1e-9) and exact.sum() <= visits.sum() * (1 + 1e-9)
    noisy, sd = weighted_counts(releases(x, scale, 1, 40_000), visits[:, None], scale)
    assert noisy.std(axis=0) == pytest.approx(np.full(3, sd[0]), rel=0.035)
    assert noisy.mean(axis=0) == pytest.approx(exact[0], abs=5 * sd[0] / 200)
    last = scale * np.linalg.norm([1, 0.5, 0.375, 0.3125, 35 / 128])
    assert sd[0] / exact.sum() < last / visits.sum()


def test_weights_that_guess_wrong_cost_precision_and_never_bias():
    law, true, guessed = np.array([0.5, 0.3, 0.2]), np.array([0, 400.0, 50, 0]), np.array([300.0, 0, 10, 700])
    exact, _ = weighted_counts(np.cumsum(true[:, None] * law, axis=0)[:, None], guessed[:, None], 1.0)
    assert exact[0] / exact.sum() == pytest.approx(law, abs=1e-9)


def test_less_privacy_costs_less():
    """ε = 4 and ½ at K = 6,000: 1,892 and 9,757 in 40 other runs; for 12, with standard errors of 100 and 830."""
    low, high = (run(runs=12, people=6_000, epsilon=epsilon, seed=8).regret[:, -1].mean() for epsilon in (4.0, 0.5))
    assert 2 * low < high


def test_a_table_for_every_step_learns_later():
    """Tables for every step: twenty times the cells, and the river is still hardly known after 3,000 people."""
    per_step = run(runs=4, people=3_000, counting=PER_STEP).regret[:, -1].mean()
    assert per_step > run(runs=4, people=3_000).regret[:, -1].mean()


def test_the_ward_is_learned_with_the_same_settings():
    world = ward()
    never = 20_000 * (world.initial @ (world.optimal_values() - world.policy_values(np.full(world.rewards.shape, 1 / 3)))[0])
    assert run(world=world, runs=6, people=20_000).regret[:, -1].mean() < never / 10


def test_rlsvi_by_its_own_formula():
    size = dict(horizon=20, n_states=6, n_actions=2)
    x = 2 * 2 * 20_000 / (400 * np.log(480))
    assert rlsvi_epsilon(20_000, 1e-5, **size) == pytest.approx(x + 2 * np.sqrt(x * np.log(1e5)), abs=1e-12)
    assert rlsvi_epsilon(20_000, 1e-5, **size) == pytest.approx(71.0, abs=0.05) and rlsvi_people(1.0, 1e-5, **size) == 12
    for epsilon in (0.1, 1, 30):
        most = rlsvi_people(epsilon, 1e-5, **size)
        assert (most == 0 or rlsvi_epsilon(most, 1e-5, **size) <= epsilon + 1e-9) and rlsvi_epsilon(most + 1, 1e-5, **size) > epsilon


UNEVEN = EpisodicMDP(SEED(0).dirichlet(np.ones(3), size=(4, 3, 2)), SEED(1).random((4, 3, 2)), [1, 0, 0])
RICH = EpisodicMDP(UNEVEN.transitions, UNEVEN.rewards + 1, UNEVEN.initial)


@pytest.mark.parametrize("call, message", [
    (lambda: run(epsilon=-0.1), "epsilon must be positive, got -0.1"),
    (lambda: run(delta=0), "delta must be strictly between 0 and 1, got 0"),
    (lambda: run(runs=0), "runs must be a whole number of at least 1, got 0"),
    (lambda: run(samples=0), "samples must be a whole number of at least 1, got 0"),
    (lambda: run(width=-1), "width must be at least 0, got -1"),
    (lambda: run(rng=3), "rng must be a numpy.random.Generator, got 3"),
    (lambda: run(noise_rng=3), "noise_rng must be a numpy.random.Generator, got 3"),
    (lambda: run(kind="trees"), "kind must be one of"),
    (lambda: run(world=3), "world must be of type EpisodicMDP, got 3"),
    (lambda: run(world=UNEVEN), "transitions must be the same at every step to be counted in one table"),
    (lambda: run(world=RICH, counting=PER_STEP), "rewards must be in [0, 1], got 1."),
    (lambda: run(counting="pooled"), "counting must be of type Counting, got 'pooled'"),
    (lambda: run(private_posterior_sampling_from_all_releases, counting=PER_STEP), "counting must be FirstVisits or POOLED, got"),
    (lambda: run(times=[300, 900]), "times must increase and end with n_people = 2000, got [300. 900.]"),
    (lambda: run(private_optimist, errors=-1), "errors must be at least 0, got -1"),
    (lambda: run(private_optimist, trust=-1), "trust must be at least 0, got -1"),
    (lambda: run(shuffled_posterior_sampling, honest=2), "honest must be in (0, 1], got 2"),
    (lambda: rlsvi_epsilon(0, 1e-5, horizon=20, n_states=6, n_actions=2), "n_people must be a whole number of at least 1, got 0"),
    (lambda: rlsvi_people(-1, 1e-5, horizon=20, n_states=6, n_actions=2), "epsilon must be positive, got -1"),
])
def test_wrong_arguments_say_so(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert message in str(error.value)
