r"""The reader as attacker: a coin, a release, a bet, and the score beside that of the best possible attacker."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from privrl_core.checks import whole_number
from privrl_core.lazy import needs
from privrl_core.pages.game.levels import Draws, Exact, Noisy
from privrl_core.pages.game.pictures import Curve, Number, Stems, Subtract, Walk, World
from privrl_core.pages.game.table import Dial, Table

with needs("pages"):
    import anywidget
    import traitlets

__all__ = ["Game", "play"]

HERE = Path(__file__).parent


class Game(anywidget.AnyWidget):
    """What `play` returns: drawn and played in the browser, with no kernel and no network."""

    _esm = HERE / "game.js"
    _css = HERE / "game.css"
    specification = traitlets.Dict().tag(sync=True)
    tables = traitlets.Bytes().tag(sync=True)
    paths = traitlets.Bytes().tag(sync=True)

    def __init__(self, table: Table):
        self._table = table
        specification, tables = table.packed
        super().__init__(specification=specification, tables=tables,
                         paths=b"" if table.walk is None else table.walk.paths.tobytes())

    def __repr__(self) -> str:
        return f"<Game {self._table.name!r}: {', '.join(level.label for level in self._table.levels)}>"

    def _repr_mimebundle_(self, **kwargs):
        """The widget, and a still picture for where no script runs."""
        from privrl_core.pages.game.still import still

        data, _ = super()._repr_mimebundle_(**kwargs)
        return data | {"text/plain": repr(self), "text/html": still(self._table)}


def play(*, name: str, question: str, worlds: Sequence[World], picture: Curve | Stems | Number,
         levels: Sequence[Exact | Noisy | Draws], noise: np.ndarray | None = None, known: np.ndarray | None = None,
         per: float = 1.0, subtract: Subtract | None = None, dial: Dial | None = None, stages: Sequence[str] = ("rounds",),
         initial: int = 0, rounds: int = 10, publish: str = "Publish", player: str = "attacker",
         best: str = "best possible attacker", names: bool = False, expects: bool = False, walk: Walk | None = None,
         caption: str, alt: str, budget: int = 115_000) -> Game:
    r"""A game: publish, bet, see; the best possible score is told when the rounds are over.

    A coin picks one of the two ``worlds``, the first *in* and blue, the second *out* and orange. At the ``levels`` of the
    noise (one, or several with a ``dial``) the release is ``known`` + the mean of the world + the scale times ``noise``, all
    divided by ``per``, or one of the stored `Draws`. ``known[K, d]`` is what the attacker knows of K studies, of which each
    round takes one; ``subtract`` lets the reader take it away. ``noise`` is a run of draws of one unit of noise, made in
    Python by the sampler of the mechanism; the browser deals them out like cards, and shuffles when none is left.

    ``stages`` are some of "rounds", "dial" and "piles", in this order: the game begins with the first and goes on to the
    next when the reader does. At the piles every round falls on one of two heaps, a line can be moved, and with ``names``
    the height of one over the other gets its name ε, and what sticks out its name δ. Where that is the whole game, there
    is no line. With ``expects`` the reader says beforehand how many of the ``rounds`` will be right. ``player`` is what
    the reader plays: the button offers that the best attacker, or the best statistician, plays the rest. ``best`` says
    whose score the ceiling is, where some attackers know more than the releases are drawn for. ``initial`` is the level
    with which the game begins, and that of the still picture. ``alt`` is one sentence on what the picture shows, also for
    print.

    Raises ValueError for what cannot be drawn, for ceilings that the draws contradict, for noise of another scale, and for
    more than ``budget`` bytes.
    """
    table = Table(name=name, question=question, worlds=worlds, picture=picture, levels=levels, noise=noise, known=known,
                  per=per, subtract=subtract, dial=dial, stages=stages, initial=initial, rounds=rounds, publish=publish,
                  player=player, best=best, names=names, expects=expects, walk=walk, caption=caption, alt=alt)
    size = len(table.packed[1]) + (0 if walk is None else walk.paths.size)
    if size > whole_number("budget", budget, least=1):
        raise ValueError(f"{name}: the draws must fit into {budget:,} bytes, got {size:,}; fewer of them, or levels that"
                         f" share their noise")
    return Game(table)
