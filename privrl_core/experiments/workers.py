"""Rows as they are finished: by this process, by others on this machine, or by the workers of a cluster."""

import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator

import privrl_core.experiments.versions as current
from privrl_core.experiments.fingerprint import is_own
from privrl_core.experiments.rows import columns
from privrl_core.experiments.versions import identity, require_current
from privrl_core.lazy import needs

_ONE_AT_A_TIME = threading.Lock()  # cloudpickle's list of modules that travel as code belongs to the whole process


def outcomes(function: Callable, grid: list[dict], seeds: list[int], missing: list[int],
             workers) -> Iterator[tuple[int, dict | str]]:
    """The missing rows, each with its number and either its columns or the traceback of its failure."""
    if workers == 1:
        for number in missing:
            yield number, columns(function, grid[number // len(seeds)], seeds[number % len(seeds)])
        return
    require_current()
    *parcel, settings = _packed(work), _packed(function), identity(), [_packed(setting) for setting in grid]
    tasks = [(number, settings[number // len(seeds)], seeds[number % len(seeds)]) for number in missing]
    if not isinstance(workers, int):
        yield from _from_cluster(workers, parcel, tasks)
        return
    with needs("experiments"):
        from joblib import Parallel, delayed

    pool = Parallel(n_jobs=workers, return_as="generator_unordered", initializer=_end_with, initargs=(os.getpid(),))
    for rows in pool(delayed(_travels)(parcel, pickle.dumps([task])) for task in tasks):
        yield from rows


def _packed(value) -> bytes:
    """Pickled together with the user's own modules, which a worker may lack or have in an older version."""
    with needs("experiments"):
        import cloudpickle

    modules = [module for name, module in list(sys.modules.items()) if is_own(name) and name != "__main__"]
    modules += [current, sys.modules[__name__]]
    with _ONE_AT_A_TIME:
        for module in modules:
            cloudpickle.register_pickle_by_value(module)
        try:
            return cloudpickle.dumps(value)
        finally:
            for module in modules:
                cloudpickle.unregister_pickle_by_value(module)


def work(function: bytes, expected: str, tasks: bytes) -> list[tuple[int, dict | str]]:
    """What a worker does with a task. It is sent as code, and imports the core only after checking that it is the same."""
    mine = sys.modules.get("privrl_core.experiments.rows")
    if expected not in getattr(mine, "TRUSTED", ()):
        if (found := identity()) != expected:
            raise RuntimeError(f"a worker has {found}, and this process {expected}: install the same there, and restart it")
        from privrl_core.experiments.versions import require_current

        require_current()
    from privrl_core.experiments.rows import TRUSTED, rows

    TRUSTED.add(expected)
    return rows(function, tasks)


# a lambda has no name to import, so it is sent as code too
_travels = lambda parcel, tasks: pickle.loads(parcel[0])(*parcel[1:], tasks)  # noqa: E731


def _end_with(parent):
    """Exit when the parent process is gone; otherwise a joblib worker would wait another five minutes for tasks."""
    def watch():
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _from_cluster(client, parcel, tasks) -> Iterator[tuple[int, dict | str]]:
    # not through joblib, which waits forever after a row has killed workers, and treats a cluster of one as none
    with needs("cluster"):
        from distributed import KilledWorker, as_completed

    parcel = client.submit(list, parcel, pure=False)  # sent once, under its own name
    sent, coming, suspects, alone = {}, as_completed(), [], False

    def send(parts):
        futures = client.map(_travels, [parcel] * len(parts), [pickle.dumps(part) for part in parts], pure=False)
        sent.update(zip([future.key for future in futures], parts))
        coming.update(futures)

    try:
        # each task costs the scheduler milliseconds, so it gets several rows, but all threads must have tasks
        send(_cut(tasks, min(100, len(tasks) // (4 * sum(client.nthreads().values()) or 1))))
        for future, result in _ended(client, coming):
            part = sent.pop(future.key)
            if isinstance(result, list):
                yield from result
                send(_cut(part[len(result):], len(result)))
            elif not isinstance(result, KilledWorker):
                raise result
            elif len(part) > 1:
                send(_cut(part, 1))
            elif not alone:  # when a row kills its worker, every row waiting there is a suspect
                suspects += part
            else:
                yield part[0][0], f"{type(result).__name__}: {result}"
            if alone := not sent and bool(suspects):  # at the end, suspects run one by one
                send([[suspects.pop()]])
    finally:
        client.cancel(list(coming.futures))  # after an error the other results are not needed


def _ended(client, coming) -> Iterator[tuple]:
    """The finished futures, each with its rows or its error. Rows are fetched in batches: each fetch takes milliseconds."""
    with needs("cluster"):
        from distributed import KilledWorker

    for batch in coming.batches():
        failed = [future for future in batch if future.status == "error"]
        well = [future for future in batch if future not in failed]
        try:
            results = client.gather(well)
        except KilledWorker:  # a result was lost with its worker, and its task killed other workers when retried
            coming.update(batch)
            continue
        yield from zip(well, results)
        yield from ((future, future.exception()) for future in failed)


def _cut(tasks, size) -> list[list]:
    size = max(1, size)
    return [tasks[start:start + size] for start in range(0, len(tasks), size)]
