"""The map of the field is a picture, empty until a guess, and a list, folded until a choice, which the script of the ledger filters."""

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


def named(page) -> list[str]:
    """The papers of a cell right below the picture."""
    return page.locator(".field-named li:visible").all_inner_texts()


def stated(**wanted: str) -> list[str]:
    return ["|".join((row["unit"], ", ".join(row["model"]), row["released"])) for row in PAPERS
            if all(value in ([row[name]] if isinstance(row[name], str) else row[name]) for name, value in wanted.items())]


def test_an_address_shows_what_it_says(field):
    page = field(ADDRESS).page
    expected = stated(unit="one person", model="local")
    assert rows(page) == expected and any("joint, local" in row for row in expected)
    assert page.locator(".ledger-filter output").inner_text() == f"{len(expected)} of {len(PAPERS)} papers"
    listed = page.locator("table.field-map tbody tr:not([hidden]) td:first-child").all_inner_texts()
    assert named(page) == [one.replace("\n", ": ") for one in listed] and len(listed) == len(expected)
    assert page.locator(".field-list summary").inner_text() == f"The list: {len(expected)} of {len(PAPERS)} papers"
    assert page.get_by_role("button", name="5 papers: one person, local", exact=True).locator("b").is_visible()      # no guess is asked for first


def test_by_keyboard_and_the_address_follows(field):
    seen = field()
    page, keys = seen.page, seen.page.keyboard
    assert not page.locator(".ledger-filter").is_visible()      # before the guess there is nothing to filter
    page.get_by_role("button", name="Show the answer").first.click()
    assert rows(page) == [] and page.locator(".ledger-filter output").inner_text() == f"All {len(PAPERS)} papers"
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
    assert rows(page) == stated() and named(page) == [] and page.evaluate("document.activeElement.tagName") == "OUTPUT"
    assert seen.complaints == []


def test_a_cell_of_the_picture_shows_its_papers(field):
    seen = field()
    page, keys = seen.page, seen.page.keyboard
    page.get_by_role("button", name="one label, joint", exact=True).click()
    assert page.locator(".guess output").first.inner_text() == "Not one label, joint. Try another cell."
    assert not page.locator(".field-picture td b").first.is_visible()
    page.get_by_role("button", name="one person, central", exact=True).last.click()       # the first is the choice above the map
    assert page.locator(".guess output").first.inner_text() == "Your guess is right." and rows(page) == []
    assert page.locator("td.right").evaluate_all("all => all.map(cell => Object.values({ ...cell.dataset }))") == [["one person", "central"]]
    cell = page.get_by_role("button", name="5 papers: one person, central", exact=True)
    cell.click()
    assert rows(page) == stated(unit="one person", model="central") and page.evaluate("location.hash") == "#unit=one+person&model=central"
    assert cell.get_attribute("aria-pressed") == "true"
    page.locator("select[name=released]").select_option("a policy")      # the counts are those of the papers that are left
    assert page.locator("td.other[data-unit='one person']").count() == 5 and page.locator("td.gap").count() == 16
    assert page.locator(".ledger-filter output").inner_text() == f"None of {len(PAPERS)} papers; 1 of the 5 without a place may fit"
    [one] = named(page)
    assert one.startswith("May fit, without a place: He and Zhou") and page.locator(".field-list summary").inner_text() == f"The list: none of {len(PAPERS)} papers"
    page.get_by_role("button", name="no papers: one person, central", exact=True).focus()
    keys.press("ArrowLeft")
    keys.press("Enter")
    assert rows(page) == stated(unit="one stay", model="central", released="a policy")
    keys.press("Enter")                                                     # once more: all units and models again
    assert rows(page) == stated(released="a policy") and page.locator(".ledger-filter output").inner_text() == f"4 of {len(PAPERS)} papers, 2 of them without a place on the map"
    assert seen.complaints == []


def test_a_wrong_guess_and_the_right_cell_are_marked(field):
    page = field().page
    page.get_by_role("button", name="one person, joint", exact=True).last.click()
    marked = [page.locator(f"td.{name}").evaluate_all("all => all.map(cell => `${cell.dataset.unit}, ${cell.dataset.model}`)") for name in ("right", "guessed")]
    assert marked == [["one person, central"], ["one person, joint"]]


def test_one_tab_leads_into_the_picture_and_arrows_stay_in_it(field):
    page = field().page
    page.get_by_role("button", name="Show the answer").first.click()
    buttons = page.locator(".field-picture button")
    assert page.locator(".field-picture button[tabindex='0']").count() == 1
    buttons.first.focus()
    for key, expected in (("ArrowLeft", 0), ("ArrowUp", 0), ("ArrowRight", 1), ("ArrowDown", 7), ("ArrowUp", 1)):
        page.keyboard.press(key)
        assert page.evaluate("[...document.querySelectorAll('.field-picture button')].indexOf(document.activeElement)") == expected
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "unit"


def test_without_a_script_the_whole_table_is_there(field):
    page = field(ADDRESS, scripts=False).page
    assert rows(page) == stated() and page.locator("form.ledger-filter, .field-picture button").count() == 0
    assert page.locator(".field-picture td b").first.is_visible() and "8" not in page.locator(".field-picture td.gap").all_inner_texts() and page.locator(".field-picture td[data-unit]").count() == 30


@pytest.mark.parametrize("width, scheme", [(1280, "light"), (380, "dark")])
def test_it_keeps_nobody_out_and_fits(field, width, scheme):
    page = field(ADDRESS, width=width, scheme=scheme).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert kept_out_of(".ledger-filter", page) == [] and kept_out_of(".field-picture", page) == []
