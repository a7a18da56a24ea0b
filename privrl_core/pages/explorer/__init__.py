"""Sliders for the pages of the book, and the tables of values behind them."""

from privrl_core.formatting import round_up, show
from privrl_core.pages.explorer.explorer import Exploration, Explorer, explore
from privrl_core.pages.explorer.scene import Curve, Derived, Follower, Readout
from privrl_core.pages.explorer.tables import Axis, Choice, Quantity, Slider, Table, constant, largest, quadrature

__all__ = ["Axis", "Choice", "Curve", "Derived", "Exploration", "Explorer", "Follower", "Quantity", "Readout",
           "Slider", "Table", "constant", "explore", "largest", "quadrature", "round_up", "show"]
