"""Notebooks and pages are never half done: failures, warnings, kills and removals, on a book of three pages."""

import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import execute
import kernels
import pages
import pairs
import psutil
import pytest

TOOLS = Path(pairs.__file__).parent

CONFIG = "title: Tiny\nonly_build_toc_files: true\n"
TOC = "format: jb-book\nroot: book/index\nchapters:\n- file: chapters/one\n- file: chapters/two\n"
NOTEBOOK = '''\
# %% [markdown]
# # Notebook {name}

# %% tags=["parameters"]
seed, effort = 0, 1.0

# %%
with open("../runs", "a") as runs:
    print("{name}", effort, file=runs)
{code}
'''


class Book:
    """A tiny book in a folder of its own, and what ran there."""

    def __init__(self, root: Path):
        self.root, self.into, self.runs = root, root / "_build" / "book", root / "runs"

    def begin(self) -> None:
        self.write("_config.yml", CONFIG)
        self.write("_toc.yml", TOC)
        self.write("requirements.lock", "")
        self.write("privrl_core/core.py", "")
        self.write("book/index.md", "# Welcome\n")
        for name in ("one", "two"):
            self.notebook(name, "")

    def write(self, name: str, text: str) -> None:
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def notebook(self, name: str, code: str) -> None:
        self.write(f"chapters/{name}.py", NOTEBOOK.format(name=name, code=code))
        assert pairs.main("--root", str(self.root)) == []

    def command(self, tool: str, *options: str) -> list[str]:
        return [sys.executable, str(TOOLS / tool), "--root", str(self.root), "--into", str(self.into), *options]

    def execute(self, *options: str) -> subprocess.CompletedProcess:
        return subprocess.run(self.command("execute.py", *options), capture_output=True, text=True)

    def pages(self) -> subprocess.CompletedProcess:
        return subprocess.run(self.command("pages.py"), capture_output=True, text=True)

    def ran(self) -> list[str]:
        """The notebooks that ran since the last time this was asked."""
        lines = self.runs.read_text().splitlines() if self.runs.exists() else []
        self.runs.write_text("")
        return sorted(lines)

    def executed(self, name: str) -> dict:
        return json.loads((self.into / "source" / "chapters" / f"{name}.ipynb").read_text())

    def html(self) -> set[str]:
        return {str(path.relative_to(self.into / "html")) for path in (self.into / "html").rglob("*.html")}

    def kill(self, tool: str, when: Callable[[float], bool]) -> bool:
        """Start a tool and kill -9 that one process when(seconds) says so. False if it had ended by itself before."""
        start = time.monotonic()
        process = subprocess.Popen(self.command(tool), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None:
            if when(time.monotonic() - start):
                process.send_signal(signal.SIGKILL)
                process.wait()
                return True
            time.sleep(0.02)
        return False


@pytest.fixture
def book(tmp_path):
    book = Book(tmp_path)
    book.begin()
    return book


@pytest.fixture
def short(book):
    """A book of one notebook."""
    book.write("_toc.yml", TOC.replace("- file: chapters/two\n", ""))
    return book


uses_made = pytest.mark.xdist_group("made")


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    made = Book(tmp_path_factory.mktemp("made"))
    made.begin()
    assert made.execute().returncode == 0 and made.pages().returncode == 0
    return made


@pytest.fixture
def made_book(made, tmp_path):
    """A book whose notebooks have run and whose pages are made."""
    shutil.copytree(made.root, tmp_path, dirs_exist_ok=True)
    return Book(tmp_path)


@uses_made
def test_a_notebook_runs_again_when_it_has_changed_and_time_stamps_say_nothing(made_book):
    assert made_book.ran() == ["one 1.0", "two 1.0"]
    for path in made_book.root.rglob("*.*"):
        os.utime(path, (1, 1) if path.suffix == ".ipynb" else None)
    assert "up to date" in made_book.execute().stdout
    made_book.notebook("two", "x = 1")
    assert made_book.execute().returncode == 0
    assert made_book.ran() == ["two 1.0"]


@pytest.mark.parametrize("change", ["chapters/one.ipynb", "chapters/data.csv", "privrl_core/core.py", "privrl_core/data.json",
                                    "requirements.lock"])
def test_all_that_a_notebook_depends_on_counts_and_nothing_else(book, change):
    def key():
        return execute.key(book.root, "chapters/one", execute.shared_digest(book.root, 1.0))
    book.notebook("one", "from privrl_core.core import X")
    book.write("privrl_core/core.py", "X = 'data.json'")
    book.write("privrl_core/data.json", "{}")
    before = key()
    book.write("book/index.md", "# Changed, and no matter to a notebook\n")
    book.write("chapters/two.ipynb", "{}")
    book.write("privrl_core/.DS_Store", "left by a file manager")
    book.write("privrl_core/other.py", "not imported")
    book.write("privrl_core/other.json", "not named")
    book.write("privrl_core/core.py", "# a comment\nX = 'data.json'")
    assert key() == before
    book.write(change, "'changed'")
    assert key() != before


@pytest.mark.parametrize("code", ["%matplotlib inline", "def broken("])
def test_a_notebook_that_is_not_plain_python_depends_on_the_whole_core(book, code):
    book.notebook("one", code)
    before = execute.key(book.root, "chapters/one", "")
    book.write("privrl_core/other.js", "changed")
    assert execute.key(book.root, "chapters/one", "") != before


def test_a_module_that_is_broken_is_named_by_the_notebooks_that_import_it(short):
    short.notebook("one", "import sys; sys.path.insert(0, '..'); import privrl_core.core")
    short.write("privrl_core/__init__.py", "")
    short.write("privrl_core/core.py", "def broken(")
    done = short.execute()
    assert "chapters/one.ipynb, cell 3: SyntaxError" in done.stderr


def test_the_book_runs_only_the_notebooks_that_import_what_changed():
    """The claims write the ledger: only the pages that read it run again."""
    def keys(core):
        return {name: execute.core_digest(core.parent, (execute.ROOT / f"{name}.ipynb").read_bytes()) for name in execute.notebooks(execute.ROOT)}

    def imports(name, words):
        return any(word in (execute.ROOT / f"{name}.py").read_text() for word in words)

    with tempfile.TemporaryDirectory() as folder:
        core = Path(folder) / "privrl_core"
        shutil.copytree(execute.ROOT / "privrl_core", core, ignore=shutil.ignore_patterns("__pycache__"))
        before = keys(core)
        for path, words in {"pages/ledger.json": ("claims", "summary", "Verdict", "rounded", "typeset"),
                            "pages/explorer/explorer.css": ("privrl_core.pages.explorer",),
                            "functional_noise/q_learning.py": ("privrl_core.functional_noise",),
                            "offline/terminal_decisions.py": ("privrl_core.offline",)}.items():
            text = (core / path).read_text()
            (core / path).write_text(text + ("\nNEW = 1\n" if path.endswith(".py") else " "))
            changed = {name for name, key in keys(core).items() if key != before[name]}
            assert 0 < len(changed) < len(before) and all(imports(name, words) for name in changed), path
            if path == "pages/ledger.json":
                assert {name for name in before if imports(name, [" claims,", " claims\n"])} <= changed
            (core / path).write_text(text)
        assert keys(core) == before


def test_the_effort_counts(book):
    assert execute.shared_digest(book.root, 1.0) != execute.shared_digest(book.root, 0.5)


def test_what_papermill_injects_stays_out_of_the_page(short):
    assert short.execute("--effort", "0.5").returncode == 0
    injected = [cell for cell in short.executed("one")["cells"] if "effort = 0.5" in "".join(cell["source"])]
    assert ["remove-cell" in cell["metadata"]["tags"] for cell in injected] == [True]


def test_a_failing_cell_is_named_and_fails_again_until_it_is_mended(book):
    book.notebook("two", "boom = 1 / 0")
    for expected in (["one 1.0", "two 1.0"], ["two 1.0"]):
        done = book.execute()
        assert done.returncode != 0
        assert re.search(r"chapters/two\.ipynb, cell 3: ZeroDivisionError: division by zero", done.stderr)
        assert "----> " in done.stderr and "boom = 1 / 0" in done.stderr
        assert book.ran() == expected
        assert not (book.into / "source" / "chapters" / "two.ipynb").exists()
    book.notebook("two", "boom = 1 / 1")
    assert book.execute().returncode == 0
    assert book.ran() == ["two 1.0"]


def test_an_error_that_a_cell_expects_is_refused_too(short):
    source = short.root / "chapters" / "one.py"
    source.write_text(source.read_text() + '\n# %% tags=["raises-exception"]\n1 / 0\n')
    assert pairs.main("--root", str(short.root)) == []
    done = short.execute()
    assert done.returncode != 0 and "chapters/one.ipynb" in done.stderr and "ZeroDivisionError" in done.stderr


def test_a_kernel_that_dies_is_a_failure_with_a_name(short):
    short.notebook("one", "import os; os._exit(3)")
    done = short.execute()
    assert done.returncode != 0 and "chapters/one.ipynb" in done.stderr and "DeadKernelError" in done.stderr


def test_import_statements_are_found_once_and_a_notebook_without_any_is_no_failure(book):
    book.notebook("one", "import os.path as place\nfrom math import pi, tau\nif pi:\n    import no_such_module")
    book.notebook("two", "from math import pi, tau")
    book.notebook("three", "%matplotlib inline\nimport json")
    assert kernels.import_statements(sorted(book.root.glob("chapters/*.ipynb"))) == ["import os.path as place", "from math import pi, tau"]


ONE_KERNEL = """
import sys
sys.path.insert(0, sys.argv[1])
import os, kernels
from jupyter_client.manager import start_new_kernel
kernels.fork_from([sys.argv[2]])
for _ in range(2):
    manager, client = start_new_kernel(kernel_name="python3")
    client.execute_interactive("import os; print(os.getppid(), 'json' in globals(), os.getcwd())", timeout=60)
    client.stop_channels(), manager.shutdown_kernel()
print(kernels.Forked.source.pid, os.getpid())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux only")
@pytest.mark.parametrize("statement, forked", [("import json", True), ("import sys; sys.exit(3)", False), ("import os; os._exit(3)", False)])
def test_a_kernel_is_a_fork_with_its_own_names_or_new_if_its_source_ended(tmp_path, statement, forked):
    done = subprocess.run([sys.executable, "-c", ONE_KERNEL, TOOLS, statement], cwd=tmp_path, capture_output=True, text=True,
                          env=os.environ | {"MARK": str(tmp_path)})
    *kernels_said, (source, parent) = [line.split() for line in done.stdout.splitlines()]
    assert kernels_said == [[source if forked else parent, "False", str(tmp_path)]] * 2, done.stderr
    end = time.monotonic() + 10
    while left(tmp_path):
        assert time.monotonic() < end, left(tmp_path)
        time.sleep(0.05)


@pytest.mark.parametrize(("deaths", "runs"), [(0, 1), (1, 2), (2, 3), (9, 3)])
def test_a_kernel_that_did_not_even_start_is_tried_three_times(monkeypatch, tmp_path, deaths, runs):
    """Which happens when two take the same port. One that has begun is never run twice."""
    runs_so_far = []

    def dies(self, *of_one):
        runs_so_far.append(of_one)
        return "Kernel died before replying to kernel_info" if len(runs_so_far) <= deaths else ""
    monkeypatch.setattr(execute.Runner, "run", dies)
    assert bool(execute.Runner({}).try_thrice("one.ipynb")) == (deaths > 2) and len(runs_so_far) == runs


def test_notebooks_are_run_by_this_python_whatever_kernel_lies_at_home(short, monkeypatch, tmp_path):
    kernel = tmp_path / "home" / "kernels" / "python3" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    kernel.write_text(json.dumps({"argv": ["/bin/false"], "display_name": "Wrong", "language": "python"}))
    for name in ("JUPYTER_PATH", "JUPYTER_DATA_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    short.notebook("one", 'import os, sys; print(sys.executable, os.environ["OMP_NUM_THREADS"])')
    assert short.execute().returncode == 0
    assert f"{sys.executable} 1" in json.dumps(short.executed("one"))


@pytest.mark.parametrize("when", [
    lambda book, seconds: seconds > 0.5, lambda book, seconds: seconds > 2, lambda book, seconds: book.runs.exists() and "one 1.0" in book.runs.read_text()],
    ids=["after 0.5 s", "after 2 s", "in a cell"])
def test_a_kill_during_execution_leaves_nothing_that_counts_as_done(book, when):
    book.notebook("one", "import os, time\nwhile os.path.exists('../wait'): time.sleep(0.1)")
    book.write("wait", "")
    assert book.kill("execute.py", lambda seconds: when(book, seconds))
    (book.root / "wait").unlink()
    assert book.execute().returncode == 0
    assert book.ran().count("one 1.0") >= 1
    assert all(cell["execution_count"] for name in ("one", "two")
               for cell in book.executed(name)["cells"] if cell["cell_type"] == "code")
    time.sleep(1)
    assert "up to date" in book.execute().stdout


# ---------------------------------------------------------------------------------------------- interruption

WORK = """
import os, subprocess, sys, time
import joblib
sleepers = [subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=session) for session in (False, True)]
joblib.Parallel(2)(joblib.delayed(time.sleep)(0.2) for _ in range(4))
while any(os.path.exists(f"{folder}/wait") for folder in ("..", "../..")):
    time.sleep(0.1)
for sleeper in sleepers:
    sleeper.kill(), sleeper.wait()
"""


def begun(command: list[str], root: Path) -> subprocess.Popen:
    """A tool as a shell starts it, in a process group of its own, once it is at work. What it starts can be told by a mark."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                               env=os.environ | {"MARK": str(root)},
                               # tests that run in the background of a shell ignore the signal, and so would the tool
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    end = time.monotonic() + 60
    while "psutil" not in Path(f"/proc/{process.pid}/maps").read_text():  # then it is prepared for a signal
        assert time.monotonic() < end and process.poll() is None
        time.sleep(0.01)
    time.sleep(0.05)
    return process


def left(root) -> list[str]:
    """The processes that carry the mark and are alive."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("MARK") == str(root) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(f"{process.pid} {process.cmdline()}")
        except psutil.Error:
            continue
    return found


def interrupt(process, root, *, group: bool, twice: bool) -> str:
    """Send SIGINT; all must be gone within 2 s. What it says."""
    send = os.killpg if group else os.kill
    for _ in range(1 + twice):
        try:
            send(process.pid, signal.SIGINT)
        except ProcessLookupError:
            break
        time.sleep(0.01)
    start = time.monotonic()
    out, said = process.communicate(timeout=60)
    while left(root):
        assert time.monotonic() - start < 2, left(root)
        time.sleep(0.05)
    assert "Traceback" not in out + said
    return said.splitlines()[-1] if process.returncode == 130 else str(process.returncode)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_an_interrupted_run_ends_at_once_with_all_that_it_started_and_the_next_goes_on(book):
    """At ten random moments, as from a terminal (to the whole process group) or to the tool alone, once or twice."""
    book.notebook("two", WORK)
    book.write("wait", "")
    moments = random.Random(3)
    one, there = execute.executed(book.into, "chapters/one"), False
    for number in range(10):
        process = begun(book.command("execute.py"), book.root)
        time.sleep(moments.uniform(0, 4))
        while number == 6 and not one.exists():
            time.sleep(1)
        said = interrupt(process, book.root, group=number % 2 == 0, twice=number % 4 < 2)
        before, there = there, one.exists()
        assert before <= there
        # a notebook that was written in the last moment may not be counted yet
        assert said in ("interrupted", f"interrupted; {int(before)} of 2 done", f"interrupted; {int(there)} of 2 done")
        assert set(book.ran()) <= {"one 1.0", "two 1.0"}
    (book.root / "wait").unlink()
    assert book.execute().returncode == 0 and book.ran() == ["two 1.0"]


EXERCISES = """
# %% tags=["parameters"]
seed, effort = 0, 1.0

# %%
from privrl_core.pages import Exercise, close_to
one = Exercise(is_right=close_to(1), hint="Two of them.")
""" + "\n# %%" + WORK + """
# %%
answer = ...
one.check(answer)

# %% [markdown]
# ````{solution-start} ex-one
# ````

# %%
answer = 1
one.check(answer)

# %% [markdown]
# ````{solution-end}
# ````
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_interrupted_hand_outs_end_at_once_and_the_next_run_goes_on(book):
    book.write("chapters/part/01_exercises.py", EXERCISES)
    assert pairs.main("--root", str(book.root)) == []
    book.write("wait", "")
    moments = random.Random(4)
    for number in range(4):
        process = begun(book.command("course.py"), book.root)
        time.sleep(moments.uniform(0, 6))
        said = interrupt(process, book.root, group=number % 2 == 0, twice=number < 2)
        assert said in ("interrupted", "interrupted; 0 of 2 done")
    (book.root / "wait").unlink()
    for made in (2, 0):
        done = subprocess.run(book.command("course.py"), capture_output=True, text=True)
        assert done.returncode == 0 and f"course: {made} of 2 hand-outs made" in done.stdout, done.stderr
    (book.into / "student" / "part.ipynb").unlink()
    assert "course: 1 of 2 hand-outs made" in subprocess.run(book.command("course.py"), capture_output=True, text=True).stdout


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@uses_made
@pytest.mark.parametrize("seconds", [0, 1, 3])
def test_interrupted_pages_end_at_once_and_the_next_run_makes_them(made_book, seconds):
    made_book.write("book/index.md", "# Greetings\n")
    process = begun(made_book.command("pages.py"), made_book.root)
    time.sleep(seconds)
    assert interrupt(process, made_book.root, group=seconds == 1, twice=True) in ("interrupted", "0")
    assert made_book.pages().returncode == 0
    assert "Greetings" in (made_book.into / "html" / "book" / "index.html").read_text()


@uses_made
def test_a_warning_fails_again_until_it_is_mended_and_the_old_pages_stay(made_book):
    book = made_book
    assert "up to date" in book.execute().stdout and "up to date" in book.pages().stdout
    book.write("book/index.md", "# Welcome\n\n{doc}`nowhere`\n")
    for _ in range(2):
        done = book.pages()
        assert done.returncode != 0 and "nowhere" in done.stdout + done.stderr
        assert "Welcome" in (book.into / "html" / "book" / "index.html").read_text()
    book.write("book/index.md", "# Greetings\n")
    assert book.pages().returncode == 0
    assert "Greetings" in (book.into / "html" / "book" / "index.html").read_text()


@uses_made
def test_pages_made_after_a_change_are_those_made_from_nothing(made_book):
    """Of unchanged pages, what was read is used again, but their links are followed anew."""
    book = made_book
    book.write("book/index.md", "# Welcome\n\n(a-place)=\n## A place\n")
    book.notebook("two", "pass\n\n# %% [markdown]\n# {ref}`a-place`")
    assert book.execute().returncode == 0 and book.pages().returncode == 0
    book.write("book/index.md", "# Welcome\n\n(a-place)=\n## Another place\n")
    assert book.pages().returncode == 0
    after = {name: (book.into / "html" / name).read_text() for name in book.html()}
    assert "Another place" in after["chapters/two.html"]
    for folder in ("html", "work"):
        shutil.rmtree(book.into / folder)
    assert book.pages().returncode == 0
    assert after == {name: (book.into / "html" / name).read_text() for name in book.html()}
    book.write("book/index.md", "# Welcome\n")
    for _ in range(2):
        done = book.pages()
        assert done.returncode != 0 and "a-place" in done.stdout + done.stderr


@uses_made
def test_a_link_that_leads_nowhere_fails_whatever_its_kind(made_book):
    """With this book's own _config.yml."""
    broken = ["{doc}`no-page`", "{ref}`no-place`", "{term}`no-word`", "{py:func}`no_function`", "{eq}`no-formula`", "{prf:ref}`no-lemma`",
              "{cite:t}`no-paper`", "[words](no-file.md)", "[words](#no-heading)"]
    book = made_book
    book.write("_config.yml", (pairs.ROOT / "_config.yml").read_text())
    for name in ("assets", "data", "references.bib"):
        (book.root / "book" / name).symlink_to(pairs.ROOT / "book" / name)
    book.write("book/index.md", "# Welcome\n\n" + "\n\n".join(broken) + "\n")
    done = book.pages()
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert [link for link in broken if re.search(r"no[-_]\w+", link)[0] not in said] == []


@uses_made
def test_a_page_that_left_the_table_of_contents_leaves_the_site(made_book):
    book = made_book
    assert {"index.html", "book/index.html", "chapters/one.html", "chapters/two.html"} <= book.html()
    book.write("_toc.yml", TOC.replace("- file: chapters/two\n", ""))
    assert book.execute().returncode == 0 and book.pages().returncode == 0
    assert "chapters/two.html" not in book.html() and "chapters/one.html" in book.html()
    assert not (book.into / "source" / "chapters" / "two.ipynb").exists()


def test_the_conventional_command_makes_the_book_too(book):
    """With this book's own _config.yml, among files that are no pages; it runs the notebooks by itself."""
    book.write("_config.yml", (pairs.ROOT / "_config.yml").read_text())
    for name in ("assets", "data", "references.bib"):
        (book.root / "book" / name).symlink_to(pairs.ROOT / "book" / name)
    for name in ("README.md", ".venv/a.md", ".pytest_cache/README.md", "book/js/node_modules/a.md", "tests/a.md"):
        book.write(name, "# Not a page\n")
    command = Path(sys.executable).with_name("jupyter-book")
    done = subprocess.run([command, "build", book.root, "-W", "--keep-going"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    site = book.root / "_build" / "html"
    assert book.ran() == ["one 1.0", "two 1.0"]
    assert all((site / name).exists() for name in ("index.html", "book/index.html", "chapters/one.html"))
    assert "Not a page" not in "".join(path.read_text() for path in site.rglob("*.html"))


@uses_made
@pytest.mark.parametrize("after", [1.0, 3.0])
def test_a_kill_while_pages_are_made_leaves_the_old_ones_or_none(made_book, after):
    """Or, if it came when they had just taken their place, the new ones."""
    book = made_book
    made_from, index = (book.into / "html" / name for name in (".made_from", "book/index.html"))
    before = made_from.read_text()
    book.write("book/index.md", "# Greetings\n")
    killed = book.kill("pages.py", lambda seconds: seconds > after)
    if made_from.exists():
        old = made_from.read_text() == before
        assert ("Welcome" if old else "Greetings") in index.read_text() and (killed or not old)
    else:
        assert killed and not index.exists()
    assert book.pages().returncode == 0
    assert "Greetings" in (book.into / "html" / "book" / "index.html").read_text()
    assert {"index.html", "book/index.html", "chapters/one.html", "chapters/two.html"} <= book.html()
    assert not (book.into / "work" / "_build" / "html").exists()


@uses_made
def test_a_page_says_its_name_to_those_who_show_links_and_the_whole_address_of_its_picture_once_there_is_one(made_book):
    page = made_book.into / "html" / "book" / "index.html"
    assert '<meta property="og:title" content="Welcome">' in page.read_text() and "og:image" not in page.read_text()
    made_book.write("_config.yml", CONFIG + "html: {baseurl: 'https://example.org/book/'}\n")
    assert made_book.pages().returncode == 0
    for fact in ('og:url" content="https://example.org/book/book/index.html', 'og:image" content="https://example.org/book/_static/social_card.png'):
        assert f'<meta property="{fact}">' in page.read_text()


def test_the_address_of_the_book_is_one_that_a_browser_opens(tmp_path):
    book = Book(tmp_path / "Büro 100% #1")
    book.begin()
    book.write("_toc.yml", "format: jb-book\nroot: book/index\n")
    done = book.pages()
    [address] = re.findall(r"The book: (file:\S+)$", done.stdout, re.MULTILINE)
    assert address.endswith("/B%C3%BCro%20100%25%20%231/_build/book/html/index.html")


BIBLIOGRAPHY = '<div role="list" class="citation-list"><div class="citation" role="doc-biblioentry">'


def test_a_mend_that_finds_nothing_to_mend_is_an_error():
    assert pages.accessible({"a": "", "b": BIBLIOGRAPHY}, "```{bibliography}") == {
        "a": "", "b": '<div class="citation-list"><div class="citation">'}
    assert pages.accessible({"a": ""}, "a book without papers") == {"a": ""}
    with pytest.raises(SystemExit, match="the sources have {bibliography}, but no page has ' role=\"doc-biblioentry\"'"):
        pages.accessible({"a": "", "b": BIBLIOGRAPHY.replace("doc-biblioentry", "listitem")}, "```{bibliography}")


@pytest.mark.parametrize("html", ["<title>One | Tiny</title></head>", "<title>One &#8212; Tiny</title>"])
def test_a_page_that_cannot_be_told_its_name_is_an_error(html):
    with pytest.raises(SystemExit, match="one.html must have one </head>, and a title that ends with the book's"):
        pages.shareable(html, "one.html", {"title": "Tiny"})


@uses_made
def test_sphinx_alone_makes_the_same_pages(made_book):
    """As `make sphinx` does, with this book's own _config.yml."""
    book, plain = made_book, made_book.into / "sphinx"
    book.write("_config.yml", (pairs.ROOT / "_config.yml").read_text())
    for name in ("assets", "data"):
        shutil.copytree(pairs.ROOT / "book" / name, book.root / "book" / name)
    shutil.copy(pairs.ROOT / "book" / "references.bib", book.root / "book")
    done = book.pages()
    assert done.returncode == 0, done.stdout + done.stderr
    source = book.into / "source"
    subprocess.run([Path(sys.executable).with_name("jupyter-book"), "config", "sphinx", source], check=True)
    with open(source / "conf.py", "a") as settings:
        settings.write('extensions.remove("jupyter_book")\n')
    subprocess.run([sys.executable, "-m", "sphinx", "--fail-on-warning", "--quiet", source, plain], check=True)
    assert {str(path.relative_to(plain)) for path in plain.rglob("*.html")} >= book.html() - {"index.html"}


def test_the_card_has_the_size_that_is_asked_for():
    header = (pairs.ROOT / "book" / "assets" / "social_card.png").read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", header[16:]) == (1200, 630)
