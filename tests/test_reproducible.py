"""The same seed gives the same pages, and no page comes from rows of older code."""

import json
import re
import shutil
from concurrent.futures import ThreadPoolExecutor

import execute
import nbformat
import pytest
from test_pipeline import Book

CHEAPEST = "chapters/02_policy_evaluation/evidence/01_estimators"


def numbers(path) -> list:
    """All that the cells show, without the names and addresses that widgets and styled tables get anew each time."""
    shown = []
    for cell in nbformat.read(path, 4).cells:
        for output in cell.get("outputs", ()):
            text = json.dumps(output.get("data", output.get("text", "")), sort_keys=True)
            shown.append(re.sub(r"\b[0-9a-f]{32}\b|\bT_[0-9a-f]{5}|\b0x[0-9a-f]+", "…", text))
    return shown


def test_a_chapter_shows_the_same_in_another_place_and_process_and_its_seed_counts(tmp_path):
    """All outputs, figures included, from a new kernel and from a fork of one that has imported what the whole book imports.
    Sets of strings have another order in each of the two processes."""
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(execute.ROOT / "chapters", elsewhere / "chapters")

    def shown(root, order, parameters, imported):
        target = tmp_path / f"{order}.ipynb"
        runner = execute.Runner(execute.surroundings(tmp_path) | {"PYTHONHASHSEED": order}, imported)
        assert runner.run(str(root / f"{CHEAPEST}.ipynb"), str(target), CHEAPEST, "", {"effort": 0.05} | parameters) == ""
        runner.end()
        return numbers(target)

    with ThreadPoolExecutor(2) as pool:
        book = [execute.ROOT / f"{name}.ipynb" for name in execute.notebooks(execute.ROOT)]
        one, other, seed = pool.map(shown, (execute.ROOT, elsewhere, elsewhere), "123", ({}, {}, {"seed": 7}), (None, book, None))
    assert len(one) > 5 and one == other and any("image/png" in output for output in one)
    assert sum(a != b for a, b in zip(one, seed)) > 3


@pytest.fixture
def book(tmp_path):
    book = Book(tmp_path)
    book.begin()
    shutil.rmtree(book.root / "privrl_core")
    shutil.copytree(execute.ROOT / "privrl_core", book.root / "privrl_core",
                    ignore=shutil.ignore_patterns("__pycache__", "explorer"))
    book.write("_toc.yml", "format: jb-book\nroot: book/index\nchapters:\n- file: chapters/one\n")
    return book


def test_a_change_in_a_core_function_recomputes_the_rows_and_the_figure(book):
    book.write("privrl_core/heights.py", "def height(rng, n):\n    return 1.0 * n\n")
    book.notebook("one", '\n'.join((
        "import sys", "sys.path.insert(0, '..')", "from privrl_core.experiments import grid, run",
        "from privrl_core.heights import height", "table = run(height, grid(n=[1, 2]), [0], cache='../rows.sqlite')",
        "print('heights', *table.value, *table.seconds)")))

    def page() -> tuple[list[str], list[str]]:
        done = book.execute()
        assert done.returncode == 0, done.stderr
        text = next(output["text"] for cell in book.executed("one")["cells"] for output in cell.get("outputs", ())
                    if "heights" in str(output))
        _, low, high, *seconds = "".join(text).split()
        return [low, high], seconds

    heights, seconds = page()
    assert heights == ["1.0", "2.0"]
    book.write("privrl_core/heights.py", "def height(rng, n):\n    return 3.0 * n\n")
    assert page()[0] == ["3.0", "6.0"]
    book.write("privrl_core/heights.py", "def height(rng, n):\n    return 1.0 * n\n")
    assert page() == (heights, seconds)  # the old rows, which are those of this code again
