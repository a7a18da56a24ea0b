"""Arrows run downwards only: the papers' wings import the world and privacy, these the ground, and no paper's wing another's.

The command line stands above them all: it imports what it needs, and nothing imports it but ``python -m``.
"""

import ast
import importlib
from pathlib import Path

import pytest

CORE = Path(__file__).parents[1] / "privrl_core"
GROUND = {"checks", "formatting", "lazy"}
BELOW = {"world": GROUND, "privacy": GROUND, "experiments": GROUND, "pages": GROUND}
PAPERS = {path.name for path in CORE.iterdir() if (path / "__init__.py").exists()} - BELOW.keys()
ABOVE = {"__main__": {"command_line"}, "command_line": GROUND | BELOW.keys() | PAPERS}
MAY_IMPORT = dict.fromkeys(GROUND, GROUND) | BELOW | dict.fromkeys(PAPERS, GROUND | {"world", "privacy"}) | ABOVE
MODULES = sorted(path for path in CORE.rglob("*.py") if path != CORE / "__init__.py")


def imported(path: Path) -> set[str]:
    """The modules of the core that a module imports, anywhere in it, without ``privrl_core.``."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute"
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    assert "privrl_core" not in found, "name the module"
    return {name.removeprefix("privrl_core.") for name in found if name.startswith("privrl_core.")}


def wing(name: str) -> str:
    return name.partition(".")[0]


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(CORE).with_suffix("").parts).removesuffix(".__init__")


def test_there_are_papers_and_each_has_its_wing():
    assert {"policy_evaluation", "functional_noise", "offline"} <= PAPERS


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_imports_its_own_wing_and_what_lies_below(path):
    own = wing(name_of(path))
    above = {name for name in imported(path) if wing(name) not in MAY_IMPORT[own] | {own}}
    assert above == set()


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_imports_modules_not_wings(path):
    """A wing's names are for those outside the core: within it, what a module depends on is what it names."""
    assert {name for name in imported(path) if (CORE / name / "__init__.py").exists() and name not in ("pages.explorer", "pages.game", "pages.hospital")} == set()


def test_there_is_no_circle():
    graph = {name_of(path): imported(path) for path in MODULES}
    done = set()
    while ready := {name for name, needs in graph.items() if name not in done and needs <= done}:
        done |= ready
    assert graph.keys() - done == set()


@pytest.mark.parametrize("name", sorted(PAPERS | BELOW.keys()))
def test_the_names_of_a_wing_are_there(name):
    module = importlib.import_module(f"privrl_core.{name}")
    for one in module.__all__:
        assert getattr(module, one) is not None
        assert not (CORE / name / f"{one}.py").exists(), "a module and a name of its wing must differ"
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        module.nothing  # noqa: B018
