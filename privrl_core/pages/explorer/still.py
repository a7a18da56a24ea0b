"""The picture of an explorer at its initial position, for print and for readers without JavaScript."""

import io
import re
from html import escape

import numpy as np

from privrl_core.lazy import needs
from privrl_core.pages.explorer.scene import Scene
from privrl_core.pages.explorer.tables import ticks

__all__ = ["still"]


def still(scene: Scene) -> str:
    """A figure in HTML: the curves as SVG, from the same tables as the page, and the text below."""
    readings = [f"{axis.label}: {scene.words(f'{{{axis.name}}}')}" for axis in scene.sliders]
    readings += [f"{r.label}: {scene.words(f'{{{r.name}}}')}{' ' * bool(r.unit)}{r.unit}" for r in scene.readouts]
    return (f'<figure class="explorer-still" role="group" aria-label="{escape(scene.words(scene.alt))}">'
            f"{_svg(scene)}<figcaption><p>{escape(scene.words(scene.caption))}</p>"
            f'<p class="explorer-readings">{escape("; ".join(readings))}</p>'
            f'<p class="explorer-guarantee">{escape(scene.words(scene.guarantee))}</p></figcaption></figure>')


def _svg(scene: Scene) -> str:
    with needs("pages"):
        from matplotlib import rc_context
        from matplotlib.figure import Figure

    # text stays text, in the reader's own font, which keeps the file small
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": scene.name, "font.size": 10, "font.family": "sans-serif"}):
        figure = Figure(figsize=(6.8, 4), layout="constrained")
        axes = figure.add_subplot()
        values = scene.initial | {scene.x.name: scene.samples}
        for curve, (colour, dash) in zip(scene.curves, scene.style, strict=True):
            drawn = [np.broadcast_to(scene.evaluate(q, values), scene.samples.shape) for q in curve.quantities]
            if scene.bars:
                cell, look = scene.samples[1] - scene.samples[0], {"color": colour, "label": curve.label}
                if curve.reference:
                    axes.hlines(drawn[0], scene.samples - 0.4 * cell, scene.samples + 0.4 * cell, linewidth=3, **look)
                else:
                    axes.bar(scene.samples, drawn[0] - scene.y.low, 0.6 * cell, bottom=scene.y.low, **look)
                continue
            if scene.dots and not curve.reference:
                there = drawn[0] >= scene.y.low
                axes.plot(scene.samples[there], drawn[0][there], "o", color=colour, label=curve.label)
                continue
            axes.plot(scene.samples, drawn[0], color=colour, linewidth=2.5 if curve.reference else 2, label=curve.label,
                      linestyle=(0, tuple(length / 2 for length in dash)) if dash else "-",
                      dash_capstyle="round" if curve.reference else "butt")
            if curve.low is not None:
                axes.fill_between(scene.samples, drawn[1], drawn[2], color=colour, alpha=0.18, linewidth=0)
        if scene.x.name in scene.initial:
            axes.axvline(scene.initial[scene.x.name], color="#4a5058", linewidth=1)
        axes.set(xscale=scene.x.scale, yscale=scene.y.scale, xlabel=scene.x.label, ylabel=scene.y.label)
        for axis, line in ((scene.x, axes.xaxis), (scene.y, axes.yaxis)):
            line.set_ticks(*zip(*ticks(axis), strict=True))
            line.set_ticks([], minor=True)
        half = (scene.samples[1] - scene.samples[0]) / 2 if scene.bars or scene.dots else 0
        axes.set(xlim=(scene.x.low - half, scene.x.high + half), ylim=(scene.y.low, scene.y.high))
        axes.grid(color="#dfe3e8", linewidth=0.7)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, borderaxespad=0)
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    svg = file.getvalue()
    svg = re.sub(r'width="[\d.]+pt" height="[\d.]+pt"', 'role="presentation"', svg[svg.index("<svg"):], count=1)
    svg = re.sub(r"font: ([\d.]+px) [^;]*", r"font-size: \1", svg)  # the font of the page
    return re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", svg)

