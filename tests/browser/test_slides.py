"""Decks in a browser: each slide has text that the last row can read, all of it fits, nothing overlaps, and nothing is fetched."""

import re

import execute
import pytest
from plans import plans
from slides import make

QUICK = execute.ROOT / "_build" / "quick"
OUTSIDE = re.compile(r"^(?!file:|data:|blob:)")
SAMPLE = {"ten_weeks": (2, 6), "workshop": (7,)}  # sessions with games, explorers, tables, formulas and pictures
UNDESCRIBED = "No description has been provided for this image"  # nbconvert's words where a picture has none
AT = "[...document.querySelectorAll('.slides > section > section')].indexOf(Reveal.getCurrentSlide())"
LOOK = """() => {
    const slide = Reveal.getCurrentSlide(), scale = Reveal.getScale(), frame = slide.getBoundingClientRect();
    const shown = element => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && element.getBoundingClientRect().width > 1;
    const words = [], walk = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const parent = walk.currentNode.parentElement;
        if (walk.currentNode.data.trim() && shown(parent) && !parent.closest("aside, mjx-container, .g-spoken, .explorer-spoken, title, desc"))
            words.push(parent);
    }
    const zoom = element => element ? (+getComputedStyle(element).zoom || 1) * zoom(element.parentElement) : 1;
    const small = words.filter(word => parseFloat(getComputedStyle(word).fontSize) * zoom(word) / zoom(document.querySelector(".slides")) < 22);
    const corner = [...document.querySelectorAll(".slide-number, .navigate-left, .navigate-right")].map(one => one.getBoundingClientRect());
    const boxes = words.filter(word => !word.closest(".game-view")).map(word => word.getBoundingClientRect());
    const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const cells = [...slide.querySelectorAll(":scope > .jp-Cell, :scope > div")].filter(shown).map(cell => cell.getBoundingClientRect());
    const cut = [...slide.querySelectorAll(".game-view")].some(game => game.scrollHeight > game.clientHeight + 1);
    return { blank: words.length === 0, cut, small: small.map(word => word.textContent.slice(0, 40)),
        below: Math.max(0, ...boxes.map(box => box.bottom)) - frame.bottom + 40 * scale,
        beside: Math.max(0, ...boxes.map(box => box.right)) - frame.right + 20 * scale,
        corner: corner.some(one => boxes.some(box => meets(one, box))) || corner.some((a, k) => corner.some((b, j) => j < k && meets(a, b))),
        over: cells.some((a, k) => cells.slice(0, k).some(b => a.top < b.bottom - 2 && b.top < a.bottom - 2 && a.left < b.right && b.left < a.right)) }; }"""


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    into = tmp_path_factory.mktemp("slides")
    every = plans(execute.ROOT)
    make(execute.ROOT, QUICK, into, {name: {"sessions": [every[name]["sessions"][number - 1] for number in numbers]}
                                     for name, numbers in SAMPLE.items()})
    return into


@pytest.mark.parametrize("name", [pytest.param(f"{name}/{number:02}", marks=pytest.mark.xdist_group("slides"))
                                  for name, numbers in SAMPLE.items() for number in range(1, len(numbers) + 1)])
def test_every_slide_can_be_read_and_asks_nobody(name, decks, browser):
    page, outside, complaints = browser.new_page(viewport={"width": 1280, "height": 720}), [], []
    page.route(OUTSIDE, lambda route: outside.append(route.request.url) or route.abort())
    page.on("console", lambda message: message.type in ("error", "warning") and complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((decks / f"{name}.html").as_uri())
    page.wait_for_selector("html[data-deck=ready]", state="attached")
    total, sliders, wrong = page.evaluate("document.querySelectorAll('.slides > section > section').length"), 0, []
    for number in range(total):
        assert page.evaluate(AT) == number
        current = page.locator("section.present:not(.stack)")
        for handle in current.locator(".explorer [role=slider]").all()[:1]:
            said = handle.get_attribute("aria-valuetext")
            handle.focus()
            heard = set()
            for key in ("ArrowLeft", "ArrowRight", "ArrowRight"):  # it may stand at an end
                page.keyboard.press(key)
                heard.add(handle.get_attribute("aria-valuetext"))
            assert heard != {said} and page.evaluate(AT) == number
            handle.evaluate("handle => handle.blur()")
            sliders += 1
        assert re.match(rf"{number + 1} / {total} · \w", page.locator(".slide-number").inner_text())
        assert not {image.get_attribute("alt") for image in current.locator("img").all()} & {None, "", UNDESCRIBED}
        seen = page.evaluate(LOOK)
        wrong += [f"slide {number + 1}: {seen}"] * (seen["blank"] or seen["below"] > 1 or seen["beside"] > 1 or seen["corner"]
                                                   or seen["over"] or seen["cut"] or bool(seen["small"]))
        page.keyboard.press("ArrowRight")
    assert wrong == []
    assert sliders and outside == [] and complaints == []
    page.close()


@pytest.mark.xdist_group("slides")
def test_z_or_a_click_gives_a_picture_the_whole_slide(decks, browser):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto((decks / "ten_weeks/01.html").as_uri())
    page.wait_for_selector("html[data-deck=ready]", state="attached")
    picture = page.locator("section.present:not(.stack) img").first
    while not picture.count():
        page.keyboard.press("ArrowRight")
    before, whole = picture.bounding_box(), page.locator(".slides").bounding_box()
    page.keyboard.press("z")
    assert picture.bounding_box() == pytest.approx(whole)
    picture.click()
    assert picture.bounding_box() == before
    picture.click()
    page.keyboard.press("ArrowRight")
    assert page.locator("img.whole").count() == 0
    page.close()


@pytest.mark.xdist_group("slides")
def test_a_deck_prints_one_page_a_slide_with_margins(decks, browser):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto((decks / "workshop/01.html").as_uri())
    total = page.evaluate("document.querySelectorAll('.slides > section > section').length")
    page.emulate_media(media="print")
    page.goto((decks / "workshop/01.html").as_uri() + "?print-pdf")
    page.wait_for_selector("html[data-deck=ready]", state="attached")
    margins = page.evaluate("""() => [...document.querySelectorAll(".pdf-page")].map(paper => {
        const frame = paper.getBoundingClientRect();
        const boxes = [...paper.querySelectorAll("h1, h2, p, li, img, svg, table, mjx-container")].map(one => one.getBoundingClientRect()).filter(box => box.height > 1);
        return Math.min(...boxes.map(box => Math.min(box.left - frame.left, box.top - frame.top, frame.right - box.right, frame.bottom - box.bottom))); })""")
    assert len(margins) == total
    assert min(margins) > 18, margins
    page.close()
