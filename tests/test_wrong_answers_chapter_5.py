"""Chapter 5's page of exercises: wrong answers of a typical kind are told which mistake they are, and what the answers are by."""

import numpy as np
import pytest

from privrl_core.online import LeastLargest, SquareRoot, growing, plausible_counts, square_root_coefficients
from privrl_core.privacy import gaussian_epsilon, gaussian_mu


@pytest.fixture(scope="module")
def page(names_after_all_cells):
    return names_after_all_cells("chapters/05_online/10_exercises")


def test_every_check_says_the_same_again_when_all_cells_have_run(page):
    """No cell takes a name away that an earlier check needs; `test_course` sees each check once only."""
    answers = dict(two_tables="how_far", last_sum="of_the_last_sum", levels="scale_of_a_block", invented="too_many", fresh_noise="epsilon_of_a_hundred",
                   trigger="two_streams", own_batch="my_audit", one_noise="read_a_report", comes_twice="factor_of_two_stays", better_mixing="my_mixing")
    assert {name: page[name].check(page[answer]).data for name, answer in answers.items()} == dict.fromkeys(answers, "✓ **Right.**")


MU = float(gaussian_mu(1.0, 1e-5))
PLUS, MINUS = np.array([1] + 39 * [-1]), np.array(40 * [-1])
ROOT = np.array([[square_root_coefficients(16)[i - j] if i >= j else 0.0 for j in range(16)] for i in range(16)])


@pytest.mark.parametrize("exercise, answer, says", [
    ("two_tables", np.sqrt(40), "tables with a cell for each day"),            # √(2Hf) for pooled tables
    ("two_tables", np.sqrt(20), "one of the two doublings missing"),
    ("two_tables", 10 * np.sqrt(2), "A factor √2 is missing"),                 # one family, or one stay
    ("two_tables", 10, "what one stay adds to one table"),
    ("two_tables", 40, "the L1 norm"),
    ("two_tables", 3, "puts all its days into one cell"),
    ("last_sum", np.sum(square_root_coefficients(20_000) ** 2) / MU, "What is added up here are batches"),
    ("last_sum", np.sum(square_root_coefficients(15) ** 2) / MU, "Count the batches once more"),
    ("last_sum", np.linalg.norm(square_root_coefficients(16)) / MU, "One s is missing"),
    ("last_sum", 4 / MU, "the plain sum of 16 noisy batches"),
    ("last_sum", 1 / MU, "That is one release"),
    ("last_sum", np.sum(square_root_coefficients(16) ** 2), "Divide by μ"),
    ("levels", 28, "14 levels are one too few"),
    ("levels", 15, "Each of them has 0.5/15 to spend"),
    ("levels", 7.5, "You have multiplied by ε"),
    ("levels", 14, "neither the number of levels nor the scale"),
    ("levels", 2**15, "noise on every count"),
    ("levels", 30 * np.sqrt(2), "the standard deviation of the noise"),
    ("invented", 23.94, "one empty cell"),
    ("invented", 95.75, "its noise is hardly ever cut off"),
    ("invented", 90, "their mean is not the standard deviation"),
    ("invented", 143.6, "Those below 0 become 0"),
    ("invented", 103.9, "That is a standard deviation"),
    ("invented", 0, "What is the mean of max(z, 0)"),
    ("fresh_noise", 1, "a hundred noisy copies of the same count"),
    ("fresh_noise", 100, "valid, but not exact"),
    ("fresh_noise", 10, "it multiplies μ, and not ε"),
    ("fresh_noise", 2.6805, "That is μ"),
    ("fresh_noise", gaussian_epsilon(1e-5, 100 * MU), "their squares add up"),
    ("trigger", ([1, 0, 1], [1, 1]), "Two lists of the same length"),
    ("trigger", ([1, 2], [1, 0]), "Outcomes are 0 or 1"),
    ("trigger", ([1, 0, 1], [0, 1, 1]), "They differ in 2 patients"),
    ("trigger", ([1, 1, 1], [1, 1, 0]), "All publications come at the same times"),
    ("trigger", ([1, 1, 1, 1], [0, 1, 1, 1]), "Only 3 of the times are different"),
    ("own_batch", ([1, -1], [-1, -1], lambda board, treatments: True), "Two lists of 40 votes"),
    ("own_batch", (PLUS, -PLUS, lambda board, treatments: True), "differ in the first vote, Anna's, and in no other"),
    ("own_batch", (PLUS, MINUS, lambda board, treatments: False), "Your event never happens"),
    ("own_batch", (PLUS, MINUS, lambda board, treatments: True), "Your event always happens"),
    ("own_batch", (PLUS, MINUS, lambda board, treatments: treatments[0] > 0), "possible in one of the two worlds only"),
    ("one_noise", lambda report: report, "must return the number of a cell"),
    ("one_noise", lambda report: 3, "A guess is right for one in twelve"),
    ("one_noise", 3, "`TypeError: 'int' object is not callable`"),
    ("comes_twice", 2, "two stays in batch 1"),
    ("comes_twice", np.sqrt(2), "independent noises on single batches"),
    ("comes_twice", np.sqrt(3.25), "how far she moves the two noisy numbers"),
    ("comes_twice", 1.5, "The second number moves by 1.5"),
    ("comes_twice", np.sqrt(2.25 / 1.25), "first add, then square"),
    ("better_mixing", np.eye(3), "16 rows and 16 columns"),
    ("better_mixing", np.ones((16, 16)), "lower triangular"),
    ("better_mixing", np.diag(np.r_[0, np.ones(15)]), "must be invertible"),
    ("better_mixing", np.eye(16), "the square root has 1.944"),
    ("better_mixing", ROOT, "the square root has 1.944"),
    ("better_mixing", "half way", "better than the square root"),
])
def test_a_typical_mistake_is_told(page, exercise, answer, says):
    if isinstance(answer, str):
        best = page["my_mixing"] * np.sign(np.diag(page["my_mixing"]))
        answer = ROOT / np.linalg.norm(ROOT[-1]) + best / np.linalg.norm(best[-1])
    said = page[exercise].check(answer).data
    assert said.startswith("✗ **Not yet.** ") and says in said and ("TypeError" in says or "the check ends in" not in said)


def test_the_answers_are_those_of_the_core(page):
    """Formulas by hand on the page, and the package's own objects."""
    assert page["factor_of_two_stays"] == pytest.approx(SquareRoot(2).moved([0, 1])[1] / SquareRoot(2).column_l2, abs=1e-12)
    assert page["largest_error"](page["my_mixing"]) == pytest.approx(LeastLargest(16).errors().max() * LeastLargest(16).column_l2, rel=1e-6)
    assert page["largest_error"](ROOT) == pytest.approx(SquareRoot(16).errors()[-1] * SquareRoot(16).column_l2, abs=1e-12)
    assert SquareRoot(25).moved([0, 1])[1] / SquareRoot(25).column_l2 == pytest.approx(1.84, abs=0.005) and growing(20_000, first=300, growth=0.2).size == 25


def test_cut_off_cells_invent_as_many_visits_as_the_solution_says(page):
    """200,000 rows: the mean of three cut-off cells, within six standard errors; and none with the row's own total."""
    noisy = np.random.default_rng(0).normal(size=(200_000, 4)) * 60 + [0, 0, 0, 10_000]
    cut, kept = np.maximum(noisy, 0).sum(axis=1) - 10_000, plausible_counts(noisy).sum(axis=1) - 10_000
    assert cut.mean() == pytest.approx(page["too_many"], abs=6 * cut.std() / np.sqrt(200_000)) and abs(kept.mean()) < 6 * kept.std() / np.sqrt(200_000)
