"""A class is marked: each exercise by the page's own check, each notebook at its own risk."""

import csv
import re
import shutil

import course
import grade
import nbformat
import pytest
import yaml
from pairs import notebook
from plans import plans

PAGE = '''# %% [markdown]
# ````{exercise} A half
# :label: ex-half
# Of one? 5 minutes.
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
# A function. 10 minutes.
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
# ````{exercise} Why
# :label: ex-proof-why
# Prove it. 15 minutes.
# ````
'''
PLAN = {"ten_weeks": {"sessions": [{"home": {"exercises": ["ex-half"]}}, {"home": {"exercises": ["ex-twice", "ex-proof-why"]}}, {}]}}
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
          "cheats": "00", "magic": "11", "broken": "00", "nothing": "00", "absent": "00"}


@pytest.fixture
def a_class(tmp_path, monkeypatch):
    """A hundred students; four of each kind that ends badly."""
    (tmp_path / "chapters" / "08_halves").mkdir(parents=True)
    (tmp_path / "chapters" / "08_halves" / "02_exercises.ipynb").write_text(notebook(PAGE))
    (tmp_path / "chapters" / "08_halves" / "02_exercises.py").write_text(PAGE)
    (tmp_path / "book" / "course").mkdir(parents=True)
    (tmp_path / "book" / "course" / "plan.yml").write_text(yaml.safe_dump(PLAN))
    monkeypatch.setattr(grade, "ROOT", tmp_path)
    handout = course.without_checks(course.edition_of(nbformat.reads(notebook(PAGE), 4), "student"))
    folder, kinds = tmp_path / "submitted", [*COPIES, "broken", "nothing", "absent"]
    for k in range(100):
        kind = kinds[k % len(kinds)] if k < 4 * len(kinds) else kinds[k % 4]
        copy = nbformat.from_dict(handout)
        for cell in copy.cells:
            for at, line in enumerate(("answer = ...", "double = ...")):
                cell.source = cell.source.replace(line, COPIES.get(kind, COPIES["right"])[at])
        path = folder / f"{kind}-{k}" / ("files/08_halves.ipynb" if k % 2 else "08_halves.ipynb")
        path.parent.mkdir(parents=True)
        if kind != "absent":
            path.write_text({"broken": nbformat.writes(copy)[:-9], "nothing": ""}.get(kind, nbformat.writes(copy)))
    return folder


HALF, TWICE, WHY = "A half (5 minutes)", "Twice (10 minutes)", "Why (15 minutes, 10 points)"


def table(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_class_of_a_hundred(a_class, capsys):
    grade.main(str(a_class), "--seconds", "2")
    marks = table(a_class / "marks.csv")
    assert len(marks) == 100
    for row in marks:
        kind = row["student"].split("-")[0]
        assert row[HALF] + row[TWICE] == POINTS[kind], row
        assert row[WHY] == row["project"] == ""
        assert float(row["exercises"]) == round((5 * int(row[HALF]) + 10 * int(row[TWICE])) / 0.3, 1)
        assert row["note"].startswith({"for_ever": "ended after 2 s", "broken": "no notebook", "nothing": "no notebook", "absent": "no 08_halves.ipynb"}.get(kind, "")), row
        assert kind in ("for_ever", "broken", "nothing", "absent") or not row["note"]
    found = table(a_class / "mistakes_all.csv")
    wrong = [row["student"] for row in marks if row["student"].startswith("wrong-")]
    assert {row["times"] for row in found if row["mistake"] == "That is the double."} == {str(len(wrong))}
    alike = [row["mistake"] for row in found if row["mistake"].startswith("Of 3 it makes")]
    assert len(alike) == 1                              # whatever number it made
    assert all(row["mistake"] and row["times"] != "0" for row in found if not row["right"])
    right = sum(int(row[HALF]) for row in marks)
    assert f"{right:>4} right" in capsys.readouterr().out


@pytest.mark.parametrize("kind, half, twice", [
    ("right", "✓ **Right.**", "✓ **Right.**"),
    ("wrong", "✗ **Not yet.** That is the double.", "✗ **Not yet.** Of 3 it makes 4."),
    ("other", "✗ **Not yet.** Two of them make one.", "✗ **Not yet.** Of 3 it makes 3."),
    ("empty", "**Not answered.**", "**Not answered.**"),
    ("for_ever", "✓ **Right.**", "**Not answered.**"),
    ("absent", "**Not answered.**", "**Not answered.**"),
])
def test_each_student_reads_what_was_right_and_why_the_rest_was_not(a_class, kind, half, twice):
    [student] = (path for path in a_class.iterdir() if re.match(rf"{kind}-\d$|{kind}-1\d$", path.name) and int(path.name.split("-")[1]) < 14)
    alone = a_class.parent / "alone"
    shutil.copytree(student, alone / student.name)
    grade.main(str(alone), "--seconds", "1")
    shown = (alone / student.name / "feedback_all.md").read_text("utf-8")
    note = {"for_ever": "Your notebook: ended after 1 s\n\n", "absent": "Your notebook: no 08_halves.ipynb\n\n"}.get(kind, "")
    assert shown == (f"# Feedback, all sessions\n\n{note}## A half\n\n{half}\n\n## Twice\n\n{twice}\n\n"
                     "## Why\n\nYour teacher marks it by hand.\n")


def test_sessions_one_after_another_keep_what_was_marked_and_written_before(a_class, tmp_path):
    some, late = tmp_path / "some", tmp_path / "late"
    for student in ("right-0", "late-1"):
        shutil.copytree(a_class / student, some / student)
    shutil.copytree(a_class / "wrong-2", late / "wrong-2")
    grade.main(str(some), "--session", "1")
    assert [(row[HALF], row[TWICE]) for row in table(some / "marks.csv")] == [("1", ""), ("1", "")]
    grade.main(str(some), "--session", "2")
    rows = table(some / "marks.csv")
    rows[1] |= {WHY: "7,5", "project": "60"}            # by hand
    with open(some / "marks.csv", "w", newline="", encoding="utf-8-sig") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    grade.main(str(late), "--session", "2", "--into", str(some))
    assert "Of 3 it makes 4." in (late / "wrong-2" / "feedback_2.md").read_text("utf-8")
    grade.main(str(some), "--session", "3")             # without exercises: the sums alone
    assert sorted(path.name for path in (some / "right-0").glob("*.md")) == ["feedback_1.md", "feedback_2.md"]
    late, right, wrong = table(some / "marks.csv")
    assert [late["student"], right["student"], wrong["student"]] == ["late-1", "right-0", "wrong-2"]
    assert (right[HALF], right[TWICE], right[WHY], right["exercises"], right["mark"]) == ("1", "1", "7,5", "87.5", "69.2")
    assert (late["exercises"], late["mark"], wrong[HALF], wrong[TWICE]) == ("16.7", "5.6", "", "0")


def test_a_proof_of_the_plan_has_its_name_from_its_label():
    """`make grade` knows by it which columns are filled by hand, and the hand-out where a cell to write in belongs."""
    for page in sorted(course.ROOT.glob("chapters/*/*_exercises.py")):
        for label, rest in re.findall(r"^# :label: (ex-\S+)\n(.*?)(?=^# `{4}\{exercise\}|\Z)", page.read_text("utf-8"), re.M | re.S):
            if label in {label for plan in plans(course.ROOT).values() for session in plan["sessions"] for label in session.get("home", {}).get("exercises", ())}:
                assert ("proof" in label) == (".check(" not in rest), label
