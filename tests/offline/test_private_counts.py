"""Private counts: problem (3) against a linear program, sampling and noise against their laws, costs against brute force."""

import tracemalloc
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog, minimize
from scipy.sparse import block_diag, csr_array
from scipy.stats import chi2, kstest

from privrl_core.offline import (
    TransitionCounts,
    consistent_counts,
    count_guarantees,
    count_transitions,
    empirical_transitions_non_private,
    noise_bound,
    noisy_counts,
    pooled_counts,
    private_transitions,
    sample_counts,
)
from privrl_core.privacy import (
    ADD_OR_REMOVE_ONE,
    REPLACE_ONE,
    TRAJECTORY,
    GaussianNoise,
    LaplaceNoise,
    Status,
    gaussian_epsilon,
    zcdp_epsilon,
    zcdp_epsilon_as_printed,
)
from privrl_core.world import Episodes, EpisodicMDP, FiniteMDP, sample_episodes


def random_mdp(rng, horizon=3, n_states=3, n_actions=2):
    shape = horizon, n_states, n_actions
    return EpisodicMDP(rng.dirichlet(np.ones(n_states), size=shape), rng.random(shape), rng.dirichlet(np.ones(n_states)))


def uniform(mdp):
    return np.full(mdp.rewards.shape, 1 / mdp.n_actions)


def random_episodes(rng, m=8, horizon=5, n_states=3, n_actions=2):
    lengths = rng.integers(horizon + 1, size=m)
    return Episodes.from_lists([rng.integers(n_states, size=k + 1) for k in lengths],
                               [rng.integers(n_actions, size=k) for k in lengths], [[0] * k for k in lengths])


def dense(counts):
    return np.array([step.toarray() for step in counts.steps])


# ---- problem (3)

def by_linear_program(problems):
    """(largest error, x) of each: problem (4) with S + 1 variables, as printed. They share no variable, so one program
    whose objective is the sum of theirs solves them all."""
    objectives, rules, limits = [], [], []
    for triples, pairs, slack in problems:
        n = len(triples)
        close = np.hstack([np.vstack([np.eye(n), -np.eye(n)]), -np.ones((2 * n, 1))])
        total = np.append(np.ones(n), 0)
        objectives.append(np.append(np.zeros(n), 1))
        rules.append(np.vstack([close, total, -total]))
        limits += [triples, -triples, [pairs + slack, slack - pairs]]
    found = linprog(np.concatenate(objectives), block_diag(rules, format="csr"), np.concatenate(limits), bounds=(0, None), method="highs",
                    options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10})
    return [(part[-1], part[:-1]) for part in np.split(found.x, np.cumsum([len(one) for one in objectives])[:-1])]


def test_consistent_counts_are_the_solution_of_the_linear_program():
    """1,200 problems of all three cases, with zero rows, empty pairs, and negative lower limits, to 1e-9."""
    rng, seen, problems = np.random.default_rng(3), {"inside": 0, "raised": 0, "lowered": 0, "zero row": 0, "negative": 0}, []
    for _ in range(1200):
        n = rng.integers(1, 7)
        triples = rng.choice([0, 1, rng.random()]) * np.maximum(rng.normal(0.5, 2, size=n), 0)
        pairs, slack = rng.choice([0, 1, 3]) * rng.random() * rng.integers(1, 9), rng.exponential()
        problems.append((triples, pairs, slack))
        total = triples.sum()
        seen["inside" if abs(total - pairs) <= slack else "raised" if total < pairs else "lowered"] += 1
        seen["zero row"] += not triples.any()
        seen["negative"] += pairs < slack
    assert min(seen.values()) >= 100, seen
    for (triples, pairs, slack), (error, solution) in zip(problems, by_linear_program(problems), strict=True):
        x = consistent_counts(triples, pairs, slack)
        assert np.abs(x - triples).max() == pytest.approx(error, rel=1e-9, abs=1e-9)
        assert x == pytest.approx(solution, rel=1e-9, abs=1e-9)


def test_consistent_counts_of_a_large_row_are_the_solution_of_the_linear_program():
    rng = np.random.default_rng(0)
    triples = np.maximum(rng.normal(0, 6.3, size=716), 0)
    for pairs in (0.0, 15.0, 3000.0):
        [(error, solution)] = by_linear_program([(triples, pairs, 43.0)])
        assert consistent_counts(triples, pairs, 43.0) == pytest.approx(solution, rel=1e-9, abs=1e-9)


COUNTS = arrays(float, st.tuples(st.integers(1, 4), st.integers(1, 9)), elements=st.floats(0, 1e6))


@settings(deadline=None)
@given(COUNTS, st.floats(0, 1e6), st.floats(0, 1e4))
def test_consistent_counts_satisfy_the_conditions_that_make_them_unique(triples, pair, slack):
    x = consistent_counts(triples, np.full(len(triples), pair), slack)
    size = 1 + triples.max() + pair + slack
    assert (x >= 0).all()
    assert x.sum(axis=1) == pytest.approx(np.clip(triples.sum(axis=1), pair - slack, pair + slack), abs=1e-9 * size)
    for row, found in zip(triples, x, strict=True):
        shift = found - row  # every cell moves by the same amount, but where 0 stops it
        moved = shift[found > 0]
        if moved.size:
            assert np.ptp(moved) <= 1e-9 * size
            assert (shift[found == 0] >= moved[0] - 1e-9 * size).all()


def test_consistent_counts_are_the_euclidean_projection_too():
    rng = np.random.default_rng(1)
    for _ in range(10):
        triples, pairs, slack = rng.exponential(size=5), rng.exponential(scale=4), rng.random()
        nearest = minimize(lambda x: np.sum((x - triples) ** 2), np.full(5, pairs / 5), bounds=[(0, None)] * 5,
                           constraints=[dict(type="ineq", fun=lambda x: pairs + slack - x.sum()),
                                        dict(type="ineq", fun=lambda x: x.sum() - pairs + slack)], options={"ftol": 1e-14})
        assert consistent_counts(triples, pairs, slack) == pytest.approx(nearest.x, abs=1e-5)


# ---- the data

def test_counts_of_episodes_are_what_a_loop_finds():
    rng = np.random.default_rng(0)
    for horizon in (5, 7):
        episodes = random_episodes(rng)
        expected, lengths = np.zeros((horizon, 6, 3)), episodes.lengths
        for i, h in np.argwhere(np.arange(horizon) < lengths[:, None]):
            expected[h, episodes.states[i, h] * 2 + episodes.actions[i, h], episodes.states[i, h + 1]] += 1
        counts = count_transitions(episodes, 3, 2, horizon)
        assert (dense(counts) == expected).all()
        assert (dense(counts.pooled())[0] == expected.sum(axis=0)).all()
        assert counts.horizon == counts.pooled().horizon == horizon and len(counts.pooled().steps) == 1
        assert dense(pooled_counts(episodes, 3, 2, horizon, contribution=horizon))[0] == pytest.approx(expected.sum(axis=0))


def test_restricted_counts_leave_out_what_is_not_admissible():
    counts = count_transitions(random_episodes(np.random.default_rng(0)), 3, 2, 5)
    admissible = np.array([[True, False], [False, True], [True, True]])
    left = counts.restricted(admissible)
    assert (dense(left) == dense(counts) * admissible.reshape(1, -1, 1)).all() and 0 < dense(left).sum() < dense(counts).sum()
    assert (left.horizon, left.l2_contribution, left.n_actions) == (counts.horizon, counts.l2_contribution, 2)
    with pytest.raises(ValueError, match="admissible must be booleans of shape"):
        counts.restricted(admissible.astype(int))


def test_pooled_counts_shrink_each_trajectory_to_its_contribution():
    rng = np.random.default_rng(0)
    episodes = random_episodes(rng, m=1, horizon=9)
    while episodes.lengths[0] < 6:
        episodes = random_episodes(rng, m=1, horizon=9)
    counts = pooled_counts(episodes, 3, 2, 9, contribution=1.5)
    assert np.linalg.norm(counts.steps[0].sum(axis=1)) == pytest.approx(1.5)
    whole = count_transitions(episodes, 3, 2, 9).pooled()
    ratio = dense(counts)[0][dense(whole)[0] > 0] / dense(whole)[0][dense(whole)[0] > 0]
    assert ratio == pytest.approx(ratio[0])


def test_sampled_counts_have_the_law_of_counts_of_sampled_episodes():
    """Two trajectories of two steps: all outcomes, their exact probabilities, and a chi-squared test of 3,000 draws
    (fails by chance with probability 1e-6), outcomes that are rare taken together."""
    mdp = random_mdp(np.random.default_rng(5), horizon=2, n_states=2)
    policy = np.random.default_rng(6).dirichlet(np.ones(2), size=(2, 2))
    law, cells = {}, {}
    for s, a, n, b, m in product(range(2), repeat=5):
        p = (mdp.initial[s] * policy[0, s, a] * mdp.transitions[0, s, a, n] * policy[1, n, b] * mdp.transitions[1, n, b, m])
        cells[(s * 2 + a, n, n * 2 + b, m)] = p
    for (one, p), (two, q) in product(cells.items(), repeat=2):
        expected = np.zeros((2, 4, 2), int)
        for first, second, third, fourth in (one, two):
            expected[0, first, second] += 1
            expected[1, third, fourth] += 1
        key = expected.tobytes()
        law[key] = law.get(key, 0) + p * q
    rng, draws = np.random.default_rng(7), 3_000
    seen = dict.fromkeys(law, 0)
    for _ in range(draws):
        seen[dense(sample_counts(mdp, policy, 2, rng)).astype(int).tobytes()] += 1
    expected, found = draws * np.array(list(law.values())), np.array(list(seen.values()))
    often = expected >= 10
    expected, found = (np.append(x[often], x[~often].sum()) for x in (expected, found))
    assert sum(law.values()) == pytest.approx(1) and often.sum() > 50
    assert ((found - expected) ** 2 / expected).sum() < chi2.isf(1e-6, len(expected) - 1)


def test_sampled_counts_add_up_and_do_not_depend_on_how_many_there_are():
    mdp = random_mdp(np.random.default_rng(0))
    counts = sample_counts(mdp, uniform(mdp), 10**12, np.random.default_rng(1))
    steps = dense(counts)
    assert (steps.sum(axis=(1, 2)) == 10**12).all()
    assert (steps[:-1].sum(axis=1) == steps[1:].reshape(2, 3, 2, 3).sum(axis=(2, 3))).all()
    # 3 * 6 * 3 proportions of counts above 1e10: each within 1e-4 but for 2 exp(-2e10 * 1e-8) < 1e-80
    assert steps / steps.sum(axis=2, keepdims=True) == pytest.approx(mdp.transitions.reshape(3, 6, 3), abs=1e-4)


def test_a_law_that_repeats_is_sampled_as_one_written_out():
    rng = np.random.default_rng(0)
    law, initial = rng.dirichlet(np.ones(4) / 3, size=(4, 2)), np.ones(4) / 4
    law[0, 0] = [0, 0, 1, 0]
    laws = np.broadcast_to(law, (5, 4, 2, 4))
    kept, written = (EpisodicMDP(p, np.zeros((5, 4, 2)), initial) for p in (laws, laws.copy()))
    one, two = (sample_counts(mdp, uniform(mdp), 1000, np.random.default_rng(1)) for mdp in (kept, written))
    assert kept.transitions.strides[0] == 0 and (dense(one) == dense(two)).all()
    assert (dense(one)[:, 0, [0, 1, 3]] == 0).all()


def test_means_of_sampled_counts_and_of_counted_episodes_agree():
    rng = np.random.default_rng(2)
    law = rng.dirichlet(np.ones(3), size=(3, 2))
    episodic = EpisodicMDP(np.broadcast_to(law, (4, 3, 2, 3)), np.zeros((4, 3, 2)), np.ones(3) / 3)
    endless = FiniteMDP(law, np.zeros(law.shape), 0.9, np.ones(3) / 3, np.zeros(3, bool))
    n = 200_000
    one = dense(sample_counts(episodic, uniform(episodic), n, rng)) / n
    two = dense(count_transitions(sample_episodes(endless, np.full((3, 2), 0.5), n, rng, max_length=4), 3, 2, 4)) / n
    # 72 differences of means of variance below 1/4 each: above 0.01 with probability below 144 exp(-n 1e-4) < 1e-6
    assert one == pytest.approx(two, abs=0.01)


def test_counts_are_kept_as_copies_that_cannot_be_written_to():
    step = csr_array(([1, 2], ([0, 0], [0, 0])), shape=(1, 1))
    counts = TransitionCounts((step,), 1, 1)
    step.data[:] = -5
    assert counts.steps[0].toarray() == 3
    for array in (counts.steps[0].data, counts.steps[0].indices, DATA.pooled().steps[0].data):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


# ---- what a trajectory can change, and what that costs

def trajectory(states, actions):
    return Episodes.from_lists([states], [actions], [[0] * len(actions)])


@pytest.mark.parametrize("horizon", [1, 3])
def test_the_sensitivities_are_what_brute_force_over_pairs_of_trajectories_finds(horizon):
    """All trajectories of 2 states, 2 actions: of every pair, and of every trajectory against none."""
    every = [trajectory([s, *path[::2]], list(path[1::2])) for length in range(horizon + 1)
             for s in range(2) for path in product(range(2), repeat=2 * length)]
    for make in (lambda e: count_transitions(e, 2, 2, horizon), lambda e: count_transitions(e, 2, 2, horizon).pooled(),
                 lambda e: pooled_counts(e, 2, 2, horizon, contribution=1.3)):
        counts = make(every[-1])
        for family in (lambda c: dense(c).ravel(), lambda c: dense(c).sum(axis=2).ravel()):
            x = np.array([family(make(episodes)) for episodes in every])
            apart = x[:, None] - x[None]
            l2, l1 = np.sqrt((apart**2).sum(axis=2)).max(), np.abs(apart).sum(axis=2).max()
            assert l2 <= np.sqrt(2) * counts.l2_contribution * (1 + 1e-12)
            assert l1 <= 2 * counts.l1_contribution * (1 + 1e-12)
            assert l2 == pytest.approx(np.sqrt(2) * counts.l2_contribution), "attained"
            assert np.sqrt((x**2).sum(axis=1)).max() == pytest.approx(counts.l2_contribution), "add or remove"


def test_the_noise_is_the_paper_s_and_costs_exactly_rho():
    counts = sample_counts(random_mdp(np.random.default_rng(0), horizon=6), np.full((6, 3, 2), 0.5), 10, np.random.default_rng(1))
    noise = GaussianNoise(0.7)
    assert noise.scale(counts.sensitivity) ** 2 == pytest.approx(2 * 6 / 0.7)
    assert noise.scale(counts.pooled().sensitivity) ** 2 == pytest.approx(2 * 36 / 0.7)
    assert 2 * (2 * 6) / (2 * noise.scale(counts.sensitivity) ** 2) == pytest.approx(0.7), "two families, each of squared move 2H"
    assert LaplaceNoise(0.7).scale(counts.sensitivity) == LaplaceNoise(0.7).scale(counts.pooled().sensitivity) == pytest.approx(4 * 6 / 0.7)
    S, A, H, delta = 3, 2, 6, 0.1
    assert 2 * noise_bound(counts, noise, delta) == pytest.approx(4 * np.sqrt(H * np.log(4 * H * S**2 * A / delta) / 0.7))
    assert 2 * noise_bound(counts.pooled(), noise, delta) == pytest.approx(4 * H * np.sqrt(np.log(4 * S**2 * A / delta) / 0.7))
    assert 2 * noise_bound(counts, LaplaceNoise(0.7), delta) == pytest.approx(8 * H / 0.7 * np.log(2 * H * S**2 * A / delta))


def test_guarantees_say_what_they_are_worth():
    noise = GaussianNoise(0.5, 1e-6)
    promise, lesser = count_guarantees(noise)
    assert (promise.rho, promise.mu, promise.neighbours) == (0.5, 1.0, REPLACE_ONE)
    assert (lesser.rho, lesser.neighbours) == (pytest.approx(0.25), ADD_OR_REMOVE_ONE) and lesser.epsilon < promise.epsilon
    assert promise.epsilon == pytest.approx(gaussian_epsilon(1e-6, 1.0))
    assert promise.epsilon < zcdp_epsilon(0.5, 1e-6) < zcdp_epsilon_as_printed(0.5, 1e-6)
    assert f"{zcdp_epsilon_as_printed(0.5, 1e-6):.4g}" in promise.basis
    assert count_guarantees(GaussianNoise.of_epsilon(1.0, 1e-5))[0].epsilon == pytest.approx(1.0)
    pure, added = count_guarantees(LaplaceNoise(2.0))
    assert (pure.epsilon, pure.delta, added.epsilon) == (2.0, 0.0, 1.0)
    assert {g.unit for g in (promise, lesser, pure)} == {TRAJECTORY} and promise.status is Status.PROVED


# ---- the release

class Tabulated:
    """Noise read from a table, the same for a pair or a triple whenever it is drawn: what is drawn lazily must not matter."""

    def __init__(self, noise, rng, counts):
        size = counts.n_states * counts.n_actions
        self.noise = noise
        self.pairs = [noise.draw(noise.scale(counts.sensitivity), size, rng) for _ in counts.steps]
        self.triples = [noise.draw(noise.scale(counts.sensitivity), (size, counts.n_states), rng) for _ in counts.steps]
        self.scale, self.tail = noise.scale, noise.tail
        self.guarantee, self.law, self.of_epsilon = noise.guarantee, noise.law, noise.of_epsilon
        self.step, self.rows = -1, None

    def draw(self, scale, shape, rng):
        if len(shape) == 1:
            self.step += 1
            return self.pairs[self.step]
        self.drawn = shape
        return self.triples[self.step][self.rows(self.pairs[self.step])]


@pytest.mark.parametrize("noise", [GaussianNoise(2.0), GaussianNoise(50.0), LaplaceNoise(3.0), LaplaceNoise(60.0)])
def test_noise_that_is_not_drawn_could_not_have_changed_anything(noise):
    mdp = random_mdp(np.random.default_rng(0), horizon=4, n_states=4)
    skipped = 0
    for n in (30, 300):
        counts = sample_counts(mdp, uniform(mdp), n, np.random.default_rng(n))
        table = Tabulated(noise, np.random.default_rng(9), counts)
        slack = noise_bound(counts, noise, 0.1)
        at = {"step": 0}

        def wanted(pairs_noise, counts=counts, slack=slack, at=at):
            step = list(reversed(counts.steps))[at["step"]]
            at["step"] += 1
            return step.sum(axis=1) + pairs_noise > slack
        table.rows = wanted
        for k, (lazy, step) in enumerate(zip(private_transitions(counts, table, 0.1, np.random.default_rng()), reversed(counts.steps))):
            pairs = np.maximum(step.sum(axis=1) + table.pairs[k], 0)
            triples = consistent_counts(np.maximum(step.toarray() + table.triples[k], 0), pairs, slack)
            visits = triples.sum(axis=1)
            known = np.flatnonzero(visits > 2 * slack)
            assert (lazy.row == known).all() and lazy.visits == pytest.approx(visits[known])
            assert lazy.probabilities == pytest.approx(triples[known] / visits[known, None])
            skipped += (pairs <= slack).sum()
    assert skipped > 0


class Compensating:
    """Noise that makes the same noisy counts of whatever data: made public, ``pairs[H, S A]`` and ``triples[H, S A, S]``,
    less the counts themselves. Who draws it must ask for every cell that the noisy pairs make a candidate."""

    def __init__(self, noise, counts, pairs, triples):
        self.counts, self.pairs, self.triples, self.step = counts, pairs, triples, len(pairs)
        self.scale, self.tail = noise.scale, noise.tail
        self.guarantee, self.law, self.of_epsilon = noise.guarantee, noise.law, noise.of_epsilon
        self.slack = noise_bound(counts, noise, 0.1)

    def draw(self, scale, shape, rng):
        assert scale == self.scale(self.counts.sensitivity)
        if len(shape) == 1:
            self.step -= 1
            return self.pairs[self.step] - self.counts.steps[self.step].sum(axis=1)
        here = self.pairs[self.step] > self.slack
        found = (self.triples[self.step] - self.counts.steps[self.step].toarray())[here]
        assert shape == found.shape, "what is drawn follows from the noisy pairs alone"
        return found


@pytest.mark.parametrize("noise", [GaussianNoise(2.0), LaplaceNoise(20.0)])
def test_the_data_enter_through_the_noisy_counts_alone(noise):
    """Other data with the noise that makes up for it: the same laws, as nothing else may be looked at. One of the two
    data sets is empty but for a single trajectory, so that pairs nobody visited become known."""
    mdp = random_mdp(np.random.default_rng(0), horizon=4, n_states=4)
    rng = np.random.default_rng(1)
    pairs, triples = rng.integers(-5, 900, size=(4, 8)), rng.integers(-5, 300, size=(4, 8, 4))
    many, one, few = (sample_counts(mdp, uniform(mdp), n, np.random.default_rng(n)) for n in (3000, 1, 400))
    laws = [list(private_transitions(counts, Compensating(noise, counts, pairs, triples), 0.1, rng))
            for counts in (many, one, few)]
    for law, *others in zip(*laws, strict=True):
        for other in others:
            assert (law.row == other.row).all() and law.row.size > 3
            assert np.allclose(law.visits, other.visits, rtol=1e-12)
            assert np.allclose(law.probabilities, other.probabilities, rtol=0, atol=1e-12)


def test_noisy_counts_of_other_data_with_the_noise_that_makes_up_for_it_are_the_same():
    mdp, noise = random_mdp(np.random.default_rng(0)), GaussianNoise(1.0)

    class Shifted:
        def __init__(self, counts):
            self.counts, self.drawn = counts, 2 * counts.horizon
            self.scale, self.tail = noise.scale, noise.tail
            self.guarantee, self.law, self.of_epsilon = noise.guarantee, noise.law, noise.of_epsilon

        def draw(self, scale, shape, rng):
            self.drawn -= 1
            step = self.counts.steps[self.drawn // 2]
            true = step.sum(axis=1) if len(shape) == 2 else step.toarray()
            return np.random.default_rng(self.drawn).integers(-9, 50, size=shape) - true.reshape(shape)
    one, two = (list(noisy_counts(counts, Shifted(counts), np.random.default_rng())) for counts in (
        sample_counts(mdp, uniform(mdp), n, np.random.default_rng(n)) for n in (900, 1)))
    for (triples, pairs), (others, other_pairs) in zip(one, two, strict=True):
        assert (triples == others).all() and (pairs == other_pairs).all() and triples.max() > 0


def test_each_noise_is_drawn_once_for_each_cell_and_no_two_are_the_same():
    mdp = random_mdp(np.random.default_rng(0))
    counts = sample_counts(mdp, uniform(mdp), 10**9, np.random.default_rng(1))  # no cell is clipped
    for noise in (GaussianNoise(1.0), LaplaceNoise(1.0)):
        drawn = [x for (triples, pairs), step in zip(noisy_counts(counts, noise, np.random.default_rng(2)), reversed(counts.steps))
                 for x in (triples.reshape(6, 3) - step.toarray(), pairs.ravel() - step.sum(axis=1))]
        drawn = np.concatenate([x.ravel() for x in drawn])
        assert np.diff(np.sort(drawn)).min() > 1e-6 * noise.scale(counts.sensitivity), "72 noises, all different"


def test_noisy_counts_are_the_counts_plus_noise_of_the_stated_law_and_no_less_than_0():
    """Kolmogorov-Smirnov on 12,000 noises each, fails by chance with probability 1e-6."""
    mdp = random_mdp(np.random.default_rng(0), horizon=50, n_states=10, n_actions=2)
    counts = sample_counts(mdp, uniform(mdp), 10**7, np.random.default_rng(1))
    for noise, law in ((GaussianNoise(1.0), "norm"), (LaplaceNoise(10.0), "laplace")):
        triples, pairs = map(np.array, zip(*noisy_counts(counts, noise, np.random.default_rng(2)), strict=True))
        true = dense(counts)[::-1].reshape(triples.shape)
        left = np.concatenate([(triples - true).ravel(), (pairs - true.sum(axis=-1)).ravel()])
        assert kstest(left / noise.scale(counts.sensitivity), law).pvalue > 1e-6
    empty = sample_counts(mdp, uniform(mdp), 1, np.random.default_rng(1))
    triples, pairs = next(noisy_counts(empty, GaussianNoise(1.0), np.random.default_rng(2)))
    assert min(triples.min(), pairs.min()) == 0 and np.mean(triples == 0) == pytest.approx(0.5, abs=0.06)
    # 2,000 signs: off by 0.06 with probability below 2 exp(-2 * 2000 * 0.0036) < 1e-6


@pytest.mark.parametrize("noise", [GaussianNoise(0.5), LaplaceNoise(1.0)])
def test_errors_stay_within_e_as_lemma_c_3_says(noise):
    """Whenever every noise is within E/2; it is, in each of 40 runs but with probability 0.002 a run: some run is with certainty."""
    mdp, failure, good = random_mdp(np.random.default_rng(4), horizon=3), 0.002, 0
    for seed in range(40):
        counts = sample_counts(mdp, uniform(mdp), 400, np.random.default_rng(seed))
        slack = noise_bound(counts, noise, failure)
        for (triples, pairs), step in zip(noisy_counts(counts, noise, np.random.default_rng(100 + seed)), reversed(counts.steps)):
            true = step.toarray().reshape(triples.shape)
            if max(np.abs(triples - true).max(), np.abs(pairs - true.sum(axis=-1)).max()) <= slack:
                good += 1
                x = consistent_counts(triples, pairs, slack)
                assert np.abs(x - true).max() <= 2 * slack and np.abs(x.sum(axis=-1) - true.sum(axis=-1)).max() <= 2 * slack
    assert good >= 110


def test_laws_are_laws_and_without_noise_the_empirical_ones():
    mdp = random_mdp(np.random.default_rng(0))
    counts = sample_counts(mdp, uniform(mdp), 1000, np.random.default_rng(1))
    for noise in (GaussianNoise(1.0), GaussianNoise(1e14)):
        for private, plain in zip(private_transitions(counts, noise, 0.1, np.random.default_rng(2)),
                                  empirical_transitions_non_private(counts)):
            assert private.probabilities.sum(axis=1) == pytest.approx(1) and (private.probabilities >= 0).all()
            assert (np.diff(private.row) > 0).all() and np.isin(private.row, plain.row).all()
    assert (private.row == plain.row).all() and private.visits == pytest.approx(plain.visits)
    assert private.probabilities == pytest.approx(plain.probabilities.toarray(), abs=1e-5)


def test_many_rows_are_handled_in_blocks_as_few_are():
    rng = np.random.default_rng(0)
    triples, pairs = rng.exponential(size=(1500, 4)), 4 * rng.random(1500)
    whole = consistent_counts(triples, pairs, 0.5)
    assert (whole == [consistent_counts(row, pair, 0.5) for row, pair in zip(triples, pairs)]).all()
    mdp = random_mdp(rng, horizon=1, n_states=300)
    counts = sample_counts(mdp, uniform(mdp), 10**6, rng)
    assert dense(counts).sum() == 10**6 and np.count_nonzero(counts.steps[0].sum(axis=1)) > 512
    laws = [next(laws) for laws in (private_transitions(counts, GaussianNoise(1e14), 0.1, rng),
                                    empirical_transitions_non_private(counts))]
    assert np.allclose(laws[0].probabilities, laws[1].probabilities.toarray(), atol=1e-5)


# ---- wrong arguments

MDP = random_mdp(np.random.default_rng(0))
DATA = sample_counts(MDP, uniform(MDP), 10, np.random.default_rng(0))
EPISODES = random_episodes(np.random.default_rng(0))
WRONG = {
    "negative triples": (lambda: consistent_counts([-1.0, 2], 1, 1), "noisy_triples must be at least 0, got -1"),
    "negative pairs": (lambda: consistent_counts([1.0, 2], -3, 1), "noisy_pairs must be at least 0, got -3"),
    "negative slack": (lambda: consistent_counts([1.0, 2], 1, -1), "slack must be at least 0, got -1"),
    "nan": (lambda: consistent_counts([np.nan, 2], 1, 1), "noisy_triples must be finite, got nan"),
    "shapes": (lambda: consistent_counts(np.ones((2, 3)), np.ones(3), 1), "noisy_pairs must have the shape"),
    "one number": (lambda: consistent_counts(3.0, 3.0, 1), "noisy_pairs must have the shape"),
    "rho 0": (lambda: GaussianNoise(0), "rho must be positive, got 0"),
    "rho array": (lambda: GaussianNoise([1.0, 2]), "rho must be one number"),
    "delta 1": (lambda: GaussianNoise(1, 1), "delta must be strictly between 0 and 1, got 1"),
    "epsilon 0": (lambda: LaplaceNoise(0), "epsilon must be positive, got 0"),
    "epsilon nan": (lambda: LaplaceNoise(np.nan), "epsilon must be finite, got nan"),
    "failure": (lambda: noise_bound(DATA, GaussianNoise(1), 0), "failure must be strictly between 0 and 1, got 0"),
    "lazy failure": (lambda: next(private_transitions(DATA, GaussianNoise(1), 2, np.random.default_rng())), "failure must be"),
    "n": (lambda: sample_counts(MDP, uniform(MDP), 0, np.random.default_rng()), "n must be a whole number of at least 1"),
    "policy": (lambda: sample_counts(MDP, uniform(MDP) / 2, 3, np.random.default_rng()), "policy must sum to 1"),
    "too long": (lambda: count_transitions(EPISODES, 3, 2, 2), "horizon must be at least the length of every trajectory, got 2"),
    "too long, pooled": (lambda: pooled_counts(EPISODES, 3, 2, 2, contribution=1), "horizon must be at least the length"),
    "states": (lambda: count_transitions(EPISODES, 2, 2, 5), "states must be below n_states = 2, got 2"),
    "actions": (lambda: count_transitions(EPISODES, 3, 1, 5), "actions must be below n_actions = 1, got 1"),
    "contribution": (lambda: pooled_counts(EPISODES, 3, 2, 5, contribution=0), "contribution must be positive, got 0"),
    "negative counts": (lambda: TransitionCounts((csr_array([[-1.0]]),), 1, 1), "steps must be at least 0, got -1"),
    "no counts": (lambda: TransitionCounts((csr_array([[np.nan]]),), 1, 1), "steps must be finite, got nan"),
    "broken counts": (lambda: TransitionCounts((csr_array([[0.5]]),), 1, 1), "steps must be whole numbers, got 0.5"),
    "no steps": (lambda: TransitionCounts((), 1, 4), "steps must have length 4, got 0"),
    "four steps, horizon 1": (lambda: TransitionCounts(4 * (csr_array([[1]]),), 1, 1), "steps must have length 1, got 4"),
    "two laws, pooled": (lambda: TransitionCounts(2 * (csr_array([[1]]),), 1, 2, 1.0), "steps must have length 1, got 2"),
    "dense": (lambda: TransitionCounts((np.ones((2, 1)),), 2, 1), "steps must be sparse (csr_array)"),
    "steps' shapes": (lambda: TransitionCounts((csr_array([[1]]), csr_array([[1, 2]])), 1, 2), "all of one shape [S A, S] with A = 1"),
    "n_actions": (lambda: TransitionCounts(DATA.steps, 5, 3), "all of one shape [S A, S] with A = 5"),
    "no contribution": (lambda: TransitionCounts(DATA.pooled().steps, 2, 3, 0), "contribution must be positive, got 0"),
    "negative contribution": (lambda: TransitionCounts(DATA.pooled().steps, 2, 3, -3), "contribution must be positive, got -3"),
    "broken horizon": (lambda: TransitionCounts(DATA.steps, 2, 3.5), "horizon must be a whole number of at least 1, got 3.5"),
    "too many": (lambda: TransitionCounts((csr_array([[1e17]]),), 1, 1), "steps must add up to at most 2^53, got 1e+17"),
    "too many, sampled": (lambda: sample_counts(MDP, uniform(MDP), 10**19, np.random.default_rng()),
                          "n must be a whole number of at most 9007199254740992, got 10000000000000000000"),
    "no states": (lambda: count_transitions(EPISODES, 0, 2, 5), "n_states must be a whole number of at least 1, got 0"),
    "horizon in words": (lambda: count_transitions(EPISODES, 3, 2, "3"), "horizon must be numeric, got '3'"),
    "no episodes": (lambda: count_transitions(None, 3, 2, 5), "episodes must be of type Episodes, got None"),
    "a sum beyond doubles": (lambda: consistent_counts([1e308, 1e308, 0], 5, 1), "sums of noisy_triples must be finite, got inf"),
    "rho beyond doubles": (lambda: GaussianNoise(1e100), "rho must be from 1e-30 to 1e30, got 1e+100"),
    "epsilon beyond doubles": (lambda: LaplaceNoise(1e-320), "epsilon must be from 1e-30 to 1e30"),
    "failure beyond doubles": (lambda: noise_bound(DATA, LaplaceNoise(1), 1e-320), "failure must be at least 1e-200"),
    "no generator": (lambda: next(noisy_counts(DATA, GaussianNoise(1), 3)), "noise_rng must be a numpy.random.Generator, got 3"),
    "no generator, lazily": (lambda: next(private_transitions(DATA, GaussianNoise(1), 0.1, None)), "noise_rng must be a numpy.random.Generator, got None"),
    "no noise": (lambda: next(noisy_counts(DATA, 1.0, np.random.default_rng())), "noise must be of type Noise, got 1.0"),
    "no data": (lambda: next(noisy_counts(DATA.steps, GaussianNoise(1), np.random.default_rng())), "counts must be of type TransitionCounts, got"),
}


@pytest.mark.parametrize("call, message", WRONG.values(), ids=WRONG)
def test_wrong_arguments_say_so(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert message in str(error.value)


def test_short_episodes_take_no_memory_for_a_long_horizon():
    episodes = Episodes.from_lists([[0, 1, 2]] * 3, [[0, 1]] * 3, [[1.0, 0.0]] * 3)
    tracemalloc.start()
    counts = count_transitions(episodes, 1000, 20, 100_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1e8  # 8 GB as one matrix for each step
    assert len(counts.steps) == 100_000 and [step.sum() for step in counts.steps[:3]] == [3, 3, 0]
