"""Arguments that are wrong say so: the name, the bound, and the value received."""

from collections.abc import Callable
from numbers import Integral

import numpy as np

__all__ = ["stored", "finite", "positive", "nonnegative", "open_unit", "number", "whole_number", "instance_of", "generator",
           "set_fields", "shaped", "axis_sizes", "distributions", "discount_factor", "discount_below_one", "each_run",
           "n_updates"]


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


def instance_of(kind: type, name: str, value):
    """``value`` if it is a ``kind``; ValueError otherwise."""
    if not isinstance(value, kind):
        raise ValueError(f"{name} must be of type {kind.__name__}, got {value!r:.200}")
    return value


def generator(name: str, value) -> np.random.Generator:
    """``value`` if it is a NumPy generator; ValueError for a seed, a ``RandomState`` and the module ``numpy.random``."""
    if not isinstance(value, np.random.Generator):
        raise ValueError(f"{name} must be a numpy.random.Generator, got {value!r:.200}")
    return value


def set_fields(record, **fields):
    """Give a frozen dataclass its checked fields. Arrays can't be written to through it, nor through the caller's own;
    what an array repeats (``np.broadcast_to``) is kept once."""
    for name, value in fields.items():
        if isinstance(value, np.ndarray):
            value = np.broadcast_to(stored(value).copy(), value.shape)  # a view that is read-only
        object.__setattr__(record, name, value)


def distributions(name: str, values, shape) -> np.ndarray:
    """``values`` as floats; ValueError unless they have ``shape`` and are probabilities along the last axis.

    That is, at least 0 and of sum 1 within 1e-9 (dividing by a count leaves rounding, not more).
    """
    values = nonnegative(name, shaped(name, values, shape))
    total = stored(values, values.ndim - 1).sum(axis=-1)
    worst = total.flat[np.argmax(np.abs(total - 1))]
    if abs(worst - 1) > 1e-9:
        raise ValueError(f"{name} must sum to 1 along the last axis, got {worst:.12g}")
    return values


def discount_factor(discount) -> float:
    """``discount`` as a float; ValueError unless it is a number in [0, 1]."""
    factor = finite("discount", discount)
    if factor.ndim or not 0 <= factor <= 1:
        raise ValueError(f"discount must be in [0, 1], got {discount!r}")
    return float(factor)


def shaped(name, values, shape):
    values = finite(name, values)
    if values.shape != tuple(shape):
        raise ValueError(f"{name} must have shape {tuple(shape)}, got {values.shape}")
    return values


def axis_sizes(name, values, n_axes):
    sizes = np.shape(values)
    if len(sizes) != n_axes or 0 in sizes:
        raise ValueError(f"{name} must have {n_axes} axes, none of them empty, got shape {sizes}")
    return sizes


def n_updates(n_steps: int, batch_size: int) -> int:
    """How many whole batches there are in ``n_steps``; ValueError unless there is one."""
    if whole_number("batch_size", batch_size, least=1) > whole_number("n_steps", n_steps, least=1):
        raise ValueError(f"batch_size must be at most n_steps = {n_steps}, got {batch_size}")
    return int(n_steps // batch_size)


def each_run(name: str, check: Callable, value, runs: int) -> np.ndarray:
    """``value``, one number or one for each run, as ``[runs]``; ValueError unless it is, and passes ``check``."""
    value = check(name, value)
    if value.shape not in ((), (runs,)):
        raise ValueError(f"{name} must be one number or one for each of {runs} runs, got shape {list(value.shape)}")
    return np.broadcast_to(value, (runs,))


def discount_below_one(value) -> float:
    """``value`` if it is in [0, 1), where an infinite sum of rewards is finite; ValueError otherwise."""
    if not 0 <= number(finite, "discount", value) < 1:
        raise ValueError(f"discount must be in [0, 1), got {value}")
    return float(value)
