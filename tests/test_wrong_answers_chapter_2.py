"""Chapter 2's page of exercises: wrong answers of a typical kind are told which mistake they are, and right ones in other forms pass."""

from fractions import Fraction
from itertools import product

import numpy as np
from scipy.optimize import isotonic_regression

from privrl_core.policy_evaluation import shrunken_values
from privrl_core.privacy import gaussian_epsilon, gaussian_mu
from privrl_core.world import recovery_chain

PAGE = "chapters/02_policy_evaluation/06_exercises"
SIGMA = np.sqrt(40) / gaussian_mu(1, 1e-5)


def means(visits, sums):
    return np.append((sums / np.maximum(visits, 1))[:-1], 0)


def cautious(visits, sums):
    return shrunken_values(visits, sums, return_bound=1.0, noise_scale=SIGMA)


def increasing(values, weights):
    return np.append(isotonic_regression(values[:-1], weights=np.maximum(weights[:-1], 1)).x, 0)


def by_hand(visits, sums):
    """Neighbours in the wrong order become one block with their mean, until all are in order."""
    blocks = []
    for value, weight in zip(cautious(visits, sums)[:-1], np.maximum(visits[:-1], 1)):
        blocks.append([value, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (v, w, n), (u, x, m) = blocks[-2:]
            blocks[-2:] = [[(v * w + u * x) / (w + x), w + x, n + m]]
    return [value for value, _, n in blocks for _ in range(n)] + [0.0]


WRONG = [
    ("counts", 30, "the L1 norm"),
    ("counts", np.sqrt(60), "no count by more than 1"),
    ("counts", np.sqrt(40), "Thirty of them are released"),
    ("counts", 1, "That is one count"),
    ("counts", 60, "By how much can one patient"),
    ("curve", 0.5, "μ is not ε"),
    ("curve", 0.5 * np.sqrt(2 * np.log(1.25e6)), "the classical formula"),
    ("curve", lambda: gaussian_epsilon(1e-5, 0.5), "for δ = 10⁻⁵"),
    ("curve", lambda: gaussian_epsilon(1e-6, 1), "That is for μ = 1"),
    ("curve", 2.753, "by Rényi divergences"),
    ("curve", 1e-6, "wants δ first"),
    ("short_visits", 5, "one patient's five stages"),
    ("short_visits", 20, "at most 1"),
    ("short_visits", np.sqrt(10), "Asked for is its square"),
    ("short_visits", 25, "not squared"),
    ("short_visits", 40, "without the limit"),
    ("what_is_free", [0, 0, 0, 0, 0], "Both are public"),                             # the example of the cell
    ("what_is_free", [0, 1, 0, 1, 0], "a quotient"),
    ("what_is_free", [1, 1, 1, 1, 0], "from 49 visitors to 50"),
    ("what_is_free", [1, 1, 0, 1, 1], "computed from exact averages"),
    ("what_is_free", [1, 0, 0, 1, 0], "Both are public"),
    ("what_is_free", [1, 1, 0, 0, 0], "released numbers as well"),
    ("what_is_free", [1, 2, 4], "5 numbers are asked for"),
    ("what_is_free", [2, 1, 0, 1, 0], "and no record"),
    ("smoothed_pair", 0.3727, "the local sensitivity"),
    ("smoothed_pair", 1.0308, "each of them counts with ¾"),
    ("smoothed_pair", 0.4039, "one record away"),
    ("smoothed_pair", 0.4447, "three records away"),
    ("smoothed_pair", 0.5625, "The second stage moves"),
    ("smoothed_pair", 0.6105, "each stage for itself"),
    ("smoothed_pair", 0.4349, "two replaced records"),
    ("own_data", 34, "one too few"),
    ("own_data", 10, "one record away"),
    ("own_data", 9, "a discount of ¾"),
    ("own_data", 25, "than in proportion"),
    ("own_data", 36, "One fewer"),
    ("own_data", 544, "v − 1 records away"),
    ("enough_visitors", 240, "the sum alone"),
    ("enough_visitors", 180, "the count alone"),
    ("enough_visitors", 420, "in their squares"),
    ("enough_visitors", 339.4, "only 0.75 times"),
    ("enough_visitors", 90_000, "You have squared."),
    ("enough_visitors", 6_000, "squared the 0.05"),
    ("two_errors", 25_000, "Privacy's part falls faster"),
    ("two_errors", 5_000, "one over the number"),
    ("two_errors", 9_000, "ignorance alone"),
    ("two_errors", 4_000, "privacy alone"),
    ("two_errors", 13_000, "the same patients"),
    ("two_errors", 16_000, "privacy's part fall"),
    ("average", ([0.5, 0.7], [0.5, 0.2]), "As many visitors in both"),                # the example of the cell
    ("average", ([0.5, 0.7], [0.5]), "as many patients in both"),
    ("average", ([0.5, 0.7], [0.2, None]), "differ in more than one patient"),
    ("average", ([0.5], [None]), "somebody must visit"),
    ("average", ([0.5, 1.7], [0.5, None]), "between 0 and 1"),
    ("average", ([0.5] * 40, [0.5] * 39 + [None]), "the widths differ too little"),
    ("every_visit", 1, "with first visits"),
    ("every_visit", 200, "fewer than 0 times"),
    ("every_visit", 2.5, "over all stages"),
    ("every_visit", 10, "No root"),
    ("every_visit", 141.4, "One count moves here"),
    ("every_visit", 4_000, "How often can a trajectory"),
    ("add_or_remove", np.linalg.inv([[2, 1], [1, 1]]), "M or its inverse"),
    ("add_or_remove", np.eye(2) * 3, "its determinant is 9"),
    ("add_or_remove", np.array([[4, 2], [2, 4]]) / 3, "its determinant is 1.333"),    # of the hexagon
    ("add_or_remove", [[2, 1], [0, 1]], "symmetric"),
    ("add_or_remove", [[1, 1], [1, 1]], "positive definite"),
    ("add_or_remove", [2, 1], "two rows"),
    ("smoothing", lambda: lambda visits, sums: recovery_chain().policy_values(np.ones((40, 1))), "the same of two clinics"),    # the truth
    ("smoothing", lambda: lambda visits, sums: np.linspace(0.4, 1, 40), "the same of two clinics"),
    ("smoothing", lambda: means, "Whose values are trustworthy"),                     # the release as it is
    ("smoothing", lambda: cautious, "Whose values are trustworthy"),                  # the package itself
    ("smoothing", lambda: lambda visits, sums: np.append(np.maximum.accumulate(means(visits, sums)[:-1]), 0), "Whose values are trustworthy"),
    ("smoothing", lambda: lambda visits, sums: np.sort(means(visits, sums)), "Whose values are trustworthy"),
    ("smoothing", lambda: lambda visits, sums: means(visits, sums)[:-1], "Forty values, please"),
    ("break_even", 413_000**0.5, "no root is missing"),
    ("break_even", 1 / 413_000, "The other way round"),
    ("break_even", 1_133_000, "independent noise on counts and sums"),
    ("break_even", 506_000, "The noise of the sums alone"),
    ("break_even", 5_000_000, "over m, the other"),
    ("hint", np.array([[4, 2], [2, 4]]) / 3, "where the book's M has 1.213"),       # the theorem's own
    ("hint", [[1, 0.5], [0.2, 1]], "symmetric"),
    ("hint", np.eye(2) / 2, "A corner of the hexagon lies outside"),
    ("hint", [[1, 1], [1, 1]], "positive definite"),
    ("hint", np.eye(2) * 2, "Gain a tenth at least"),
    ("hint", [1, 0.9], "two rows"),
]

RIGHT = [
    ("counts", np.sqrt(120) / 2), ("counts", 5.477), ("counts", np.float32(5.4772)),
    ("curve", lambda: gaussian_epsilon(1e-6, 0.5)), ("curve", lambda: round(gaussian_epsilon(1e-6, 0.5), 2)), ("curve", lambda: np.float32(gaussian_epsilon(1e-6, 0.5))),
    ("short_visits", 10), ("short_visits", 10.0), ("short_visits", np.sqrt(10) ** 2),
    ("what_is_free", (True, True, False, True, False)), ("what_is_free", np.array([1, 1, 0, 1, 0])), ("what_is_free", [1.0, 1.0, 0.0, 1.0, 0.0]),
    ("smoothed_pair", 0.58), ("smoothed_pair", 9 / 16 * np.sqrt(17 / 16)), ("smoothed_pair", np.float32(0.57979)),
    ("own_data", 35), ("own_data", 35.0), ("own_data", np.int64(35)),
    ("enough_visitors", 300), ("enough_visitors", Fraction(15 * 20)), ("enough_visitors", 12 * np.hypot(1, 0.75) / 0.05),
    ("two_errors", 10_521), ("two_errors", 10_500), ("two_errors", lambda: np.roots([1e-4, -0.9, -1_600]).max()),
    ("average", ([0.0, 1.0], [0.0, None])), ("average", ([0.0, None], [0.0, 1.0])), ("average", ([0.5, 0.5, None], [0.5, None, None])),
    ("every_visit", 100), ("every_visit", 99), ("every_visit", np.float64(100)),
    ("add_or_remove", [[2, 1], [1, 1]]), ("add_or_remove", np.array([[2.0, 1.0], [1.0, 1.0]])), ("add_or_remove", ((2, 1), (1, 1.0005))),
    ("smoothing", lambda: by_hand), ("smoothing", lambda: lambda visits, sums: increasing(cautious(visits, sums), visits)),
    ("smoothing", lambda: lambda visits, sums: list(np.clip(increasing(cautious(visits, sums), np.ones(40)), 0, 1))),
    ("break_even", 413_000), ("break_even", np.int64(415_000)), ("break_even", 4.1e5),
    ("hint", np.linalg.inv([[1, -0.9], [-0.9, 1]])), ("hint", [[4.9, 4.4], [4.4, 5.0]]), ("hint", lambda: np.linalg.inv([[1, -0.9], [-0.9, 1]]).tolist()),
]


def test_numbers_of_the_core_are_found_in_a_second_way(page):
    """Smooth sensitivity over all data sets, in place of those on the way to the last visitor; the error by simulation."""
    pairs = product(range(1, 4), range(1, 7))
    assert np.isclose(page["smooth_sensitivity"], max(0.75 ** max(3 - v, 6 - w) * np.hypot(1 / v, 1 / w) for v, w in pairs))
    rng = np.random.default_rng(2)
    several = np.array([1_000, page["patients_needed"]])
    found = [np.std(0.03 * np.sqrt(1_000) * rng.standard_normal(100_000) / np.sqrt(m) + 40 * rng.standard_normal(100_000) / m) for m in several]
    assert np.allclose(found, [0.05, 0.01], rtol=0.01)


def test_the_events_of_a_proof_have_these_probabilities(page):
    """How likely the mean of squares errs is below Chebyshev's bound, and a number far out is as likely as the proof says."""
    rng = np.random.default_rng(3)
    z = rng.standard_normal((20_000, 40)) ** 2
    assert np.mean(z.mean(axis=1) >= 2) <= 2 / 40 and np.mean(4 * z.mean(axis=1) < 2) <= 8 / 40
    assert np.allclose([2 * page["norm"].sf(1), 2 * page["norm"].sf(2)], [0.3173, 0.0455], atol=5e-5) and 0.3173 - np.e * 0.0455 > 0.19
