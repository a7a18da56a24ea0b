"""Marks for the notebooks of a class: `grade.py 02_policy_evaluation submitted/ --into marks.csv`.

The folder has a notebook for each student, `anna.ipynb`, or a folder, `anna/02_policy_evaluation.ipynb`. Each is run in a
process of its own, two at a time and for a minute at most, in which everything is loaded already; so a notebook that fails,
never ends or is damaged costs nobody else anything. The checks are those of the chapter's page, whatever the student's copy
says: cells that make an exercise are left out, and of all answers to an exercise the last counts. Beside the marks,
`marks_exercises.csv` says for each exercise how many were right, and which mistakes were made how often.

The students' code runs with your rights. If you do not know them, run this in a container.
"""

import argparse
import csv
import multiprocessing
import os
import re
import sys
import time
from collections import Counter, defaultdict
from multiprocessing.connection import Connection, wait
from pathlib import Path
from unittest.mock import Mock

import nbformat
from course import ROOT, edition_of
from IPython.core.inputtransformer2 import TransformerManager

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
        if cell.cell_type == "code" and not re.search(r"\b(Exercise|Sealed)\(", cell.source):
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


def tables(said: dict[str, dict[str, str]], names: dict, titles: dict[str, str]) -> tuple[list[list], list[list]]:
    """The rows of the marks, and of the exercises with their mistakes."""
    marks = [["student", *titles.values(), "points", "note"]]
    mistakes, made = [["exercise", "right", "answered", "times", "mistake"]], defaultdict(list)
    for student, of in said.items():
        points = [int(of.get(name, "").startswith(RIGHT)) for name in titles]
        marks.append([student, *points, sum(points), of.get("", "")])
        for name, text in of.items():
            made[name].append(text)
    for name, title in titles.items():
        answers = [text for text in made[name] if text.startswith((RIGHT, NOT_YET))]
        right = sum(text.startswith(RIGHT) for text in answers)
        wrong = [text.removeprefix(NOT_YET) for text in answers if text.startswith(NOT_YET)]
        named = [text for text in wrong if not text.endswith(names[name].hint)]
        alike = {NUMBERS.sub("#", text): text for text in named}
        share = f"{right / len(said):.0%}" if said else ""
        mistakes.append([title, share, len(answers), len(wrong) - len(named), "not named"])
        mistakes += [[title, "", "", times, alike[kind]] for kind, times in
                     Counter(NUMBERS.sub("#", text) for text in named).most_common()]
    return marks, mistakes


def main(*words: str) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("chapter", help="such as 02_policy_evaluation")
    parser.add_argument("submitted", type=Path)
    parser.add_argument("--into", type=Path, default=Path("marks.csv"))
    parser.add_argument("--seconds", type=float, default=60, help="for each notebook")
    arguments = parser.parse_args(words)
    start, folder = time.monotonic(), arguments.submitted
    found = [*folder.glob("*.ipynb"), *folder.glob(f"*/**/{arguments.chapter}.ipynb")]
    notebooks = {str(path.with_suffix("") if path.parent == folder else path.parent).removeprefix(f"{folder}{os.sep}"): path
                 for path in sorted(found)}
    names, titles = page_of(arguments.chapter)
    marks, mistakes = tables(verdicts(notebooks, names, titles, arguments.seconds), names, titles)
    for path, rows in ((arguments.into, marks), (arguments.into.with_stem(f"{arguments.into.stem}_exercises"), mistakes)):
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
    for title, share, *_ in mistakes[1:]:
        if share:
            print(f"  {share:>4} right  {title}")
    print(f"{len(notebooks)} notebooks marked, {time.monotonic() - start:.0f} s: {arguments.into}")


if __name__ == "__main__":
    main(*sys.argv[1:])
