"""Medians of five, peaks of memory, and a table of them."""

import resource
import sys
from collections.abc import Callable
from statistics import median
from timeit import Timer

REPEATS = 5


def seconds(function: Callable[[], object]) -> float:
    """Median time of one call, out of five measurements; calls below 50 ms are repeated within each."""
    timer = Timer(function)
    once = timer.timeit(number=1)
    number = max(1, round(0.05 / once))
    return median(time / number for time in timer.repeat(repeat=REPEATS, number=number))


def peak_gigabytes() -> float:
    """The largest memory that this process ever held."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9


def duration(time: float) -> str:
    if time >= 60:
        return f"{time / 60:.1f} min"
    scale, unit = next((s, u) for s, u in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")) if time >= s or u == "µs")
    return f"{time / scale:.3g} {unit}"


def table(title: str, head: tuple[str, ...], rows: list[tuple]):
    """Print the rows under a title; numbers of columns as in ``head``."""
    cells = [head, *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[k]) for row in cells) for k in range(len(head))]
    print(f"\n{title}")
    for row in cells:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    sys.stdout.flush()
