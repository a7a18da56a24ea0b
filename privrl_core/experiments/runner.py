"""Many settings, many seeds, one tidy table: on one processor, on several, on many machines, and kept if you like."""

import os
import pickle
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import lru_cache
from hashlib import sha256
from itertools import product
from numbers import Real
from pathlib import Path

import numpy as np

from privrl_core.checks import whole_number
from privrl_core.experiments.fingerprint import fingerprint, is_own, require_current, versions
from privrl_core.experiments.row_store import open_row_store
from privrl_core.lazy import needs


class Unfinished(RuntimeError):
    """Some rows are missing from ``table``, which holds all others; the message says which, and why."""

    def __init__(self, message: str, table):
        super().__init__(message)
        self.table = table


def grid(**settings) -> list[dict]:
    """Every combination of the given values, one dict each, the last setting varying fastest.

    ``grid(epsilon=[0.1, 1], rule=[as_printed, exactly])`` has four. Each argument is a list, range or
    one-dimensional array of values: numbers, strings, None, functions with a name, or tuples of these.
    Raises ValueError, naming the setting, for a value alone, an empty list, a value listed twice, and
    values of other kinds.
    """
    lists = {name: _listed(name, values) for name, values in settings.items()}
    return [dict(zip(lists, values, strict=True)) for values in product(*lists.values())]


def run(function: Callable, grid: list[dict], seeds: Sequence[int], *, workers=1, keep: str | Path | None = None):
    """``function(rng=..., **setting)`` for each setting of ``grid`` and each seed: a tidy DataFrame.

    One row per setting and seed, in this order, with the setting (functions by their name), ``seed``, what
    the function returns (one value, in column ``value``, or a mapping from column names to values),
    ``seconds``, the time it took, and ``versions``, of this code, Python and the libraries that matter.

    Each row has a generator of its own, made from its seed and its setting only. So all rows are
    independent, and a row is the same bits alone or among others, in any order and wherever it is computed,
    as far as ``function`` itself is deterministic: parallel linear algebra is not always, unless OMP_NUM_THREADS=1.

    ``workers``: a number of processes on this machine, or a ``distributed.Client``, for the machines of its
    cluster. Functions defined in a notebook are welcome on both. A cluster gives the rows of a machine that fails to
    others, and waits when it has no workers at all; a row that takes its worker with it whenever it is tried fails.

    ``keep``: a file on a disk of this machine in which finished rows are kept as they come; without it, none
    are. Whatever ends the run, the next one with the same file computes only what is missing. A row is found
    again if setting, seed, versions, the source of ``privrl_core`` and the function's fingerprint are the same
    (`privrl_core.experiments.fingerprint`: code, and all values it reaches, but not files that it reads); its ``seconds``
    are those of the time when it was computed. Several runs may share a file. To forget rows, remove the file.

    Shows progress in terminals and notebooks, unless the environment variable CI is set.

    Raises ValueError if the grid or the seeds (whole numbers from 0) are empty or hold something twice, if
    the file is something else, and for a function whose rows cannot be kept; Unfinished, with all finished rows
    in its ``table``, if rows fail (each is named with its traceback, once all others are finished), if rows cannot be
    written, and if workers die or run other code than this process.
    """
    with needs("experiments"):
        import pandas as pd

    seeds = [whole_number("seeds", seed, least=0) for seed in _listed("seeds", seeds)]
    if not callable(function):
        raise ValueError(f"function must be callable, got {function!r}")
    grid = list(grid)
    if not grid:
        raise ValueError(f"grid must hold at least one setting, got {grid!r}")
    _require_distinct("grid", [_spelled_setting(setting) for setting in grid])
    workers = _workers(workers)
    rows = [(setting, seed) for setting in grid for seed in seeds]
    keys = None if keep is None else _keys(function, grid, seeds)

    finished, failed, stop = {}, {}, None
    with nullcontext() if keep is None else open_row_store(keep) as kept:
        if kept is not None:
            found = (kept.get(key, _label(*row)) for key, row in zip(keys, rows))
            finished = {number: columns for number, columns in enumerate(found) if columns}
        missing = [number for number in range(len(rows)) if number not in finished]
        try:
            for number, outcome in _progress(_outcomes(function, grid, rows, missing, workers), len(missing)):
                try:
                    if kept is not None and not isinstance(outcome, str):
                        kept.put(keys[number], outcome)
                except ValueError as error:  # a value that cannot be kept
                    outcome = f"ValueError: {error}"
                (failed if isinstance(outcome, str) else finished)[number] = outcome
        except Exception as error:
            stop = error
    names = None if finished else [*dict.fromkeys(name for setting in grid for name in setting), "seed"]
    table = pd.DataFrame([_shown(*rows[number]) | finished[number] for number in sorted(finished)], columns=names)
    table["versions"] = versions()
    if stop:
        where = "" if keep is None else f" and kept in {keep}"
        raise Unfinished(f"{len(finished)} of {len(rows)} rows are finished{where}; then "
                         f"{type(stop).__name__}: {stop}", table) from stop
    if failed:
        raise Unfinished(_report(rows, failed), table)
    return table


def _keys(function, grid, seeds) -> list[bytes]:
    require_current()
    common = versions().encode() + fingerprint(function)
    return [sha256(common + which + b"%d" % seed).digest() for which in map(fingerprint, grid) for seed in seeds]


def _outcomes(function, grid, rows, missing, workers) -> Iterator[tuple[int, dict | str]]:
    """The missing rows as they come, each with its number: its columns, or the traceback of its failure."""
    if workers == 1:
        yield from ((number, _columns(function, *rows[number])) for number in missing)
        return
    here, [parcel, *settings] = versions(), _packed([function, *grid])
    tasks = [(number, settings[number * len(grid) // len(rows)], rows[number][1]) for number in missing]
    if not isinstance(workers, int):
        yield from _from_cluster(workers, parcel, tasks, here)
        return
    with needs("experiments"):
        from joblib import Parallel, delayed

    yield from Parallel(n_jobs=workers, return_as="generator_unordered", initializer=_end_with,
                        initargs=(os.getpid(),))(delayed(_row)(*task, parcel, here) for task in tasks)


def _end_with(parent):
    """Do not outlive a process that was killed: a worker of joblib waits five minutes for what it may still send."""
    def watch():
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _from_cluster(client, parcel, tasks, here) -> Iterator[tuple[int, dict | str]]:
    # not through joblib, which waits for ever once a row has killed workers, and takes a cluster of one for none
    with needs("cluster"):
        from distributed import KilledWorker, as_completed

    parcel = client.submit(bytes, parcel, pure=False)  # travels once, under a name of its own
    sent, coming, suspects = {}, as_completed(), []

    def send(parts):
        futures = client.map(_rows, [pickle.dumps(part) for part in parts], parcel=parcel, expected=here, pure=False)
        sent.update(zip([future.key for future in futures], parts))
        coming.update(futures)

    try:
        # a task costs the scheduler milliseconds: several rows in each, but enough tasks for all threads
        send(_cut(tasks, min(100, len(tasks) // (4 * sum(client.nthreads().values()) or 1))))
        while sent or suspects:
            # a row that kills its worker brings all that waits there under suspicion: those run at the end, one by one
            if alone := not sent:
                send([[suspects.pop()]])
            for batch in coming.batches():
                killed = [future for future in batch if future.status == "error"]
                well, rest = [future for future in batch if future not in killed], []
                try:
                    results = client.gather(well)
                except KilledWorker:  # a result was lost with its worker, and its task, tried again, killed others
                    coming.update(batch)
                    continue
                for future, done in zip(well, results):
                    yield from done
                    rest += _cut(sent.pop(future.key)[len(done):], len(done))
                for future in killed:
                    if not isinstance(error := future.exception(), KilledWorker):
                        raise error
                    part = sent.pop(future.key)
                    if alone:
                        yield part[0][0], f"{type(error).__name__}: {error}"
                    elif len(part) > 1:
                        rest += _cut(part, 1)
                    else:
                        suspects += part
                send(rest)
    finally:
        client.cancel(list(coming.futures))  # after an error: nobody waits for the others


def _cut(tasks, size) -> list[list]:
    size = max(1, size)
    return [tasks[start:start + size] for start in range(0, len(tasks), size)]


def _rows(tasks, parcel, expected):
    """As many of the rows as begin within a fifth of a second: a long row is not kept waiting for the next."""
    until, done = time.monotonic() + 0.2, []
    for task in pickle.loads(tasks):
        done.append(_row(*task, parcel, expected))
        if time.monotonic() > until:
            break
    return done


def _workers(workers):
    distributed = sys.modules.get("distributed")  # whoever has a Client has imported it
    if distributed and isinstance(workers, distributed.Client):
        return workers
    return whole_number("workers", workers, least=1)


def _packed(values) -> list[bytes]:
    """With the code of modules of one's own: a worker need not have them, and may have older ones."""
    with needs("experiments"):
        import cloudpickle

    own = [module for name, module in list(sys.modules.items()) if is_own(name) and name != "__main__"]
    for module in own:
        cloudpickle.register_pickle_by_value(module)
    try:
        return [cloudpickle.dumps(value) for value in values]
    finally:
        for module in own:
            cloudpickle.unregister_pickle_by_value(module)


@lru_cache(maxsize=1)  # a function is the same object for all its rows
def _unpacked(parcel):
    return pickle.loads(parcel)


def _row(number, setting, seed, parcel, expected):
    if versions() != expected:
        raise RuntimeError(f"a worker runs {versions()}, and this process {expected}: restart the workers")
    return number, _columns(_unpacked(parcel), pickle.loads(setting), seed)


def _columns(function, setting, seed) -> dict | str:
    # 256 bits that depend on the setting alone: not on its place in the grid, nor on the process
    words = np.frombuffer(sha256(_spelled_setting(setting).encode()).digest(), dtype="<u4")
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=words.tolist()))
    start = time.perf_counter()
    try:
        result = function(rng=rng, **setting)
        seconds = time.perf_counter() - start
        columns = dict(result) if isinstance(result, Mapping) else {"value": result}
        if taken := columns.keys() & (setting.keys() | {"seed", "seconds", "versions"}):
            raise ValueError("function must not return the names of settings, seed, seconds or versions, "
                             f"got {sorted(taken)}")
        if bad := [name for name, value in columns.items() if np.ndim(value)]:
            raise ValueError(f"function must return single values, got {columns[bad[0]]!r} as {bad[0]}")
    except Exception as error:
        within = error.__traceback__.tb_next or error.__traceback__  # from the function on
        return "".join(traceback.format_exception(error.with_traceback(within)))
    return columns | {"seconds": seconds}


def _shown(setting, seed):
    return {name: value.__name__ if callable(value) else value for name, value in setting.items()} | {"seed": seed}


def _label(setting, seed) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in _shown(setting, seed).items())


def _report(rows, failed) -> str:
    """Every failing row, under its traceback."""
    by_traceback = {}
    for number in sorted(failed):
        by_traceback.setdefault(failed[number].strip(), []).append(_label(*rows[number]))
    parts = [f"function failed for {'; '.join(labels)}:\n{text}" for text, labels in by_traceback.items()]
    return "\n\n".join([f"{len(failed)} of {len(rows)} rows failed, the others are in this error's `table`", *parts])


def _progress(outcomes, total):
    """The same, with a bar and the time left where somebody may be looking, after a second."""
    notebook = "ipykernel" in sys.modules
    if not total or os.environ.get("CI") or not (notebook or sys.stderr.isatty()):
        return outcomes
    with needs("experiments"):
        from tqdm.auto import tqdm

    return tqdm(outcomes, total=total, unit="row", delay=1, leave=False)


def _listed(name, values):
    if isinstance(values, np.ndarray) and values.ndim == 1:
        values = values.tolist()
    if isinstance(values, str) or not isinstance(values, Sequence) or not len(values):
        raise ValueError(f"{name} must be a list, range or array of at least one value, got {values!r}")
    _require_distinct(name, [_spelled(name, value) for value in values])
    return values


def _spelled_setting(setting):
    if taken := {"rng", "seed", "seconds", "versions"} & setting.keys():
        raise ValueError(f"grid must not use the names rng, seed, seconds and versions, got {sorted(taken)}")
    return ", ".join(f"{name}={_spelled(name, setting[name])}" for name in sorted(setting))


def _spelled(name, value):
    """The value as text, the same in every process and on every machine; 1 and 1.0 are one value."""
    if isinstance(value, (Real, np.bool_)):
        return repr(float(value)) if float(value) == value else str(value)
    if value is None or isinstance(value, str):
        return repr(value)
    if isinstance(value, tuple):
        return f"({', '.join(_spelled(name, item) for item in value)})"
    if callable(value) and getattr(value, "__name__", "<lambda>") != "<lambda>":
        return f"function {value.__name__}"
    raise ValueError(f"{name} must hold numbers, strings, None, tuples of these or named functions, got {value!r}")


def _require_distinct(name, texts):
    if len(set(texts)) < len(texts):
        twice = next(text for i, text in enumerate(texts) if text in texts[:i])
        raise ValueError(f"{name} must hold everything once, got {twice} twice")
