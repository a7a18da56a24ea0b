"""A class is marked: each exercise by the page's own check, each notebook at its own risk."""

import csv

import course
import grade
import nbformat
import pytest
from pairs import notebook

PAGE = '''# %% [markdown]
# ````{exercise} A half
# :label: ex-half
# Of one?
# ````
# %%
import numpy as np
from privrl_core.pages import Exercise, Mistake, close_to
# %% tags=["remove-input"]
half = Exercise(is_right=close_to(0.5, mistakes=[(2, "That is the double.")]), hint="Two of them make one.")
# %%
answer = ...
half.check(answer)
# %% [markdown]
# ````{exercise} Twice
# :label: ex-twice
# A function.
# ````
# %% tags=["remove-input"]
def six():
    return 6
def doubles(function):
    if function(3) != six():
        raise Mistake(f"Of 3 it makes {function(3)}.")
    return True
twice = Exercise(is_right=doubles, hint="Times two.")
# %%
double = ...
twice.check(double)
# %% [markdown]
# ````{solution-start} ex-twice
# ````
# %%
raise RuntimeError("nobody runs the solutions")
# %% [markdown]
# ````{solution-end}
# ````
'''
COPIES = {  # the cells of a student: their two answers, or cells of their own
    "right": ("answer = 1 / 2", "double = lambda x: 2 * x"),
    "late": ("answer = 0.5", "double = 3"),
    "wrong": ("answer = 2.0", "double = lambda x: x + 1"),
    "other": ("answer = 7", "double = lambda x: x"),
    "empty": ("answer = ...", "double = ..."),
    "fails": ("answer = 1 / 0", "double = lambda x: x + x"),
    "leaves": ("import sys; sys.exit()", "double = lambda x: 2 * x"),
    "for_ever": ("answer = 0.5", "while True: pass"),
    "dies": ("answer = 0.5", "import os; os._exit(1)"),
    "cheats": ("half = Exercise(is_right=lambda answer: True, hint='')\nanswer = 0", "doubles = lambda function: True\nsix = lambda: 7\ndouble = lambda x: 7"),
    "magic": ("%matplotlib inline\nanswer = np.float32(0.5)", "!true\ndouble = lambda x: 2 * x"),
}
POINTS = {"right": "11", "late": "10", "wrong": "00", "other": "00", "empty": "00", "fails": "01", "leaves": "01", "for_ever": "10", "dies": "10",
          "cheats": "00", "magic": "11", "broken": "00", "nothing": "00"}


@pytest.fixture
def a_class(tmp_path, monkeypatch):
    """A hundred students; four of each kind that ends badly."""
    (tmp_path / "chapters" / "08_halves").mkdir(parents=True)
    (tmp_path / "chapters" / "08_halves" / "02_exercises.ipynb").write_text(notebook(PAGE))
    monkeypatch.setattr(grade, "ROOT", tmp_path)
    handout = course.edition_of(nbformat.reads(notebook(PAGE), 4), "student")
    folder, kinds = tmp_path / "submitted", [*COPIES, "broken", "nothing"]
    for k in range(100):
        kind = kinds[k % len(kinds)] if k < 4 * len(kinds) else kinds[k % 4]
        copy = nbformat.from_dict(handout)
        for cell in copy.cells:
            for at, line in enumerate(("answer = ...", "double = ...")):
                cell.source = cell.source.replace(line, COPIES.get(kind, COPIES["right"])[at])
        text = {"broken": "{", "nothing": ""}.get(kind, nbformat.writes(copy))
        path = folder / f"{kind}-{k}.ipynb" if k % 2 else folder / f"{kind}-{k}" / "08_halves.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_a_class_of_a_hundred(a_class, tmp_path, capsys):
    grade.main("08_halves", str(a_class), "--into", str(tmp_path / "marks.csv"), "--seconds", "1")
    with open(tmp_path / "marks.csv", encoding="utf-8") as file:
        marks = list(csv.DictReader(file))
    assert len(marks) == 100
    for row in marks:
        kind = row["student"].split("-")[0]
        assert row["A half"] + row["Twice"] == POINTS[kind], row
        assert int(row["points"]) == sum(map(int, POINTS[kind]))
        assert row["note"].startswith({"for_ever": "ended after 1 s", "broken": "no notebook", "nothing": "no notebook"}.get(kind, "")), row
        assert kind in ("for_ever", "broken", "nothing") or not row["note"]
    with open(tmp_path / "marks_exercises.csv", encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    wrong = [row["student"] for row in marks if row["student"].startswith("wrong-")]
    assert {row["times"] for row in found if row["mistake"] == "That is the double."} == {str(len(wrong))}
    alike = [row["mistake"] for row in found if row["mistake"].startswith("Of 3 it makes")]
    assert len(alike) == 1                              # whatever number it made
    right = sum(int(row["A half"]) for row in marks)
    assert f"{right:>3}% right  A half" in capsys.readouterr().out
