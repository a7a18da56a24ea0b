"""Chapter 4's page of exercises: wrong answers of a typical kind are told which mistake they are, and what the answers are by."""

import numpy as np
import pytest
from scipy.stats import norm, poisson, truncnorm

from privrl_core.privacy import gaussian_epsilon, zcdp_epsilon_as_printed


@pytest.fixture(scope="module")
def page(names_after_all_cells):
    return names_after_all_cells("chapters/04_offline_rl/06_exercises")


def test_every_check_says_the_same_again_when_all_cells_have_run(page):
    """No cell takes a name away that an earlier check needs; `test_course` sees each check once only."""
    answers = dict(was_i_here="epsilon_of_being_here", water="four_counts", twice_as_long="two_features", fair_halves="two_data_sets",
                   keeps_its_word="certain_proof", only_where="my_audit", two_sums="share_of_two_sums", ask_once="my_release",
                   sixteen="second_term")
    assert {name: page[name].check(page[answer]).data for name, answer in answers.items()} == dict.fromkeys(answers, "✓ **Right.**")


ALIKE = np.full(15, 20)
ALONE = ALIKE - 20 * (np.arange(15) == 0)       # nobody in the first cell
JOINED = ALONE + np.array([1, -1] + 13 * [0])   # somebody came over from the second
SIGMA = 23.6                                    # of the paper's noise at the page's ρ, hardly more


def shares(counts):
    return counts / counts.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("exercise, answer, says", [
    ("was_i_here", gaussian_epsilon(1e-6, np.sqrt(0.2)), "That is the ε for *replace one*"),
    ("was_i_here", gaussian_epsilon(1e-6, 0.1), "ρ is not μ"),
    ("was_i_here", zcdp_epsilon_as_printed(0.1, 1e-6), "the conversion for any ρ-zCDP release, and for *replace one*"),
    ("was_i_here", zcdp_epsilon_as_printed(0.05, 1e-6), "Half of ρ is right"),
    ("water", [11, 4, -1, 0], "no negative counts"),
    ("water", [9.5, 2.5, 0, 0], "the water rises no higher than it must"),
    ("water", np.array([12, 5, 0, 1]) * 14 / 18, "You have scaled them"),
    ("water", [12 - 4 / 3, 5 - 4 / 3, 0, 0], "They add up to 14.33"),
    ("water", 14, "4 numbers are asked for"),
    ("twice_as_long", ([3, 0], [0, 1]), "The longer one has length 3"),
    ("twice_as_long", ([2, 0], [-2, 0]), "the same Gram matrix"),
    ("twice_as_long", ([1, 0], [0, 1]), "These cost 0.5 ρ₀"),
    ("fair_halves", ([(1, 0)], [(1, 0), (2, 0)]), "as many patients in both"),
    ("fair_halves", ([(1, 0), (2, 0)], [(3, 1), (4, 1)]), "They differ in 2 patients"),
    ("fair_halves", ([(1, 0), (2, 1)], [(1, 1), (2, 1)]), "It moves by 1."),
    ("fair_halves", ([(1, 2)], [(1, 0)]), "treated is 0 or 1"),
    ("keeps_its_word", 1.371e-6, "That is for one cell"),
    ("keeps_its_word", 12 * 1.371e-6, "four cells move, not two"),
    ("keeps_its_word", 48 * 1.371e-6, "at the upper end only"),
    ("keeps_its_word", 2.91e-5, "the density at the very edge"),
    ("only_where", (ALONE, ALIKE, lambda release: release[0] == 0), "These are no neighbours"),
    ("only_where", (ALONE, JOINED, lambda release: release[0] == 77), "never happens"),
    ("only_where", (ALONE, JOINED, lambda release: True), "always happens"),
    ("only_where", (ALIKE, ALIKE + JOINED - ALONE, lambda release: release[0] > 20), "What is different about a count of 0?"),
    ("two_sums", 0.6, "Which features would move both most?"),
    ("two_sums", 0.50625, "a target is at most m, not H"),
    ("two_sums", 0.2179, "add or remove one"),
    ("ask_once", (SIGMA / np.sqrt(2), SIGMA / np.sqrt(2), shares), "Your noise costs 0.0718"),
    ("ask_once", (SIGMA, np.inf, lambda triples, pairs: shares(np.maximum(triples, 0))), "Spend the rest"),
    ("ask_once", (SIGMA, SIGMA, lambda triples, pairs: shares(np.maximum(triples, 0))), "What do the pairs tell"),
    ("ask_once", (SIGMA, SIGMA, lambda triples, pairs: triples), "rows that add up to 1"),
    ("sixteen", lambda S, E, iota: 0, "all within E of the true ones"),
    ("sixteen", lambda S, E, iota: (S + 1) * E / 2, "chance needs its part, too"),
    ("sixteen", lambda S, E, iota: (S + 1) * E / 2 + iota, "The errors meet in the variance"),
    ("sixteen", lambda S, E, iota: (S + 1) * E / 2 + 3.5 * iota, "The errors meet in the variance"),
    ("sixteen", lambda S, E, iota: max((S + 1) * E / 2, 3.5 * iota, np.sqrt(1.5 * (S + 1) * E * iota)), "The errors meet in the variance"),
    ("sixteen", lambda S, E, iota: 16 * S * E * iota, "there is more to gain"),
    ("sixteen", lambda S, E, iota: (S + 1) * E * iota, "Need it be?"),
])
def test_a_typical_mistake_is_told(page, exercise, answer, says):
    said = page[exercise].check(answer).data
    assert said.startswith("✗ **Not yet.** ") and says in said and "the check ends in" not in said


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


def test_laws_that_look_elsewhere_are_found_out(page):
    """The true laws, and the exact counts, are right about one world only."""
    known = page["true_laws"], page["normalised"](page["triples"])
    for laws in known:
        answer = (np.sqrt(page["H"] / page["rho"]), np.inf, lambda triples, pairs, laws=laws: laws)
        assert "something besides the noisy tables" in page["ask_once"].check(answer).data


@pytest.mark.parametrize("n_states, E", [(5, 40.0), (11, 3.0), (5, 0.2)])
def test_what_chance_and_noise_hide_together(page, n_states, E):
    """The largest mean of a Poisson number that noise can empty with probability e^-ι, by its distribution function."""
    iota, k = 8.0, (n_states + 1) // 2 * E
    mean = page["rarely_seen"](n_states, E, iota)
    assert poisson.cdf(int(k), mean) == pytest.approx(np.exp(-iota)) and mean > k
    assert mean <= page["second_term"](n_states, E, iota)      # the solution covers it
