"""Chapter 3's page of exercises: wrong answers of a typical kind are told which mistake they are."""

import numpy as np
import pytest

from privrl_core.functional_noise import PiecewiseLinear

PLACES = np.linspace(0, 1, 101)


@pytest.fixture(scope="module")
def page(names_after_all_cells):
    return names_after_all_cells("chapters/03_functional_noise/06_exercises")


def test_every_check_says_the_same_again_when_all_cells_have_run(page):
    """No cell takes a name away that an earlier check needs; `test_course` sees each check once only."""
    answers = dict(between="mean_and_deviation", wavy="waves", tried="epsilon_of_all", steep="two_functions", high="probability_broken",
                   optimist="too_high_by", smooth="covariance", servers="name_and_attack", best_coin="chance_of_middle", crease="kernel")
    assert {name: page[name].check(page[answer]).data for name, answer in answers.items()} == dict.fromkeys(answers, "✓ **Right.**")


def flat(value):
    return PiecewiseLinear([0, 1], [value, value])


def path(beta, variance):
    return variance * np.exp(-beta * np.abs(PLACES[:, None] - PLACES))


@pytest.mark.parametrize("exercise, answer, says", [
    ("between", (-0.0527, 0.2), "the *nearer* neighbour counts more"),
    ("between", (0.2412, 0.5), "if nothing were known"),
    ("between", (0.2412, 0.1448), "takes a root before"),
    ("wavy", 18, "takes the square of the norm for the norm"),
    ("wavy", 5, "Round down, and see whether your norm holds h²"),
    ("wavy", 2, "It holds for *all* such functions"),
    ("tried", 0.9, "as if nothing else had read the reward"),
    ("tried", 3.15, "there is an exact way"),
    ("tried", np.sqrt(0.45**2 + 3 * 0.9**2), "squares of μ add up"),
    ("steep", (PiecewiseLinear([0, 1], [0, 2]), flat(0)), "A slope of 2 is too steep"),
    ("steep", (PiecewiseLinear([0, 1], [0, 1]), flat(0)), "they are 1 apart"),
    ("steep", (flat(0.1), flat(0)), "times what the proof allows"),
    ("high", 0.01, "what the proof believes"),
    ("high", 0.87, "How fine is your grid?"),
    ("optimist", 0.9 * 0.32 / np.sqrt(np.pi), "what one update adds"),
    ("smooth", 0.01 * np.eye(101), "independent from place to place cannot be made smaller"),
    ("smooth", path(10, 0.116), "A covariance takes σ²"),
    ("smooth", path(1, 0.063), "At which β"),
    ("smooth", path(10, 0.005), "What is the largest norm"),
    ("smooth", np.exp(-50 * (PLACES[:, None] - PLACES) ** 2), "a kink is not one"),
    ("servers", ("D", np.mean), "are called A, B and C"),
    ("servers", ("A", lambda ask: [ask(0.5) for _ in range(1001)]), "more than 1,000 times"),
    ("best_coin", lambda reward: 0.711, "It does not look at the reward"),
    ("best_coin", lambda reward: float(reward(0.5) > reward(0.0)), "ε is infinite"),
    ("best_coin", lambda reward: 0.8 if reward(0.5) > reward(0.0) else 0.2, "told apart with ε = 1.39"),
    ("crease", lambda x, y: np.exp(-np.abs(x - y).sum(axis=-1)), "no limit in sight"),
    ("crease", lambda x, y: np.exp(-np.linalg.norm(x - y, axis=-1)), "a little rougher"),
    ("crease", lambda x, y: np.exp(-((x - y) ** 2).sum(axis=-1)), "too smooth in some direction"),
    ("crease", lambda x, y: 1 - np.linalg.norm(x - y, axis=-1), "a little rougher"),
    ("crease", lambda x, y: 1 - 3 * np.linalg.norm(x - y, axis=-1), "an eigenvalue is negative"),
])
def test_a_typical_mistake_is_told(page, exercise, answer, says):
    said = page[exercise].check(answer).data
    assert said.startswith("✗ **Not yet.** ") and says in said and "the check ends in" not in said


def test_the_servers_that_keep_their_promise_are_cleared(page):
    """The bound exceeds a true ε with a probability of at most 0.001 for each, whatever the seed; with this one it does not."""
    broken, attack = page["name_and_attack"]
    for name in set("ABC") - {broken}:
        assert "that proves ε ≥ " in page["servers"].check((name, attack)).data


@pytest.mark.parametrize("roughness", [0.3, 0.5, 0.75, 0.9])
def test_every_kernel_that_holds_creases_is_right(page, roughness):
    assert page["crease"].check(lambda x, y: np.exp(-np.linalg.norm(x - y, axis=-1) ** roughness)).data == "✓ **Right.**"
