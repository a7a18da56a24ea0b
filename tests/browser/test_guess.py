"""A guess comes before its answer: by mouse and by keyboard, and never where no script runs or on paper."""

import pytest

PAGE = "chapters/welcome"
SHOWN = "one => one.checkVisibility({ visibilityProperty: true }) && getComputedStyle(one).visibility === 'visible'"


@pytest.fixture
def seen(visit, site):
    return visit((site / f"{PAGE}.html").as_uri())


def answer(page):
    return page.locator("p:has(> strong:text-is('What you should see.'))").last


def test_an_answer_waits_for_a_guess_and_for_a_look(seen):
    page = seen.page
    box = page.locator(".guess").last
    choices = box.get_by_role("button")
    assert choices.count() == 3 and not answer(page).evaluate(SHOWN)
    choices.nth(0).focus()
    page.keyboard.press("Enter")
    assert choices.nth(0).get_attribute("aria-pressed") == "true"
    assert "Noted" in box.get_by_role("status").text_content() and not answer(page).evaluate(SHOWN)
    page.get_by_role("button", name="Show the answer").last.press("Enter")
    assert answer(page).evaluate(SHOWN) and answer(page).evaluate("one => one === document.activeElement")
    assert "Right is: ε\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}0.3." in box.get_by_role("status").text_content()
    choices.nth(2).click()  # too late
    assert choices.nth(2).get_attribute("aria-pressed") == "false"
    assert seen.complaints == []


def test_sliders_have_no_picture_before_a_guess(seen):
    picture = seen.page.locator(".explorer-view > *").last
    assert picture.evaluate("one => getComputedStyle(one).opacity") == "0"
    assert seen.page.locator('.explorer [role="slider"]').last.evaluate(SHOWN)
    seen.page.locator(".guess").last.get_by_role("button").nth(0).click()
    assert picture.evaluate("one => getComputedStyle(one).opacity") == "1"


@pytest.mark.parametrize("name, what", [("06_networks/01_insulin_for_a_day", "table"), ("01_foundations/04_who_is_protected", "img")])
def test_what_an_answer_puts_below_its_first_paragraph_waits_with_it(visit, site, name, what):
    """A table of results or a picture, which would give the answer away."""
    page = visit((site / f"chapters/{name}.html").as_uri()).page
    below = page.locator(".cell_output > p:has(> strong:is(:text-is('The answer.'), :text-is('What you should see.')))").locator(f"xpath=following-sibling::*/descendant-or-self::{what}")
    assert below.count() == 1 and not below.is_visible()
    for answer in page.get_by_role("button", name="Show the answer").all()[::-1]:
        answer.click()
    assert below.is_visible()
    page.emulate_media(media="print")
    page.reload()
    assert below.is_visible()


def test_a_right_guess_is_told_so(seen):
    box = seen.page.locator(".guess").last
    box.get_by_role("button").nth(1).click()
    seen.page.get_by_role("button", name="Show the answer").last.click()
    assert box.get_by_role("status").text_content() == "Your guess is right."


def test_an_answer_waits_in_a_line_and_opens_downwards(seen):
    place = "element => [element.getBoundingClientRect().top + scrollY, element.clientHeight]"
    hidden = seen.page.locator("p.guess-hidden").last.element_handle()
    top, height = hidden.evaluate(place)
    seen.page.get_by_role("button", name="Show the answer").last.click()
    opened, whole = hidden.evaluate(place)
    assert opened == top and height < 50 < whole


def test_all_is_there_on_paper_and_where_no_script_runs(seen, visit, site):
    seen.page.emulate_media(media="print")
    assert answer(seen.page).evaluate(SHOWN)
    without = visit((site / f"{PAGE}.html").as_uri(), scripts=False).page
    assert answer(without).evaluate(SHOWN) and without.locator(".guess li").count() == 3


def test_a_solution_opens_beside_a_guess(visit, site):
    """The scripts of a page share one room for names."""
    seen = visit((site / "chapters/02_policy_evaluation/01_problem.html").as_uri())
    solution = seen.page.locator(".solution").first
    words = solution.locator(".solution-content, p:not(.admonition-title)").first
    assert not words.is_visible()
    solution.locator("p.admonition-title").click(position={"x": 5, "y": 5})
    words.wait_for()
    assert seen.complaints == []


def test_the_page_does_not_move_when_the_guesses_get_their_buttons(seen):
    """What the script adds has its room from the first moment; a link into the middle of a page would jump otherwise."""
    heights = "[...document.querySelectorAll('.guess, p.guess-hidden, .cell_output:has(> p.guess-hidden)')].map(one => one.offsetHeight)"
    with_buttons = seen.page.evaluate(heights)
    seen.page.route("**/guess.js*", lambda route: route.abort())
    seen.page.reload()
    assert seen.page.locator(".guess-choice").count() == 0 and seen.page.evaluate(heights) == with_buttons
