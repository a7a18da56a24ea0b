"""Sliders for the pages of the book, and the tables they look up."""

from privrl_core.explorer.explorer import Exploration, Explorer, explore
from privrl_core.explorer.scene import Curve, Derived, Follower, Readout
from privrl_core.explorer.tables import Axis, Choice, Quantity, Slider, Table, constant, largest, quadrature
from privrl_core.words import round_up, show

__all__ = ["Axis", "Choice", "Curve", "Derived", "Exploration", "Explorer", "Follower", "Quantity", "Readout",
           "Slider", "Table", "constant", "explore", "largest", "quadrature", "round_up", "show"]
