"""Finished rows on disk, as they come: one SQLite file in which every row carries its own checksum.

Damage has two sizes. A row whose checksum fails is named, deleted, and so computed again. A file that SQLite
finds damaged is renamed, never deleted; since each row is a record that can be recognised without SQLite, all
that are still whole are taken over into a new file: of those up to ``LARGEST``, as longer ones SQLite spreads over
several pages. Longer ones are kept and checked like all others, but in such a file they are lost.
"""

import json
import mmap
import re
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
MARK = b"privrl row"
HEAD = struct.Struct(f"<{len(MARK)}sI32s32s")  # the mark, the length of the content, its checksum, the key
LARGEST = 3947  # bytes of a row, as JSON, that SQLite writes in one piece on a page of 4096, with key, checksum, its own
SCHEMA = "CREATE TABLE IF NOT EXISTS rows (key BLOB PRIMARY KEY, record BLOB NOT NULL)"
WAIT = 60  # seconds for another process that is writing to the same file


class RowStore:
    """The rows in one file. Made by `open_row_store`."""

    def __init__(self, path: Path, connection: sqlite3.Connection):
        self.path, self._connection = path, connection

    def get(self, key: bytes, label: str) -> dict | None:
        """The columns kept under a key; None if there are none, or, with a warning, if they are damaged."""
        found = self._connection.execute("SELECT record FROM rows WHERE key = ?", [key]).fetchone()
        if found is None:
            return None
        if (content := _content(found[0], key)) is None:
            warnings.warn(f"{self.path}: the row of {label} is damaged: deleted, and computed again", stacklevel=3)
            self._connection.execute("DELETE FROM rows WHERE key = ?", [key])
            return None
        return decode(content)

    def put(self, key: bytes, columns: Mapping) -> None:
        """Keep columns under a key: on disk, wholly or not at all, when this returns."""
        self._put(_record(key, encode(columns)))

    def _put(self, record: bytes) -> None:
        self._connection.execute("INSERT OR REPLACE INTO rows VALUES (?, ?)", [HEAD.unpack_from(record)[3], record])

    def __len__(self) -> int:
        return self._connection.execute("SELECT count(*) FROM rows").fetchone()[0]


@contextmanager
def open_row_store(path: str | Path) -> Iterator[RowStore]:
    """Open a file of rows, new or not, mended if need be.

    Raises ValueError if there is something else at ``path``, and OSError if it cannot be read and written.
    """
    path = Path(path)
    try:
        connection = _open(path)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise OSError(f"{path}: {error}") from error
        connection = _mended(path, error)
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
            raise ValueError(f"keep must be a file of kept rows, or a new one, got {path}, another program's database")
        # A row is in the log before `put` returns: that survives the end of this process at any moment. It may not
        # survive the end of the whole machine, which costs the last rows and damages none.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(f"BEGIN IMMEDIATE; PRAGMA application_id = {OURS}; {SCHEMA}; COMMIT")
        return connection
    except BaseException:
        connection.close()
        raise


def _mended(path: Path, damage: Exception) -> sqlite3.Connection:
    log = path.with_name(f"{path.name}-wal")
    whole = {key: record for file in (path, log) for key, record in _salvaged(file)}
    with open(path, "rb") as file:
        begins = file.read(16)
    if not whole and begins != b"SQLite format 3\0"[:len(begins)]:
        raise ValueError(f"keep must be a file of kept rows, or a new one, got {path}, something else") from damage
    aside = next(name for number in range(1, 1_000_000)
                 if not (name := path.with_name(f"{path.name}.damaged-{number}")).exists())
    path.rename(aside)
    if log.exists():
        log.rename(f"{aside}-wal")
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    warnings.warn(f"{path} is damaged ({str(damage).splitlines()[0]}): it is now {aside.name}, "
                  f"and {len(whole)} of its rows, which are whole, were taken over", stacklevel=5)
    connection = _open(path)
    rows = RowStore(path, connection)
    connection.execute("BEGIN")
    for record in whole.values():
        rows._put(record)
    connection.execute("COMMIT")
    return connection


def _salvaged(path: Path) -> Iterator[tuple[bytes, bytes]]:
    """The keys and records of all whole rows in a file, whatever its state."""
    if not path.exists() or not path.stat().st_size:
        return
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for start in (match.start() for match in re.finditer(re.escape(MARK), data)):
            if start + HEAD.size <= len(data):
                _, length, _, key = HEAD.unpack_from(data, start)
                record = data[start:start + HEAD.size + length]
                if _content(record, key) is not None:
                    yield key, record


def _record(key: bytes, content: bytes) -> bytes:
    return HEAD.pack(MARK, len(content), sha256(key + content).digest(), key) + content


def _content(record: object, key: bytes) -> bytes | None:
    """What a record holds for a key; None if it is not just what was written."""
    content = record[HEAD.size:] if isinstance(record, bytes) else b""
    return content if record == _record(key, content) else None


# ----------------------------------------------------------------------------------- values, bit for bit

def encode(columns: Mapping) -> bytes:
    """Columns as JSON, which a person can read; what JSON would not give back bit for bit goes with type and bytes.

    Raises ValueError for what is not None, a boolean, a number, a string or a scalar of numpy.
    """
    if odd := [name for name in columns if type(name) is not str]:
        raise ValueError(f"columns of kept rows must have strings as names, got {odd[0]!r}")
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
    raise ValueError(f"rows that are kept must hold None, booleans, numbers, strings or numpy's scalars, "
                     f"got {value!r} as {name}")


_NATIVE: dict[str, Callable[[bytes], object]] = {
    "float": lambda raw: struct.unpack("<d", raw)[0], "complex": lambda raw: complex(*struct.unpack("<2d", raw))}


def decode(content: bytes) -> dict:
    """The columns that `encode` was given."""
    return {name: _decoded(*value) if isinstance(value, list) else value for name, value in json.loads(content).items()}


def _decoded(kind, text):
    raw = bytes.fromhex(text)
    if kind in _NATIVE:
        return _NATIVE[kind](raw)
    dtype = np.dtype(kind)
    return np.frombuffer(raw, dtype)[0] if dtype.itemsize else dtype.type()  # an empty string takes no room
