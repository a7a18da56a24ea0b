"""Chapter 3's page of exercises: wrong answers of a typical kind are told which mistake they are, and right ones in other forms pass."""

from fractions import Fraction

import numpy as np
from pairs import ROOT
from scipy.optimize import linprog
from scipy.special import expit

from privrl_core.functional_noise import PiecewiseLinear, rkhs_norm, sample_ou
from privrl_core.privacy import chain_success_ceiling, gaussian_mu

PAGE = "chapters/03_functional_noise/06_exercises"
PLACES = np.arange(1, 101) / 100
SHARED = np.minimum(PLACES[:, None], PLACES)
VARIANCE = (0.1 / gaussian_mu(0.9, 1e-4)) ** 2


def flat(value):
    return PiecewiseLinear([0, 1], [value, value])


def zigzag(teeth, height):
    knots = np.linspace(0, 1, teeth + 1)
    return PiecewiseLinear(knots, height * (-1.0) ** np.arange(teeth + 1))


def path(beta, variance):
    return variance * np.exp(-beta * np.abs(PLACES[:, None] - PLACES))


def at_two_ends(ask):
    return np.mean([ask(end) for _ in range(500) for end in (0.0, 1.0)])


def at_three(ask):
    return np.median([ask(x) for _ in range(333) for x in (0, 1.0, 0.5)])


def less_the_tent(ask):
    return float(np.float32(sum(ask(x) + abs(x - 0.5) for x in 500 * [0.05, 0.95])))


def with_laplace(reward):
    contrast = reward(0.5) - (reward(0.0) + reward(1.0)) / 2
    tail = np.exp(-abs(contrast) * 0.9) / 2
    return 1 - tail if contrast > 0 else tail


WRONG = [
    ("between", (0.0, 0.5), "Which weight belongs to whom"),                               # the example of the cell
    ("between", (-0.0527, 0.2), "the *nearer* neighbour counts more"),
    ("between", (0.3275, 0.2686), "forgets the neighbour on the right"),
    ("between", (0.1207, 0.2686), "σ does not multiply them again"),
    ("between", (0.2412, 0.5), "if nothing were known"),
    ("between", (0.2412, 0.1448), "takes a root before"),
    ("between", (0.2414, 0.0722), "That is the variance"),
    ("between", 0.2414, "2 numbers are asked for"),
    ("wavy", 18, "takes the square of the norm for the norm"),
    ("wavy", 5, "Round down, and see whether your norm holds h²"),
    ("wavy", 2, "It holds for *all* such functions"),
    ("wavy", 4.87, "The squared norm is an integral"),
    ("wavy", 3, "The squared norm is an integral"),
    ("tried", 0.9, "as if nothing else had read the reward"),
    ("tried", 3.15, "there is an exact way"),
    ("tried", 1.35, "there were three trainings"),
    ("tried", 1.04, "That counts one training"),
    ("tried", 1.68, "chose the winner"),
    ("tried", np.sqrt(0.45**2 + 3 * 0.9**2), "squares of μ add up"),
    ("one_subtraction", 0.05, "The future is discounted"),
    ("one_subtraction", 0.5525, "whatever it did before"),
    ("one_subtraction", 0.44, "not equally likely"),
    ("one_subtraction", 0.47375, "tosses no coin"),
    ("one_subtraction", 0.495, "The step is one of heating"),
    ("one_subtraction", 0.26, "may leave 20 °C"),
    ("one_subtraction", 3.5, "plus γ times the mean"),
    ("more_steps", 8_192, "One step in ten is near there"),
    ("more_steps", 40_960, "asks the path twice"),
    ("more_steps", 163_840, "the squares add up"),
    ("more_steps", 905, "one over the root"),
    ("more_steps", 819, "That is for σ = 0.32"),
    ("too_large", 0.05, "one step fewer"),
    ("too_large", 10, "a number of steps"),
    ("too_large", 9, "a number of steps"),
    ("too_large", 1 / 9, "½ apart"),
    ("too_large", 0.1, "two further steps"),
    ("too_large", 0.5, "are there fewer"),
    ("to_the_ends", 0.1932, "the noise of one place"),
    ("to_the_ends", 0.3085, "by one half each"),
    ("to_the_ends", 0.3325, "added up standard deviations"),
    ("to_the_ends", 0.1103, "Which σ does this take"),
    ("to_the_ends", 0.76, "the probability of the middle"),
    ("to_the_ends", 0.2266, "on the contrast itself"),
    ("places_or_curve", 15, "left out the ends"),
    ("places_or_curve", 2.875, "over 8 °C"),
    ("places_or_curve", 8.5, "one of the two integrals"),
    ("places_or_curve", 4, "like the root of K"),
    ("places_or_curve", 17, "already the better one"),
    ("steep", lambda: (PiecewiseLinear([0, 1], [0, 2]), flat(0)), "A slope of 2 is too steep"),
    ("steep", lambda: (PiecewiseLinear([0, 1], [0, 1]), flat(0)), "they are 1 apart"),
    ("steep", lambda: (flat(0.1), flat(0)), "times what the proof allows"),
    ("steep", lambda: (zigzag(20, 0.025), flat(0)), "times what the proof allows"),
    ("steep", lambda: (zigzag(20, 0.05), flat(0)), "A slope of 2 is too steep"),
    ("high", 0.01, "what the proof believes"),
    ("high", 0.5, "How fine is your grid?"),
    ("high", 0.11, "that *keep* the conclusion"),
    ("high", 0.87, "How fine is your grid?"),
    ("high", 0.75, "How fine is your grid?"),
    ("high", 2, "`np.ptp` is"),
    ("optimist", 0.9 * 0.32 / np.sqrt(np.pi), "what one update adds"),
    ("optimist", 0.1805, "the larger of two normals. How"),
    ("optimist", 1.805, "discounted once more"),
    ("optimist", 3.39, "a bound on the mean"),
    ("optimist", 0, "when it has settled"),
    ("smooth", lambda: 0.01 * np.eye(100), "independent from place to place cannot be made so small"),
    ("smooth", lambda: np.sqrt(VARIANCE) * SHARED, "A covariance takes its square"),
    ("smooth", lambda: path(np.sqrt(3), 1.08 * VARIANCE), "as wide near 0"),           # the path of the chapter, at its best β
    ("smooth", lambda: 1.8 * VARIANCE * SHARED, "from one place to the next?"),
    ("smooth", lambda: 0.5 * VARIANCE * SHARED, "What is the largest norm"),
    ("smooth", lambda: np.exp(-50 * (PLACES[:, None] - PLACES) ** 2), "a kink is not one"),
    ("smooth", lambda: np.eye(3), "a symmetric 100 × 100 matrix"),
    ("servers", lambda: ("D", at_two_ends), "are called A, B and C"),
    ("servers", lambda: ("A", at_two_ends), "that proves ε ≥ "),                           # with this seed the audit clears them
    ("servers", lambda: ("B", at_two_ends), "Has this server ever given you two answers"),
    ("servers", lambda: ("A", lambda ask: [ask(0.5) for _ in range(1001)]), "more than 1,000 times"),
    ("servers", lambda: ("C", lambda ask: ask(0.5)), "use all your questions"),
    ("servers", lambda: ("C", lambda ask: np.mean([ask(0.5) for _ in range(1000)])), "use all your questions"),
    ("best_coin", lambda: lambda reward: 0.711, "It does not look at the reward"),
    ("best_coin", lambda: lambda reward: float(reward(0.5) > reward(0.0)), "ε is infinite"),
    ("best_coin", lambda: lambda reward: 0.8 if reward(0.5) > reward(0.0) else 0.2, "told apart with ε = 1.39"),
    ("best_coin", lambda: with_laplace, "only compared with zero wastes"),
    ("best_coin", lambda: lambda reward: 1.5, "between 0 and 1"),
    ("crease", lambda: lambda x, y: np.exp(-np.abs(x - y).sum(axis=-1)), "no limit in sight"),
    ("crease", lambda: lambda x, y: np.exp(-np.linalg.norm(x - y, axis=-1)), "a little rougher"),
    ("crease", lambda: lambda x, y: np.exp(-((x - y) ** 2).sum(axis=-1)), "too smooth in some direction"),
    ("crease", lambda: lambda x, y: 1 - np.linalg.norm(x - y, axis=-1), "a little rougher"),
    ("crease", lambda: lambda x, y: 1 - 3 * np.linalg.norm(x - y, axis=-1), "an eigenvalue is negative"),
    ("crease", lambda: lambda x, y: 2 * np.exp(-np.linalg.norm(x - y, axis=-1) ** 0.5), "symmetric and K(x, x) = 1"),
]

RIGHT = [
    ("between", [0.2414, 0.2686]), ("between", np.array([0.2414, 0.2686])), ("between", (np.float32(0.241406), 0.2690)),
    ("wavy", 4), ("wavy", 4.0), ("wavy", np.int64(4)),
    ("tried", 1.77), ("tried", np.float32(1.7716)), ("tried", 1.765),
    ("one_subtraction", 0.395), ("one_subtraction", Fraction(79, 200)), ("one_subtraction", np.float32(0.395)),
    ("more_steps", 81_920), ("more_steps", 82_000), ("more_steps", 20 * 64.0**2),
    ("too_large", 1 / 18), ("too_large", 0.0556), ("too_large", Fraction(1, 18)),
    ("to_the_ends", 0.24), ("to_the_ends", expit(-1.1542)), ("to_the_ends", np.float32(0.23975)),
    ("places_or_curve", 16), ("places_or_curve", 16.0), ("places_or_curve", Fraction(64, 4)),
    ("steep", lambda: (zigzag(10, 0.05), zigzag(10, -0.05))), ("steep", lambda: [zigzag(12, 1 / 24), zigzag(12, -1 / 24)]),
    ("steep", lambda: (zigzag(40, 0.0125), zigzag(40, -0.0125))),
    ("high", 0.94), ("high", np.float64(0.9)), ("high", Fraction(19, 20)),
    ("optimist", 1.625), ("optimist", 2.88 / np.sqrt(np.pi)), ("optimist", np.float32(1.63)),
    ("smooth", lambda: VARIANCE * SHARED), ("smooth", lambda: (1.2 * VARIANCE * SHARED).tolist()),
    ("smooth", lambda: VARIANCE / 100 * np.tril(np.ones((100, 100))) @ np.triu(np.ones((100, 100)))),
    ("servers", lambda: ("C", at_two_ends)), ("servers", lambda: ["C", at_three]), ("servers", lambda: ("C", less_the_tent)),
    ("best_coin", lambda: lambda reward: expit(0.9) if reward(0.5) > reward(0.0) / 2 + reward(1.0) / 2 else 1 - expit(0.9)),
    ("best_coin", lambda: lambda reward: expit(0.9 * np.sign(reward(0.5) - reward(0.0)))),
    ("best_coin", lambda: lambda reward: np.float64(0.5 + (expit(0.9) - 0.5) * (-1) ** (reward(0.5) < reward(1.0)))),
    *(("crease", lambda roughness=roughness: lambda x, y: np.exp(-np.linalg.norm(x - y, axis=-1) ** roughness)) for roughness in (0.3, 0.5, 0.75, 0.9)),
]


def test_the_table_of_the_servers_is_what_they_answered(page):
    """The page must not compute it where students read: this would tell which server forgets."""
    source = (ROOT / f"{PAGE}.py").read_text("utf-8").split("# | asked at | A | B | C |\n")[1].split("\n#\n")[0]
    table = [line[4:-2].replace("−", "-").split(" | ") for line in source.split("\n")[1:]]
    asked = zip(page["asked_at"], *page["first_look"].values())
    assert table == [[f"{at:g}", *(f"{answer:.2f}" for answer in answers)] for at, *answers in asked]
    assert [first == last for first, last in zip(table[0][1:], table[-1][1:])] == [True, True, False]


def test_numbers_of_the_core_are_found_in_a_second_way(page):
    """The ceiling by the core; the norm by the core, for differences that reach what the exercise allows; a shift as a proof has it."""
    eta = page["smallest_eta"]
    assert chain_success_ceiling(0.5, 0.0, round(0.5 / eta)) < 0.95 < chain_success_ceiling(0.5, 0.0, round(0.5 / eta) + 1)
    beta, knots = 8 * 0.0375 / 0.02, np.linspace(0, 1, 4_001)                              # on [0, 1]
    for wave in (0.02 * np.cos(0.3 / 0.02 * knots), np.full(4_001, 0.02), np.clip(0.3 * (knots - 0.5), -0.02, 0.02)):
        assert rkhs_norm(PiecewiseLinear(knots, wave), beta) ** 2 <= page["number_of_places"] * 0.02**2
    points = np.sort(np.random.default_rng(1).random(30))
    covariance = np.exp(-2 * np.abs(points[:, None] - points))
    mu = np.sqrt(np.ones(30) @ np.linalg.solve(covariance, np.ones(30)))
    assert np.isclose(mu**2, 1 + np.tanh(np.diff(points)).sum()) and mu**2 <= 1 + 2 * 1 / 2


def test_the_bounds_of_two_proofs_hold(page):
    """Over one reward in between, no private learner succeeds more often; noise in a reward costs no more than the bound."""
    raised = np.exp(0.9)
    conditions, bounds = [], []
    for p, q in ((0, 1), (1, 0), (1, 2), (2, 1)):
        for sign in (1, -1):                                                                # middle, and not middle
            row = np.zeros(3)
            row[p], row[q] = sign, -sign * raised
            conditions.append(row)
            bounds.append(0 if sign == 1 else raised - 1)
    best = linprog([-0.5, 0, 0.5], A_ub=conditions, b_ub=bounds, bounds=(0, 1))
    assert np.isclose(0.5 - best.fun, 1 - np.exp(-0.9) / 2)
    g = sample_ou(np.tile([0.1, 0.5, 0.6], (40_000, 1)), 2, 1, np.random.default_rng(4))
    assert np.allclose(g.T @ g / 40_000, np.exp(-2 * np.abs(np.subtract.outer([0.1, 0.5, 0.6], [0.1, 0.5, 0.6]))), atol=0.02)


def test_all_steep_differences_are_hidden_by_steps_and_independent_noise_needs_what_it_has(page):
    """The norm of a difference is largest where it goes on as steeply as it may; every list of steps has the same norm at full slope."""
    inverse, mu = np.linalg.inv(page["covariance"]), page["mu"]
    steps = np.random.default_rng(0).choice([-1, 1], size=(300, 100)) * 0.001
    found = np.cumsum(steps, axis=1)
    assert np.allclose(np.sqrt(np.einsum("ri,ij,rj->r", found, inverse, found)), mu)
    found = np.cumsum(steps * np.random.default_rng(1).random((300, 100)), axis=1)
    assert (np.einsum("ri,ij,rj->r", found, inverse, found) < mu**2).all()
    assert np.isclose(np.linalg.norm(0.1 * PLACES) / np.sqrt(page["independent"][0, 0]), mu)
