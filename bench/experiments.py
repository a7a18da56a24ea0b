"""What `run` adds to the work itself: per row, kept or not, on one process, two, and a cluster of two workers."""

import resource
import tempfile
import time
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


def megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def overheads(folder, client):
    settings = grid(n=range(ROWS))
    alone = duration(sum(timed(quick, settings)[1].seconds) / ROWS)
    rows = [("none kept", timed(quick, settings)[0])]
    before = megabytes()
    seconds, first = timed(quick, settings, keep=folder / "rows")
    grown = megabytes() - before
    rows += [("kept as they come", seconds), ("all found again", timed(quick, settings, keep=folder / "rows")[0])]
    few = settings[:2000]
    rows += [("two processes, kept", timed(quick, few, keep=folder / "two", workers=2)[0] * ROWS / len(few)),
             ("two workers of a cluster, kept",
              timed(quick, few, keep=folder / "dask", workers=client)[0] * ROWS / len(few))]
    table(f"{ROWS:,} rows whose function takes {alone}", ("", "a row", "bar"),
          [(name, duration(seconds / ROWS), "1 ms") for name, seconds in rows])
    size, memory = (folder / "rows").stat().st_size, first.memory_usage(deep=True).sum()
    print(f"  {size / ROWS:.0f} bytes a row on disk; in memory the table has {memory / ROWS:.0f} a row, "
          f"and the process grew by {1e6 * grown / ROWS:.0f}")


def efficiency(folder, client):
    settings = grid(n=range(100))
    rows = []
    for name, workers, at_once in (("one process", 1, 1), ("two processes", 2, 2), ("two workers of a cluster", client, 2)):
        timed(quick, settings[:4], workers=workers)  # the processes start
        seconds, rows_of = timed(tenth_of_a_second, settings, workers=workers, keep=folder / f"slow-{len(rows)}")
        rows.append((name, f"{seconds:.2f} s", f"{100 * (seconds * at_once / rows_of.seconds.sum() - 1):.1f} %", "5 %"))
    table("100 rows of 100 ms, kept: beyond the work itself", ("", "time", "added", "bar"), rows)


if __name__ == "__main__":
    from distributed import Client, LocalCluster

    with (LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
          Client(cluster) as client, tempfile.TemporaryDirectory() as folder):
        overheads(Path(folder), client)
        efficiency(Path(folder), client)
