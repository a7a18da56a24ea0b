"""Executed notebooks as they should not be, each with what `check` says; and what `slim` leaves of one."""

import copy

import games
import ipywidgets
import nbformat
import pytest
from ipywidgets import Button, FloatSlider, HBox, Label, Output, Tab, Widget, dlink, interactive, jsdlink, jslink
from widget_state import FRONT_ENDS, STATE, VIEW, check, models, slim

from privrl_core.pages.explorer import Axis, Curve, Slider, Table, explore


@pytest.fixture(autouse=True)
def only_widgets_of_this_test():
    Widget.close_all()
    yield
    Widget.close_all()


def executed(*shown: Widget, outputs=()) -> nbformat.NotebookNode:
    """A notebook as it is after it has run: a cell for each widget that it shows, and the state of all there are."""
    displayed = [nbformat.v4.new_output("display_data", data={
        VIEW: {"version_major": 2, "version_minor": 0, "model_id": widget.model_id},
        **{kind: text for kind, text in widget._repr_mimebundle_().items() if kind == "text/html"}}) for widget in shown]
    state = nbformat.from_dict(Widget.get_manager_state(drop_defaults=False))
    notebook = nbformat.v4.new_notebook(metadata={"widgets": {STATE: state}})
    notebook.cells = [nbformat.v4.new_code_cell("", outputs=[output], execution_count=1)
                      for output in [*displayed, *outputs]]
    return notebook


def alive() -> Widget:
    epsilon = Slider("epsilon", "ε", 0.1, 10, 1)
    noise = Table.of(lambda epsilon: 1 / epsilon, epsilon)
    return explore(name="alive", sliders=[epsilon], x=epsilon, y=Axis("noise", "noise", 0.1, 10),
                   curves=[Curve("noise", noise)], guarantee="{epsilon}-differential privacy for one record (replace one)",
                   alt="Noise at ε = {epsilon}.", caption="Noise.")


def linked(link=jslink) -> Widget:
    slider, words = FloatSlider(description="linked"), Label()
    link((slider, "value"), (words, "value"))
    return HBox([slider, words])


def test_what_is_alive_passes():
    slider, tab = FloatSlider(description="turns the page"), Tab([Label("one"), Label("two")])
    jslink((slider, "value"), (tab, "selected_index"))
    assert check(executed(alive(), linked(), linked(jsdlink), slider, tab, Label("words"))) == []
    assert check(nbformat.v4.new_notebook()) == []


def chained() -> Widget:
    first, second, words = FloatSlider(description="first"), FloatSlider(description="second"), Label()
    jslink((first, "value"), (second, "value"))
    jslink((second, "value"), (words, "value"))
    return HBox([first, second, words])


def test_a_link_may_lead_through_another_slider():
    assert check(executed(chained())) == []


def only_observed() -> Widget:
    slider = FloatSlider(description="observed")
    slider.observe(print, "value")
    return slider


def only_linked_in_python() -> Widget:
    slider, words = FloatSlider(description="python"), FloatSlider()
    dlink((slider, "value"), (words, "value"))
    return slider


def linked_to_what_is_not_shown() -> Widget:
    slider = FloatSlider(description="hidden end")
    jslink((slider, "value"), (Label(), "value"))
    return slider


def only_each_other() -> Widget:
    one, other = FloatSlider(description="one"), FloatSlider(description="other")
    jslink((one, "value"), (other, "value"))
    return HBox([one, other])


def wrong_way() -> Widget:
    slider, words = FloatSlider(description="only told"), Label("1")
    jsdlink((words, "value"), (slider, "value"))
    return HBox([slider, words])


@pytest.mark.parametrize(("make", "label"), [
    (only_observed, "observed"), (only_linked_in_python, "python"), (linked_to_what_is_not_shown, "hidden end"),
    (only_each_other, "one"), (only_each_other, "other"), (wrong_way, "only told"), (lambda: Button(description="Go"), "Go"),
    (lambda: Tab([FloatSlider(description="inside")]), "inside"),
])
def test_what_is_dead_without_a_kernel_is_named(make, label):
    problems = check(executed(make()))
    assert f"{label!r} is dead without a kernel: no jslink leads from it to anything that draws" in problems


def test_interact_and_output_are_refused():
    for widget in (interactive(lambda x: x, x=(0, 10)), Output()):
        assert any("Output widget" in problem for problem in check(executed(widget)))


def test_errors_are_found_wherever_they_hide():
    failed = nbformat.v4.new_output("error", ename="ValueError", evalue="no", traceback=[])
    printed = nbformat.v4.new_output("stream", name="stderr", text="Traceback (most recent call last):\n  ...")
    assert check(executed(outputs=[failed])) == ["cell 1: ValueError: no"]
    assert check(executed(linked(), outputs=[printed])) == ["cell 2: a traceback in stderr"]
    words = ipywidgets.HTML("Traceback (most recent call last): ...")
    assert check(executed(words)) == ["HTMLModel: a traceback in its state"]


def test_a_view_without_state_and_a_link_to_nothing_are_found():
    notebook = executed(linked())
    notebook.metadata["widgets"][STATE]["state"] = {}
    assert check(notebook) == ["cell 1: a widget is shown, and its state was not stored"]
    notebook = executed(linked())
    link = next(model for model in models(notebook).values() if model["model_name"] == "LinkModel")
    link["state"]["target"][1] = "no_such_trait"
    assert check(notebook) == ["LinkModel: linked to 'no_such_trait', which that widget does not have"]


def test_what_the_script_of_the_pages_cannot_draw_is_refused():
    notebook = executed(linked())
    next(iter(models(notebook).values()))["model_module"] = "bqplot"
    assert any("of bqplot: the script of the pages cannot draw it" in problem for problem in check(notebook))


def test_slim_leaves_one_line_of_the_front_end_and_gives_the_still_picture_an_output_of_its_own():
    notebook = executed(alive(), linked())
    before = copy.deepcopy(notebook)
    slim(notebook)
    stored = [model["state"] for model in models(notebook).values() if model["model_module"] == "anywidget"]
    assert [state["_esm"] for state in stored] == [FRONT_ENDS["privrl_core.pages.explorer."]] and "_css" not in stored[0]
    widget, still = notebook.cells[0].outputs
    assert VIEW in widget.data and "text/html" not in widget.data
    assert list(still.data) == ["text/html"] and still.data["text/html"].startswith('<figure class="explorer-still"')
    assert len(notebook.cells[1].outputs) == 1
    assert len(nbformat.writes(notebook)) < len(nbformat.writes(before)) - 200_000
    assert check(notebook) == []
    again = copy.deepcopy(notebook)
    slim(again)
    assert again == notebook
    nbformat.validate(notebook)


@pytest.mark.parametrize("make, module", [(games.one_number, "game"), (games.hospital, "hospital")])
def test_slim_leaves_one_line_of_the_front_end_of_a_game_too(make, module):
    notebook = executed(make())
    assert check(notebook) == []
    slim(notebook)
    [state] = [model["state"] for model in models(notebook).values() if model["model_module"] == "anywidget"]
    assert state["_esm"] == FRONT_ENDS[f"privrl_core.pages.{module}."] and "_css" not in state
    widget, still = notebook.cells[0].outputs
    assert VIEW in widget.data and still.data["text/html"].startswith('<figure class="game-still"')


def test_slim_keeps_what_a_slider_was_given():
    slider = FloatSlider(value=3, step=None, description="kept")
    notebook = executed(slider)
    slim(notebook)
    state = models(notebook)[slider.model_id]["state"]
    assert state["value"] == 3 and state["step"] is None
