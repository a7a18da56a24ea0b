"""The repository's address is one setting: with it pages link to Binder, source and issues; without it nothing does."""

import re
import shutil

import pytest
import yaml
from execute import ROOT
from test_pipeline import Book

ADDRESS = "https://github.com/somebody/private-reinforcement-learning"


@pytest.fixture
def page(tmp_path):
    """A notebook's page of a tiny book with this book's own settings, and the repository's address as given."""
    book = Book(tmp_path)
    book.begin()
    for name in ("assets", "data"):
        shutil.copytree(ROOT / "book" / name, book.root / "book" / name)
    shutil.copy(ROOT / "book" / "references.bib", book.root / "book")
    book.write("_toc.yml", "format: jb-book\nroot: book/index\nchapters:\n- file: chapters/one\n")

    def made(address: str) -> str:
        config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
        config["repository"]["url"] = address
        book.write("_config.yml", yaml.safe_dump(config, allow_unicode=True))
        assert book.execute().returncode == 0
        done = book.pages()
        assert done.returncode == 0, done.stdout + done.stderr
        return (book.into / "html" / "chapters" / "one.html").read_text()
    return made


def links(html: str) -> list[str]:
    header = html[html.index('<div class="article-header-buttons">'):html.index("<article")]
    return re.findall(r'href="(https?:[^"]+)"', header)


def test_with_the_address_there_are_buttons_and_without_it_none(page):
    assert links(page("")) == []
    assert [link.partition("?title")[0] for link in links(page(ADDRESS))] == [
        "https://mybinder.org/v2/gh/somebody/private-reinforcement-learning/main?urlpath=lab/tree/chapters/one.ipynb",
        ADDRESS, f"{ADDRESS}/issues/new"]
