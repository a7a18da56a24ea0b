"""Finished rows on disk: one SQLite file in which every row carries its own checksum.

A row whose checksum fails is reported, deleted, and computed again. A file that SQLite finds damaged is renamed, never
deleted, and all of its rows are computed again.
"""

import json
import sqlite3
import struct
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from hashlib import sha256
from math import isfinite
from pathlib import Path

import numpy as np

OURS = 0x50524C31  # "PRL1", the application id in the header of the file
SCHEMA = "CREATE TABLE IF NOT EXISTS rows (key BLOB PRIMARY KEY, record BLOB NOT NULL)"  # a checksum, then the columns
WAIT = 60  # seconds for another process that is writing to the same file


class RowStore:
    """The rows in one file, opened by `open_row_store`."""

    def __init__(self, path: Path, connection: sqlite3.Connection):
        self.path, self._connection = path, connection

    def get(self, key: bytes, label: str) -> dict | None:
        """The columns stored under a key; None if there are none, and None with a warning if they are damaged."""
        found = self._connection.execute("SELECT record FROM rows WHERE key = ?", [key]).fetchone()
        if found is None:
            return None
        content = found[0][32:] if isinstance(found[0], bytes) else b""
        if found[0] != _record(key, content):
            warnings.warn(f"{self.path}: the row of {label} is damaged: deleted, and computed again", stacklevel=3)
            self._connection.execute("DELETE FROM rows WHERE key = ?", [key])
            return None
        return decode(content)

    def put(self, key: bytes, columns: Mapping) -> None:
        """Store columns under a key. They are on disk completely when this returns, and never in part."""
        self._connection.execute("INSERT OR REPLACE INTO rows VALUES (?, ?)", [key, _record(key, encode(columns))])

    def __len__(self) -> int:
        return self._connection.execute("SELECT count(*) FROM rows").fetchone()[0]


@contextmanager
def open_row_store(path: str | Path) -> Iterator[RowStore]:
    """Open a new or existing file of rows; a damaged file is renamed.

    Raises ValueError if ``path`` holds another kind of file, and OSError if it cannot be read and written.
    """
    path = Path(path)
    try:
        connection = _open(path)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise OSError(f"{path}: {error}") from error
        _set_aside(path, error)
        connection = _open(path)
    with closing(connection):
        yield RowStore(path, connection)


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=WAIT, isolation_level=None)
    try:
        [verdict] = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            damage = sqlite3.DatabaseError(verdict)
            damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damage
        [owner], [tables] = (connection.execute(question).fetchone() for question in (
            "PRAGMA application_id", "SELECT count(*) FROM sqlite_master"))
        if owner != OURS and tables:
            raise ValueError(f"cache must be a file of cached rows, or a new one, got {path}, another program's database")
        # A row is in the write-ahead log before `put` returns, so it survives if this process is killed at any moment.
        # If the whole machine fails, the last rows may be lost, but none is damaged.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(f"BEGIN IMMEDIATE; PRAGMA application_id = {OURS}; {SCHEMA}; COMMIT")
        return connection
    except BaseException:
        connection.close()
        raise


def _set_aside(path: Path, damage: Exception) -> None:
    with open(path, "rb") as content:
        begins = content.read(16)
    if begins != b"SQLite format 3\0"[:len(begins)]:
        raise ValueError(f"cache must be a file of cached rows, or a new one, got {path}, something else") from damage
    aside = next(name for number in range(1, 1_000_000)
                 if not (name := path.with_name(f"{path.name}.damaged-{number}")).exists())
    for part in ("", "-wal", "-shm"):
        if (file := path.with_name(path.name + part)).exists():
            file.rename(f"{aside}{part}")
    warnings.warn(f"{path} is damaged ({str(damage).splitlines()[0]}): it is now {aside.name}, "
                  "and its rows are computed again", stacklevel=5)


def _record(key: bytes, content: bytes) -> bytes:
    return sha256(key + content).digest() + content


# ----------------------------------------------------------------------------------- values, bit for bit

def encode(columns: Mapping) -> bytes:
    """Columns as readable JSON; values that JSON does not preserve bit for bit are stored with their type and bytes.

    Raises ValueError for values other than None, booleans, numbers, strings and NumPy scalars.
    """
    if odd := [name for name in columns if type(name) is not str]:
        raise ValueError(f"columns of cached rows must have strings as names, got {odd[0]!r}")
    return json.dumps({name: _encoded(name, value) for name, value in columns.items()}).encode()


def _encoded(name, value):
    kind = type(value)
    if value is None or kind in (bool, int, str) or kind is float and isfinite(value):
        return value
    if kind is float:
        return ["float", struct.pack("<d", value).hex()]
    if kind is complex:
        return ["complex", struct.pack("<2d", value.real, value.imag).hex()]
    if isinstance(value, np.generic) and value.dtype.kind in "biufcmMUS":
        return [value.dtype.str, value.tobytes().hex()]
    raise ValueError(f"rows that are cached must hold None, booleans, numbers, strings or numpy's scalars, "
                     f"got {value!r} as {name}")


_NATIVE: dict[str, Callable[[bytes], object]] = {
    "float": lambda raw: struct.unpack("<d", raw)[0], "complex": lambda raw: complex(*struct.unpack("<2d", raw))}


def decode(content: bytes) -> dict:
    """The columns that were passed to `encode`."""
    return {name: _decoded(*value) if isinstance(value, list) else value for name, value in json.loads(content).items()}


def _decoded(kind, text):
    raw = bytes.fromhex(text)
    if kind in _NATIVE:
        return _NATIVE[kind](raw)
    dtype = np.dtype(kind)
    return np.frombuffer(raw, dtype)[0] if dtype.itemsize else dtype.type()  # an empty string has no bytes
