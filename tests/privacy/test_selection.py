"""Choosing one of many: probabilities by a second route, and the promise over all neighbours."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import expon, gumbel_r

from privrl_core.privacy import (
    ADD_OR_REMOVE_ONE,
    Unit,
    exponential_mechanism,
    exponential_mechanism_probabilities,
    report_noisy_max,
    report_noisy_max_probabilities,
)

KINDS = [(exponential_mechanism, exponential_mechanism_probabilities, gumbel_r),
         (report_noisy_max, report_noisy_max_probabilities, expon)]
SCORES = st.lists(st.floats(-20, 20), min_size=1, max_size=7)


@pytest.mark.parametrize("_, probabilities, noise", KINDS)
@pytest.mark.parametrize("scores", [[3, 1, 2], [0, 0], [5], [10, 9.5, 9, 0, -3]])
def test_the_largest_of_noisy_scores_has_these_probabilities(_, probabilities, noise, scores):
    found, scale = probabilities(scores, sensitivity=0.5, epsilon=0.7), 2 * 0.5 / 0.7
    for i, score in enumerate(scores):
        others = [other for j, other in enumerate(scores) if j != i]
        at = sorted({max(0, score) - 5, *scores, max(scores) + 60})
        wins = sum(quad(lambda y: noise.pdf(y, score, scale) * np.prod([noise.cdf(y, other, scale) for other in others]), *piece)[0]
                   for piece in zip([-60, *at], [*at, 200]) if piece[0] < piece[1])
        assert found[i] == pytest.approx(wins, abs=1e-7)


@pytest.mark.parametrize("choose, probabilities, _", KINDS)
def test_draws_follow_the_probabilities(choose, probabilities, _):
    scores, rng, n = [3, 1, 2, 2.5], np.random.default_rng(0), 20_000
    drawn = np.bincount([choose(scores, sensitivity=1, epsilon=1.0, noise_rng=rng).choice for _ in range(n)], minlength=4) / n
    p = probabilities(scores, sensitivity=1, epsilon=1.0)
    assert (abs(drawn - p) < 5 * np.sqrt(p * (1 - p) / n)).all()


@given(SCORES, st.floats(0.1, 3))
def test_permute_and_flip_in_its_own_words(scores, epsilon):
    """In random order a coin is tossed for each, with probability p; the first that shows heads is chosen."""
    p = np.exp(-epsilon * (max(scores) - np.array(scores)) / 2)
    found = report_noisy_max_probabilities(scores, sensitivity=1, epsilon=epsilon)
    assert found.sum() == pytest.approx(1, abs=1e-12)
    for i in range(len(p)):
        others = np.delete(p, i)
        expected = p[i] * sum((-1) ** size / (size + 1) * sum(np.prod(others[list(chosen)]) for chosen in combinations(range(len(others)), size))
                              for size in range(len(p)))
        assert found[i] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("_, probabilities, noise", KINDS)
def test_no_neighbour_changes_a_probability_more_than_promised(_, probabilities, noise):
    worst = 0.0
    for scores in ([4, 4, 4], [9, 4, 2], [5, 5, 4], [0, 8, 8]):
        p = probabilities(scores, sensitivity=1, epsilon=0.8)
        for step in product((-1, 0, 1), repeat=3):
            q = probabilities(np.add(scores, step), sensitivity=1, epsilon=0.8)
            worst = max(worst, abs(np.log(p / q)).max())
    assert 0.6 < worst <= 0.8 + 1e-12


@pytest.mark.parametrize("k", [2, 10, 1000])
def test_the_promise_is_used_up_however_many_choices_there_are(k):
    """The one that is far behind rises, all others fall: its probability grows by nearly all that epsilon allows."""
    behind, risen = np.r_[0.0, np.full(k - 1, 40.0)], np.r_[1.0, np.full(k - 1, 39.0)]
    for _, probabilities, _ in KINDS:
        p, q = (probabilities(scores, sensitivity=1, epsilon=0.8)[0] for scores in (behind, risen))
        assert np.log(q / p) == pytest.approx(0.8, abs=1e-6)


@given(SCORES, st.floats(0.1, 3))
def test_exponential_noise_names_the_best_at_least_as_often(scores, epsilon):
    best, arguments = int(np.argmax(scores)), dict(sensitivity=1, epsilon=epsilon)
    gumbel, flipped = (probabilities(scores, **arguments)[best] for _, probabilities, _ in KINDS)
    assert flipped >= gumbel - 1e-12


@given(st.integers(2, 300), st.floats(0, 30))
def test_one_leads_and_the_others_are_equal(k, lead):
    """Closed forms, on which a page relies."""
    scores, p = np.r_[lead, np.zeros(k - 1)], np.exp(-lead / 2)
    gumbel, flipped = (probabilities(scores, sensitivity=1, epsilon=1)[0] for _, probabilities, _ in KINDS)
    assert gumbel == pytest.approx(1 / (1 + (k - 1) * p), rel=1e-12)
    assert flipped == pytest.approx(-np.expm1(k * np.log1p(-p)) / (k * p) if p < 1 else 1 / k, rel=1e-9)


@pytest.mark.parametrize("choose, _, __", KINDS)
def test_the_promise_is_typed(choose, _, __):
    release = choose([1, 2], sensitivity=1, epsilon=0.3, noise_rng=np.random.default_rng(0), unit=Unit("one patient"),
                     neighbours=ADD_OR_REMOVE_ONE)
    assert list(release.published) == ["choice"] and type(release.choice) is int and release.noise.scale == 2 / 0.3
    assert (release.guarantee.epsilon, release.guarantee.delta, release.guarantee.neighbours) == (0.3, 0, ADD_OR_REMOVE_ONE)
    assert release.guarantee.unit == Unit("one patient") and release.guarantee.release == release.identity
