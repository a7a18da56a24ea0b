"""Cached rows: every value bit for bit, nothing lost to a kill, damage found, named and confined."""

import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrl_core.experiments import Unfinished, grid, run
from privrl_core.experiments.row_store import decode, encode, open_row_store

ROOT = Path(__file__).parents[2]
N = 60


def measured(rng, n, log):
    """A row of every kind of value; leaves a line where it ran."""
    with open(log, "a") as file:
        file.write(f"{n}\n")
    return {"x": rng.normal(), "native": float(rng.normal()), "whole": int(rng.integers(2**40)), "yes": n % 2 == 0,
            "text": "ü" * n, "none": None, "infinite": np.inf, "nan": np.nan, "small": np.float32(rng.normal()),
            "count": np.uint8(n), "complex": 1j * n, "date": np.datetime64("2016-06-19"), "label": np.str_("")}


def bits(value):
    return type(value).__name__, struct.pack("<d", value) if isinstance(value, float) else repr(value)


def assert_same(one: pd.DataFrame, other: pd.DataFrame):
    """The same table bit for bit, but for the column that says how long each row took."""
    one, other = one.drop(columns="seconds"), other.drop(columns="seconds")
    pd.testing.assert_frame_equal(one, other, check_exact=True)
    for name in one:
        assert list(map(bits, one[name])) == list(map(bits, other[name])), name


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


class Place:
    """A file of rows, and the rows that ran since the last time this was asked."""

    def __init__(self, folder: Path):
        self.file, self.log = folder / "rows.sqlite", folder / "log"
        self.settings = grid(n=range(N), log=[str(self.log)])

    def run(self, settings=None, **options):
        return run(measured, settings or self.settings, [3], cache=self.file, **options)

    def fresh(self):
        table = run(measured, self.settings, [3])
        self.log.unlink()
        return table

    def ran(self) -> list[int]:
        lines = list(map(int, self.log.read_text().split())) if self.log.exists() else []
        self.log.write_text("")
        return lines


# ---------------------------------------------------------------------------------------------- resuming

def test_cached_resumed_and_fresh_tables_are_the_same_bits(place):
    fresh = place.fresh()
    assert_same(place.run(place.settings[20:40]), fresh.iloc[20:40].reset_index(drop=True))
    assert place.ran() == list(range(20, 40))
    assert_same(place.run(), fresh)  # resumed
    assert place.ran() == [*range(20), *range(40, N)]
    again = place.run()
    assert_same(again, fresh)
    assert place.ran() == []
    assert again.seconds.equals(place.run().seconds)  # of the time when they ran


def test_a_row_is_found_by_setting_type_and_seed_only(place):
    def draw(rng, a):
        return rng.normal()

    def rows(a, seeds):
        return run(draw, grid(a=a), seeds, cache=place.file)

    first = rows([1, 2], [0, 1])
    assert_same(rows([2, 1], [1, 0]).iloc[::-1].reset_index(drop=True), first)
    with open_row_store(place.file) as kept:
        assert len(kept) == 4
    assert type(rows([1.0], [0]).a[0]) is np.float64  # equal, the same stream, but another type: another row
    with open_row_store(place.file) as kept:
        assert len(kept) == 5


def test_failed_rows_run_again_and_the_others_do_not(place):
    flag = place.file.with_name("mended")

    def sometimes(rng, n):
        if n == 2 and not flag.exists():
            raise ZeroDivisionError
        with open(place.log, "a") as log:
            log.write(f"{n}\n")
        return n

    with pytest.raises(Unfinished, match="n=2, seed=0"):
        run(sometimes, grid(n=range(5)), [0], cache=place.file)
    assert place.ran() == [0, 1, 3, 4]
    flag.touch()
    assert run(sometimes, grid(n=range(5)), [0], cache=place.file).value.tolist() == [0, 1, 2, 3, 4]
    assert place.ran() == [2]


def test_without_a_cache_nothing_is_written(place, monkeypatch):
    monkeypatch.chdir(place.file.parent)
    run(measured, place.settings[:2], [0])
    assert {path.name for path in place.file.parent.iterdir()} == {"log"}


def test_a_value_that_cannot_be_cached_is_a_failure_of_its_row(place):
    with pytest.raises(Unfinished, match="n=1, seed=0:\nValueError: rows that are cached must hold") as failure:
        run(lambda rng, n: [0, object(), 2][n], grid(n=range(3)), [0], cache=place.file)
    assert failure.value.table.value.tolist() == [0, 2]


def test_a_process_that_dies_is_an_error_with_what_was_finished(place):
    def dies(rng, n):
        if n == 7:
            os._exit(3)
        return n

    with pytest.raises(Unfinished, match="of 8 rows are finished and cached in .*; then .*Terminated") as failure:
        run(dies, grid(n=range(8)), [0], cache=place.file, workers=2)
    assert set(failure.value.table.n) < set(range(8))


@pytest.mark.parametrize("name, content", [
    ("table.csv", b"a,b\n1,2\n"), ("other.sqlite", None), ("nowhere/rows.sqlite", None), ("folder", None)])
def test_a_place_that_is_not_for_rows_is_refused_and_left_alone(tmp_path, name, content):
    path = tmp_path / name
    if content:
        path.write_bytes(content)
    elif name == "folder":
        path.mkdir()
    elif name == "other.sqlite":
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE addresses (name TEXT)")
        connection.close()
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises((ValueError, OSError), match=f"{name}.*(something else|another program's|unable to open)"):
        run(lambda rng, n: n, grid(n=[1]), [0], cache=path)
    assert not before or path.read_bytes() == before
    assert not list(tmp_path.glob("*damaged*"))


# ------------------------------------------------------------------------------------------------ values

natives = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.complex_numbers())
scalars = natives | st.sampled_from([
    np.float32(0.1), np.float64(-0.0), np.int8(-3), np.uint64(2**64 - 1), np.bool_(True), np.complex64(1 + 2j),
    np.str_("ß"), np.str_(""), np.bytes_(b"\0a"), np.datetime64("NaT"), np.timedelta64(3, "ms"),
    np.float16(1e-7), "\ud800",
    struct.unpack("<d", b"\1\0\0\0\0\0\xf8\xff")[0], np.float64(struct.unpack("<d", b"\7\0\0\0\0\0\xf8\x7f")[0])])


@given(st.dictionaries(st.text(), scalars))
def test_values_come_back_with_type_and_bits(columns):
    back = decode(encode(columns))
    assert list(back) == list(columns)
    for name, value in columns.items():
        assert bits(back[name]) == bits(value) and type(back[name]) is type(value)
        if isinstance(value, np.generic):
            assert back[name].dtype == value.dtype and back[name].tobytes() == value.tobytes()


@pytest.mark.parametrize("columns, message", [
    ({"a": [1]}, r"must hold None, .* got \[1\] as a"), ({"a": 1 << 20000}, "limit"),
    ({1: 1}, "strings as names, got 1"),
    ({"a": np.array([(1, 2)], dtype="i4,i4")[0]}, "must hold None"), ({"a": pd.Timestamp(0)}, "must hold None"),
])
def test_other_values_are_refused(columns, message):
    with pytest.raises(ValueError, match=message):
        encode(columns)


# ------------------------------------------------------------------------------------------------- kills

KILLED = """
import os, random, signal, sys, time
import pandas as pd
from privrl_core.experiments import grid, run

def slow(rng, n):
    os.write(99, b"%d\\n" % n)
    while os.fstat(99).st_size > 12 and os.path.exists(f"{folder}/wait"):
        time.sleep(0.01)  # a process begins seven rows at most before it is killed, so that all have some to begin
    time.sleep(0.001)
    return rng.normal()

def log(name):
    os.dup2(os.open(f"{folder}/{name}", os.O_WRONLY | os.O_CREAT), 99)

folder, settings = sys.argv[1], grid(n=range(150))
log("undisturbed")
undisturbed = run(slow, settings, [0])
moments, kills = random.Random(5), 0
open(f"{folder}/wait", "w").close()
while kills <= 20:
    log(kills)
    if kills == 20:
        os.unlink(f"{folder}/wait")
    if not (child := os.fork()):
        table = run(slow, settings, [0], cache=f"{folder}/rows.sqlite")
        same = [one.drop(columns="seconds") for one in (table, undisturbed)]
        pd.testing.assert_frame_equal(*same, check_exact=True)
        os._exit(0)
    if kills < 20:
        while kills % 2 and not os.path.getsize(f"{folder}/{kills}"):
            time.sleep(0.001)  # half of them only once rows are coming
        time.sleep(moments.uniform(0, 0.01))
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if status and kills == 20:
        sys.exit("the table differs, or the run failed")
    kills += 1
"""


def test_twenty_kills_at_random_moments_cost_no_finished_row(tmp_path):
    """The process of the run gets SIGKILL 20 times. A row begins only when the one before is kept, so of those that
    a process began only the last may run again."""
    subprocess.run([sys.executable, "-c", KILLED, tmp_path], check=True, cwd=ROOT)
    began = [list(map(int, (tmp_path / str(k)).read_text().split())) for k in range(21)]
    assert all(began[1::2]) and all(len(rows) <= 7 for rows in began[:20])  # every other kill came in the middle
    finished = [row for rows in began[:20] for row in rows[:-1]] + began[20]
    assert set(finished) | {rows[-1] for rows in began[:20] if rows} == set(range(150))
    assert Counter(finished).most_common(1)[0][1] == 1


TOGETHER = """
import os, sys, time
from privrl_core.experiments import grid, run

def slow(rng, n):
    time.sleep(0.02)
    with open(os.environ["RAN"], "a") as ran:  # not a value that the function holds: it is another each time
        ran.write(f"{n}\\n")
    return {"row": n, "x": rng.normal()}

run(slow, grid(n=range(200)), [0], workers=2, cache=sys.argv[1])
"""


def test_kills_with_two_processes_leave_nobody_behind_and_no_cached_row_runs_again(place):
    """SIGKILL once while the two start, then at moments set by what has come into the file. Rows that are on their
    way from a worker to the file may run again."""
    moments, log = random.Random(7), place.file.with_name(f"{place.file.name}-wal")
    middle = 0

    def kept() -> set[int]:
        with open_row_store(place.file) as rows:
            return {decode(record[32:])["row"] for [record] in rows._connection.execute("SELECT record FROM rows")}

    for kill in range(4):
        before, ran = kept(), place.log.with_name(str(kill))
        process = subprocess.Popen([sys.executable, "-c", TOGETHER, place.file], cwd=ROOT, stderr=subprocess.DEVNULL,
                                   env=os.environ | {"RAN": str(ran), "OMP_NUM_THREADS": "1"})
        parent = psutil.Process(process.pid)
        if kill < 3:  # a row takes at least two pages of the log
            size = 8192 * moments.randint(1, 20)
            wait_until(lambda: ended(parent) or (len(parent.children(recursive=True)) >= 3 if kill == 0 else
                                                 log.exists() and log.stat().st_size > size))
            left = parent.children(recursive=True)
            process.kill()
            wait_until(lambda: all(map(ended, left)))
        assert process.wait() in (0, -signal.SIGKILL)
        rows = list(map(int, ran.read_text().split())) if ran.exists() else []
        assert len(set(rows)) == len(rows) and not before & set(rows)
        middle += 0 < len(kept()) < 200
    assert middle and before | set(rows) == kept() == set(range(200))


def ended(process: psutil.Process) -> bool:
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_until(happened):
    """For events, however slow the machine is."""
    end = time.monotonic() + 600
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_write_beyond_the_limit_of_file_sizes_says_so_and_loses_nothing(place):
    expected = place.fresh()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    place.run(place.settings[:3])
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, hard))
    try:
        with pytest.raises(Unfinished, match="of 60 rows are finished and cached in .*; then .*Error") as failure:
            place.run()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    finished = place.ran()[:-1]
    assert 3 <= len(finished) < N and len(failure.value.table) == len(finished)
    assert_same(place.run(), expected)
    assert not set(place.ran()) & set(finished)


# ------------------------------------------------------------------------------------------------ damage

@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    place = Place(tmp_path_factory.mktemp("whole"))
    return place, place.run()


@pytest.fixture
def damaged(whole, place):
    shutil.copy(whole[0].file, place.file)
    place.settings = whole[0].settings
    place.log = whole[0].log
    place.ran()
    return place


def test_a_damaged_row_is_named_and_only_that_row_runs_again(damaged, whole):
    data = bytearray(damaged.file.read_bytes())
    at = data.index(b'"text": "' + json.dumps("ü" * 17)[1:].encode())
    data[at + 12] ^= 1
    damaged.file.write_bytes(data)
    with pytest.warns(UserWarning, match=r"rows.sqlite: the row of n=17, .* seed=3 is damaged"):
        table = damaged.run()
    assert_same(table, whole[1])
    assert damaged.ran() == [17]
    assert_same(damaged.run(), whole[1])
    assert damaged.ran() == []


@pytest.mark.parametrize("part", [0, 10, 100, 4096, 5000, 12_000, 20_000, 30_000])
def test_a_truncated_file_is_set_aside_and_its_rows_are_computed_again(damaged, whole, part):
    content = damaged.file.read_bytes()
    damaged.file.write_bytes(content[:part])
    if part:
        with pytest.warns(UserWarning, match="is damaged .* it is now rows.sqlite.damaged-1, and its rows are computed again"):
            table = damaged.run()
        assert damaged.file.with_name("rows.sqlite.damaged-1").read_bytes() == content[:part]
    else:
        table = damaged.run()  # an empty file is a new one
    assert_same(table, whole[1])
    assert len(damaged.ran()) == N
    assert_same(damaged.run(), whole[1])
    assert damaged.ran() == []


def test_what_was_set_aside_before_stays(damaged):
    content = damaged.file.read_bytes()[:5000]
    for number in (1, 2):
        damaged.file.write_bytes(content)
        with pytest.warns(UserWarning, match=f"it is now rows.sqlite.damaged-{number}, "):
            damaged.run(damaged.settings[:1])
    assert all(damaged.file.with_name(f"rows.sqlite.damaged-{number}").read_bytes() == content for number in (1, 2))


SIZES = {b"%032d" % size: size for size in (100, 4000, 50_000)}


@pytest.fixture
def sizes(tmp_path):
    with open_row_store(tmp_path / "rows") as rows:
        for key, size in SIZES.items():
            rows.put(key, {"a": "b" * (size - len(encode({"a": ""})))})
    return tmp_path / "rows"


def test_damage_within_a_row_of_many_pages_is_found(sizes):
    data = bytearray(sizes.read_bytes())
    data[data.rindex(b"b" * 100)] ^= 1
    sizes.write_bytes(data)
    with open_row_store(sizes) as rows:
        *whole, last = SIZES
        assert all(rows.get(key, "") for key in whole)
        with pytest.warns(UserWarning, match="the row of this one is damaged"):
            assert rows.get(last, "this one") is None


@pytest.mark.parametrize("seed", range(25))
def test_whatever_bytes_are_overwritten_the_table_is_right_and_what_is_lost_is_said(damaged, whole, seed):
    """Nothing from the damaged file is taken for a row that is not one; what runs again was named, or its file was."""
    rng = np.random.default_rng(seed)
    content = bytearray(damaged.file.read_bytes())
    at, size = rng.integers(100, len(content)), rng.choice([1, 30, 500, 5000])
    content[at:at + size] = rng.bytes(len(content[at:at + size]))
    damaged.file.write_bytes(content)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        table = damaged.run()
    assert_same(table, whole[1])
    ran, aside = damaged.ran(), damaged.file.with_name("rows.sqlite.damaged-1").exists()
    assert len(ran) == (N if aside else len(said))
    assert_same(damaged.run(), whole[1])
    assert damaged.ran() == []


def test_a_file_without_the_header_of_a_database_is_left_alone(damaged):
    content = b"\xff" * 16 + damaged.file.read_bytes()[16:]
    damaged.file.write_bytes(content)
    with pytest.raises(ValueError, match="cache must be a file of cached rows, or a new one, got .*, something else"):
        damaged.run()
    assert damaged.file.read_bytes() == content
