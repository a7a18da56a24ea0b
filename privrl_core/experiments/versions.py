"""Which code runs here: the versions shown in a table, and whether the source of the core has changed since its import."""

import importlib.metadata
import importlib.util
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

LIBRARIES = ("numpy", "scipy", "torch", "gymnasium", "dp-accounting")  # the libraries that the core computes with


def versions() -> str:
    """The versions of ``privrl_core``, of Python, and of the libraries that affect results."""
    found = {"privrl_core": "0, not installed", "python": sys.version.split()[0]}
    for name in (*found, *LIBRARIES):
        with suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return ", ".join(f"{name} {version}" for name, version in found.items())


def source_digest() -> str:
    """A digest of all modules of ``privrl_core`` as they are on disk now; empty if there is no such package."""
    digest, core = sha256(), importlib.util.find_spec("privrl_core")
    if core is None:
        return ""
    root = Path(core.origin).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(f"{path.relative_to(root).as_posix()}\n{path.stat().st_size}\n".encode() + path.read_bytes())
    return digest.hexdigest()


_IMPORTED = source_digest()


def require_current() -> None:
    """RuntimeError if the source of ``privrl_core`` has changed since this process imported it."""
    if source_digest() != _IMPORTED:
        raise RuntimeError("privrl_core has changed on the disk since it was imported: restart Python (in a notebook, "
                           "the kernel), or rows of the old code would be taken for rows of the new code")


def identity() -> str:
    """A text that is equal in two processes if they compute the same rows."""
    return f"{versions()}, source {source_digest()[:12]}"
