"""Make .venv hold exactly requirements.lock: `python tools/env.py`, with any Python from 3.11 on.

An environment counts as made once its stamp is written, last of all. Without it (an interrupted
installation), or with the stamp of another lock or another folder, it is made from nothing: uv keeps what
it fetched in a cache of its own, so that takes seconds.
"""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "complete"
CACHE = ROOT / "_build" / "uv"  # where uv's own, at home, cannot be written


def lock() -> str:
    return (ROOT / "requirements.lock").read_text()


def torch() -> str:
    return re.search(r"^# (torch==[\w.]+)", lock(), re.MULTILINE)[1]


def wanted() -> str:
    """What the stamp has to say. The folder counts: the scripts of an environment name their interpreter."""
    return hashlib.sha256(f"{VENV}\n{lock()}".encode()).hexdigest()


def complete() -> bool:
    return STAMP.exists() and PYTHON.exists() and STAMP.read_text() == wanted()


def run(*command: str | Path, text: str | None = None) -> None:
    # the children hold the lock too: if this process is killed, the next one waits for them to end
    subprocess.run([str(part) for part in command], cwd=ROOT, check=True, pass_fds=[turn.fileno()], input=text, text=True)


def uv(*arguments: str) -> None:
    run(VENV / "bin" / "uv", "pip", *arguments, "--quiet", "--python", PYTHON)


def install_uv() -> None:
    pinned = re.search(r"^uv==.*\n(?: .*\n)+", lock(), re.MULTILINE)[0]
    run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", "/dev/stdin",
        text=pinned)
    shown = subprocess.run([VENV / "bin" / "uv", "cache", "dir"], capture_output=True, text=True, check=True).stdout.strip()
    if not writable(Path(shown)):
        os.environ["UV_CACHE_DIR"] = str(CACHE)


def writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def install_torch() -> None:
    """The CPU build: from pip's find-links folder where one is configured, else from torch's own index.

    Everything that torch needs is in the lock, less the CUDA libraries, so --no-deps leaves nothing out.
    """
    configured = subprocess.run([PYTHON, "-m", "pip", "config", "get", "global.find-links"],
                                capture_output=True, text=True).stdout.split()
    folders = os.environ.get("PIP_FIND_LINKS", "").split() or configured
    if folders:
        try:
            return uv("install", "--no-deps", "--no-index", *(f"--find-links={folder}" for folder in folders),
                      torch())
        except subprocess.CalledProcessError:
            print("  not in the find-links folder for this Python; trying torch's own index", flush=True)
    uv("install", "--no-deps", "--torch-backend=cpu", torch())


def make() -> None:
    if VENV.exists():
        print("environment: .venv is unfinished, or of another lock: starting over", flush=True)
        STAMP.unlink(missing_ok=True)  # first: what is half removed must not count as made
        shutil.rmtree(VENV)
    packages = len(re.findall(r"^[\w.-]+==", lock(), re.MULTILINE))
    steps = [
        (f".venv with Python {sys.version.split()[0]}", lambda: run(sys.executable, "-m", "venv", VENV)),
        ("uv, which installs the rest", install_uv),
        (f"the {packages} packages of requirements.lock",
         lambda: uv("install", "--require-hashes", "-r", "requirements.lock")),
        (f"{torch()}, CPU build", install_torch),
        ("privrl_core itself, editable", lambda: uv("install", "--no-deps", "--editable", ".")),
    ]
    for number, (what, step) in enumerate(steps, 1):
        start = time.monotonic()
        print(f"environment {number}/{len(steps)}: {what} ...", end=" ", flush=True)
        step()
        print(f"{time.monotonic() - start:.1f} s", flush=True)
    STAMP.write_text(wanted())


if __name__ == "__main__":
    with open(__file__) as turn:  # one at a time
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not complete():
            try:
                make()
            except subprocess.CalledProcessError as error:
                sys.exit(f"\nenvironment: failed: {' '.join(map(str, error.cmd))}")
