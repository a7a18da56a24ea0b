"""Grids and runs: one row each, its own generator, the same bits in any order and on any number of processes."""

import io
import platform
import re
import sys
import time
from importlib import metadata

import numpy as np
import pandas as pd
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from privrl_core.experiments import Unfinished, grid, run


def draw(rng, **setting):
    return rng.normal()


def several(rng, n, rule):
    x = rng.normal(size=n)
    return {"mean": x.mean(), "label": f"{rule.__name__}!", "largest": x.max(), "none": None}


def doubled(x):
    return 2 * x


def halved(x):
    return x / 2


def broken(rng, n, rule=doubled):
    if n == 3:
        raise ZeroDivisionError("no way out")
    return n


def without_seconds(table):
    return table.drop(columns="seconds")


def test_a_grid_is_the_product_in_order():
    assert grid(a=[1, 2], b=["x", "y"]) == [
        {"a": 1, "b": "x"}, {"a": 1, "b": "y"}, {"a": 2, "b": "x"}, {"a": 2, "b": "y"}
    ]
    assert grid() == [{}]
    assert grid(a=np.array([0.5, 1]), b=range(2), c=((1, 2),), d=[doubled, None])[-1] == {
        "a": 1.0, "b": 1, "c": (1, 2), "d": None
    }
    assert type(grid(a=np.array([0.5]))[0]["a"]) is float


def test_one_row_per_setting_and_seed():
    table = run(several, grid(n=[10, 20], rule=[doubled, halved]), range(3))
    assert list(table.columns) == ["n", "rule", "seed", "mean", "label", "largest", "none", "seconds", "versions"]
    assert list(zip(table.n, table.rule, table.seed, strict=True)) == [
        (n, rule, seed) for n in (10, 20) for rule in ("doubled", "halved") for seed in range(3)
    ]
    assert (table.label == table.rule + "!").all() and (table["mean"] < table.largest).all()


def test_a_number_is_called_value_and_seconds_are_seconds():
    def sleepy(rng, n):
        time.sleep(0.05)
        return np.float64(n)

    start = time.perf_counter()
    table = run(sleepy, grid(n=[7]), [0])
    assert table.value.tolist() == [7] and 0.05 <= table.seconds[0] <= time.perf_counter() - start


def test_the_number_of_processes_does_not_matter():
    settings, outside = grid(n=[1, 100, 1000], rule=[doubled, halved]), 3

    def local(rng, n, rule):  # as in a notebook: not importable, and it knows something from outside
        return {"x": rule(outside * rng.normal(size=n).sum())}

    alone, together = run(local, settings, range(4)), run(local, settings, range(4), workers=2)
    pd.testing.assert_frame_equal(without_seconds(alone), without_seconds(together), check_exact=True)


def test_order_and_company_do_not_matter():
    whole = run(draw, grid(a=[1, 2, 3], b=["x", "y"]), [5, 6])
    backwards = run(draw, grid(b=["y", "x"], a=[3, 2, 1])[::-1], [6, 5])
    alone = run(draw, grid(a=[2], b=["y"]), [6])
    where = ["a", "b", "seed"]
    assert whole.set_index(where).value.to_dict() == backwards.set_index(where).value.to_dict()
    assert alone.value[0] == whole.set_index(where).value[2, "y", 6]


def test_numbers_that_are_equal_are_the_same_setting():
    results = [run(draw, grid(a=values), [0]).value[0] for values in ([1], [1.0], np.array([1.0]), [np.int64(1)])]
    assert len(set(results)) == 1
    assert len({run(draw, [{"a": a}], [0]).value[0] for a in (1, "1", None, (1,), doubled, 1 + 1e-15)}) == 6


def test_rows_have_independent_generators():
    """800 normal variables, one per row: all different, mean and neighbours' correlation within 6 standard
    errors of 0, failure probability 4e-9 each."""
    table = run(draw, grid(a=range(40)), range(20))
    x = table.value.to_numpy()
    assert len(set(x)) == 800
    bound = norm.isf(1e-9) / np.sqrt(800)
    assert abs(x.mean()) < bound
    assert abs(np.corrcoef(x[:-1], x[1:])[0, 1]) < bound
    assert abs(np.corrcoef(x[:-20], x[20:])[0, 1]) < bound


def test_streams_stay_what_they_are():
    """Published figures depend on them: a change here is a change of every number in the book."""
    x = run(draw, grid(epsilon=[0.1], rule=[doubled]), [7]).value[0]
    assert x == pytest.approx(-0.2442224593828633, rel=1e-12)


@pytest.mark.parametrize("workers", [1, 2])
def test_failures_are_named_with_their_tracebacks_and_the_others_are_there(workers):
    with pytest.raises(Unfinished, match="3 of 9 rows failed, the others are in this error's `table`") as failure:
        run(broken, grid(n=[2, 3, 4], rule=[doubled]), [1, 2, 5], workers=workers)
    message, table = str(failure.value), failure.value.table
    labels = "; ".join(f"n=3, rule='doubled', seed={seed}" for seed in (1, 2, 5))  # one traceback for the three
    assert f"function failed for {labels}:\nTraceback (most recent call last):" in message
    assert message.count("ZeroDivisionError: no way out") == 1 and 'raise ZeroDivisionError("no way out")' in message
    assert table.n.tolist() == [2, 2, 2, 4, 4, 4] and table.seed.tolist() == [1, 2, 5] * 2
    fresh = run(broken, grid(n=[2, 4], rule=[doubled]), [1, 2, 5])
    pd.testing.assert_frame_equal(without_seconds(table), without_seconds(fresh), check_exact=True)


def test_a_table_without_rows_has_the_columns_of_the_settings():
    def never(rng, n, rule):
        raise ArithmeticError("no")

    with pytest.raises(Unfinished) as failure:
        run(never, grid(n=[1, 2], rule=["a"]), [0])
    assert failure.value.table.empty
    assert failure.value.table.columns.tolist() == ["n", "rule", "seed", "versions"]


def test_different_failures_are_told_apart():
    def fails(rng, n):
        raise KeyError(n)

    with pytest.raises(Unfinished, match="function failed for n=1, seed=0:(.|\n)*function failed for n=2, seed=0:"):
        run(fails, grid(n=[1, 2]), [0])


def test_versions_say_which_code_and_which_libraries():
    table = run(draw, grid(a=[1]), [0, 1])
    [text] = set(table.versions)
    for part in (f"python {platform.python_version()}", f"numpy {np.__version__}", f"scipy {scipy.__version__}"):
        assert part in text
    assert text.startswith(f"privrl_core {metadata.version('privrl_core')}, ")


@pytest.mark.parametrize("result, message", [
    ({"a": 1}, r"function must not return the names of settings, .* got \['a'\]"),
    ({"seconds": 1}, r"function must not return .* got \['seconds'\]"),
    ({"versions": 1}, r"function must not return .* got \['versions'\]"),
    (np.zeros(2), r"must return single values, got array\(\[0., 0.\]\) as value"),
    ({"b": [1]}, r"must return single values, got \[1\] as b"),
])
def test_a_result_that_is_no_row_is_a_failure_of_that_row(result, message):
    with pytest.raises(Unfinished, match=message) as failure:
        run(lambda rng, a: result if a == 1 else a, [{"a": 1}, {"a": 2}], [0])
    assert failure.value.table.value.tolist() == [2]


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("stream, ci, shows", [
    (Terminal, None, True), (Terminal, "true", False), (io.StringIO, None, False)])
def test_progress_is_for_people(monkeypatch, stream, ci, shows):
    monkeypatch.delenv("CI", raising=False)
    if ci:
        monkeypatch.setenv("CI", ci)
    monkeypatch.setattr("sys.stderr", out := stream())
    monkeypatch.setitem(sys.modules, "ipykernel", None)
    monkeypatch.delitem(sys.modules, "ipykernel")
    run(lambda rng, n: time.sleep(0.3), grid(n=range(6)), [0])
    assert ("/6 [" in out.getvalue()) == shows
    if shows:
        assert re.search(r"\d+/6 \[\d\d:\d\d<\d\d:\d\d, ", out.getvalue())  # the time that is left


# ------------------------------------------------------------------------------------------- wrong arguments

@pytest.mark.parametrize("values, message", [
    (0.1, "epsilon must be a list, range or array of at least one value, got 0.1"),
    ("abc", "epsilon must be a list, range or array of at least one value, got 'abc'"),
    ([], r"epsilon must be .* at least one value, got \[\]"),
    (np.zeros((2, 2)), "epsilon must be a list, range or array"),
    ((x for x in [1]), "epsilon must be a list, range or array"),
    ({1: 2}, "epsilon must be a list, range or array"),
    ([1, 2, 1.0], "epsilon must hold different values, got 1.0 twice"),
    ([doubled, doubled], "epsilon must hold different values, got function doubled twice"),
    ([lambda x: x], "epsilon must hold numbers, strings, None, tuples of these or named functions, got <function"),
    ([np.zeros(2)], "epsilon must hold numbers, strings"),
    ([{}], r"epsilon must hold numbers, strings, .* got \{\}"),
    ([(1, [2])], r"epsilon must hold numbers, strings, .* got \[2\]"),
])
def test_grid_refuses(values, message):
    with pytest.raises(ValueError, match=message):
        grid(epsilon=values)


@pytest.mark.parametrize("changes, message", [
    (dict(function=3), "function must be callable, got 3"),
    (dict(grid=[]), r"grid must hold at least one setting, got \[\]"),
    (dict(grid=[{"a": 1}, {"a": 1.0}]), "grid must hold different values, got a=1.0 twice"),
    (dict(grid=[{"seed": 1}]), r"grid must not use the names rng, seed, seconds and versions, got \['seed'\]"),
    (dict(grid=[{"rng": 1}]), "grid must not use the names rng"),
    (dict(grid=[{"a": np.zeros(2)}]), "a must hold numbers"),
    (dict(seeds=[]), "seeds must be a list, range or array of at least one value"),
    (dict(seeds=5), "seeds must be a list, range or array of at least one value, got 5"),
    (dict(seeds=[1, 1]), "seeds must hold different values, got 1.0 twice"),
    (dict(seeds=[-1]), "seeds must be a whole number of at least 0, got -1"),
    (dict(seeds=[0.5]), "seeds must be a whole number of at least 0, got 0.5"),
    (dict(seeds=[None]), "seeds must be numeric|seeds must be finite"),
    (dict(workers=0), "workers must be a whole number of at least 1, got 0"),
    (dict(workers=np.nan), "workers must be finite, got nan"),
    (dict(workers="dask"), "workers must be numeric, got 'dask'"),
])
def test_run_refuses(changes, message):
    with pytest.raises(ValueError, match=message):
        run(**{**dict(function=draw, grid=[{"a": 1}], seeds=[0]), **changes})


values = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.complex_numbers())


@given(st.one_of(st.lists(values), st.floats(), st.text(), st.none()))
def test_grids_are_made_or_refused_clearly(values):
    try:
        made = grid(a=values)
    except ValueError as error:
        assert str(error).startswith("a must")
    else:
        assert [setting["a"] for setting in made] == list(values) or any(v != v for v in values)
        assert run(draw, made, [0]).value.nunique() == len(values)
