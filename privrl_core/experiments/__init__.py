"""Many settings and seeds in one table, with each row stored as soon as it is finished."""

from privrl_core.lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    rows=["grid"],
    runner=["Unfinished", "run"],
)
