"""A module of the core costs its numpy and scipy and nothing else. (Times are measured in bench/.)"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WIDGETS = {"ipywidgets", "anywidget"}
HEAVY = {"torch", "dp_accounting", "pandas", "joblib", "gymnasium", "matplotlib", "seaborn"} | WIDGETS
ALLOWED = {"privrl_core.pages.explorer": WIDGETS, "privrl_core.world.interval_walk_env": {"gymnasium"}}  # the ones that are for them
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "privrl_core").rglob("*.py")
)
# Each module in a process of its own, which is the copy of one that has numpy and scipy and nothing of the core.
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
    done = subprocess.run([sys.executable, "-c", EACH_ALONE, *MODULES], stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
    found = {name: set(packages) for name, *packages in map(str.split, done.stdout.splitlines())}
    assert not found["nothing"] & (HEAVY | {"privrl_core"})
    return found


@pytest.mark.parametrize("module", MODULES)
def test_importing_a_module_leaves_heavy_packages_alone(module, imported):
    allowed = set().union(*(names for prefix, names in ALLOWED.items() if module.startswith(prefix)))
    assert (HEAVY - allowed) & imported[module] == set()
