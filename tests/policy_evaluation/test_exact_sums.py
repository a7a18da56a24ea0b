"""Visits and returns with noise drawn exactly: what rounding to a grid costs, and that the release is the same otherwise."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrl_core.policy_evaluation import FirstVisitStatistics, dp_sufficient_statistics
from privrl_core.policy_evaluation import sufficient_statistics as module
from privrl_core.policy_evaluation.sufficient_statistics import GRID, grid_sensitivity, whole_tables
from privrl_core.privacy import DiscreteGaussianNoise, GaussianNoise, LaplaceNoise, Status, zcdp_epsilon

BOUND = 2.0


def statistics(visited, returns):
    """Of trajectories that visit these states [m, S] with these returns."""
    visited, returns = np.asarray(visited), np.asarray(returns) * np.asarray(visited)
    return FirstVisitStatistics(visited.sum(axis=0), returns.sum(axis=0), len(visited), BOUND)


def squared_move(one, other):
    return float(np.sum((whole_tables(one, BOUND) - whole_tables(other, BOUND)) ** 2))


def test_all_replacements_on_a_coarse_set_of_returns_cost_at_most_the_sensitivity_and_one_attains_it(monkeypatch):
    """Exhaustive: two states, what one trajectory can do in each, among others whose returns fall anywhere on the grid."""
    monkeypatch.setattr(module, "GRID", 8)
    points = [(0, 0.0), *((1, BOUND * part) for part in np.linspace(0, 1, 23))]  # of which few are multiples of 1/8
    others = ([[1, 1]] * 2, [[0.37, 1.93], [1.11, 0.02]])
    most = 0.0
    for one, other in product(product(points, repeat=2), [((0, 0.0), (0, 0.0)), ((1, 0.0), (1, 0.0)), ((1, BOUND), (1, BOUND)),
                                                          ((1, 0.61), (0, 0.0)), ((1, 1.37), (1, 0.05))]):
        both = [statistics([*others[0], [v for v, _ in who]], [*others[1], [r for _, r in who]]) for who in (one, other)]
        most = max(most, squared_move(*both))
    assert most == 2 * 2 * 8**2 <= module.grid_sensitivity(2, 3).l2 ** 2


@given(st.lists(st.floats(0, BOUND), min_size=3, max_size=3), st.lists(st.floats(0, BOUND), min_size=3, max_size=3),
       st.lists(st.booleans(), min_size=6, max_size=6), st.integers(1, 400), st.integers(0, 2**32))
def test_no_replacement_moves_the_whole_numbers_farther_than_stated(returns, others, visited, m, seed):
    rng = np.random.default_rng(seed)
    rest, paid = rng.integers(2, size=(m, 3)), rng.uniform(0, BOUND, size=(m, 3))
    data = [statistics([*rest, who], [*paid, what]) for who, what in ((visited[:3], returns), (visited[3:], others))]
    assert squared_move(*data) <= grid_sensitivity(3, m + 1).l2 ** 2


@pytest.mark.parametrize("m", [1, 10**6, 10**7])
def test_the_cost_of_the_grid_is_small_and_known(m):
    cost = grid_sensitivity(40, m).l2 / (np.sqrt(2 * 40) * GRID) - 1
    # one part for rounding down, and the rounding of two sums of m doubles of at most F: each below m^2 2^-53 F
    assert cost == pytest.approx(1 / GRID + 2 * m**2 * 2.0**-53, rel=0.01, abs=2 / GRID)
    assert m > 10**6 or cost < 3e-4


def test_sums_in_floating_point_stray_less_than_the_sensitivity_allows():
    """Sums of many doubles in the worst order that we know, against exact ones."""
    m = 20_000
    values = np.random.default_rng(0).uniform(0, BOUND, m)
    forwards = float(np.add.accumulate(values)[-1])
    import math
    assert abs(forwards - math.fsum(values)) <= m**2 * 2.0**-53 * BOUND


def test_the_exact_release_has_the_law_of_the_gaussian_one():
    """Means and covariance of (visits, returns) over 4,000 releases of one state; each figure fails by chance with
    probability below 1e-7 (six standard errors)."""
    data, n = statistics(np.ones((50, 1)), np.linspace(0, BOUND, 50)[:, None]), 4000
    draw = DiscreteGaussianNoise.of_epsilon(1.0, 1e-5)
    scale = draw.scale(grid_sensitivity(1, 50))
    tables = whole_tables(data, BOUND)[:, :, None] + draw.draw(scale, (3, 1, n))
    count, part, rest = (tables / GRID)[:, 0]
    visits, sums = (2 * count + part + rest) / 3, BOUND * (count + 2 * part - rest) / 3
    sigma = scale / GRID / np.sqrt(2)
    expected = sigma**2 * 2 / 3 * np.array([[2, BOUND], [BOUND, 2 * BOUND**2]])
    found = np.cov(visits, sums)
    assert np.abs(found / expected - 1).max() < 6 * np.sqrt(2 / n) * 1.6  # the covariance's own error is 1.6 times larger
    assert abs(visits.mean() - 50) < 6 * np.sqrt(expected[0, 0] / n)
    assert abs(sums.mean() - data.return_sums[0]) < 6 * np.sqrt(expected[1, 1] / n) + BOUND / GRID


def test_the_exact_release_promises_what_was_asked_and_needs_no_generator():
    data = statistics(np.ones((30, 4)), np.full((30, 4), 0.5))
    release = dp_sufficient_statistics(data, np.eye(4), return_bound=BOUND, epsilon=1.0, delta=1e-6, noise_rng=None,
                                       noise=DiscreteGaussianNoise)
    guarantee = release.guarantee
    assert guarantee.epsilon == pytest.approx(1.0) == pytest.approx(float(zcdp_epsilon(guarantee.rho, 1e-6)))
    assert (guarantee.delta, guarantee.mu, guarantee.status) == (1e-6, None, Status.PROVED)
    assert release.noise.law == "discrete Gaussian" and release.noise.scale == release.noise_scale
    gaussian = dp_sufficient_statistics(data, np.eye(4), return_bound=BOUND, epsilon=1.0, delta=1e-6,
                                        noise_rng=np.random.default_rng(0))
    assert 1 < release.noise_scale / gaussian.noise_scale < 1.1, "zCDP implies a little less than the exact curve"
    released = np.array([release.visits, release.visits - release.return_sums / BOUND]) * GRID * 3
    assert np.allclose(released, np.rint(released), atol=0.01), "made of whole numbers"


def test_other_kinds_of_noise_are_refused():
    data = statistics(np.ones((3, 1)), np.ones((3, 1)))
    for kind in (LaplaceNoise, GaussianNoise(1.0), "exact", None):
        with pytest.raises(ValueError, match="noise must be GaussianNoise or DiscreteGaussianNoise, got"):
            dp_sufficient_statistics(data, np.eye(1), return_bound=BOUND, epsilon=1.0, delta=1e-5, noise_rng=None, noise=kind)
