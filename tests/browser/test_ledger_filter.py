"""The filter of the claims ledger: what it leaves is what the ledger says, by keyboard, in words, and in the address."""

import json

import pytest
from test_pages import kept_out_of

from privrl_core.pages import STORED

LEDGER = json.loads(STORED.read_text("utf-8"))
WANG, LAST = "Wang & Hegde 2019", "#the-claims-ledger section > section tbody tr"
ADDRESS = "#paper=Wang+%26+Hegde+2019&verdict=fails"
pytestmark = pytest.mark.xdist_group("book/claims")


def rows(page) -> list[str]:
    """Where each claim that is shown is stated; on a page a number and its name are kept on one line."""
    shown = page.locator(LAST).evaluate_all(
        "all => all.filter(row => row.checkVisibility()).map(row => row.cells[0].innerText.split('\\n')[0].trim())")
    return [where.replace("\u00a0", " ") for where in shown]


def stated(**wanted: str) -> list[str]:
    return sorted(row["statement"] for row in LEDGER if all(row[name] == value for name, value in wanted.items()))


@pytest.fixture
def ledger(visit, site):
    return lambda address="", **how: visit((site / "book/claims.html").as_uri() + address, **how)


def test_an_address_shows_what_it_says_and_nothing_else(ledger):
    page = ledger(ADDRESS).page
    expected = stated(paper=WANG, verdict="fails")
    assert sorted(rows(page)) == expected and expected
    assert page.get_by_role("status").inner_text() == f"{len(expected)} of {len(LEDGER)} claims"
    assert page.locator("select[name=paper]").input_value() == WANG
    headings = page.locator("#the-claims-ledger :is(h2, h3)")
    assert [heading.inner_text().rstrip("#") for heading in headings.all() if heading.is_visible()] == [
        WANG, f"✘ Fails ({len(expected)} of {len(expected)})"]


def test_by_keyboard_and_the_address_follows(ledger):
    seen = ledger()
    page, keys = seen.page, seen.page.keyboard
    assert len(rows(page)) == len(LEDGER)
    page.locator("select[name=paper]").focus()
    keys.type("Wang")
    keys.press("Tab")
    keys.type("fails")
    assert sorted(rows(page)) == stated(paper=WANG, verdict="fails")
    assert page.evaluate("location.hash") == ADDRESS
    keys.press("Tab")
    keys.press("Tab")
    keys.type("no such words at all")
    assert rows(page) == [] and page.get_by_role("status").inner_text() == f"None of {len(LEDGER)} claims"
    keys.press("Tab")
    keys.press("Enter")
    page.wait_for_function("location.hash === ''")
    assert len(rows(page)) == len(LEDGER)
    assert page.get_by_role("status").inner_text() == f"All {len(LEDGER)} claims"
    assert page.evaluate("document.activeElement.tagName") == "OUTPUT"
    assert seen.complaints == []


def test_words_and_page(ledger):
    page = ledger().page
    see, select = LEDGER[0]["see"], page.locator("select[name=page]")
    select.select_option(see)
    assert sorted(rows(page)) == stated(see=see)
    assert select.evaluate("select => select.selectedOptions[0].text") == page.locator(
        f".bd-links a[href$='{see}.html']").text_content().strip()
    page.get_by_label("Words").fill("SENSITIVITY  smooth")
    shown = page.locator(LAST).evaluate_all("all => all.filter(row => row.checkVisibility()).map(row => row.innerText.toLowerCase())")
    assert all("sensitivity" in row and "smooth" in row for row in shown)


def test_a_count_leads_to_what_it_counts_and_an_ordinary_address_to_its_heading(ledger):
    page = ledger("#wang-hegde-2019").page
    assert len(rows(page)) == len(LEDGER) and page.locator("#wang-hegde-2019 h2").is_visible()
    page.get_by_role("link", name=f"{WANG}, fails").press("Enter")
    page.wait_for_function("document.activeElement.tagName === 'OUTPUT'")
    assert sorted(rows(page)) == stated(paper=WANG, verdict="fails")
    page.go_back()
    page.wait_for_function("location.hash === '#wang-hegde-2019'")
    assert len(rows(page)) == len(LEDGER)


def test_an_address_that_is_out_of_date_shows_everything(ledger):
    page = ledger("#paper=Nobody+1900&page=nowhere").page
    assert len(rows(page)) == len(LEDGER) and page.locator("select[name=paper]").evaluate("select => select.selectedIndex") == 0


def test_without_a_script_the_whole_table_is_there(ledger):
    page = ledger(ADDRESS, scripts=False).page
    assert page.locator(LAST).count() == len(LEDGER) and page.locator("form.ledger-filter").count() == 0
    assert all(row.is_visible() for row in page.locator(LAST).all()[::20])


@pytest.mark.parametrize("width, scheme", [(1280, "light"), (380, "dark")])
def test_a_filtered_ledger_keeps_nobody_out_and_fits(ledger, width, scheme):
    page = ledger(ADDRESS, width=width, scheme=scheme).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert kept_out_of(".ledger-filter", page) == []
