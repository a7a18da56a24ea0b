"""A module of the core costs its numpy and scipy and nothing else; what it lacks, it names with the extra that brings it."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path

import env
import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
WIDGETS = {"ipywidgets", "anywidget"}
HEAVY = {"torch", "dp_accounting", "pandas", "joblib", "gymnasium", "matplotlib", "seaborn"} | WIDGETS
EXTRAS = {name: [Requirement(line).name for line in lines] for name, lines in tomllib.loads(
    (ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"].items()}
ALLOWED = {  # the ones that are for them
    "privrl_core.pages.explorer": WIDGETS, "privrl_core.pages.game": WIDGETS, "privrl_core.pages.hospital": WIDGETS,
    "privrl_core.world.interval_walk_env": {"gymnasium"},
    **{f"privrl_core.networks.{name}": {"torch"} for name in ("trajectories", "clipping", "private_training", "cloning", "fitted_q", "insulin", "outcomes", "planning", "public_training", "moments", "policy_gradient", "pendulum")}}
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "privrl_core").rglob("*.py")
)
# Each module in a process of its own, which is the copy of one that has numpy and scipy and nothing of the core. For those
# that may import torch it has torch, too, which takes a second to import.
WITH_TORCH = [module for module in MODULES if "torch" in ALLOWED.get(module, ())]
EACH_ALONE = """
import os, sys
import numpy, scipy.integrate, scipy.optimize, scipy.sparse, scipy.special, scipy.stats

def tell(name):
    print(name, *{module.partition(".")[0] for module in sys.modules}, flush=True)

tell("nothing")
for name in sys.argv[1:]:
    if not os.fork():
        __import__(name)
        tell(name)
        os._exit(0)
    os.wait()
"""
pytestmark = pytest.mark.xdist_group("imports")


@pytest.fixture(scope="module")
def imported():
    """The packages that are there once a module is, for each module that can be imported."""
    found = {}
    for first, modules in (("", [module for module in MODULES if module not in WITH_TORCH]), ("import torch\n", WITH_TORCH)):
        done = subprocess.run([sys.executable, "-c", first + EACH_ALONE, *modules], stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
        found |= {name: set(packages) for name, *packages in map(str.split, done.stdout.splitlines())}
        assert not found["nothing"] & (HEAVY - {first and "torch"} | {"privrl_core"})
    return found


@pytest.mark.parametrize("module", MODULES)
def test_importing_a_module_leaves_heavy_packages_alone(module, imported):
    allowed = set().union(*(names for prefix, names in ALLOWED.items() if module.startswith(prefix)))
    assert (HEAVY - allowed) & imported[module] == set()


def test_a_promise_costs_no_more_than_numpy():
    """scipy's parts come when they are first used: special takes 0.2 s, optimize 0.4 s, as long as numpy several times."""
    script = "import sys; from privrl_core.privacy import Guarantee; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT).stdout.split()
    assert "privrl_core.privacy.curves" in found and not {"scipy.special", "scipy.optimize", "scipy.stats"} & set(found)


def packages(node: ast.AST) -> set[str]:
    """The packages that the imports within a part of a module name."""
    names = [name.name for part in ast.walk(node) if isinstance(part, ast.Import) for name in part.names]
    names += [part.module for part in ast.walk(node) if isinstance(part, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("path", sorted((ROOT / "privrl_core").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_neither_numpy_nor_scipy_is_imported_with_the_name_of_its_extra(path):
    tree, within = ast.parse(path.read_text("utf-8")), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.With) and isinstance(call := node.items[0].context_expr, ast.Call) \
                and getattr(call.func, "id", "") == "needs":
            [extra] = [argument.value for argument in call.args]
            brought = EXTRAS[extra] + [Requirement(line).name for name in EXTRAS[extra] for line in requires(name) or ()]
            assert {package.lower().replace("_", "-") for package in packages(node)} <= set(brought)
            within |= packages(node)
    assert packages(tree) - within - set(sys.stdlib_module_names) <= {"numpy", "scipy", "privrl_core"}


# ---- the wheel, in an environment that has nothing else

IMPORT_ALL = """
import importlib, json, sys
missing = {}
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing[name] = str(error)
from privrl_core.privacy import Guarantee
from privrl_core.world import icu_sepsis
assert icu_sepsis(1).n_states == 716
print(json.dumps(missing))
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """A Python that has the wheel and what it requires."""
    folder, uv = tmp_path_factory.mktemp("bare"), Path(sys.executable).with_name("uv")
    python = folder / "venv" / "bin" / "python"
    env.use_a_writable_cache()
    for command in (["build", "--wheel", "--out-dir", folder, ROOT], ["venv", "--python", sys.executable, folder / "venv"]):
        subprocess.run([uv, *command, "--quiet"], check=True)
    [wheel] = folder.glob("*.whl")
    subprocess.run([uv, "pip", "install", "--quiet", "--python", python, wheel], check=True)
    return python


def test_the_wheel_brings_two_packages_along(bare):
    script = "import importlib.metadata as m; print(*{found.name for found in m.distributions()})"
    found = subprocess.run([bare, "-I", "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert set(found) == {"privrl-core", "numpy", "scipy"}


def test_without_extras_each_module_is_imported_or_names_its_extra(bare):
    found = subprocess.run([bare, "-I", "-c", IMPORT_ALL, *MODULES], capture_output=True, text=True, check=True).stdout
    missing = json.loads(found)
    assert ALLOWED.keys() <= missing.keys() and all(name.startswith(tuple(ALLOWED)) for name in missing)
    assert {name: said for name, said in missing.items()
            if not re.fullmatch(r'\w+ is missing: pip install "privrl-core\[(networks|pages|worlds)\]"', said)} == {}
