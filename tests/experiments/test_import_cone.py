"""What code depends on in the core: what it imports, as deep as that goes, with the data beside; nothing else."""

from pathlib import Path

import pytest

from privrl_core.experiments.import_cone import CORE, cone, cone_digest

FILES = {
    "__init__.py": '"""The core."""',
    "lazy.py": "def exports(*_, **__): ...",
    "ground.py": "ONE = 1",
    "wing/__init__.py": 'from core.lazy import exports\nexports(__name__, heights=["height", "tall"], widths=["width"])',
    "wing/heights.py": "def height():\n    from core.ground import ONE\n    return ONE",
    "wing/widths.py": 'NAMES = Path(__file__).with_name("names.json")',
    "wing/names.json": "[]", "wing/other.json": "[]",
    "plain/__init__.py": "from core.plain.part import A",
    "plain/part.py": "A = 1",
    "plain/deeper/__init__.py": "",
    "plain/deeper/last.py": "import core.wing.widths as w",
}
ROOTS = {"__init__.py"}
WING = ROOTS | {"lazy.py", "wing/__init__.py"}
HEIGHTS = WING | {"wing/heights.py", "ground.py"}
WIDTHS = WING | {"wing/widths.py", "wing/names.json"}
PLAIN = ROOTS | {"plain/__init__.py", "plain/part.py"}


@pytest.fixture
def core(tmp_path):
    for name, text in FILES.items():
        (tmp_path / "core" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "core" / name).write_text(text)
    return tmp_path / "core"


@pytest.mark.parametrize("source, expected", [
    ("import numpy, corelli\nfrom corelli.wing import height\nx = 'core.ground'", set()),
    ("import core", set(FILES) - {"wing/other.json"}),
    ("import core.plain", PLAIN | {"plain/deeper/__init__.py", "plain/deeper/last.py"} | WIDTHS),
    ("import core.ground", ROOTS | {"ground.py"}),
    ("from core import ground", ROOTS | {"ground.py"}),
    ("from core.ground import ONE", ROOTS | {"ground.py"}),
    ("from core.wing import height", HEIGHTS),
    ("from core.wing import height as h, width", HEIGHTS | WIDTHS),
    ("from core.wing import heights", HEIGHTS),
    ("import core.wing.widths", WIDTHS),
    ("def f():\n    if True:\n        from core.wing import width", WIDTHS),
    ("import core.wing as w", HEIGHTS | WIDTHS),
    ("from core import wing", HEIGHTS | WIDTHS),
    ("from core.wing import *", HEIGHTS | WIDTHS),
    ("from core.plain import A", PLAIN),
    ("import core.plain.deeper.last", PLAIN | {"plain/deeper/__init__.py", "plain/deeper/last.py"} | WIDTHS),
])
def test_a_cone_is_what_runs_and_what_that_reads(core, source, expected):
    assert {path.relative_to(core).as_posix() for path in cone(source, core)} == expected


@pytest.mark.parametrize("name, text, matters", [
    ("wing/heights.py", FILES["wing/heights.py"].replace("from", '"""Tall."""\n    # a comment\n    from'), False),
    ("wing/heights.py", FILES["wing/heights.py"].replace("return ONE", "return -ONE"), True),
    ("ground.py", "ONE = 2", True),
    ("wing/widths.py", "", False),
    ("wing/names.json", "[1]", False),
    ("wing/__init__.py", FILES["wing/__init__.py"].replace('"width"', '"width", "wide"'), False),
    ("wing/__init__.py", FILES["wing/__init__.py"].replace('"height", ', "").replace('"width"', '"width", "height"'), True),
    ("wing/__init__.py", FILES["wing/__init__.py"] + "\nprint()", True),
])
def test_a_digest_changes_with_what_may_change_a_result(core, name, text, matters):
    before = cone_digest("from core.wing import height", core)
    (core / name).write_text(text)
    assert (cone_digest("from core.wing import height", core) != before) == matters


def test_declared_data_count_and_what_lies_beside_them_does_not(core):
    before = cone_digest("from core.wing import width", core)
    (core / "wing" / "other.json").write_text("[1]")
    assert cone_digest("from core.wing import width", core) == before
    (core / "wing" / "names.json").write_text("[1]")
    assert cone_digest("from core.wing import width", core) != before


def test_all_data_of_the_core_are_declared_by_a_module_beside_them():
    """Or a change there would rerun nothing. A licence is read by no code."""
    modules = [path for path in CORE.rglob("*.py") if path.name != "__init__.py"]
    seen = set().union(*(cone(f"import {'.'.join((CORE.name, *path.relative_to(CORE).with_suffix('').parts))}") for path in modules))
    files = {path for path in CORE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert [path for path in sorted(files - seen) if "LICENSE" not in path.name] == []


def test_the_ledger_and_the_sliders_are_data_of_those_that_read_them():
    def data(source):
        return {path.name for path in cone(source) if path.suffix != ".py"}
    assert data("from privrl_core.pages import claims") == {"ledger.json"}
    assert data("from privrl_core.pages.explorer import explore") == {"explorer.js", "explorer.css"}
    assert data("from privrl_core.offline import dp_apvi") == {"schema.json"}, "that of its guarantee"
    assert data("from privrl_core.pages import use_theme") == set()


def test_what_is_not_python_is_an_error():
    with pytest.raises(SyntaxError):
        cone("def")


def test_it_lies_where_the_core_does():
    assert CORE == Path(__file__).parents[2] / "privrl_core"
