"""`jupyter-book build` with pages written by two processes: `parallel_build.py SOURCE OUTPUT`.

The command of Jupyter Book has no option for it, and its function has. Pages are read by one process all the same, since the
domain of sphinx_proof cannot be merged. A warning counts as an error.
"""

import sys
from pathlib import Path

from jupyter_book.sphinx import build_sphinx
from sphinx.application import Sphinx

PROCESSES = 2


def build(source: Path, output: Path) -> bool:
    """Whether Sphinx made the pages of a folder with `_config.yml` and `_toc.yml`, without a warning."""
    Sphinx.is_parallel_allowed = lambda app, task: task == "write"
    result = build_sphinx(
        source, output, noconfig=True, path_config=source / "_config.yml", quiet=True, warningiserror=True, keep_going=True,
        jobs=PROCESSES, confoverrides={"external_toc_path": str(source / "_toc.yml"), "latex_individualpages": False})
    return result == 0


if __name__ == "__main__":
    sys.exit(not build(*(Path(folder).resolve() for folder in sys.argv[1:])))
