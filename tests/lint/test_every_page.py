"""No page without a title, a description of its own, and what it gives, at its top; evidence says what it establishes.

The description is what a search engine shows, and whoever is sent a link. It stands in the page's front matter, for a
notebook in the header of its .py:

    ---                                   # ---
    myst:                                 # jupyter:
      html_meta:                          #   myst:
        description: One sentence.        #     html_meta:
    ---                                   #       description: One sentence.
                                          # ---
"""

import json
import re
from collections import Counter
from functools import cache

import execute
import pytest
import yaml

PAGES = execute.documents(execute.ROOT)
NOTEBOOKS = execute.notebooks(execute.ROOT)
LESSONS = [name for name in NOTEBOOKS if name != PAGES[0] and "/evidence/" not in name and not name.endswith("_exercises")]
LOOKED_UP = ("book/notation", "book/glossary", "book/claims", "book/references", "book/cite", "book/changelog", "book/reference/")
BOX = "{admonition} "


@cache
def read(name: str) -> tuple[dict, str]:
    """The front matter of a page, and its Markdown."""
    if name in NOTEBOOKS:
        notebook = json.loads((execute.ROOT / f"{name}.ipynb").read_text("utf-8"))
        return notebook["metadata"], "\n\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown")
    text = (execute.ROOT / "_build" / "quick" / "source" / f"{name}.md").read_text("utf-8")  # the ledger is written there only
    matter, body = text.removeprefix("---\n").split("\n---\n", 1) if text.startswith("---\n") else ("{}", text)
    if body.strip().startswith("```{include} ../CHANGELOG.md"):
        body = (execute.ROOT / "CHANGELOG.md").read_text("utf-8")
    return yaml.safe_load(matter), body


def read_all(name: str) -> str:
    """All cells of a notebook: an answer with computed numbers comes from code."""
    return "\n\n".join("".join(cell["source"]) for cell in json.loads((execute.ROOT / f"{name}.ipynb").read_text("utf-8"))["cells"])


def description(name: str) -> str:
    return read(name)[0].get("myst", {}).get("html_meta", {}).get("description", "")


def before_the_first_section(body: str) -> list[str]:
    """The lines between the title and the first section, without empty ones."""
    lines = [line for line in body.splitlines() if line.strip()]
    titles = [number for number, line in enumerate(lines) if line.startswith("# ")]
    sections = [number for number, line in enumerate(lines) if line.startswith("## ")]
    return lines[titles[0] + 1:min(sections, default=None)]


@cache
def made(name: str) -> str:
    return (execute.ROOT / "_build" / "quick" / "html" / f"{name}.html").read_text("utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_one_title(name):
    article = made(name).split('class="bd-article"')[1]
    assert article.count("<h1>") == 1, f"{name} must have exactly one line `# Title` (a second one belongs under `## `)"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_a_description(name):
    words = description(name)
    assert 60 <= len(words) <= 160 and words.endswith((".", "?")), (
        f"{name}: `myst: html_meta: description` must be a sentence of 60 to 160 characters, got {len(words)}: {words!r}. "
        f"Where to write it: top of {__file__}")
    assert made(name).count('name="description"') == 1


def test_no_two_pages_have_the_same_description():
    assert [words for words, times in Counter(map(description, PAGES)).items() if times > 1] == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_at_its_top_what_it_gives(name):
    top = before_the_first_section(read(name)[1])
    if name == PAGES[0] or name.startswith(LOOKED_UP) or name.endswith("/evidence/index"):
        assert any(line[0].isalpha() and len(line) > 40 for line in top), f"{name} needs a sentence under its title: what is found here"
        return
    title = "What this page establishes" if "/evidence/" in name else "At a glance"
    boxes = [number for number, line in enumerate(top) if line.endswith(f"{BOX}{title}")]  # a guess may stand before it
    assert boxes and top[boxes[0] + 1] == ":class: tip", (
        f"{name} needs a box between its title and its first section: ```{BOX}{title}, then `:class: tip`, then what a reader takes from it")


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_ends_in_what_to_take_away(name):
    body = read(name)[1]
    assert body.count("\n## To take away\n") == 1, f"{name} needs one section `## To take away` near its end (this very heading)"
    assert body.split("\n## To take away\n")[1].lstrip().startswith("* "), f"{name}: what to take away is a list of short points"


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_guess_can_be_committed_and_has_an_answer(name):
    for number, part in enumerate(read_all(name).split(f"{BOX}Guess first\n")[1:], 1):
        box, rest = part.split("\n```", 1)
        classes, *lines = box.splitlines()
        choices = sum(line.startswith("* ") for line in lines)
        right = re.fullmatch(r":class: hint guess right-(\d)", classes)
        assert right and 2 <= choices <= 4 and 1 <= int(right[1]) <= choices, (
            f"{name}, guess {number}: the box needs `:class: hint guess right-2` and a list of two to four answers, of which the second is right")
        assert re.search(r"\*\*(What you should see|The answer)\.\*\*", rest), (
            f"{name}, guess {number}: a paragraph before the next guess must begin with **What you should see.** or **The answer.**")
