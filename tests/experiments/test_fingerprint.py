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

from privrl_core.experiments import fingerprint
from privrl_core.experiments import fingerprint as module
from privrl_core.experiments.fingerprint import core_digest, is_own, require_current, versions

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
from privrl_core.calibration import exactly

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
    def function(rng, n, *, rule=exactly):
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
                           cwd=ROOT / "tests", capture_output=True, text=True).stdout.strip()
    assert found == of(SOURCE).hex()


@pytest.mark.parametrize("old, new", [
    ("inside = 7", "inside = 8"), ("SCALE, TABLE", "SCALE, TABLE"), ("= 2.0, pd", "= 2.5, pd"), ("[1, 2]}", "[1, 3]}"),
    ('"x", "y"', '"x", "w"'), ("arange(4.0)", "arange(4)"), ("[2, 3]", "[2, 4]"), ("ONE = 1", "ONE = 2"),
    ("x: int = 3", "x: int = 4"), ("abs(self.x)", "(self.x)"), ("first: int = 1", "first: int = 2"),
    ("offset=1", "offset=2"), ('"q"', '"s"'), ("math.tau", "math.pi"), ("x + 5", "x + 6"),
    ("rule=exactly", "rule=None"), ("norm.cdf", "norm.sf"),
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
    with pytest.raises(ValueError, match="function must be one whose rows can be kept, got .*") as error:
        of(source)
    assert message in str(error.value)


def test_whose_a_module_is():
    assert is_own("test_fingerprint") and is_own("__main__")
    assert not any(map(is_own, ["privrl_core.world.models", "numpy.linalg", "json", "builtins", "scipy.special._ufuncs"]))


def test_the_digest_of_the_core_is_that_of_its_files(monkeypatch, tmp_path):
    shutil.copytree(Path(module.__file__).parent, tmp_path / "core")
    monkeypatch.setattr(module, "__file__", str(tmp_path / "core" / "fingerprint.py"))
    assert core_digest() == module._IMPORTED and versions().startswith(f"privrl_core {core_digest()[:12]}, python ")
    require_current()
    (tmp_path / "core" / "__pycache__").mkdir(exist_ok=True)
    (tmp_path / "core" / "__pycache__" / "x.pyc").write_text("not source")
    require_current()
    (tmp_path / "core" / "mdp.py").write_text("# changed\n")
    with pytest.raises(RuntimeError, match="privrl_core has changed on the disk since it was imported"):
        require_current()
