"""Many settings and seeds in one tidy table, computed on one processor, on several or on a cluster, optionally cached."""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path

from privrl_core.checks import whole_number
from privrl_core.experiments.fingerprint import fingerprint
from privrl_core.experiments.import_cone import cone_digest
from privrl_core.experiments.row_store import open_row_store
from privrl_core.experiments.rows import listed, require_distinct, spelled
from privrl_core.experiments.versions import require_current, versions
from privrl_core.experiments.workers import outcomes
from privrl_core.lazy import needs


class Unfinished(RuntimeError):
    """Some rows are missing from ``table``, which holds all others; the message says which ones and why."""

    def __init__(self, message: str, table):
        super().__init__(message)
        self.table = table


def run(function: Callable, grid: list[dict], seeds: Sequence[int], *, workers=1, cache: str | Path | None = None):
    """``function(rng=..., **setting)`` for each setting of ``grid`` and each seed: a tidy DataFrame.

    One row per setting and seed, in this order, with the setting (functions by name), ``seed``, what
    the function returns (one value, in column ``value``, or a mapping from column names to values),
    ``seconds``, the time it took, and ``versions``, those of this package, Python and the relevant libraries.

    Each row has its own generator, made from its seed and its setting only. So all rows are independent, and a row is
    bit for bit the same alone or among others, in any order and on any machine, as far as ``function`` itself is
    deterministic. Parallel linear algebra may not be, unless OMP_NUM_THREADS=1.

    ``workers``: a number of processes on this machine, or a ``distributed.Client`` for the machines of a cluster. Both
    accept functions that are defined in a notebook. A cluster reassigns the rows of a machine that fails, and waits while
    it has no workers; a row that kills its worker at every attempt counts as failed.

    ``cache``: a file on a local disk in which each row is stored when it is finished; without it, none is stored. After
    an interruption, the next run with the same file computes only the missing rows. A stored row is used
    again if setting, seed, versions and the function's fingerprint are the same (`privrl_core.experiments.fingerprint`:
    code, all values it reaches, and the modules of ``privrl_core`` behind them, but not files that it reads); its
    ``seconds`` are those of the original computation. Several runs may share a file. To discard rows, remove the file.

    Shows progress in terminals and notebooks, unless the environment variable CI is set.

    Raises ValueError if the grid or the seeds (whole numbers from 0) are empty or repeat a value, if ``cache`` is another
    kind of file, and for a function whose rows cannot be cached. Raises Unfinished, with all finished rows in its
    ``table``, if rows fail (each is reported with its traceback after all others are finished), if rows cannot be
    written, and if workers die or run code that differs from this process.
    """
    with needs("experiments"):
        import pandas as pd

    seeds = [whole_number("seeds", seed, least=0) for seed in listed("seeds", seeds)]
    if not callable(function):
        raise ValueError(f"function must be callable, got {function!r}")
    grid = list(grid)
    if not grid:
        raise ValueError(f"grid must hold at least one setting, got {grid!r}")
    require_distinct("grid", [spelled(setting) for setting in grid])
    workers = _workers(workers)
    rows = [(setting, seed) for setting in grid for seed in seeds]
    keys = None if cache is None else _keys(function, grid, seeds)

    finished, failed, stop = {}, {}, None
    with nullcontext() if cache is None else open_row_store(cache) as stored:
        if stored is not None:
            found = (stored.get(key, _label(*row)) for key, row in zip(keys, rows))
            finished = {number: columns for number, columns in enumerate(found) if columns}
        missing = [number for number in range(len(rows)) if number not in finished]
        try:
            for number, outcome in _progress(outcomes(function, grid, seeds, missing, workers), len(missing)):
                try:
                    if stored is not None and not isinstance(outcome, str):
                        stored.put(keys[number], outcome)
                except ValueError as error:  # a value that cannot be stored
                    outcome = f"ValueError: {error}"
                (failed if isinstance(outcome, str) else finished)[number] = outcome
        except Exception as error:
            stop = error
    names = None if finished else [*dict.fromkeys(name for setting in grid for name in setting), "seed"]
    table = pd.DataFrame([_shown(*rows[number]) | finished[number] for number in sorted(finished)], columns=names)
    table["versions"] = versions()
    if stop:
        where = "" if cache is None else f" and cached in {cache}"
        raise Unfinished(f"{len(finished)} of {len(rows)} rows are finished{where}; then "
                         f"{type(stop).__name__}: {stop}", table) from stop
    if failed:
        raise Unfinished(_report(rows, failed), table)
    return table


def _keys(function, grid, seeds) -> list[bytes]:
    require_current()
    row = cone_digest("import privrl_core.experiments.rows")  # the code that makes a row's generator
    common = f"{versions()} {row}".encode() + fingerprint(function)
    return [sha256(common + which + b"%d" % seed).digest() for which in map(fingerprint, grid) for seed in seeds]


def _workers(workers):
    distributed = sys.modules.get("distributed")  # imported already if there is a Client
    if distributed and isinstance(workers, distributed.Client):
        return workers
    return whole_number("workers", workers, least=1)


def _shown(setting, seed):
    return {name: value.__name__ if callable(value) else value for name, value in setting.items()} | {"seed": seed}


def _label(setting, seed) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in _shown(setting, seed).items())


def _report(rows, failed) -> str:
    """The failed rows, grouped by traceback."""
    by_traceback = {}
    for number in sorted(failed):
        by_traceback.setdefault(failed[number].strip(), []).append(_label(*rows[number]))
    parts = [f"function failed for {'; '.join(labels)}:\n{text}" for text, labels in by_traceback.items()]
    return "\n\n".join([f"{len(failed)} of {len(rows)} rows failed, the others are in this error's `table`", *parts])


def _progress(outcomes, total):
    """The same outcomes, with a progress bar after a second in terminals and notebooks."""
    notebook = "ipykernel" in sys.modules
    if not total or os.environ.get("CI") or not (notebook or sys.stderr.isatty()):
        return outcomes
    with needs("experiments"):
        from tqdm.auto import tqdm

    return tqdm(outcomes, total=total, unit="row", delay=1, leave=False)
