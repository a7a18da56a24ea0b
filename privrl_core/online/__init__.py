"""Online reinforcement learning: counters that never stop, bandits, and treatment under plain, joint and local privacy."""

from privrl_core.lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    counters=["PERSON", "every_person", "doubling", "growing", "Counter", "CounterRelease", "RunningCount", "counter",
              "counter_standard_deviations", "KINDS"],
    factors=["RunningSum", "BinaryTree", "SmoothedTree", "SquareRoot", "square_root_coefficients"],
    sensitivity=["Counting", "PER_STEP", "POOLED", "FirstVisits", "first_visits_energy", "table_sensitivity"],
)
