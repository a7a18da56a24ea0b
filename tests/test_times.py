"""The page of run times names every notebook, and is written from full runs only."""

import re

import nbformat
import pytest
import times
from execute import ROOT, notebooks
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook


def page(made_with):
    cells = [new_markdown_cell("* **How long.** About 20 minutes."),
             *(new_code_cell("", metadata={"execution": {"iopub.status.busy": f"2026-01-01T00:00:{first}Z",
                                                         "shell.execute_reply": f"2026-01-01T00:00:{last}Z"}})
               for first, last in (("01.5", "02.0"), ("03.0", "44.0")))]
    return new_notebook(cells=cells, metadata={"made_with": made_with})


def test_a_row_says_how_long_it_takes_to_read_and_to_run():
    assert times.seconds(page({})) == 42.5
    assert times.row("chapters/a", page({})) == "| {doc}`/chapters/a` | 20 | 42 |\n"


def test_a_run_at_a_small_effort_is_refused():
    with pytest.raises(ValueError, match="made_with must be empty for a run at full effort, got .*0.05"):
        times.seconds(page({"effort": 0.05}))


def test_every_notebook_has_its_row():
    rows = re.findall(r"^\| \{doc\}`/(.+?)` \| \d* \| [1-9]\d* \|$", (ROOT / times.PAGE).read_text("utf-8"), re.MULTILINE)
    assert rows == notebooks(ROOT), "`make times` writes it, after `make book`"


def test_the_page_is_what_the_tool_writes_from_what_ran(tmp_path):
    for name in notebooks(ROOT):
        path = times.executed(tmp_path, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(page({}), path)
    text = times.text(ROOT, tmp_path)
    assert text.count("| 20 | 42 |\n") == len(notebooks(ROOT)) and "```{admonition}" in text
