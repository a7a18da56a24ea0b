"""Chapter 4's page of exercises: wrong answers are told which mistake they are, and right ones in other forms pass.

An answer that is a function stands in a lambda without arguments, which makes it. Proofs are marked by hand.
"""

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import norm, poisson, truncnorm

from privrl_core.offline import consistent_counts, sample_counts
from privrl_core.privacy import gaussian_epsilon, gaussian_mu, zcdp_epsilon, zcdp_epsilon_as_printed
from privrl_core.world import EpisodicMDP

PAGE = "chapters/04_offline_rl/06_exercises"

ALIKE = np.full(15, 20)
ALONE = ALIKE - 20 * (np.arange(15) == 0)       # nobody in the first cell
JOINED = ALONE + np.array([1, -1] + 13 * [0])   # somebody came over from the second
MU = float(gaussian_mu(1.0, 1e-5))
RHO = MU**2 / 2
SIGMA = np.sqrt(20 / RHO)                       # of the paper's noise, on triples and on pairs
WARD = [(severity, severity % 2) for severity in range(20)]
SURE = np.sqrt(2 * np.log(18_000))              # the edge of the noise, in standard deviations
IN_ONE_CELL = (norm.cdf(SURE) - norm.cdf(SURE - MU / np.sqrt(24))) / (2 * norm.cdf(SURE) - 1)
Y = np.arange(1, 21) / 20
TWO_SUMS = np.sum(2 + Y**2 / 2 + Y**4 / 32) / 100


def shares(counts):
    return counts / counts.sum(axis=1, keepdims=True)


def clipped(triples, pairs):
    return shares(np.maximum(triples, 0))


def by_water(triples, pairs):
    return shares(consistent_counts(np.maximum(triples, 0), np.maximum(triples.sum(axis=1), 0), 0))


def by_bisection(triples, pairs):
    """The water level of each row, found by halving an interval."""
    low, high = np.zeros(len(triples)), triples.max(axis=1)
    for _ in range(60):
        level = (low + high) / 2
        above = np.maximum(triples - level[:, None], 0).sum(axis=1) > triples.sum(axis=1)
        low, high = np.where(above, level, low), np.where(above, high, level)
    return shares(np.maximum(triples - low[:, None], 0)).tolist()


def that_counts_its_calls():
    """An event that says yes to the first half of the trials, whatever it sees."""
    calls = iter(range(10**6))
    return ALIKE, ALIKE + JOINED - ALONE, lambda release: next(calls) < 2_000


def laws_and_counts_of_the_page():
    """The true laws of the notebook's day and its exact counts, made as there."""
    rng = np.random.default_rng(7)
    world = EpisodicMDP(rng.dirichlet(np.ones(10), size=(10, 10, 4)), rng.random((10, 10, 4)), np.full(10, 0.1))
    counts = sample_counts(world, np.full((10, 10, 4), 0.25), 30_000, np.random.default_rng(2023))
    return world.transitions[3].reshape(-1, 10), counts.steps[3].toarray()


def looked_up(which):
    known = laws_and_counts_of_the_page()[which]
    return SIGMA / np.sqrt(2), np.inf, lambda triples, pairs: shares(known)


def renamed_back():
    """Looks at the noisy table only to find out whether it is the notebook's, with the names of next conditions rolled."""
    laws = laws_and_counts_of_the_page()[0]
    rolled = [np.roll(laws, k, axis=1) for k in range(10)]
    return SIGMA / np.sqrt(2), np.inf, lambda triples, pairs: min(rolled, key=lambda one: np.abs(shares(np.maximum(triples, 0)) - one).sum())


WRONG = [
    ("was_i_here", gaussian_epsilon(1e-6, np.sqrt(0.2)), "That is the ε for *replace one*"),
    ("was_i_here", gaussian_epsilon(1e-6, 0.1), "ρ is not μ"),
    ("was_i_here", gaussian_epsilon(1e-6, 0.05), "Half of ρ is right; but ρ is not μ"),
    ("was_i_here", zcdp_epsilon_as_printed(0.1, 1e-6), "the conversion for any ρ-zCDP release, and for *replace one*"),
    ("was_i_here", zcdp_epsilon_as_printed(0.05, 1e-6), "Half of ρ is right"),
    ("was_i_here", zcdp_epsilon(0.05, 1e-6), "this conversion is for any zCDP release"),
    ("was_i_here", 0.1, "Which neighbours does the question speak of?"),
    ("water", [10, 4, 0, 0], "may move twice as far as the others"),            # the package's consistent_counts
    ("water", [9.333, 4.667, 0, 0], "turned round"),
    ("water", [10.75, 3.5, 0, -0.25], "no negative counts"),
    ("water", [10.75, 3.5, 0, 0], "They add up to 14.25"),
    ("water", [10, 2, 0, 0], "the water rises no higher than it must"),
    ("water", np.array([12, 6, 0, 1]) * 14 / 19, "You have scaled them"),
    ("water", [12, 6, 0, 1], "They add up to 19"),
    ("water", 14, "4 numbers are asked for"),
    ("three_of_three", 0.064, "There are ten"),
    ("three_of_three", 0.64, "counted twice"),
    ("three_of_three", 0.516, "none of the ten"),
    ("three_of_three", 0.353, "exactly one is lucky"),
    ("three_of_three", 0.994, "one patient for each treatment"),
    ("three_of_three", 0.4, "so for all ten?"),
    ("tenth_of_chance", 3600, "both errors are equal"),
    ("tenth_of_chance", 36_000, "chance falls, too"),
    ("tenth_of_chance", 600, "the root of n"),
    ("tenth_of_chance", 36, "ten times as large as chance"),
    ("tenth_of_chance", 300, "Compare it with chance"),
    ("tenth_of_chance", 90_000, "left out the 0.5"),
    ("three_ends", [0.75, 0.66, 0.595], "for chance only"),
    ("three_ends", [0.2225, 0.5876, 0.5942], "for the noise only"),
    ("three_ends", [0.2203, 0.5855, 0.5924], "like standard deviations"),
    ("three_ends", [1.4275, 0.7924, 0.6108], "These are upper ends"),
    ("three_ends", [0.4613, 0.6138, 0.5921], "Half of the penalty for noise"),
    ("three_ends", [0.6275, 0.1124, 0.0108], "These are the penalties"),
    ("three_ends", [0.8, 0.68, 0.6], "What is the worst"),
    ("three_ends", 0.589, "3 numbers are asked for"),
    ("in_the_middle", [6.5, 12.26], "the middle between the two values"),
    ("in_the_middle", [7, 15.08], "half of the distance between the largest and the smallest y"),
    ("in_the_middle", [7, 2.828], "The reward of the day is in y, too"),
    ("in_the_middle", [7, 5.333], "The matrix needs its part"),
    ("in_the_middle", [7, 3.771], "so the vector moves by 2B"),
    ("in_the_middle", [7, 73.54], "with nothing subtracted"),
    ("in_the_middle", [7, 188.6], "for values up to 20"),
    ("in_the_middle", [0, 73.54], "Between which two numbers"),
    ("three_levels", 5.899, "for two levels"),
    ("three_levels", np.sqrt(6) / MU, "the same σ at all levels"),
    ("three_levels", np.sqrt(3.5) / MU, "Squares add up"),
    ("three_levels", np.sqrt(1.3125) / MU, "moves two counts at each level"),
    ("three_levels", np.sqrt(2.625), "Divide by μ"),
    ("three_levels", np.sqrt(42) / MU, "multiplied by the squares"),
    ("only_where", (ALONE, ALIKE, lambda release: release[0] == 0), "These are no neighbours"),
    ("only_where", (ALONE[:3], JOINED[:3], lambda release: release[0] == 0), "Two tables of 15 counts"),
    ("only_where", (ALONE, JOINED, lambda release: release[0] == 77), "never happens"),
    ("only_where", (ALONE, JOINED, lambda release: True), "always happens"),
    ("only_where", (ALIKE, ALIKE + JOINED - ALONE, lambda release: release[0] > 20), "What is different about a count of 0?"),
    ("only_where", that_counts_its_calls, "What is different about a count of 0?"),
    ("twice_as_long", (2, 0), "features are no longer than 2"),
    ("twice_as_long", (np.nan, 0), "features are no longer than 2"),
    ("twice_as_long", (1, 1), "nothing moves at all"),
    ("twice_as_long", (1, 0), "which the colleague allows"),                   # the example in the comment
    ("twice_as_long", (np.sqrt(3), -1 / np.sqrt(3)), "These are orthogonal"),  # the worst pair of the package's docstring
    ("twice_as_long", (np.sqrt(3), 0), "Other ones cost still more"),
    ("twice_as_long", 3, "Two numbers, such as"),
    ("fair_halves", ([(1, 0)], [(1, 0), (2, 0)]), "as many patients in both"),
    ("fair_halves", ([(1, 0), (2, 0)], [(3, 1), (4, 1)]), "They differ in 2 patients"),
    ("fair_halves", ([(1, 0), (2, 1)], [(1, 1), (2, 1)]), "It moves by 1."),
    ("fair_halves", ([(1, 2)], [(1, 0)]), "treated is 0 or 1"),
    ("fair_halves", (10 * [(1, 0), (1, 1)], 10 * [(1, 1), (1, 0)]), "They differ in 0 patients"),
    ("fair_halves", (10 * [(1, 0), (1, 1)], 9 * [(1, 1), (1, 0)] + [(1, 1), (2, 0)]), "It moves by"),
    ("fair_halves", (10 * [(np.nan, 0), (np.nan, 1)], 9 * [(np.nan, 1), (np.nan, 0)] + [(1, 0), (np.nan, 1)]), "A severity is a number"),
    ("fair_halves", ([(3, 0), (5, 1)], [(3, 0), (4, 1)]), "It moves by 0."),     # the example in the comment
    ("keeps_its_word", 1.371e-6, "That is for one cell"),
    ("keeps_its_word", 12 * 1.371e-6, "four cells move, not two"),
    ("keeps_its_word", 48 * 1.371e-6, "at the upper end only"),
    ("keeps_its_word", 2.91e-5, "the density at the very edge"),
    ("keeps_its_word", 0.1, "drawing again at all"),
    ("keeps_its_word", 1e-5, "what values can only occur here?"),
    ("two_sums", 0.6, "Which features would move both most?"),
    ("two_sums", 0.47175, "different pairs of features"),
    ("two_sums", 0.50625, "a target is at most m, not H"),
    ("two_sums", 0.2179, "add or remove one"),
    ("two_sums", 5 * TWO_SUMS, "how large is ρ₀?"),
    ("ask_once", (SIGMA / np.sqrt(2), SIGMA / np.sqrt(2), clipped), "Your noise costs 0.0718"),
    ("ask_once", (SIGMA, np.inf, clipped), "Spend the rest"),
    ("ask_once", (SIGMA, SIGMA, clipped), "What do the pairs tell"),
    ("ask_once", (SIGMA, SIGMA, lambda triples, pairs: triples), "rows that add up to 1"),
    ("ask_once", lambda: looked_up(0), "something besides the noisy tables"),
    ("ask_once", lambda: looked_up(1), "something besides the noisy tables"),
    ("ask_once", renamed_back, "something besides the noisy tables"),
    ("sixteen", lambda: lambda S, E, iota: 0, "all within E of the true ones"),
    ("sixteen", lambda: lambda S, E, iota: (S + 1) * E / 2, "chance needs its part, too"),
    ("sixteen", lambda: lambda S, E, iota: (S + 1) * E / 2 + iota, "The errors meet in the variance"),
    ("sixteen", lambda: lambda S, E, iota: (S + 1) * E / 2 + 3.5 * iota, "The errors meet in the variance"),
    ("sixteen", lambda: lambda S, E, iota: max((S + 1) * E / 2, 3.5 * iota, np.sqrt(1.5 * (S + 1) * E * iota)), "The errors meet in the variance"),
    ("sixteen", lambda: lambda S, E, iota: 16 * S * E * iota, "there is more to gain"),      # the example in the comment
    ("sixteen", lambda: lambda S, E, iota: (S + 1) * E * iota, "Need it be?"),
]

RIGHT = [
    ("was_i_here", gaussian_epsilon(1e-6, np.sqrt(0.1))),
    ("was_i_here", round(float(gaussian_epsilon(1e-6, np.sqrt(0.1))), 2)),
    ("was_i_here", np.float32(gaussian_epsilon(1e-6, 0.1**0.5))),
    ("water", (10.667, 3.333, 0, 0)),
    ("water", np.array([32, 10, 0, 0]) / 3),
    ("water", [Fraction(32, 3), 3.33, -0.0, np.float32(0)]),
    ("three_of_three", 0.484),
    ("three_of_three", 1 - 0.936**10),
    ("three_of_three", np.float32(0.4839)),
    ("tenth_of_chance", 360_000),
    ("tenth_of_chance", 600.0**2),
    ("tenth_of_chance", np.int64(360_000)),
    ("three_ends", [0.1725, 0.5676, 0.5892]),
    ("three_ends", (0.173, 0.568, 0.589)),
    ("three_ends", np.float32([0.1725, 0.5676, 0.5892])),
    ("in_the_middle", [7, 7.54]),
    ("in_the_middle", (Fraction(7), 1.6 * np.sqrt(2) / 0.3)),
    ("in_the_middle", np.array([7.0, 7.5425])),
    ("three_levels", 6.04),
    ("three_levels", np.sqrt(21 / 8) / MU),
    ("three_levels", np.float32(6.045)),
    ("only_where", (ALONE, JOINED, lambda release: release[0] == 0)),
    ("only_where", (JOINED.tolist(), ALONE.tolist(), lambda release: release[0] != 0)),
    ("only_where", (tuple(ALONE), tuple(JOINED), lambda release: int(not release[0]))),
    ("twice_as_long", (np.sqrt(3), -np.sqrt(3))),
    ("twice_as_long", np.array([-1.732, 1.732])),
    ("twice_as_long", [3**0.5, -Fraction(1732, 1000)]),
    ("fair_halves", (WARD, WARD[1:] + [(20, 0)])),
    ("fair_halves", (np.array(WARD[1:] + [(20, 0)]), np.array(WARD))),
    ("fair_halves", ([(s / 10, 1 - s % 2) for s in range(11)], [(s / 10, 1 - s % 2) for s in range(1, 11)] + [(1.05, True)])),
    ("keeps_its_word", 1 - (1 - IN_ONE_CELL) ** 24),
    ("keeps_its_word", 24 * IN_ONE_CELL),
    ("keeps_its_word", np.float32(3.29e-5)),
    ("two_sums", TWO_SUMS),
    ("two_sums", round(TWO_SUMS, 3)),
    ("two_sums", np.float32(TWO_SUMS)),
    ("ask_once", (SIGMA / np.sqrt(2), np.inf, by_water)),
    ("ask_once", (SIGMA / np.sqrt(2), np.inf, by_bisection)),
    ("ask_once", (float(np.float32(SIGMA)) / np.sqrt(1.999), 40 * SIGMA, by_water)),
    ("sixteen", lambda: lambda S, E, iota: (S + 1) * E / 2 + 3.5 * iota + np.sqrt(1.5 * (S + 1) * E * iota)),
    ("sixteen", lambda: lambda S, E, iota: (((S + 1) * E) ** 0.5 + 2.5 * iota**0.5) ** 2),
    ("sixteen", lambda: lambda S, E, iota: np.float64(2 * S * E + 10 * iota)),
]


def test_a_count_that_may_move_twice_as_far_is_found_by_a_linear_program_and_by_two_halves(page):
    """The program's least distance fixes the counts; and two halves of the second triple, each of which moves as far as the others."""
    row, noise = np.array([12.0, 6, 0, 1]), np.array([1.0, 2, 1, 1])
    moves = np.vstack([np.c_[np.eye(4), -noise], np.c_[-np.eye(4), -noise], [[1, 1, 1, 1, 0]], [[-1, -1, -1, -1, 0]]])
    for sign in (1, -1):                                                    # the smallest and the largest first count at the least distance
        least = linprog([0, 0, 0, 0, 1], A_ub=moves, b_ub=[*row, *-row, 14, -10]).fun
        found = linprog([sign, 0, 0, 0, 0], A_ub=moves, b_ub=[*row, *-row, 14, -10], bounds=[*4 * [(0, None)], (0, least + 1e-9)])
        assert np.allclose(found.x[:4], page["four_counts"], atol=1e-6)
    first, half, other_half, *rest = consistent_counts([12, 3, 3, 0, 1], 12, 2)
    assert np.allclose([first, half + other_half, *rest], page["four_counts"])


def test_cut_off_cells_are_too_large_within_the_bounds_of_the_proof():
    """By quadrature for one cell, at many counts: between 0 and σ/√2π, largest when it is empty."""
    z = np.linspace(-12, 12, 240_001)
    too_large = np.array([np.sum(np.maximum(n + z, 0) * norm.pdf(z)) * (z[1] - z[0]) - n for n in (0, 0.1, 0.5, 1, 3)])
    assert too_large[0] == pytest.approx(1 / np.sqrt(2 * np.pi), abs=1e-6) and (np.diff(too_large) < 0).all() and too_large[-1] > 0


def test_a_share_is_off_by_no_more_than_the_proof_says():
    rng = np.random.default_rng(0)
    for _ in range(2_000):
        counts, e = rng.integers(0, 30, size=4) + np.eye(4, dtype=int)[0], rng.uniform(0, 10)
        n, noisy = counts.sum(), rng.uniform(np.maximum(counts - e, 0), counts + e)
        pair = max(rng.uniform(n - e, n + e), noisy.max())
        if abs(pair - n) <= e:
            assert (np.abs(noisy / pair - counts / n) <= 2 * e / pair + 1e-12).all()


def test_noise_with_edges_gives_itself_away_as_often_as_the_solution_says():
    """Its formula at a width where one can count: 10⁵ releases of 5 cells; six standard errors, a chance of 2e-9."""
    sigma, edge, cells, releases = 3.0, 6.0, 5, 100_000
    drawn = truncnorm.rvs(-edge / sigma, edge / sigma, scale=sigma, size=(releases, cells), random_state=np.random.default_rng(0))
    in_one = (norm.cdf(edge / sigma) - norm.cdf((edge - 1) / sigma)) / (2 * norm.cdf(edge / sigma) - 1)
    p = 1 - (1 - in_one) ** cells
    assert (drawn > edge - 1).any(axis=1).mean() == pytest.approx(p, abs=6 * np.sqrt(p * (1 - p) / releases))


def test_the_first_part_of_the_sharpened_term_holds_and_is_attained(page):
    """ñ (P̃ − P̂)V/H ≤ (S + 1)E/2 for all counts within E, cells and sums, and 0 ≤ V ≤ H; likewise for the deviations, squared."""
    rng, n_states, E = np.random.default_rng(0), 7, 10.0
    unseen = np.arange(n_states) < (n_states + 1) // 2      # raised from nothing, the others lowered
    true = np.where(unseen, 0.0, 100 * n_states * E)
    counts = true + np.where(unseen, E, -E)
    assert (counts / counts.sum() - true / true.sum())[unseen].sum() * counts.sum() == pytest.approx((n_states + 1) * E / 2)
    for _ in range(2_000):
        true = rng.gamma(rng.choice([0.05, 1.0]), 40, n_states) + 1e-9
        moved = np.maximum(true + E * rng.choice([-1, 0, 1, rng.uniform(-1, 1)], n_states), 0)
        if abs(moved.sum() - true.sum()) > E or not moved.sum():
            continue
        V = rng.choice([0.0, 1.0, rng.random()], n_states)
        before, after = true / true.sum(), moved / moved.sum()
        variances = [law @ V**2 - (law @ V) ** 2 for law in (before, after)]
        assert moved.sum() * abs((after - before) @ V) <= (n_states + 1) * E / 2 * (1 + 1e-9)
        assert moved.sum() * abs(variances[1] - variances[0]) <= (n_states + 1) * E / 2 * (1 + 1e-9)


@pytest.mark.parametrize("n_states, E", [(5, 40.0), (11, 3.0), (5, 0.2)])
def test_what_chance_and_noise_hide_together(page, n_states, E):
    """The largest mean of a Poisson number that noise can empty with probability e^-ι, by its distribution function."""
    iota, k = 8.0, (n_states + 1) // 2 * E
    mean = page["rarely_seen"](n_states, E, iota)
    assert poisson.cdf(int(k), mean) == pytest.approx(np.exp(-iota)) and mean > k
    assert mean <= page["second_term"](n_states, E, iota)      # the solution covers it
