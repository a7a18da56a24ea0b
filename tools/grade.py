"""Marks for the home exercises of a class: `grade.py submitted --plan ten_weeks --session 3`.

The folder has a folder for each student with the notebooks that were handed in, `anna/02_policy_evaluation.ipynb`. Each is
run in a process of its own, two at a time and for a minute at most, in which everything is loaded already; so a notebook
that fails, never ends or cannot be opened costs nobody else anything. The checks are those of the chapter's page, whatever
the student's copy says: cells that make an exercise are left out, and of all answers to an exercise the last counts.

`submitted/marks.csv` has a row for each student and a column for each exercise that the plan sets at home: 1 or 0, or, for a
written proof and for the project, what you write into it by hand. An exercise weighs its minutes. Only the columns of the
session are written, those of other sessions and what was written by hand stay, and the sums are made anew.
`submitted/mistakes_3.csv` says of each exercise of the session how many were right, and which mistakes were made how often.
`submitted/anna/feedback_3.md`, beside what Anna handed in, says of each exercise whether it is right, and what to think of.

The students' code runs with your rights. If you do not know them, run this in a container.
"""

import argparse
import csv
import multiprocessing
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable
from multiprocessing.connection import Connection, wait
from pathlib import Path
from unittest.mock import Mock

import nbformat
from course import ROOT, edition_of
from IPython.core.inputtransformer2 import TransformerManager
from plans import Book, plans

from privrl_core.pages import Exercise

AT_ONCE = 2
RIGHT, NOT_YET = "✓ ", "✗ **Not yet.** "
NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")  # of one student's answer, in what is said of it


class Marked:
    """An exercise as a student's code sees it: what is said of an answer is sent to the marker as well."""

    def __init__(self, name: str, exercise: Exercise, marker: Connection):
        self.name, self.exercise, self.marker = name, exercise, marker

    def check(self, answer):
        said = self.exercise.check(answer)
        self.marker.send((self.name, said.data))
        return said


def page_of(chapter: str) -> tuple[dict, dict[str, str]]:
    """The names of a chapter's page of exercises without its solutions, and the titles of the exercises by their names."""
    [page] = (ROOT / "chapters" / chapter).glob("*_exercises.ipynb")
    names, titles, title = {"__name__": "__main__", "display": lambda *shown: None}, {}, ""
    for cell in edition_of(nbformat.read(page, 4), "student").cells:
        if cell.cell_type == "markdown":
            title = (re.findall(r"^### Exercise: (.*)", cell.source, re.M) or [title])[-1]
        else:
            exec(compile(cell.source, page.name, "exec"), names)
            titles |= {name: title for name in re.findall(r"^(\w+)\.check\(", cell.source, re.M)}
    return names, titles


def answer(notebook: Path, names: dict, titles: dict[str, str], marker: Connection) -> None:
    """Run the cells of a student, each whatever became of the others, beside the names that the checks use."""
    sys.stdout = sys.stderr = open(os.devnull, "w")
    own = names | {name: Marked(name, names[name], marker) for name in titles}
    own["get_ipython"] = Mock()  # what lines with % and ! become does nothing
    try:
        cells = nbformat.read(notebook, 4).cells
    except Exception as error:
        marker.send(("", f"no notebook: {type(error).__name__}"))
        return
    for cell in cells:
        if cell.cell_type == "code" and not re.search(r"\bExercise\(", cell.source):
            try:
                exec(compile(TransformerManager().transform_cell(cell.source), notebook.name, "exec"), own)
            except BaseException:  # sys.exit() too
                continue


def verdicts(notebooks: dict[str, Path], names: dict, titles: dict[str, str], seconds: float) -> dict[str, dict[str, str]]:
    """For each student what was said last of each exercise, and of the notebook, if anything, under the empty name."""
    fork, waiting, running = multiprocessing.get_context("fork"), dict(notebooks), {}
    said = {student: {} for student in notebooks}
    while waiting or running:
        while waiting and len(running) < AT_ONCE:
            student = next(iter(waiting))
            ours, theirs = fork.Pipe(duplex=False)
            process = fork.Process(target=answer, args=(waiting.pop(student), names, titles, theirs))
            process.start()
            theirs.close()
            running[ours] = student, process, time.monotonic() + seconds
        for ours in wait(list(running), 0.2):
            try:
                name, text = ours.recv()
                said[running[ours][0]][name] = text
            except (EOFError, OSError):
                running.pop(ours)[1].join()
        for ours, (student, process, end) in list(running.items()):
            if time.monotonic() > end:
                said[student][""] = f"ended after {seconds:g} s"
                process.kill()
                running.pop(ours)[1].join()
    return said


def mistakes(verdicts: dict[str, dict[str, str]], names: dict, titles: dict[str, str]) -> list[list]:
    """For each exercise how many were right and wrong, and below it what was wrong how often."""
    rows = []
    for name, title in titles.items():
        answers = [of[name] for of in verdicts.values() if of.get(name, "").startswith((RIGHT, NOT_YET))]
        wrong = [text.removeprefix(NOT_YET) for text in answers if text.startswith(NOT_YET)]
        rows.append([title, len(answers) - len(wrong), len(wrong), "", ""])
        alike = {NUMBERS.sub("#", text): text for text in wrong}
        said = Counter("another mistake" if text.endswith(names[name].hint) else alike[NUMBERS.sub("#", text)]
                       for text in wrong)
        rows += [[title, "", "", times, text] for text, times in said.most_common()]
    return rows


def feedback(of: dict[str, str], titles: dict[str, str], due: Iterable[str]) -> list[str]:
    """What a student reads: the note on the notebook, if there is one, and what is said of each exercise that was due."""
    lines = [f"Your notebook: {of['']}"] if of.get("") else []
    for title in due:
        said = [text if (text := of.get(name, "")).startswith((RIGHT, NOT_YET)) else "**Not answered.**"
                for name in titles if titles[name] == title]
        lines += [f"## {title}", *(said or ["Your teacher marks it by hand."])]
    return lines


def number(text: str | float) -> float:
    """What somebody wrote into a cell, with a point or a comma; an empty cell is 0."""
    return float(str(text).replace(",", ".") or 0)


def main(*words: str) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("submitted", type=Path)
    parser.add_argument("--plan", default="ten_weeks")
    parser.add_argument("--session", type=int, help="whose exercises are marked; without it those of all sessions")
    parser.add_argument("--into", type=Path, help="the folder with marks.csv; without it the one with the notebooks")
    parser.add_argument("--seconds", type=float, default=60, help="for each notebook")
    arguments = parser.parse_args(words)
    start, folder, into = time.monotonic(), arguments.submitted, arguments.into or arguments.submitted
    at_home = [session.get("home", {}).get("exercises", []) for session in plans(ROOT)[arguments.plan]["sessions"]]
    due, book = at_home[arguments.session - 1] if arguments.session else sum(at_home, []), Book.read(ROOT).exercises
    columns = {label: f"{book[label][0]} ({book[label][1]} minutes{', 10 points' * ('proof' in label)})"
               for label in sum(at_home, [])}

    students = sorted(path.name for path in folder.iterdir() if path.is_dir())
    marks, found, told = {}, [["exercise", "right", "wrong", "times", "mistake"]], {student: [] for student in students}
    if (into / "marks.csv").exists():
        with open(into / "marks.csv", encoding="utf-8-sig") as file:
            marks = {row["student"]: row for row in csv.DictReader(file)}
    for student in students:
        marks[student] = marks.get(student, {"student": student}) | {"note": ""}
    for chapter in dict.fromkeys(book[label][2] for label in due):
        names, titles = page_of(chapter)
        wanted = {book[label][0]: columns[label] for label in due if book[label][2] == chapter and "proof" not in label}
        titles = {name: title for name, title in titles.items() if title in wanted}
        paths = {student: sorted((folder / student).glob(f"**/{chapter}.ipynb")) for student in students}
        said = verdicts({student: path[0] for student, path in paths.items() if path}, names, titles, arguments.seconds)
        for student in students:
            of, row = said.get(student, {"": f"no {chapter}.ipynb"}), marks[student]
            told[student] += feedback(of, titles, [book[label][0] for label in due if book[label][2] == chapter])
            row["note"] = "; ".join(filter(None, [row["note"], of.get("", "")]))
            row |= {column: int(all(of.get(name, "").startswith(RIGHT) for name in titles if titles[name] == title))
                    for title, column in wanted.items()}
        found += mistakes(said, names, titles)

    for row in marks.values():
        earned = sum(book[label][1] * number(row.get(column, 0)) / (10 if "proof" in label else 1)
                     for label, column in columns.items())
        row["exercises"] = round(100 * earned / sum(book[label][1] for label in columns), 1)
        row["mark"] = round((row["exercises"] + 2 * number(row.get("project", 0))) / 3, 1)
    with open(into / "marks.csv", "w", newline="", encoding="utf-8") as file:
        names = ["student", *columns.values(), "exercises", "project", "mark", "note"]
        table = csv.DictWriter(file, names, extrasaction="ignore")
        table.writeheader()
        table.writerows(marks.values())
    session = arguments.session or "all"
    for student, lines in told.items():
        if lines:
            text = "\n\n".join([f"# Feedback, {'all sessions' if session == 'all' else f'session {session}'}", *lines])
            (folder / student / f"feedback_{session}.md").write_text(text + "\n", "utf-8")
    with open(into / f"mistakes_{session}.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(found)
    for title, right, wrong, *_ in found[1:]:
        if wrong != "":
            print(f"  {right:>4} right, {wrong} wrong  {title}")
    print(f"{len(students)} students marked, {time.monotonic() - start:.0f} s: {into / 'marks.csv'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
