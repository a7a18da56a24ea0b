"""Write requirements.lock from pyproject.toml: `make lock`.

`make lock` keeps the versions it finds; `make lock UPGRADE=--upgrade` takes the newest that fit.

The lock is universal: one file with exact versions, their hashes and platform markers, and no index addresses. A uv.lock
always names an address for each file, which is why `uv sync` is not used. torch appears only in a comment: its CPU build is
a different file on each index and is installed in a separate step (tools/env.py). The CUDA libraries that other builds
require are therefore left out too, and Opacus, of which hashes would ask one of torch, is in a comment as well.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from env import ROOT, lock, opacus, torch, use_a_writable_cache

LOCK = ROOT / "requirements.lock"
PIN = re.compile(r"^([\w.-]+)==.*\n(?: .*\n)+", re.MULTILINE)  # with its hashes, and the packages that need it
NOT_HERE = re.compile(r"torch|opacus|triton|nvidia-.*|cuda-.*")

HEADER = """\
# Written by `make lock` from pyproject.toml: change that, not this. The CPU build of torch is installed beside this file
# (tools/env.py, postBuild), without a hash, because each index has another file of it; so is opacus, which asks for torch:
# {torch}
# {opacus}
"""


def resolve(*options: str) -> str:
    """The resolution of pyproject.toml for every platform."""
    use_a_writable_cache()
    with tempfile.NamedTemporaryFile("w+", suffix=".txt") as out:
        out.write(f"{lock()}{torch()}\n{opacus()}\n")  # uv takes versions from the file that it is about to overwrite
        out.flush()
        subprocess.run(
            [Path(sys.executable).with_name("uv"), "pip", "compile", "pyproject.toml", "--quiet", "--universal",
             "--all-extras", "--python-version=3.11", "--fork-strategy=fewest", "--prerelease=disallow",
             "--generate-hashes", "--no-header", "--annotation-style=line", "--no-emit-index-url", "--no-emit-find-links",
             f"--output-file={out.name}", *options], cwd=ROOT, check=True)
        resolved = Path(out.name).read_text()
    pinned = {name: re.search(rf"^{name}==[\w.]+", resolved, re.MULTILINE)[0] for name in ("torch", "opacus")}
    return HEADER.format(**pinned) + "".join(
        pin[0] for pin in PIN.finditer(resolved) if not NOT_HERE.fullmatch(pin[1]))


def requirements(text: str) -> list[str]:
    """The requirements of a lock, without their hashes and comments."""
    return [line.removesuffix("\\").strip() for line in text.splitlines() if re.match(r"[\w.-]+==", line)]


if __name__ == "__main__":
    LOCK.write_text(resolve(*sys.argv[1:]))
    print(f"{LOCK.name}: {len(requirements(lock()))} packages, and {torch()}")
