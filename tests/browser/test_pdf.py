"""The book in one file, of four pages: read back from the PDF."""

import ctypes
import re
import unicodedata
from collections import defaultdict
from html import unescape

import pdf
import pypdfium2
import pytest
import yaml

pytestmark = pytest.mark.xdist_group("pdf")
raw = pypdfium2.raw
NAMES = ["chapters/welcome", "chapters/01_foundations/02_a_promise", "chapters/02_policy_evaluation/06_exercises", "book/references"]
TITLES = ["Private Reinforcement Learning", "A promise", "Exercises and a quiz", "References"]

MARGIN = 48  # points, above the text of a sheet: the browser lets a link lead to so much above its place


def letters(words: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", unescape(re.sub("<.*?>", "", words, flags=re.DOTALL))))


@pytest.fixture(scope="module")
def printed(browser, site):
    return pdf.book(browser, site, NAMES, solutions=False)


@pytest.fixture(scope="module")
def made(printed):
    return pypdfium2.PdfDocument(printed)


@pytest.fixture(scope="module")
def starts(printed):
    return pdf.sheets(printed, NAMES)


@pytest.fixture(scope="module")
def texts(made):
    return [sheet.get_textpage().get_text_bounded() for sheet in made]


@pytest.fixture(scope="module")
def articles(site):
    return {name: pdf.article(site, name) for name in NAMES}


def links(made):
    """Each link: the sheet that it is on, its words, and the sheet and the height where it leads, or its address."""
    for number, sheet in enumerate(made, 1):
        words, at, link = sheet.get_textpage(), ctypes.c_int(0), raw.FPDF_LINK()
        while raw.FPDFLink_Enumerate(sheet, at, link):
            box = raw.FS_RECTF()
            raw.FPDFLink_GetAnnotRect(link, box)
            said = words.get_text_bounded(box.left, box.bottom, box.right, box.top)
            if target := raw.FPDFLink_GetDest(made, link):
                known, place = [ctypes.c_int() for _ in range(3)], [ctypes.c_float() for _ in range(3)]
                raw.FPDFDest_GetLocationInPage(target, *known, *place)
                yield number, said, 1 + raw.FPDFDest_GetDestPageIndex(made, target), place[1].value, None
            else:
                action, address = raw.FPDFLink_GetAction(link), ctypes.create_string_buffer(2000)
                raw.FPDFAction_GetURIPath(made, action, address, 2000)
                yield number, said, None, None, address.value.decode()


def test_contents_say_on_which_sheet_a_page_begins(made, texts, starts):
    assert len(made) > 10
    stated = re.findall(r"^(.+?)\s+(\d+)\s*$", texts[1], re.MULTILINE)
    stated = [(title, int(number)) for title, number in stated if title in TITLES]
    assert [title for title, _ in stated] == TITLES
    for title, number in stated:
        upper = made[number - 1].get_textpage().get_text_bounded(bottom=made[number - 1].get_height() - 110)
        assert title in upper and str(number) in texts[number - 1].split()
    assert [number for _, number in stated] == list(starts.values())


def test_links_lead_to_their_pages_and_places(made, starts):
    begin = {letters(title): sheet for title, sheet in zip(TITLES, starts.values())}
    leads = defaultdict(str)  # a link may go on in the next line
    for on, said, sheet, top, _ in links(made):
        leads[on, sheet, top] += letters(said)
    inner = [(on, said, sheet, top) for (on, sheet, top), said in leads.items() if sheet]
    assert {said.rstrip("0123456789"): sheet for on, said, sheet, _ in inner if on == 2} == begin
    assert {sheet for on, said, sheet, _ in inner if on > 2 and said == "Apromise"} == {begin["Apromise"]}
    cited = [(sheet, top) for _, said, sheet, top in inner if said.startswith("Dworketal2006")]
    assert cited
    for sheet, top in cited:
        assert sheet >= begin["References"]
        assert "[DMNS06]" in made[sheet - 1].get_textpage().get_text_bounded(bottom=top - MARGIN - 12, top=top - MARGIN)


def test_the_outline_nests_sections_in_pages_and_pages_in_chapters(made, starts):
    outline = [(mark.level, mark.get_title().strip(), 1 + mark.get_dest().get_index()) for mark in made.get_toc()]
    for name, title in zip(NAMES, TITLES):
        assert title in [words for _, words, sheet in outline if sheet == starts[name]]
    levels = {words: level for level, words, _ in outline}
    assert levels["The promise"] > levels["A promise"] > levels["References"]
    assert raw.FPDFCatalog_IsTagged(made)


def test_no_address_of_this_computer_and_none_to_fetch(made, site):
    addresses = {address for *_, address in links(made) if address is not None}
    assert addresses and all(address.startswith("https://") for address in addresses)
    config = yaml.safe_load((pdf.ROOT / "_config.yml").read_text("utf-8"))
    html = pdf.whole(site, NAMES, config, pdf.WITHOUT)
    fetched = re.findall(r'\bsrc="([^"]*)"|<link [^>]*href="([^"]*)"|url\("?([a-z]+:[^)"]*)', html)
    assert fetched and {one for found in fetched for one in found if one and not one.startswith((site.as_uri(), "data:"))} == set()


def test_widgets_are_still_and_answers_are_shown(articles, texts, site):
    paper = letters("".join(texts))
    for name in NAMES[:2]:
        html = (site / f"{name}.html").read_text("utf-8")
        stills = re.findall(r'<figure class="(?:explorer|game)-still".*?</figure>', articles[name], re.DOTALL)
        assert len(stills) == len(re.findall('"application/vnd.jupyter.widget-view', html)) > 0
        for still in stills:
            assert letters(re.search("<figcaption>(.*?)</figcaption>", still, re.DOTALL)[1])[:40] in paper
            axes = [words for words in map(letters, re.findall("<text.*?</text>", still, re.DOTALL)) if len(words) > 12]
            assert axes and all(words in paper for words in axes)
        answers = re.findall('<p class="guess-hidden">(.*?)<(?:span class="math|sup|/p)', articles[name], re.DOTALL)
        assert answers and all(letters(answer)[:60] in paper for answer in answers)
    for control in ("Showtheanswer", "Thecurvesasatable", "Pressananswer", "Clicktoshow", "Showcodecell", "Subtracttheother999", "Missing"):
        assert control not in paper


def test_solutions_are_left_out_or_printed_as_asked(browser, site, articles, texts):
    solution = letters(re.search(r'id="solution-content">\s*<p>(.*?)(?:</p>|<span)', re.sub(r'id="[^"]*:', 'id="', articles[NAMES[2]]), re.DOTALL)[1])[:60]
    with_them = pypdfium2.PdfDocument(pdf.book(browser, site, NAMES[2:3], solutions=True))
    assert len(solution) > 30 and solution not in letters("".join(texts))
    assert solution in letters("".join(sheet.get_textpage().get_text_bounded() for sheet in with_them))
