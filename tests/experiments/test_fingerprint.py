"""Equal fingerprints mean equal results: whatever a function reaches counts, and what cannot be seen is refused."""

import functools
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from privrl_core.experiments import versions
from privrl_core.experiments.fingerprint import fingerprint, is_own

ROOT = Path(__file__).parents[2]

SOURCE = """
import functools
import math
import numpy as np
import pandas as pd
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple
from scipy.special import expit
from scipy.stats import norm
from privrl_core.privacy import calibrate_exact

SCALE, TABLE, WORDS = 2.0, pd.DataFrame({"a": [1, 2]}), {"x", "y", "z"}
ARRAY, LEVELS = np.arange(4.0), {"low": (1, [2, 3])}

class Kind(Enum):
    ONE = 1

@dataclass(frozen=True)
class Point:
    x: int = 3
    def norm(self):
        return abs(self.x) * SCALE

class Pair(NamedTuple):
    first: int = 1

def helper(x, offset=1):
    return expit(x) + offset + recursive(3) + (x in {"p", "q", "r"})

def recursive(n):
    return n and helper_of_recursive(n - 1)

def helper_of_recursive(n):
    return recursive(n) * math.tau

@functools.lru_cache
def cached(x):
    return x + 5

def closing():
    inside = 7
    def function(rng, n, *, rule=calibrate_exact):
        total = sum(helper(value) for value in ARRAY) + inside + cached(n) + norm.cdf(n)
        return total + Point().norm() + Kind.ONE.value + Pair().first + len(WORDS) + TABLE.a.sum() + LEVELS["low"][0]
    return function

function = closing()
"""


def of(source: str) -> bytes:
    namespace = {"__name__": "__main__"}
    exec(compile(textwrap.dedent(source), "somewhere", "exec"), namespace)
    return fingerprint(namespace["function"])


def test_it_is_the_same_in_every_process_and_wherever_the_lines_are():
    script = "import sys; from test_fingerprint import SOURCE, of; print(of('# a comment\\n' * 3 + SOURCE).hex())"
    other = "1" if os.environ.get("PYTHONHASHSEED") == "0" else "0"  # sets are in another order there than here
    found = subprocess.run([sys.executable, "-c", script], env=os.environ | {"PYTHONHASHSEED": other}, check=True,
                           cwd=ROOT / "tests" / "experiments", capture_output=True, text=True).stdout.strip()
    assert found == of(SOURCE).hex()


@pytest.mark.parametrize("old, new", [
    ("inside = 7", "inside = 8"), ("SCALE, TABLE", "SCALE, TABLE"), ("= 2.0, pd", "= 2.5, pd"), ("[1, 2]}", "[1, 3]}"),
    ('"x", "y"', '"x", "w"'), ("arange(4.0)", "arange(4)"), ("[2, 3]", "[2, 4]"), ("ONE = 1", "ONE = 2"),
    ("x: int = 3", "x: int = 4"), ("abs(self.x)", "(self.x)"), ("first: int = 1", "first: int = 2"),
    ("offset=1", "offset=2"), ('"q"', '"s"'), ("math.tau", "math.pi"), ("x + 5", "x + 6"),
    ("rule=calibrate_exact", "rule=None"), ("norm.cdf", "norm.sf"),
    ("expit(x)", "x"), ("n - 1)", "n - 2)"), ("total + Point", "total - Point"),
    ("import expit", "import logit as expit"),
])
def test_whatever_a_function_reaches_counts(old, new):
    assert old in SOURCE
    assert (of(SOURCE.replace(old, new)) == of(SOURCE)) == (old == new)


def test_what_it_does_not_reach_does_not_count():
    assert of(SOURCE + "\nother, SCALES = 3, 4\ndef unused(x):\n    return other\n") == of(SOURCE)


@pytest.mark.parametrize("one, other", [
    (1, 1.0), (1, True), (0.0, -0.0), ("1", 1), ((1, 2), [1, 2]), ((1, (2, 3)), (1, 2, 3)), (b"a", "a"), (None, "None"),
    (np.float64(1), 1.0), (np.float32(1), np.float64(1)), (np.zeros(2), np.zeros((2, 1))), ({"a": 1}, {"a": 2}),
    (np.array([1, 2]), np.array([1, 2], dtype=np.int32)), ({"a": 1, "b": 2}, {"b": 2, "a": 1}), ({1, 2}, {1, 3}),
    (np.array([None, 1]), np.array([None, 2])), (functools.partial(max, 1), functools.partial(max, 2)), (max, min),
])
def test_values_that_differ_are_told_apart(one, other):
    assert fingerprint(one) != fingerprint(other)
    assert fingerprint(one) == fingerprint(one)


@pytest.mark.parametrize("source, message", [
    ("import numpy as np\nrng = np.random.default_rng(0)\ndef function(n): return rng.normal()",
     "got function → rng: is a random generator"),
    ("import numpy as np\nnormal = np.random.default_rng(0).normal\ndef function(n): return normal()",
     "got function → normal.__self__: is a random generator"),
    ("import random\nrng = random.Random(3)\ndef function(n): return rng.random()", "is a random generator"),
    ("count = 0\ndef function(n):\n    global count\n    count += 1", "assigns to count, a global"),
    ("import threading\nlock = threading.Lock()\ndef function(n): return lock", "function → lock: cannot be pickled"),
    ("import test_fingerprint as mine\ndef function(n): return mine.of(n)", "test_fingerprint is a module of your own"),
    ("def function(n):\n    from test_fingerprint import of\n    return of(n)", "imports test_fingerprint, a module"),
    ("import numpy as np\nwave = np.frompyfunc(lambda x: x + 1, 1, 1)\ndef function(n): return wave(n)",
     "of which only the name is known"),
])
def test_what_cannot_be_keyed_safely_is_refused(source, message):
    with pytest.raises(ValueError, match="function must be one whose rows can be cached, got .*") as error:
        of(source)
    assert message in str(error.value)


def test_whose_a_module_is():
    assert is_own("test_fingerprint") and is_own("__main__")
    assert not any(map(is_own, ["privrl_core.world.models", "numpy.linalg", "json", "builtins", "scipy.special._ufuncs"]))


# ------------------------------------------------------------------------------------- what it reaches of the core

CORE = {
    "__init__": "", "lazy": (ROOT / "privrl_core" / "lazy.py").read_text(), "wing/__init__": """
from privrl_core.lazy import exports
__getattr__, __dir__, __all__ = exports(__name__, heights=["height"], widths=["width"])
""",
    "wing/heights": "from privrl_core.ground import unit\ndef height(): return unit()", "ground": "def unit(): return 1",
    "wing/widths": "def width(): return 2"}
DIGEST = """
import sys
from privrl_core.experiments.fingerprint import fingerprint
exec(compile(sys.argv[1], "somewhere", "exec"), globals())
print(fingerprint(function).hex())
"""


@pytest.fixture
def core(tmp_path):
    """A core with a small wing, and the fingerprinting of this one."""
    shutil.copytree(ROOT / "privrl_core" / "experiments", tmp_path / "privrl_core" / "experiments")
    for name, text in CORE.items():
        path = tmp_path / "privrl_core" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def in_core(core, source) -> str:
    done = subprocess.run([sys.executable, "-c", DIGEST, source], cwd=core, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("imports", [
    "from privrl_core.wing import height\ndef function(rng): return height()",
    "from privrl_core.wing import heights\ndef function(rng): return heights.height()",
    "from privrl_core.wing.heights import height\ndef function(rng, rule=height): return rule()"])
def test_of_the_core_only_the_modules_behind_a_name_count(core, imports):
    before = in_core(core, imports)
    for name, text, matters in [("wing/widths", "def width(): return 3", False), ("new", "", False),
                                ("wing/heights", f"# a comment\n{CORE['wing/heights']}", False),
                                ("ground", "def unit(): return 2", True)]:
        (core / "privrl_core" / f"{name}.py").write_text(text)
        assert (in_core(core, imports) != before) == matters, name


@pytest.mark.parametrize("imports", ["from privrl_core.wing.heights import height", "from privrl_core.wing import height",
                                     "from privrl_core import wing", "import privrl_core", "import privrl_core.wing as w"])
def test_an_import_within_counts_like_one_outside(core, imports):
    source = f"def function(rng):\n    {imports}\n    return 1"
    before = in_core(core, source)
    (core / "privrl_core" / "ground.py").write_text("def unit(): return 2")
    assert in_core(core, source) != before


def test_a_core_that_changed_since_it_was_imported_is_refused(monkeypatch):
    versions.require_current()
    monkeypatch.setattr(versions, "_IMPORTED", "0" * 64)
    with pytest.raises(RuntimeError, match="privrl_core has changed on the disk since it was imported"):
        versions.require_current()


def test_the_digest_of_the_source_is_that_of_its_modules(core):
    def digest():
        script = "from privrl_core.experiments.versions import source_digest; print(source_digest())"
        return subprocess.run([sys.executable, "-c", script], cwd=core, capture_output=True, text=True, check=True).stdout
    before = digest()
    (core / "privrl_core" / "wing" / "data.csv").write_text("no source")
    assert digest() == before
    (core / "privrl_core" / "wing" / "widths.py").write_text("# changed\n")
    assert digest() != before
