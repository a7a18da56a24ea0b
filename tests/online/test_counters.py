"""Counters against dense matrices, simulated streams, two libraries, and each other."""

from itertools import combinations, combinations_with_replacement

import dp_accounting
import numpy as np
import pytest
from dp_accounting import pld, rdp
from hypothesis import given, settings
from hypothesis import strategies as st

from privrl_core.online import (
    KINDS,
    PER_STEP,
    BinaryTree,
    Counter,
    LeastLargest,
    RunningSum,
    SmoothedTree,
    SquareRoot,
    WholeSquareRoot,
    counter,
    counter_standard_deviations,
    doubling,
    every_person,
    growing,
    square_root_coefficients,
    table_sensitivity,
)
from privrl_core.privacy import (
    DiscreteGaussianNoise,
    GaussianNoise,
    GaussianWorlds,
    LaplaceNoise,
    Model,
    Sensitivity,
    gaussian_delta,
    gaussian_epsilon,
    gaussian_mu,
)

MILLIONTH = 1e-6  # how often a test of chance may fail, whatever the seed
FACTORS = [RunningSum, BinaryTree, SmoothedTree, SquareRoot, WholeSquareRoot, LeastLargest]
MU = float(gaussian_mu(1.0, 1e-5))


def prefix(n):
    return np.tril(np.ones((n, n)))


def strategy(factor):
    """R as a dense matrix."""
    n = factor.n
    if isinstance(factor, RunningSum):
        return np.eye(n)
    if isinstance(factor, BinaryTree):
        return np.array([[i << h <= j < i + 1 << h for j in range(n)] for h in range(n.bit_length()) for i in range(n >> h)], dtype=float)
    if isinstance(factor, LeastLargest):
        return np.linalg.solve(reading(factor), prefix(n))
    a = square_root_coefficients(n)
    if isinstance(factor, WholeSquareRoot):
        a = np.rint(1e6 * a)
    return np.array([[a[t - j] if j <= t else 0 for j in range(n)] for t in range(n)])


def reading(factor):
    """L as a dense matrix, from the noise that it makes of unit vectors: one for each entry that it asks for."""
    asked = []
    factor.noise(lambda shape: (asked.append(shape[0]), np.zeros(shape))[1], ())
    place, eye = 0, np.eye(sum(asked))

    def draw(shape):
        nonlocal place
        place += shape[0]
        return eye[place - shape[0]:place]
    return factor.noise(draw, (sum(asked),))


# ------------------------------------------------------------------------------------------------------ exact algebra

@pytest.mark.parametrize("n", [1, 2, 3, 7, 16, 100, 300, 1000])
def test_the_square_root_is_its_own_factor(n):
    a = square_root_coefficients(n)
    assert np.abs(np.convolve(a, a)[:n] - 1).max() < 1e-12
    if n <= 300:
        c = strategy(SquareRoot(n))
        assert np.abs(c @ c - prefix(n)).max() < 1e-12


@pytest.mark.parametrize("kind", FACTORS)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 8, 13, 16, 31, 32, 33])
def test_errors_are_the_rows_of_l_and_columns_those_of_r(kind, n):
    factor = kind(n)
    left, right = reading(factor), strategy(factor)
    assert factor.errors() == pytest.approx(np.linalg.norm(left, axis=1), abs=1e-12)
    assert factor.column_l2 == pytest.approx(np.linalg.norm(right, axis=0).max(), abs=1e-12)
    assert factor.column_l1 == pytest.approx(np.abs(right).sum(axis=0).max(), abs=1e-12)
    if kind in (RunningSum, SquareRoot, WholeSquareRoot, LeastLargest):
        assert np.abs(np.triu(left, 1)).max() < 1e-12 and np.abs(np.triu(right, 1)).max() < 1e-12
        assert np.abs(left @ right - prefix(n)).max() < 1e-12


@pytest.mark.parametrize("n", [1, 2, 5, 8, 21, 32])
def test_a_tree_reads_the_blocks_that_it_has(n):
    """The blocks that `BinaryTree` draws are the first halves, level by level; `SmoothedTree` draws them all."""
    right, levels = strategy(BinaryTree(n)), [(h, i) for h in range(n.bit_length()) for i in range(n >> h)]
    first_halves = [k for k, (h, i) in enumerate(levels) if i % 2 == 0]
    assert np.abs(reading(BinaryTree(n)) @ right[first_halves] - prefix(n)).max() < 1e-12
    assert np.abs(reading(SmoothedTree(n)) @ right - prefix(n)).max() < 1e-12


@pytest.mark.parametrize("n", [4, 7, 8, 13])
def test_the_smoothed_tree_is_the_best_linear_estimate_so_far(n):
    """Second route: generalised least squares from the blocks that are complete at each time."""
    right = strategy(SmoothedTree(n))
    for t in range(1, n + 1):
        done = right[(right[:, t:] == 0).all(axis=1)][:, :t]
        variance = np.ones(t) @ np.linalg.inv(done.T @ done) @ np.ones(t)
        assert SmoothedTree(n).errors()[t - 1] == pytest.approx(np.sqrt(variance), abs=1e-9)


@pytest.mark.parametrize("n", [1, 2, 25, 300, 5000])
def test_whole_weights_are_whole_and_cost_six_digits(n):
    """R x is whole for whole x, L R sums exactly, and the error is that of the square root."""
    whole, root = WholeSquareRoot(n), SquareRoot(n)
    x = np.random.default_rng(0).integers(-40, 40, n).astype(float)
    weights = np.rint(1e6 * square_root_coefficients(n))
    moved = np.array([weights[t::-1] @ x[:t + 1] for t in range(n)])
    assert whole.whole and (moved % 1 == 0).all()
    assert whole.noise(lambda shape: moved, ()) == pytest.approx(np.cumsum(x), abs=1e-6)        # L (R x + 0)
    assert whole.errors() * whole.column_l2 == pytest.approx(root.errors() * root.column_l2, rel=2e-5)


def test_exact_noise_on_whole_weights_is_a_square_root_with_discrete_gaussian_noise():
    """The counter refuses the plain square root, takes the whole one, and its noise has the stated size: 4,000 cells, six
    standard errors of each of nine deviations."""
    exact = dict(times=doubling(200), noise=DiscreteGaussianNoise.of_epsilon(1.0, 1e-5), sensitivity=table_sensitivity(10, 1, PER_STEP))
    with pytest.raises(ValueError, match="whole numbers"):
        Counter(factor=SquareRoot(9), **exact)
    made = Counter(factor=WholeSquareRoot(9), **exact)
    assert 1 - 1e-6 < made.guarantee.epsilon <= 1 and made.guarantee.rho == pytest.approx(made.noise.rho)
    assert made.charge([0, 0]) == pytest.approx(2) and made.charge([0, 3]) == pytest.approx(SquareRoot(9).moved([0, 3])[1] / SquareRoot(9).column_l2, rel=1e-5)
    totals = made.release(np.zeros((9, 4000)), noise_rng=None).totals
    assert np.abs(totals.std(axis=1) / made.standard_deviations - 1).max() < 6 / np.sqrt(2 * 4000)


def test_a_long_square_root_makes_the_noise_of_a_short_one():
    z = np.random.default_rng(1).normal(size=(2000, 3))
    by_transform = SquareRoot(2000).noise(lambda shape: z, (3,))
    assert by_transform[:200] == pytest.approx(SquareRoot(200).noise(lambda shape: z[:200], (3,)), abs=1e-10)
    assert by_transform[-1] == pytest.approx(square_root_coefficients(2000)[::-1] @ z, abs=1e-10)


@pytest.mark.parametrize("n", [100, 10_000, 1_000_000])
def test_the_norm_of_the_square_root_lies_where_theory_puts_it(n):
    squared = SquareRoot(n).errors()[-1] ** 2
    assert squared == pytest.approx(1.066 + np.log(n) / np.pi, abs=2e-3)
    assert 0.701 + np.log(n) / np.pi <= squared <= 1.07 + np.log(n) / np.pi


@pytest.mark.parametrize("n", [1, 2, 3, 16, 25])
def test_no_factorisation_has_a_smaller_largest_error(n):
    """The bound by its own formula, and how near it is; any other weights give a smaller one."""
    factor, rng = LeastLargest(n), np.random.default_rng(6)
    assert (factor.errors() * factor.column_l2).max() == pytest.approx(factor.least_possible, rel=1e-8)
    assert np.ptp(factor.errors()) < 1e-6
    for _ in range(50):
        w, v = rng.dirichlet(np.ones(n), 2)
        assert np.linalg.svd(np.sqrt(w)[:, None] * prefix(n) * np.sqrt(v), compute_uv=False).sum() <= factor.least_possible + 1e-9
    for other in (RunningSum(n), BinaryTree(n), SmoothedTree(n), SquareRoot(n)):
        assert other.errors().max() * other.column_l2 >= factor.least_possible - 1e-9


def test_the_least_of_two_is_known_in_closed_form():
    """A = [[1, 0], [1, 1]] has gamma_2 = 2/sqrt(3)."""
    assert LeastLargest(2).least_possible == pytest.approx(2 / np.sqrt(3), abs=1e-9)
    assert LeastLargest(16).least_possible == pytest.approx(1.70448, abs=1e-5) and SquareRoot(16).errors()[-1] ** 2 == pytest.approx(1.94388, abs=1e-5)


# --------------------------------------------------------------------------------------------------- tables of numbers

@pytest.mark.parametrize("n, largest", [
    (10**4, [71.39, 50.33, 37.72, 14.92, 14.45, 7.17, 6.29]), (10**5, [96.17, 61.53, 45.64, 17.65, 15.83, 7.39, 6.48]),
    (10**6, [123.29, 72.72, 53.55, 20.38, 17.10, 7.58, 6.65])])
def test_the_largest_error_of_one_count(n, largest):
    assert [counter_standard_deviations(kind, n, epsilon=1, delta=1e-5).max() for kind in KINDS] == pytest.approx(largest, abs=0.006)
    assert 1 / MU == pytest.approx(3.7306, abs=1e-4)


def test_the_largest_error_of_a_whole_table_and_what_each_step_is_due_to():
    """H = 20, two families, K = 20,000, a cell for every step: from the pure tree to today, 98 times."""
    table, n = table_sensitivity(20, 2, PER_STEP), 20_000
    error = {kind: counter_standard_deviations(kind, n, table, epsilon=1, delta=1e-5).max() for kind in KINDS}
    assert list(error.values()) == pytest.approx([6349.8, 483.5, 361.0, 140.8, 133.5, 64.86, 56.87], rel=1e-3)
    assert error["doubling-toeplitz"] <= 64.9
    steps = error["tree-laplace"] / error["tree-gaussian"], error["tree-gaussian"] / error["toeplitz"], error["toeplitz"] / error["doubling-toeplitz"]
    assert steps == pytest.approx((13.13, 3.435, 2.170), rel=1e-3) and np.prod(steps) == pytest.approx(97.9, abs=0.1)
    assert error["tree-smoothed"] / error["toeplitz"] == pytest.approx(2.56, abs=0.01)
    # sixteen batches with pure noise: a plain sum, 80/eps in each
    assert np.sqrt(2 * 16) * table.l1 == pytest.approx(452.5, abs=0.1)
    # the printed width 2H log2(K)/eps in each node, and the epsilon that it has
    nodes = 15 * table.l1 / (2 * 20 * np.log2(n))
    assert np.sqrt(2 * 14) * 2 * 20 * np.log2(n) == pytest.approx(3024, abs=1) and nodes == pytest.approx(2.1, abs=0.005)


def test_a_laplace_tree_at_the_same_delta():
    """80 cells move by one in each of 15 nodes: 1,200 Laplace noises, composed exactly by dp_accounting. 684, not 6,350."""
    sd = 684.0
    scale = sd / np.sqrt(2 * 14)
    one = pld.privacy_loss_distribution.from_laplace_mechanism(scale, sensitivity=1, value_discretization_interval=1e-5)
    assert one.self_compose(15 * 80).get_epsilon_for_delta(1e-5) == pytest.approx(1.0, abs=0.01)


def test_a_tree_by_dp_accounting():
    """1,024 steps, noise 10: the accountant's bound is 1.378, the exact curve of the same release 1.264."""
    event = rdp.RdpAccountant(neighboring_relation=dp_accounting.NeighboringRelation.REPLACE_SPECIAL)
    event.compose(dp_accounting.SingleEpochTreeAggregationDpEvent(10, 1024))
    assert event.get_epsilon(1e-5) == pytest.approx(1.378, abs=1e-3)
    assert gaussian_epsilon(1e-5, BinaryTree(1024).column_l2 / 10) == pytest.approx(1.264, abs=1e-3)
    assert BinaryTree(1024).levels == 11 and BinaryTree(1023).levels == 10
    assert BinaryTree(8).errors() ** 2 == pytest.approx([1, 1, 2, 1, 2, 2, 3, 1])


def test_the_blocks_of_a_tree_by_opendp():
    """OpenDP's binary tree over 8 counts: the same blocks, and one count moves as many of them."""
    from opendp.domains import atom_domain, vector_domain
    from opendp.metrics import l1_distance
    from opendp.mod import enable_features
    from opendp.transformations import make_b_ary_tree

    enable_features("contrib")
    tree = make_b_ary_tree(vector_domain(atom_domain(T="i32"), 8), l1_distance(T="i32"), leaf_count=8, branching_factor=2)
    x = np.arange(1, 9)
    ours = strategy(BinaryTree(8)) @ x
    assert sorted(tree(x.tolist())) == sorted(ours.astype(int).tolist())
    assert tree.map(1) == BinaryTree(8).column_l1 == 4


# ------------------------------------------------------------------------------------------------------------ schedules

def test_schedules():
    assert doubling(1).tolist() == [1] and doubling(16).tolist() == [1, 2, 4, 8, 16] and doubling(20).tolist() == [1, 2, 4, 8, 16, 20]
    assert every_person(3).tolist() == [1, 2, 3]
    times = growing(20_000, first=300, growth=0.2)
    assert times[:4].tolist() == [300, 360, 432, 519] and times[-1] == 20_000 and times.size == 25
    assert growing(100, first=300, growth=0.2).tolist() == [100]


@settings(max_examples=100)
@given(st.integers(1, 10**6), st.integers(1, 1000), st.floats(0.01, 3))
def test_a_schedule_grows_and_ends_with_everybody(n, first, growth):
    times = growing(n, first=first, growth=growth)
    assert times[0] == min(first, n) and times[-1] == n and (np.diff(times) > 0).all()
    assert times.size <= 2 + (np.log(n) / np.log1p(growth) + 1 / growth + 1)


def test_between_releases_the_last_one_stands():
    sd = counter_standard_deviations("doubling", 20, epsilon=1, delta=1e-5) * MU
    assert sd**2 == pytest.approx(np.repeat([1, 2, 3, 4, 5, 6], [1, 2, 4, 8, 4, 1]))


# ------------------------------------------------------------------------------------------------- releases and streams

@pytest.mark.parametrize("kind", KINDS)
def test_the_noise_has_the_deviation_that_is_said(kind):
    """100,000 cells at once: a chi-square bound at a millionth for each time (Laplace: fourth moment 6, so twice as wide)."""
    made = counter(kind, 23, Sensitivity(3.0, 2.0), epsilon=0.8, delta=1e-6)
    sums = np.zeros((made.times.size, 100_000))
    totals = made.release(sums, noise_rng=np.random.default_rng(21)).totals
    ratio = totals.var(axis=1) / made.standard_deviations**2
    assert np.abs(ratio - 1).max() < 5.5 * np.sqrt(5 / 100_000)
    assert np.abs(totals.mean(axis=1) / made.standard_deviations).max() < 5.5 / np.sqrt(100_000)


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_publishes_what_a_release_does(kind):
    made = counter(kind, 11, epsilon=1, delta=1e-5)
    x = np.random.default_rng(3).integers(0, 5, size=(made.times.size, 2, 3)).astype(float)
    running = made.start((2, 3), noise_rng=np.random.default_rng(4))
    one_by_one = np.stack([running.add(table) for table in x])
    at_once = made.release(x, noise_rng=np.random.default_rng(4))
    assert one_by_one == pytest.approx(at_once.totals) and running.published.totals == pytest.approx(at_once.totals)
    assert at_once.guarantee.model is Model.CENTRAL and at_once.guarantee.epsilon == pytest.approx(1)
    assert at_once.standard_deviations == pytest.approx(made.standard_deviations)
    with pytest.raises(ValueError, match="batch_sum must be one of"):
        running.add(x[0])


@pytest.mark.parametrize("kind", KINDS)
def test_an_adaptive_stream_gets_the_same_noise(kind):
    """What comes next is decided by what was published. The noise in the answers is that of the same seed, untouched."""
    made = counter(kind, 16, epsilon=1, delta=1e-5)
    running, sums, noise = made.start(noise_rng=np.random.default_rng(5)), [], []
    for _ in made.times:
        sums.append(1.0 if not sums or noise[-1] + np.sum(sums) > np.sum(sums) else 0.0)
        noise.append(running.add(sums[-1]) - np.sum(sums))
    assert np.array(noise) == pytest.approx(made.release(np.zeros(made.times.size), noise_rng=np.random.default_rng(5)).totals)


def test_whole_tables_can_have_exact_noise_and_roots_cannot():
    noise = DiscreteGaussianNoise.of_epsilon(1.0, 1e-5)
    table = table_sensitivity(20, 2, PER_STEP)
    made = Counter(times=doubling(100), factor=RunningSum(8), noise=noise, sensitivity=table)
    totals = made.release(np.ones((8, 2, 3)), noise_rng=None).totals
    assert (totals == np.rint(totals)).all()
    with pytest.raises(ValueError, match="sensitivity must be of whole numbers for discrete noise"):
        Counter(times=doubling(100), factor=SquareRoot(8), noise=noise, sensitivity=table)


# --------------------------------------------------------------------------------------------- people who come back

@pytest.mark.parametrize("kind", FACTORS)
@pytest.mark.parametrize("n", [1, 3, 5, 8])
def test_the_charge_is_the_norm_of_the_summed_columns(kind, n):
    factor, right = kind(n), strategy(kind(n))
    for g in (1, 2, 3):
        for batches in combinations_with_replacement(range(n), g):
            column = right[:, list(batches)].sum(axis=1)
            assert factor.moved(batches) == pytest.approx((np.abs(column).sum(), np.linalg.norm(column)), abs=1e-9)


@pytest.mark.parametrize("g, factor, right, epsilon", [(2, 1.84, 59.7, 1.96), (4, 3.38, 67.5, None), (8, 6.15, 79.5, 7.90), (16, 10.71, 92.4, None)])
def test_who_comes_back_to_the_recommended_counter_pays_nearly_g(g, factor, right, epsilon):
    made = counter("doubling-toeplitz", 20_000, epsilon=1, delta=1e-5, times=growing(20_000, first=300, growth=0.2))
    promise = made.guarantee_of_returning(range(g))
    assert made.charge(range(g)) == pytest.approx(factor, abs=0.005) and promise.mu == pytest.approx(MU * made.charge(range(g)))
    assert promise.unit.records == g and "in which batches a person comes is public" in promise.assumes
    worlds = GaussianWorlds(means=[[promise.mu], [0.0]], scales=1.0)
    assert 100 * worlds.ceiling == pytest.approx(right, abs=0.05)
    if epsilon:
        assert promise.epsilon == pytest.approx(epsilon, abs=0.005)
    assert made.guarantee_of_returning([0] * g).mu == pytest.approx(made.guarantee.group(g).mu)


def test_orthogonal_columns_pay_the_root_of_g():
    made = counter("doubling", 20_000, epsilon=1, delta=1e-5)
    assert [made.charge(range(g)) for g in (1, 4, 9)] == pytest.approx([1, 2, 3])
    assert made.charge([3, 3, 3]) == pytest.approx(3) and made.charge([0, 0, 1, 1]) == pytest.approx(np.sqrt(8))
    pure = Counter(times=doubling(20_000), factor=RunningSum(16), noise=LaplaceNoise(1.0), sensitivity=Sensitivity(1.0, 1.0))
    assert pure.guarantee_of_returning(range(4)).epsilon == pytest.approx(4) and pure.guarantee_of_returning(range(4)).delta == 0


@settings(max_examples=60)
@given(st.sampled_from(FACTORS), st.integers(1, 40), st.data())
def test_a_charge_lies_between_the_root_and_the_whole_of_g(kind, n, data):
    batches = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=6))
    factor = kind(n)
    norms = [factor.moved([j])[1] for j in batches]
    together = factor.moved(batches)[1]
    assert np.linalg.norm(norms) <= together + 1e-9 and together <= sum(norms) + 1e-9 and together <= len(batches) * factor.column_l2 + 1e-9
    assert factor.moved(sorted(batches, reverse=True))[1] == pytest.approx(together)


@pytest.mark.parametrize("kind", FACTORS)
@pytest.mark.parametrize("n, g", [(5, 2), (6, 3), (8, 3), (8, 4)])
def test_nobody_who_comes_in_different_batches_pays_more_than_who_comes_in_the_first(kind, n, g):
    charges = {batches: kind(n).moved(batches)[1] for batches in combinations(range(n), g)}
    assert max(charges.values()) == pytest.approx(charges[tuple(range(g))])


# ----------------------------------------------------------------------------------------------------------- promises

@settings(max_examples=40)
@given(st.sampled_from(list(KINDS)), st.integers(1, 200), st.floats(0.05, 5), st.floats(1e-9, 0.1))
def test_a_counter_spends_its_epsilon_and_no_more(kind, n, epsilon, delta):
    """The exact distance of the two worlds, in which one person moves everything: the longest column over the scale."""
    made = counter(kind, n, Sensitivity(2.0, 1.5), epsilon=epsilon, delta=delta)
    if kind == "tree-laplace":
        assert 2.0 * made.factor.column_l1 / made.scale == pytest.approx(epsilon) and made.guarantee.delta == 0
    else:
        mu = max(1.5 * made.factor.moved([j])[1] / made.scale for j in range(made.times.size))
        assert gaussian_delta(epsilon, mu) == pytest.approx(delta, rel=1e-6) and made.guarantee.mu == pytest.approx(mu)


@given(st.sampled_from(list(KINDS)), st.integers(2, 300), st.floats(0.1, 3), st.floats(0.1, 50))
def test_errors_scale_with_the_sensitivity_and_fall_with_epsilon(kind, n, epsilon, size):
    sd = counter_standard_deviations(kind, n, size, epsilon=epsilon, delta=1e-5)
    assert sd.shape == (n,) and sd == pytest.approx(size * counter_standard_deviations(kind, n, epsilon=epsilon, delta=1e-5))
    assert (sd > counter_standard_deviations(kind, n, size, epsilon=1.1 * epsilon, delta=1e-5)).all()


@pytest.mark.parametrize("call, message", [
    (lambda: counter("tree", 10, epsilon=1), "kind must be one of tree-laplace, tree-gaussian"),
    (lambda: counter("toeplitz", 10, epsilon=-0.1, delta=1e-5), "epsilon must be positive, got -0.1"),
    (lambda: counter("tree-laplace", 10, epsilon=-0.1), "epsilon must be positive, got -0.1"),
    (lambda: counter("toeplitz", 10, epsilon=1), "delta must be strictly between 0 and 1, got 0.0"),
    (lambda: counter("tree-laplace", 10, epsilon=1, delta=1.5), "delta must be strictly between 0 and 1, got 1.5"),
    (lambda: counter("toeplitz", 0, epsilon=1, delta=1e-5), "n must be a whole number of at least 1, got 0"),
    (lambda: counter("toeplitz", 10, -1.0, epsilon=1, delta=1e-5), "sensitivity must be positive, got -1.0"),
    (lambda: counter("toeplitz", 10, epsilon=1, delta=1e-5, times=[5]), "times must end with n = 10, got [5]"),
    (lambda: Counter(times=[2, 1], factor=RunningSum(2), noise=GaussianNoise(1.0), sensitivity=Sensitivity(1.0, 1.0)), "times must be increasing numbers of people"),
    (lambda: Counter(times=[1, 2], factor=RunningSum(3), noise=GaussianNoise(1.0), sensitivity=Sensitivity(1.0, 1.0)), "factor must be for 2 batches"),
    (lambda: Counter(times=[1, 2], factor=SquareRoot(2), noise=LaplaceNoise(1.0), sensitivity=Sensitivity(1.0, 1.0)), "noise must be Gaussian for a square root"),
    (lambda: counter("toeplitz", 3, epsilon=1, delta=1e-5).release([1, 2], noise_rng=np.random.default_rng()), "batch_sums must hold one table for each of 3 batches"),
    (lambda: counter("toeplitz", 3, epsilon=1, delta=1e-5).release([1, 2, 3], noise_rng=0), "noise_rng must be a numpy.random.Generator, got 0"),
    (lambda: counter("toeplitz", 3, epsilon=1, delta=1e-5).start((2,), noise_rng=np.random.default_rng()).add([1.0]), "batch_sum must have shape [2], got [1]"),
    (lambda: counter("toeplitz", 3, epsilon=1, delta=1e-5).charge([3]), "batches must be a whole number of at most 2"),
    (lambda: counter("toeplitz", 3, epsilon=1, delta=1e-5).charge([]), "batches must hold at least one, got none"),
    (lambda: growing(10, first=1, growth=0), "growth must be positive, got 0"),
])
def test_wrong_arguments_say_so(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert message in str(error.value)
