"""Quizzes: every choice explains itself, one is right, and its place gives nothing away."""

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
QUIZZES = {path.relative_to(ROOT).with_suffix("").as_posix(): re.sub(r"^# ?", "", quiz.split("\n# %%")[0], flags=re.M)
           for path in sorted((ROOT / "chapters").rglob("*.py")) for quiz in path.read_text("utf-8").split("\n# ## Quiz\n")[1:]}


@pytest.mark.parametrize("page", QUIZZES)
def test_one_choice_is_right_and_its_place_is_no_hint(page):
    places = []
    for question in re.split(r"^\*\*\d+\. ", QUIZZES[page], flags=re.M)[1:]:
        choices = question.split("```{dropdown} ")[1:]
        explained = [choice.partition("\n")[2].partition("```")[0].strip() for choice in choices]
        assert len(choices) >= 3 and all(explained), question
        right = ["✓" in explanation for explanation in explained]
        assert right.count(True) == 1, question
        places.append(right.index(True))
    assert len(places) >= 3
    assert len(places) < 5 or Counter(places).most_common(1)[0][1] <= 0.6 * len(places), places
