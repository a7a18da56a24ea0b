"""A sealed answer says what the plain one says, and shows nothing of it."""

import json
from math import exp, log, sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from privrl_core.pages import Exercise, Mistake, Sealed, close_to, sealed
from privrl_core.pages.sealing import BLUR, COST

QUICK = 2**4
NUMBERS = st.floats(-1e9, 1e9).filter(lambda number: number == 0 or abs(number) > 1e-9)


def said(check, answer):
    """Right, wrong, or the mistake's text."""
    try:
        return check(answer)
    except Mistake as mistake:
        return str(mistake)


@given(expected=NUMBERS, relative=st.sampled_from([1e-9, 0.001, 0.01, 0.05]), of_the_way=st.floats(-0.9999, 0.9999))
def test_all_right_answers_pass_up_to_the_edge(expected, relative, of_the_way):
    record = close_to(expected, relative)
    answer = expected * (1 + of_the_way * relative)
    assert said(record, answer) is said(Sealed(sealed(record, QUICK)), answer) is True


@given(expected=NUMBERS, relative=st.sampled_from([1e-9, 0.001, 0.01, 0.05]), beyond=st.floats(0, 1e3), side=st.sampled_from([-1, 1]))
def test_others_do_not_pass(expected, relative, beyond, side):
    """A cell is wider by a quarter, all of it at one side at most; in between a sealed answer may be kinder."""
    assume(expected)
    right = log((1 + relative) / (1 - relative))                    # the width of the right answers, in the logarithm
    farthest = log(1 + side * relative) + side * (BLUR - 1) * right  # where a cell can end
    record, answer = close_to(expected, relative), expected * exp(farthest + side * beyond * right)
    assert said(record, answer) is said(Sealed(sealed(record, QUICK)), answer) is False
    for other in (0.0, -expected, -1 / expected, 1.0 if abs(expected - 1) > 0.2 else 2.0):
        assert said(record, other) is said(Sealed(sealed(record, QUICK)), other)


@given(expected=NUMBERS, wrong=NUMBERS, of_the_way=st.floats(-0.9999, 0.9999))
def test_mistakes_are_named_up_to_the_edge(expected, wrong, of_the_way):
    record = close_to(expected, mistakes=[(wrong, "Not π, but √2."), (wrong, "Never said.")])
    assume(expected == wrong == 0 or abs(log(abs(expected or 1e-12) / abs(wrong or 1e-12))) > 0.06 or expected * wrong < 0)
    answer = wrong * (1 + of_the_way * 0.01)
    assert said(record, answer) == said(Sealed(sealed(record, QUICK)), answer)


@pytest.mark.parametrize("answer", [(0.2, 0.3), (0.2015, 0.298), [0.1, 7], (0.2, 0.4), (0.2,), 3, "ab", (0.0, float("nan")), None,
                                    (0.2, float("inf")), ("a", "b")])
def test_a_list_is_sealed_as_well(answer):
    record = close_to([0.2, 0.3], mistakes=[((0.1, ...), "The first one."), ((0.2, 0.4), "The second one.")])
    plain, hidden = (Exercise(is_right=check, hint="Two of them.").check(answer).data for check in (record, Sealed(sealed(record, QUICK))))
    assert plain == hidden


@pytest.mark.parametrize("answer", [[10.5, 3.5, 0, 0], [10.5099, 3.4901, 0.0099, -0.0099], [11, 4, -1, 0], [10.53, 3.5, 0, 0], [10.5, 3.5, 0]])
def test_zero_has_an_absolute_tolerance(answer):
    record = close_to([10.5, 3.5, 0, 0], absolute=0.01, mistakes=[([11, 4, -1, 0], "Under water.")])
    assert said(record, answer) == said(Sealed(sealed(record, QUICK)), answer)


def test_nothing_can_be_read_in_it():
    record = close_to(sqrt(40), mistakes=[(40, "That is the L1 norm."), (1, "That is one count.")])
    text = sealed(record, QUICK)
    kept = json.loads(text)
    readable = bytes.fromhex("".join(kept["texts"]) + kept["salt"] + kept["right"] + "".join(tag + hidden for _, tag, hidden in kept["mistakes"]))
    assert "6.3" not in text and b"norm" not in readable and b"count" not in readable
    assert text != sealed(record, QUICK)                     # a salt of its own
    assert all(abs(start) <= kept["width"] for start in kept["starts"])


def test_the_grid_does_not_tell_which_round_number_it_is():
    """Of a thousand candidates a fifth could be the answer, and not one, since the cell lies at random."""
    kept = json.loads(sealed(close_to(137), QUICK))
    exact = log(1.01 / 0.99)
    inside = sum(((log(n * 0.99) - kept["starts"][0]) % kept["width"]) + exact < kept["width"] for n in range(1, 1001))
    assert 100 < inside < 350


def test_guessing_takes_long():
    """All numbers of three digits between 0.001 and a million, of either sign, at a quarter of a second each."""
    assert 2 * 9 * 900 * 0.25 > 3600 and COST >= 2**17


@pytest.mark.parametrize("wrong", [lambda: close_to(0, absolute=0), lambda: close_to([1, 2], mistakes=[(1, "?")]), lambda: close_to(1, mistakes=[([1], "?")])])
def test_a_record_that_cannot_be_is_refused(wrong):
    with pytest.raises(ValueError, match="must be positive|must have as many numbers"):
        wrong()
