"""Pages as the browser prints them: from a dark screen, read back from the PDF."""

import re
import unicodedata

import execute
import pypdfium2
import pytest

PRINTED = [execute.documents(execute.ROOT)[0], "chapters/01_foundations/03_noise_that_keeps_it",
           "chapters/02_policy_evaluation/06_exercises", "chapters/04_offline_rl/evidence/02_pessimism", "book/claims"]
A4 = 658  # pixels between the margins of book.css on a sheet of this size


def letters(words: str) -> str:
    """Letters and digits alone: a printed line may break anywhere."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", words))


@pytest.fixture(scope="module", params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in PRINTED])
def printed(request, visits, site):
    """A page in the dark, and its PDF."""
    with visits() as open_page:
        seen = open_page((site / f"{request.param}.html").as_uri(), scheme="dark")
        yield seen, pypdfium2.PdfDocument(seen.page.pdf(format="A4"))


def text(pdf) -> str:
    return letters("".join(sheet.get_textpage().get_text_bounded() for sheet in pdf))


def words_of(seen, selector: str) -> list[str]:
    """The words of each such element up to its first formula, whose letters a PDF spells in its own way."""
    found = seen.page.locator(selector).evaluate_all("""all => all.map(one => {
        const copy = one.cloneNode(true);
        copy.querySelectorAll("a.headerlink, .toggle-button, summary, button, script, style").forEach(part => part.remove());
        copy.querySelector("mjx-container, sub, sup, table, svg")?.replaceWith("\\u0000");
        return copy.textContent.split("\\u0000")[0]; })""")
    return [letters(words)[:60] for words in found if letters(words)]


def test_a_printed_page_has_all_its_words(printed):
    seen, pdf = printed
    paper = text(pdf)
    assert letters(seen.page.locator(".bd-article h1").first.text_content().rstrip("#")) in paper
    sought = words_of(seen, ".bd-article :is(h2, h3, p, li, dt):not(.explorer *, .explorer-still *, .game-view *, .game-still *, .answer *, .answer-code, .answers-done, summary *, td *, li:has(p))")
    assert len(sought) > 10
    assert [words for words in sought if words not in paper] == []


def test_each_explorer_is_a_still_figure_on_paper(printed):
    seen, pdf = printed
    paper = text(pdf)
    stills = seen.page.locator(".explorer-still")
    assert stills.count() == seen.page.locator(".explorer").count()
    captions = words_of(seen, ".explorer-still figcaption p")
    axes = [letters(words) for words in stills.locator("svg text").all_text_contents() if len(letters(words)) > 8]
    assert len(captions) >= 2 * stills.count() and len(axes) >= stills.count()
    assert [words for words in captions + axes if words not in paper] == []


def test_no_control_and_no_way_elsewhere_is_printed(printed):
    seen, pdf = printed
    paper = text(pdf)
    ends = {letters(words) for words in seen.page.locator(".explorer-ends").all_text_contents()} - {""}
    assert len(ends) > 0 or not seen.page.locator(".explorer").count()
    for words in [*ends, "Thecurvesasatable", "Clicktoshow", "Clicktohide", "Showcodecellsource", "Hidecodecellsource",
                  "Beforeyoustart", "Attheend", "SearchCtrl", "Licensedunder", "Previous", "UnderCCBY"]:
        assert words not in paper


def test_what_is_folded_on_screen_is_printed(printed):
    seen, pdf = printed
    paper = text(pdf)
    folded = words_of(seen, ".bd-article .sd-summary-content, .bd-article .admonition.dropdown > section")
    assert [words for words in folded if words not in paper] == []
    if "exercises" in seen.page.url:
        assert len(folded) > 15


def test_ink_is_dark_on_white_paper_with_numbered_sheets(printed):
    _, pdf = printed
    for number, sheet in enumerate(pdf, 1):
        grey = sheet.render(scale=1.5).to_numpy().mean(axis=2)
        assert (grey > 250).mean() > 0.5 and grey.min() < 60
        margin = sheet.get_textpage().get_text_bounded(0, 0, sheet.get_width(), 50)
        assert str(number) in margin.split()


def test_nothing_is_wider_than_the_paper(printed):
    seen, _ = printed
    seen.page.emulate_media(media="print")
    seen.page.set_viewport_size({"width": A4, "height": 900})
    try:
        too_wide = seen.page.evaluate("""width => [...document.querySelectorAll(".bd-article *")]
            .filter(part => part.checkVisibility() && !part.closest(".explorer-spoken, mjx-assistive-mml, .explorer-still svg"))
            .filter(part => { const box = part.getBoundingClientRect(); return box.width && box.height && box.right > width + 1; })
            .map(part => part.outerHTML.slice(0, 120))""", A4)
    finally:
        seen.page.emulate_media(media="null")
    assert too_wide == []
