"""Tables against a second interpolation, scenes against what they must refuse, widgets against what a page needs."""

import json
import math
import re
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import ipywidgets
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ipywidgets.embed import embed_data

from privrl_core.pages import theme
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
    largest,
    quadrature,
    round_up,
    show,
)
from privrl_core.pages.explorer.scene import Scene
from privrl_core.pages.explorer.tables import ticks
from privrl_core.privacy import gaussian_epsilon, gaussian_mu

EPSILON = Slider("epsilon", "privacy loss ε", 0.1, 10, 1)
DELTA = Slider("delta", "failure probability δ", 1e-8, 0.1, 1e-5)
GROUP = Choice("group", "states in a group", (1, 2, 4, 8), 2)
SHARE = Axis("share", "share", -1, 1, scale="linear", points=5)
M = Axis("m", "trajectories", 100, 1e6)


# ---- axes

@pytest.mark.parametrize(("make", "message"), [
    (lambda: Axis("two words", "", 1, 2), "name must be a Python identifier"),
    (lambda: Axis("a", "", 2, 1), "a: low must be below high"),
    (lambda: Axis("a", "", 1, math.inf), "both finite"),
    (lambda: Axis("a", "", math.nan, 1), "both finite"),
    (lambda: Axis("a", "", 0, 1), "a: low must be positive on a logarithmic scale, got 0"),
    (lambda: Axis("a", "", 1, 2, points=1), "a: points must be at least 2, got 1"),
    (lambda: Axis("a", "", 1, 2, scale="cubic"), "scale must be 'log' or 'linear', got 'cubic'"),
    (lambda: Slider("a", "", 1, 2, 3), r"a: initial must lie in \[1, 2\], got 3"),
    (lambda: Slider("a", "", 1, 2, math.nan), "a: initial must lie in"),
    (lambda: Slider("a", "", 1, 2, 1, steps=1), "a: steps must be at least 2, got 1"),
    (lambda: Slider("a", "", 1, 31.62, 1), "a: high must be a number of three digits, as 31.6, got 31.62"),
    (lambda: Slider("a", "", 1.001, 31.6, 2), "a: low must be a number of three digits, as 1, got 1.001"),
    (lambda: Slider("a", "", 1000, 2000, 1000, points=201), "a: three digits must tell the points apart, got 201"),
    (lambda: Choice("a", "", (1, 2), 3), r"a: initial must be one of \(1, 2\), got 3"),
    (lambda: Choice("a", "", (1, 1), 1), "all different"),
    (lambda: Choice("a", "", (1,), 1), "at least two"),
    (lambda: Choice("a b", "", (1, 2), 1), "name must be a Python identifier"),
])
def test_an_axis_that_cannot_be_says_why(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("axis", [EPSILON, DELTA, SHARE, M])
def test_the_grid_ends_where_the_axis_ends_and_positions_invert_values(axis):
    assert axis.grid[0] == axis.low and axis.grid[-1] == axis.high
    assert axis.position(axis.grid) == pytest.approx(np.arange(axis.points), abs=1e-9)
    steps = np.diff(np.log(axis.grid) if axis.scale == "log" else axis.grid)
    rounding = 0.01 if isinstance(axis, Slider) else 1e-9  # a slider's grid is one of numbers with three digits
    assert steps == pytest.approx(np.full(axis.points - 1, steps[0]), abs=rounding)
    assert axis.position(axis.high * 2) == axis.points - 1  # beyond the end, the end


def three(value: float) -> float:
    return float(f"{value:.2e}")


@given(st.floats(-6, 2), st.floats(0.3, 6), st.floats(0, 1), st.integers(2, 300))
def test_the_initial_value_of_a_slider_is_on_a_step(exponent, decades, share, steps):
    low, high = three(10.0**exponent), three(10.0 ** (exponent + decades))
    decades = math.log10(high / low)
    initial = min(max(low * (high / low) ** share, low), high)
    slider = Slider("s", "", low, high, initial, steps=steps, points=10)
    assert three(initial) in slider.stops and low in slider.stops and high in slider.stops
    whole = math.log10(initial / low) / slider.step
    assert whole == pytest.approx(round(whole), abs=1e-6)
    # about as many steps as were asked for, at least two thirds of them
    assert decades / slider.step == pytest.approx(steps, rel=0.5)


# ---- tables

def multilinear(axes, stored, values):
    """Interpolation written out: a weighted sum over the corners of the cell."""
    cells = []
    for axis in axes:
        position = float(axis.position(values[axis.name]))
        lower = min(int(position), axis.points - 2)
        cells.append(((lower, 1 - (position - lower)), (lower + 1, position - lower)))
    return sum(math.prod(weight for _, weight in corner) * float(stored[tuple(place for place, _ in corner)])
               for corner in product(*cells))


@given(st.floats(0.1, 10), st.floats(1e-8, 0.1), st.floats(-1, 1), st.sampled_from(GROUP.options), st.integers(0, 9))
def test_a_table_is_multilinear_in_the_scale_of_each_axis(epsilon, delta, share, group, seed):
    values = dict(epsilon=epsilon, delta=delta, share=share, group=group)
    axes = (EPSILON, GROUP, SHARE, DELTA)
    numbers = np.random.default_rng(seed).uniform(0.1, 10, [axis.points for axis in axes])
    linear, log = Table(axes, numbers, scale="linear"), Table(axes, numbers)
    assert linear.at(**values) == pytest.approx(multilinear(axes, numbers, values), rel=1e-5)
    assert log.at(**values) == pytest.approx(math.exp(multilinear(axes, np.log(numbers), values)), rel=1e-5)


def test_a_logarithmic_table_is_exact_for_power_laws():
    law = Table.of(lambda epsilon, m: 3 / (epsilon**1.5 * m), replace(EPSILON, points=2), replace(M, points=2))
    assert law.at(epsilon=0.37, m=4321) == pytest.approx(3 / (0.37**1.5 * 4321), rel=1e-5)


def test_a_grid_that_is_too_coarse_is_refused_with_the_place():
    with pytest.raises(ValueError, match=r"too coarse, interpolation gives .* instead of .* at epsilon = "):
        Table.of(lambda epsilon: np.exp(epsilon), replace(EPSILON, points=5))
    Table.of(lambda epsilon: np.exp(epsilon), replace(EPSILON, points=200))


@pytest.mark.parametrize(("values", "scale", "message"), [
    (np.ones(24), "log", r"table over \(epsilon\): values must have the shape \(25,\) of the axes, got \(24,\)"),
    (np.full(25, math.nan), "log", "values must be finite, got nan"),
    (np.full(25, math.inf), "linear", "values must be finite, got inf"),
    (np.zeros(25), "log", "values must be positive on a logarithmic scale, got 0"),
    (np.ones(25), "cubic", "scale must be 'log' or 'linear', got 'cubic'"),
])
def test_a_table_that_cannot_be_drawn_says_why(values, scale, message):
    with pytest.raises(ValueError, match=message):
        Table((EPSILON,), values, scale=scale)
    with pytest.raises(ValueError, match="different names"):
        Table((EPSILON, EPSILON), np.ones((25, 25)))


def test_quantities_combine_here_as_their_functions_do():
    a, b = Table.of(lambda epsilon: 2 / epsilon, EPSILON), Table.of(lambda m: m**-0.5, M)
    values = dict(epsilon=0.7, m=1234.0)
    x, y = 2 / 0.7, 1234**-0.5
    for quantity, expected in [(a * b, x * y), (3 * a, 3 * x), (a / b, x / y), (a + b, x + y), (a - 1, x - 1),
                               (quadrature(a, b, 2), math.sqrt(x * x + y * y + 4)), (largest(a, b, 1.5), x),
                               (constant(7) * b, 7 * y)]:
        assert quantity.at(**values) == pytest.approx(expected, rel=1e-5)
        assert quantity.exact(**values) == pytest.approx(expected, rel=1e-12)


# ---- numbers in words

@pytest.mark.parametrize(("value", "words"), [
    (0, "0"), (1, "1"), (0.1, "0.1"), (0.125, "0.125"), (3.730632, "3.73"), (1 / 3, "0.333"), (12345.6, "12,300"),
    (999_600, "10⁶"), (1e-5, "10⁻⁵"), (1.25e-5, "1.25 × 10⁻⁵"), (-4.2e8, "−4.2 × 10⁸"), (0.00099999, "0.001"), (-2, "−2"),
])
def test_a_number_in_words(value, words):
    assert show(value) == words.replace(" ", "\N{NO-BREAK SPACE}")


def read(words: str) -> float:
    words = words.replace("−", "-").replace(",", "").replace("\N{NO-BREAK SPACE}", " ")
    if power := re.fullmatch("(-?)(?:([0-9.]+) × )?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", words):
        sign, mantissa, exponent = power.groups()
        return float(f"{sign}{mantissa or 1}e{exponent.translate(str.maketrans('⁻⁰¹²³⁴⁵⁶⁷⁸⁹', '-0123456789'))}")
    return float(words)


@given(st.floats(1e-30, 1e30), st.integers(3, 6))
def test_words_lose_no_more_than_their_digits(value, digits):
    assert read(show(value, digits)) == pytest.approx(value, rel=0.5001 * 10.0 ** (1 - digits))


@given(st.floats(1e-30, 1e30), st.integers(1, 6))
def test_a_number_rounded_up_is_the_next_of_so_many_digits(value, digits):
    up = round_up(value, digits)
    assert up == float(f"{up:.{digits - 1}e}") and round_up(up, digits) == up  # has so many digits
    assert value * (1 - 1e-6) <= up <= value * (1 + 10.0 ** (1 - digits))
    assert show(up, max(digits, 3)) == show(round_up(up * (1 + 1e-9), digits), max(digits, 3))


@given(st.floats(-8, 3), st.floats(0.5, 12))
def test_ticks_lie_on_the_axis_and_are_few(exponent, decades):
    axis = Axis("a", "", 10.0**exponent, 10.0 ** (exponent + decades))
    values = [value for value, _ in ticks(axis)]
    assert values == sorted(set(values)) and len(values) <= 10
    assert all(axis.low * (1 - 1e-6) <= value <= axis.high * (1 + 1e-6) for value in values)
    assert len(values) >= 2 or decades < 1.1
    for value, words in ticks(axis):
        assert read(words) == pytest.approx(value, rel=1e-9)


def test_linear_ticks_are_round():
    assert [words for _, words in ticks(Axis("a", "", -0.2, 1.6, scale="linear"))] == ["0", "0.5", "1", "1.5"]
    assert ticks(Axis("a", "", 1, 2, scale="linear", points=2)) == [(1, "1"), (2, "2")]


# ---- scenes

NOISE = Table.of(lambda epsilon, delta: np.sqrt(np.log(1 / delta)) / epsilon, EPSILON, DELTA, tolerance=0.05)
LOOSE = Table((EPSILON, DELTA), NOISE.values)  # without its function, so not held against it
COARSE = Table.of(lambda epsilon: np.exp(epsilon), EPSILON, tolerance=1)
DECAY = Table.of(lambda m: 1 / np.sqrt(m), M)
LAW = Table.of(lambda epsilon, delta: delta**-0.1 / epsilon, EPSILON, DELTA)
SIGMA = Slider("sigma", "noise σ", 0.01, 100, round_up(float(LAW.at(epsilon=1, delta=1e-5))))


def some(**changes):
    """A small explorer with some arguments changed."""
    arguments = dict(
        name="some", sliders=[EPSILON, DELTA], x=M, y=Axis("error", "error", 1e-3, 10),
        curves=[Curve("private", LOOSE * DECAY), Curve("not private", DECAY, reference=True)],
        readouts=[Readout("noise", "noise", LOOSE)],
        guarantee="({epsilon}, {delta})-differential privacy for one trajectory (replace one)",
        alt="Error at ε = {epsilon}: noise {noise}.", caption="The price.") | changes
    return explore(**arguments)


@pytest.mark.parametrize(("changes", "message"), [
    (dict(name="two words"), "name must be a Python identifier, got 'two words'"),
    (dict(sliders=[]), "at least one slider and one curve"),
    (dict(curves=[]), "at least one slider and one curve"),
    (dict(sliders=[EPSILON, EPSILON, DELTA]), "some: the name 'epsilon' is given more than once"),
    (dict(readouts=[Readout("epsilon", "", LOOSE)]), "some: the name 'epsilon' is given more than once"),
    (dict(sliders=[EPSILON]), "some: a table has the axis 'delta', which is not one of epsilon"),
    (dict(sliders=[replace(EPSILON, points=30), DELTA]), "computed on another axis called 'epsilon'"),
    (dict(sliders=[EPSILON, DELTA, GROUP]), "some: the slider 'group' moves nothing in the picture"),
    (dict(readouts=[Readout("decay", "", DECAY)]), "some: a table has the axis 'm'"),
    (dict(bars=True), "some: bars or dots must stand on a linear x that is no slider, and have no band"),
    (dict(alt="No value."), "alt must name the value of a slider"),
    (dict(guarantee="Nothing is promised."), "guarantee must name the value of a slider"),
    (dict(guarantee="{rho}-zCDP"), r"guarantee names \['rho'\]"),
    (dict(budget=1000), "some: the tables must fit into 1,000 bytes, got 2,600"),
    (dict(curves=[Curve(str(k), LOOSE * DECAY) for k in range(6)]), "at most 5 curves and 2 references"),
    (dict(curves=[Curve("", LOOSE * DECAY)] + [Curve(str(k), DECAY, reference=True) for k in range(3)]),
     "at most 5 curves and 2 references"),
    (dict(sliders=[EPSILON, DELTA, SIGMA], followers=[Follower(replace(SIGMA, initial=1), LOOSE, of=(EPSILON, DELTA))]),
     "'sigma' follows or is followed, but is not a slider"),
    (dict(sliders=[EPSILON, DELTA, wrong := replace(SIGMA, initial=1.0)],
          followers=[Follower(wrong, LAW, of=(EPSILON, DELTA))]),
     "initial of 'sigma' must agree with its table, rounded up, 3.17, got 1"),
    (dict(sliders=[EPSILON, DELTA, below := replace(SIGMA, initial=3.16)],
          followers=[Follower(below, LAW, of=(EPSILON, DELTA))]), "rounded up, 3.17, got 3.16"),
    (dict(sliders=[EPSILON, DELTA, SIGMA], curves=[Curve("", DECAY * Table((SIGMA,), SIGMA.grid))],
          followers=[Follower(SIGMA, Table(LAW.axes, LAW.values), of=(EPSILON, DELTA))]), "some, 'sigma': at_most needs tables with functions"),
    (dict(sliders=[EPSILON, DELTA, bent := replace(SIGMA, initial=0.136)], curves=[Curve("", DECAY * LOOSE * Table((bent,), bent.grid))], followers=[
        Follower(bent, Table.of(lambda epsilon: np.exp(-2 / epsilon**2), EPSILON, tolerance=1), of=(EPSILON,))]),
     r"some, 'sigma': the grid is too coarse, interpolation is up to \d\.\d\d% too low"),
    (dict(readouts=[Readout("noise", "noise", LOOSE, at_most=True)]), "some, 'noise': at_most needs tables with functions"),
    (dict(readouts=[Readout("noise", "", COARSE)]), "some, 'noise': the grid is too coarse"),
    (dict(sliders=[Slider("comm", "", 1, 2, 1)], curves=[Curve("", DECAY * Table.of(
        lambda comm: comm, Slider("comm", "", 1, 2, 1)))], readouts=[], guarantee="{comm}", alt="{comm}"),
     "'comm' is already the name of a widget attribute"),
])
def test_a_scene_that_would_be_wrong_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        some(**changes)


def test_parts_that_would_be_wrong_are_refused():
    with pytest.raises(ValueError, match="a band needs both low and high"):
        Curve("half a band", LOOSE, low=LOOSE)
    with pytest.raises(ValueError, match="digits must be at least 3, got 2"):
        Readout("a", "", LOOSE, digits=2)
    with pytest.raises(ValueError, match="name must be a Python identifier"):
        Readout("a b", "", LOOSE)
    with pytest.raises(ValueError, match="derived 'beta': the axis must hold the values of its table"):
        Derived(Axis("beta", "", 1, 2), LOOSE)


def test_curves_over_a_slider_do_not_depend_on_what_follows_it():
    flat = Table.of(lambda sigma, epsilon: sigma / epsilon, SIGMA, EPSILON)
    with pytest.raises(ValueError, match="cannot be computed from 'sigma', which follows it"):
        some(sliders=[EPSILON, DELTA, SIGMA], x=EPSILON, curves=[Curve("", flat)],
             followers=[Follower(SIGMA, LAW, of=(EPSILON, DELTA))])


def test_probes_are_exact_numbers_at_places_the_keyboard_reaches():
    noise = Table.of(lambda epsilon: 1 / epsilon, EPSILON)
    beta = Axis("beta", "β", 0.01, 100, points=60)
    of_beta = Table.of(lambda beta, m: 1 / np.sqrt(1 + beta * np.sqrt(m)), beta, replace(M, points=60))
    found = some(sliders=[EPSILON, GROUP], x=replace(M, points=60), derived=[Derived(beta, noise)],
                 curves=[Curve("", of_beta * Table.of(lambda group: 1.0 * group, GROUP))],
                 readouts=[Readout("noise", "", noise)], guarantee="{epsilon}", alt="{epsilon}")
    probes = found.explorer.specification["probes"]
    assert len(probes) == 50
    for probe in probes:
        epsilon, group = probe["sliders"]["epsilon"], GROUP.options[probe["sliders"]["group"]]
        assert probe["readouts"]["noise"] == pytest.approx(1 / epsilon, rel=1e-7)
        assert probe["curves"][0] == pytest.approx(group / math.sqrt(1 + math.sqrt(probe["x"]) / epsilon), rel=1e-7)
        steps = math.log10(epsilon / EPSILON.low) / EPSILON.step
        assert steps == pytest.approx(round(steps), abs=math.log10(1.005) / EPSILON.step)
        assert epsilon == three(epsilon)
    off_grid = [abs((place := EPSILON.position(probe["sliders"]["epsilon"])) - round(place)) for probe in probes]
    assert sum(distance > 0.1 for distance in off_grid) > 20


# ---- numbers that promise

LEVELS = {  # over ε and δ, or over σ and δ; the last two are curved the other way, and end at 1
    "epsilon": lambda sigma, delta: gaussian_epsilon(delta, 3 / sigma),
    "sigma": lambda epsilon, delta: 1 / gaussian_mu(epsilon, delta),
    "share": lambda epsilon: 1 / (1 + np.exp(-epsilon)),
    "all_but": lambda delta: 1 - delta * np.sqrt(delta),
}
ROOMY = Slider("sigma", "noise σ", 0.5, 20, 4, points=49)
FINE = Slider("delta", "failure probability δ", 1e-8, 0.01, 1e-5, points=65)


@pytest.mark.parametrize("name", LEVELS)
def test_a_number_that_promises_is_never_below_its_function(name):
    """At every place that the keyboard reaches, and at every number of three digits between: the slider may follow."""
    sliders = {"epsilon": [ROOMY, FINE], "sigma": [EPSILON, FINE], "share": [EPSILON], "all_but": [replace(FINE, points=33)]}[name]
    level = Table.of(LEVELS[name], *sliders)
    scene = scene_of(some(sliders=[*sliders], curves=[Curve("", DECAY * level)], guarantee=f"{{{sliders[0].name}}}",
                          readouts=[Readout("level", "level", level, at_most=True)], alt=f"{{{sliders[0].name}}}"))
    rng = np.random.default_rng(5)
    off = {slider.name: slider.seen(slider.value(rng.uniform(0, slider.points - 1, 5000))) for slider in sliders}
    stops = dict(zip(off, map(np.ravel, np.meshgrid(*(slider.stops for slider in sliders))), strict=True))
    for values in (off, stops):
        exact = level.exact(**values)
        shown = np.array([round_up(number) for number in scene.at_most(level, values)])
        assert (shown >= exact * (1 - 2e-6)).all()
        assert (shown <= exact * (1.01 + 0.0125)).all()  # three digits, half a percent of interpolation, and the margin
        if name in ("share", "all_but"):
            assert shown.max() <= 1
    if len(sliders) == 2:
        assert np.mean([read(show(number)) for number in level.at(**off)] < level.exact(**off)) > 0.2  # which is why


def scene_of(exploration) -> Scene:
    return exploration._scene


def test_to_an_exact_table_nothing_is_added():
    law = Table.of(lambda epsilon: 10 * epsilon, EPSILON)
    assert scene_of(some(readouts=[Readout("law", "", law, at_most=True)], alt="{law}")).words("{law}") == "10"


def test_combined_and_derived_numbers_that_promise_are_not_below_either():
    beta = Axis("beta", "β", 0.01, 1000, points=61)
    of_beta = Table.of(LEVELS["sigma"], EPSILON, FINE)
    late = Table.of(lambda beta: 1 / (1 + 1 / beta) ** 2, beta)
    other = Table.of(lambda delta: np.log(3 / delta), FINE)
    ratio = largest(late, 0.5) * other / of_beta
    scene = scene_of(some(sliders=[EPSILON, FINE], derived=[Derived(beta, of_beta)], curves=[Curve("", DECAY * ratio)],
                          readouts=[Readout("ratio", "", ratio, at_most=True)], alt="{ratio}"))
    values = dict(zip(("epsilon", "delta"), map(np.ravel, np.meshgrid(EPSILON.stops, FINE.stops)), strict=True))
    exact, shown = scene.evaluate(ratio, values, exact=True), scene.at_most(ratio, values)
    assert (shown >= exact * (1 - 2e-6)).all() and (shown <= exact * 1.012).all()


def test_a_table_over_all_that_the_keyboard_reaches_needs_no_function():
    step = Slider("epsilon", "ε", 0.1, 10, 1, points=21, steps=20)
    table = Table((step, GROUP), np.random.default_rng(0).uniform(1, 2, (21, 4)))
    found = some(sliders=[step, GROUP], readouts=[Readout("level", "", table, at_most=True)], guarantee="{level}", alt="{level}",
                 curves=[Curve("", DECAY * table)])
    assert scene_of(found).raised[table] is table


# ---- widgets

def test_sliders_are_real_widgets_linked_to_the_picture_in_the_browser():
    found = some(sliders=[EPSILON, DELTA, GROUP],
                 curves=[Curve("", LOOSE * DECAY * Table.of(lambda group: 1.0 * group, GROUP))])
    assert isinstance(found.sliders["epsilon"], ipywidgets.FloatLogSlider)
    assert isinstance(found.sliders["group"], ipywidgets.SelectionSlider)
    state = embed_data(views=[found])["manager_state"]["state"]
    links = {(model["state"]["source"][0], model["state"]["source"][1], model["state"]["target"][1])
             for model in state.values() if model["model_name"] == "LinkModel"}
    for name, trait in (("epsilon", "value"), ("delta", "value"), ("group", "index")):
        assert (f"IPY_MODEL_{found.sliders[name].model_id}", trait, name) in links


def test_python_observes_what_the_browser_sets():
    found, heard = some(), []
    found.explorer.observe(lambda change: heard.append(change.new), "epsilon")
    found.explorer.set_state({"epsilon": 2.5, "epsilon_shown": "2.5"})  # as a message from the browser does
    assert heard == [2.5] and found.explorer.epsilon == 2.5


def test_tables_travel_once_in_single_precision():
    found = some()
    numbers = np.frombuffer(found.explorer.tables, dtype="<f4")
    assert len(numbers) == NOISE.values.size + DECAY.values.size  # LOOSE is in a curve and in a readout
    assert np.exp(numbers[:NOISE.values.size].astype(float)).reshape(NOISE.values.shape) == pytest.approx(NOISE.values, rel=1e-5)
    json.dumps(found.explorer.specification)


def test_bars_stand_at_the_points_of_x():
    stage = Axis("stage", "stage", 1, 5, scale="linear", points=5)
    high = Table((EPSILON, stage), np.outer(EPSILON.grid, stage.grid), scale="linear")
    made = some(sliders=[EPSILON], x=stage, bars=True, curves=[Curve("yours", high), Curve("best", Table((stage,), stage.grid), reference=True)],
                readouts=[], guarantee="{epsilon}", alt="{epsilon}")
    assert made.explorer.specification["bars"] and made.explorer.specification["samples"] == 5
    assert made._scene.samples.tolist() == [1, 2, 3, 4, 5] and "<svg" in made._repr_mimebundle_()["text/html"]


def test_dots_stand_at_the_points_of_x_and_bars_are_no_dots():
    stage = Axis("stage", "stage", 1, 5, scale="linear", points=5)
    high = Table((EPSILON, stage), np.outer(EPSILON.grid, stage.grid), scale="linear")
    options = dict(sliders=[EPSILON], x=stage, curves=[Curve("yours", high)], readouts=[], guarantee="{epsilon}", alt="{epsilon}")
    made = some(dots=True, **options)
    assert made.explorer.specification["dots"] and made.explorer.specification["samples"] == 5
    assert "<svg" in made._repr_mimebundle_()["text/html"]
    with pytest.raises(ValueError, match="bars or dots"):
        some(dots=True, bars=True, **options)


def test_the_still_picture_is_in_the_bundle_and_the_same_every_time():
    first, second = (some()._repr_mimebundle_() for _ in range(2))
    assert "application/vnd.jupyter.widget-view+json" in first
    html = first["text/html"]
    assert html == second["text/html"]
    assert html.startswith('<figure class="explorer-still"') and "<svg" in html and "</svg>" in html
    assert 'aria-label="Error at ε = 1: noise 3.39."' in html
    assert "(1, 10⁻⁵)-differential privacy for one trajectory (replace one)" in html and "The price." in html
    assert len(html) < 60_000


def test_followers_start_where_their_tables_say():
    back = Table.of(lambda sigma, delta: delta**-0.1 / sigma, SIGMA, DELTA)
    found = some(sliders=[EPSILON, DELTA, SIGMA], followers=[Follower(SIGMA, LAW, of=(EPSILON, DELTA)),
                                                             Follower(EPSILON, back, of=(SIGMA,))])
    assert found.explorer.sigma == 3.17  # no less than the power of ten with exponent 0.5
    assert [f["of"] for f in found.explorer.specification["followers"]] == [["epsilon", "delta"], ["sigma"]]


# ---- colours

def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    channels = np.array([int(colour[k:k + 2], 16) for k in (1, 3, 5)]) / 255
    return float(np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4) @ [.2126, .7152, .0722])


def contrast(one: str, other: str) -> float:
    light, dark = sorted([luminance(one), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


EXPLORER_CSS = (Path(theme.__file__).parent / "explorer" / "explorer.css").read_text()
BOOK_CSS = (Path(theme.__file__).parents[2] / "book" / "assets" / "book.css").read_text()
PAPERS = re.findall(r"--explorer-paper: (#\w{6})", EXPLORER_CSS)


@pytest.mark.parametrize("colour", [*theme.PALETTE, theme.REFERENCE])
def test_every_colour_stands_out_on_light_and_on_dark_paper(colour):
    assert len(PAPERS) == 2 and PAPERS == re.findall(r"--book-paper: (#\w{6})", BOOK_CSS)
    for paper in PAPERS:
        assert contrast(colour, paper) >= 3


def test_words_stand_out_on_their_paper():
    for sheet, prefix in ((EXPLORER_CSS, "explorer"), (BOOK_CSS, "book")):
        for ink in ("ink", "soft"):
            for tone, paper in zip(re.findall(rf"--{prefix}-{ink}: (#\w{{6}})", sheet), PAPERS, strict=True):
                assert contrast(tone, paper) >= 4.5
    for tone in ("blue", "red", "green", "violet"):  # links and titles, on the tint of a box
        tints = re.findall(r"--book-tint: (#\w{6})", BOOK_CSS)
        for colour, tint in zip(re.findall(rf"--book-{tone}: (#\w{{6}})", BOOK_CSS), tints, strict=True):
            assert contrast(colour, tint) >= 4.5


# Machado, Oliveira & Fernandes (2009), severity 1: protanopia, deuteranopia, tritanopia
BLINDNESS = [np.eye(3)] + [np.array(matrix).reshape(3, 3) for matrix in (
    [.152286, 1.052583, -.204868, .114503, .786281, .099216, -.003882, -.048116, 1.051998],
    [.367322, .860646, -.227968, .280085, .672501, .047413, -.011820, .042940, .968881],
    [1.255528, -.076749, -.178779, -.078411, .930809, .147602, .004733, .691367, .303900])]


def lab(colour: str, vision: np.ndarray) -> np.ndarray:
    channels = np.array([int(colour[k:k + 2], 16) for k in (1, 3, 5)]) / 255
    linear = np.clip(vision @ np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4), 0, 1)
    x, y, z = np.array([[.4124, .3576, .1805], [.2126, .7152, .0722], [.0193, .1192, .9505]]) @ linear / [.9505, 1, 1.089]
    x, y, z = (np.cbrt(v) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("vision", range(4), ids=["normal", "protan", "deutan", "tritan"])
def test_no_two_colours_look_the_same_to_anybody(vision):
    for one, other in combinations(theme.PALETTE, 2):
        assert np.linalg.norm(lab(one, BLINDNESS[vision]) - lab(other, BLINDNESS[vision])) > 15
    assert len(set(theme.DASHES)) == len(theme.PALETTE)  # and dashes tell the same
