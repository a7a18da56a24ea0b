"""How long each notebook takes, from the last full run, on a page of the book: `times.py --from _build/book`.

The page is written on request and committed. If the build wrote it, two builds of the same sources would differ.
"""

import argparse
import os
import platform
import re
import sys
from datetime import datetime
from pathlib import Path

import nbformat
from execute import AT_ONCE, ROOT, executed, notebooks

PAGE = "book/run_times.md"
HEAD = """\
---
myst:
  html_meta:
    description: How many minutes each page of the book takes to read, and how many seconds its notebook takes to run.
---

# How long it takes

```{{admonition}} At a glance
:class: tip
* **To read.** What each page says of itself, in minutes.
* **To run.** Seconds from the first cell to the last at `effort = 1`, measured in a full run of `make book`: {machine}.
* **All together.** {total} of running, {at_once} notebooks at a time; at `effort = 0.05` a small part of that.
```

Written by `make times` from the notebooks that `make book` ran last. A page runs again only if something changed
that it depends on.

| page | read, minutes | run, seconds |
|---|---:|---:|
"""


def seconds(page: nbformat.NotebookNode) -> float:
    """Seconds from the start of the first cell to the end of the last. ValueError for a notebook not run in full."""
    if page.metadata.get("made_with") != {}:
        raise ValueError(f"made_with must be empty for a run at full effort, got {page.metadata.get('made_with')}")
    stamps = [stamp for cell in page.cells for stamp in cell.metadata.get("execution", {}).values()]
    moments = [datetime.fromisoformat(stamp) for stamp in stamps]
    return (max(moments) - min(moments)).total_seconds()


def row(name: str, page: nbformat.NotebookNode) -> str:
    said = re.search(r"\*\*How long\.\*\* About (\d+) minutes", page.cells[0].source)
    return f"| {{doc}}`/{name}` | {said[1] if said else ''} | {max(1, round(seconds(page)))} |\n"


def text(root: Path, source: Path) -> str:
    """The text of the page."""
    pages = {name: nbformat.read(executed(source, name), 4) for name in notebooks(root)}
    minutes = sum(map(seconds, pages.values())) / 60
    machine = f"Python {platform.python_version()} on {os.cpu_count()} cores ({platform.system()}, {platform.machine()})"
    return HEAD.format(machine=machine, total=f"{minutes:.0f} minutes", at_once={2: "two"}.get(AT_ONCE, AT_ONCE)) + "".join(
        row(name, page) for name, page in pages.items())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--from", dest="source", type=Path, required=True, help="where execute.py wrote the notebooks")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    try:
        (root / PAGE).write_text(text(root, arguments.source.resolve()), "utf-8")
    except (OSError, ValueError) as error:
        sys.exit(f"times: {error}: `make book` runs them first")
    print(f"times: wrote {PAGE}")
