"""The ten steps of the page *Add a paper*, followed with the template, in a small copy of this book."""

import json
import os
import re
import shutil
import subprocess
import sys

import execute
import pairs
from execute import ROOT
from test_pipeline import Book

PAGE = (ROOT / "book" / "contribute.md").read_text("utf-8")
STEPS = re.findall(r"^## (\d+)\. (.+)$", PAGE, re.MULTILINE)
NOTEBOOK = "chapters/99_survey/01_randomised_response"


def code(step: int, language: str) -> str:
    """What a step of the page says to type."""
    part = PAGE.split(f"\n## {step}. ")[1].partition("\n## ")[0]
    return re.search(rf"```{{?{language}}}?\n(.*?)```", part, re.DOTALL)[1]


def test_there_are_ten_steps_and_what_they_name_is_there():
    assert [int(number) for number, _ in STEPS] == list(range(1, 11))
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(re.findall(r"^make (\w+)$", PAGE, re.MULTILINE)) <= set(targets)
    for path in re.findall(r"`((?:template|privrl_core|tests|chapters|book)/[\w/.]+)`", PAGE):
        assert (ROOT / path).exists() or (ROOT / "template" / path).exists(), path


def test_a_paper_is_added_by_the_ten_steps(tmp_path):
    """The template's tests pass, the ledger has its rows, its notebook runs, and its pages are made without a warning."""
    book = Book(tmp_path)
    for name in ("_config.yml", "pyproject.toml", "requirements.lock", "book/references.bib", "book/references.md", "tests/conftest.py",
                 "tests/claims/conftest.py", "tests/claims/edges.py", "tests/claims/statements.py", "tests/claims/test_ledger.py", "book/second_opinion.md",
                 "book/data/claims.schema.json"):
        book.write(name, (ROOT / name).read_text("utf-8"))
    for name in ("privrl_core", "book/assets", "tests/claims/numbered"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "template").symlink_to(ROOT / "template")
    book.write("book/index.md", "# Welcome\n")
    book.write("_toc.yml", "format: jb-book\nroot: book/index\nchapters:\n- file: book/claims\n  sections:\n"
               "  - file: book/claims/warner-1965\n- file: book/second_opinion\n- file: book/references\n")

    def run(*command):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True,
                              env=os.environ | {"PYTHONPATH": str(tmp_path)})
        assert done.returncode == 0, done.stdout + done.stderr

    run("sh", "-c", code(2, "console"))
    assert code(3, "bibtex").strip() in (tmp_path / "book" / "references.bib").read_text()
    ledger = tmp_path / "tests" / "claims" / "test_ledger.py"
    ledger.write_text(re.sub(r"^PAPERS = .*", code(6, "python").strip(), ledger.read_text("utf-8"), flags=re.MULTILINE))
    run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--write", "tests/claims/test_warner_1965.py",
        "tests/claims/test_ledger.py", "tests/survey/test_randomised_response.py", "-k", "warner or stored or randomised")
    rows = json.loads((tmp_path / "privrl_core" / "pages" / "ledger.json").read_text("utf-8"))
    assert [(row["paper"], row["verdict"]) for row in rows] == [("Warner 1965", "holds")] * 2
    assert pairs.main("--root", str(tmp_path)) == []
    book.write("_toc.yml", (tmp_path / "_toc.yml").read_text() + code(9, "yaml"))
    # the kernel takes the core from the copy, which is not installed
    runner = execute.Runner(execute.surroundings(tmp_path) | {"PYTHONPATH": str(tmp_path)})
    target = execute.executed(book.into, NOTEBOOK)
    assert runner.run(str(tmp_path / f"{NOTEBOOK}.ipynb"), str(target), NOTEBOOK, "", {"effort": 0.05}) == ""
    runner.end()
    done = book.pages()
    assert done.returncode == 0, done.stdout + done.stderr
    html = (book.into / "html" / f"{NOTEBOOK}.html").read_text("utf-8")
    assert "Randomised response" in html and "equal to 9 digits" in html and 'alt="Standard error' in html
    assert "Warner 1965" in (book.into / "html" / "book" / "claims.html").read_text("utf-8")
    assert "def test_no_bias" in (book.into / "html" / "book" / "claims" / "warner-1965.html").read_text("utf-8")
    assert len(json.loads((book.into / "html" / "claims.json").read_text("utf-8"))["claims"]) == 2
