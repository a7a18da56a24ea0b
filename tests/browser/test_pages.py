"""Every page of the book in a browser: silent, alone, alive, small, legible, and right.

A page is opened once, from the disk. One with sliders or games, and one of each kind, is also opened from a server, and one with
pictures to move without scripts. All checks on a page share these.
"""

import re
from functools import cached_property
from importlib.resources import files

import execute
import pytest

ROOT = execute.ROOT
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")


def each(names: list[str]):
    """The same test for each of these pages, page by page, all on one process."""
    pages = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in names]
    return pytest.mark.parametrize("page", pages, indirect=True, scope="module")


NOTEBOOKS = execute.notebooks(ROOT)
PAGES = [*NOTEBOOKS, *(name for name in execute.documents(ROOT) if name not in NOTEBOOKS)]  # a page has one number in both lists
every_page, every_notebook = each(PAGES), each(NOTEBOOKS)
OF_EACH_KIND = ["chapters/welcome", NOTEBOOKS[1], "chapters/02_policy_evaluation/06_exercises", "chapters/05_online/01_one_after_another",
                "chapters/05_online/evidence/01_counters", "chapters/06_networks/05_who_needs_whom",
                "chapters/07_side_by_side/03_decide", "chapters/07_side_by_side/07_map", "book/claims", "book/claims/qiao-wang-2024",
                "book/reference/world", "book/course/teachers"]
WITH_ALL_WORDS = OF_EACH_KIND[:2]  # where axe reads code and formulas, too
WIDGET = "application/vnd.jupyter.widget-view+json"


class Opened:
    """A page of the book, opened the first time that it is wanted in this way."""

    def __init__(self, name: str, file, served: str, open_page):
        self.name, self.file, self._served, self._open = name, file, served, open_page

    @cached_property
    def wide(self):
        """From the disk, on a desk."""
        return self._open(self.file.as_uri())

    @property
    def served(self):
        """On a telephone; from a server, if it has scripts of its own or is one of its kind."""
        return self._phone.at(380).under("light")

    @property
    def dark(self):
        """The same when night has fallen."""
        return self._phone.at(380).under("dark")

    @cached_property
    def _phone(self):
        scripted = self.name in OF_EACH_KIND or WIDGET in self.file.read_text("utf-8")
        return self._open(self._served, width=380) if scripted else self.wide

    @cached_property
    def without_scripts(self):
        return self._open(self.file.as_uri(), scripts=False)


@pytest.fixture(scope="module")
def page(request, visits, site, address):
    with visits() as open_page:
        yield Opened(request.param, site / f"{request.param}.html", f"{address}/{request.param}.html", open_page)


@pytest.mark.parametrize("way", ["wide", "served"])
@every_page
def test_a_page_asks_nobody_and_complains_of_nothing(page, way):
    seen = getattr(page, way)
    assert seen.outside == []
    assert seen.complaints == []
    # the theme's icons come from our own short list (book/js/src/icons.js)
    assert seen.page.evaluate("[...document.querySelectorAll('svg.svg-inline--fa:has(.missing)')].map(icon => icon.dataset.icon)") == []
    # links to other pages are fine; anything loaded from elsewhere is not
    assert seen.page.locator("script[src^=http], link[rel=stylesheet][href^=http], img[src^=http]").count() == 0


@every_page
def test_a_page_is_small(page):
    assert page.file.stat().st_size <= 600_000
    pictures = {page.file.parent / path for path in re.findall(r'src="([^":?]*_images/[^"?]+)"', page.file.read_text("utf-8"))}
    assert page.file.stat().st_size + sum(picture.stat().st_size for picture in pictures) <= 2_000_000
    if page.served is page.wide:
        return  # from the disk a browser tells no sizes
    sizes = page.served.page.evaluate("""() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
        .map(entry => entry.decodedBodySize)""")
    assert len(sizes) > 5 and sum(sizes) <= 5_000_000


# What sticks out of the window, or of something around it that neither shows the rest nor scrolls.
CUT = """() => {
  const apart = ".explorer-spoken, .g-spoken, .explorer-moving *, .noUi-target *, .visually-hidden, mjx-container *, svg *, noscript", found = [];
  for (const part of document.querySelectorAll(".bd-header-article *, .bd-article *, .prev-next-footer *, footer *")) {
    const box = part.getBoundingClientRect();
    if (!box.width || !box.height || part.closest(apart) || !part.checkVisibility({ visibilityProperty: true })) continue;
    let left = 0, right = document.documentElement.clientWidth;
    for (let around = part.parentElement; around !== document.body; around = around.parentElement) {
      const way = getComputedStyle(around).overflowX, room = around.getBoundingClientRect();
      if (way === "auto" || way === "scroll") { [left, right] = [-Infinity, Infinity]; break; }
      if (way !== "visible") [left, right] = [Math.max(left, room.left), Math.min(right, room.right)];
    }
    if (box.left < left - 1 || box.right > right + 1) found.push(part.outerHTML.slice(0, 120));
  }
  return found;
}"""

# Pairs of lines of words from different paragraphs, cells or boxes, one of them over the other.
OVERLAPS = """() => {
  const lines = [], found = [], walker = document.createTreeWalker(document.querySelector(".bd-article"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const words = walker.currentNode.textContent.trim(), parent = walker.currentNode.parentElement;
    if (!words || parent.closest("mjx-container, svg, .explorer-spoken, .g-spoken, .visually-hidden, script, style")
        || !parent.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) continue;
    let block = parent;
    while (getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    for (let { left, right, top, bottom } of range.getClientRects()) {
      for (let around = block; around !== document.body; around = around.parentElement) {
        if (getComputedStyle(around).overflowX === "visible") continue;
        const room = around.getBoundingClientRect();
        [left, right] = [Math.max(left, room.left), Math.min(right, room.right)];
        [top, bottom] = [Math.max(top, room.top), Math.min(bottom, room.bottom)];
      }
      const air = .2 * (bottom - top);  // above and below the letters
      if (right - left > 2 && air > .5) lines.push({ left, right, top: top + air, bottom: bottom - air, block, words });
    }
  }
  lines.sort((one, other) => one.top - other.top);
  lines.forEach((one, k) => {
    for (let n = k + 1; n < lines.length && lines[n].top < one.bottom - 1; n++) {
      const other = lines[n];
      if (other.block !== one.block && Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2)
        found.push(`${one.words.slice(0, 50)} / ${other.words.slice(0, 50)}`);
    }
  });
  return found;
}"""


@pytest.mark.parametrize("width", [380, 1200])
@every_page
def test_nothing_is_cut_and_nothing_overlaps(page, width):
    seen = page.served.at(width)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    assert seen.page.evaluate(CUT) == []
    assert seen.page.evaluate(OVERLAPS) == []


@every_notebook
def test_code_and_formulas_fit_the_column_on_a_desk(page):
    seen = page.wide.at(1200)
    too_wide = seen.page.locator(".bd-article :is(.cell_input pre, mjx-container[display=true])").evaluate_all("""all => all
        .filter(one => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1).map(one => `${one.scrollWidth - one.clientWidth}: ${one.textContent.slice(0, 60)}`)""")
    assert too_wide == []


# How many rules of axe-core found what they look for, and what it calls serious or critical. What is left out gives way to a
# letter meanwhile: code and formulas are most of the elements of a page, and axe walks through those that it passes over, too.
KEPT_OUT = """async ([leftOut, rules]) => {
  const apart = leftOut ? [...document.querySelectorAll(leftOut)].map(part => [part, document.createTextNode("x")]) : [];
  for (const [part, letter] of apart) part.replaceWith(letter);
  const { passes, violations } = await axe.run({ ...rules, resultTypes: ["violations"], selectors: false });
  for (const [part, letter] of apart) letter.replaceWith(part);
  return [passes.length, violations.filter(problem => ["serious", "critical"].includes(problem.impact))
    .flatMap(problem => problem.nodes.map(node => `${problem.impact}: ${problem.help}: ${node.html.slice(0, 120)}`))];
}"""


def kept_out_of(part: str, page) -> list[str]:
    """What axe-core calls serious or critical in the first element that the selector finds."""
    page.evaluate(AXE)
    found = page.evaluate("part => axe.run(document.querySelector(part), { selectors: false, resultTypes: ['violations'] })", part)
    assert found["passes"], "axe looked at nothing"
    return [problem["help"] for problem in found["violations"] if problem["impact"] in ("serious", "critical")]


def looked_at_by_axe(page, seen, rules):
    seen.page.evaluate(AXE)
    left_out = "" if page.name in WITH_ALL_WORDS else "pre, mjx-container"
    rules_met, found = seen.page.evaluate(KEPT_OUT, [left_out, {"preload": False} | rules])  # else it fetches the style sheets once more
    assert rules_met, "axe looked at nothing"
    return found


@every_page
def test_nothing_keeps_anybody_out(page):
    """The words of code and formulas look alike everywhere: two pages' will do."""
    assert looked_at_by_axe(page, page.wide, {"rules": {"color-contrast": {"enabled": False}}}) == []


@pytest.mark.parametrize("way", ["wide", "dark"])
@each([name for name in OF_EACH_KIND if name != "book/claims"])  # a long table of the same few colours
def test_the_colours_of_each_kind_of_page_keep_nobody_out(page, way):
    """All of its colours. Of paragraphs, outputs and tables the next test knows on every page."""
    assert looked_at_by_axe(page, getattr(page, way), {"runOnly": ["color-contrast"]}) == []


def test_a_page_that_opens_in_the_dark_is_one_where_night_has_fallen(visit, site):
    """All colours of all that is shown: the checks in the dark need not open every page once more."""
    colours = """() => [...document.querySelectorAll("body *")].filter(
        one => one.checkVisibility() && !one.closest(".page-toc")  // which follows the scrolling, when it comes to it
        ).map(one => {
        const { color, backgroundColor, borderTopColor, fill, stroke, boxShadow, filter } = getComputedStyle(one);
        return [one.tagName, color, backgroundColor, borderTopColor, fill, stroke, boxShadow, filter].join(); })"""
    for name in (NOTEBOOKS[0], "book/reference/privacy"):
        address = (site / f"{name}.html").as_uri()
        dark, light = (visit(address, width=380, scheme=scheme) for scheme in ("dark", "light"))
        before = light.page.evaluate(colours)
        fallen = light.under("dark").page.evaluate(colours)
        assert dark.page.evaluate(colours) == fallen != before
        assert light.under("light").page.evaluate(colours) == before


@pytest.mark.parametrize(("width", "height"), [(1200, 800), (380, 740)])
def test_the_first_page_shows_at_once_what_the_book_is_about(visit, site, width, height):
    """The question of the game without scrolling; below it, what the noise does to both sides in numbers."""
    seen = visit((site / f"{execute.documents(ROOT)[0]}.html").as_uri(), width=width)
    seen.page.set_viewport_size({"width": width, "height": height})
    box = seen.page.locator(".g-question").bounding_box()
    assert box["y"] + box["height"] <= height
    explorer = seen.page.locator(".explorer")
    off, guesses = explorer.locator(".explorer-readouts dd").all()
    explorer.get_by_role("slider").focus()
    shown = []
    for key in ("Home", "End"):
        seen.page.keyboard.press(key)
        shown.append((number(off.text_content()), number(guesses.text_content())))
    assert shown[0][0] > 10 > 1 > shown[1][0] and shown[0][1] < 51 < 95 < shown[1][1] <= 100


LUMINANCE = """element => {
  let at = element;
  while (getComputedStyle(at).backgroundColor === "rgba(0, 0, 0, 0)") at = at.parentElement;
  const value = (colour) => { const [r, g, b] = colour.match(/[\\d.]+/g).map(x => x / 255)
    .map(x => x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  return [value(getComputedStyle(at).backgroundColor), value(getComputedStyle(element).color)];
}"""


@pytest.mark.parametrize("way", ["wide", "dark"])
@every_page
def test_words_are_legible_in_the_light_and_in_the_dark(page, way):
    seen = getattr(page, way).at(1280)
    article = seen.page.locator(".bd-article p, .bd-article li, .admonition-title, .explorer-guarantee, .explorer-shown, .cell_output td, .cell_output pre, .explorer-legend li")
    found = article.evaluate_all(f"all => all.filter(one => one.checkVisibility() && one.textContent.trim()).map({LUMINANCE})")
    assert found
    for paper, ink in found:
        assert (paper > 0.8) if way == "wide" else (paper < 0.1)
        assert (max(paper, ink) + 0.05) / (min(paper, ink) + 0.05) >= 4.5


PATHS = """view => [...view.querySelectorAll(".explorer-moving path, .explorer-moving line, .explorer-moving circle")]
    .map(mark => mark.outerHTML).join()"""


def sliders(seen):
    """Each slider of a page with the view of its explorer."""
    for explorer in seen.page.locator(".explorer").all():
        for handle in explorer.locator('[role="slider"]').all():
            yield handle, explorer.locator(".explorer-view")


@every_notebook
def test_every_slider_changes_its_picture_by_keyboard_and_by_mouse(page):
    seen = page.wide
    every_slider = seen.page.locator('[role="slider"]').count()
    tried = 0
    for handle, view in sliders(seen):
        name = handle.get_attribute("aria-label")
        assert name, "a handle without a name"
        before, said = view.evaluate(PATHS), handle.get_attribute("aria-valuetext")
        handle.focus()
        seen.page.keyboard.press("ArrowRight")
        if view.evaluate(PATHS) == before:  # at an end, its own or that of a slider which follows it
            for _ in range(2):  # the first step may only lead back to the grid, from where a follower stopped it
                seen.page.keyboard.press("ArrowLeft")
        after = view.evaluate(PATHS)
        assert after != before, f"{name}: an arrow key changes nothing"
        assert handle.get_attribute("aria-valuetext") != said, name

        handle.evaluate("handle => handle.scrollIntoView({ block: 'center', behavior: 'instant' })")
        box, track = handle.bounding_box(), handle.locator("xpath=ancestor::*[contains(@class, 'noUi-target')]").bounding_box()
        level = box["y"] + box["height"] / 2
        seen.page.mouse.move(box["x"] + box["width"] / 2, level)
        seen.page.mouse.down()
        pictures = []
        for end in (track["x"], track["x"] + track["width"]):
            seen.page.mouse.move(end, level, steps=2)
            pictures.append(view.evaluate(PATHS))
        seen.page.mouse.up()
        assert any(picture != after for picture in pictures), f"{name}: the mouse changes nothing"
        tried += 1
    assert tried == every_slider
    assert seen.complaints == []


# Sets the sliders of every probe in turn and reads what a reader would: numbers in words, and the drawn curves.
READ = """async (view, probes) => {
  const model = view.explorer, spec = model.get("specification"), found = [];
  const settle = () => new Promise(done => setTimeout(done));
  for (const probe of probes) {
    for (const _ of [1, 2]) for (const [name, value] of Object.entries(probe.sliders)) {
      model.set(name, value);
      if (spec.followers.length) await settle();
    }
    await settle();
    const svg = view.querySelector(".explorer-moving svg"), x = svg.scale("x"), y = svg.scale("y");
    const px = x.apply(probe.x);
    const drawn = [...svg.querySelectorAll('[aria-label="line"] path')].map(path => {
      const points = [...path.getAttribute("d").matchAll(/([-\\d.e]+),([-\\d.e]+)/g)].map(([, a, b]) => [+a, +b]);
      const next = Math.max(1, points.findIndex(([a]) => a >= px - 1e-3));
      const [[x0, y0], [x1, y1]] = [points[next - 1], points[next]];
      return y.invert(y0 + (y1 - y0) * (px - x0) / (x1 - x0));
    });
    found.push({
      readouts: Object.fromEntries(spec.readouts.map(({ name }, k) => [name, view.querySelectorAll(".explorer-readouts dd")[k].textContent])),
      legend: [...view.querySelectorAll(".explorer-legend output")].map(value => value.textContent),
      sliders: Object.fromEntries(spec.sliders.map(name => [name, model.get(`${name}_shown`)])),
      drawn,
    });
  }
  return found;
}"""


def number(words: str) -> float:
    """The number that is printed at the beginning of some words."""
    power = re.match("(?:(−?[0-9.,]+)\\s×\\s)?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", words)
    mantissa, exponent = power.groups() if power else (re.match("−?[0-9.,]+", words)[0], "⁰")
    exponent = exponent.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    return float(f"{(mantissa or '1').replace('−', '-').replace(',', '')}e{exponent}")


@pytest.mark.parametrize(("words", "value"), [("3.73", 3.73), ("12,300 patients", 12300), ("1.5\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10⁻⁵", 1.5e-5),
                                              ("10⁻⁵", 1e-5), ("10⁶ times", 1e6), ("−2", -2), ("10", 10), ("101", 101)])
def test_numbers_are_read_as_they_are_printed(words, value):
    assert number(words) == pytest.approx(value)


def right(words: str, exact: float, up: bool) -> bool:
    """A percent is what interpolation and three digits miss; rounded up, numbers are above by more, and never below."""
    low, high = (-2e-6, 0.025) if up else (-0.01, 0.01)
    return low * abs(exact) <= number(words) - exact <= high * abs(exact)


@every_notebook
def test_the_numbers_shown_are_within_one_percent_of_pythons_and_promises_never_below(page):
    """At 50 positions off the grid, from each table's own function, called while the notebook ran."""
    seen = page.wide
    for view in seen.page.locator(".explorer-view").all():
        spec = view.evaluate("view => view.explorer.get('specification')")
        shown = view.evaluate(READ, spec["probes"])
        assert len(shown) == len(spec["probes"])
        if any(spec["probes"][0][kind] for kind in ("readouts", "curves")):
            assert len(spec["probes"]) == 50, "ranges leave too few positions"
        up = {readout["name"]: readout["up"] for readout in spec["readouts"]}
        for probe, here in zip(spec["probes"], shown, strict=True):
            where = f"{spec['name']} at {probe['sliders']}, {spec['x']} = {probe['x']}"
            for name, exact in probe["readouts"].items():
                assert right(here["readouts"][name], exact, up[name]), f"{here['readouts'][name]} and not {exact}: {name}, {where}"
            for name, exact in probe["followers"].items():
                assert right(here["sliders"][name], exact, True), f"{here['sliders'][name]} and not {exact}: {name}, {where}"
            height = abs(spec["y"]["high"] - spec["y"]["low"])
            for index, exact in probe["curves"].items():
                label, rounded = (spec["curves"][int(index)][kind] for kind in ("label", "up"))
                # on a linear axis a curve near zero can be drawn no better than its picture is high
                slack = height / 1000 if spec["y"]["scale"] == "linear" else 0
                assert here["drawn"][int(index)] == pytest.approx(exact, rel=0.015 if rounded else 0.01, abs=slack), f"{label}, {where}"
                if here["legend"]:
                    assert right(here["legend"][int(index)], exact, rounded), f"{here['legend'][int(index)]} and not {exact}: {label}, {where}"
    assert seen.complaints == []


@every_notebook
def test_a_still_picture_takes_the_place_of_the_widget_on_paper_and_where_no_script_runs(page):
    live = page.wide
    explorers, stills = live.page.locator(".explorer"), live.page.locator(".explorer-still")
    assert explorers.count() == stills.count()
    assert all(explorer.is_visible() for explorer in explorers.all())
    assert not any(still.is_visible() for still in stills.all())
    live.page.emulate_media(media="print")
    try:
        assert not any(explorer.is_visible() for explorer in explorers.all())
        assert all(still.is_visible() for still in stills.all())
    finally:
        live.page.emulate_media(media="null")
    without = page.without_scripts.page.locator(".explorer-still") if stills.count() else stills
    assert without.count() == stills.count() and all(still.is_visible() for still in without.all())


@every_notebook
def test_the_best_attacker_can_play_each_game_of_a_page_at_each_setting(page):
    seen = page.wide
    for game in seen.page.locator(".game-view").all():
        game.evaluate("""view => { const { game } = view;
            if (view.querySelector("[data-bet]")) for (let level = 0; level < game.levels.length; level++) { game.setLevel(level); game.rest(); game.publish(); }
            if (view.querySelector('[data-part="piles-stage"]')) { game.reach("piles"); game.pile(20); } }""")
    assert seen.complaints == []


def test_the_book_has_sliders(site):
    assert any(WIDGET in (site / f"{page}.html").read_text("utf-8") for page in NOTEBOOKS)
