"""The hospital in a bare page: what it shows, what it counts, and who can play it."""

import games
import numpy as np
import pytest
from test_game import AXE, KEPT_OUT, VENDOR

WIDGET = games.hospital()
DRAWN = WIDGET._drawn


@pytest.fixture
def opened(visit, tmp_path):
    def show(width=900, theme="light"):
        (tmp_path / "page.html").write_text(games.bare(WIDGET, script=f"{VENDOR.as_uri()}/widgets.js", style=f"{VENDOR.as_uri()}/widgets.css", theme=theme), "utf-8")
        seen = visit((tmp_path / "page.html").as_uri(), width=width)
        seen.view = seen.page.locator(".hospital-view")
        seen.view.wait_for()
        return seen
    return show


def treat(seen, *groups):
    """Groups of (treatment, patients), through the functions of the buttons."""
    seen.view.evaluate("(view, groups) => { for (const [arm, size] of groups) { view.hospital.state.size = size; view.hospital.treat(arm); } }", groups)


def said(seen):
    return seen.view.locator('[data-out="said"]').text_content().replace("\N{NO-BREAK SPACE}", " ")


def out(seen, name):
    return seen.view.locator(f'[data-out="{name}"]').text_content()


def whole(value):
    return f"{np.floor(value + 0.5):g}"


def test_it_is_played_by_keyboard_alone_and_the_score_is_right(opened):
    seen = opened()
    keyboard = seen.page.keyboard
    focused = "() => document.activeElement.dataset.arm ?? document.activeElement.dataset.part ?? document.activeElement.name"
    seen.page.locator("h1").click()
    keyboard.press("Tab")        # what you see
    keyboard.press("Tab")        # patients at a time
    keyboard.press("ArrowRight")
    assert seen.view.evaluate("view => view.hospital.state.size") == 25
    assert seen.view.locator("input:focus + span").evaluate("span => getComputedStyle(span).outlineStyle") == "solid"
    keyboard.press("Tab")
    assert seen.page.evaluate(focused) == "0"
    given, before = [0, 1, 2, 2, 1, 1, 2, 0], 0
    for k, arm in enumerate(given):
        keyboard.press("ABC"[arm].lower())
        recovered = int(DRAWN.outcomes[0, before:before + 25, arm].sum())
        before += 25
        if k < 7:
            assert f"25 patients with {'ABC'[arm]}: {recovered} recovered. {200 - before} patients left." in said(seen)
    lost = sum(25 * (0.8 - DRAWN.means[0, arm]) for arm in given)
    assert f"{'ABC'[int(np.argmax(DRAWN.means[0]))]} is the best. You lost {whole(lost)} recoveries" in said(seen)
    assert f"The computer, by UCB, lost {whole(DRAWN.views[0].lost[0])} with the same patients" in said(seen)
    assert [out(seen, f"{name}-0") for name in ("you", "rule", "blind")] == [whole(lost), whole(DRAWN.views[0].lost[0]), "40"]
    keyboard.press("Enter")      # nobody is left to treat, and the focus stays
    assert seen.page.evaluate(focused) == "0" and out(seen, "left") == "0"
    for _ in range(3):
        keyboard.press("Tab")
    assert seen.page.evaluate(focused) == "next"
    keyboard.press("Enter")
    assert out(seen, "number") == "2 of 16" and "noisy sums, ε = 1" in said(seen) and seen.page.evaluate(focused) == "0"
    assert seen.view.locator('[data-out="said"]').get_attribute("aria-live") == "polite"
    seen.view.locator("summary").focus()
    keyboard.press("Enter")
    assert seen.complaints == [] and seen.outside == []


@pytest.mark.parametrize("number", [1, 2])
def test_noisy_sums_are_the_sums_and_the_stored_noise_and_nothing_else_is_shown(opened, number):
    seen = opened()
    seen.view.evaluate("(view, number) => view.hospital.begin(number)", number)
    scale, before, sums = 1 / DRAWN.views[number].epsilon, 0, np.zeros(3)
    for k, (arm, size) in enumerate([(0, 1), (1, 5), (2, 25), (0, 25), (0, 1)]):
        treat(seen, (arm, size))
        told = DRAWN.outcomes[0, before:before + size, arm].sum() + scale * DRAWN.noise[0, k]
        before, sums[arm] = before + size, sums[arm] + told
        assert seen.view.evaluate("view => view.hospital.state.groups.at(-1).told") == pytest.approx(told, abs=1e-4)
        words = said(seen)
        assert "a noisy sum of" in words and "recovered" not in words and "in truth" not in seen.view.text_content()
        shown = float(words.split("a noisy sum of ")[1].split(". ")[0].replace("−", "-").replace(" × 10", "e").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))
        assert shown == pytest.approx(told, rel=6e-3)
    assert float(out(seen, "mean-2").split(" of")[0].replace("−", "-")) == pytest.approx(100 * sums[2] / 25, abs=0.51)
    assert f"ε = {DRAWN.views[number].epsilon:g}, δ = 0 for one patient" in out(seen, "guarantee")


def test_a_whole_round_of_hospitals_keeps_the_means_and_then_begins_again(opened):
    seen = opened()
    for hospital in range(16):
        assert out(seen, "number") == f"{hospital + 1} of 16"
        seen.view.evaluate("view => { const { hospital } = view; hospital.state.size = 25; while (!hospital.over()) hospital.treat(0); hospital.begin(0); }")
    assert out(seen, "number") == "1 of 16"
    assert "All 16 hospitals are treated. Again from the first" in said(seen)
    assert out(seen, "you-0") == whole(200 * (0.8 - DRAWN.means[:, 0]).mean()) and out(seen, "rule-0") == whole(DRAWN.views[0].lost.mean())

    seen.view.evaluate("(view, arm) => { const { hospital } = view; while (!hospital.over()) hospital.treat(arm); }", int(np.argmax(DRAWN.means[0])))
    assert "nothing at all" in said(seen) and out(seen, "you-0") == whole(200 * (0.8 - DRAWN.means[:, 0]).mean()), "no hospital counts twice"


def test_a_click_on_the_card_wakes_the_keys_and_another_view_says_that_the_hospital_ends(opened):
    seen = opened()
    seen.page.keyboard.press("a")
    assert out(seen, "left") == "200"
    seen.view.locator(".g-question").click()
    seen.page.keyboard.press("a")
    assert out(seen, "left") == "195"
    seen.view.locator('input[name$="view"][value="1"]').check(force=True)
    assert said(seen).startswith("Hospital 1 was not finished and does not count. Hospital 2. Other patients") and out(seen, "left") == "200"
    seen.view.locator('input[name$="view"][value="2"]').check(force=True)
    assert said(seen).startswith("Hospital 2. Other patients")


PLACES = """view => [...view.querySelectorAll("button, fieldset, svg, table, .g-guarantee")].filter(one => one.checkVisibility())
    .map(one => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y + scrollY, width, height].map(Math.round).join(); })"""


@pytest.mark.parametrize("width", [900, 380])
def test_nothing_shifts_while_patients_are_treated_and_it_fits_a_telephone(opened, width):
    seen = opened(width=width)
    before = seen.view.evaluate(PLACES)
    for group in [(0, 1), (1, 5), (2, 25), (0, 25), (1, 25)]:
        treat(seen, group)
        assert seen.view.evaluate(PLACES) == before
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    over = seen.view.evaluate("(view, width) => [...view.querySelectorAll('*')].filter(one => one.checkVisibility() && !one.closest('.g-spoken') && one.getBoundingClientRect().right > width + 1).map(one => one.outerHTML.slice(0, 90))", width)
    assert over == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_keeps_anybody_out(opened, theme):
    seen = opened(theme=theme)
    seen.page.evaluate(AXE)
    for _ in range(2):
        looked_at, found = seen.page.evaluate(KEPT_OUT, ["", {"preload": False}])
        assert looked_at and found == []
        treat(seen, *[(0, 25)] * 8)
        seen.view.locator("details").evaluate("fold => { fold.open = true; }")
    looked_at, found = seen.page.evaluate(KEPT_OUT, ["", {"preload": False}])
    assert looked_at and found == []


def test_a_still_picture_takes_its_place_on_paper_and_without_scripts(opened, visit, tmp_path):
    seen = opened()
    still = seen.page.locator(".game-still")
    assert seen.view.is_visible() and not still.is_visible()
    seen.page.emulate_media(media="print")
    assert not seen.view.is_visible() and still.is_visible()
    assert visit((tmp_path / "page.html").as_uri(), scripts=False).page.locator(".game-still").is_visible()


def test_after_a_hospital_the_nearest_plan_is_looked_up_and_the_one_before_stays(visit, tmp_path):
    widget = games.hospital(plan=lambda epsilon, size, tries: (0.005 * tries, 10.0 * size), trials=(1, 2, 4))
    (tmp_path / "page.html").write_text(games.bare(widget, script=f"{VENDOR.as_uri()}/widgets.js", style=f"{VENDOR.as_uri()}/widgets.css"), "utf-8")
    seen = visit((tmp_path / "page.html").as_uri(), width=900)
    seen.view = seen.page.locator(".hospital-view")
    seen.view.wait_for()
    assert out(seen, "plan-0") == "Your plan comes after your first hospital."
    treat(seen, (0, 25), (1, 25), (2, 25), *[(0, 25)] * 5)
    assert out(seen, "plan-0").startswith("1 × 25 patients") and out(seen, "wrong-0").startswith("1 of 200 end with a wrong treatment. On average it loses 250 recoveries")
    seen.view.evaluate("view => view.hospital.next()")
    treat(seen, *[(arm, 5) for arm in (0, 1, 2)] * 4, *[(0, 25)] * 6)
    assert out(seen, "plan-0").startswith("4 × 5 patients") and out(seen, "wrong-0").startswith("4 of 200") and out(seen, "plan-1").startswith("1 × 25")
    assert seen.view.locator('[data-part="squares-0"] .h-wrong').count() == 4
    assert seen.complaints == []
