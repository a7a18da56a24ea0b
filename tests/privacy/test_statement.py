"""What several releases promise together, and what that means to somebody who guesses; each by a second route."""

import re
from itertools import product

import dp_accounting
import numpy as np
import pytest
from dp_accounting import pld, rdp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.stats import norm

from privrl_core.privacy import (
    ADD_OR_REMOVE_ONE,
    REPLACE_ONE,
    REWARD_FUNCTION,
    TRAJECTORY,
    DiscreteGaussianNoise,
    Guarantee,
    Status,
    belief_ceiling,
    compose_guarantees,
    gaussian_delta,
    gaussian_epsilon,
    privacy_statement,
    right_guess_ceiling,
    sup_norm,
    zcdp_epsilon,
)

epsilons, priors, deltas = st.floats(0.01, 6), st.floats(0.01, 0.99), st.floats(1e-9, 0.2)


def promise(epsilon=1.0, delta=1e-5, **changes):
    return Guarantee(**{**dict(epsilon=epsilon, delta=delta, unit=TRAJECTORY, neighbours=REPLACE_ONE,
                               status=Status.PROVED, basis="a test"), **changes})


def gaussian(mu, delta=1e-5, **changes):
    return promise(float(gaussian_epsilon(delta, mu)) + 1e-9, delta, mu=mu, **changes)


# ------------------------------------------------------------------------------------------------------- composition

def test_gaussian_releases_are_added_exactly():
    """dp_accounting composes the privacy loss distributions of the same four Gaussians, on a grid: an upper bound, near."""
    total = compose_guarantees(*(gaussian(1 / sigma) for sigma in (1, 2, 5, 3)))
    assert total.epsilon == pytest.approx(5.327262, abs=1e-6)  # by the closed form, from another library
    accountant = pld.PLDAccountant(value_discretization_interval=1e-3)
    for sigma in (1, 2, 5, 3):
        accountant.compose(dp_accounting.GaussianDpEvent(sigma))
    assert total.epsilon <= accountant.get_epsilon(1e-5) + 1e-6
    assert total.epsilon == pytest.approx(accountant.get_epsilon(1e-5), rel=5e-3)
    assert (total.mu, total.rho, total.status) == (pytest.approx(np.sqrt(1 + 1 / 4 + 1 / 25 + 1 / 9)), None, Status.PROVED)


def test_concentrated_releases_add_their_rho():
    concentrated = promise(20.0, rho=0.3)
    total = compose_guarantees(concentrated, gaussian(0.5), delta=1e-6)
    assert (total.rho, total.mu, total.delta) == (pytest.approx(0.3 + 0.125), None, 1e-6)
    accountant = rdp.RdpAccountant(orders=1 + np.geomspace(1e-2, 1e5, 20_000))
    accountant.compose(dp_accounting.ZCDpEvent(0.3)).compose(dp_accounting.ZCDpEvent(0.125))
    assert total.epsilon == pytest.approx(accountant.get_epsilon(1e-6), rel=1e-4)


@pytest.mark.parametrize("width, mu", [(1.0, 0.5), (4.0, 2.0), (0.5, 0.1)])
def test_a_laplace_release_comes_on_top_and_never_below_the_truth(width, mu):
    total = compose_guarantees(gaussian(mu), promise(1 / width, 0.0))
    added, whole = gaussian_epsilon(1e-5, mu) + 1 / width, np.hypot(mu, 2 * norm.ppf(1 / (1 + np.exp(-1 / width))))
    assert (total.epsilon, total.delta) == (pytest.approx(min(added, gaussian_epsilon(1e-5, whole))), 1e-5)
    assert total.mu == (None if added < gaussian_epsilon(1e-5, whole) else pytest.approx(whole))
    accountant = pld.PLDAccountant(value_discretization_interval=1e-3)
    accountant.compose(dp_accounting.GaussianDpEvent(1 / mu)).compose(dp_accounting.LaplaceDpEvent(width))
    assert total.epsilon >= accountant.get_epsilon(1e-5) - 2e-3


@given(st.floats(0.01, 6), st.floats(0, 6))
def test_a_pure_release_is_gaussian_dp_with_the_mu_that_is_used(epsilon, at):
    """The privacy curve of a loaded coin, the worst of all pure releases, lies below that of its mu, and touches it at 0."""
    mu = 2 * norm.ppf(np.exp(epsilon) / (1 + np.exp(epsilon)))
    coin = max(0.0, (np.exp(epsilon) - np.exp(at)) / (1 + np.exp(epsilon)))
    assert coin <= gaussian_delta(at, mu) + 1e-12
    assert gaussian_delta(0.0, mu) == pytest.approx((np.exp(epsilon) - 1) / (1 + np.exp(epsilon)), rel=1e-6)


@pytest.mark.parametrize("epsilon, mu", [(0.2, 0.27), (0.01, 0.5), (3.0, 1.0)])
def test_a_pure_release_keeps_the_gaussian_sentences(epsilon, mu):
    """The best guess from a loaded coin and a Gaussian, by a sum over the coin: never above what is signed, and near it."""
    guarantees = promise(epsilon, 0.0), gaussian(mu)
    heads = np.exp(epsilon) / (1 + np.exp(epsilon))
    thresholds = mu / 2 - np.array([epsilon, -epsilon]) / mu
    truth = heads * norm.cdf(mu - thresholds[0]) + (1 - heads) * norm.cdf(mu - thresholds[1])  # both kinds of error are equal
    text = privacy_statement(*guarantees, released="Two.").sections[4][1][0]
    signed = float(re.search(r"at most ([\d.]+) times in 100\.", text)[1]) / 100
    assert truth <= signed <= truth + 0.02
    assert signed < right_guess_ceiling(promise(epsilon + gaussian(mu).epsilon))


def test_thirty_pure_releases_add_up_by_rho_if_a_delta_is_given():
    many = [promise(0.1, 0.0)] * 30
    assert (compose_guarantees(*many).epsilon, compose_guarantees(*many).delta) == (pytest.approx(3), 0)
    total = compose_guarantees(*many, delta=1e-5)
    assert (total.epsilon, total.rho) == (pytest.approx(zcdp_epsilon(0.15, 1e-5)), pytest.approx(0.15))
    accountant = pld.PLDAccountant(value_discretization_interval=1e-3)
    accountant.compose(dp_accounting.LaplaceDpEvent(10.0), 30)
    assert accountant.get_epsilon(1e-5) <= total.epsilon < 2.41


def test_a_release_of_nothing_changes_nothing():
    assert compose_guarantees(promise(0.0, 0.0), gaussian(0.3)) == compose_guarantees(gaussian(0.3))
    assert compose_guarantees(promise(0.0, 0.0)).epsilon == 0


def test_pairs_of_epsilon_and_delta_add_up():
    total = compose_guarantees(promise(0.5, 1e-6), promise(0.25, 0.0), promise(1.0, 1e-5))
    assert (total.epsilon, total.delta) == (1.75, pytest.approx(1.1e-5))


def test_one_release_alone_keeps_its_promise():
    assert compose_guarantees(promise(0.7, 1e-6)).epsilon == 0.7
    assert compose_guarantees(gaussian(0.4)).epsilon == pytest.approx(gaussian(0.4).epsilon, rel=1e-6)
    assert compose_guarantees(gaussian(0.4), delta=1e-8).epsilon == pytest.approx(gaussian_epsilon(1e-8, 0.4))


@settings(max_examples=8, deadline=None)
@given(st.lists(st.floats(0.05, 2), min_size=2, max_size=5))
def test_the_order_does_not_matter_and_more_releases_promise_less(mus):
    releases = [gaussian(mu) for mu in mus]
    total = compose_guarantees(*releases).epsilon
    assert total == pytest.approx(compose_guarantees(*reversed(releases)).epsilon, rel=1e-9)
    assert total >= compose_guarantees(*releases[1:]).epsilon - 1e-9


def test_a_claim_makes_the_whole_a_claim_and_assumptions_are_kept_once():
    total = compose_guarantees(gaussian(0.3, assumes=("a", "b")), gaussian(0.4, status=Status.CLAIMED, assumes=("b", "c")))
    assert (total.status, total.assumes) == (Status.CLAIMED, ("a", "b", "c"))


# --------------------------------------------------------------------------------------------- what somebody can guess

@given(epsilons, deltas, priors)
def test_no_test_within_epsilon_and_delta_guesses_better(epsilon, delta, prior):
    """A linear program over (false alarms f, hits h) with all four inequalities of (epsilon, delta)-DP."""
    grow = np.exp(epsilon)
    best = linprog([1 - prior, -prior], [[-grow, 1], [-1, grow], [1, -grow], [grow, -1]],
                   [delta, grow - 1 + delta, delta, grow - 1 + delta], bounds=[(0, 1), (0, 1)])
    # h <= e f + d; 1 - f <= e (1 - h) + d; and the same with f and h exchanged
    assert right_guess_ceiling(promise(epsilon, delta), prior) == pytest.approx(1 - prior - best.fun, rel=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.floats(0.01, 6), priors)
def test_a_gaussian_guess_is_the_best_of_all_thresholds(mu, prior):
    thresholds = np.linspace(-40, 40, 20_001) * max(mu, 1) if mu > 0.2 else np.linspace(-500, 500, 200_001)
    right = prior * norm.sf(thresholds - mu) + (1 - prior) * norm.cdf(thresholds)
    assert right_guess_ceiling(gaussian(mu), prior) == pytest.approx(right.max(), abs=1e-4)
    assert right_guess_ceiling(gaussian(mu), prior) >= right.max() - 1e-12


def worst_pair(epsilon, delta):
    """Two laws on four outcomes, exactly (epsilon, delta) apart: certain with probability delta, else a loaded coin."""
    odds = np.array([np.exp(epsilon), 1]) / (1 + np.exp(epsilon))
    return np.array([delta, *(1 - delta) * odds, 0]), np.array([0, *(1 - delta) * odds[::-1], delta])


@pytest.mark.parametrize("epsilon, prior", list(product([0.1, 1.0, 3.0], [0.05, 0.5, 0.9])))
def test_pure_belief_is_what_bayes_finds_for_a_loaded_coin(epsilon, prior):
    p, q = worst_pair(epsilon, 0.0)
    seen = p + q > 0
    posterior = prior * p[seen] / (prior * p[seen] + (1 - prior) * q[seen])
    belief, surer = belief_ceiling(promise(epsilon, 0.0), prior)
    assert (belief, surer) == (pytest.approx(posterior.max(), rel=1e-12), 0)
    best_guess = np.maximum(prior * p, (1 - prior) * q).sum()
    assert right_guess_ceiling(promise(epsilon, 0.0), prior) == pytest.approx(best_guess, rel=1e-12)


@given(epsilons, st.floats(1e-6, 0.1), priors, st.integers(0, 2**32 - 1))
def test_beliefs_beyond_the_ceiling_are_rare_for_random_mechanisms(epsilon, delta, prior, seed):
    """Brute force: two random laws on 8 outcomes, their true delta at epsilon, and all posteriors by Bayes."""
    p, q = np.random.default_rng(seed).dirichlet(np.ones(8), size=2)
    true_delta = max(np.maximum(p - np.exp(epsilon) * q, 0).sum(), np.maximum(q - np.exp(epsilon) * p, 0).sum(), delta)
    if true_delta >= 0.5:
        return
    belief, surer = belief_ceiling(promise(epsilon, true_delta), prior)
    posterior = prior * p / (prior * p + (1 - prior) * q)
    for law in (p, q):
        assert law[posterior > belief + 1e-12].sum() <= surer + 1e-12
    assert np.maximum(prior * p, (1 - prior) * q).sum() <= right_guess_ceiling(promise(epsilon, true_delta), prior) + 1e-12


def loss_at_the_ceiling(belief, prior):
    return np.log(belief / (1 - belief)) - np.log(prior / (1 - prior))


GAUSSIANS = list(product([0.1, 0.5, 2.0], [1e-5, 0.01, 0.05]))


@pytest.mark.parametrize("mu, delta", GAUSSIANS)
def test_no_bit_made_of_a_gaussian_release_is_surer_more_often_than_said(mu, delta):
    """Brute force over all thresholds: of a bit "above y" the loss is that of the two tails; attained where the bit has 2 delta."""
    belief, surer = belief_ceiling(gaussian(mu, delta), 0.3)
    thresholds = np.linspace(-5, 12, 100_001)
    tail, tail_there = norm.sf(thresholds - mu), norm.sf(thresholds)
    over = np.log(tail) - np.log(tail_there) > loss_at_the_ceiling(belief, 0.3) + 1e-9
    assert tail[over].max() <= surer == 2 * delta
    assert tail[over].max() == pytest.approx(2 * delta, rel=1e-3)


@pytest.mark.parametrize("mu, delta", [one for one in GAUSSIANS if one[1] > 1e-3])
def test_no_randomised_answer_made_of_a_gaussian_release_is_either(mu, delta):
    """A linear program: any chance to answer "the first" in each of 400 cells, at a loss at or above the ceiling."""
    edges = np.append(np.append(-np.inf, np.linspace(-6, 8, 401)), np.inf)
    p, q = np.diff(norm.cdf(edges - mu)), np.diff(norm.cdf(edges))
    belief, surer = belief_ceiling(gaussian(mu, delta), 0.5)
    most = -linprog(-p, [np.exp(loss_at_the_ceiling(belief, 0.5)) * q - p], [0], bounds=(0, 1)).fun
    assert 0.9 * surer <= most <= surer + 1e-7


@pytest.mark.parametrize("mu, delta", GAUSSIANS)
def test_a_gaussian_belief_stays_below_that_of_its_epsilon_and_delta(mu, delta):
    assert belief_ceiling(gaussian(mu, delta))[0] <= belief_ceiling(promise(gaussian(mu, delta).epsilon, delta))[0] + 1e-12


# ------------------------------------------------------------------------------------------------------ the statement

def test_the_statement_says_whom_what_how_much_and_what_not():
    statement = privacy_statement(gaussian(0.3, assumes=("stays are clipped",)), gaussian(0.4), released="Two tables.",
                                  not_covered=("the hospital's own staff",))
    for text in (str(statement), statement._repr_markdown_(), statement.folded()):
        for words in ("Two tables.", "one trajectory: the promise compares the data with it and with another in its place (replace one)", "δ = 10⁻⁵)-differential privacy for", "proved: 2 Gaussian releases, μ² added, μ = 0.5",
                      "stays are clipped", "the hospital's own staff", "floating-point", "looking at the same data", "a test"):
            assert words in text
    assert f"{100 * norm.cdf(0.25):.1f}"[:4] in str(statement)  # μ = 1/2, even odds
    assert statement.folded().count("<details") == 3 and "<strong>How it is kept</strong>: 2 points</summary>" in statement.folded()
    assert "claim" not in str(statement) and "**The promise**\n\n* (ε" in statement._repr_markdown_()


def test_a_statement_excludes_floating_point_noise_unless_every_release_has_exact_noise():
    exact = DiscreteGaussianNoise(0.02, 1e-5).guarantee("counts")
    assert "floating-point" not in str(privacy_statement(exact.group(3), released="A table."))
    assert "floating-point" in str(privacy_statement(exact, gaussian(0.3), released="Two tables."))


def test_a_claim_is_marked_and_ceilings_are_rounded_up():
    claimed = str(privacy_statement(promise(1.0, 0.0, status=Status.CLAIMED), released="A table."))
    assert claimed.count("If the claim holds") == 2 and "claimed, not proved" in claimed
    assert "73.2 %" in claimed  # e / (1 + e) = 0.73106


@pytest.mark.parametrize("epsilon, delta, prior", list(product([0.003, 1.004, 9.0], [0.0, 1.372e-5], [1e-4, 0.1, 1 / 3, 0.9999])))
def test_every_number_of_the_sentences_is_a_ceiling_and_near(epsilon, delta, prior):
    one = promise(epsilon, delta)
    statement = privacy_statement(one, released="A table.", prior=prior)
    guess, sure = statement.sections[4][1]
    before, without, ceiling = (float(number) for number in re.findall(r"([\d.]+) (?:%|times)", guess))
    assert (before, without) == (pytest.approx(100 * prior, rel=1e-11), pytest.approx(100 * max(prior, 1 - prior), rel=1e-11))
    first, second = (float(number) for number in re.findall(r"([\d.]+) %", sure))
    for shown, true in ((ceiling, right_guess_ceiling(one, prior)), (first, belief_ceiling(one, prior)[0]),
                        (second, belief_ceiling(one, 1 - prior)[0])):
        assert 100 * true * (1 - 1e-9) <= shown <= min(100, 101 * true)
        assert 100 - shown >= 0.98 * 100 * (1 - true)  # near 100 % what is missing has its digits, too
    assert ("2.75" in sure) == (delta > 0)  # 2 delta = 2.744e-5
    assert {0.003: "ε = 0.003,", 1.004: "ε = 1.01,", 9.0: "ε = 9,"}[epsilon] in statement.sections[2][1][0]


@pytest.mark.parametrize("neighbours, compared, known", [
    (ADD_OR_REMOVE_ONE, "the data with it and without it (add or remove one)", "knows everything except whether one trajectory is in the data."),
    (REPLACE_ONE, "another in its place (replace one)", "knows all the data except one trajectory, and knows that there are two possibilities."),
    (sup_norm(0.01), "near it everywhere (sup-norm at most 0.01)", "knows all the data except one trajectory, and knows")])
def test_the_sentences_speak_of_the_neighbours(neighbours, compared, known):
    statement = privacy_statement(gaussian(0.5, neighbours=neighbours), released="A table.")
    assert compared in statement.sections[1][1][0]
    guess, sure = statement.sections[4][1]
    assert guess.startswith("Suppose a reader " + known) and "Both are equally likely to this reader." in guess
    assert guess.endswith("right 50 times in 100, with it at most 59.9 times in 100.")
    assert re.fullmatch(r"After the release, whatever it is, this reader is at most [\d.]+ % sure of either \(except with probability 2 × 10⁻⁵ at most\)\.",
                        sure.replace("\N{NO-BREAK SPACE}", " "))


def test_what_is_assumed_is_a_condition_of_every_sentence():
    assumed = str(privacy_statement(promise(assumes=("weights are public",)), released="A table."))
    assert assumed.count("If what is assumed below is true: ") == 2
    both = str(privacy_statement(promise(assumes=("weights are public",), status=Status.CLAIMED), released="A table."))
    assert both.count("If the claim holds and what is assumed below is true: ") == 2


def test_gaussian_delta_and_guess_are_one_curve():
    """The advantage is the largest of delta(epsilon) + FPR (e^epsilon - 1)...: at epsilon = 0 it is delta(0)."""
    for mu in (0.1, 1.0, 3.0):
        assert 2 * right_guess_ceiling(gaussian(mu)) - 1 == pytest.approx(gaussian_delta(0.0, mu), rel=1e-9)


@pytest.mark.parametrize("call, message", [
    (lambda: compose_guarantees(), "guarantees must hold at least one, got none"),
    (lambda: compose_guarantees("safe"), "guarantees must be of type Guarantee, got 'safe'"),
    (lambda: compose_guarantees(promise(status=Status.REFUTED)), "guarantees must not be refuted, got (ε = 1"),
    (lambda: compose_guarantees(promise(), promise(unit=REWARD_FUNCTION)),
     "unit must be the same in all guarantees to be added up, got 'one trajectory' and 'the reward function'"),
    (lambda: compose_guarantees(promise(), promise(neighbours=ADD_OR_REMOVE_ONE)),
     "neighbours must be the same in all guarantees to be added up, got 'replace one' and 'add or remove one'"),
    (lambda: compose_guarantees(promise(), delta=1e-6), "delta must be None where no release has mu or rho, got 1e-06"),
    (lambda: compose_guarantees(promise(1.0, 0.0, mu=0.1, status=Status.CLAIMED)),
     "delta must be given where no release with mu or rho has one above 0, got None for (ε = 1, δ = 0)"),
    (lambda: compose_guarantees(gaussian(0.1), delta=0), "delta must be strictly between 0 and 1, got 0"),
    (lambda: compose_guarantees(promise(1.0, 0.6), promise(1.0, 0.6)), "delta must be strictly between 0 and 1, got 1.2"),
    (lambda: right_guess_ceiling(promise(), 1.0), "prior must be strictly between 0 and 1, got 1.0"),
    (lambda: right_guess_ceiling(1.0), "guarantee must be of type Guarantee, got 1.0"),
    (lambda: belief_ceiling(promise(), [0.5]), "prior must be one number, got an array of shape [1]"),
    (lambda: belief_ceiling(promise(1.0, 0.5)), "delta must be below 1/2 to bound a belief, got 0.5"),
    (lambda: belief_ceiling(None), "guarantee must be of type Guarantee, got None"),
    (lambda: privacy_statement(promise(), released=" "), "released must say what is released, got ' '"),
    (lambda: privacy_statement(promise(), released=3), "released must be of type str, got 3"),
    (lambda: privacy_statement(promise(), released="Q.", not_covered="staff"), "not_covered must be of type tuple, got 'staff'"),
    (lambda: privacy_statement(promise(status=Status.REFUTED), released="Q."), "guarantees must not be refuted"),
    (lambda: privacy_statement(promise(1.0, 0.5), released="Q."), "delta must be below 1/2"),
    (lambda: privacy_statement(promise(), released="Q.", prior=0), "prior must be strictly between 0 and 1"),
    (lambda: privacy_statement(promise(), released="Q.", delta="x"), "delta must be None where"),
])
def test_wrong_arguments_say_so(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert message in str(error.value)
