"""The map of the field is a table that the script of the ledger filters, by keyboard, in words, and in the address."""

import pytest
import yaml
from execute import ROOT
from test_pages import kept_out_of

PAPERS = yaml.safe_load((ROOT / "book" / "data" / "map.yml").read_text("utf-8"))["papers"]
ADDRESS = "#unit=one+person&model=local"
pytestmark = pytest.mark.xdist_group("chapters/07_side_by_side/07_map")


@pytest.fixture
def field(visit, site):
    return lambda address="", **how: visit((site / "chapters/07_side_by_side/07_map.html").as_uri() + address, **how)


def rows(page) -> list[str]:
    """What the rows that are shown say in columns 2 to 4."""
    return page.locator("table.field-map tbody tr").evaluate_all(
        "all => all.filter(row => row.checkVisibility()).map(row => [1, 2, 3].map(k => row.cells[k].innerText.trim()).join('|'))")


def stated(**wanted: str) -> list[str]:
    return ["|".join((row["unit"], ", ".join(row["model"]), row["released"])) for row in PAPERS
            if all(value in ([row[name]] if isinstance(row[name], str) else row[name]) for name, value in wanted.items())]


def test_an_address_shows_what_it_says(field):
    page = field(ADDRESS).page
    expected = stated(unit="one person", model="local")
    assert rows(page) == expected and any("joint, local" in row for row in expected)
    assert page.get_by_role("status").inner_text() == f"{len(expected)} of {len(PAPERS)} papers"


def test_by_keyboard_and_the_address_follows(field):
    seen = field()
    page, keys = seen.page, seen.page.keyboard
    assert rows(page) == stated() and page.get_by_role("status").inner_text() == f"All {len(PAPERS)} papers"
    page.locator("select[name=unit]").focus()
    keys.type("one person")
    keys.press("Tab")
    keys.type("local")
    assert rows(page) == stated(unit="one person", model="local") and page.evaluate("location.hash") == ADDRESS
    keys.press("Tab")
    keys.press("Tab")
    keys.type("two players")
    assert len(rows(page)) == 1
    keys.press("Tab")
    keys.press("Enter")
    page.wait_for_function("location.hash === ''")
    assert rows(page) == stated() and page.evaluate("document.activeElement.tagName") == "OUTPUT"
    assert seen.complaints == []


def test_without_a_script_the_whole_table_is_there(field):
    page = field(ADDRESS, scripts=False).page
    assert rows(page) == stated() and page.locator("form.ledger-filter").count() == 0


@pytest.mark.parametrize("width, scheme", [(1280, "light"), (380, "dark")])
def test_it_keeps_nobody_out_and_fits(field, width, scheme):
    page = field(ADDRESS, width=width, scheme=scheme).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert kept_out_of(".ledger-filter", page) == []
