"""Grids and runs: one row each, its own generator, the same bits in any order and on any number of processes."""

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from privrl_core.experiments import grid, run


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
    assert list(table.columns) == ["n", "rule", "seed", "mean", "label", "largest", "none", "seconds"]
    assert list(zip(table.n, table.rule, table.seed, strict=True)) == [
        (n, rule, seed) for n in (10, 20) for rule in ("doubled", "halved") for seed in range(3)
    ]
    assert (table.label == table.rule + "!").all() and (table["mean"] < table.largest).all()


def test_a_number_is_called_value_and_seconds_are_seconds():
    def sleepy(rng, n):
        time.sleep(0.05)
        return np.float64(n)

    table = run(sleepy, grid(n=[7]), [0])
    assert table.value.tolist() == [7] and 0.05 <= table.seconds[0] < 5


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
def test_a_failure_names_its_setting_and_seed(workers):
    with pytest.raises(RuntimeError, match="failed for n=3, rule='doubled', seed=1: ZeroDivisionError: no way"):
        run(broken, grid(n=[2, 3], rule=[doubled]), [1], workers=workers)


def test_a_failure_keeps_its_cause():
    with pytest.raises(RuntimeError) as failure:
        run(broken, grid(n=[3]), [0])
    assert isinstance(failure.value.__cause__, ZeroDivisionError)


# ------------------------------------------------------------------------------------------- wrong arguments

@pytest.mark.parametrize("values, message", [
    (0.1, "epsilon must be a list, range or array of at least one value, got 0.1"),
    ("abc", "epsilon must be a list, range or array of at least one value, got 'abc'"),
    ([], r"epsilon must be .* at least one value, got \[\]"),
    (np.zeros((2, 2)), "epsilon must be a list, range or array"),
    ((x for x in [1]), "epsilon must be a list, range or array"),
    ({1: 2}, "epsilon must be a list, range or array"),
    ([1, 2, 1.0], "epsilon must hold everything once, got 1.0 twice"),
    ([doubled, doubled], "epsilon must hold everything once, got function doubled twice"),
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
    (dict(grid=[{"a": 1}, {"a": 1.0}]), "grid must hold everything once, got a=1.0 twice"),
    (dict(grid=[{"seed": 1}]), r"grid must not use the names rng, seed and seconds, got \['seed'\]"),
    (dict(grid=[{"rng": 1}]), "grid must not use the names rng"),
    (dict(grid=[{"a": np.zeros(2)}]), "a must hold numbers"),
    (dict(seeds=[]), "seeds must be a list, range or array of at least one value"),
    (dict(seeds=5), "seeds must be a list, range or array of at least one value, got 5"),
    (dict(seeds=[1, 1]), "seeds must hold everything once, got 1.0 twice"),
    (dict(seeds=[-1]), "seeds must be a whole number of at least 0, got -1"),
    (dict(seeds=[0.5]), "seeds must be a whole number of at least 0, got 0.5"),
    (dict(seeds=[None]), "seeds must be numeric|seeds must be finite"),
    (dict(workers=0), "workers must be a whole number of at least 1, got 0"),
    (dict(workers=np.nan), "workers must be finite, got nan"),
    (dict(function=lambda rng, a: {"a": 1}), r"function must not return the names of settings, .* got \['a'\]"),
    (dict(function=lambda rng, a: {"seconds": 1}), r"function must not return .* got \['seconds'\]"),
    (dict(function=lambda rng, a: np.zeros(2)), r"must return single values, got array\(\[0., 0.\]\) as value"),
    (dict(function=lambda rng, a: {"b": [1]}), r"must return single values, got \[1\] as b for a=1, seed=0"),
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
