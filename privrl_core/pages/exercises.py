"""Exercises that check themselves: each answer is missing, right, or not yet right, with a hint."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from privrl_core.lazy import needs


class Mistake(Exception):
    """A recognised wrong answer: raised by ``is_right``, with a text that is shown instead of the hint."""


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """A question whose answer can be checked by a program: ``Exercise(is_right=..., hint=...).check(answer)``.

    ``is_right(answer)`` is true for right answers, and may raise a `Mistake` for wrong ones that it recognises; ``hint`` is
    shown for all others. An answer for which ``is_right`` fails, such as a string in place of a number, is also wrong, and
    the failure is shown.
    """

    is_right: Callable
    hint: str

    def check(self, answer):
        """Whether the answer is right, as Markdown for a notebook; ``...`` stands for an answer not yet given."""
        with needs("pages"):
            from IPython.display import Markdown

        if answer is ...:
            return Markdown("**Missing:** your answer in place of the `...`; then run this cell again.")
        try:
            if self.is_right(answer):
                return Markdown("✓ **Right.**")
        except Mistake as mistake:
            return Markdown(f"✗ **Not yet.** {mistake}")
        except Exception as error:  # the reader's code may fail in any way
            failure = f"With this answer the check ends in `{type(error).__name__}: {error}`."
            return Markdown(f"✗ **Not yet.** {failure} {self.hint}")
        return Markdown(f"✗ **Not yet.** {self.hint}")


def close_to(expected: float, relative: float = 0.01, *,
             mistakes: Sequence[tuple[float, str]] = ()) -> Callable[[float], bool]:
    """``|answer − expected| ≤ relative · |expected|``, as a function of the answer.

    ``mistakes`` are pairs of a wrong number and an explanation, raised as a `Mistake` for answers equally close to it.
    """
    def near(answer, number):
        return bool(abs(answer - number) <= relative * abs(number))

    def is_right(answer):
        if near(answer, expected):
            return True
        for number, what_happened in mistakes:
            if near(answer, number):
                raise Mistake(what_happened)
        return False
    return is_right
