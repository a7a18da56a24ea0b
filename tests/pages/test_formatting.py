"""Numbers as the book writes them; the page has the same function, which tests/browser holds against this one."""

import pytest

from privrl_core.formatting import power, show


@pytest.mark.parametrize("value, digits, text", [
    (43.02, 2, "43"), (6.4, 2, "6.4"), (36093, 5, "36,093"), (36093, 2, "36,000"), (0.99999, 2, "1"), (999.6, 3, "1,000"),
    (-0.51, 2, "−0.51"), (0, 2, "0"), (0.0072, 2, "0.0072"), (1e-5, 3, "10⁻⁵"), (999_999, 3, "10⁶"),
    (2.3e7, 2, "2.3\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10⁷"), (5.8e-4, 2, "5.8\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10⁻⁴")])
def test_a_number_is_written_with_so_many_digits(value, digits, text):
    assert show(value, digits) == text


def test_a_power():
    assert power(-12) == "10⁻¹²"
