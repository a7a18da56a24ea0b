"""The explorer by itself, in a bare page: what it draws, says and lets follow, against Python."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ipywidgets.embed import embed_data, escape_script
from test_pages import number

from privrl_core.pages.explorer import (
    Axis,
    Choice,
    Curve,
    Derived,
    Follower,
    Readout,
    Slider,
    Table,
    constant,
    explore,
    quadrature,
    round_up,
    show,
)
from privrl_core.privacy import gaussian_epsilon, gaussian_mu

VENDOR = Path(__file__).parents[2] / "book" / "assets" / "vendor" / "widgets"

EPSILON = Slider("epsilon", "privacy loss ε", 0.1, 10, 1, points=9)
DELTA = Slider("delta", "failure probability δ", 1e-8, 0.1, 1e-5, points=9)
GROUP = Choice("group", "states in a group", (1, 2, 4, 8), 2, low_end="finer", high_end="coarser")
SHARE = Slider("share", "share", 0, 2, 0.5, scale="linear", points=5, low_end="none", high_end="all")
BETA = Axis("beta", "β", 0.01, 1000, points=31)

rng = np.random.default_rng(7)
NOISE = Table.of(lambda epsilon, delta: delta**-0.1 / epsilon, EPSILON, DELTA)  # power laws: tables without error
BACK = Table.of(lambda sigma, delta: delta**-0.1 / sigma, Slider("sigma", "noise σ", 0.5, 40, 3.17), DELTA)
SIGMA = BACK.axes[0]
ROUGH = Table((GROUP, DELTA, SHARE), rng.uniform(1, 3, (4, 9, 5)), scale="linear")
BY_BETA = Table((BETA, SHARE), np.exp(rng.uniform(-1, 1, (31, 5))))


def several() -> object:
    return explore(
        name="several", sliders=[EPSILON, DELTA, SIGMA, GROUP, SHARE], x=SHARE, y=Axis("error", "error", 0.5, 20),
        curves=[Curve("rough", ROUGH * 2, low=ROUGH, high=ROUGH * 3), Curve("by noise", BY_BETA),
                Curve("far above", ROUGH * 1e4), Curve("not private", quadrature(ROUGH, 1) - 0.5, reference=True)],
        readouts=[Readout("rough", "rough", ROUGH, digits=9), Readout("by_noise", "by noise", BY_BETA, digits=9),
                  Readout("noise", "noise", NOISE, unit="units")],
        followers=[Follower(SIGMA, NOISE, of=(EPSILON, DELTA)), Follower(EPSILON, BACK, of=(SIGMA,))],
        derived=[Derived(BETA, NOISE)],
        guarantee="(ε = {epsilon}, δ = {delta})-differential privacy for one trajectory (replace one), proved",
        alt="Error for groups of {group} at ε = {epsilon}: noise {noise}.", caption="Groups of {group}.")


def bare(*boxes) -> str:
    """A page with nothing but widgets, and the script and the style of the book."""
    data = embed_data(views=boxes, drop_defaults=False)
    state, *views = (escape_script(json.dumps(part)) for part in (data["manager_state"], *data["view_specs"]))
    return "\n".join([
        '<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8"><title>page</title>',
        f'<link rel="stylesheet" href="{VENDOR.as_uri()}/widgets.css"><script defer src="{VENDOR.as_uri()}/widgets.js"></script><body>',
        f'<script type="application/vnd.jupyter.widget-state+json">{state}</script>',
        *(f'<script type="application/vnd.jupyter.widget-view+json">{view}</script>' for view in views)])


@pytest.fixture
def opened(visit, tmp_path):
    """opened(box, ...) shows them in a page."""
    def show_in_page(*boxes):
        (tmp_path / "page.html").write_text(bare(*boxes), "utf-8")
        return visit((tmp_path / "page.html").as_uri())
    return show_in_page


def set_sliders(seen, **values):
    """As a hand on each slider would, one after the other."""
    seen.page.locator(".explorer-view").evaluate("""async (view, values) => {
        for (const [name, value] of values) { view.explorer.set(name, value); await new Promise(done => setTimeout(done)); } }""",
        list(values.items()))


def trait(seen, name):
    return seen.page.locator(".explorer-view").evaluate("(view, name) => view.explorer.get(name)", name)


def readouts(seen):
    return [float(words.split(" ")[0].replace(",", "")) for words in seen.page.locator(".explorer-readouts dd").all_text_contents()]


def test_the_page_interpolates_as_python_does(opened):
    seen = opened(several())
    for _ in range(30):
        values = dict(epsilon=float(EPSILON.value(rng.uniform(2, 5))), delta=float(DELTA.value(rng.uniform(0, 8))),
                      share=float(rng.uniform(0, 2)), group=GROUP.options[rng.integers(4)])
        values |= {slider.name: float(slider.seen(values[slider.name])) for slider in (EPSILON, DELTA, SHARE)}
        set_sliders(seen, **(values | {"group": GROUP.options.index(values["group"])}))
        found = dict(zip(("rough", "by_noise", "noise"), readouts(seen), strict=True))
        assert trait(seen, "epsilon") == values["epsilon"] and trait(seen, "delta") == values["delta"]
        assert found["rough"] == pytest.approx(float(ROUGH.at(**values)), rel=1e-7)
        assert found["noise"] == pytest.approx(float(NOISE.at(**values)), rel=0.005)
        assert found["by_noise"] == pytest.approx(float(BY_BETA.at(beta=NOISE.at(**values), share=values["share"])), rel=1e-6)
    assert seen.complaints == []


def test_a_number_reads_the_same_in_the_page_as_in_python(opened):
    wide = Slider("wide", "wide", 1e-12, 1e12, 1)
    line = Table.of(lambda wide: wide, wide)
    seen = opened(explore(name="wide", sliders=[wide], x=wide, y=Axis("y", "y", 1e-12, 1e12), curves=[Curve("line", line)],
                          guarantee="{wide}", alt="{wide}", caption=""))
    for value in [1, 0.1, 999.5, 9995, 999_499, 999_600, 1e6, 0.00099999, 0.001, 1 / 3, 2e-9, *(10 ** rng.uniform(-12, 12, 200))]:
        set_sliders(seen, wide=float(value))
        assert trait(seen, "wide_shown") == show(float(value)) == show(float(wide.seen(value)))


@pytest.mark.parametrize("name", ["noise", "epsilon"])
def test_a_number_that_promises_is_never_below_its_function(opened, name):
    """Wherever the keyboard leads, and at places between: what the page says is what Python would, and enough."""
    fine = replace(DELTA, high=0.01, points=65)
    sliders = [replace(EPSILON, points=25), fine] if name == "noise" else [replace(SIGMA, points=25), fine]
    level = Table.of({"noise": lambda epsilon, delta: 1 / gaussian_mu(epsilon, delta),
                      "epsilon": lambda sigma, delta: gaussian_epsilon(delta, 10 / sigma)}[name], *sliders)
    box = explore(name="promise", sliders=sliders, x=sliders[0], y=Axis("y", "y", 0.01, 100), curves=[Curve("level", level, at_most=True)],
                  readouts=[Readout("level", "level", level, at_most=True), Readout("four", "level", level, digits=4, at_most=True)],
                  guarantee="{level}", alt="{level}", caption="")
    seen = opened(box)
    stops = [list(slider.stops[rng.integers(len(slider.stops), size=90)]) for slider in sliders]
    between = [list(slider.value(rng.uniform(0, slider.points - 1, 90))) for slider in sliders]
    places = [dict(zip((slider.name for slider in sliders), map(float, place), strict=True))
              for kind in (stops, between) for place in zip(*kind, strict=True)]
    found = seen.page.locator(".explorer-view").evaluate("""async (view, places) => {
        const found = [], read = (what) => [...view.querySelectorAll(what)].map((one) => one.textContent);
        for (const place of places) {
            for (const [name, value] of Object.entries(place)) view.explorer.set(name, value);
            await new Promise((done) => setTimeout(done));
            found.push([...read(".explorer-readouts dd"), ...read(".explorer-legend output"), ...read(".explorer-guarantee")]);
        } return found; }""", places)
    assert len(found) == 180
    for place, words in zip(places, found, strict=True):
        at = {slider.name: float(slider.seen(place[slider.name])) for slider in sliders}
        exact, enough = float(level.exact(**at)), float(box._scene.at_most(level, at))
        three, four, legend, promise = words
        assert three == legend == promise == show(round_up(enough)) and four == show(round_up(enough, 4), 4)
        assert number(three) >= number(four) >= exact * (1 - 2e-6), at
        assert number(four) <= exact * 1.0135, at  # half a percent of interpolation, three quarters of margin, a thousandth of rounding
    seen.page.locator(".explorer-table summary").click()
    rows = seen.page.locator(".explorer-table tbody tr")
    rows.first.wait_for()
    for row in rows.all():
        x, y = map(number, row.locator("th, td").all_text_contents())
        assert y >= float(level.exact(**(places[-1] | {sliders[0].name: x}))) * (1 - 2e-6)
    frame = seen.page.locator(".explorer-picture").bounding_box()
    seen.page.mouse.move(frame["x"] + 0.37 * frame["width"], frame["y"] + frame["height"] / 2)
    tip = seen.page.locator('.explorer-moving [aria-label="tip"]')
    tip.get_by_text("level: ").wait_for()
    x, y = (number(line.split(": ")[1]) for line in tip.locator("tspan").all_text_contents() if ": " in line)
    assert y >= float(level.exact(**(places[-1] | {sliders[0].name: x}))) * (1 - 2e-6)
    assert seen.complaints == []


def test_two_are_free_and_the_third_follows(opened):
    seen = opened(several())
    assert trait(seen, "sigma") == pytest.approx(3.17)
    set_sliders(seen, epsilon=2.0)
    assert trait(seen, "sigma") == round_up(10**0.5 / 2) == 1.59 and trait(seen, "delta") == 1e-5
    set_sliders(seen, delta=1e-6)
    assert trait(seen, "sigma") == round_up(10**0.6 / 2) and trait(seen, "epsilon") == 2
    set_sliders(seen, sigma=4.0)
    assert trait(seen, "epsilon") == round_up(10**0.6 / 4) and trait(seen, "delta") == 1e-6
    assert trait(seen, "epsilon_shown") == show(trait(seen, "epsilon"))
    handles = {handle.get_attribute("aria-label"): handle for handle in seen.page.locator('[role="slider"]').all()}
    assert handles["privacy loss ε"].get_attribute("aria-valuetext") == show(round_up(10**0.6 / 4))  # its handle moved too


def test_a_follower_at_the_end_of_its_range_stops_the_slider_that_pulls_it(opened):
    seen = opened(several())
    set_sliders(seen, delta=1e-8, epsilon=0.1)  # asks for σ = 63, and 40 is all there is
    assert trait(seen, "epsilon") == round_up(10**0.8 / 40) == 0.158
    assert trait(seen, "sigma") == round_up(10**0.8 / 0.158) == 40
    shown = seen.page.locator(".explorer-slider").nth(0).locator(".explorer-shown").text_content()
    assert shown == trait(seen, "epsilon_shown") == "0.158"
    set_sliders(seen, sigma=0.5)  # asks for ε = 12.6, and 10 is all there is
    assert trait(seen, "sigma") == round_up(10**0.8 / 10) == 0.631
    assert trait(seen, "epsilon") == round_up(10**0.8 / 0.631) == 10


def test_the_keyboard_reaches_every_step_and_both_ends(opened):
    grouped = NOISE * Table.of(lambda group: np.sqrt(group), GROUP)
    seen = opened(explore(name="keys", sliders=[EPSILON, DELTA, GROUP], x=EPSILON, y=Axis("y", "y", 0.01, 100),
                          curves=[Curve("noise", grouped)], guarantee="{epsilon}", alt="{epsilon}", caption=""))
    handle = seen.page.get_by_role("slider", name="privacy loss ε")
    handle.focus()
    press = seen.page.keyboard.press
    press("Home")
    assert trait(seen, "epsilon") == pytest.approx(EPSILON.low)
    said = handle.get_attribute("aria-valuetext")
    press("Home")  # again, where it moves nothing
    assert handle.get_attribute("aria-valuetext") == said == show(EPSILON.low)
    press("End")
    assert trait(seen, "epsilon") == pytest.approx(EPSILON.high)
    press("PageDown")
    paged = trait(seen, "epsilon")
    assert EPSILON.low < paged < EPSILON.high
    press("ArrowLeft")
    one_step = math.log10(paged / trait(seen, "epsilon"))
    assert one_step == pytest.approx(EPSILON.step, rel=0.01)
    press("ArrowRight")
    assert trait(seen, "epsilon") == pytest.approx(paged)
    groups = seen.page.get_by_role("slider", name="states in a group")
    groups.focus()
    press("End")
    assert trait(seen, "group_shown") == "8" and groups.get_attribute("aria-valuetext") == "8"


def test_words_and_the_alternative_text_follow_the_sliders(opened):
    seen = opened(several())
    set_sliders(seen, epsilon=2.0, group=3)
    picture = seen.page.locator(".explorer-moving svg")
    assert picture.get_attribute("aria-label") == f"Error for groups of 8 at ε = 2: noise {show(10**0.5 / 2)}."
    assert seen.page.locator(".explorer-guarantee").text_content() == (
        "(ε = 2, δ = 10⁻⁵)-differential privacy for one trajectory (replace one), proved")
    assert seen.page.locator(".explorer-caption").text_content() == "Groups of 8."
    seen.page.wait_for_function("document.querySelector('.explorer-spoken').textContent.startsWith('Error for groups of 8')")
    ends = seen.page.locator(".explorer-ends span").all_text_contents()
    assert ends[:2] == ["more private", "more accurate"] and ends[6:8] == ["finer", "coarser"]


def test_a_curve_that_leaves_the_picture_is_said_to(opened):
    seen = opened(several())
    said = seen.page.locator(".explorer-leaving").text_content()
    assert "“far above” is outside the picture, above 20: between" in said
    assert "“rough”" not in said and "“not private”" not in said
    low = replace(EPSILON, name="low", points=2)
    law = Table.of(lambda low: 1 / low, low)
    partly = opened(explore(name="partly", sliders=[low], x=low, y=Axis("y", "y", 0.5, 5), curves=[Curve("law", law)],
                            guarantee="{low}", alt="{low}", caption=""))
    assert partly.page.locator(".explorer-leaving").text_content() == "“law” leaves the picture: part of it lies above 5 and part below 0.5."
    assert partly.page.locator('.explorer-moving [aria-label="dot"] path').count() == 2  # an arrow at each edge
    wide = Curve("steady", constant(1.0), low=constant(0.1), high=law)
    band = opened(explore(name="band", sliders=[low], x=low, y=Axis("y", "y", 0.5, 5), curves=[wide],
                          guarantee="{low}", alt="{low}", caption=""))
    assert band.page.locator(".explorer-leaving").text_content() == (
        "The band of “steady” leaves the picture: part of it lies above 5 and part below 0.5.")


def test_the_curves_are_there_as_a_table_too(opened):
    seen = opened(several())
    rows = seen.page.locator(".explorer-table tbody tr")
    assert rows.count() == 0
    seen.page.locator(".explorer-table summary").click()
    rows.first.wait_for()  # filled when the browser says that it is open, all rows at once
    assert rows.count() == 9
    assert seen.page.locator(".explorer-table thead th").all_text_contents() == ["share", "rough", "by noise", "far above", "not private"]
    for row, share in ((0, 0.0), (4, 1.0), (8, 2.0)):
        values = dict(share=share, delta=1e-5, group=2)
        cells = rows.nth(row).locator("th, td").all_text_contents()
        centre = float(ROUGH.at(**values))
        assert cells[:2] == [show(share), f"{show(2 * centre)} ({show(centre)} to {show(3 * centre)})"]
    before = rows.nth(4).text_content()
    set_sliders(seen, group=0)
    assert rows.nth(4).text_content() != before


def test_a_tip_tells_the_values_under_the_pointer(opened):
    seen = opened(several())
    box = seen.page.locator(".explorer-picture").bounding_box()
    seen.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tip = seen.page.locator('.explorer-moving [aria-label="tip"]')
    tip.get_by_text("not private").wait_for()
    assert "by noise" in tip.text_content()


def test_explorers_on_one_page_are_independent_and_resize(opened):
    seen = opened(several(), several())
    first, second = seen.page.locator(".explorer-view").all()
    seen.page.wait_for_function("[...document.querySelectorAll('.explorer-spoken')].every(words => words.textContent)")
    before = second.inner_html()  # what is spoken comes last, some time after the picture
    first.evaluate("view => void view.explorer.set('group', 3)")
    assert first.locator(".explorer-caption").text_content() == "Groups of 8."
    assert second.inner_html() == before
    seen.page.set_viewport_size({"width": 400, "height": 800})
    seen.page.wait_for_function("document.querySelector('.explorer-moving svg').getAttribute('width') < 400")
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 400
    assert seen.complaints == []
