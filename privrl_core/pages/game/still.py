"""The picture of a game for print and for where no script runs: one release, and what the best attacker gets."""

from html import escape

import numpy as np

from privrl_core.lazy import needs
from privrl_core.pages.game.table import Table
from privrl_core.pages.theme import as_svg

__all__ = ["still", "odds"]

COLOURS = ("#0072b2", "#d55e00")


def odds(ceiling: float) -> str:
    """54 in 100; one digit more where whole numbers would hide a difference from a coin or from certainty."""
    percent = 100 * ceiling
    return f"{percent:.0f} in 100" if 52 <= percent < 99 or percent > 99.95 or percent == 50 else f"{percent:.1f} in 100"


def still(table: Table) -> str:
    """A figure in HTML: one release of each world as SVG, and the best possible score at each level in words."""
    best = "; ".join(f"{level.label}: {odds(level.ceiling)}" for level in table.levels)
    return (f'<figure class="game-still" role="group" aria-label="{escape(table.alt)}">{_svg(table)}<figcaption>'
            f"<p><strong>{escape(table.question)}</strong> {escape(table.alt)}</p>"
            f"<p>The {escape(table.best)} guesses right as follows. {escape(best)}.</p></figcaption></figure>")


def _svg(table: Table) -> str:
    with needs("pages"):
        from matplotlib import rc_context
        from matplotlib.figure import Figure

    level = table.levels[table.initial]
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": table.name, "font.size": 10, "font.family": "sans-serif"}):
        figure = Figure(figsize=(6.8, 3.2), layout="constrained")
        axes = figure.add_subplot()
        shown = [_release(table, level, world) for world in (0, 1)]
        x = table.picture.first + np.arange(table.d)
        for world, values in enumerate(shown):
            look = {"color": COLOURS[world], "label": table.worlds[world].name}
            if table.picture.kind == "curve":
                axes.plot(x, values, linewidth=2, linestyle=("-", (0, (3, 2)))[world], **look)
            elif table.picture.kind == "stems":
                axes.vlines(x + 0.3 * world, 0, values, color=COLOURS[world], linewidth=1.5)
                axes.plot(x + 0.3 * world, values, "os"[world], markersize=4, **look)
            else:
                axes.plot(values, [1 - world], "os"[world], markersize=9, **look)
        if table.picture.kind == "number":
            axes.set(xlabel=table.picture.y, xlim=table.axis(level), ylim=(-1, 2), yticks=[])
        else:
            axes.set(xlabel=table.picture.x, ylabel=table.picture.y, ylim=table.axis(level))
            if table.picture.values:
                axes.set_yticks(*zip(*table.picture.values))
        axes.set_title(f"{table.picture.title} ({level.label})", loc="left", fontsize=10, fontweight="bold")
        axes.grid(color="#dfe3e8", linewidth=0.7)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, loc="best")
        return as_svg(figure)


def _release(table: Table, level, world: int) -> np.ndarray:
    """The first stored draw of a world, as it would be published."""
    if level.kind == "draws":
        return level.values[world, 0]
    base = 0 if table.known is None else table.known[0]
    if level.kind == "exact":
        return np.round((base + level.means[world]) / table.per, level.decimals)
    noise = table.noise[world * table.d:(world + 1) * table.d]
    return (base + level.worlds.means[world] + level.worlds.scales[world] * noise) / table.per


