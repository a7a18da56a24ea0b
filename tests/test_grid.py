"""A notebook over a grid of its parameters: runs what is missing, says what is kept, clears it."""

import grid
import nbformat
import pairs
import pytest
from test_pipeline import Book

NOTEBOOK = '''\
# %% tags=["parameters"]
effort = 1.0
seed = 0

# %%
with open("../runs", "a") as runs:
    print(effort, seed, file=runs)
assert seed != 3, "three is bad"
'''


@pytest.fixture
def book(tmp_path):
    book = Book(tmp_path)
    book.begin()
    book.write("chapters/one.py", NOTEBOOK)
    assert pairs.main("--root", str(book.root)) == []
    return book


def command(book, *words):
    return grid.main("--root", str(book.root), *words)


def test_a_grid_runs_resumes_is_listed_and_cleared(book, capsys):
    source, folder = str(book.root / "chapters" / "one.ipynb"), book.root / "_build" / "grid" / "chapters" / "one"
    assert command(book, "run", source, "-p", "effort", "0.5", "-p", "seed", "2") is None
    assert book.ran() == ["0.5 2"]
    message = command(book, "run", source, "-p", "effort", "0.5", "-p", "seed", "2,3", "--workers", "2")
    assert "chapters/one, effort=0.5, seed=3: chapters/one.ipynb, cell 2: AssertionError: three is bad" in message
    assert book.ran() == ["0.5 3"]  # only the new one, and it is not kept
    assert [path.name for path in folder.iterdir()] == ["effort=0.5,seed=2.ipynb"]
    injected = nbformat.read(folder / "effort=0.5,seed=2.ipynb", 4).cells
    assert any("seed = 2" in cell.source for cell in injected)

    capsys.readouterr()
    assert command(book, "list") is None and "current      " in capsys.readouterr().out
    book.write("requirements.lock", "changed")
    assert command(book, "list") is None and "out of date  " in capsys.readouterr().out
    assert command(book, "clear", source) is None and not folder.exists()
    assert command(book, "list") is None and capsys.readouterr().out == "nothing is kept\n"


def test_values_are_read_as_json_and_otherwise_as_text():
    assert [grid.value(text) for text in ("1", "0.1", "1e-5", "true", "null", "stage 1")] == [
        1, 0.1, 1e-5, True, None, "stage 1"]


@pytest.mark.parametrize("words, message", [
    (["chapters/one.ipynb", "-p", "sede", "1"], "parameters of one.ipynb must be among effort, seed, got sede"),
    (["chapters/one.ipynb", "-p", "seed", "1", "-p", "seed", "2"], "each parameter must be given once, got seed twice"),
    (["chapters/none.ipynb"], "notebook must be an .ipynb of this book, got "),
    (["chapters/one.py"], "notebook must be an .ipynb of this book, got "),
    (["/etc/passwd"], "notebook must be an .ipynb of this book, got "),
])
def test_wrong_words_are_refused(book, words, message):
    assert message in command(book, "run", str(book.root / words[0]), *words[1:])
