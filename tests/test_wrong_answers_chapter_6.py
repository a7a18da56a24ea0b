"""Chapter 6's page of exercises: wrong answers of a typical kind are told which mistake they are, and what the answers are by."""

import numpy as np
import pytest

from privrl_core.networks import one_run_epsilon
from privrl_core.privacy import gaussian_epsilon, gaussian_mu


@pytest.fixture(scope="module")
def page(names_after_all_cells):
    return names_after_all_cells("chapters/06_networks/09_exercises")


def test_every_check_says_the_same_again_when_all_cells_have_run(page):
    """No cell takes a name away that an earlier check needs; `test_course` sees each check once only."""
    answers = dict(three_days="epsilon_for_anna", noise_in_a_step="noise_of_the_mean", turns_round="clipped_sum_of_ten", the_sum="add_up",
                   clip_once="others_and_hers", true_mean="was_she_there", best_of_five="epsilon_of_the_best", replacing="growth_of_sigma",
                   root_two="two_people", refuting="right_guesses")
    assert {name: page[name].check(page[answer]).data for name, answer in answers.items()} == dict.fromkeys(answers, "✓ **Right.**")


MU = float(gaussian_mu(1.0, 1e-5))
STEP = 10 / MU * 0.1 / 1000


def lengths(vectors):
    return np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-300)


@pytest.mark.parametrize("exercise, answer, says", [
    ("three_days", 1, "the promise for one day"),
    ("three_days", 3, "a little too good"),
    ("three_days", gaussian_epsilon(1e-5, np.sqrt(3) * MU), "You have added squares"),
    ("three_days", 3 * MU, "That is μ"),
    ("three_days", gaussian_epsilon(1e-5, 6 * MU), "replaced by three others"),
    ("three_days", 7, "How far do her three days move a sum"),
    ("noise_in_a_step", 1000 * STEP, "the noise in the sum"),
    ("noise_in_a_step", 10 * STEP, "C = 0.1 is missing"),
    ("noise_in_a_step", STEP / 10, "the noise for one step"),
    ("noise_in_a_step", 10 / MU, "That is σ"),
    ("noise_in_a_step", 2 * STEP, "*replace one*"),
    ("noise_in_a_step", 10 / MU * 0.1 / np.sqrt(1000), "noise of her own"),
    ("noise_in_a_step", "much", "`TypeError"),
    ("turns_round", 3, "without clipping"),
    ("turns_round", 1, "You have clipped the sum"),
    ("turns_round", 0, "nine people to 1 in all"),
    ("turns_round", -10, "keeps its sign"),
    ("turns_round", -9, "Anna is still there"),
    ("the_sum", lambda g, C: g.sum(axis=1), "the shape [3, 7]"),
    ("the_sum", lambda g, C: (g * np.minimum(1, C / lengths(g))).sum(axis=(0, 1)), "clipped each step"),
    ("the_sum", lambda g, C: g.sum(axis=(0, 1)), "Nothing is clipped"),
    ("the_sum", lambda g, C: g.sum(axis=(0, 1)) * min(1, C / np.linalg.norm(g.sum(axis=(0, 1)))), "clipped the sum"),
    ("the_sum", lambda g, C: (C * g.sum(axis=1) / lengths(g.sum(axis=1))).sum(axis=0), "stretched short gradients"),
    ("the_sum", lambda g, C: np.clip(g.sum(axis=1), -C, C).sum(axis=0), "clipped each coordinate"),
    ("the_sum", lambda g, C: ((each := g.sum(axis=1)) / (n := np.linalg.norm(each, axis=1, keepdims=True)) * np.minimum(n, C)).sum(axis=0), "divided by zero"),
    ("the_sum", lambda g, C: np.zeros(7), "Add over the steps"),
    ("clip_once", ([1, 0, 0], [0, 1]), "Two numbers for the others"),
    ("clip_once", ([0.1, 0], [1, 0]), "In which direction should Anna push"),
    ("clip_once", ([1, 0], [-1, 5]), "more than C already"),
    ("true_mean", lambda published: 1, "must return True"),
    ("true_mean", lambda published: bool(published.mean() > 0), "The mean itself is the same"),
    ("true_mean", lambda published: bool(published.std() > 0.1 / MU / 9.5), "Turn it round"),
    ("true_mean", 3, "`TypeError: 'int' object is not callable`"),
    ("best_of_five", 1, "The choice looks at all five networks"),
    ("best_of_five", 5, "valid, but not sharp"),
    ("best_of_five", np.sqrt(5), "multiplies μ, and not ε"),
    ("best_of_five", np.sqrt(5) * MU, "That is μ"),
    ("best_of_five", gaussian_epsilon(1e-5, 5 * MU), "the same noise five times"),
    ("replacing", 2, "always enough"),
    ("replacing", 1, "very small rates"),
    ("replacing", np.sqrt(2), "second moments"),
    ("replacing", 0.5285, "the inverse"),
    ("root_two", (np.eye(3), np.eye(3)), "two rows and two columns"),
    ("root_two", ([[1, 0], [0, 0]], [[-1, 0], [0, 0]]), "no negative eigenvalue"),
    ("root_two", ([[2, 0], [0, 0]], [[0, 0], [0, 1]]), "longer than 1"),
    ("root_two", ([[1, 0], [0, 0]], [[0.6, 0], [0, 0.6]]), "Longer is possible"),
    ("refuting", 156, "still below 1"),
    ("refuting", 147, "in nearly half of all audits"),
    ("refuting", 146, "which proves nothing"),
    ("refuting", 101, "a coin reaches it often"),
    ("refuting", 200, "Fewer are enough"),
    ("refuting", 180, "for several numbers"),
])
def test_a_typical_mistake_is_told(page, exercise, answer, says):
    with np.errstate(invalid="ignore"):
        said = page[exercise].check(answer).data
    assert said.startswith("✗ **Not yet.** ") and says in said and ("TypeError" in says or "the check ends in" not in said)


def test_the_audit_needs_as_many_guesses_as_the_solution_says(page):
    enough = page["right_guesses"]
    assert [one_run_epsilon(v, 200, canaries=1000, delta=1e-5) > 1 for v in (enough - 1, enough)] == [False, True]


def test_the_length_of_noise_in_417_coordinates_is_as_told(page):
    """A chi distribution: its mean is √417 standard deviations, within a thousandth."""
    assert page["noise_of_the_mean"] * np.sqrt(417) == pytest.approx(0.076, abs=5e-4)


def test_below_nine_the_clipped_sum_has_the_wrong_sign():
    for clip in (0.5, 1, 8.99, 9.01, 12, 20):
        assert (9 * max(-1, -clip) + min(12, clip) < 0) == (clip < 9)
