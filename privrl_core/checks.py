"""Checks of arguments: each error gives the name, the bound, and the value received."""

from collections.abc import Callable
from numbers import Integral

import numpy as np

__all__ = ["stored", "plain", "real", "finite", "positive", "nonnegative", "open_unit", "number", "whole_number",
           "instance_of", "generator", "Record", "set_fields", "shaped", "booleans", "within", "whole_numbers", "interval",
           "below", "up_to", "axis_sizes", "distributions", "discount_factor", "discount_below_one", "each_run",
           "whole_batches"]


def _require(holds, name: str, bound: str, value):
    if not np.all(holds):
        wrong = value if value.ndim == 0 else value[~np.broadcast_to(holds, value.shape)].flat[0]
        raise ValueError(f"{name} must be {bound}, got {wrong}")


def stored(value: np.ndarray, n_axes: int | None = None) -> np.ndarray:
    """``value``, cut to length 1 along those of its first ``n_axes`` (None: all) that ``np.broadcast_to`` repeats."""
    once = [slice(None) if stride else slice(1) for stride in value.strides[:n_axes]]
    return value[(*once, ...)]


def plain(name: str, value) -> np.ndarray:
    """``value`` as an array; ValueError for rows of different lengths, and for masked arrays, because NumPy would drop the
    mask and keep the values under it."""
    if _is_masked(value):
        raise ValueError(f"{name} must be a plain array, got a masked one: drop or fill its masked entries first")
    try:
        return np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must be an array with rows of one length, got {value!r:.200}") from None


def _is_masked(value):
    return isinstance(value, np.ma.MaskedArray) or isinstance(value, (list, tuple)) and any(map(_is_masked, value))


def real(name: str, value) -> np.ndarray:
    """``value`` as a float array, infinities and NaN included; ValueError if it is not numeric, or masked.

    Text, bytes and dates are not numeric, even if the text spells a number.
    """
    array = plain(name, value)
    try:
        if array.dtype.kind not in "biufO" or isinstance(value, bytearray) or array.dtype.kind == "O" and any(
                isinstance(entry, (str, bytes)) for entry in array.flat):
            raise TypeError
        return array.astype(float, copy=False)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be numeric, got {value!r:.200}") from None


def finite(name: str, value) -> np.ndarray:
    """``value`` as a float array; ValueError if it is not numeric (see `real`), or holds NaN or an infinity."""
    value = real(name, value)
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
    if isinstance(value, (bool, np.bool_)) or (not isinstance(value, Integral) and
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


class Record:
    """A frozen dataclass whose arrays are read-only, also in its copies and pickles.

    Decorate subclasses with ``@dataclass(frozen=True, eq=False)``: a record equals only itself, because ``==`` between
    arrays does not give a single truth value.
    """

    def __post_init__(self):
        set_fields(self, **vars(self))

    def __setstate__(self, fields):
        vars(self).update(fields)
        _lock(tuple(fields.values()))


def _lock(value):
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    elif isinstance(value, tuple):
        for part in value:
            _lock(part)
    elif hasattr(value, "indptr"):  # a sparse matrix
        _lock((value.data, value.indices, value.indptr))


def _read_only(value):
    """A read-only copy. What an array (``np.broadcast_to``) or a tuple repeats is stored once."""
    if isinstance(value, np.ndarray):
        return np.broadcast_to(stored(value).copy(), value.shape)
    if type(value) is tuple:
        copies = {key: _read_only(part) for key, part in {id(part): part for part in value}.items()}
        return tuple(copies[id(part)] for part in value)
    if hasattr(value, "indptr"):
        value = value.copy()
        value.sum_duplicates()  # now, because later operations would try to do it in place
        _lock(value)
    return value


def set_fields(record, **fields):
    """Set the checked fields of a frozen dataclass. Arrays and sparse matrices, also those in tuples, are stored as
    read-only copies."""
    for name, value in fields.items():
        object.__setattr__(record, name, _read_only(value))


def whole_numbers(name: str, value) -> np.ndarray:
    """``value`` as a float array; ValueError unless every entry is a whole number of at least 0."""
    value = nonnegative(name, value)
    _require(value == np.rint(value), name, "whole numbers", value)
    return value


def interval(low, high) -> tuple[float, float]:
    """Both ends of an interval as floats; ValueError unless ``low`` is below ``high``."""
    low, high = number(finite, "low", low), number(finite, "high", high)
    if not low < high:
        raise ValueError(f"low must be below high, got {low} and {high}")
    return low, high


def distributions(name: str, values, shape) -> np.ndarray:
    """``values`` as floats; ValueError unless they have ``shape`` and are probabilities along the last axis.

    That is, at least 0 and with sum 1 within 1e-9, which allows for the rounding of a division by a count. Rows in single
    precision may miss 1 by their length times 1.2e-7, and are divided by their sums.
    """
    single = getattr(values, "dtype", None) == np.float32
    values = nonnegative(name, shaped(name, values, shape))
    once = stored(values, values.ndim - 1)
    total = once.sum(axis=-1, keepdims=True)
    worst = total.flat[np.argmax(np.abs(total - 1))]
    if abs(worst - 1) > (values.shape[-1] * np.finfo(np.float32).eps if single else 1e-9):
        raise ValueError(f"{name} must sum to 1 along the last axis, got {worst:.12g}")
    return np.broadcast_to(once / total, values.shape) if single else values


def discount_factor(discount) -> float:
    """``discount`` as a float; ValueError unless it is a number in [0, 1]."""
    return number(finite, "discount", within("discount", discount, 0, 1))


def shaped(name: str, values, shape) -> np.ndarray:
    """``values`` as a finite float array; ValueError unless it has ``shape``. A letter in ``shape`` stands for any size of
    at least 1, and equal letters stand for equal sizes, as in ``("S", "A", "S")``."""
    values, sizes = finite(name, values), {}
    if values.ndim != len(shape) or any(
            size != (sizes.setdefault(wanted, size or None) if isinstance(wanted, str) else wanted)
            for size, wanted in zip(values.shape, shape)):
        raise ValueError(f"{name} must have shape [{', '.join(map(str, shape))}], got {list(values.shape)}")
    return values


def booleans(name: str, values, shape) -> np.ndarray:
    """``values`` as an array of booleans of ``shape``; ValueError otherwise."""
    values = plain(name, values)
    if values.dtype != bool or values.shape != tuple(shape):
        raise ValueError(f"{name} must be booleans of shape {list(shape)}, got {values.dtype} of shape {list(values.shape)}")
    return values


def within(name: str, value, low: float, high: float) -> np.ndarray:
    """``value`` as a float array; ValueError unless every entry is at least ``low`` and at most ``high``."""
    value = finite(name, value)
    _require((low <= value) & (value <= high), name, f"in [{low:g}, {high:g}]", value)
    return value


def below(name: str, value, bound: float, what: str):
    """``value``, already checked; ValueError unless all its numbers are below ``bound``, which the error calls ``what``."""
    if np.any(value >= bound):
        raise ValueError(f"{name} must be below {what} = {bound}, got {np.max(value)}")
    return value


def up_to(name: str, value, most: float, what: str = ""):
    """``value``, already checked; ValueError if any of its numbers exceeds ``most``, which the error calls ``what``."""
    if np.any(value > most):
        raise ValueError(f"{name} must be at most {what and what + ' = '}{most:.12g}, got {np.max(value):.12g}")
    return value


def axis_sizes(name, values, n_axes):
    """The sizes of the axes of ``values``; ValueError unless there are ``n_axes`` of them, none of size 0."""
    sizes = plain(name, values).shape
    if len(sizes) != n_axes or 0 in sizes:
        raise ValueError(f"{name} must have {n_axes} axes, none of them empty, got shape {sizes}")
    return sizes


def whole_batches(n_steps: int, batch_size: int) -> tuple[int, int, int]:
    """Both arguments as whole numbers, and the number of whole batches in ``n_steps``; ValueError if there is none."""
    n_steps, batch_size = whole_number("n_steps", n_steps, least=1), whole_number("batch_size", batch_size, least=1)
    return n_steps, batch_size, n_steps // up_to("batch_size", batch_size, n_steps, "n_steps")


def each_run(name: str, check: Callable, value, runs: int) -> np.ndarray:
    """``value``, one number or one for each run, as ``[runs]``; ValueError for other shapes or if ``check`` fails."""
    value = check(name, value)
    if value.shape not in ((), (runs,)):
        raise ValueError(f"{name} must be one number or one for each of {runs} runs, got shape {list(value.shape)}")
    return np.broadcast_to(value, (runs,))


def discount_below_one(value) -> float:
    """``value`` if it is in [0, 1), where infinite discounted sums of rewards converge; ValueError otherwise."""
    if not 0 <= number(finite, "discount", value) < 1:
        raise ValueError(f"discount must be in [0, 1), got {value}")
    return float(value)
