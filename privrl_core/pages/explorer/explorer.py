r"""Sliders that control a picture, in JupyterLab and in pages without a kernel or network.

Everything is computed once, here, and stored in tables; the page looks values up and draws::

    epsilon = Slider("epsilon", "privacy loss ε", 0.1, 10, 1)
    delta = Slider("delta", "failure probability δ", 1e-8, 0.1, 1e-5)
    noise = Table.of(lambda epsilon, delta: 1 / gaussian_mu(epsilon, delta), epsilon, delta)
    explore(name="gaussian_noise", sliders=[epsilon, delta], x=epsilon,
            y=Axis("noise", "standard deviation of the noise", 0.1, 100),
            curves=[Curve("Gaussian mechanism", noise)],
            readouts=[Readout("sigma", "Noise for a query of sensitivity 1", noise, at_most=True)],
            guarantee="({epsilon}, {delta})-differential privacy for one record (replace one), proved",
            alt="Noise against ε at δ = {delta}: {sigma} at ε = {epsilon}.",
            caption="The noise that the Gaussian mechanism needs.")
"""

from collections.abc import Sequence
from html import escape
from pathlib import Path

import numpy as np

from privrl_core.formatting import show
from privrl_core.lazy import needs
from privrl_core.pages.explorer.scene import Curve, Derived, Follower, Readout, Scene
from privrl_core.pages.explorer.tables import Axis, Choice, Slider

with needs("pages"):
    import anywidget
    import ipywidgets
    import traitlets

__all__ = ["Explorer", "Exploration", "explore"]

HERE = Path(__file__).parent
LONG = 16  # characters: an option of more does not fit beside its label


class Explorer(anywidget.AnyWidget):
    """The picture and the text below it, drawn in the browser.

    For each slider there is a trait to observe and to set, its value, of which three digits count, or the index of the
    option of a `Choice`, and a trait ``<name>_shown``, the same as text. The browser moves followers, so their changes
    come from there.
    """

    _esm = HERE / "explorer.js"
    _css = HERE / "explorer.css"
    specification = traitlets.Dict().tag(sync=True)
    tables = traitlets.Bytes().tag(sync=True)

    def __init__(self, scene: Scene):
        values = {}
        for slider in scene.sliders:
            choice = isinstance(slider, Choice)
            values[slider.name] = (traitlets.Int(slider.options.index(slider.initial)) if choice
                                   else traitlets.Float(slider.initial)).tag(sync=True)
            values[f"{slider.name}_shown"] = traitlets.Unicode(
                str(slider.initial) if choice else show(slider.initial)).tag(sync=True)
        if taken := [name for name in values if hasattr(self, name)]:
            raise ValueError(f"{scene.name}: {taken[0]!r} is already the name of a widget attribute")
        self.add_traits(**values)
        super().__init__(specification=scene.specification(),
                         tables=b"".join(table.stored.astype("<f4").tobytes() for table in scene.tables))


class Exploration(ipywidgets.VBox):
    """Sliders, and the `Explorer` that they are linked to in the browser, as returned by `explore`.

    Attributes: ``explorer``, and ``sliders``, a dictionary of the widgets by name.
    """

    def __init__(self, scene: Scene):
        self._scene = scene
        self.explorer = Explorer(scene)
        self.sliders = {slider.name: _widget(slider) for slider in scene.sliders}
        layout, style = ipywidgets.Layout(), ipywidgets.Label().style  # shared, to keep the state of a page small
        cells = []
        for slider in scene.sliders:
            widget, shown = self.sliders[slider.name], ipywidgets.Label(layout=layout, style=style, tooltip="")
            ipywidgets.jslink((widget, "index" if isinstance(slider, Choice) else "value"), (self.explorer, slider.name))
            ipywidgets.jslink((self.explorer, f"{slider.name}_shown"), (shown, "value"))
            shown.value = getattr(self.explorer, f"{slider.name}_shown")
            ends = ipywidgets.HTML(f"<span>{escape(slider.low_end)}</span><span>{escape(slider.high_end)}</span>",
                                   layout=layout, tooltip="")
            shown.add_class("explorer-shown")
            ends.add_class("explorer-ends")
            cell = ipywidgets.Box([widget, shown, ends], layout=layout)
            cell.add_class("explorer-slider")
            if isinstance(slider, Choice) and max(len(str(option)) for option in slider.options) > LONG:
                cell.add_class("explorer-long")
            cells.append(cell)
        controls = ipywidgets.Box(cells, layout=layout)
        controls.add_class("explorer-sliders")
        super().__init__([controls, self.explorer], layout=layout)
        self.add_class("explorer")

    def __repr__(self) -> str:
        return f"<Exploration {self._scene.name!r}: {', '.join(self.sliders)}>"

    def _repr_mimebundle_(self, **kwargs):
        """The widget, and a static picture for readers without JavaScript."""
        from privrl_core.pages.explorer.still import still

        return super()._repr_mimebundle_(**kwargs) | {"text/plain": repr(self), "text/html": still(self._scene)}


def _widget(slider: Slider | Choice) -> ipywidgets.Widget:
    # without an explicit tooltip, widgets in a page show "null"
    if isinstance(slider, Choice):
        return ipywidgets.SelectionSlider(options=[str(option) for option in slider.options], value=str(slider.initial),
                                          description=slider.label, readout=False, tooltip="")
    if slider.scale == "log":
        return ipywidgets.FloatLogSlider(value=slider.initial, base=10, min=np.log10(slider.low),
                                         max=np.log10(slider.high), step=slider.step, description=slider.label,
                                         readout=False, tooltip="")
    return ipywidgets.FloatSlider(value=slider.initial, min=slider.low, max=slider.high, step=slider.step,
                                  description=slider.label, readout=False, tooltip="")


def explore(*, name: str, sliders: Sequence[Slider | Choice], x: Axis, y: Axis, curves: Sequence[Curve],
            readouts: Sequence[Readout] = (), followers: Sequence[Follower] = (), derived: Sequence[Derived] = (),
            guarantee: str, alt: str, caption: str, bars: bool = False, dots: bool = False,
            budget: int = 200_000) -> Exploration:
    """Sliders above a picture of ``curves`` over ``x``, with the numbers and the guarantee in words below it.

    ``x`` may be one of the sliders: then a line marks its position, and each curve shows its value there.
    With ``bars`` the curves are bars at the points of x, and references are the places of their tops.
    With ``dots`` they are dots there, and a value below the picture is not there yet: a dash in the table.
    ``y`` is the fixed range of the picture; the page says when a curve leaves it. ``guarantee``, ``alt`` (a
    text alternative to the picture) and ``caption`` may name sliders and readouts in braces:
    ``"({epsilon}, {delta})-differential privacy for one trajectory (replace one)"``.

    Raises ValueError for duplicate or unknown names, tables on another grid, sliders without effect,
    interpolation errors of more than half a percent, and tables of more than ``budget`` bytes.
    """
    scene = Scene(name=name, sliders=tuple(sliders), x=x, y=y, curves=tuple(curves), readouts=tuple(readouts),
                  followers=tuple(followers), derived=tuple(derived), guarantee=guarantee, alt=alt, caption=caption,
                  bars=bars, dots=dots)
    size = sum(table.stored.nbytes for table in scene.tables)
    if size > budget:
        raise ValueError(f"{name}: the tables must fit into {budget:,} bytes, got {size:,};"
                         f" fewer points, or a product of smaller tables")
    return Exploration(scene)
