"""Exercises that check themselves: each answer is missing, right, or not yet right, with a hint."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from privrl_core.lazy import needs


class Mistake(Exception):
    """An answer that is wrong in a way that can be told: raised by ``is_right``, its text is shown instead of the hint."""


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """A question of which a computer can tell whether it is answered: ``Exercise(is_right=..., hint=...).check(answer)``.

    ``is_right(answer)`` is true for right answers, and may raise a `Mistake` for wrong ones that it knows; ``hint`` is
    shown with all others. An answer that ``is_right`` cannot even compute with, such as a string where a number is asked
    for, is wrong too, and is told why.
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

    ``mistakes`` are pairs of a wrong number and what to say to whoever arrives at it, as near: a `Mistake`.
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
