"""Randomised response: its estimate against the binomial law, its promise by counting, its arguments."""

import numpy as np
import pytest
from scipy.stats import binom

from privrl_core.survey.randomised_response import answers, guarantee, share, truthful


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("yes", [0, 3, 8])
def test_the_estimate_has_no_bias(epsilon, yes):
    """By the exact law of the number of yeses heard from eight people, not by the estimate's own formula."""
    p, people = truthful(epsilon), 8
    law = np.convolve(binom.pmf(range(yes + 1), yes, p), binom.pmf(range(people - yes + 1), people - yes, 1 - p))
    estimates = [share(np.arange(people) < heard, epsilon) for heard in range(people + 1)]
    assert law @ estimates == pytest.approx(yes / people, abs=1e-9)


def test_the_promise_is_kept_and_used_up():
    """200,000 answers of each truth: the ratio of the shares is e^ε, within five standard deviations of its logarithm."""
    rng, n, epsilon = np.random.default_rng(1965), 200_000, 1.0
    said = [answers(np.full(n, truth), epsilon, rng).mean() for truth in (True, False)]
    deviation = np.sqrt(sum((1 - share) / (n * share) for share in said))
    assert np.log(said[0] / said[1]) == pytest.approx(guarantee(epsilon).epsilon, abs=5 * deviation)  # fails once in 10⁶


@pytest.mark.parametrize("call, message", [
    (lambda: truthful(0), "epsilon must be positive"), (lambda: guarantee(-1), "epsilon must be positive"),
    (lambda: answers([0, 1], 1, np.random.default_rng(0)), "truth must hold booleans"),
    (lambda: share([], 1), "heard must hold an answer, got none")])
def test_wrong_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
