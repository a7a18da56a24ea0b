"""What `run` adds to the work itself: per row, cached or not, on one process, two, and a cluster of two workers."""

import tempfile
import time
import tracemalloc
from pathlib import Path

from bench.measure import duration, table
from privrl_core.experiments import grid, run

ROWS = 10_000


def quick(rng, n):
    return {"x": rng.normal(), "n2": n * n, "text": "a row"}


def tenth_of_a_second(rng, n):
    until = time.perf_counter() + 0.1
    while time.perf_counter() < until:
        pass
    return rng.normal()


def timed(function, settings, **options):
    start = time.perf_counter()
    rows = run(function, settings, [0], **options)
    return time.perf_counter() - start, rows


def overheads(folder, client):
    settings = grid(n=range(ROWS))
    timed(quick, settings[:4], workers=2)  # the processes start
    alone = duration(sum(timed(quick, settings)[1].seconds) / ROWS)
    engines = {"none cached": {}, "cached as they come": {"cache": folder / "rows"},
               "all found again": {"cache": folder / "rows"},
               "two processes, cached": {"cache": folder / "two", "workers": 2},
               "two workers of a cluster, cached": {"cache": folder / "dask", "workers": client}}
    table(f"{ROWS:,} rows whose function takes {alone}", ("", "a row", "bar"),
          [(name, duration(timed(quick, settings, **options)[0] / ROWS), "1 ms") for name, options in engines.items()])


def memory(folder, client):
    """Tracing makes a run slower, so not in one with the times."""
    rows = []
    for number in (ROWS // 4, ROWS // 2, ROWS):
        settings = grid(n=range(number))
        for name, workers in (("one process", 1), ("two processes", 2), ("two workers of a cluster", client)):
            tracemalloc.start()
            found = timed(quick, settings, workers=workers, cache=folder / f"{name}-{number}")[1]
            peak = tracemalloc.get_traced_memory()[1] / number
            tracemalloc.stop()
            rows.append((f"{number:,} rows, {name}", f"{peak:.0f}", f"{found.memory_usage(deep=True).sum() / number:.0f}",
                         f"{(folder / f'{name}-{number}').stat().st_size / number:.0f}"))
    table("Bytes a row", ("", "here at the peak", "in the table", "on disk"), rows)


def efficiency(folder, client):
    settings = grid(n=range(100))
    rows = []
    for name, workers, at_once in (("one process", 1, 1), ("two processes", 2, 2), ("two workers of a cluster", client, 2)):
        timed(quick, settings[:4], workers=workers)  # the processes start
        seconds, rows_of = timed(tenth_of_a_second, settings, workers=workers, cache=folder / f"slow-{len(rows)}")
        rows.append((name, f"{seconds:.2f} s", f"{100 * (seconds * at_once / rows_of.seconds.sum() - 1):.1f} %", "5 %"))
    table("100 rows of 100 ms, cached: beyond the work itself", ("", "time", "added", "bar"), rows)


if __name__ == "__main__":
    from distributed import Client, LocalCluster

    with (LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
          Client(cluster) as client, tempfile.TemporaryDirectory() as folder):
        overheads(Path(folder), client)
        memory(Path(folder), client)
        efficiency(Path(folder), client)
