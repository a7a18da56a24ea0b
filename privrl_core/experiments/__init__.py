"""Many settings and seeds in one table, kept as they come."""

from privrl_core.lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    runner=["Unfinished", "grid", "run"],
)
