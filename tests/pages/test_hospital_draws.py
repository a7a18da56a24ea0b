"""Hospitals as the page prepares them: stated probabilities, the mechanism's noise, and losses that the package's rules give."""

import json

import games
import numpy as np
import pytest
from scipy import stats

from privrl_core.online import ucb, ucb_without_forgetting
from privrl_core.pages.hospital import Hospitals, treat

MILLIONTH = 1e-6  # how often a test of chance may fail, whatever the seed
WIDGET = games.hospital()
DRAWN, SPECIFICATION = WIDGET._drawn, WIDGET.specification
COUNT, PATIENTS, ARMS = SPECIFICATION["shape"]
EMBEDDED = np.unpackbits(np.frombuffer(WIDGET.outcomes, np.uint8))[:COUNT * PATIENTS * ARMS].reshape(COUNT, PATIENTS, ARMS)
RIGHT = dict(name="small", question="Which?", means=(0.9, 0.1), noise=np.random.default_rng(4).laplace(size=(2, 30)), epsilons=(1.0,), sizes=(1, 10),
             rule=ucb, private_rule=ucb_without_forgetting, caption="", alt="boxes")


def generators():
    return {"rng": np.random.default_rng(1), "noise_rng": np.random.default_rng(2)}


def test_embedded_outcomes_have_the_stated_probabilities():
    """Hoeffding for each share of the 3,200 patients with one treatment, and for each half of them: all fail with probability below 1e-6."""
    means = np.array(SPECIFICATION["means"])
    assert np.array_equal(np.sort(means, axis=1), np.tile([0.4, 0.6, 0.8], (COUNT, 1)))
    for share in (0.4, 0.6, 0.8):
        given = EMBEDDED.transpose(0, 2, 1)[means == share]        # one row of patients from each hospital
        for part in (given, given[:, ::2], given[:, 1::2]):
            assert abs(part.mean() - share) < np.sqrt(np.log(2 * 9 / MILLIONTH) / (2 * part.size))
    assert len({tuple(row) for row in means}) > 1, "the treatments change places"
    # what a patient has with one treatment says nothing about another
    a, b = (EMBEDDED.transpose(0, 2, 1)[means == share].ravel().astype(float) for share in (0.8, 0.4))
    assert abs((a * b).mean() - 0.32) < np.sqrt(np.log(2 / MILLIONTH) / (2 * a.size))


def test_embedded_noise_is_that_of_the_mechanism():
    noise = np.frombuffer(WIDGET.noise, "<f4")
    assert noise.size == COUNT * PATIENTS
    assert stats.kstest(noise, stats.laplace.cdf).statistic < np.sqrt(np.log(2 / MILLIONTH) / (2 * noise.size))
    assert [view["scale"] for view in SPECIFICATION["views"]] == [0, 1, 1 / 0.3]


def test_the_losses_of_the_rules_are_what_the_package_gives_on_the_embedded_patients():
    calls = []

    def recorded(rule):
        def play(means, n_people, **given):
            done = rule(means, n_people, **given)
            calls.append((rule.__name__, given.get("epsilon"), np.array(means), np.array(given["outcomes"]), done))
            return done
        return play
    again = games.hospital(rule=recorded(ucb), private_rule=recorded(ucb_without_forgetting))
    assert again.outcomes == WIDGET.outcomes and again.noise == WIDGET.noise and again.specification == SPECIFICATION
    assert len(calls) == 3 * COUNT
    for k, (name, epsilon, means, outcomes, done) in enumerate(calls):
        view, hospital = SPECIFICATION["views"][k // COUNT], k % COUNT
        assert (name, epsilon) == [("ucb", None), ("ucb_without_forgetting", 1.0), ("ucb_without_forgetting", 0.3)][k // COUNT]
        assert np.array_equal(outcomes[0], EMBEDDED[hospital]) and means.tolist() == SPECIFICATION["means"][hospital]
        assert view["lost"][hospital] == pytest.approx(done.pulls[0] @ (0.8 - means)) and done.pulls.sum() == PATIENTS
        if epsilon:
            assert done.guarantees[0].epsilon == epsilon and done.guarantees[0].delta == 0 and f"ε = {epsilon:g}, δ = 0" in view["guarantee"]
        else:
            assert done.guarantees == () and "No privacy guarantee" in view["guarantee"]


def test_ucb_loses_what_it_loses_in_a_plain_loop_on_the_same_patients():
    """Only ties are random, so one of a few hundred loops, which break them at random, does the same."""
    rng = np.random.default_rng(3)
    for hospital in range(4):
        means, found = np.array(SPECIFICATION["means"][hospital]), set()
        for _ in range(300):
            sums, given = np.zeros(ARMS), np.zeros(ARMS)
            for t, outcomes in enumerate(EMBEDDED[hospital], 1):
                index = np.where(given == 0, np.inf, sums / np.maximum(given, 1) + np.sqrt(2 * np.log(t) / np.maximum(given, 1)))
                arm = rng.choice(np.flatnonzero(index > index.max() - 1e-11 if np.isfinite(index.max()) else np.isinf(index)))
                sums[arm] += outcomes[arm]
                given[arm] += 1
            found.add(round(float(given @ (0.8 - means)), 6))
        assert round(SPECIFICATION["views"][0]["lost"][hospital], 6) in found


def test_the_still_picture_says_what_the_rules_lost_and_runs_nothing():
    figure = WIDGET._repr_mimebundle_()["text/html"]
    assert figure.startswith('<figure class="game-still"') and "<script" not in figure and figure == games.hospital()._repr_mimebundle_()["text/html"]
    for view in DRAWN.views:
        assert f"{view.rule}, {view.label}: {view.lost.mean():.0f}" in figure
    assert "each treatment as likely as the others: 40." in figure


def test_a_hospital_adds_at_most_80_kilobytes_to_a_page():
    size = 4 * (len(WIDGET.outcomes) + len(WIDGET.noise)) / 3 + len(json.dumps(SPECIFICATION, ensure_ascii=False, allow_nan=False).encode())
    assert size + len(WIDGET._repr_mimebundle_()["text/html"].encode()) <= 80_000


@pytest.mark.parametrize("changes, message", [
    ({"means": (0.5,)}, "means must be of two to 5 treatments, got 1"), ({"means": (0.5, 1.5)}, "means must be"),
    ({"noise": np.full((2, 30), 3.0)}, "noise must be Laplace noise of scale 1"), ({"noise": np.ones(3)}, "noise must have shape"), ({"epsilons": (0,)}, "epsilons must be"),
    ({"sizes": (5, 1)}, r"sizes must increase, got \(5, 1\)"), ({"sizes": ()}, "sizes must increase"), ({"sizes": (1, 31)}, "sizes must be"),
    ({"name": "two words"}, "name must be a Python identifier"), ({"alt": 3}, "alt must be words, got 3"), ({"rng": None}, "rng must be"), ({"noise_rng": 3}, "noise_rng must be"),
])
def test_what_cannot_be_played_says_why(changes, message):
    assert treat(**RIGHT, **generators()).specification["shape"] == [2, 30, 2]
    with pytest.raises(ValueError, match=message):
        treat(**RIGHT | generators() | changes)


def test_hospitals_are_records_that_nobody_writes_to():
    assert isinstance(DRAWN, Hospitals)
    with pytest.raises(ValueError):
        DRAWN.noise[0] = 0
