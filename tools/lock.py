"""Write requirements.lock from pyproject.toml, and environment.yml from the lock: `make lock`.

`make lock` keeps the versions it finds; `make lock UPGRADE=--upgrade` takes the newest that fit.

The lock is universal: one file, exact versions, markers for platforms, no addresses of any index. torch
is not in it: the version that pyproject.toml names is installed in a step of its own (tools/env.py), as
the CPU build, and so the CUDA libraries that the other builds bring along are left out too.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from env import torch

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
ENVIRONMENT = ROOT / "environment.yml"
ONLY_CUDA = re.compile(r"(torch|triton|nvidia-[\w-]+|cuda-[\w-]+)==")

HEADER = """\
# Written by `make lock` from pyproject.toml: change that, not this.
# torch is installed beside this file, as the CPU build: see tools/env.py.
"""

CONDA = """\
# Written by `make lock` from requirements.lock: change pyproject.toml, not this. For conda and Binder: postBuild adds
# torch and the core. `make env` needs no conda, and is what the tests are run with.
name: private-reinforcement-learning
channels: [conda-forge, nodefaults]
dependencies:
- python=3.11
- pip
- pip:
"""


def lock(*options: str) -> str:
    """Resolve pyproject.toml for every platform."""
    with tempfile.NamedTemporaryFile("w+", suffix=".txt") as out:
        if LOCK.exists():  # uv takes versions from the file that it is about to overwrite
            out.write(LOCK.read_text())
            out.flush()
        subprocess.run(
            [Path(sys.executable).with_name("uv"), "pip", "compile", "pyproject.toml", "--quiet", "--universal",
             "--all-extras", "--python-version=3.11", "--fork-strategy=fewest", "--prerelease=disallow",
             "--no-header", "--annotation-style=line", "--no-emit-index-url", "--no-emit-find-links",
             f"--output-file={out.name}", *options], cwd=ROOT, check=True)
        resolved = Path(out.name).read_text()
    return HEADER + "".join(line for line in resolved.splitlines(keepends=True)
                            if "==" in line and not ONLY_CUDA.match(line))


def requirements(text: str) -> list[str]:
    """The lines of a lock, without the comments that say who needs them."""
    return [line.split("  #")[0].strip() for line in text.splitlines() if "==" in line]


def environment(lock: str) -> str:
    """environment.yml: the same pins. torch and the core need other options of pip, and come with postBuild."""
    return CONDA + "".join(f"  - {pin!r}\n" for pin in requirements(lock))


if __name__ == "__main__":
    LOCK.write_text(lock(*sys.argv[1:]))
    ENVIRONMENT.write_text(environment(LOCK.read_text()))
    print(f"{LOCK.name}, {ENVIRONMENT.name}: {len(requirements(LOCK.read_text()))} packages, and {torch()}")
