"""Exercises that check themselves: each answer is missing, right, or not yet right, with a hint."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction

import numpy as np

from privrl_core.lazy import needs


class Mistake(Exception):
    """A recognised wrong answer: raised by ``is_right``, with a text that is shown instead of the hint."""


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """A question whose answer can be checked by a program: ``Exercise(is_right=..., hint=...).check(answer)``.

    ``is_right(answer)`` is true for right answers, and may raise a `Mistake` for wrong ones that it recognises; ``hint`` is
    shown for all others. An answer for which ``is_right`` fails, such as a string in place of a number, is also wrong, and
    the failure is shown. If ``is_right`` is what `close_to` returns, the pages of the book ask for the answer in a form.
    ``Exercise()``, as in the hand-outs of students, knows no answer: it notes the one that is given, for those who mark it.
    """

    is_right: Callable | None = None
    hint: str = ""

    def check(self, answer):
        """Whether the answer is right, as Markdown for a notebook; ``...`` stands for an answer not yet given."""
        with needs("pages"):
            from IPython.display import Markdown

        if answer is ...:
            in_the_page = asdict(self.is_right) | {"hint": self.hint} if isinstance(self.is_right, CloseTo) else {}
            return Markdown("**Missing:** your answer in place of the `...`; then run this cell again.",
                            metadata={"exercise": in_the_page})
        if self.is_right is None:
            text = " ".join(repr(answer).split())
            return Markdown(f"**Noted:** `{text[:60]}{'…' * (len(text) > 60)}`. It is checked when you hand it in.")
        try:
            if self.is_right(answer):
                return Markdown("✓ **Right.**")
        except Mistake as mistake:
            return Markdown(f"✗ **Not yet.** {mistake}")
        except Exception as error:  # the reader's code may fail in any way
            failure = f"With this answer the check ends in `{type(error).__name__}: {error}`."
            return Markdown(f"✗ **Not yet.** {failure} {self.hint}")
        return Markdown(f"✗ **Not yet.** {self.hint}")


NUMBERS = (bool, int, float, Fraction, np.bool_, *(np.dtype(code).type for code in np.typecodes["AllInteger"] + "efdg"))


def as_numbers(answer, count: int | None) -> tuple[float, ...]:
    """The answer as ``count`` numbers, or as one that is no list (``None``). A `Mistake` if there are more or fewer.

    Numbers are plain ones, alone or in a list, a tuple or an array: an object of any other class would run its own methods,
    and these could see what it is compared with. Raises TypeError for one.
    """
    if type(answer) is np.ndarray:
        answer = answer.tolist()
    if count is not None and (type(answer) not in (list, tuple) or len(answer) != count):
        raise Mistake(f"{count} numbers are asked for, as a list.")
    numbers = (answer,) if count is None else answer
    for number in numbers:
        if type(number) not in NUMBERS:
            raise TypeError(f"{type(number).__name__} is no number")
    return tuple(map(float, numbers))


@dataclass(frozen=True)
class CloseTo:
    """What `close_to` returns: called with an answer, whether it is right."""

    expected: float | tuple[float, ...]
    relative: float
    absolute: float | None
    mistakes: tuple[tuple[float | tuple[float | None, ...], str], ...]

    @property
    def count(self) -> int | None:
        return len(self.expected) if isinstance(self.expected, tuple) else None

    def near(self, answer: tuple[float, ...], numbers) -> bool:
        def tolerance(number):
            return self.relative * abs(number) if self.absolute is None else self.absolute

        numbers = (numbers,) if self.count is None else numbers
        return all(number is None or abs(given - number) <= tolerance(number)
                   for given, number in zip(answer, numbers, strict=True))

    def __call__(self, answer) -> bool:
        answer = as_numbers(answer, self.count)
        if self.near(answer, self.expected):
            return True
        for numbers, what_happened in self.mistakes:
            if self.near(answer, numbers):
                raise Mistake(what_happened)
        return False


def close_to(expected: float | Sequence[float], relative: float = 0.01, *, absolute: float | None = None,
             mistakes: Sequence[tuple] = ()) -> CloseTo:
    """``|answer − expected| ≤ relative · |expected|``, as a function of the answer; or ``≤ absolute``, if that is given.

    With a list of numbers the answer is a list, too, and each of its numbers must be close. ``mistakes`` are pairs of a
    wrong answer and an explanation, raised as a `Mistake` for answers equally close to it; in a list, ``...`` stands for any
    number. Raises ValueError for a mistake of another length.
    """
    if absolute is not None and not absolute > 0:
        raise ValueError(f"an absolute tolerance must be positive, got {absolute}")

    def plain(numbers):
        if hasattr(numbers, "__len__"):
            return tuple(None if number is ... else float(number) for number in numbers)
        return float(numbers)

    record = CloseTo(plain(expected), relative, absolute, tuple((plain(numbers), said) for numbers, said in mistakes))
    if any((len(numbers) if isinstance(numbers, tuple) else None) != record.count for numbers, _ in record.mistakes):
        raise ValueError(f"mistakes must have as many numbers as the answer, {record.count or 'one'}")
    return record
