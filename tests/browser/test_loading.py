"""What comes first when a page is opened: the widget, then the formulas in view, then all the rest; and nothing jumps."""

import pytest
from conftest import PATIENCE

SEVERAL = ["chapters/01_foundations/02_a_promise", "chapters/01_foundations/03_noise_that_keeps_it"]  # with formulas, in view and below
PAGES = ["chapters/welcome", *SEVERAL]
LONG = ["chapters/01_foundations/02_a_promise", "chapters/01_foundations/05_what_leaks"]  # with widgets far below
# Notes how many formulas are set when the first widget is drawn, and which are not when the first ones are.
ORDER = """
window.seen = {};
const set = () => document.querySelectorAll("mjx-container").length;
const unset = (where) => [...document.querySelectorAll(".math:not(:has(mjx-container))")].filter(one => one.checkVisibility())
    .filter(one => where === "in view" === (one.getBoundingClientRect().top < innerHeight)).length;
for (const kind of ["explorer:drawn", "game:drawn"])
    addEventListener(kind, () => { window.seen.widget ??= { formulas: set() }; });
new MutationObserver((_, observer) => {
    if (!set()) return;
    observer.disconnect();
    window.seen.formulas = { inView: unset("in view"), below: unset("below") };
}).observe(document, { childList: true, subtree: true });
"""
SHIFTS = """
window.shifted = 0;
new PerformanceObserver(list => { for (const { value } of list.getEntries()) window.shifted += value; }).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture
def opened(browser, address):
    """opened(name, script) opens a page on which the script runs before all others, without some files if so wished."""
    contexts = []

    def open_page(name: str, script: str, without: str = ""):
        contexts.append(browser.new_context(viewport={"width": 1280, "height": 900}))
        contexts[-1].set_default_timeout(PATIENCE)
        page = contexts[-1].new_page()
        page.add_init_script(script)
        if without:
            page.route(without, lambda route: route.abort())
        page.goto(f"{address}/{name}.html")
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", PAGES)
def test_the_first_widget_is_there_before_any_formula_is_set(opened, name):
    page = opened(name, ORDER)
    page.wait_for_function("window.seen.widget")
    assert page.evaluate("window.seen.widget.formulas") == 0


@pytest.mark.parametrize("name", SEVERAL)
def test_formulas_in_view_come_before_those_below(opened, name):
    page = opened(name, ORDER)
    page.wait_for_selector("html[data-formulas=set]", state="attached")
    assert page.locator(".math:not(:has(mjx-container))").count() == 0
    found = page.evaluate("window.seen.formulas")
    assert found["inView"] == 0 < found["below"]


@pytest.mark.parametrize("name", LONG)
def test_a_widget_comes_when_it_is_about_to_be_seen(opened, name):
    page = opened(name, "window.requestIdleCallback = () => {}")  # a page that is never idle
    widgets, places = page.locator(".widget-subarea > *"), page.locator("div:has(> script[type$='widget-view+json'])")
    widgets.first.wait_for()
    assert widgets.count() < places.count()
    places.last.scroll_into_view_if_needed()
    places.last.locator(".widget-subarea > *").wait_for()


@pytest.mark.parametrize("name", PAGES)
def test_nothing_shifts_while_a_page_loads(opened, name):
    """But for the type, which is another's matter: how soon its files arrive, and what the system has until then."""
    page = opened(name, SHIFTS, without="**/vendor/fonts/*")
    page.wait_for_selector("html[data-widgets=ready]", state="attached")
    if page.locator(".math").count():
        page.wait_for_selector("html[data-formulas=set]", state="attached")
    page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    assert page.evaluate("window.shifted") < 0.05
