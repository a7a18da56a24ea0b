"""Each notebook is written from its .py: `pairs.py` does it, `pairs.py --check` names those that differ.

The .py (py:percent) is the source. The .ipynb holds the same cells without outputs, with ids that depend only on
the text of the cell, so that inserting a cell changes only one place in the file. Settings for the page in the
header of the .py, under `jupyter: myst:`, are copied to the notebook's metadata, where the page reads them.
"""

import interruption

if __name__ == "__main__":
    interruption.install()

import argparse
import hashlib
import sys
from collections import Counter
from pathlib import Path

import jupytext
import nbformat

ROOT = Path(__file__).resolve().parent.parent
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def notebook(source: str) -> str:
    """The text of the .ipynb that belongs to a .py."""
    read, seen = jupytext.reads(source, fmt="py:percent"), Counter()
    of_the_page = {key: value for key, value in read.metadata.items() if key == "myst"}
    derived = nbformat.v4.new_notebook(
        metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}, **of_the_page})
    for cell in read.cells:
        seen[cell.source] += 1
        cell.id = hashlib.sha256(f"{seen[cell.source]}\n{cell.source}".encode()).hexdigest()[:12]
        derived.cells.append(cell)
    nbformat.validate(derived)
    return nbformat.writes(derived, indent=1) + "\n"


def differing(chapters: Path) -> list[Path]:
    """The notebooks that do not match their .py: changed, missing, or without a .py."""
    sources = {path.with_suffix(".ipynb"): path for path in chapters.rglob("*.py")}
    present = {path for path in chapters.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts}
    return sorted(path for path in sources.keys() | present
                  if path not in sources or path not in present
                  or path.read_bytes() != notebook(sources[path].read_text("utf-8")).encode())


def main(*words: str) -> list[str]:
    """Rewrite notebooks that differ, or only check them. Returns messages about what remains to be done."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing, name what differs")
    parser.add_argument("--root", type=Path, default=ROOT)
    arguments = parser.parse_args(words)
    left = []
    for path in differing(arguments.root / "chapters"):
        source, name = path.with_suffix(".py"), path.relative_to(arguments.root)
        if not source.exists():
            left.append(f"pairs: {name} has no {source.name}, its source, beside it: write that, or remove this")
        elif arguments.check:
            left.append(f"pairs: {name} is not what {source.name} says: `make pairs` writes it anew")
        else:
            path.write_bytes(notebook(source.read_text("utf-8")).encode())
            print(f"pairs: wrote {name}")
    return left


if __name__ == "__main__":
    sys.exit("\n".join(main(*sys.argv[1:])) or 0)
