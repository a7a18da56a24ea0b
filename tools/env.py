"""Make .venv hold exactly requirements.lock: `python tools/env.py`, with any Python from 3.11 on.

An environment is complete once its stamp is written, as the last step. Without a stamp, after an interrupted
installation, or with the stamp of another lock or another folder, it is rebuilt from scratch. This takes
seconds, because uv caches its downloads.
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


def lock() -> str:
    return (ROOT / "requirements.lock").read_text()


def torch() -> str:
    return re.search(r"^# (torch==[\w.]+)", lock(), re.MULTILINE)[1]


def opacus() -> str:
    return re.search(r"^# (opacus==[\w.]+)", lock(), re.MULTILINE)[1]


def wanted() -> str:
    """The required stamp. It depends on the folder, because the scripts of an environment name their interpreter."""
    return hashlib.sha256(f"{VENV}\n{lock()}".encode()).hexdigest()


def complete() -> bool:
    return STAMP.exists() and PYTHON.exists() and STAMP.read_text() == wanted()


def run(*command: str | Path, text: str | None = None) -> None:
    # child processes inherit the lock, so that if this process is killed, the next one waits for them to end
    subprocess.run([str(part) for part in command], cwd=ROOT, check=True, pass_fds=[turn.fileno()], input=text, text=True)


def uv(*arguments: str) -> None:
    run(VENV / "bin" / "uv", "pip", *arguments, "--quiet", "--python", PYTHON)


def install_uv() -> None:
    pinned = re.search(r"^uv==.*\n(?: .*\n)+", lock(), re.MULTILINE)[0]
    run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", "/dev/stdin",
        text=pinned)
    use_a_writable_cache()


def use_a_writable_cache() -> None:
    """Let uv use a cache folder in the project if its default cache in the home folder is not writable."""
    own = subprocess.run([VENV / "bin" / "uv", "cache", "dir"], capture_output=True, text=True, check=True).stdout.strip()
    try:
        Path(own).mkdir(parents=True, exist_ok=True)
        if os.access(own, os.W_OK):
            return
    except OSError:
        pass
    os.environ["UV_CACHE_DIR"] = str(ROOT / "_build" / "uv")


def install_torch() -> None:
    """Install the CPU build: from pip's find-links folder if one is configured, else from torch's own index.

    --no-deps is safe, because the lock contains everything that torch needs except the CUDA libraries.
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
        print("environment: .venv is incomplete, or belongs to another lock: starting over", flush=True)
        STAMP.unlink(missing_ok=True)  # first, because a partly removed environment must not count as complete
        shutil.rmtree(VENV)
    packages = len(re.findall(r"^[\w.-]+==", lock(), re.MULTILINE))
    steps = [
        (f".venv with Python {sys.version.split()[0]}", lambda: run(sys.executable, "-m", "venv", VENV)),
        ("uv, which installs the rest", install_uv),
        (f"the {packages} packages of requirements.lock",
         lambda: uv("install", "--require-hashes", "-r", "requirements.lock")),
        (f"{torch()}, CPU build", install_torch),
        (f"{opacus()}, for the tests", lambda: uv("install", "--no-deps", opacus())),
        ("privrl_core itself, editable", lambda: uv("install", "--no-deps", "--editable", ".")),
    ]
    for number, (what, step) in enumerate(steps, 1):
        start = time.monotonic()
        print(f"environment {number}/{len(steps)}: {what} ...", end=" ", flush=True)
        step()
        print(f"{time.monotonic() - start:.1f} s", flush=True)
    STAMP.write_text(wanted())


if __name__ == "__main__":
    with open(__file__) as turn:  # one process at a time
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not complete():
            try:
                make()
            except KeyboardInterrupt:  # `run` has ended the processes it started
                print("\ninterrupted")
                sys.exit(130)
            except subprocess.CalledProcessError as error:
                sys.exit(f"\nenvironment: failed: {' '.join(map(str, error.cmd))}")
