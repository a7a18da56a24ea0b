"""Visits and returns with noise drawn exactly: what rounding to a grid costs, and that the release is the same otherwise."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrl_core.policy_evaluation import (
    FirstVisitStatistics,
    dp_sufficient_statistics,
    first_visit_returns,
    first_visit_statistics,
    first_visits,
)
from privrl_core.policy_evaluation import sufficient_statistics as module
from privrl_core.policy_evaluation.first_visits import GRID
from privrl_core.policy_evaluation.sufficient_statistics import grid_sensitivity, whole_tables
from privrl_core.privacy import (
    ADD_REMOVE_OR_REPLACE_ONE,
    DiscreteGaussianNoise,
    GaussianNoise,
    LaplaceNoise,
    Status,
    zcdp_epsilon,
)
from privrl_core.world import Episodes, recovery_chain, sample_episodes

BOUND = 2.0


def statistics(visited, returns):
    """Of trajectories that visit these states [m, S] with these returns."""
    visited, returns = np.asarray(visited), np.asarray(returns) * np.asarray(visited)
    parts = np.floor(returns / BOUND * first_visits.GRID)
    return FirstVisitStatistics(visited.sum(axis=0), returns.sum(axis=0), len(visited), BOUND, grid_sums=parts.sum(axis=0))


def squared_move(one, other):
    return float(np.sum((whole_tables(one) - whole_tables(other)) ** 2))


def test_all_changes_on_a_coarse_set_of_returns_cost_at_most_the_sensitivity_and_some_attain_it(monkeypatch):
    """Exhaustive: two states, what one trajectory can do in each, or is not there, among others with any returns."""
    for where in (first_visits, module):
        monkeypatch.setattr(where, "GRID", 8)
    points = [(0, 0.0), *((1, BOUND * part) for part in np.linspace(0, 1, 23))]  # of which few are multiples of 1/8
    others = ([[1, 1]] * 2, [[0.37, 1.93], [1.11, 0.02]])

    def among(who):
        if who is None:
            return statistics(*others)
        return statistics([*others[0], [v for v, _ in who]], [*others[1], [r for _, r in who]])

    all_of_them = {who: among(who) for who in (None, *product(points, repeat=2))}
    replaced = max(squared_move(one, other) for one, other in combinations(all_of_them.values(), 2))
    added = max(squared_move(all_of_them[None], other) for other in all_of_them.values())
    assert replaced == added == 2 * 2 * 8**2 == pytest.approx(module.grid_sensitivity(2).l2 ** 2)


@given(st.lists(st.floats(0, BOUND), min_size=3, max_size=3), st.lists(st.floats(0, BOUND), min_size=3, max_size=3),
       st.lists(st.booleans(), min_size=6, max_size=6), st.integers(1, 400), st.integers(0, 2**32))
def test_no_change_moves_the_whole_numbers_farther_than_stated(returns, others, visited, m, seed):
    rng = np.random.default_rng(seed)
    rest, paid = rng.integers(2, size=(m, 3)), rng.uniform(0, BOUND, size=(m, 3))
    data = [statistics([*rest, who], [*paid, what]) for who, what in ((visited[:3], returns), (visited[3:], others))]
    for one, other in (data, (data[0], statistics(rest, paid))):
        assert squared_move(one, other) <= grid_sensitivity(3).l2 ** 2 * (1 + 1e-12)


@pytest.mark.parametrize("limits", [dict(return_bound=BOUND), dict(return_range=(-1.5, 0.5))])
def test_the_whole_sums_do_not_depend_on_the_order_and_are_the_sums_rounded_down(limits):
    episodes = sample_episodes(recovery_chain(6), np.ones((6, 1)), 9000, np.random.default_rng(0))
    rewards = np.where(episodes.actions >= 0, np.random.default_rng(1).uniform(-1, 1, episodes.rewards.shape), 0)
    order = np.random.default_rng(2).permutation(9000)
    one, other = (first_visit_statistics(Episodes(episodes.states[k], episodes.actions[k], rewards[k], episodes.lengths[k]),
                                         6, 0.9, **limits) for k in (slice(None), order))
    assert (one.grid_sums == other.grid_sums).all()
    low, high = limits.get("return_range", (0.0, BOUND))
    returns = first_visit_returns(Episodes(episodes.states, episodes.actions, rewards, episodes.lengths), 6, 0.9)
    by_hand = [sum(int(Fraction(min(max(x - low, 0.0), high - low)) * GRID // Fraction(high - low)) for x in column if x == x)
               for column in returns.T]
    assert np.abs(one.grid_sums - by_hand).max() <= 2, "a product that should be whole may come out a rounding below"


def test_the_exact_release_has_the_law_of_the_gaussian_one():
    """Means and covariance of (visits, returns) over 4,000 releases of one state; each figure fails by chance with
    probability below 1e-7 (six standard errors)."""
    data, n = statistics(np.ones((50, 1)), np.linspace(0, BOUND, 50)[:, None]), 4000
    draw = DiscreteGaussianNoise.of_epsilon(1.0, 1e-5)
    scale = draw.scale(grid_sensitivity(1))
    tables = whole_tables(data)[:, :, None] + draw.draw(scale, (3, 1, n))
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
    assert release.under(ADD_REMOVE_OR_REPLACE_ONE).rho == guarantee.rho
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


def test_exact_noise_takes_statistics_whose_returns_were_rounded_one_by_one():
    by_hand = FirstVisitStatistics(np.ones(1), np.ones(1), 3, BOUND)
    with pytest.raises(ValueError, match="statistics must be made by first_visit_statistics for exact noise"):
        dp_sufficient_statistics(by_hand, np.eye(1), return_bound=BOUND, epsilon=1.0, delta=1e-5, noise_rng=None,
                                 noise=DiscreteGaussianNoise)
