"""How the book formats numbers in pages, tables and guarantees."""

from decimal import ROUND_CEILING, Context, Decimal

__all__ = ["show", "round_up", "at_most", "power"]

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power(exponent: int) -> str:
    """10⁻⁵ for -5."""
    return "10" + str(exponent).translate(SUPERSCRIPTS)


def show(value: float, digits: int = 3) -> str:
    """A number as the book prints it: 0.125, 12,300, 1.2 × 10⁻⁵. The page has the same function."""
    if value == 0:
        return "0"
    mantissa, exponent = f"{abs(value):.{digits - 1}e}".split("e")
    sign = "−" if value < 0 else ""
    if -3 <= int(exponent) < 6:
        return sign + f"{float(f'{mantissa}e{exponent}'):,}".removesuffix(".0")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return sign + ("" if mantissa == "1" else f"{mantissa}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}") + power(int(exponent))


def round_up(value: float, digits: int = 3) -> float:
    """The smallest number with this many significant digits that is not below the value: 3.74 for 3.731.

    A value that exceeds such a number by at most a millionth is rounded down to it, since the tables of a page are no more
    precise than that. The page has the same function.
    """
    return float(Context(prec=digits, rounding=ROUND_CEILING).create_decimal_from_float(value - abs(value) * 1e-6))


def at_most(value):
    """As `show`, but rounded up, so that an upper bound stays one. Rounding errors up to a billionth are ignored."""
    return show(float(Context(3, ROUND_CEILING).create_decimal(Decimal(float(value) * (1 - 1e-9)))))
