"""Slides: what stands on them follows from the notebook, each fits, and nothing is fetched."""

import re

import execute
import nbformat
import pytest
from pairs import notebook
from slides import deck, make, plain

ROOT = execute.ROOT
OUTSIDE = re.compile(r"^(?!file:|data:|blob:)")
QUICK = ROOT / "_build" / "quick"
PAGES = ["chapters/02_policy_evaluation/evidence/02_mechanisms", "chapters/04_offline_rl/evidence/04_cost"]
KNOWN = {"warner1965": "Warner (1965)", "01_problem": "The problem"}

SOURCE = '''# %% [markdown]
# # A title
#
# ## First
#
# What one sees. A second sentence, long enough to be left to the speaker, since nobody reads so much on a wall: it goes
# on, and on, until even the most patient of readers in the last row has closed their eyes, and then it goes on a little more.
#
# Nothing here is in bold.
#
# Here {cite:t}`warner1965` says what a **coin** is; see {doc}`01_problem`. And more.
#
# ```{prf:theorem} no. 3 of the paper
# :label: three
# All is $x$.
# ```
#
# ```{prf:proof}
# Obvious.
# ```

# %%
1 + 1

# %% [markdown]
# ### Second
'''


def cells():
    page = nbformat.reads(notebook(SOURCE), 4)
    return [(cell.metadata.slideshow.slide_type, cell.source) for cell in deck(page, KNOWN).cells]


def test_what_stands_on_a_slide():
    found = cells()
    assert [kind for kind, _ in found] == ["slide", "slide", "-", "notes", "notes", "-", "notes", "-", "notes", "subslide"]
    assert found[2][1] == "What one sees."
    assert found[5][1] == "Here Warner (1965) says what a **coin** is; see The problem."
    assert "**Theorem 3 of the paper**" in found[7][1] and ":label:" not in found[7][1]
    assert "1 + 1" not in str(found) and "Obvious." in found[8][1]


@pytest.mark.parametrize("text, words", [
    ("{doc}`this page </chapters/x>`", "this page"), ("{doc}`01_problem`", "The problem"), ("{cite:p}`warner1965`", "(Warner 1965)"),
    ("{ref}`the ledger <claims>`", "the ledger"), ("{prf:ref}`balle2016-lemma-2`", "balle2016 lemma 2"), ("`code` alone", "`code` alone")])
def test_roles_become_words(text, words):
    assert plain(text, KNOWN) == words


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    into = tmp_path_factory.mktemp("slides")
    make(ROOT, QUICK, into, PAGES)
    return into


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.xdist_group("slides")) for name in PAGES])
def test_every_slide_fits_and_asks_nobody(name, decks, browser):
    page, outside, complaints = browser.new_page(viewport={"width": 1280, "height": 720}), [], []
    page.route(OUTSIDE, lambda route: outside.append(route.request.url) or route.abort())
    page.on("console", lambda message: message.type in ("error", "warning") and complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((decks / f"{name.removeprefix('chapters/')}.html").as_uri())
    page.wait_for_selector("html[data-deck=ready]", state="attached")
    total, sliders, formulas = page.evaluate("Reveal.getTotalSlides()"), 0, 0
    assert total > 10
    for number in range(total):
        assert page.evaluate("Reveal.getSlidePastCount()") == number
        right, bottom, formula = page.evaluate("""() => {
            const slide = Reveal.getCurrentSlide(), frame = Reveal.getSlidesElement().getBoundingClientRect();
            const boxes = [...slide.querySelectorAll(".jp-Cell")].map(cell => cell.getBoundingClientRect());
            return [slide.scrollWidth - slide.clientWidth, Math.max(...boxes.map(box => box.bottom)) - frame.bottom,
                    slide.querySelectorAll("mjx-container").length]; }""")
        assert right <= 1 and bottom <= 1, f"slide {number + 1} of {name}"
        formulas += formula
        current = page.locator("section.present:not(.stack)")
        assert current.locator(".jp-InputArea pre").count() == 0
        assert all(image.get_attribute("alt") for image in current.locator("img").all())
        for handle in current.locator("[role=slider]").all()[:1]:
            said = handle.get_attribute("aria-valuetext")
            handle.focus()
            page.keyboard.press("ArrowLeft")
            page.keyboard.press("ArrowLeft")
            assert handle.get_attribute("aria-valuetext") != said and page.evaluate("Reveal.getSlidePastCount()") == number
            handle.evaluate("handle => handle.blur()")
            sliders += 1
        page.keyboard.press("ArrowRight")
    assert sliders and formulas
    assert outside == [] and complaints == []
    page.close()
