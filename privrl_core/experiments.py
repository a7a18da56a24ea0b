"""Many settings, many seeds, one tidy table."""

import time
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from itertools import product
from numbers import Real

import numpy as np

from privrl_core.validation import whole_number


def grid(**settings) -> list[dict]:
    """Every combination of the given values, one dict each, the last setting varying fastest.

    ``grid(epsilon=[0.1, 1], rule=[as_printed, exactly])`` has four. Each argument is a list, range or
    one-dimensional array of values: numbers, strings, None, functions with a name, or tuples of these.
    Raises ValueError, naming the setting, for a value alone, an empty list, a value listed twice, and
    values of other kinds.
    """
    lists = {name: _listed(name, values) for name, values in settings.items()}
    return [dict(zip(lists, values, strict=True)) for values in product(*lists.values())]


def run(function: Callable, grid: list[dict], seeds: Sequence[int], *, workers: int = 1):
    """``function(rng=..., **setting)`` for each setting of ``grid`` and each seed: a tidy DataFrame.

    One row per setting and seed, in this order, with the setting (functions by their name), ``seed``, what
    the function returns (one value, in column ``value``, or a mapping from column names to values) and
    ``seconds``, the time it took.

    Each row has a generator of its own, made from its seed and its setting only. So all rows are
    independent, and a row is the same bits alone or among others, in any order, on any number of
    ``workers`` (processes; functions defined in a notebook are welcome), as far as ``function`` itself is
    deterministic: parallel linear algebra is not always, unless OMP_NUM_THREADS=1.

    Raises ValueError if the grid or the seeds (whole numbers from 0) are empty or hold something twice,
    and if a column would have two meanings; RuntimeError, naming setting and seed, if the function fails.
    """
    import pandas as pd

    workers, seeds = whole_number("workers", workers, least=1), _listed("seeds", seeds)
    seeds = [whole_number("seeds", seed, least=0) for seed in seeds]
    if not callable(function):
        raise ValueError(f"function must be callable, got {function!r}")
    grid = list(grid)
    if not grid:
        raise ValueError(f"grid must hold at least one setting, got {grid!r}")
    _require_distinct("grid", [_spelled_setting(setting) for setting in grid])
    rows = [(function, setting, seed) for setting in grid for seed in seeds]
    if workers == 1:
        return pd.DataFrame([_row(*row) for row in rows])
    from joblib import Parallel, delayed

    return pd.DataFrame(Parallel(n_jobs=workers)(delayed(_row)(*row) for row in rows))


def _row(function, setting, seed):
    shown = {name: value.__name__ if callable(value) else value for name, value in setting.items()}
    shown["seed"] = seed
    where = ", ".join(f"{name}={value!r}" for name, value in shown.items())
    # 256 bits that depend on the setting alone: not on its place in the grid, nor on the process
    words = np.frombuffer(sha256(_spelled_setting(setting).encode()).digest(), dtype="<u4")
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=words.tolist()))
    start = time.perf_counter()
    try:
        result = function(rng=rng, **setting)
    except Exception as error:
        raise RuntimeError(f"function failed for {where}: {type(error).__name__}: {error}") from error
    seconds = time.perf_counter() - start
    columns = result if isinstance(result, Mapping) else {"value": result}
    if taken := columns.keys() & (shown.keys() | {"seconds"}):
        raise ValueError(f"function must not return the names of settings, seed or seconds, got {sorted(taken)}")
    if bad := [name for name, value in columns.items() if np.ndim(value)]:
        raise ValueError(f"function must return single values, got {columns[bad[0]]!r} as {bad[0]} for {where}")
    return shown | dict(columns) | {"seconds": seconds}


def _listed(name, values):
    if isinstance(values, np.ndarray) and values.ndim == 1:
        values = values.tolist()
    if isinstance(values, str) or not isinstance(values, Sequence) or not len(values):
        raise ValueError(f"{name} must be a list, range or array of at least one value, got {values!r}")
    _require_distinct(name, [_spelled(name, value) for value in values])
    return values


def _spelled_setting(setting):
    if taken := {"rng", "seed", "seconds"} & setting.keys():
        raise ValueError(f"grid must not use the names rng, seed and seconds, got {sorted(taken)}")
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
