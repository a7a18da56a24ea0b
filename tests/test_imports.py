"""A module of the core costs its numpy and scipy and nothing else. (Times are measured in bench/.)"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WIDGETS = {"ipywidgets", "anywidget"}
HEAVY = {"torch", "dp_accounting", "pandas", "joblib", "gymnasium", "matplotlib", "seaborn"} | WIDGETS
ALLOWED = {"privrl_core.explorer": WIDGETS, "privrl_core.middle_walk_gymnasium": {"gymnasium"}}  # the ones that are for them
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "privrl_core").rglob("*.py")
)


@pytest.mark.parametrize("module", MODULES)
def test_importing_a_module_leaves_heavy_packages_alone(module):
    script = f"import sys, {module}; print(*(name.partition('.')[0] for name in sys.modules))"
    imported = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    allowed = set().union(*(names for prefix, names in ALLOWED.items() if module.startswith(prefix)))
    assert (HEAVY - allowed) & set(imported.stdout.split()) == set()
