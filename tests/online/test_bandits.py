"""Bandits against the same algorithms written as plain loops, against bounds, and against each other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from privrl_core.online import (
    BinaryTree,
    adap_ucb,
    dp_se,
    dp_ucb,
    laplace_sum_tail,
    ldp_ucb,
    ldp_ucb_bernoulli,
    noisy_sum_tail,
    ucb,
    ucb_with_one_tail,
    ucb_without_forgetting,
)
from privrl_core.online.index_bandits import _Trees
from privrl_core.privacy import Model, compose_guarantees

TWO, TEN = [0.6, 0.5], np.linspace(0.8, 0.4, 10)
EPISODES = [dp_se, adap_ucb, ucb_without_forgetting, ucb_with_one_tail]
BY_INDEX = [dp_ucb, ldp_ucb, ldp_ucb_bernoulli]
PRIVATE = [*EPISODES, *BY_INDEX]


def played(learner, means, n, *, epsilon=1.0, seed=1, **more):
    private = {} if learner is ucb else {"epsilon": epsilon, "noise_rng": np.random.default_rng(seed + 1000)}
    return learner(means, n, rng=np.random.default_rng(seed), **private, **more)


# ------------------------------------------------------------------------------------------------------------- tails

@pytest.mark.parametrize("draws", [1, 2, 5, 20])
@pytest.mark.parametrize("level", [1.0, 5.0, 20.0])
def test_a_sum_of_laplace_noises_stays_below_its_tail(draws, level):
    """Second route: its exact law, a gamma variable less another."""
    x = float(laplace_sum_tail(draws, level))
    gamma = stats.gamma(draws)
    z = np.linspace(0, 200, 200_001)
    exact = np.trapezoid(gamma.pdf(z) * gamma.sf(x + z), z)
    assert exact <= np.exp(-level)
    slack = np.linspace(1e-4, 1 - 1e-4, 100_000)
    assert x == pytest.approx(((level - draws * np.log1p(-slack**2)) / slack).min(), rel=1e-6)


@settings(max_examples=200)
@given(st.integers(1, 10**6), st.integers(1, 20), st.floats(0.01, 20), st.floats(0.01, 60))
def test_one_tail_is_at_most_the_sum_of_both(n, draws, epsilon, level):
    x, rewards, noise = (float(value) for value in (noisy_sum_tail(n, draws, epsilon, level), np.sqrt(n * level / 2), laplace_sum_tail(draws, level) / epsilon))
    assert max(rewards, noise) * (1 - 1e-9) <= x <= (rewards + noise) * (1 + 1e-9)


def test_without_noise_the_tail_is_hoeffdings():
    assert noisy_sum_tail(50, 3, None, 2.0) == pytest.approx(np.sqrt(50)) and laplace_sum_tail(0, 3.0) == 0


# ----------------------------------------------------------------------------------- the same algorithms as plain loops

def ucb_as_a_loop(means, n, rng):
    counts, sums, regret = np.zeros(len(means)), np.zeros(len(means)), 0.0
    for t in range(1, n + 1):
        with np.errstate(divide="ignore", invalid="ignore"):
            index = np.where(counts == 0, np.inf, sums / counts + np.sqrt(2 * np.log(t) / counts))
        arm = rng.choice(np.flatnonzero(index == index.max()))
        counts[arm] += 1
        sums[arm] += rng.random() < means[arm]
        regret += max(means) - means[arm]
    return regret


def episodes_as_a_loop(means, n, epsilon, forget, rng, noise_rng):
    arms, t, regret = range(len(means)), 1, 0.0
    heard = [[] for _ in arms]  # (length, noisy sum) of the episodes of each
    while t <= n:
        index = []
        for episodes in heard:
            used = episodes[-1:] if forget else episodes
            length, total = sum(m for m, _ in used), sum(s for _, s in used)
            if not used:
                index.append(np.inf)
            elif forget:
                index.append(total / length + np.sqrt(3.1 * np.log(2 * t) / (2 * length)) + 3.1 * np.log(t) / (epsilon * length))
            else:
                index.append(total / length + np.sqrt(3.1 * np.log(t) / (2 * length)) + float(laplace_sum_tail(len(used), 2 * np.log(t))) / (epsilon * length))
        arm = rng.choice(np.flatnonzero(np.array(index) == max(index)))
        length = min(max(1, sum(m for m, _ in heard[arm])), n + 1 - t)
        heard[arm].append((length, sum(rng.random() < means[arm] for _ in range(length)) + noise_rng.laplace(0, 1 / epsilon)))
        t, regret = t + length, regret + length * (max(means) - means[arm])
    return regret


def same_mean(ours, theirs):
    """Two samples whose means differ by less than 5.2 standard errors: a false alarm has probability 2e-7."""
    return abs(ours.mean() - theirs.mean()) < 5.2 * np.hypot(ours.std() / np.sqrt(ours.size), theirs.std() / np.sqrt(theirs.size))


def test_ucb_is_the_plain_loop():
    rng = np.random.default_rng(41)
    theirs = np.array([ucb_as_a_loop([0.7, 0.5, 0.6], 400, rng) for _ in range(150)])
    assert same_mean(played(ucb, [0.7, 0.5, 0.6], 400, runs=2000).regret[:, 0], theirs)


@pytest.mark.parametrize("learner, forget", [(adap_ucb, True), (ucb_without_forgetting, False)])
def test_episodes_are_the_plain_loop(learner, forget):
    rng, noise_rng = np.random.default_rng(42), np.random.default_rng(43)
    theirs = np.array([episodes_as_a_loop([0.9, 0.4], 1500, 1.0, forget, rng, noise_rng) for _ in range(150)])
    assert same_mean(played(learner, [0.9, 0.4], 1500, runs=4000).regret[:, 0], theirs)


# ------------------------------------------------------------------------------------------------ the noise of the trees

def test_trees_without_their_streams_have_the_noise_of_trees():
    """Variances and covariances at times on both sides of a block, 1,000 trees: six standard errors."""
    trees = _Trees(1000, 20_000, 1.0, np.random.default_rng(44))
    every, at, kept = np.arange(1000), [1, 2, 3, 7, 8, 4095, 4096, 4097, 8191, 8192, 12_288, 12_291], []
    for n in sorted({*at, *range(_Trees.SHORT, at[-1], _Trees.SHORT)}):  # between blocks nothing is drawn
        noise = trees.noise(every, np.full(1000, n))
        if n in at:
            kept.append(noise)
    found = np.cov(np.array(kept)) / 2
    blocks = [{(h, n >> h) for h in range(15) if n >> h & 1} for n in at]
    expected = np.array([[len(one & other) for other in blocks] for one in blocks])
    spread = np.sqrt((np.outer(np.diag(expected), np.diag(expected)) + expected**2 + 3 * expected) / 1000)
    assert (np.abs(found - expected) < 6 * spread).all() and np.diag(expected) == pytest.approx([int(n).bit_count() for n in at])
    assert trees.levels == BinaryTree(20_000).levels == 15


# ---------------------------------------------------------------------------------------------------------- invariants

@pytest.mark.parametrize("learner", [ucb, *PRIVATE])
def test_everybody_is_treated_and_regret_is_exact(learner):
    times = [1, 3, 10, 77, 2500]
    made = played(learner, [0.3, 0.9, 0.6], 2500, runs=7, times=times)
    assert (made.pulls.sum(axis=1) == 2500).all() and made.times.tolist() == times
    assert made.regret[:, -1] == pytest.approx(made.pulls @ np.array([0.6, 0.0, 0.3]))
    assert (np.diff(made.regret, axis=1) >= -1e-9).all() and (made.regret <= 0.6 * np.array(times) + 1e-9).all()
    again = played(learner, [0.3, 0.9, 0.6], 2500, runs=7, times=times)
    assert np.array_equal(made.regret, again.regret) and np.array_equal(made.pulls, again.pulls)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from([ucb, *PRIVATE]), st.lists(st.floats(0, 1), min_size=1, max_size=5), st.integers(1, 300), st.floats(0.02, 20))
def test_any_world_can_be_played(learner, means, n, epsilon):
    made = played(learner, means, n, epsilon=epsilon, runs=2, times=np.unique([1, (n + 1) // 2, n]))
    assert (made.pulls.sum(axis=1) == n).all() and np.isfinite(made.regret).all() and (made.pulls >= 0).all()


@pytest.mark.parametrize("learner", [ucb, *PRIVATE])
def test_ties_are_broken_at_random(learner):
    """Equal arms: each is the first in half of 400 runs, with 5.5 standard errors to spare."""
    first = played(learner, [0.5, 0.5], 1, runs=400).pulls[:, 0]
    assert abs(first.mean() - 0.5) < 5.5 * 0.5 / 20
    most = played(learner, [0.5, 0.5], 200, runs=400).pulls[:, 0] / 200
    assert abs(most.mean() - 0.5) < 5.5 * max(most.std(), 0.01) / 20


@pytest.mark.parametrize("learner", EPISODES)
def test_noise_has_a_stream_of_its_own_and_none_without_epsilon(learner):
    made = [learner(TEN, 10**6, epsilon=0.1, rng=np.random.default_rng(1), noise_rng=np.random.default_rng(seed)).pulls[0] for seed in range(6)]
    assert len({tuple(pulls.tolist()) for pulls in made}) > 1
    free = learner(TWO, 5000, epsilon=None, rng=np.random.default_rng(1), noise_rng=None, runs=3)
    assert free.guarantees == () and free.noise.law == "none"


@pytest.mark.parametrize("learner", PRIVATE)
def test_what_is_promised(learner):
    made = played(learner, TWO, 1000, epsilon=0.5, runs=3)
    model = Model.LOCAL if learner in (ldp_ucb, ldp_ucb_bernoulli) else Model.CENTRAL
    assert len(made.guarantees) == 3 and {(one.epsilon, one.delta, one.model) for one in made.guarantees} == {(0.5, 0.0, model)}
    assert str(made.guarantees[0].unit) == "one person's reward"
    if model is Model.LOCAL:
        assert "-local differential privacy" in str(made.guarantees[0])
        with pytest.raises(ValueError, match="model must be the same in all guarantees to be added up, got 'local' and 'central'"):
            compose_guarantees(made.guarantees[0], played(adap_ucb, TWO, 10).guarantee)


def test_the_noise_of_an_episode_hides_one_reward():
    """One person's reward is in one sum of whole numbers from 0 to n, and its noise is Lap(1/eps): recorded as drawn."""
    class Recorder(np.random.Generator):
        drawn = []

        def laplace(self, loc, scale, size):
            self.drawn.append(np.broadcast_to(scale, size))
            return super().laplace(loc, scale, size)
    for learner in (adap_ucb, ucb_without_forgetting, ucb_with_one_tail):
        Recorder.drawn.clear()
        learner(TWO, 3000, epsilon=0.4, rng=np.random.default_rng(1), noise_rng=Recorder(np.random.PCG64(2)))
        assert {float(scale) for draw in Recorder.drawn for scale in draw.ravel()} == {2.5}
        assert len(Recorder.drawn) <= 2 * 13  # at most one for each doubling of each arm
    Recorder.drawn.clear()
    dp_ucb(TWO, 3000, epsilon=0.4, rng=np.random.default_rng(1), noise_rng=Recorder(np.random.PCG64(2)))
    assert {round(float(scale), 9) for draw in Recorder.drawn for scale in draw.ravel()} == {12 / 0.4}


class Shifted(np.random.Generator):
    """Draws as ever, but the ``call``-th binomial is one larger for the first arm, or the ``call``-th Laplace as much smaller."""

    def __init__(self, seed, call, lengths):
        super().__init__(np.random.PCG64(seed))
        self.call, self.calls, self.lengths = call, 0, lengths

    def _at_the_call(self, drawn, shift):
        drawn = np.array(drawn, dtype=float)
        if self.calls == self.call:
            drawn.flat[0] += shift
        self.calls += 1
        return drawn

    def binomial(self, n, p, size=None):
        self.lengths.append(np.ravel(n)[0])
        return self._at_the_call(super().binomial(n, p, size), 1.0)

    def laplace(self, loc, scale, size):
        return self._at_the_call(super().laplace(loc, scale, size), -1.0 / (self.lengths[self.call] if np.shape(size) == (1, 3) else 1.0))


@pytest.mark.parametrize("learner", EPISODES)
@pytest.mark.parametrize("call", [0, 2, 5, 9])
def test_a_reward_decides_only_through_one_noisy_sum(learner, call):
    """The proof of epsilon-DP, run: with one reward more in one sum and the noise of that sum one less, all is as before. The
    densities of the two noises differ by e^eps at most, and no other draw was touched."""
    run = dict(means=[0.4, 0.5, 0.6], n_people=30_000, epsilon=1.0, times=[100, 1000, 30_000])
    plain = learner(**run, rng=Shifted(1, None, []), noise_rng=Shifted(2, None, [1]))
    lengths = []
    moved = learner(**run, rng=Shifted(1, call, lengths), noise_rng=Shifted(2, call, lengths))
    assert np.array_equal(plain.pulls, moved.pulls) and np.array_equal(plain.regret, moved.regret)


# ---------------------------------------------------------------------------------------------------------- regret

def test_regret_of_private_bandits_at_a_million_people():
    """Ten arms, epsilon = 1 and 0.1, 40 runs: the table of the specification, within a tenth; and the better of ours."""
    found = {(learner, epsilon): played(learner, TEN, 10**6, epsilon=epsilon, runs=60, seed=51).regret[:, 0].mean()
             for learner in EPISODES for epsilon in (1.0, 0.1)}
    assert found[adap_ucb, 1.0] == pytest.approx(4860, rel=0.1) and found[adap_ucb, 0.1] == pytest.approx(17_390, rel=0.1)
    assert found[dp_se, 1.0] == pytest.approx(8403, rel=0.1) and found[dp_se, 0.1] == pytest.approx(17_751, rel=0.15)
    assert found[ucb_without_forgetting, 1.0] < 0.6 * found[adap_ucb, 1.0] and found[ucb_without_forgetting, 0.1] < 0.65 * found[adap_ucb, 0.1]
    assert found[ucb_with_one_tail, 1.0] < 0.45 * found[adap_ucb, 1.0] and found[ucb_with_one_tail, 0.1] < found[ucb_without_forgetting, 0.1]
    assert found[adap_ucb, 1.0] < found[dp_se, 1.0]


@pytest.mark.parametrize("learner", [adap_ucb, ucb_without_forgetting])
def test_what_privacy_adds_is_a_term_of_its_own(learner):
    """Extra regret times epsilon, largest over smallest of epsilon = 0.1, 0.25, 1, ten arms, a million people: at most 1.35."""
    free = played(learner, TEN, 10**6, epsilon=None, runs=400, seed=52).regret[:, 0].mean()
    extra = [epsilon * (played(learner, TEN, 10**6, epsilon=epsilon, runs=400, seed=53).regret[:, 0].mean() - free) for epsilon in (0.1, 0.25, 1.0)]
    assert max(extra) / min(extra) <= 1.35


def test_the_order_of_all_algorithms_at_fifty_thousand_people():
    regret = {learner: played(learner, TEN, 50_000, runs=20, seed=54).regret[:, 0] for learner in
              (ucb, ucb_with_one_tail, ucb_without_forgetting, adap_ucb, dp_ucb, ldp_ucb, ldp_ucb_bernoulli)}
    mean = {learner: values.mean() for learner, values in regret.items()}
    order = [ucb, ucb_with_one_tail, ucb_without_forgetting, adap_ucb, dp_ucb, ldp_ucb]
    assert [mean[learner] for learner in order] == sorted(mean[learner] for learner in order)
    assert mean[ucb_without_forgetting] < mean[ldp_ucb_bernoulli] < 0.5 * mean[ldp_ucb]


@pytest.mark.parametrize("changes, message", [
    (dict(epsilon=-0.1), "epsilon must be positive, got -0.1"), (dict(epsilon=0), "epsilon must be positive, got 0"),
    (dict(means=[0.5, 1.2]), "means must be in [0, 1], got 1.2"), (dict(means=[[0.5]]), "means must have shape [A], got [1, 1]"),
    (dict(times=[0]), "times must increase, from at least 1 to at most n_people = 100"), (dict(n_people=0), "n_people must be a whole number of at least 1, got 0"),
    (dict(runs=0), "runs must be a whole number of at least 1, got 0"), (dict(rng=1), "rng must be a numpy.random.Generator, got 1"),
    (dict(noise_rng=np.random), "noise_rng must be a numpy.random.Generator, got")])
def test_wrong_arguments_say_so(changes, message):
    run = dict(means=TWO, n_people=100, epsilon=1.0, rng=np.random.default_rng(1), noise_rng=np.random.default_rng(2)) | changes
    for learner in PRIVATE:
        with pytest.raises(ValueError) as error:
            learner(**run)
        assert message in str(error.value)


def test_other_wrong_arguments_say_so():
    with pytest.raises(ValueError, match="alpha must be positive, got -1"):
        played(adap_ucb, TWO, 10, alpha=-1)
    for learner in BY_INDEX:
        with pytest.raises(ValueError, match="epsilon must be"):
            learner(TWO, 10, epsilon=None, rng=np.random.default_rng(1), noise_rng=np.random.default_rng(2))


# ------------------------------------------------------------------------------------------------------------- people drawn already

@pytest.mark.parametrize("learner, private", [(ucb, {}), (ucb_without_forgetting, {"epsilon": None}), (ucb_without_forgetting, {"epsilon": 1.0})])
def test_people_who_are_drawn_already_are_treated_as_others(learner, private):
    """The same mean regret as with rewards drawn on the way, within six standard errors; and the given rewards alone count."""
    means, n, runs = np.array([0.8, 0.6, 0.4]), 300, 1_500
    outcomes = np.random.default_rng(8).random((runs, n, 3)) < means

    def regret(seed, **given):
        if private:
            given |= private | {"noise_rng": np.random.default_rng(seed + 1000)}
        return learner(means, n, runs=runs, rng=np.random.default_rng(seed), **given).regret[:, 0]
    ours, theirs = regret(1, outcomes=outcomes.astype(int)), regret(2)
    assert abs(ours.mean() - theirs.mean()) < 6 * np.hypot(ours.std(), theirs.std()) / np.sqrt(runs)
    worst = np.zeros((runs, n, 3))
    worst[:, :, 2] = 1        # whatever the means say, the third treatment helps
    assert regret(3, outcomes=worst).mean() > 2 * theirs.mean()


@pytest.mark.parametrize("learner, private", [(ucb, {}), (ucb_without_forgetting, {"epsilon": 1.0, "noise_rng": np.random.default_rng(1)})])
def test_people_who_are_drawn_already_are_checked(learner, private):
    for odd, message in ((np.zeros((1, 5, 2)), r"outcomes must have shape \[1, 6, 2\], got \[1, 5, 2\]"), (np.full((1, 6, 2), 0.5), "outcomes must be 0 or 1")):
        with pytest.raises(ValueError, match=message):
            learner(TWO, 6, rng=np.random.default_rng(0), outcomes=odd, **private)
