"""Run the notebooks of the table of contents, each once, two at a time: `execute.py --into _build/book`.

Only notebooks that are out of date are run. An executed notebook stores a digest of everything it depends on (its cells, the
data beside it, its imports from the core, the lock, the effort); time stamps are ignored. It is written to a temporary file
and renamed at the end, so that a failure or a kill at any moment never leaves an incomplete notebook that counts as done.
"""

import interruption

if __name__ == "__main__":
    interruption.install()

import argparse
import fcntl
import hashlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import yaml

from privrl_core.experiments.import_cone import cone_digest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = Path(__file__).resolve().parent
AT_ONCE = 2
CELL_TIMEOUT = 600  # seconds, far more than any cell needs: the whole book builds in minutes


def documents(root: Path) -> list[str]:
    """The pages of _toc.yml in order, without suffix: `book/index`, `chapters/02_…/01_…`."""
    def files(node: dict) -> list[str]:
        below = [file for key in ("parts", "chapters", "sections") for child in node.get(key, ())
                 for file in files(child)]
        return [node[key] for key in ("root", "file") if key in node] + below
    return files(yaml.safe_load((root / "_toc.yml").read_text("utf-8")))


@contextmanager
def one_at_a_time(into: Path) -> Iterator[IO]:
    """Wait until no other process works in a folder. A child process that inherits the file holds the lock too."""
    into.mkdir(parents=True, exist_ok=True)
    with open(into / "lock", "w") as turn:
        try:
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"waiting for another run to leave {into} ...", flush=True)
            fcntl.flock(turn, fcntl.LOCK_EX)
        yield turn


def notebooks(root: Path) -> list[str]:
    return [name for name in documents(root) if (root / f"{name}.ipynb").exists()]


def executed(into: Path, name: str) -> Path:
    """The path of the executed notebook, among the sources of the pages."""
    return into / "source" / f"{name}.ipynb"


def visible(folder: Path) -> list[Path]:
    """All files below a folder, sorted, except hidden ones and the caches of Python and Node."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and not any(
        part.startswith(".") or part in ("__pycache__", "node_modules") for part in path.relative_to(folder).parts))


def shared_digest(root: Path, effort: float) -> str:
    """A digest of what every notebook depends on."""
    digest = hashlib.sha256(f"{sys.version}\n{effort}\n".encode())
    for path in (root / "requirements.lock", TOOLS / "execute.py", TOOLS / "kernels.py", TOOLS / "widget_state.py"):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def core_digest(root: Path, notebook: bytes) -> str:
    """A digest of what a notebook depends on in the core."""
    try:
        cells = json.loads(notebook).get("cells", ())
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        return cone_digest(code, root / "privrl_core")
    except (SyntaxError, ValueError):  # an IPython magic, which may import anything, or an error, which the run will report
        return hashlib.sha256(b"".join(path.read_bytes() for path in visible(root / "privrl_core"))).hexdigest()


def key(root: Path, name: str, shared: str) -> str:
    """The digest that an up-to-date executed notebook must store. It includes the data files beside the notebook."""
    source = root / f"{name}.ipynb"
    digest = hashlib.sha256(f"{shared}\n{core_digest(root, source.read_bytes())}\n".encode())
    beside = [path for path in visible(source.parent) if path.suffix not in (".ipynb", ".py", ".md")]
    for path in [source, *beside]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def up_to_date(path: Path, key: str) -> bool:
    try:
        return json.loads(path.read_bytes())["metadata"].get("made_from") == key
    except (OSError, ValueError):
        return False


def surroundings(into: Path) -> dict[str, str]:
    """The environment of a kernel: this Python, without the reader's own configuration."""
    home = into / "jupyter"
    home.mkdir(exist_ok=True)
    unwanted = {"PYTHONPATH", "PYTHONSTARTUP", "JUPYTER_PATH", "JUPYTER_CONFIG_PATH", "MPLBACKEND",
                "MATPLOTLIBRC"}
    return {name: value for name, value in os.environ.items() if name not in unwanted} | {
        "JUPYTER_PREFER_ENV_PATH": "1",  # prefers the kernel of .venv to one of the same name in the home folder
        "JUPYTER_NO_CONFIG": "1",
        "JUPYTER_CONFIG_DIR": f"{home}/config",
        "JUPYTER_DATA_DIR": f"{home}/data",
        "IPYTHONDIR": f"{home}/ipython",
        "MPLCONFIGDIR": f"{home}/matplotlib",
        "PYTHONNOUSERSITE": "1",
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",  # two notebooks at a time already occupy two processors
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "CI": "true",  # no progress bars in a page
    }


def run_one(source: Path, target: Path, name: str, key: str, parameters: dict) -> str | None:
    """Run one notebook, check the result, and write it to ``target``. Returns a message if that fails."""
    import nbformat
    import papermill
    from papermill.exceptions import PapermillExecutionError
    from widget_state import check, slim

    position = {cell.source: number for number, cell in enumerate(nbformat.read(source, 4).cells, 1)}
    try:
        notebook = papermill.execute_notebook(
            source, None, parameters=parameters, kernel_name="python3",
            cwd=source.parent, progress_bar=False, execution_timeout=CELL_TIMEOUT)
    except PapermillExecutionError as error:
        cell = position.get(error.source, "injected by papermill")
        return f"{name}.ipynb, cell {cell}: {error.ename}: {error.evalue}\n{error}"
    except Exception as error:  # the kernel died, or a cell took too long
        return f"{name}.ipynb: {type(error).__name__}: {error}"
    notebook.metadata.pop("papermill", None)
    for cell in notebook.cells:
        cell.metadata.pop("papermill", None)
        if "injected-parameters" in cell.metadata.get("tags", ()):
            cell.metadata.tags.append("remove-cell")
    if problems := check(notebook):
        return "\n".join(f"{name}.ipynb: {problem}" for problem in problems)
    slim(notebook)
    notebook.metadata["made_from"], notebook.metadata["made_with"] = key, parameters
    write(target, nbformat.writes(notebook) + "\n")
    return None


def write(target: Path, text: str) -> None:
    """Write a file completely, or not at all if this process is killed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f"{target.name}.{os.getpid()}")
    beside.write_text(text, "utf-8")
    beside.replace(target)


class Runner:
    """A process in a session of its own, which Ctrl-C does not reach. It imports once what papermill and the notebooks need,
    and runs notebooks in turn."""

    def __init__(self, environment: dict, imported: Iterable[Path] | None = None):
        """Kernels are forks of a process that has run the imports of these notebooks; without a list they start anew."""
        self.environment, self.imported, self.process = environment, imported, None

    def run(self, *of_one) -> str:
        """What `run_one` says of a notebook: the message if it fails, or nothing. The arguments have to be JSON."""
        if self.process is None or self.process.poll() is not None:
            fork = [] if self.imported is None else ["--fork", *map(str, self.imported)]
            self.process = subprocess.Popen(
                [sys.executable, __file__, "--serve", *fork],
                env=self.environment, start_new_session=True, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        print(json.dumps(of_one), file=self.process.stdin, flush=True)
        said = self.process.stdout.readline()
        return json.loads(said) if said else f"{of_one[2]}.ipynb: its process ended with exit code {self.process.wait()}"

    def try_thrice(self, *of_one) -> str:
        """The same, again if the kernel did not start: two that start together may get one port. No cell has run then."""
        for _ in range(3):
            if "Kernel died before replying" not in (message := self.run(*of_one)):
                break
        return message

    def end(self) -> None:
        if self.process:
            self.process.communicate()


def serve(imported: Iterable[Path] | None) -> None:
    """What that process does: for each line with the arguments of `run_one` it writes a line with the message."""
    end_with_parent()
    if imported is not None and sys.platform == "linux":  # the numerical libraries of macOS do not bear a fork
        from kernels import fork_from, import_statements
        fork_from(import_statements(imported))
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever is printed is no answer
    for line in sys.stdin:
        source, target, *rest = json.loads(line)
        try:
            said = run_one(Path(source), Path(target), *rest) or ""
        except Exception:
            said = f"{source}: {traceback.format_exc()}"
        print(json.dumps(said), file=answers, flush=True)


def end_with_parent() -> None:
    """Exit when the parent process is gone."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(1)  # the kernel watches this process in the same way
    threading.Thread(target=watch, daemon=True).start()


@dataclass(frozen=True)
class Job:
    """A notebook to run: its name, the file for the result, the digest of its sources, and its changed parameters."""

    name: str
    target: Path
    key: str
    parameters: dict

    def __str__(self) -> str:
        return ", ".join([self.name, *(f"{name}={value}" for name, value in self.parameters.items())])


def each(work: Callable[..., str], waiting: list, at_once: int, total: int) -> Iterator[tuple]:
    """Each item when it is done, with the message if ``work(item)`` failed, and its seconds. ``total`` counts all."""
    def timed(item) -> tuple:
        start = time.monotonic()
        return item, work(item), time.monotonic() - start

    done = interruption.done(total - len(waiting), total)
    with ThreadPoolExecutor(at_once) as pool:
        for task in as_completed([pool.submit(timed, item) for item in waiting]):
            item, message, seconds = task.result()
            done = interruption.done(done + (not message), total)
            yield item, message, seconds


def run_jobs(root: Path, into: Path, jobs: list[Job], at_once: int) -> list[str]:
    """Run the jobs that are out of date. Returns the messages of those that fail."""
    start, environment, failures = time.monotonic(), surroundings(into), []
    waiting = [job for job in jobs if not up_to_date(job.target, job.key)]
    if not waiting:
        print(f"notebooks: all {len(jobs)} up to date", flush=True)
        return []

    runners = queue.SimpleQueue()
    imported = [root / f"{job.name}.ipynb" for job in waiting if root == ROOT]  # another book may bring its own packages
    for runner in (every := [Runner(environment, imported) for _ in range(at_once)]):
        runners.put(runner)

    def run(job: Job) -> str:
        runner = runners.get()
        try:
            return runner.try_thrice(str(root / f"{job.name}.ipynb"), str(job.target), job.name, job.key, job.parameters)
        finally:
            runners.put(runner)

    print(f"notebooks: {len(waiting)} of {len(jobs)} to run", flush=True)
    for number, (job, message, seconds) in enumerate(each(run, waiting, at_once, len(jobs)), 1):
        print(f"  {number}/{len(waiting)} {seconds:6.1f} s  {job}{'  FAILED' if message else ''}", flush=True)
        failures += [f"{job}: {message}"] if message else []
    for runner in every:
        runner.end()
    print(f"notebooks: {time.monotonic() - start:.1f} s", flush=True)
    return failures


def run_all(root: Path, into: Path, effort: float) -> list[str]:
    """Run the notebooks of the table of contents. Returns the messages of those that fail."""
    shared, parameters = shared_digest(root, effort), {} if effort == 1 else {"effort": effort}
    return run_jobs(root, into, [Job(name, executed(into, name), key(root, name, shared), parameters)
                                 for name in notebooks(root)], AT_ONCE)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--into", type=Path)
    parser.add_argument("--effort", type=float, default=1.0, help="the fraction of the full work")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--fork", type=Path, nargs="*", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve(arguments.fork)
        sys.exit()
    if arguments.into is None:
        parser.error("the following arguments are required: --into")
    root, into = arguments.root.resolve(), arguments.into.resolve()
    with one_at_a_time(into):
        failures = run_all(root, into, arguments.effort)
    sys.exit("\n\n".join(["", *failures]) if failures else 0)
