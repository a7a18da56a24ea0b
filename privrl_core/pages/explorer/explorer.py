r"""Sliders that move a picture: in JupyterLab, and in a page with no kernel and no network.

Everything is computed here, once, into tables; the page looks up and draws::

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


class Explorer(anywidget.AnyWidget):
    """The picture and the words below it, drawn in the browser.

    It has a trait for each slider (the place of its handle, of which three digits count; for a `Choice` the place of
    the option), to observe and to set, and ``<name>_shown``, the same in words. A follower is moved by the browser, so
    Python hears of it there.
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
            raise ValueError(f"{scene.name}: {taken[0]!r} is a name that a widget has already")
        self.add_traits(**values)
        super().__init__(specification=scene.specification(),
                         tables=b"".join(table.stored.astype("<f4").tobytes() for table in scene.tables))


class Exploration(ipywidgets.VBox):
    """Sliders, and the `Explorer` that they are linked to in the browser; what `explore` returns.

    Attributes: ``explorer``, and ``sliders``, a dictionary of the widgets by name.
    """

    def __init__(self, scene: Scene):
        self._scene = scene
        self.explorer = Explorer(scene)
        self.sliders = {slider.name: _widget(slider) for slider in scene.sliders}
        layout, style = ipywidgets.Layout(), ipywidgets.Label().style  # shared: the state of a page is long enough
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
            cells.append(cell)
        controls = ipywidgets.Box(cells, layout=layout)
        controls.add_class("explorer-sliders")
        super().__init__([controls, self.explorer], layout=layout)
        self.add_class("explorer")

    def __repr__(self) -> str:
        return f"<Exploration {self._scene.name!r}: {', '.join(self.sliders)}>"

    def _repr_mimebundle_(self, **kwargs):
        """The widget, and a still picture for where no script runs."""
        from privrl_core.pages.explorer.still import still

        return super()._repr_mimebundle_(**kwargs) | {"text/plain": repr(self), "text/html": still(self._scene)}


def _widget(slider: Slider | Choice) -> ipywidgets.Widget:
    # without a tooltip of their own, widgets in a page say "null"
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
            guarantee: str, alt: str, caption: str, budget: int = 200_000) -> Exploration:
    """Sliders above a picture of ``curves`` over ``x``, and below it the numbers and the guarantee in words.

    ``x`` may be one of the sliders: then a line marks where it stands, and each curve tells its value there.
    ``y`` is the fixed range of the picture; a curve that leaves it is said to. ``guarantee``, ``alt`` (what
    the picture shows, for those who cannot see it) and ``caption`` may name sliders and readouts in braces:
    ``"({epsilon}, {delta})-differential privacy for one trajectory (replace one)"``.

    Raises ValueError for names given twice or unknown, tables on another grid, sliders that move nothing,
    interpolation off by more than half a percent, and tables of more than ``budget`` bytes.
    """
    scene = Scene(name=name, sliders=tuple(sliders), x=x, y=y, curves=tuple(curves), readouts=tuple(readouts),
                  followers=tuple(followers), derived=tuple(derived), guarantee=guarantee, alt=alt, caption=caption)
    size = sum(table.stored.nbytes for table in scene.tables)
    if size > budget:
        raise ValueError(f"{name}: the tables must fit into {budget:,} bytes, got {size:,};"
                         f" fewer points, or a product of smaller tables")
    return Exploration(scene)
