"""Chapter 2's page of exercises: wrong answers of a typical kind are told which mistake they are, and right ones in other forms pass."""

import numpy as np
import pytest

from privrl_core.privacy import gaussian_epsilon


@pytest.fixture(scope="module")
def page(names_after_all_cells):
    return names_after_all_cells("chapters/02_policy_evaluation/06_exercises")


def test_every_check_says_the_same_again_when_all_cells_have_run(page):
    """No cell takes a name away that an earlier check needs; `test_course` sees each check once only."""
    answers = dict(counts="sensitivity_of_counts", curve="epsilon_of_colleague", short_visits="largest_squared_length", average="two_neighbours",
                   every_visit="largest_change_of_a_count", add_or_remove="ellipse_add_remove", smoothing="smooth",
                   break_even="patients_to_break_even", hint="ellipse_with_hint")
    assert {name: page[name].check(page[answer]).data for name, answer in answers.items()} == dict.fromkeys(answers, "✓ **Right.**")


@pytest.mark.parametrize("exercise, answer, says", [
    ("counts", 40, "the L1 norm"),
    ("counts", np.sqrt(80), "no count by more than 1"),
    ("counts", 1, "That is one count"),
    ("curve", 0.5, "μ is not ε"),
    ("curve", 0.5 * np.sqrt(2 * np.log(1.25e6)), "the classical formula"),
    ("curve", gaussian_epsilon(1e-5, 0.5), "for δ = 10⁻⁵"),
    ("short_visits", 5, "one patient's five stages"),
    ("short_visits", 20, "at most 1"),
    ("short_visits", np.sqrt(10), "Asked for is its square"),
    ("short_visits", 40, "without the limit"),
    ("average", ([0.5, 0.7], [0.5, 0.2]), "As many visitors in both"),                # the example of the cell
    ("average", ([0.5, 0.7], [0.5]), "as many patients in both"),
    ("average", ([0.5, 0.7], [0.2, None]), "differ in more than one patient"),
    ("average", ([0.5], [None]), "somebody must visit"),
    ("average", ([0.5, 1.7], [0.5, None]), "between 0 and 1"),
    ("average", ([0.5] * 40, [0.5] * 39 + [None]), "the widths differ too little"),
    ("every_visit", 1, "with first visits"),
    ("every_visit", 200, "fewer than 0 times"),
    ("every_visit", 2.5, "over all stages"),
    ("add_or_remove", np.linalg.inv([[2, 1], [1, 1]]), "M or its inverse"),
    ("add_or_remove", np.eye(2) * 3, "its determinant is 9"),
    ("add_or_remove", [[2, 1], [0, 1]], "symmetric"),
    ("add_or_remove", [[1, 1], [1, 1]], "positive definite"),
    ("break_even", 413_000**0.5, "no root is missing"),
    ("break_even", 1 / 413_000, "The other way round"),
    ("hint", np.array([[4, 2], [2, 4]]) / 3, "where the theorem's M has 1.213"),       # the theorem's own
    ("hint", [[1, 0.5], [0.2, 1]], "symmetric"),
    ("hint", np.eye(2) / 2, "A corner of the hexagon lies outside"),
])
def test_a_typical_mistake_is_named(page, exercise, answer, says):
    said = page[exercise].check(answer).data
    assert said.startswith("✗") and says in said, said


def test_nothing_but_the_release_may_be_used_to_smooth_it(page):
    """The truth and the raw means of this clinic are wrong in another; the noisy means are too rough here."""
    exact = page["patients"].return_sums / page["patients"].visits
    for known in (page["values"], exact, np.append(np.sort(exact[:-1]), 0)):
        assert "Your function knows something besides the release" in page["smoothing"].check(lambda visits, sums, known=known: known).data
    assert "Whose values are trustworthy" in page["smoothing"].check(lambda visits, sums: sums / np.maximum(visits, 1)).data
    assert page["smoothing"].check(lambda visits, sums: page["shrunken_values"](
        visits, sums, return_bound=1.0, noise_scale=1e-9)).data.startswith("✗")


@pytest.mark.parametrize("exercise, answer", [
    ("counts", 2 * np.sqrt(10)), ("counts", 6.32), ("counts", np.float32(6.3246)),
    ("average", ([0.0, 1.0], [0.0, None])), ("average", ([0.0, None], [0.0, 1.0])), ("average", ([0.5, 0.5, None], [0.5, None, None])),
    ("every_visit", 100), ("every_visit", 99), ("every_visit", 100.0),
    ("add_or_remove", [[2, 1], [1, 1]]), ("add_or_remove", np.array([[2.0, 1.0], [1.0, 1.0]])),
    ("hint", np.linalg.inv([[1, -0.9], [-0.9, 1]])), ("hint", [[4.9, 4.4], [4.4, 5.0]]),
])
def test_right_answers_in_other_forms_pass(page, exercise, answer):
    assert page[exercise].check(answer).data == "✓ **Right.**"
