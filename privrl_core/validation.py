"""Arguments that are wrong say so: the name, the bound, and the value received."""

from collections.abc import Callable
from numbers import Integral

import numpy as np

__all__ = ["stored", "finite", "positive", "nonnegative", "open_unit", "number", "whole_number", "of_kind", "set_fields"]


def _require(holds, name: str, bound: str, value):
    if not np.all(holds):
        wrong = value if value.ndim == 0 else value[~np.broadcast_to(holds, value.shape)].flat[0]
        raise ValueError(f"{name} must be {bound}, got {wrong}")


def stored(value: np.ndarray, n_axes: int | None = None) -> np.ndarray:
    """``value`` with length 1 along those of its first ``n_axes`` (None: all) that ``np.broadcast_to`` repeats."""
    once = [slice(None) if stride else slice(1) for stride in value.strides[:n_axes]]
    return value[(*once, ...)]


def finite(name: str, value) -> np.ndarray:
    """``value`` as a float array; ValueError if it is not numeric or holds NaN or an infinity."""
    try:
        if np.iscomplexobj(value):
            raise TypeError
        value = np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be numeric, got {value!r}") from None
    _require(np.isfinite(stored(value)), name, "finite", value)
    return value


def positive(name: str, value) -> np.ndarray:
    """``value`` as a float array; ValueError unless every entry is finite and above 0."""
    value = finite(name, value)
    _require(stored(value) > 0, name, "positive", value)
    return value


def nonnegative(name: str, value) -> np.ndarray:
    """``value`` as a float array; ValueError unless every entry is finite and at least 0."""
    value = finite(name, value)
    _require(stored(value) >= 0, name, "at least 0", value)
    return value


def open_unit(name: str, value) -> np.ndarray:
    """``value`` as a float array; ValueError unless every entry lies strictly between 0 and 1."""
    value = finite(name, value)
    _require((0 < value) & (value < 1), name, "strictly between 0 and 1", value)
    return value


def number(check: Callable, name: str, value) -> float:
    """``value`` as a float that passes ``check`` (one of the above); ValueError if it does not or is not one number."""
    value = check(name, value)
    if value.ndim:
        raise ValueError(f"{name} must be one number, got an array of shape {list(value.shape)}")
    return float(value)


def whole_number(name: str, value, least: int, most: int | None = None) -> int:
    """``value`` as an int; ValueError unless it is a whole number of at least ``least`` (and at most ``most``)."""
    if isinstance(value, bool) or (not isinstance(value, Integral) and
                                   (finite(name, value).ndim or value != int(value))) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}")
    if most is not None and value > most:
        raise ValueError(f"{name} must be a whole number of at most {most}, got {value!r}")
    return int(value)


def of_kind(kind: type, name: str, value):
    """``value`` if it is a ``kind``; ValueError otherwise."""
    if not isinstance(value, kind):
        raise ValueError(f"{name} must be of type {kind.__name__}, got {value!r:.200}")
    return value


def set_fields(record, **fields):
    """Give a frozen dataclass its checked fields. Arrays can't be written to through it, nor through the caller's own;
    what an array repeats (``np.broadcast_to``) is kept once."""
    for name, value in fields.items():
        if isinstance(value, np.ndarray):
            value = np.broadcast_to(stored(value).copy(), value.shape)  # a view that is read-only
        object.__setattr__(record, name, value)
