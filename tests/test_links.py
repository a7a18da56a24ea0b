"""Links: those within the book lead somewhere, and those out of it are well formed. Nothing is fetched.

`python tests/test_links.py` lists the addresses outside the book, each with the pages that name it.
"""

import re
from collections import defaultdict
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[1]
SITE = ROOT / "_build" / "quick" / "html"
PAGES = sorted(str(path.relative_to(SITE)) for folder in ("book", "chapters") for path in (SITE / folder).rglob("*.html"))
BIBLIOGRAPHY = ROOT / "book" / "references.bib"
HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}")
DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>{}]*[^\s\"<>{}.,;]")
ARXIV = re.compile(r"(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?")


def wrong(address: str) -> str | None:
    """What is wrong with an address outside the book, if anything."""
    parts = urlsplit(address)
    if parts.scheme == "mailto":
        return None if re.fullmatch(r"[^@\s]+@" + HOST.pattern, parts.path) else "not an address of mail"
    if parts.scheme != "https":
        return "not https"
    if not HOST.fullmatch(parts.hostname or ""):
        return "not a host"
    if re.search(r"[\s<>\"{}|\\^`]", address):
        return "a character that no address has"
    path = unquote(parts.path).lstrip("/")
    if parts.hostname in ("doi.org", "dx.doi.org"):
        return None if DOI.fullmatch(path) else "not a DOI"
    if parts.hostname == "arxiv.org":
        return None if re.fullmatch(r"(?:abs|pdf)/" + ARXIV.pattern, path) else "not a number of arXiv"
    return None


def linked(page: str) -> list[str]:
    """What a page links to, loads or shows."""
    html = re.sub(r"<(script|pre)\b(?![^>]*\bsrc=).*?</\1>", "", (SITE / page).read_text("utf-8"), flags=re.S)
    return [unescape(address) for address in re.findall(r"<[^>]*\s(?:href|src)=\"([^\"]*)\"", html)]


def outside() -> dict[str, list[str]]:
    """Each address outside the book with where it stands."""
    found = defaultdict(list)
    for page in PAGES:
        for address in set(linked(page)):
            if urlsplit(address).scheme not in ("", "data"):
                found[address].append(page)
    for key, field, value in fields():
        if field == "url":
            found[value].append(f"references.bib: {key}")
    return dict(sorted(found.items()))


def fields() -> list[tuple[str, str, str]]:
    """(key, field, value) for each line of the bibliography that says where to find something."""
    key, found = "", []
    for line in BIBLIOGRAPHY.read_text("utf-8").splitlines():
        if begin := re.match(r"@\w+\{(.+),", line):
            key = begin[1]
        elif stated := re.match(r"\s*(doi|url|eprint|isbn)\s*=\s*[{\"](.*)[}\"],?\s*$", line):
            found.append((key, *stated.groups()))
    return found


IDS: dict[Path, set[str]] = {}


def ids(path: Path) -> set[str]:
    if path not in IDS:
        IDS[path] = set(map(unescape, re.findall(r"<[^>]*\sid=\"([^\"]*)\"", path.read_text("utf-8"))))
    return IDS[path]


@pytest.mark.parametrize("page", PAGES)
def test_a_link_within_the_book_leads_somewhere(page):
    for address in linked(page):
        parts = urlsplit(address)
        if parts.scheme:
            continue
        target = (SITE / page).parent / unquote(parts.path) if parts.path else SITE / page
        assert target.is_file(), f"{page} links to {address}, and there is no such file"
        if parts.fragment and target.suffix == ".html":
            assert unquote(parts.fragment) in ids(target.resolve()), f"{page} links to {address}, and the page has no such place"


def test_addresses_outside_the_book_are_well_formed():
    found = outside()
    assert len(found) > 20
    assert {address: (complaint, where) for address, where in found.items() if (complaint := wrong(address))} == {}


def test_the_bibliography_says_where_to_find_things_in_their_own_form():
    forms = {"doi": DOI, "eprint": ARXIV, "isbn": re.compile(r"[\d-]{9,16}[\dX]"), "url": re.compile(r"https://\S+")}
    found = fields()
    assert found and [stated for stated in found if not forms[stated[1]].fullmatch(stated[2])] == []


@pytest.mark.parametrize("address", [
    "http://example.org/", "https://example", "https://exa mple.org/", "https://example.org/a b", "https://-a.org/", "ftp://example.org/",
    "https://doi.org/11.1000/182", "https://doi.org/10.1/x", "https://doi.org/10.1000/182.", "https://arxiv.org/abs/19.1", "mailto:nobody",
    "https://arxiv.org/1905.05298", "javascript:void(0)", "https://example.org/<x>"])
def test_what_is_malformed_is_seen(address):
    assert wrong(address)


@pytest.mark.parametrize("address", [
    "https://example.org", "https://doi.org/10.1214/09-SS057", "https://doi.org/10.1002/(SICI)1099", "https://arxiv.org/abs/1901.10634v3",
    "https://arxiv.org/abs/math.ST/0601234", "https://proceedings.mlr.press/v48/balle16.html", "mailto:someone@example.org"])
def test_what_is_well_formed_passes(address):
    assert wrong(address) is None


if __name__ == "__main__":
    for address, where in outside().items():
        print(f"{address}\n    {', '.join(where)}")
