"""Chapter 5's page of exercises: wrong answers are told which mistake they are, and right ones in other forms pass.

An answer that is a function stands in a lambda without arguments, which makes it. Proofs are marked by hand.
"""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

from privrl_core.online import (
    POOLED,
    BinaryTree,
    LeastLargest,
    SquareRoot,
    growing,
    plausible_counts,
    square_root_coefficients,
    table_sensitivity,
)
from privrl_core.privacy import gaussian_epsilon, gaussian_mu

PAGE = "chapters/05_online/10_exercises"

MU = float(gaussian_mu(1.0, 1e-5))
PLUS, MINUS = np.array([1] + 39 * [-1]), np.array(40 * [-1])
SQUARES = float(np.sum(square_root_coefficients(16) ** 2))
OF_A_HUNDRED = float(gaussian_epsilon(1e-5, 10 * MU))
MIXED = np.array([[square_root_coefficients(16)[i - j] if i >= j else 0.0 for j in range(16)] for i in range(16)])


def best_mixing():
    """L from the product L L', by its Cholesky factor: no R and no rotation."""
    A, w, v = np.tril(np.ones((16, 16))), np.full(16, 1 / 16), np.full(16, 1 / 16)
    for _ in range(2_000):
        left, values, right = np.linalg.svd(np.sqrt(w * np.repeat([1, 4], [12, 4]))[:, None] * A * np.sqrt(v))
        w, v = left**2 @ values / values.sum(), values @ right**2 / values.sum()
    columns = A * np.sqrt(v) @ right.T / np.sqrt(values)
    return np.linalg.cholesky(columns @ columns.T)


def part_of_the_way(share):
    """Between the best and the square root, both with a last row of length 1."""
    best = best_mixing()
    return share * MIXED / np.linalg.norm(MIXED[-1]) + (1 - share) * best / np.linalg.norm(best[-1])


def that_counts_its_calls():
    """An event that says yes to the first half of the trials, whatever it sees."""
    calls = iter(range(10**6))
    return PLUS, MINUS, lambda board, treatments: next(calls) < 2_000


def replayed():
    """The cells that the check would draw if it began from the page's seed, and no look at a report."""
    rng = np.random.default_rng([2026, 8])

    def cell(report):
        drawn = int(rng.integers(12))
        rng.laplace(0, 20)
        return drawn
    return cell


def more_strong_than_the_board_foresees(board, treatments):
    return 2 < board < 30 and np.sum(np.asarray(treatments) > 0) > board


def that_sticks_out(report):
    return np.flatnonzero(report > np.median(report) + 0.5)[0]


def estimates(n=len, divided=np.expm1, total=lambda epsilon: np.exp(epsilon) + 11):
    def counts_from_reports(reports, epsilon):
        return (np.bincount(reports, minlength=12) * total(epsilon) - n(reports)) / divided(epsilon)
    return counts_from_reports


def solved(reports, epsilon):
    chance = (np.ones((12, 12)) + np.expm1(epsilon) * np.eye(12)) / (np.exp(epsilon) + 11)
    return np.linalg.solve(chance, np.sum(np.eye(12)[reports], axis=0))


def by_hand(reports, epsilon):
    true, false = np.exp(epsilon) / (np.exp(epsilon) + 11), 1 / (np.exp(epsilon) + 11)
    return [sum(float(report == cell) - false for report in reports) / (true - false) for cell in range(12)]


WRONG = [
    ("two_tables", 20, "In the second table three are"),                       # the package, for two pooled tables
    ("two_tables", np.sqrt(26), "tables with a cell for each day"),
    ("two_tables", 10.44, "both count"),                                       # one stay
    ("two_tables", 18.38, "first square, then add"),
    ("two_tables", 26, "the L1 norm"),
    ("two_tables", 3, "puts all its days into one cell"),
    ("last_sum", np.sum(square_root_coefficients(20_000) ** 2) / MU, "What is added up here are batches"),
    ("last_sum", np.sum(square_root_coefficients(15) ** 2) / MU, "Count the batches once more"),
    ("last_sum", np.linalg.norm(square_root_coefficients(16)) / MU, "One s is missing"),
    ("last_sum", 4 / MU, "the plain sum of 16 noisy batches"),
    ("last_sum", 1 / MU, "That is one release"),
    ("last_sum", SQUARES, "Divide by μ"),
    ("levels", 18, "nine levels are one too few"),
    ("levels", 30, "for a binary tree"),                                       # floor(log2 K) + 1 levels, as in the proof
    ("levels", 10, "Each of them has 0.5/10 to spend"),
    ("levels", 5, "You have multiplied by ε"),
    ("levels", 40, "how many blocks *one patient* is in"),
    ("levels", 2 * 3**9, "noise on every count"),
    ("levels", 20 * np.sqrt(2), "the standard deviation of the noise"),
    ("invented", 14.52, "one empty cell"),
    ("invented", 58.07, "it is hardly ever replaced"),
    ("invented", 71.8, "negative cells replaced by 0"),                        # the proof of chapter 4
    ("invented", 28.56, "A cell that stays is larger than 60"),
    ("invented", 274.5, "the mean of cells that stay"),
    ("invented", 15.0, "You have lowered all cells by 60"),
    ("invented", 103.9, "That is a standard deviation"),
    ("invented", 0, "if z below 60 counts as 0"),
    ("as_chance", 0.24, "The best treatment has no gap"),
    ("as_chance", 0.1, "the smallest gap"),
    ("as_chance", 0.25, "the mean gap"),
    ("as_chance", 5.21, "upside down"),
    ("as_chance", 1, "added up the gaps"),
    ("as_chance", 0.048, "counted this once"),
    ("as_chance", 0.4, "How often is 1/ε paid?"),
    ("no_antibiotic", 1.609, "as truly as ε allows"),
    ("no_antibiotic", 4, "Privacy allows a ratio of e^ε"),
    ("no_antibiotic", 0, "two kinds which are equally frequent"),
    ("no_antibiotic", 0.602, "logarithm to base 10"),
    ("no_antibiotic", 2.197, "one patient in ten"),
    ("no_antibiotic", 0.45, "a share of errors, and not an ε"),
    ("no_antibiotic", 0.2, "turned round as seldom as ε allows"),
    ("one_noise", lambda: lambda report: report, "must return the number of a cell"),
    ("one_noise", lambda: lambda report: 12, "must return the number of a cell"),
    ("one_noise", lambda: lambda report: 3, "A guess is right for one in twelve"),
    ("one_noise", lambda: lambda report: np.argmin(report), "What do all cells have in common?"),
    ("one_noise", lambda: lambda report: np.argmax(np.abs(report)), "What do all cells have in common?"),
    ("one_noise", replayed, "What do all cells have in common?"),
    ("one_noise", 3, "`TypeError: 'int' object is not callable`"),
    ("comes_twice", 2, "two stays in batch 1"),
    ("comes_twice", np.sqrt(2), "independent noises on single batches"),
    ("comes_twice", 1.677, "how far she moves the three noisy numbers"),
    ("comes_twice", 1.25, "The third number moves by 1.25"),
    ("comes_twice", np.sqrt(37 / 21), "first add, then square"),
    ("comes_twice", 1.704, "stays in batches 1 and 2"),
    ("comes_twice", SquareRoot(3).moved([0, 2])[1] / SquareRoot(3).column_l2, "That is for the square root"),
    ("fresh_noise", 1, "a hundred noisy copies of the same count"),
    ("fresh_noise", 100, "it needs δ = 10⁻³ as well"),
    ("fresh_noise", 10, "it multiplies μ, and not ε"),
    ("fresh_noise", 2.6805, "That is μ"),
    ("fresh_noise", gaussian_epsilon(1e-5, 100 * MU), "their squares add up"),
    ("trigger", ([1, 0, 1], [1, 1]), "Two lists of the same length"),
    ("trigger", ([1, 2], [1, 0]), "Outcomes are 0 or 1"),
    ("trigger", ([1, 0, 1], [0, 1, 1]), "They differ in 2 patients"),
    ("trigger", ([1, 1, 1], [1, 1, 0]), "All publications come at the same times"),
    ("trigger", ([1, 1, 1, 1], [0, 1, 1, 1]), "Only 3 of the times are different"),
    ("trigger", ([1, 0, 1], [1, 1, 1]), "Only 1 of the times are different"),     # the example in the comment
    ("own_batch", ([1, -1], [-1, -1], lambda board, treatments: True), "Two lists of 40 votes"),
    ("own_batch", (PLUS, -PLUS, lambda board, treatments: True), "differ in the first vote, Anna's, and in no other"),
    ("own_batch", (PLUS, MINUS, lambda board, treatments: False), "Your event never happens"),
    ("own_batch", (PLUS, MINUS, lambda board, treatments: True), "Your event always happens"),
    ("own_batch", (PLUS, MINUS, lambda board, treatments: treatments[0] > 0), "possible in one of the two worlds only"),
    ("own_batch", that_counts_its_calls, "possible in one of the two worlds only"),
    ("from_devices", lambda: lambda reports, epsilon: np.bincount(reports), "Return twelve numbers"),
    ("from_devices", lambda: lambda reports, epsilon: np.bincount(reports, minlength=12), "the counts of the reports as they are"),
    ("from_devices", lambda: lambda reports, epsilon: np.maximum(estimates()(reports, epsilon), 0), "None of your estimates is ever below 0"),
    ("from_devices", lambda: lambda reports, epsilon: np.bincount(reports, minlength=12) * (np.exp(epsilon) + 11) / np.exp(epsilon), "ever below 0"),
    ("from_devices", lambda: estimates(n=lambda reports: 1), "depend on the number of reports?"),
    ("from_devices", lambda: lambda reports, epsilon: estimates()(reports, 0.5), "One device whose true cell is 3, at ε = 2"),
    ("from_devices", lambda: estimates(divided=np.exp), "One device whose true cell is 3, at ε = 0.5"),
    ("from_devices", lambda: estimates(total=lambda epsilon: np.exp(epsilon) + 12), "One device whose true cell is 3"),
    ("better_mixing", np.eye(3), "16 rows and 16 columns"),
    ("better_mixing", np.full((16, 16), np.nan), "all of them numbers"),
    ("better_mixing", np.ones((16, 16)), "lower triangular"),
    ("better_mixing", np.diag(np.r_[0, np.ones(15)]), "must be invertible"),
    ("better_mixing", np.eye(16), "the square root has 3.888"),
    ("better_mixing", MIXED, "the square root has 3.888"),
    ("better_mixing", lambda: LeastLargest(16).noise(lambda shape: np.eye(16), ()), "How long should the last four be?"),
    ("better_mixing", lambda: part_of_the_way(0.5), "better than both"),
]

RIGHT = [
    ("two_tables", 14.76),
    ("two_tables", np.sqrt(218)),
    ("two_tables", np.hypot(10, 3) * 2**0.5),
    ("last_sum", SQUARES / MU),
    ("last_sum", round(SQUARES / MU, 2)),
    ("last_sum", np.float32(SQUARES / MU)),
    ("levels", 20),
    ("levels", 10 / 0.5),
    ("levels", np.int64(20)),
    ("invented", 43.6),
    ("invented", 180 * norm.pdf(1)),
    ("invented", np.float32(43.5)),
    ("as_chance", 0.192),
    ("as_chance", 4 / (10 + 5 + 10 / 3 + 2.5)),
    ("as_chance", Fraction(24, 125)),
    ("no_antibiotic", 1.386),
    ("no_antibiotic", 2 * np.log(2)),
    ("no_antibiotic", np.float32(1.39)),
    ("one_noise", lambda: np.argmax),
    ("one_noise", lambda: that_sticks_out),
    ("one_noise", lambda: lambda report: float(sorted(range(12), key=lambda cell: report[cell])[-1])),
    ("comes_twice", 1.464),
    ("comes_twice", Fraction(183, 125)),
    ("comes_twice", np.linalg.norm([4, 2, 5]) / np.linalg.norm([4, 2, 1])),
    ("fresh_noise", OF_A_HUNDRED),
    ("fresh_noise", round(OF_A_HUNDRED, 2)),
    ("fresh_noise", np.float32(OF_A_HUNDRED)),
    ("trigger", (100 * [1], [0] + 99 * [1])),
    ("trigger", (np.r_[0, np.ones(15)], np.ones(16))),
    ("trigger", (tuple(20 * [True]), (False,) + tuple(19 * [True]))),
    ("own_batch", (PLUS, MINUS, more_strong_than_the_board_foresees)),
    ("own_batch", (MINUS.tolist(), PLUS.tolist(), lambda board, treatments: int(more_strong_than_the_board_foresees(board, treatments)))),
    ("own_batch", (PLUS, MINUS, lambda board, treatments: 2 < board < 30 and not more_strong_than_the_board_foresees(board, treatments))),
    ("from_devices", lambda: estimates()),
    ("from_devices", lambda: solved),
    ("from_devices", lambda: by_hand),
    ("better_mixing", best_mixing),
    ("better_mixing", lambda: (-3 * best_mixing()).tolist()),
    ("better_mixing", lambda: part_of_the_way(0.05)),
]


@pytest.mark.parametrize("K", [1, 2, 13, 16, 100])
def test_each_count_is_a_sum_of_blocks_of_the_tree_as_the_proof_says(K):
    """Binary digits, the longest block first: each begins at a multiple of its length, and a patient is in one block of a size."""
    L = int(np.log2(K)) + 1
    assert BinaryTree(K).levels == L
    for t in range(1, K + 1):
        begin, sizes = 0, [2**i for i in reversed(range(L)) if t >> i & 1]
        for size in sizes:
            assert begin % size == 0 and begin + size <= t
            begin += size
        assert begin == t and len(sizes) <= L


@pytest.mark.parametrize("m, delta", [(2, 0.0), (3, 0.0), (5, 0.01)])
def test_the_floor_for_many_kinds_is_the_optimum_of_the_linear_program(m, delta):
    """All the promise asks of the probabilities of single treatments; with δ = 0 that is all it asks of sets, too."""
    from scipy.optimize import linprog

    raised, cell = np.exp(1.0), np.arange(m * m).reshape(m, m)          # kind, treatment
    asked = [np.eye(m * m)[cell[i, k]] - raised * np.eye(m * m)[cell[j, k]] for i in range(m) for j in range(m) for k in range(m) if i != j]
    best = linprog(-np.eye(m).ravel(), A_ub=asked, b_ub=np.full(len(asked), delta), A_eq=np.kron(np.eye(m), np.ones(m)), b_eq=np.ones(m))
    assert 1 + best.fun / m == pytest.approx((m - 1) * (1 - delta) / (m - 1 + raised), abs=1e-9)


def test_the_answers_are_those_of_the_core(page):
    """Formulas by hand on the page, and the package's own objects."""
    assert page["how_far"] ** 2 == pytest.approx(sum(table_sensitivity(days, 1, POOLED).l2 ** 2 for days in (10, 3)))
    assert page["largest_error"](MIXED) == pytest.approx(2 * SquareRoot(16).errors()[-1] * SquareRoot(16).column_l2, abs=1e-12)
    assert page["largest_error"](page["my_mixing"]) == pytest.approx(page["largest_error"](best_mixing()), rel=1e-6) == pytest.approx(page["bound"], rel=1e-6)
    assert SquareRoot(25).moved([0, 1])[1] / SquareRoot(25).column_l2 == pytest.approx(1.84, abs=0.005) and growing(20_000, first=300, growth=0.2).size == 25


def test_two_stays_of_three_batches_by_the_matrix(page):
    R = np.array([[1, 0, 0], [1 / 2, 1, 0], [1 / 4, 1 / 2, 1]])
    assert page["factor_of_two_stays"] == pytest.approx(np.linalg.norm(R[:, 0] + R[:, 2]) / np.linalg.norm(R, axis=0).max())


def test_patient_1_is_in_as_many_blocks_of_three_as_the_solution_says(page):
    """And in no more blocks than any other patient, at a size where all can be counted."""
    def blocks_of(patient, K):
        return sum(patient < K // 3**i * 3**i for i in range(20))
    assert blocks_of(0, 3**9) / 0.5 == page["scale_of_a_block"] and max(blocks_of(one, 3**5) for one in range(3**5)) == 6


def test_small_counts_set_to_0_invent_as_many_visits_as_the_solution_says(page):
    """200,000 rows: the mean of three empty cells, within six standard errors; and none with the row's own total."""
    noisy = np.random.default_rng(0).normal(size=(200_000, 4)) * 60 + [0, 0, 0, 10_000]
    cut, kept = np.where(noisy < 60, 0, noisy).sum(axis=1) - 10_000, plausible_counts(noisy).sum(axis=1) - 10_000
    assert cut.mean() == pytest.approx(page["too_many"], abs=6 * cut.std() / np.sqrt(200_000)) and abs(kept.mean()) < 6 * kept.std() / np.sqrt(200_000)
