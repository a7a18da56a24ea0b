"""What NumPy would take for numbers, and is none; and single precision, which is fine."""

import numpy as np
import pytest

from privrl_core.checks import booleans, distributions, finite, shaped, whole_number


@pytest.mark.parametrize("value", [
    "1", b"1", bytearray(b"12"), ["1", "2"], [1, "2"], np.array(["1", "2"]), np.array([b"1"]), np.array(["1", 2], dtype=object),
    np.array(["2020-01-01"], dtype="M8[D]"), np.array([3], dtype="m8[D]"), 1j, None.__class__, {}, 10**400], ids=repr)
def test_what_spells_a_number_or_stands_for_a_day_is_none(value):
    with pytest.raises(ValueError, match="^rewards must be numeric, got "):
        finite("rewards", value)


MASKED = np.ma.array([1.0, -999.0], mask=[False, True])


@pytest.mark.parametrize("value", [MASKED, [MASKED], ([1.0, 2.0], MASKED), np.ma.array([1.0]), [np.ma.masked]], ids=str)
def test_what_is_masked_does_not_come_to_light(value):
    with pytest.raises(ValueError, match="^rewards must be a plain array, got a masked one"):
        finite("rewards", value)


def test_rows_of_different_lengths_are_named():
    with pytest.raises(ValueError, match="^rewards must be an array with rows of one length"):
        finite("rewards", [[1], [2, 3]])


def test_a_masked_truth_is_no_truth():
    with pytest.raises(ValueError, match="^terminal must be a plain array"):
        booleans("terminal", np.ma.array([True, False], mask=[True, False]), (2,))


@pytest.mark.parametrize("value", [True, np.True_, "3", 2.5, [3]], ids=repr)
def test_no_whole_number(value):
    with pytest.raises(ValueError, match="^n must be"):
        whole_number("n", value, least=1)


def test_single_precision_sums_to_one_as_well_as_it_can():
    rng = np.random.default_rng(0)
    policy = rng.dirichlet(np.ones(1000), size=50).astype(np.float32)
    taken = distributions("policy", policy, (50, 1000))
    assert np.abs(policy.sum(axis=1, dtype=float) - 1).max() > 1e-9  # what a double may not do
    assert np.abs(taken.sum(axis=1) - 1).max() < 1e-14
    assert taken == pytest.approx(policy, rel=1e-6)
    with pytest.raises(ValueError, match="must sum to 1"):
        distributions("policy", policy.astype(float), (50, 1000))
    with pytest.raises(ValueError, match="must sum to 1"):
        distributions("policy", policy * np.float32(1.001), (50, 1000))


def test_a_letter_is_any_size_and_the_same_letter_the_same():
    assert shaped("q", np.ones((2, 3, 2)), ("S", "A", "S")).shape == (2, 3, 2)
    for shape in (2, 3, 4), (2, 0, 2), (2, 3), (2,):
        with pytest.raises(ValueError, match=r"q must have shape \[S, A, S\], got \["):
            shaped("q", np.ones(shape), ("S", "A", "S"))
