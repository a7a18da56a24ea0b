"""Processor time to import each module, beside that of the parts of numpy and scipy that it needs."""

import subprocess
import sys
from pathlib import Path
from statistics import median

from bench.measure import REPEATS, duration, table

ROOT = Path(__file__).parents[1]


def output(script):
    command = [sys.executable, "-c", script]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def import_seconds(modules):
    return float(output(f"import time; t = time.process_time(); import {', '.join(modules)}; "
                        "print(time.process_time() - t)"))


def needed(module):
    """numpy, scipy and the parts of scipy that are in the interpreter once ``module`` is."""
    names = output(f"import sys, {module}; print(*sys.modules)").split()
    return [name for name in names if name == "numpy" or name.startswith("scipy") and "._" not in name]


if __name__ == "__main__":
    modules = sorted(f"privrl_core.{path.stem}" for path in (ROOT / "privrl_core").glob("[!_]*.py"))
    rows = []
    for module in modules:
        base = needed(module)
        pairs = [(import_seconds([module]), import_seconds(base or ["sys"])) for _ in range(REPEATS)]
        whole, parts = (median(times) for times in zip(*pairs, strict=True))
        rows.append((module, duration(whole), duration(parts), f"{1e3 * (whole - parts):.0f} ms", len(base)))
    table("Imports, processor time", ("module", "whole", "its numpy and scipy", "what it adds", "modules of these"), rows)
