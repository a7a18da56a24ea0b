"""The page of each paper in the ledger: an address opens its claim, the graph is one of links, and nothing is too large."""

import json

import pytest
from test_pages import CUT, kept_out_of

from privrl_core.pages import STORED

LEDGER = json.loads(STORED.read_text("utf-8"))
PAPER = "balle-et-al-2016"
OWN = [row for row in LEDGER if row["id"].startswith(PAPER)]
pytestmark = pytest.mark.xdist_group(f"book/claims/{PAPER}")


@pytest.fixture
def page_of(visit, site):
    return lambda address="", paper=PAPER, **how: visit((site / f"book/claims/{paper}.html").as_uri() + address, **how)


def test_an_address_opens_its_claim_and_no_other(page_of):
    seen = page_of("#lemma-23")
    page = seen.page
    assert page.locator("details.claim[open]").evaluate_all("all => all.map(one => one.id)") == ["lemma-23"]
    assert page.locator("#lemma-23 > summary").is_visible() and page.locator("#lemma-23 dt", has_text="As it should be").is_visible()
    box = page.locator("#lemma-23 > summary").bounding_box()
    assert 0 <= box["y"] <= 450, "in view, and not under the header"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.parentElement.id") == "lemma-23"
    assert seen.outside == seen.complaints == []


def test_by_keyboard_from_the_ledger_to_the_source_of_the_test(visit, site):
    seen = visit((site / "book/claims.html").as_uri() + "#paper=Balle+et+al.+2016&verdict=fails")
    page, keys = seen.page, seen.page.keyboard
    page.get_by_role("link", name="Lemma 23", exact=True).focus()
    keys.press("Enter")
    page.wait_for_url("**/balle-et-al-2016.html#lemma-23")
    page.wait_for_selector("#lemma-23[open]")
    fold = page.locator("#lemma-23 details")
    for _ in range(20):  # past the links of the claim
        keys.press("Tab")
        if fold.locator("summary").evaluate("summary => summary === document.activeElement"):
            break
    keys.press("Enter")
    assert "def test_lemma_23" in fold.locator("pre").inner_text()
    assert seen.complaints == []


def test_the_graph_leads_to_a_claim_that_lists_what_rests_on_it(page_of):
    page = page_of().page
    node = page.locator(".proof-graph a[href='#lemma-23']")
    assert node.text_content() == "Lemma 23: fails✘ Lemma 23", "a sign beside the colour"
    node.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#lemma-23[open]")
    resting = page.locator("#lemma-23 dd", has_text="with a verdict by its own test").inner_text().replace("\u00a0", " ")
    assert "✘ Theorem 26" in resting and "✔ Corollary 12" in resting
    page.goto(page.url.replace("#lemma-23", "#corollary-12"))
    assert page.locator("#corollary-12 dd", has_text="Its own test finds the verdict above all the same").count() == 1
    refuted = page.locator("#corollary-12 dd", has_text="in its place").first.inner_text().replace("\u00a0", " ")
    assert "✘ Lemma 23" in refuted


def test_every_claim_of_the_ledger_has_its_place(site):
    for row in LEDGER:
        page, place = row["id"].split("/")
        assert (site / f"book/claims/{page}.html").read_text("utf-8").count(f'id="{place}"') == 1, row["id"]


def test_without_a_script_a_claim_opens_by_hand(page_of):
    page = page_of(scripts=False).page
    assert page.locator("details.claim").count() == len(OWN)
    page.locator("#theorem-6 > summary").click()
    assert page.locator("#theorem-6 dt", has_text="Verdict").is_visible()


@pytest.mark.parametrize("paper, width, scheme", [(PAPER, 380, "dark"), ("qiao-wang-2023", 1280, "light")])
def test_open_claims_keep_nobody_out_and_fit(page_of, paper, width, scheme):
    page = page_of(paper=paper, width=width, scheme=scheme).page
    page.evaluate("for (const fold of [...document.querySelectorAll('details.claim')].slice(0, 30)) fold.open = true")
    page.locator("details.claim details").first.evaluate("fold => { fold.open = true }")
    assert page.evaluate("document.documentElement.scrollWidth") <= width and page.evaluate(CUT) == []
    assert kept_out_of(".bd-article", page) == []


def test_on_paper_the_claims_are_open_and_the_sources_are_not(page_of):
    page = page_of().page
    page.emulate_media(media="print")
    assert page.locator("#lemma-23 dt", has_text="Verdict").is_visible()
    assert not page.locator("#lemma-23 details").is_visible()
