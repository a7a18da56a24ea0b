"""One look for every figure: five colours that all readers can tell apart, on white and on black paper.

The first, second, third and fifth are from the palette of Okabe & Ito (2008); the fourth is as far from them
as possible under normal vision and under each kind of colour blindness. Each has a contrast of at least 3 to 1
(WCAG 2.2, 1.4.11) against the pages in their light and their dark theme, so that one palette serves both.
The dashes of a line carry the same information as its colour.
"""

import io
import re

from privrl_core.lazy import needs

__all__ = ["PALETTE", "DASHES", "REFERENCE", "REFERENCE_DASHES", "use_theme", "as_svg"]

#: The colours of curves, in their order.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#9346db", "#cc79a7")

#: The dash patterns of curves, in their order: lengths of stroke and gap, in points; () is a solid line.
DASHES = ((), (7, 3), (2, 2), (9, 3, 2, 3), (5, 2))

#: The colour of non-private reference curves ...
REFERENCE = "#767676"
#: ... and its dashes: beads, and strokes between dots, with round ends.
REFERENCE_DASHES = ((1.5, 4), (7, 4, 0.5, 4))


def use_theme():
    """Set the palette, fonts and line styles of the book for matplotlib, and so for seaborn.

    The rest is seaborn's style *ticks*, written out, because importing seaborn for it takes a second of each notebook.
    """
    with needs("pages"):
        import matplotlib

    matplotlib.rcParams.update({
        "axes.axisbelow": True,
        "axes.edgecolor": "#4a5058",
        "axes.grid": True,
        "axes.labelcolor": "#22272e",
        "axes.labelsize": 10.5,
        "axes.linewidth": 1.25,
        "axes.prop_cycle": matplotlib.cycler(color=PALETTE),
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlelocation": "left",
        "axes.titlesize": 11,
        "axes.titleweight": "bold",
        "figure.constrained_layout.use": True,
        "figure.dpi": 110,
        "figure.figsize": (6.8, 4.0),
        "font.sans-serif": ["Arial", "DejaVu Sans", "Liberation Sans", "Bitstream Vera Sans", "sans-serif"],
        "font.size": 10,
        "grid.color": "#dfe3e8",
        "grid.linewidth": 0.7,
        "legend.fontsize": 9.5,
        "legend.frameon": False,
        "legend.title_fontsize": 12,
        "lines.linewidth": 2,
        "lines.solid_capstyle": "round",
        "patch.edgecolor": "w",
        "patch.force_edgecolor": True,
        "savefig.bbox": "tight",
        "svg.hashsalt": "privrl",  # identical bytes in every build
        "text.color": ".15",
    })
    for axis in ("xtick", "ytick"):
        matplotlib.rc(axis, color="#4a5058", labelsize=9.5)
        matplotlib.rc(f"{axis}.major", size=6, width=1.25)
        matplotlib.rc(f"{axis}.minor", size=4, width=1)


def as_svg(figure) -> str:
    """A matplotlib figure as an SVG element without a size, in the type of the page and with two decimals."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    svg = file.getvalue()
    svg = re.sub(r'width="[\d.]+pt" height="[\d.]+pt"', 'role="presentation"', svg[svg.index("<svg"):], count=1)
    svg = re.sub(r"font: ([\d.]+px) [^;]*", r"font-size: \1", svg)
    return re.sub(r"\d+\.\d{3,}", lambda found: f"{float(found[0]):.2f}", svg)
