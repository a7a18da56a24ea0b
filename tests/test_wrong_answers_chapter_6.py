"""Chapter 6's page of exercises: wrong answers are told which mistake they are, and right ones in other forms pass.

Proofs are marked by hand; each of their schemes adds up to ten points.
"""

from fractions import Fraction

import numpy as np
import pytest
from pairs import ROOT
from scipy.integrate import quad
from scipy.stats import norm

from privrl_core.networks import clipped_drift, one_run_epsilon, sampled_gaussian_epsilon
from privrl_core.privacy import gaussian_delta, gaussian_epsilon, gaussian_mu

PAGE = "chapters/06_networks/09_exercises"
SOURCE = (ROOT / f"{PAGE}.py").read_text("utf-8")

MU = float(gaussian_mu(1.0, 1e-5))
STEP = 10 / MU * 0.1 / 1000
LAYERS, BUDGET = gaussian_epsilon(1e-5, np.sqrt(6) * MU), 8 / np.sqrt(MU**2 - 1 / 64)
WIDTH = 0.1 / MU / 9.5  # of the noise, between that with Anna and that without her


def lengths(vectors):
    return np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-300)


def one_by_one(gradients, C):
    total = [0.0] * gradients.shape[2]
    for person in gradients:
        own = person.sum(axis=0)
        size = np.sqrt(sum(own**2))
        total = [a + b * (C / size if size > C else 1) for a, b in zip(total, own)]
    return total


def by_integral(sigma, q, epsilon):
    """The larger direction, by integration."""
    def out(x):
        without = norm.pdf(x, 0, sigma)
        with_her = (1 - q) * without + q * norm.pdf(x, 1, sigma)
        return np.maximum(with_her - np.exp(epsilon) * without, 0), np.maximum(without - np.exp(epsilon) * with_her, 0)
    return max(quad(lambda x, k=k: out(x)[k], -12 * sigma, 1 + 12 * sigma, limit=500, epsabs=1e-12)[0] for k in (0, 1))


def on_a_grid(sigma, q, epsilon):
    x = np.linspace(-14 * sigma, 1 + 14 * sigma, 400_001)
    without, with_her = norm.pdf(x, 0, sigma), (1 - q) * norm.pdf(x, 0, sigma) + q * norm.pdf(x, 1, sigma)
    return np.trapezoid(np.maximum(with_her - np.exp(epsilon) * without, 0), x)


def amplified(sigma, q, epsilon):
    """q times the δ of a person who is known to be there, at a larger ε."""
    return q * gaussian_delta(np.log1p(np.expm1(epsilon) / q), 1 / sigma)


def the_other_way(sigma, q, epsilon):
    left = 1 - np.exp(epsilon) * (1 - q)
    return left * gaussian_delta(np.log(np.exp(epsilon) * q / left), 1 / sigma) if left > 0 else 0.0


WRONG = [
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
    ("turns_round", 8, "Which gradients are longer than C?"),
    ("table_noise", 13 / MU, "You have counted 169 numbers"),
    ("table_noise", np.sqrt(78) / MU, "the diagonal are missing"),
    ("table_noise", 25, "the table with nine rows"),
    ("table_noise", 91 / MU, "You have added standard deviations"),
    ("table_noise", np.sqrt(91), "and not C"),
    ("table_noise", 3.73, "in one of the numbers"),
    ("table_noise", 100, "How many different numbers"),
    ("the_sum", lambda g, C: g.sum(axis=1), "the shape [3, 7]"),
    ("the_sum", lambda g, C: (g * np.minimum(1, C / lengths(g))).sum(axis=(0, 1)), "clipped each step"),
    ("the_sum", lambda g, C: g.sum(axis=(0, 1)), "Nothing is clipped"),
    ("the_sum", lambda g, C: g.sum(axis=(0, 1)) * min(1, C / np.linalg.norm(g.sum(axis=(0, 1)))), "clipped the sum"),
    ("the_sum", lambda g, C: (C * g.sum(axis=1) / lengths(g.sum(axis=1))).sum(axis=0), "stretched short gradients"),
    ("the_sum", lambda g, C: np.clip(g.sum(axis=1), -C, C).sum(axis=0), "clipped each coordinate"),
    ("the_sum", lambda g, C: ((each := g.sum(axis=1)) / (n := np.linalg.norm(each, axis=1, keepdims=True)) * np.minimum(n, C)).sum(axis=0), "divided by zero"),
    ("the_sum", lambda g, C: np.zeros(7), "Which people are cut"),
    ("layers", 1, "No layer is longer than C"),
    ("layers", gaussian_epsilon(1e-5, 2 * MU), "four layers with weights of their own"),       # the proof, with one C for each
    ("layers", gaussian_epsilon(1e-5, np.sqrt(3) * MU), "In the shared weights a person has two"),
    ("layers", gaussian_epsilon(1e-5, 4 * MU), "You have added the four lengths"),
    ("layers", np.sqrt(6), "It is μ that grows"),
    ("layers", np.sqrt(6) * MU, "That is μ"),
    ("layers", 0.5, "the shared ones once"),
    ("come_back", 2 / MU, "fresh people in each update"),
    ("come_back", 3 / MU, "*add or remove one*"),
    ("come_back", 2 * np.sqrt(54) / MU, "take part in all 54 updates"),
    ("come_back", 18 / MU, "You have multiplied by nine"),
    ("come_back", 2 * np.sqrt(6) / MU, "Six is the number of groups"),
    ("come_back", 3.73, "a single sum"),
    ("come_back", 30, "In how many updates is Anna?"),
    ("two_budgets", 8 / MU, "whole budget on the network"),
    ("two_budgets", 8 / (MU - 1 / 8), "You have subtracted μ"),
    ("two_budgets", BUDGET / 8, "a single step"),
    ("two_budgets", 8 * BUDGET, "and not 64 times"),
    ("two_budgets", 8 * np.sqrt(2) / MU, "half of μ² to the network"),
    ("two_budgets", 8 / gaussian_mu(1 - gaussian_epsilon(1e-5, 1 / 8), 1e-5), "You have subtracted ε"),
    ("two_budgets", 20, "What is μ² of the table?"),
    ("gains_from", 0.375, "a risk of 2.5 for everybody"),
    ("gains_from", 0.25, "Just above it the better one still loses"),
    ("gains_from", 0.5, "only those with the better treatment are cut"),
    ("gains_from", 1.125, "nobody is cut"),
    ("gains_from", 0.625, "They push up as well"),
    ("gains_from", 0.15625, "three in eight"),
    ("gains_from", 0, "more people push down"),
    ("gains_from", 2, "a second factor"),
    ("gains_from", 0.875, "did worse than expected of the other treatment"),
    ("gains_from", 0.3, "When do both sides push equally hard?"),
    ("secret_step", the_other_way, "one direction only"),
    ("secret_step", lambda sigma, q, epsilon: gaussian_delta(epsilon, 1 / sigma), "q is missing"),
    ("secret_step", lambda sigma, q, epsilon: q * gaussian_delta(epsilon, 1 / sigma), "at the same ε"),
    ("secret_step", lambda sigma, q, epsilon: gaussian_delta(epsilon, q / sigma), "You have moved the bell by q"),
    ("secret_step", lambda sigma, q, epsilon: amplified(sigma, q, epsilon) + the_other_way(sigma, q, epsilon), "You have added both directions"),
    ("secret_step", lambda sigma, q, epsilon: q, "A function of three numbers"),
    ("secret_step", lambda sigma, q, epsilon: np.nan, "A function of three numbers"),
    ("secret_step", 0.01, "`TypeError: 'float' object is not callable`"),
    ("clip_once", ([1, 0, 0], [0, 1]), "Two numbers for the others"),
    ("clip_once", ([0.1, 0], [1, 0]), "In which direction should Anna push"),
    ("clip_once", ([1, 0], [-1, 5]), "more than C already"),
    ("clip_once", ([1, 0], [0, 1]), "In which direction should Anna push"),              # the example of the cell
    ("clip_once", ([1, 0], [np.nan, 0]), "Finite numbers"),
    ("clip_once", ([1, 0], [-np.inf, 0]), "Finite numbers"),
    ("true_mean", lambda published: 1, "must return True"),
    ("true_mean", lambda published: bool(published.mean() > 0), "The mean itself is the same"),
    ("true_mean", lambda published: bool(published.std() > WIDTH), "Turn it round"),
    ("true_mean", lambda published: published < WIDTH, "must return True"),
    ("true_mean", lambda published: True, "It is right in 100 of 200 rounds"),
    ("true_mean", 3, "`TypeError: 'int' object is not callable`"),
    ("best_of_five", 1, "The choice looks at all five networks"),
    ("best_of_five", 5, "valid, but not sharp"),
    ("best_of_five", np.sqrt(5), "multiplies μ, and not ε"),
    ("best_of_five", np.sqrt(5) * MU, "That is μ"),
    ("best_of_five", gaussian_epsilon(1e-5, 5 * MU), "the same noise five times"),
    ("best_of_five", 2, "Which μ do the five have together"),
    ("replacing", 2, "always enough"),
    ("replacing", 1, "very small rates"),
    ("replacing", np.sqrt(2), "second moments"),
    ("replacing", 0.5285, "the inverse"),
    ("replacing", 1.5, "takes `neighbours=REPLACE_ONE`"),
    ("doses_apart", ([0.2, 0.4], [0.5, 0.9]), "Longer is possible. A day on which"),       # the example of the cell
    ("doses_apart", ([1, 0], [0, 1]), "The order of the doses does not matter"),
    ("doses_apart", ([-1, -1], [1, 1]), "could be orthogonal"),
    ("doses_apart", ([[1, 0], [0, 0]], [[0, 0], [0, 1]]), "Each day is a list"),             # the package's two matrices
    ("doses_apart", ([0], [0.8]), "Longer is possible"),
    ("doses_apart", ([0], [1, 0.5]), "is a mean of other days"),
    ("doses_apart", ([0], [1], [0.5]), "Two days"),
    ("doses_apart", 1, "Two lists of numbers"),
    ("refuting", 156, "still below 1"),
    ("refuting", 147, "in nearly half of all audits"),
    ("refuting", 146, "which proves nothing"),
    ("refuting", 101, "a coin reaches it often"),
    ("refuting", 200, "Fewer are enough"),
    ("refuting", 180, "for several numbers"),
]

RIGHT = [
    ("three_days", 3.41), ("three_days", np.float64(gaussian_epsilon(1e-5, 3 * MU))), ("three_days", np.float32(gaussian_epsilon(1e-5, 3 * MU))),
    ("noise_in_a_step", 0.00373), ("noise_in_a_step", 1 / MU / 1000), ("noise_in_a_step", np.float32(STEP)),
    ("turns_round", -8), ("turns_round", 9 * -1 + 12 / 12), ("turns_round", np.int64(-8)),
    ("table_noise", 35.6), ("table_noise", np.sqrt(91) / MU), ("table_noise", Fraction(3558, 100)),
    ("the_sum", one_by_one),
    ("the_sum", lambda g, C: np.einsum("nhp,n->p", g, np.minimum(1, C / lengths(g.sum(axis=1))[:, 0]))),
    ("the_sum", lambda g, C: list(sum(v if np.linalg.norm(v) <= C else C * v / np.linalg.norm(v) for v in g.sum(1)))),
    ("layers", 2.71), ("layers", LAYERS), ("layers", np.float32(LAYERS)),
    ("come_back", 22.4), ("come_back", 6 / MU), ("come_back", np.float64(2 * 3 / 0.2682)),
    ("two_budgets", 33.7), ("two_budgets", BUDGET), ("two_budgets", (MU**2 / 64 - 1 / 64**2) ** -0.5),
    ("gains_from", 0.4167), ("gains_from", Fraction(5, 12)), ("gains_from", np.float32(0.417)),
    ("replacing", 1.89), ("replacing", np.float32(1.892)), ("replacing", Fraction(189, 100)),
    ("clip_once", ((1, 0), (-100, 0))), ("clip_once", np.array([[0, 5], [0, -50.0]])), ("clip_once", [[0.6, 0.8], [-60, -80]]),
    ("true_mean", lambda published: published.std() < WIDTH),
    ("true_mean", lambda published: bool(np.linalg.norm(published) / np.sqrt(published.size) < WIDTH)),
    ("true_mean", lambda published: bool(np.abs(published).mean() * np.sqrt(np.pi / 2) < WIDTH)),
    ("best_of_five", 2.45), ("best_of_five", gaussian_epsilon(1e-5, np.sqrt(5) * MU)), ("best_of_five", np.float32(gaussian_epsilon(1e-5, np.sqrt(5) * MU))),
    ("doses_apart", ([0], [1])), ("doses_apart", (np.ones(48), np.zeros(48))), ("doses_apart", [(True, True), (0.0, 0.0)]),
    ("refuting", 157), ("refuting", np.int64(157)), ("refuting", 157.0),
    ("secret_step", by_integral), ("secret_step", on_a_grid), ("secret_step", amplified),
]


def test_no_two_rounds_of_the_true_mean_are_known_in_advance(page):
    seen = []
    for _ in range(2):
        page["true_mean"].check(lambda published: seen.append(published[0]) or True)
    assert len(set(seen)) == 400


def test_the_exact_delta_of_a_secret_step_agrees_with_the_account_of_the_core(page):
    for sigma, q, epsilon in page["plans_of_steps"][:4]:
        delta = page["delta_of_step"](sigma, q, epsilon)
        assert sampled_gaussian_epsilon(sigma, delta, sampling=q, steps=1) == pytest.approx(epsilon, abs=0.01)
        assert the_other_way(sigma, q, epsilon) < delta == pytest.approx(amplified(sigma, q, epsilon), rel=1e-9)


def test_the_better_treatment_gains_from_this_clip_on():
    """The drift of three kinds of people, as a mean of two drifts of the core."""
    def drift(p, clip):
        return (5 * clipped_drift(p, (1.5, 1), clip) + clipped_drift(p, (1.5, -2), clip)) / 6
    for p, clip in ((0.25, 5 / 12), (0.1, 0.45)):
        assert [np.sign(round(float(drift(np.array([p]), c)[0]), 9)) for c in (0.99 * clip, clip, 1.01 * clip)] == [-1, 0, 1]
    assert (drift(np.linspace(0.25, 0.99, 75), 0.43) > 0).all() and (drift(np.linspace(0.01, 0.1, 10), 0.43) < 0).all()


def test_no_two_days_of_doses_are_farther_apart_than_one(page):
    """All means of x and x² that a day can have, on a grid, and both inequalities of the proof."""
    m, s = (one.ravel() for one in np.meshgrid(np.linspace(0, 1, 41), np.linspace(0, 1, 41)))
    m, s = m[possible := (m**2 <= s) & (s <= m)], s[possible]
    vectors = np.stack([np.ones_like(m), np.sqrt(2) * m, s], axis=1)
    inner, long = vectors @ vectors.T, np.linalg.norm(vectors, axis=1)
    assert (inner / np.outer(long, long)).min() == pytest.approx(1 / 2) and (long <= 1 + s + 1e-12).all() and (inner >= 1 + 3 * np.outer(s, s) - 1e-12).all()
    assert np.allclose(page["of_a_day"](np.ones(3)), 0.5)


def test_noises_of_town_table_and_layers_by_drawing():
    """A person's change, as far as it can be, over the noise, as one vector."""
    draw = np.random.default_rng(3)
    assert np.linalg.norm(np.full(9, 2 / 22.37)) == pytest.approx(MU, rel=2e-3)
    assert np.hypot(1 / 8, np.linalg.norm(np.full(64, 1 / BUDGET))) == pytest.approx(MU)
    parts = draw.normal(size=(4, 50))
    parts /= lengths(parts)
    assert np.linalg.norm([parts[0] + parts[0], parts[1], parts[2]]) == pytest.approx(np.sqrt(6))
    assert np.linalg.norm([parts[0] + parts[3], parts[1], parts[2]]) < np.sqrt(6)
    tables = draw.normal(size=(2_000, 13, 13))
    assert np.linalg.norm(tables[:, *np.tril_indices(13)], axis=1).mean() / MU == pytest.approx(np.sqrt(91) / MU, rel=0.01)


def test_what_a_secret_coin_is_worth_holds_and_is_attained():
    """Of yes and no: P = (1 − q) Q + q R for all Q and R that ε and δ allow, in both directions."""
    for q in (0.05, 0.5, 0.9):
        for epsilon, delta in ((0.3, 0.0), (1.0, 0.05), (3.0, 0.2)):
            Q, R = np.meshgrid(np.linspace(0, 1, 401), np.linspace(0, 1, 401))
            grown = np.exp(epsilon)
            allowed = (R <= grown * Q + delta) & (Q <= grown * R + delta) & (1 - R <= grown * (1 - Q) + delta) & (1 - Q <= grown * (1 - R) + delta)
            P, more = (1 - q) * Q + q * R, 1 + q * np.expm1(epsilon)
            over, under = (P - more * Q)[allowed].max(), (Q - more * P)[allowed].max()
            assert q * delta - 0.01 < over <= q * delta + 1e-12 and under <= q * delta + 1e-12


def test_the_audit_needs_as_many_guesses_as_the_solution_says(page):
    enough = page["right_guesses"]
    assert [one_run_epsilon(v, 200, canaries=1000, delta=1e-5) > 1 for v in (enough - 1, enough)] == [False, True]


def test_the_length_of_noise_in_417_coordinates_is_as_told(page):
    """A chi distribution: its mean is √417 standard deviations, within a thousandth."""
    assert page["noise_of_the_mean"] * np.sqrt(417) == pytest.approx(0.076, abs=5e-4)


def test_below_nine_the_clipped_sum_has_the_wrong_sign():
    for clip in (0.5, 1, 8.99, 9.01, 12, 20):
        assert (9 * max(-1, -clip) + min(12, clip) < 0) == (clip < 9)
