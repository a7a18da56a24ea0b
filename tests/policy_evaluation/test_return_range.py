"""Returns of any sign: the same mechanism as for returns from 0 on, with what is released shifted back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrl_core.policy_evaluation import (
    FirstVisitStatistics,
    dp_lsw,
    dp_sufficient_statistics,
    first_visit_returns,
    first_visit_statistics,
    lsl,
    lsw,
)
from privrl_core.policy_evaluation.first_visits import GRID
from privrl_core.policy_evaluation.sufficient_statistics import whole_tables
from privrl_core.world import Episodes

LOW, HIGH = -20.0, 5.0
LABELS = ("a", "b", "c")


def costs(seed=0, m=2000):
    """Walks of 1 to 4 decisions through three states, each of which costs something."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 5, m)
    inside = np.arange(5) <= lengths[:, None]
    states = np.where(inside, rng.integers(0, 3, inside.shape), -1)
    return Episodes(states, np.where(inside[:, 1:], 0, -1), np.where(inside[:, 1:], -rng.exponential(4, (m, 4)), 0), lengths, LABELS)


def shifted_by_hand(episodes, discount=0.9):
    """The statistics of returns that are clipped and shifted one by one, outside the mechanism."""
    returns = first_visit_returns(episodes, 3, discount)
    visits = np.count_nonzero(~np.isnan(returns), axis=0)
    clipped = np.clip(returns, LOW, HIGH) - LOW
    parts = np.floor(clipped / (HIGH - LOW) * GRID)
    return FirstVisitStatistics(visits, np.nansum(clipped, axis=0), len(episodes), HIGH - LOW, grid_sums=np.nansum(parts, axis=0))


def release(statistics, seed=1, features=None, **bounds):
    features = np.eye(3) if features is None else features
    return dp_sufficient_statistics(statistics, features, **bounds, epsilon=1.0, delta=1e-5, noise_rng=np.random.default_rng(seed))


def test_it_is_the_mechanism_for_returns_from_zero_on_and_shifted_back():
    episodes = costs()
    ours = release(first_visit_statistics(episodes, 3, 0.9, return_range=(LOW, HIGH)), return_range=(LOW, HIGH))
    by_hand = release(shifted_by_hand(episodes), return_bound=HIGH - LOW)
    assert np.array_equal(ours.visits, by_hand.visits)
    assert ours.return_sums == pytest.approx(by_hand.return_sums + LOW * by_hand.visits, rel=1e-12)
    assert ours.parameters == pytest.approx(by_hand.parameters + LOW, rel=1e-12)
    assert ours.noise_scale == by_hand.noise_scale and ours.guarantees == by_hand.guarantees


def test_exact_noise_is_added_to_the_same_whole_numbers():
    episodes = costs()
    ours = first_visit_statistics(episodes, 3, 0.9, return_range=(LOW, HIGH))
    # a return that should be a whole part may come out a rounding below it
    assert np.abs(whole_tables(ours) - whole_tables(shifted_by_hand(episodes))).max() <= 2


def test_values_are_shifted_before_features_are_fitted_to_them():
    """A feature that is no constant cannot take up a shift."""
    statistics = first_visit_statistics(costs(), 3, 0.9, return_range=(LOW, HIGH))
    line = np.array([[1.0], [2.0], [3.0]])
    values = release(statistics, return_range=(LOW, HIGH)).parameters
    assert release(statistics, features=line, return_range=(LOW, HIGH)).parameters == pytest.approx(
        np.linalg.lstsq(line, values)[0], rel=1e-12)


def test_costs_are_not_clipped_to_zero():
    episodes = costs(m=50_000)
    truth = np.nanmean(np.clip(first_visit_returns(episodes, 3, 0.9), LOW, HIGH), axis=0)
    assert (truth < -3).all()
    values = release(first_visit_statistics(episodes, 3, 0.9, return_range=(LOW, HIGH)), return_range=(LOW, HIGH)).parameters
    assert values == pytest.approx(truth, abs=0.1)


def test_to_shift_each_reward_is_something_else():
    """Returns of long trajectories would move more than those of short ones, so what is released differs by no constant."""
    episodes = costs()
    inside = np.arange(4) < episodes.lengths[:, None]
    moved = Episodes(episodes.states, episodes.actions, np.where(inside, episodes.rewards + 5, 0), episodes.lengths)
    differences = first_visit_returns(moved, 3, 0.9) - first_visit_returns(episodes, 3, 0.9)
    assert np.nanmin(differences) == 0 and np.nanmax(differences) > 15


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=5), st.lists(st.floats(-100, 100), min_size=1, max_size=5))
def test_one_trajectory_moves_a_state_within_the_hexagon(one, other):
    """The pair (visits, returns in units of the range) of each state moves within the corners ±(1, 0), ±(0, 1), ±(1, 1)."""
    def pairs(rewards):
        states = [i % 3 for i in range(len(rewards) + 1)]
        statistics = first_visit_statistics(Episodes.from_lists([states], [[0] * len(rewards)], [rewards]), 3, 0.9,
                                            return_range=(LOW, HIGH))
        return statistics.visits, statistics.return_sums / (HIGH - LOW)

    n, y = (a - b for a, b in zip(pairs(one), pairs(other)))
    assert (np.abs(n) <= 1).all() and (np.abs(y) <= 1).all() and (np.abs(n - y) <= 1 + 1e-12).all()


def test_a_bound_is_a_range_from_zero():
    episodes = costs()
    once, again = (first_visit_statistics(episodes, 3, 0.9, **bounds) for bounds in (dict(return_bound=4), dict(return_range=(0, 4))))
    assert np.array_equal(once.return_sums, again.return_sums) and (once.return_bound, once.lowest_return) == (4, 0)
    assert np.array_equal(release(once, return_bound=4).parameters, release(again, return_range=(0, 4)).parameters)


@pytest.mark.parametrize("bounds, message", [
    (dict(return_range=(1, 1)), r"return_range must be two numbers \(low, high\) with low < high, got \(1, 1\)"),
    (dict(return_range=(0, np.inf)), "return_range must be finite, got inf"),
    (dict(return_range=3), "return_range must be two numbers"),
    (dict(return_range=(0, 1), return_bound=1), r"only one of return_bound and return_range may be given, got 1 and \(0, 1\)"),
])
def test_wrong_ranges_are_refused(bounds, message):
    for function in (lambda: first_visit_statistics(costs(), 3, 0.9, **bounds),
                     lambda: release(first_visit_statistics(costs(), 3, 0.9, return_bound=1), **bounds)):
        with pytest.raises(ValueError, match=message):
            function()


@pytest.mark.parametrize("given, asked, message", [
    (dict(return_range=(-3, 1)), dict(return_bound=4), r"statistics must be clipped from 0 on \(return_range\), got lowest_return = -3"),
    (dict(return_bound=4), dict(return_range=(-3, 1)), r"statistics must be clipped from -3 on \(return_range\), got lowest_return = 0"),
    (dict(return_range=(-3, 2)), dict(return_range=(-3, 1)), "statistics must be clipped to return_bound = 4"),
    (dict(), dict(return_range=(-3, 1)), "statistics must be clipped"),
    (dict(return_bound=1), dict(), "one of return_bound and return_range must be given, got neither"),
])
def test_a_release_asks_for_the_range_that_the_statistics_keep_to(given, asked, message):
    with pytest.raises(ValueError, match=message):
        release(first_visit_statistics(costs(), 3, 0.9, **given), **asked)


def test_the_regressions_of_the_paper_are_for_returns_from_zero_on():
    statistics = first_visit_statistics(costs(), 3, 0.9, return_range=(LOW, HIGH))
    for function in (lambda: lsw(statistics, np.eye(3), [1, 1, 1]), lambda: lsl(statistics, np.eye(3), [1, 1, 1], 1.0),
                     lambda: dp_lsw(statistics, np.eye(3), [1, 1, 1], return_bound=HIGH - LOW, epsilon=1.0, delta=1e-5,
                                    noise_rng=np.random.default_rng(0))):
        with pytest.raises(ValueError, match="statistics must be of returns from 0 on, got lowest_return = -20"):
            function()


def test_labels_reach_the_release_and_say_where_they_are_from():
    episodes = costs()
    assert release(first_visit_statistics(episodes, 3, 0.9, return_bound=1), return_bound=1).state_labels.tolist() == ["a", "b", "c"]
    taken = Episodes(episodes.states, episodes.actions, episodes.rewards, episodes.lengths, LABELS, None, ("states",))
    for one, expected in (episodes, False), (taken, True):
        guarantee = release(first_visit_statistics(one, 3, 0.9, return_bound=1), return_bound=1).guarantee
        assert ("the labels of the states, taken from the data, were public before" in guarantee.assumes) == expected
    with pytest.raises(ValueError, match="n_states must be the number of labels, 3, got 4"):
        first_visit_statistics(episodes, 4, 0.9)
    with pytest.raises(ValueError, match="state_labels must be one for each of 2 states, got 3"):
        FirstVisitStatistics([1, 1], [0, 0], 1, state_labels=LABELS)
