"""Run a notebook over a grid of its parameters, without opening it:

    python tools/grid.py run chapters/02_policy_evaluation/03_experiments.ipynb -p epsilon 0.1,1 -p delta 1e-5
    python tools/grid.py list
    python tools/grid.py clear

Each combination becomes an executed notebook in _build/grid, written when the run is complete, and valid until the
notebook, the core or the lock changes. So an interrupted command resumes where it stopped.
"""

import interruption

if __name__ == "__main__":
    interruption.install()

import argparse
import hashlib
import json
import shutil
import sys
from itertools import product
from pathlib import Path
from urllib.parse import quote

from execute import ROOT, Job, key, run_jobs, shared_digest, up_to_date


def value(text: str) -> object:
    """The text as a JSON number, true, false or null if it is one, and otherwise the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def combinations(source: Path, given: list[list[str]]) -> list[dict]:
    """Every combination of the given values, one dict each. ValueError for parameters that the notebook does not have."""
    import papermill

    known = papermill.inspect_notebook(str(source))
    for name, _ in given:
        if name not in known:
            raise ValueError(f"parameters of {source.name} must be among {', '.join(known)}, got {name}")
    if twice := [name for number, (name, _) in enumerate(given) if name in dict(given[:number])]:
        raise ValueError(f"each parameter must be given once, got {twice[0]} twice")
    values = {name: list(dict.fromkeys(texts.split(","))) for name, texts in given}
    return [dict(zip(values, map(value, texts))) for texts in product(*values.values())]


def made_from(root: Path, name: str, parameters: dict, shared: str) -> str:
    return hashlib.sha256(f"{key(root, name, shared)}\n{json.dumps(parameters, sort_keys=True)}".encode()).hexdigest()


def jobs(root: Path, into: Path, name: str, settings: list[dict]) -> list[Job]:
    """A job for each combination of parameters."""
    shared, found = shared_digest(root, 1), []
    for setting in settings:
        label = ",".join(f"{name}={value}" for name, value in setting.items()) or "as it is"
        target = into / name / f"{quote(label, safe=' =,+')}.ipynb"
        found.append(Job(name, target, made_from(root, name, setting, shared), setting))
    return found


def listed(root: Path, into: Path) -> list[str]:
    """The stored notebooks, each with whether it is up to date."""
    shared, lines = shared_digest(root, 1), []
    for path in sorted(into.rglob("*.ipynb")):
        name = str(path.parent.relative_to(into))
        parameters = json.loads(path.read_bytes())["metadata"]["made_with"]
        current = (root / f"{name}.ipynb").exists() and up_to_date(path, made_from(root, name, parameters, shared))
        lines.append(f"{'current' if current else 'out of date':11}  {path}")
    return lines


def main(*words: str) -> str | None:
    """Run the command with these arguments. Returns a message if it fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    commands = parser.add_subparsers(dest="command", required=True)
    for command, does in (("run", "run a notebook, once for each combination"), ("list", "list the stored notebooks"),
                          ("clear", "remove the stored notebooks, of one notebook or all")):
        commands.add_parser(command, help=does).add_argument(
            "notebook", type=Path, **({} if command == "run" else {"nargs": "?"}))
    runner = commands.choices["run"]
    runner.add_argument("-p", nargs=2, action="append", default=[], metavar=("NAME", "VALUES"),
                        help="a parameter and its values, with commas: -p epsilon 0.1,1")
    runner.add_argument("--workers", type=int, default=1, help="notebooks at a time (1)")
    arguments = parser.parse_args(words)
    root = arguments.root.resolve()
    into = root / "_build" / "grid"
    name = ""
    if source := arguments.notebook and arguments.notebook.resolve():
        if source.suffix != ".ipynb" or not source.is_relative_to(root) or not source.exists():
            return f"notebook must be an .ipynb of this book, got {arguments.notebook}"
        name = str(source.relative_to(root).with_suffix(""))
    if arguments.command == "list":
        print("\n".join(listed(root, into / name if name else into)) or "nothing is kept")
    elif arguments.command == "clear":
        shutil.rmtree(into / name, ignore_errors=True)
    else:
        try:
            wanted = jobs(root, into, name, combinations(source, arguments.p))
        except ValueError as error:
            return str(error)
        into.mkdir(parents=True, exist_ok=True)
        if failures := run_jobs(root, into, wanted, arguments.workers):
            return "\n\n".join(failures)
        print(*(job.target for job in wanted), sep="\n")
    return None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
