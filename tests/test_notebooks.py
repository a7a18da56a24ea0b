"""Every notebook of the table of contents has run, at the small effort of `make test`, without an error.

`make test` runs them with papermill before pytest starts; what is looked at here is what came out.
"""

import re

import execute
import nbformat
import papermill
import pytest
from widget_state import check

NOTEBOOKS = execute.notebooks(execute.ROOT)
QUICK = execute.ROOT / "_build" / "quick"
EFFORT = 0.05


@pytest.fixture(scope="module")
def shared():
    return execute.shared_digest(execute.ROOT, EFFORT)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_at_a_small_effort(name, shared):
    path = execute.executed(QUICK, name)
    assert execute.up_to_date(path, execute.key(execute.ROOT, name, shared)), "`make test` runs it first"
    notebook = nbformat.read(path, 4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source]
    assert code and all(cell.execution_count for cell in code)
    assert [output for cell in code for output in cell.outputs if output.output_type == "error"] == []
    assert check(notebook) == []
    assert sum("injected-parameters" in cell.metadata.get("tags", ()) for cell in code) == 1


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_has_one_cell_of_parameters_with_full_effort_and_a_seed(name):
    path = execute.ROOT / f"{name}.ipynb"
    cells = [cell for cell in nbformat.read(path, 4).cells if "parameters" in cell.metadata.get("tags", ())]
    assert len(cells) == 1
    parameters = papermill.inspect_notebook(str(path))
    assert float(parameters["effort"]["default"]) == 1
    assert int(parameters["seed"]["default"]) >= 0


def figures(path) -> list[str]:
    """What is said of each figure of an executed notebook to those who cannot see it."""
    pictures = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code" and any(
        kind.startswith("image/") for output in cell.outputs for kind in output.get("data", ()))]
    return [cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "") for cell in pictures]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_figure_says_in_words_what_it_shows(name):
    said = figures(execute.executed(QUICK, name))
    assert len(set(said)) == len(said)
    for words in said:
        assert len(words) >= 80 and words.endswith("."), f"say what it shows, not only what it is: {words!r}"
    page = (QUICK / "html" / f"{name}.html").read_text("utf-8")
    drawn = re.findall(r'<img[^>]*src="[^"]*_images/[^>]*>', page)
    assert len(drawn) == len(said)
    assert all(re.search(r'alt="[^"]{80,}"', picture) for picture in drawn)


@pytest.mark.parametrize("name", [name for name in execute.documents(execute.ROOT) if name not in NOTEBOOKS])
def test_a_page_that_is_no_notebook_has_no_figure_without_words(name):
    page = (QUICK / "html" / f"{name}.html").read_text("utf-8")
    for picture in re.findall(r"<img[^>]*>", page):
        assert re.search(r'alt="[^"]{20,}"', picture), picture


def test_every_notebook_is_in_the_table_of_contents():
    chapters = execute.ROOT / "chapters"
    found = {str(path.relative_to(execute.ROOT).with_suffix("")) for path in chapters.rglob("*.ipynb")
             if ".ipynb_checkpoints" not in path.parts}
    assert found == set(NOTEBOOKS)


@pytest.mark.parametrize("name", execute.documents(execute.ROOT))
def test_every_page_of_the_table_of_contents_is_there(name):
    assert (QUICK / "html" / f"{name}.html").exists(), "`make test` makes it first"




@pytest.mark.parametrize("name", execute.documents(execute.ROOT))
def test_no_formula_is_shown_as_it_was_typed(name):
    html = (QUICK / "html" / f"{name}.html").read_text("utf-8")
    shown = re.sub(r"<(script|style|pre|code)\b.*?</\1>", "", html, flags=re.S)
    assert re.findall(r"\$[^$<\n]{1,400}\$", shown) == []
