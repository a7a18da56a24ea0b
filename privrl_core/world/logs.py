"""External logs: tables of decisions with labels of any kind, checked row by row.

A log has one row for each decision. `read_log` reads it from a file, `sorted_log` checks and sorts it, and
`.Episodes.from_frame` makes episodes of it. Errors name the faulty row by its line in the file or its DataFrame index.
"""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from pathlib import Path

import numpy as np

from privrl_core.lazy import needs

__all__ = ["Log", "read_log", "sorted_log"]


@dataclass(frozen=True, eq=False)
class Log:
    """N decisions of m episodes, sorted by episode and time.

    ``lengths[m]`` are the numbers of decisions, ``states[N + m]`` the positions of the states in ``state_labels``, with
    the final state of each episode after its decisions, ``actions[N]`` those of the actions in ``action_labels``, and
    ``rewards[N]`` the rewards. ``labels_from_data`` names the lists of labels that were taken from the data.
    """

    lengths: np.ndarray
    states: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    state_labels: tuple
    action_labels: tuple
    labels_from_data: tuple[str, ...]


def read_log(path, *, time: str, reward: str, delimiter: str = ","):
    """A CSV or Parquet file (by its suffix) as a DataFrame for `.Episodes.from_frame`.

    A CSV file is UTF-8 text whose first line names the columns and whose last line ends with a line break. The columns
    ``time`` and ``reward`` become numbers, or ISO 8601 dates for ``time``; all others stay text, so that 01 is not 1. The
    index holds the line numbers. Raises ValueError, naming the line, for anything else, OSError if the file cannot be
    opened, and ModuleNotFoundError for Parquet without ``pyarrow``.
    """
    with needs("logs"):
        import pandas as pd

    path = Path(path)
    if path.suffix.lower() == ".parquet":
        try:
            return pd.read_parquet(path)
        except ImportError:
            raise ModuleNotFoundError("a Parquet file needs the package pyarrow: install it, or save the log as CSV"
                                      ) from None
    if not (isinstance(delimiter, str) and len(delimiter) == 1):
        raise ValueError(f"delimiter must be one character, got {delimiter!r}")
    data = _text_bytes(path.read_bytes())
    options = dict(sep=delimiter, na_filter=False, skip_blank_lines=False, low_memory=False)
    try:
        header = pd.read_csv(io.BytesIO(data), header=None, nrows=1, dtype=object, **options).iloc[0].tolist()
        if len(set(header)) < len(header):
            twice = next(name for name in header if header.count(name) > 1)
            raise ValueError(f"line 1 must name each column once, got {twice!r} {header.count(twice)} times")
        text = {name: object for name in header if name not in (time, reward)}
        frame = pd.read_csv(io.BytesIO(data), dtype=text, **options)
    except pd.errors.ParserError as error:
        raise ValueError(_parser_sentence(str(error))) from None
    if not isinstance(frame.index, pd.RangeIndex):
        raise ValueError(f"line 2 must have {len(header)} fields like the names in line 1, got more")
    frame.index = _line_numbers(frame, data)
    if time in frame:
        frame[time] = _parsed(frame, time, dates=True)
    if reward in frame:
        frame[reward] = _parsed(frame, reward)
    return frame


def _text_bytes(data):
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"line {_line_at(data, error.start)} must be UTF-8 text, got the byte "
                         f"0x{data[error.start]:02x}") from None
    if b"\0" in data:
        raise ValueError(f"line {_line_at(data, data.index(0))} must be text, got a zero byte")
    if not data.strip():
        raise ValueError("line 1 must name the columns, got an empty file")
    if data[-1:] not in (b"\n", b"\r"):
        raise ValueError(f"line {_line_at(data, len(data))}, the last one, must end with a line break, "
                         "got none: the file may have been cut")
    return data


def _line_at(data, position):
    return data.count(b"\n", 0, position) + 1


def _parser_sentence(error):
    if found := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", error):
        return f"line {found[2]} must have {found[1]} fields like the names in line 1, got {found[3]}"
    if found := re.search(r"EOF inside string starting at row (\d+)", error):
        return f"line {int(found[1]) + 1} must close the quotation mark that it opens, got the end of the file"
    return f"the file must be a table of fields with a delimiter, got: {' '.join(error.split())}"


def _line_numbers(frame, data):
    import pandas as pd

    breaks = np.zeros(len(frame), int)  # within quoted fields
    if data.count(b"\n") != len(frame) + 1:
        for column in frame.select_dtypes(object):
            breaks += frame[column].str.count("\n").to_numpy(int)
    return pd.Index(2 + np.arange(len(frame)) + np.cumsum(breaks) - breaks, name="line")


def _parsed(frame, column, dates=False):
    """A column as numbers or, if allowed, dates; pandas reads it as text if any entry is not a number."""
    import pandas as pd

    text = frame[column]
    if text.dtype != object and not isinstance(text.dtype, pd.StringDtype):
        return text
    values = pd.to_numeric(text, errors="coerce")
    if dates and values.isna().all():
        values = pd.to_datetime(text, format="ISO8601", errors="coerce", utc=True)
    _require(frame, values.notna(), column, "a number or a date like 2024-01-31T12:00" if dates else "a number")
    return values


def sorted_log(frame, *, episode, time, state, action, reward, next_state=None, end_state=None,
               states: Sequence | None = None, actions: Sequence | None = None, ends: Sequence | None = None) -> Log:
    """The decisions of a DataFrame, checked and sorted. Arguments and errors as for `.Episodes.from_frame`."""
    with needs("logs"):
        import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise ValueError(f"the log must be a pandas DataFrame, got {type(frame).__name__}")
    if (next_state is None) == (end_state is None):
        raise ValueError(f"one of next_state and end_state must be given, got {next_state!r} and {end_state!r}")
    common_end = end_state is not None and end_state not in frame.columns
    if common_end and end_state not in (() if states is None else states):
        raise ValueError(f"end_state must be a column of the log or one of states, got {end_state!r}")
    following = next_state if end_state is None else end_state
    if common_end and ends is not None:
        raise ValueError(f"ends must be left out if all episodes end in {end_state!r}, got {ends!r:.200}")
    _require_columns(frame, [episode, time, state, action, reward] + [following] * (not common_end))

    ids, _ = positions_of_labels(frame, episode)
    times, whole = _times(frame, time)
    [acts], action_labels = _positions(frame, [action], "actions", actions)
    [now, *after], state_labels = _positions(frame, [state] + [following] * (not common_end), "states", states)
    known_ends = () if ends is None else _public_labels("ends", ends)
    if unknown := [label for label in known_ends if label not in state_labels]:
        raise ValueError(f"ends must be among the states, {_listed(state_labels)}, got {unknown[0]!r}")
    gains = _numbers(frame, reward)
    after = after[0] if after else np.full(len(frame), state_labels.index(end_state))

    order = np.lexsort((times, ids))
    ids, times, now, after = ids[order], times[order], now[order], after[order]
    together = ids[1:] == ids[:-1]  # row i + 1 belongs to the episode of row i
    pairs = _Pairs(frame, order, together)
    pairs.require(times[1:] != times[:-1], time, "different at each step of an episode", time)
    if whole:
        pairs.require(times[1:] - times[:-1] == 1, time, "one more at each step of an episode, as it is whole numbers", time)
    if next_state is not None:
        pairs.require(after[:-1] == now[1:], next_state, f"the {state!r} of the step after it", state)
    elif not common_end:
        pairs.require(after[:-1] == after[1:], end_state, "the same at each step of an episode", end_state)

    last = np.flatnonzero(np.append(~together, True))
    if ends is not None:
        right = np.ones(len(frame), bool)
        right[order[last]] = np.isin(after[last], [state_labels.index(label) for label in known_ends])
        _require(frame, right, following, f"one of ends, {_listed(known_ends)}, at the last step of an episode")
    return Log(np.diff(last, prepend=-1), np.insert(now, last + 1, after[last]), acts[order], gains[order],
               state_labels, action_labels, ("states",) * (states is None) + ("actions",) * (actions is None))


def _require_columns(frame, names):
    where = "line 1 must name" if frame.index.name == "line" else "the log must have"
    for name in names:
        times = list(frame.columns).count(name)
        if times != 1:
            raise ValueError(f"{where} a column {name!r} once, got it {times} times among {_listed(frame.columns)}")
    if not len(frame):
        where = "line 2 must hold the first decision" if frame.index.name == "line" else "the log must have rows"
        raise ValueError(f"{where}, got none")


def _row(frame, i):
    if not frame.index.is_unique:
        return f"row number {i} from the top (counted from 0)"
    return f"{'line' if frame.index.name == 'line' else 'row'} {frame.index[i]}"


def _require(frame, right, column, bound):
    right = np.asarray(right, bool)
    if not right.all():
        i = int(np.argmin(right))
        raise ValueError(f"column {column!r} must be {bound}, got {_shown(frame[column].iloc[i])} in {_row(frame, i)}")


def _shown(value):
    return repr(value) if isinstance(value, str) else str(value)


@dataclass(frozen=True)
class _Pairs:
    """Consecutive rows of the sorted log, and checks of those that belong to the same episode."""

    frame: object
    order: np.ndarray
    together: np.ndarray

    def require(self, right, column, bound, other):
        wrong = self.together & ~right
        if wrong.any():
            i, k = self.order[int(np.argmax(wrong)):][:2]
            raise ValueError(f"column {column!r} must be {bound}, got {_shown(self.frame[column].iloc[i])} in "
                             f"{_row(self.frame, i)} and {_shown(self.frame[other].iloc[k])} in {_row(self.frame, k)}")


def _kind(value):
    if isinstance(value, str):
        return "text"
    return "a number" if isinstance(value, Real) and not isinstance(value, bool) else None


def positions_of_labels(frame, column):
    """A column of labels as positions in a list of different labels, all text or all numbers."""
    import pandas as pd

    values = frame[column]
    _require(frame, values.notna(), column, "given in each row")
    if isinstance(values.dtype, pd.CategoricalDtype):
        values = values.astype(values.cat.categories.dtype)
    kind = pd.api.types.infer_dtype(values)
    if kind not in ("string", "integer", "floating", "mixed-integer-float"):
        kinds = values.map(_kind)
        _require(frame, kinds.notna(), column, "text or a number")
        _require(frame, kinds == kinds.iloc[0], column, f"{kinds.iloc[0]} in each row, as in {_row(frame, 0)}")
    codes, uniques = pd.factorize(values)
    uniques = [value.item() if isinstance(value, np.generic) else value for value in uniques.tolist()]
    if kind == "string":
        _require(frame, np.array([label.strip() != "" for label in uniques])[codes], column, "given in each row")
        tidy = np.array([label == label.strip() for label in uniques])
        _require(frame, tidy[codes], column, "text without blanks at its ends")
    else:
        _require(frame, np.isfinite(np.array(uniques, float))[codes], column, "finite")
    return codes, uniques


def _positions(frame, columns, argument, public):
    """The labels of some columns as positions in one list of labels, the public one if it is given, and that list."""
    coded = [positions_of_labels(frame, column) for column in columns]
    if public is None:
        found = set().union(*(uniques for _, uniques in coded))
        if len(set(map(_kind, found))) > 1:
            raise ValueError(f"columns {columns[0]!r} and {columns[1]!r} must both hold text or both numbers, got "
                             f"{coded[0][1][0]!r} and {coded[1][1][0]!r} in {_row(frame, 0)}")
        labels = tuple(sorted(found))
    else:
        labels = _public_labels(argument, public)
    position = {label: i for i, label in enumerate(labels)}
    positions = [np.array([position.get(label, -1) for label in uniques])[codes] for codes, uniques in coded]
    for column, found in zip(columns, positions, strict=True):
        _require(frame, found >= 0, column, f"one of {argument}, {_listed(labels)}")
    return positions, labels


def _listed(labels):
    listed = ", ".join(map(repr, labels))
    return listed if len(listed) < 200 else listed[:200] + " ..."


def _public_labels(argument, public):
    labels = () if isinstance(public, (str, bytes)) else tuple(public)
    kinds = {_kind(label) for label in labels}
    if len(kinds) != 1 or None in kinds or len(set(labels)) < len(labels):
        raise ValueError(f"{argument} must be a list of different labels, all text or all numbers, got {public!r:.200}")
    return labels


def _times(frame, column):
    """Times as numbers, and whether they are whole numbers that count steps."""
    import pandas as pd

    values = frame[column].infer_objects()
    _require(frame, values.notna(), column, "given in each row")
    if pd.api.types.is_datetime64_any_dtype(values) or pd.api.types.is_timedelta64_dtype(values):
        return values.astype("int64").to_numpy(), False
    numbers = _numbers(frame, column, "a finite number or a date")
    return numbers, bool(np.all(numbers == np.rint(numbers)))


def _numbers(frame, column, bound="a finite number"):
    import pandas as pd

    values = frame[column].infer_objects()
    if pd.api.types.is_bool_dtype(values) or not pd.api.types.is_any_real_numeric_dtype(values):
        _require(frame, values.map(_kind) == "a number", column, bound)
        values = values.astype(float)
    if pd.api.types.is_integer_dtype(values):
        _require(frame, values.notna(), column, bound)
        return values.to_numpy(np.int64)
    numbers = values.to_numpy(float, na_value=np.nan)
    _require(frame, np.isfinite(numbers), column, bound)
    return numbers
