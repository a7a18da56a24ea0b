"""The game of the pages: the reader is the attacker, and plays against what a mechanism published."""

from privrl_core.pages.game.game import Game, play
from privrl_core.pages.game.levels import Draws, Exact, Noisy
from privrl_core.pages.game.pictures import Beside, Curve, Number, Stems, Subtract, Walk, World
from privrl_core.pages.game.table import Dial

__all__ = ["Beside", "Curve", "Dial", "Draws", "Exact", "Game", "Noisy", "Number", "Stems", "Subtract", "Walk",
           "World", "play"]
