"""Which code runs here: the versions that a table shows, and whether the source of the core is still what was imported."""

import importlib.metadata
import importlib.util
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

LIBRARIES = ("numpy", "scipy", "torch", "gymnasium", "dp-accounting")  # what the core computes with


def versions() -> str:
    """Of ``privrl_core``, of Python, and of the libraries that matter."""
    found = {"privrl_core": "0, not installed", "python": sys.version.split()[0]}
    for name in (*found, *LIBRARIES):
        with suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return ", ".join(f"{name} {version}" for name, version in found.items())


def source_digest() -> str:
    """Of all modules of ``privrl_core`` as they lie on the disk now; empty if there is no such package."""
    digest, core = sha256(), importlib.util.find_spec("privrl_core")
    if core is None:
        return ""
    root = Path(core.origin).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(f"{path.relative_to(root).as_posix()}\n{path.stat().st_size}\n".encode() + path.read_bytes())
    return digest.hexdigest()


_IMPORTED = source_digest()


def require_current() -> None:
    """RuntimeError if the source of ``privrl_core`` is no longer what this process imported."""
    if source_digest() != _IMPORTED:
        raise RuntimeError("privrl_core has changed on the disk since it was imported: start Python (in a notebook, "
                           "the kernel) again, or rows of the old code would be taken for rows of the new")


def identity() -> str:
    """What two processes have in common whose rows are the same."""
    return f"{versions()}, source {source_digest()[:12]}"
