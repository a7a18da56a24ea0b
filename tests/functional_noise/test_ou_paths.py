"""Paths, fields, norms and suprema, each by a second route: linear algebra, many digits, closed forms, other processes.

A value is a linear function of the normals drawn. A generator that deals out the columns of the identity shows this
function, and so the covariance: to the last digits, and without any probability of failure.
"""

import json

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import eigh_tridiagonal
from scipy.stats import chi2, norm

from privrl_core.functional_noise import (
    GaussianField,
    OUPath,
    OUPaths,
    PiecewiseLinear,
    band_limited_kernel,
    bridge,
    expected_sup_bound,
    manhattan_kernel,
    relu_network,
    rkhs_norm,
    sample_ou,
    sup_abs_tail,
    sup_abs_tail_exact,
    sup_tail,
    sup_tail_exact,
)

BETAS = [0.01, 1.0, 16.0, 1000.0, 20_000.0]
POINTS = np.array([0.0, 0.01, 0.0101, 0.2, 0.203, 0.5, 0.5 + 1e-7, 0.97, 1.0])
ORDERS = {"ascending": np.arange(9), "descending": np.arange(9)[::-1],
          "random": np.random.default_rng(8).permutation(9)}


def kernel(x, y, beta):
    return np.exp(-beta * np.abs(np.subtract.outer(x, y)))


class Dealer(np.random.Generator):
    """A generator whose k-th normal is the k-th column of the identity: one entry for each of n paths."""

    def __init__(self, n):
        super().__init__(np.random.PCG64())
        self.columns, self.dealt = np.eye(n), 0

    def standard_normal(self, shape):
        n, count = len(self.columns), np.prod(shape, dtype=int) // len(self.columns)
        self.dealt += count
        return self.columns[:, self.dealt - count:self.dealt].reshape(shape) if n else None


class One(np.random.Generator):
    """A generator of a single path: all normals 0, except the k-th that is used (a path uses the last first)."""

    def __init__(self, k):
        super().__init__(np.random.PCG64())
        self.k = k

    def standard_normal(self, n=None):
        self.k -= n or 1
        return np.where(np.arange(n) == -self.k - 1, 1.0, 0.0) if n else float(self.k == -1)


def covariance_of_one(x, make):
    """The covariance of a path that is asked at x in this order."""
    response = np.array([[path(float(point)) for point in x] for path in map(make, map(One, range(len(x))))])
    return response.T @ response


# ------------------------------------------------------------------------------- one path

@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("beta", BETAS)
def test_covariance_is_the_kernel_in_any_order(beta, order):
    x = POINTS[ORDERS[order]]
    found = covariance_of_one(x, lambda rng: OUPath(beta, 0.5, rng))
    assert found == pytest.approx(0.25 * kernel(x, x, beta), rel=0, abs=1e-14)


@pytest.mark.parametrize("order", ORDERS)
def test_the_values_are_those_of_normals_that_are_drawn(order):
    """One statistic for shape and covariance at once: whitened, 3000 paths have squares that sum to a chi-square."""
    beta, n, x = 16.0, 3000, POINTS[ORDERS[order]]
    rng = np.random.default_rng(31)
    values = np.array([OUPath(beta, 0.5, rng)(x) for _ in range(n)])
    white = np.linalg.solve(np.linalg.cholesky(0.25 * kernel(x, x, beta)), values.T)
    low, high = chi2.ppf([1e-8, 1 - 1e-8], white.size)
    assert low < np.sum(white**2) < high
    assert np.abs(white.mean(axis=1) * np.sqrt(n)).max() < norm.isf(1e-9)  # 2e-9 for each of nine
    # by Isserlis, products of two whitened values have variance 1 off the diagonal: 36 sums, in all below 1e-7
    products = white @ white.T / np.sqrt(n)
    assert np.abs(products[np.triu_indices(9, 1)]).max() < 7.0


@pytest.mark.parametrize("beta", BETAS)
def test_bridge_is_dense_conditioning(beta):
    rng = np.random.default_rng(int(beta))
    for _ in range(50):
        known = (np.arange(8) + 0.9 * rng.random(8)) / 8
        left, right = np.sort(known)[3:5]
        x = left + (right - left) * (0.05 + 0.9 * rng.random())
        weights = np.linalg.solve(kernel(known, known, beta), kernel(known, x, beta))
        w_left, w_right, d = bridge(left, x, right, beta)
        expected = np.where(known == left, w_left, np.where(known == right, w_right, 0))
        assert weights == pytest.approx(expected, abs=1e-10)
        assert 1 - weights @ kernel(known, x, beta) == pytest.approx(d, abs=1e-10)


@pytest.mark.parametrize("beta", BETAS)
def test_bridge_at_gaps_of_every_size_to_forty_digits(beta):
    gaps = 10.0 ** np.arange(-12, 1, 2)
    with mpmath.workdps(60):
        for near in gaps:
            for far in gaps:
                left, x, right = -near, 0.0, far
                a, b = mpmath.mpf(beta) * mpmath.mpf(near), mpmath.mpf(beta) * mpmath.mpf(far)
                whole = mpmath.sinh(a + b)
                exact = mpmath.sinh(b) / whole, mpmath.sinh(a) / whole, 2 * mpmath.sinh(a) * mpmath.sinh(b) / whole
                for value, true in zip(bridge(left, x, right, beta), exact, strict=True):
                    # exponents up to 20 000 are rounded; weights below 1e-300 count as 0
                    assert value == pytest.approx(float(true), rel=1e-12 + 4e-16 * beta, abs=1e-300)


def test_a_missing_neighbour_is_one_at_infinity():
    beta, gap = 3.0, 0.25
    decay = np.exp(-beta * gap)
    assert bridge(-np.inf, 0.5, 0.75, beta) == pytest.approx((0, decay, 1 - decay**2), rel=1e-15)
    assert bridge(0.25, 0.5, np.inf, beta) == pytest.approx((decay, 0, 1 - decay**2), rel=1e-15)
    assert bridge(-np.inf, 0.5, np.inf, beta) == (0, 0, 1)


@given(st.floats(1e-12, 1), st.floats(1e-12, 1), st.floats(0.01, 20_000))
def test_bridge_leaves_the_variance_at_one(a, b, beta):
    w_left, w_right, d = bridge(-a, 0.0, b, beta)
    assert 0 <= w_left <= 1 and 0 <= w_right <= 1 and 0 <= d <= 1
    assert w_left**2 + w_right**2 + 2 * w_left * w_right * np.exp(-beta * (a + b)) + d == pytest.approx(1, abs=1e-12)


def test_bridge_takes_arrays():
    x = np.array([0.3, 0.4, 0.6])
    together = bridge(0.2, x, 0.7, 5.0)
    assert np.array_equal(np.transpose(together), [bridge(0.2, point, 0.7, 5.0) for point in x])


@settings(max_examples=50, deadline=None)
@given(st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, -0.0, 1.0, 5e-324, 1e-310, 0.5])),
                min_size=1, max_size=30), st.sampled_from(BETAS))
def test_a_point_has_one_value_for_ever(points, beta):
    path = OUPath(beta, 1.0, np.random.default_rng(0))
    first = [path(point) for point in points]
    assert np.all(np.isfinite(first))
    known = dict(zip(points, first))
    assert [path(point) for point in reversed(points)] == [known[point] for point in reversed(points)]
    assert path(np.array(points)).tolist() == [path(point) for point in points]
    assert np.array_equal(path.points, np.unique(points))
    assert np.array_equal(path.values, path(path.points))


def test_a_long_path_keeps_its_points_in_order_and_its_values():
    rng, path = np.random.default_rng(1), OUPath(30.0, 2.0, np.random.default_rng(2))
    x = rng.permutation(np.repeat(rng.random(4000), 2))
    values = path(x.reshape(100, 80))
    assert values.shape == (100, 80)
    assert np.array_equal(path.points, np.unique(x))
    known = dict(zip(path.points, path.values))
    assert values.ravel().tolist() == [known[point] for point in x]
    # along the path, whitened increments: 4000 squares of normals
    decay = np.exp(-30 * np.diff(path.points))
    white = (path.values[1:] - decay * path.values[:-1]) / (2 * np.sqrt(1 - decay**2))
    low, high = chi2.ppf([1e-8, 1 - 1e-8], white.size)
    assert low < np.sum(white**2) < high


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.Philox])
def test_a_path_that_was_saved_goes_on_as_if_nothing_had_happened(bits):
    rng = np.random.default_rng(3)
    path = OUPath(7.0, 0.3, np.random.Generator(bits(4)), low=-1.0, high=2.0)
    asked = rng.uniform(-1, 2, 1300)
    answers = path(asked)
    saved = path.saved()
    again = OUPath.continued(json.loads(json.dumps(saved)) if bits is np.random.PCG64 else saved)
    assert np.array_equal(again(asked), answers)
    new = rng.uniform(-1, 2, 800)
    assert np.array_equal(again(new), path(new))
    assert np.array_equal(again(asked), answers)


def test_without_noise_the_path_is_zero():
    assert not OUPath(1.0, 0.0, np.random.default_rng(0))(np.linspace(0, 1, 20)).any()


# ------------------------------------------------------------------------------- many paths

@pytest.mark.parametrize("beta", BETAS)
@pytest.mark.parametrize("order", ORDERS)
def test_many_paths_have_the_kernel_too(beta, order):
    x = POINTS[ORDERS[order]]
    paths = OUPaths(beta, 0.5, Dealer(9), shape=(9,))
    response = np.array([paths(point) for point in x])
    assert response @ response.T == pytest.approx(0.25 * kernel(x, x, beta), abs=1e-14)


@pytest.mark.parametrize("beta", BETAS)
@pytest.mark.parametrize("order", ORDERS)
def test_known_points_and_later_ones_go_together(beta, order):
    x = POINTS[ORDERS[order]]
    paths = OUPaths(beta, 0.5, Dealer(9), shape=(3, 3))
    known = paths.restart(x[:5])
    assert known.shape == (3, 3, 5)
    later = [paths(point).ravel() for point in x[5:]]
    response = np.array([*known.reshape(9, 5).T, *later])
    assert response @ response.T == pytest.approx(0.25 * kernel(x, x, beta), abs=1e-14)


def test_each_path_has_its_own_points_and_settings():
    rng = np.random.default_rng(5)
    beta, sigma = np.array([[2.0], [50.0]]), np.array([0.0, 1.0, 3.0])
    paths = OUPaths(beta, sigma, np.random.default_rng(6), shape=(2, 3))
    x = rng.random((200, 2, 3))
    x[100:] = x[rng.permutation(100)]  # each path is asked again where it was asked before
    values = np.array([paths(point) for point in x])
    for row in range(2):
        for column in range(3):
            known = dict(zip(x[:100, row, column], values[:100, row, column]))
            assert values[100:, row, column].tolist() == [known[point] for point in x[100:, row, column]]
    assert not values[:, :, 0].any()
    order = np.argsort(x[:100], axis=0)
    points, path = (np.take_along_axis(part[:100], order, axis=0)[..., 1:] for part in (x, values))
    decay = np.exp(-beta * np.diff(points, axis=0))
    white = (path[1:] - decay * path[:-1]) / (sigma[1:] * np.sqrt(1 - decay**2))
    low, high = chi2.ppf([1e-8, 1 - 1e-8], 99)  # eight tails of 1e-8
    assert np.all((low < np.sum(white**2, axis=0)) & (np.sum(white**2, axis=0) < high))


def test_known_values_are_repeated_and_a_restart_forgets():
    rng = np.random.default_rng(7)
    paths, x = OUPaths(9.0, 1.0, np.random.default_rng(8), shape=(4, 2)), rng.random((4, 1, 30))
    values = paths.restart(x)
    assert values.shape == (4, 2, 30)
    assert np.array_equal(np.stack([paths(x[..., k]) for k in range(30)], axis=-1), values)
    between = paths(0.5)
    assert np.array_equal(paths(0.5), between)
    paths.restart()
    assert np.all(paths(0.5) != between)


@pytest.mark.parametrize("known", [0, 7])
def test_when_the_latest_points_join_the_others_no_value_changes(known, monkeypatch):
    """To the bit: merged after every second point, or never."""
    found = []
    for latest in (4, 1000):
        monkeypatch.setattr(OUPaths, "_LATEST", latest)
        rng, paths = np.random.default_rng(3), OUPaths([[2.0], [9000.0]], 0.7, np.random.default_rng(4), shape=(2, 3))
        first = paths.restart(rng.random((2, 3, known))).tolist() if known else []
        x = rng.random((100, 2, 3))
        x[60:] = x[rng.permutation(60)[:40]]  # asked again, across merges
        found.append((first, [paths(point).tolist() for point in x]))
    assert found[0] == found[1]
    values = np.array(found[0][1])
    assert all(value in values[:60] for value in values[60:].ravel())


# ------------------------------------------------------------------------------- points known together

@pytest.mark.parametrize("beta", BETAS)
def test_known_points_have_the_kernel(beta):
    x = np.random.default_rng(9).permutation(np.append(POINTS, 0.2))  # one of them twice
    response = sample_ou(np.broadcast_to(x, (10, 10)), beta, 0.5, Dealer(10))
    assert response.T @ response == pytest.approx(0.25 * kernel(x, x, beta), abs=1e-14)
    first, again = np.flatnonzero(x == 0.2)
    assert np.array_equal(response[:, first], response[:, again])


@pytest.mark.parametrize("n", [0, 1, 2, 3, 8, 9, 10, 120, 1000])
def test_known_points_follow_the_recursion(n):
    x, beta, sigma = np.sort(np.random.default_rng(n).random((2, n))), np.array([3.0, 400.0]), 0.7
    values = sample_ou(x, beta, sigma, np.random.default_rng(1))
    normals, path = np.random.default_rng(1).standard_normal((2, n)), np.zeros((2, n))
    for i in range(n):
        gap = x[:, i] - x[:, i - 1] if i else np.inf
        decay = np.exp(-beta * gap)
        path[:, i] = decay * path[:, i - 1] + sigma * np.sqrt(1 - decay**2) * normals[:, i]
    assert values == pytest.approx(path, abs=1e-12)


def test_a_path_known_at_once_and_one_asked_point_by_point_have_one_law():
    """The increments of both, whitened: their sums of squares are chi-square each."""
    x, beta = np.sort(np.random.default_rng(10).random(20_000)), 200.0
    decay = np.exp(-beta * np.diff(x))
    for values in (sample_ou(x, beta, 1.0, np.random.default_rng(11)), OUPath(beta, 1.0, np.random.default_rng(12))(x)):
        white = (values[1:] - decay * values[:-1]) / np.sqrt(-np.expm1(-2 * beta * np.diff(x)))
        low, high = chi2.ppf([1e-8, 1 - 1e-8], white.size)
        assert low < np.sum(white**2) < high


# ------------------------------------------------------------------------------- the Hilbert space

def random_network(rng, sizes=(1, 16, 16, 2)):
    pairs = list(zip(sizes, sizes[1:]))
    return ([rng.normal(size=(after, before)) / np.sqrt(before) for before, after in pairs],
            [rng.normal(size=after) for _, after in pairs])


def forward(weights, biases, x):
    values = x[:, None]
    for layer, (weight, bias) in enumerate(zip(weights, biases)):
        values = values @ weight.T + bias
        values = np.maximum(values, 0) if layer < len(weights) - 1 else values
    return values


@pytest.mark.parametrize("seed", range(5))
def test_a_network_is_the_piecewise_linear_function_of_its_knots(seed):
    rng = np.random.default_rng(seed)
    network, x = random_network(rng), rng.random(500)
    f = relu_network(*network)
    assert f(x) == pytest.approx(forward(*network, x), abs=1e-12)
    assert len(f.knots) > 4
    # a knot that were missing would show as a curve between two knots
    middles = (f.knots[1:] + f.knots[:-1]) / 2
    assert forward(*network, middles) == pytest.approx((f.values[1:] + f.values[:-1]) / 2, abs=1e-12)


@pytest.mark.parametrize("beta", [0.05, 1.0, 16.0, 300.0])
def test_the_norm_is_the_limit_of_gram_matrices(beta):
    """h' K^-1 h on a grid is the squared norm of the smoothest function through h: it grows to the norm of f."""
    f = relu_network(*random_network(np.random.default_rng(11), (1, 8, 1)))
    squares = []
    for n in (100, 400, 1600):
        x = np.linspace(0, 1, n + 1)
        h, decay = f(x)[:, 0], np.exp(-beta / n)
        squares.append(h[0]**2 + np.sum((h[1:] - decay * h[:-1])**2) / (1 - decay**2))  # the Cholesky factor of K^-1
        if n == 100:
            assert squares[0] == pytest.approx(h @ np.linalg.solve(kernel(x, x, beta), h), rel=1e-8)
    squared = rkhs_norm(f, beta)[0]**2
    assert squares[0] < squares[1] < squares[2] < squared * (1 + 1e-12)
    assert squares[2] == pytest.approx(squared, rel=0.02)
    assert squared - squares[2] < 0.5 * (squared - squares[1])


@pytest.mark.parametrize("beta", [0.05, 1.0, 16.0])
def test_the_inner_product_with_the_kernel_is_the_value(beta):
    f = relu_network(*random_network(np.random.default_rng(12), (1, 6, 1)))
    for y in (0.0, 0.3, 0.5, 1.0):
        x = np.union1d(np.union1d(np.linspace(0, 1, 4001), [y]), f.knots)
        section, values = np.exp(-beta * np.abs(x - y)), f(x)[:, 0]
        plus, minus = (rkhs_norm(PiecewiseLinear(x, values + sign * section), beta)**2 for sign in (1, -1))
        assert (plus - minus) / 4 == pytest.approx(f(y)[0], abs=2e-6 * (1 + beta))
        assert rkhs_norm(PiecewiseLinear(x, section), beta) == pytest.approx(1, abs=1e-5 * (1 + beta))


def test_norms_in_closed_form():
    constant, line = PiecewiseLinear([0, 1], [1, 1]), PiecewiseLinear([0, 0.3, 1], [0, 0.3, 1])
    for beta in (0.1, 2.0, 30.0):
        assert rkhs_norm(constant, beta) == pytest.approx(np.sqrt(1 + beta / 2), rel=1e-14)
        assert rkhs_norm(line, beta) == pytest.approx(np.sqrt(0.5 + 1 / (2 * beta) + beta / 6), rel=1e-14)
        both = PiecewiseLinear([0, 1], [[1, 0], [1, 1]])
        assert rkhs_norm(both, beta) == pytest.approx([rkhs_norm(constant, beta), rkhs_norm(line, beta)], rel=1e-14)
    assert rkhs_norm(PiecewiseLinear([2, 5], [1, 1]), 0.7) == pytest.approx(np.sqrt(1 + 0.7 * 3 / 2), rel=1e-14)


def test_a_difference_has_the_knots_of_both():
    rng = np.random.default_rng(13)
    f, g = (relu_network(*random_network(rng)) for _ in range(2))
    x = rng.random(300)
    assert (f - g)(x) == pytest.approx(f(x) - g(x), abs=1e-12)
    assert rkhs_norm(f - f, 1.0) == pytest.approx([0, 0], abs=1e-300)


# ------------------------------------------------------------------------------- suprema

@pytest.mark.parametrize("beta", [0.01, 0.3, 1.0, 16.0, 100.0])
def test_staying_below_zero_is_an_arc_sine(beta):
    """The sign of a stationary Gaussian Markov process: Slepian (1962)."""
    assert sup_tail_exact(0.0, beta) == pytest.approx(1 - np.arcsin(np.exp(-beta)) / np.pi, abs=1e-9)


def killed_by_differences(low, high, beta, n):
    """The same probability by finite volumes, a tridiagonal matrix: second order in the width of a cell."""
    edges = np.linspace(low, high, n + 1)
    middles, width = (edges[1:] + edges[:-1]) / 2, edges[1] - edges[0]
    mass, flow = norm.pdf(middles) * width, norm.pdf(edges) / width
    flow[[0, -1]] *= 2  # from the middle of the last cell to its end, which kills
    diagonal = (flow[1:] + flow[:-1]) / mass
    values, vectors = eigh_tridiagonal(diagonal, -flow[1:-1] / np.sqrt(mass[1:] * mass[:-1]))
    return (np.sqrt(mass) @ vectors)**2 @ np.exp(-beta * values)


@pytest.mark.parametrize("u, beta", [(1.0, 1.0), (2.5, 16.0), (4.0, 1.0), (5.0, 100.0)])
def test_the_exact_tail_is_that_of_a_tridiagonal_generator(u, beta):
    for exact, low in ((sup_tail_exact, -8.0), (sup_abs_tail_exact, -u)):
        coarse, fine = (killed_by_differences(low, u, beta, n) for n in (150, 300))
        assert exact(u, beta) == pytest.approx(1 - (4 * fine - coarse) / 3, rel=2e-3)


def test_a_slow_path_is_a_constant_and_a_tail_grows_with_beta():
    # one path in [0, 1]: as beta falls to 0 it is one normal, up to sqrt(beta)
    assert sup_tail_exact(1.0, 0.01) == pytest.approx(norm.sf(1.0), abs=0.03)
    tails = [sup_tail_exact(3.0, beta) for beta in np.geomspace(0.01, 1e4, 13)]
    assert np.all(np.diff(tails) > 0) and tails[-1] <= 1


@pytest.mark.parametrize("beta", np.geomspace(0.01, 1e5, 15))
def test_the_bound_is_never_below_and_where_it_matters_close(beta):
    u = np.arange(0.0, 6.76, 0.25)
    bound, exact = sup_tail(u, beta), np.array([sup_tail_exact(level, beta) for level in u])
    assert np.all(bound >= exact - 1e-10)
    ratio, sure = bound / np.maximum(exact, 1e-300), exact > 1e-8  # of a smaller tail too few digits are known
    if beta >= 1:
        assert np.all(ratio[sure & (u >= 4)] <= 1.10)
    if beta >= 16:
        assert np.all(ratio[sure & (exact <= 0.05)] <= 1.05)
    assert np.all(np.diff(bound) <= 0) and np.all(bound <= 1)


def test_the_bound_far_out_is_pickands():
    for beta in (1.0, 100.0):
        u = np.array([50.0, 500.0])
        ratio = np.exp(np.log(sup_tail(u[:1] * 0 + 30.0, beta)) - np.log(beta * 30.0**2) - norm.logsf(30.0))
        assert ratio == pytest.approx(1, abs=0.02 + 1 / beta / 100)
        assert np.array_equal(sup_tail(u, beta), [0, 0])  # below the smallest number


@pytest.mark.parametrize("u, beta", [(1.0, 0.1), (4.0, 1.0), (5.0, 16.0), (6.0, 500.0)])
def test_the_bound_by_quadrature(u, beta):
    """The formula for one part, with an integrator that knows nothing of convexity, and a search for the best c."""
    def q(s):
        return norm.sf(u * np.sqrt(np.tanh(beta * s / 2)))
    y = np.geomspace(1e-9, 1, 3000)
    node, weight = np.polynomial.legendre.leggauss(6)
    edges = np.append(0, y)
    s = edges[:-1, None] + np.diff(edges)[:, None] * (1 + node) / 2
    time_above = np.cumsum(np.diff(edges) / 2 * (q(s) @ weight))

    def bound(c):
        return (c + np.max(np.maximum(1 - c * q(y), 0) / time_above)) * norm.sf(u)
    best = min(bound(c) for c in 2 * np.geomspace(1.001, 40, 200))
    assert sup_tail(u, beta) == pytest.approx(best, rel=0.02)


def test_the_proof_of_the_bound_at_three_times():
    """Its inequality for a chain that is above or below, at three times, where all can be enumerated."""
    # up-down chain with stay probability s: q(k) = (1 + (2s - 1)^k)/2 plays the role of q, 1/2 that of Psi
    for s in (0.6, 0.9):
        q = [(1 + (2 * s - 1)**k) / 2 for k in range(3)]
        true = 1 - 0.5 * s**2                              # to be above at one of three times
        for c in np.linspace(0, 1, 6):
            a = max((1 - c * q[k]) / sum(q[:k + 1]) for k in range(3))
            assert true <= (3 * a + c) * 0.5 + 1e-12


def test_two_sides_are_at_most_twice_one():
    for u, beta in ((2.0, 0.1), (4.0, 1.0), (5.0, 100.0)):
        one, two = sup_tail_exact(u, beta), sup_abs_tail_exact(u, beta)
        assert one < two <= 2 * one * (1 + 1e-6) <= 2 * sup_tail(u, beta)
        assert sup_abs_tail(u, beta) == pytest.approx(min(2 * sup_tail(u, beta), 1))


@pytest.mark.parametrize("beta, mean", [(0.01, 0.113), (1, 1.045), (16, 2.479), (100, 3.231)])
def test_the_mean_of_the_maximum(beta, mean):
    """From the tail, against the figures of an earlier computation; and below the bound."""
    u = np.linspace(-7.875, 7.875, 64)  # the trapezoids of P(sup > u) - 1{u < 0}, 0 half way between two nodes
    tail = np.array([sup_tail_exact(level, beta) for level in u])
    exact = np.sum(np.where(u > 0, tail, tail - 1)) * (u[1] - u[0])
    assert exact == pytest.approx(mean, abs=1e-3)
    assert exact <= expected_sup_bound(beta)


def test_the_maximum_on_a_grid_approaches_the_exact_tail():
    beta, u, n, runs = 16.0, 2.5, 2000, 2000
    top = sample_ou(np.linspace(0, 1, n + 1) * np.ones((runs, 1)), beta, 1.0, np.random.default_rng(14)).max(axis=1)
    # a grid misses 0.5826 standard deviations of a step on average (Broadie, Glasserman & Kou 1997); 6 errors: 2e-9
    level = u - 0.5826 * np.sqrt(2 * beta / n)
    share = np.mean(top >= level)
    assert share == pytest.approx(sup_tail_exact(u, beta), abs=6 * np.sqrt(0.25 / runs))
    assert abs(share - sup_tail_exact(u - 0.3, beta)) > 6 * np.sqrt(0.25 / runs)


def test_the_bound_on_the_mean_is_sharp_for_slow_paths():
    assert expected_sup_bound(0.01, 3.0) == pytest.approx(3 * 2 * np.sqrt(0.01 / np.pi), rel=1e-15)


# ------------------------------------------------------------------------------- more dimensions

@pytest.mark.parametrize("make, dimension", [
    (manhattan_kernel(3.0), 1), (manhattan_kernel(3.0), 3), (band_limited_kernel(4.0), 2)])
def test_a_field_has_its_kernel(make, dimension):
    n = 24
    x = np.random.default_rng(15).random((n, dimension))
    response = np.array([GaussianField(make, 0.5, One(k), dimension=dimension)(x) for k in range(n)])
    assert response.T @ response == pytest.approx(0.25 * make(x[:, None], x), abs=1e-10)


def test_in_one_dimension_a_field_is_a_path():
    """The same normals give the same values: two algorithms, one law, one order of drawing."""
    x = np.random.default_rng(16).random(40)
    normals = np.random.default_rng(17).standard_normal(256)

    class Same(np.random.Generator):
        def __init__(self, numbers):
            super().__init__(np.random.PCG64())
            self.numbers = iter(numbers)

        def standard_normal(self, n=None):
            return normals[::-1] if n else next(self.numbers)
    path, field = OUPath(5.0, 2.0, Same(normals)), GaussianField(manhattan_kernel(5.0), 2.0, Same(normals), dimension=1)
    assert field(x[:, None]) == pytest.approx(path(x), abs=1e-6)


def test_a_field_repeats_itself_and_grows():
    field = GaussianField(manhattan_kernel(2.0), 1.0, np.random.default_rng(18), dimension=2, low=-1.0, high=3.0)
    x = np.random.default_rng(19).uniform(-1, 3, (100, 2))
    values = field(x)
    assert np.array_equal(field(x[::-1]), values[::-1])
    assert field(x[3]) == values[3] and field(-0.0 * x[3]) == field(0.0 * x[3])
    assert len(field.conditional_spreads) == 101


def test_a_band_limited_field_is_all_but_known_after_a_few_values():
    field = GaussianField(band_limited_kernel(5.0), 1.0, np.random.default_rng(20), dimension=1)
    x = np.linspace(0, 1, 400)[:, None]
    first = field(np.random.default_rng(21).permutation(x))
    new = field.conditional_spreads
    assert np.all(new[:8] > 0.01) and np.all(new[60:] < 2e-4) and np.all(new[300:] < 2e-5)
    values = field(x)
    assert set(values) == set(first)
    # no frequency above 5 periods: over a fiftieth of a period, neighbours differ little, and smoothly
    assert np.abs(np.diff(values, 4)).max() < 1e-3


def test_a_nearly_singular_field_stays_in_its_law():
    """Row by row over a fine grid: extrapolation all the way, and no value that a normal would not have."""
    side = np.linspace(0, 1, 30)
    x = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    field = GaussianField(band_limited_kernel(2.0), 1.0, np.random.default_rng(22), dimension=2)
    values = field(x)
    assert np.abs(values).max() < norm.isf(1e-10)  # 900 values: 2e-7
    factor, kernel_matrix = field._factor[:900, :900], band_limited_kernel(2.0)(x[:, None], x)
    assert np.abs(factor @ factor.T - kernel_matrix).max() < 2e-10
    close = GaussianField(manhattan_kernel(1.0), 1.0, np.random.default_rng(0), dimension=2)
    assert close([0.5, 0.5]) == pytest.approx(close([0.5, 0.5 + 1e-13]), abs=1e-4)


def test_a_kernel_that_is_none_is_refused():
    field = GaussianField(lambda x, y: 1 - 9 * np.abs(x - y).sum(axis=-1)**2, 1.0, np.random.default_rng(0), dimension=1)
    with pytest.raises(ValueError, match="kernel must be positive semidefinite"):
        field(np.linspace(0, 1, 9)[:, None])


# ------------------------------------------------------------------------------- arguments

RNG = np.random.default_rng(0)
PATH, PATHS = OUPath(1.0, 1.0, RNG), OUPaths(1.0, 1.0, RNG, shape=(2,))
FIELD = GaussianField(manhattan_kernel(1.0), 1.0, RNG, dimension=2)
LINE = PiecewiseLinear([0, 1], [0, 1])


@pytest.mark.parametrize("call, message", [
    (lambda: OUPath(0.0, 1.0, RNG), "beta must be positive, got 0.0"),
    (lambda: OUPath(-1.0, 1.0, RNG), "beta must be positive, got -1.0"),
    (lambda: OUPath(np.nan, 1.0, RNG), "beta must be finite, got nan"),
    (lambda: OUPath([1.0], 1.0, RNG), "beta must be one number"),
    (lambda: OUPath(1.0, -0.1, RNG), "sigma must be at least 0, got -0.1"),
    (lambda: OUPath(1.0, np.inf, RNG), "sigma must be finite, got inf"),
    (lambda: OUPath(1.0, 1.0, RNG, low=1.0), "low must be below high, got 1.0 and 1.0"),
    (lambda: PATH(-1e-9), r"x must be in \[0, 1\], got -1e-09"),
    (lambda: PATH(1.5), r"x must be in \[0, 1\], got 1.5"),
    (lambda: PATH(float("nan")), r"x must be in \[0, 1\], got nan"),
    (lambda: PATH(float("inf")), r"x must be in \[0, 1\], got inf"),
    (lambda: PATH(np.array([0.5, 2.0])), r"x must be in \[0, 1\], got 2.0"),
    (lambda: PATH([0.5, np.nan]), "x must be finite, got nan"),
    (lambda: PATH("left"), "x must be numeric, got 'left'"),
    (lambda: PATH(None), "x must be finite|x must be numeric"),
    (lambda: OUPaths(1.0, [1.0, -1.0], RNG, shape=(2,)), "sigma must be at least 0, got -1.0"),
    (lambda: OUPaths([1.0, 0.0], 1.0, RNG, shape=(2,)), "beta must be positive, got 0.0"),
    (lambda: OUPaths(1.0, 1.0, RNG, shape=(2,), low=3.0), "low must be below high, got 3.0 and 1.0"),
    (lambda: PATHS([0.5, 1.5]), r"x must be in \[0, 1\], got 1.5"),
    (lambda: PATHS([0.5, np.nan]), "x must be finite, got nan"),
    (lambda: PATHS([0.1, 0.2, 0.3]), "shape"),
    (lambda: PATHS.restart([-1.0]), r"points must be in \[0, 1\], got -1.0"),
    (lambda: sample_ou([0.1, np.nan], 1.0, 1.0, RNG), "points must be finite, got nan"),
    (lambda: sample_ou(0.1, 1.0, 1.0, RNG), "points must be an array, got a number"),
    (lambda: sample_ou([0.1], 0.0, 1.0, RNG), "beta must be positive, got 0.0"),
    (lambda: sample_ou([0.1], 1.0, -1.0, RNG), "sigma must be at least 0, got -1.0"),
    (lambda: bridge(0.2, 0.2, 0.3, 1.0), "points must satisfy left < x < right"),
    (lambda: bridge(0.2, 0.4, 0.3, 1.0), "points must satisfy left < x < right"),
    (lambda: bridge(0.2, np.nan, 0.3, 1.0), "x must be finite, got nan"),
    (lambda: bridge(np.nan, 0.25, 0.3, 1.0), "points must satisfy left < x < right"),
    (lambda: bridge(0.2, 0.25, 0.3, 0.0), "beta must be positive, got 0.0"),
    (lambda: PiecewiseLinear([0, 0], [1, 1]), "knots must be at least two ascending numbers"),
    (lambda: PiecewiseLinear([0], [1]), "knots must be at least two ascending numbers"),
    (lambda: PiecewiseLinear([0, 1], [1, 1, 1]), r"values must have shape \[2\] or \[2, m\], got \[3\]"),
    (lambda: PiecewiseLinear([0, 1], [1, np.inf]), "values must be finite, got inf"),
    (lambda: LINE(1.2), r"x must be in \[0, 1\], got 1.2"),
    (lambda: LINE - PiecewiseLinear([0, 2], [0, 1]), "functions must be defined on the same interval"),
    (lambda: rkhs_norm(LINE, 0.0), "beta must be positive, got 0.0"),
    (lambda: relu_network([np.ones((3, 2))], [np.ones(3)]), r"shape \[units, 1\].* got \[3, 2\] and \[3\]"),
    (lambda: relu_network([np.ones((3, 1))], [np.ones(2)]), r"weights\[0\] must have shape"),
    (lambda: relu_network([], []), "weights and biases must have equal length, at least 1, got 0 and 0"),
    (lambda: relu_network([[[1.0]]], [[0.0]], low=2.0), "low must be below high, got 2.0 and 1.0"),
    (lambda: sup_tail(-1.0, 1.0), "u must be at least 0, got -1.0"),
    (lambda: sup_tail(1.0, 0.0), "beta must be positive, got 0.0"),
    (lambda: sup_tail([1.0, np.nan], 1.0), "u must be finite, got nan"),
    (lambda: sup_tail_exact(9.0, 1.0), r"u must be in \[-8, 8\], got 9.0"),
    (lambda: sup_tail_exact(1.0, 1e-3), r"beta must be in \[0.01, 100000\], got 0.001"),
    (lambda: sup_abs_tail_exact(0.0, 1.0), r"u must be in \[0.1, 8\], got 0.0"),
    (lambda: expected_sup_bound(0.0), "beta must be positive, got 0.0"),
    (lambda: expected_sup_bound(1.0, -1.0), "sigma must be at least 0, got -1.0"),
    (lambda: manhattan_kernel(-1.0), "beta must be positive, got -1.0"),
    (lambda: band_limited_kernel(0.0), "bandwidth must be positive, got 0.0"),
    (lambda: GaussianField(manhattan_kernel(1.0), -1.0, RNG, dimension=2), "sigma must be at least 0, got -1.0"),
    (lambda: GaussianField(manhattan_kernel(1.0), 1.0, RNG, dimension=0), "dimension must be a whole number"),
    (lambda: FIELD([0.1, 0.2, 0.3]), r"x must have shape \[2\] or \[n, 2\], got \[3\]"),
    (lambda: FIELD([0.1, 1.2]), r"x must be in \[0, 1\]"),
    (lambda: FIELD([0.1, np.nan]), "x must be finite, got nan"),
])
def test_a_wrong_argument_says_so(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_refused_question_leaves_no_trace():
    path = OUPath(1.0, 1.0, np.random.default_rng(0))
    with pytest.raises(ValueError):
        path([0.5, 2.0])
    reference = OUPath(1.0, 1.0, np.random.default_rng(0))
    assert not len(path.points) and path(0.25) == reference(0.25)
