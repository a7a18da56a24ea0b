"""A row: a setting of a grid, a seed, and a function's result for them, with a generator that depends on these two alone."""

import pickle
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import product
from numbers import Real

import numpy as np

RESERVED = {"rng", "seed", "seconds", "versions"}
TRUSTED = set()  # identities equal to that of this worker, whose rows it may compute


def grid(**settings) -> list[dict]:
    """Every combination of the given values, one dict each, the last setting varying fastest.

    ``grid(epsilon=[0.1, 1], rule=[as_printed, calibrate_exact])`` has four. Each argument is a list, range or
    one-dimensional array of values: numbers, strings, None, named functions, or tuples of these.
    Raises ValueError, naming the setting, for a single value, an empty list, a value listed twice, and
    values of other kinds.
    """
    lists = {name: listed(name, values) for name, values in settings.items()}
    return [dict(zip(lists, values, strict=True)) for values in product(*lists.values())]


def listed(name: str, values) -> Sequence:
    """The values of an argument. ValueError unless they are a list, range or array of different ones."""
    if isinstance(values, np.ndarray) and values.ndim == 1:
        values = values.tolist()
    if isinstance(values, str) or not isinstance(values, Sequence) or not len(values):
        raise ValueError(f"{name} must be a list, range or array of at least one value, got {values!r}")
    require_distinct(name, [_spelled(name, value) for value in values])
    return values


def require_distinct(name: str, texts: list[str]) -> None:
    """ValueError if a text occurs twice."""
    if len(set(texts)) < len(texts):
        twice = next(text for i, text in enumerate(texts) if text in texts[:i])
        raise ValueError(f"{name} must hold different values, got {twice} twice")


def spelled(setting: dict) -> str:
    """A setting as text, sorted by name. ValueError for names that are reserved for ``run``."""
    if taken := RESERVED & setting.keys():
        raise ValueError(f"grid must not use the names rng, seed, seconds and versions, got {sorted(taken)}")
    return ", ".join(f"{name}={_spelled(name, setting[name])}" for name in sorted(setting))


def _spelled(name, value):
    """The value as text; 1 and 1.0 are one value."""
    if isinstance(value, (Real, np.bool_)):
        return repr(float(value)) if float(value) == value else str(value)
    if value is None or isinstance(value, str):
        return repr(value)
    if isinstance(value, tuple):
        return f"({', '.join(_spelled(name, item) for item in value)})"
    if callable(value) and getattr(value, "__name__", "<lambda>") != "<lambda>":
        return f"function {value.__name__}"
    raise ValueError(f"{name} must hold numbers, strings, None, tuples of these or named functions, got {value!r}")


def columns(function: Callable, setting: dict, seed: int) -> dict | str:
    """The columns of a row, or the traceback if the function fails."""
    # 256 bits that depend on the setting alone: not on its place in the grid, nor on the process
    words = np.frombuffer(sha256(spelled(setting).encode()).digest(), dtype="<u4")
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=words.tolist()))
    start = time.perf_counter()
    try:
        result = function(rng=rng, **setting)
        seconds = time.perf_counter() - start
        found = dict(result) if isinstance(result, Mapping) else {"value": result}
        if taken := found.keys() & (setting.keys() | RESERVED - {"rng"}):
            raise ValueError("function must not return the names of settings, seed, seconds or versions, "
                             f"got {sorted(taken)}")
        if bad := [name for name, value in found.items() if np.ndim(value)]:
            raise ValueError(f"function must return single values, got {found[bad[0]]!r} as {bad[0]}")
    except Exception as error:
        within = error.__traceback__.tb_next or error.__traceback__  # from the function on
        return "".join(traceback.format_exception(error.with_traceback(within)))
    return found | {"seconds": seconds}


def rows(function: bytes, tasks: bytes) -> list[tuple[int, dict | str]]:
    """The rows that begin within a fifth of a second, so that a long row is returned without waiting for the next."""
    until, done = time.monotonic() + 0.2, []
    for number, setting, seed in pickle.loads(tasks):
        done.append((number, columns(_unpacked(function), pickle.loads(setting), seed)))
        if time.monotonic() > until:
            break
    return done


@lru_cache(maxsize=1)  # so that all rows of a function see the same object
def _unpacked(function):
    return pickle.loads(function)
