"""The exercises as hand-outs, from the pages of the book: `course.py --into _build/course`.

Every chapter's page of exercises, chapters/*/*_exercises.ipynb, becomes two notebooks: student/ without solutions and
without the explanations of the quiz, instructor/ with both, whose checks and solutions are folded away for the projector.
Where the page has a link, a copy says in words what is meant. In a student's copy each proof has a cell to be written into,
every other answer is noted, to be checked by grade.py when it is handed in, and of checks, hints and imports only what
other cells mention is left. Beside it lies a wheel of the core, without chapters and ledger. Each copy is run before it is
written: in a student's every exercise must report a missing answer, and in an instructor's every exercise must also be
answered correctly. A hand-out that was already made from the same page and the same core is not made again.
"""

import interruption

if __name__ == "__main__":
    interruption.install()

import argparse
import ast
import functools
import hashlib
import json
import re
import subprocess
import sys
import tempfile
import textwrap
import time
import zipfile
from pathlib import Path

import nbformat
from execute import AT_ONCE, CELL_TIMEOUT, ROOT, each, key, shared_digest, surroundings, up_to_date, write

EDITIONS = ("student", "instructor")
SOLUTION = "#### Solution"  # a heading, which JupyterLab folds away with all cells below it
FENCE = re.compile(r"^(?P<ticks>`{3,})\{(?P<name>[\w-]+)\} ?(?P<title>[^\n]*)\n(?P<body>.*?)^(?P=ticks)$\n?", re.M | re.S)
ROLE = re.compile(r"\{([\w:-]+)\}`(?:([^`<]*?) ?<)?/?([^`>]*)>?`")
LABEL = re.compile(r"^(?:`{3,}\{(?P<kind>[\w:-]+)\} ?(?P<name>.*)\n)?(?:\((?P<anchor>\S+)\)=|:label: (?P<label>\S+))$", re.M)
IN_A_COPY = {  # what a page of the book says of itself, and what its copies say; None is the edition that says it as it is
    "In the notebook (`make lab`), put your answer in place of the `...` and run the cell: it says what is missing, what "
    "went wrong, or that you are right. In the book, answers that are numbers can be typed into the page, and solutions can "
    "be opened.":
        ("Put your answer in place of the `...` and run the cell: it notes your answer, or says that it is missing. Whether "
         "it is right you are told after you have handed it in.",
         "Put your answer in place of the `...` and run the cell: it says what is missing, what went wrong, or that you are "
         "right."),
    " Proofs have a model answer and a marking scheme.": (" Proofs are marked by your teacher.", None),
    "No program checks these. Write your proof first, open the model answer, and give yourself points by the scheme. "
    "Each proof has ten.":
        ("No program checks these. Write each proof into the cell below it. Your teacher gives it up to ten points.", None),
    "Open the choice that you would make (mouse, or <kbd>Tab</kbd> and <kbd>Enter</kbd>). Every choice explains itself.":
        ("Put an `x` between the brackets of the choice that you would make. This part is not handed in. If your teacher "
         "gives you the book as a zip file, every choice explains itself on its page *Exercises and a quiz* of the chapter.",
         "Every choice explains itself."),
}


@functools.cache
def places() -> dict[str, str]:
    """Where a reader of a copy finds what a page refers to: words for each page and each label of the chapters."""
    found = {}
    for path in sorted(one for one in ROOT.glob("chapters/[0-9]*/**/*") if one.suffix in (".md", ".py")):
        text = re.sub(r"^# ?", "", path.read_text("utf-8"), flags=re.M)
        name = path.relative_to(ROOT).with_suffix("").as_posix()
        if not (headings := list(re.finditer(r"^#+ (.+)", text, re.M))):
            continue
        page = f"{'the evidence page ' * ('/evidence/' in name)}*{headings[0][1]}* of chapter {int(name.split('/')[1][:2])}"
        found[name] = page.split(" of ")[-1] if path.stem == "index" else page
        for one in LABEL.finditer(text):
            section = ([each for each in headings if each.start() <= one.end() + 1] or headings[:1])[-1][1]
            words = f"the {one['kind'].removeprefix('prf:')} *{one['name']}*" if one["name"] else f"*{section}*"
            words = f"{'the equation under ' * (one['kind'] == 'math')}{words} on {page}"
            found[one["anchor"] or one["label"]] = page if section == headings[0][1] and not one["kind"] else words
    return found


def followed(match: re.Match, chapter: str) -> str:
    """A role as words that can be followed in the book without a link."""
    _, words, target = match.groups()
    place = places().get(target) or places().get(f"chapters/{chapter}/{target}")
    if not place:
        return words or f"`{target}`"
    place = place.removesuffix(f" of chapter {chapter[:2].lstrip('0')}")
    if not words or words.lower() in place.lower():
        return words if words and place.startswith("chapter") else place
    return f"{words} ({place})"


def readable(text: str, edition: str, chapter: str = "") -> str:
    """Markdown that JupyterLab renders properly: without directives and roles."""
    def plain(match: re.Match) -> str:
        name, title = match["name"], match["title"]
        body = re.sub(r"\A(:[\w-]+:.*\n)+", "", match["body"])
        if name == "exercise":
            return f"### Exercise: {title}\n\n{body}"
        if name == "solution-start":
            return f"{SOLUTION}\n"
        if name == "solution-end":
            return ""
        if name == "dropdown":
            return f"* [ ] {title}\n" + ("" if edition == "student" else "\n" + re.sub(r"^", "  ", body, flags=re.M) + "\n")
        return f"**{title}**\n\n{body}"

    while (shown := FENCE.sub(plain, text)) != text:
        text = shown
    for said, copies in IN_A_COPY.items():
        if (copy := copies[EDITIONS.index(edition)]) is not None:
            text = re.sub(re.escape(said).replace(r"\ ", r"\s+"), lambda _, copy=copy: copy, text)
    return ROLE.sub(lambda match: followed(match, chapter), text)


def edition_of(page: nbformat.NotebookNode, edition: str, chapter: str = "") -> nbformat.NotebookNode:
    """A page of exercises as a hand-out. ValueError for a solution without an end, or an end without a solution."""
    of_notebooks = {name: page.metadata[name] for name in ("kernelspec", "language_info") if name in page.metadata}
    handout, inside = nbformat.v4.new_notebook(metadata=of_notebooks), False
    for cell in page.cells:
        kept = []
        if cell.cell_type == "markdown":
            # split at the start and end fences of solutions, wherever they are
            for part in re.split(r"(^`{3,}\{solution-(?:start|end)\}.*?^`{3,}$)", cell.source, flags=re.M | re.S):
                if start_or_end := re.match(r"`{3,}\{solution-(start|end)\}", part):
                    if inside == (start_or_end[1] == "start"):
                        raise ValueError(f"solutions must start and end in turn, got {part.splitlines()[0]} out of turn")
                    inside = not inside
                if edition == "instructor" and start_or_end:
                    kept.append(f"\f\n{part}\n\f")
                elif edition == "instructor" or not (inside or start_or_end):
                    kept.append(part)
                elif start_or_end and inside and "-proof-" in part:
                    kept.append("\f*Write your proof into this cell.*\f")
            made = [nbformat.v4.new_markdown_cell(source.strip(), id=cell.id + f"-{number}" * (number > 0))
                    for number, source in enumerate(readable("".join(kept), edition, chapter).split("\f"))]
        elif edition == "instructor" or not inside:
            made = [nbformat.v4.new_code_cell(cell.source, id=cell.id, metadata=cell.metadata)]
        else:
            continue
        for one in (one for one in made if one.source):
            if one.source == SOLUTION:
                one.metadata["jp-MarkdownHeadingCollapsed"] = True
            elif "remove-input" in one.metadata.get("tags", ()) or re.search(r"= Exercise\(", one.source):
                one.metadata["jupyter"] = {"source_hidden": True}
                one.source = f"# the check\n{one.source}"  # a folded cell shows its first line
            handout.cells.append(one)
    if inside:
        raise ValueError("solutions must start and end in turn, got one without an end")
    return handout


def verdicts(executed: nbformat.NotebookNode) -> list[str]:
    """The verdicts of the cells with a check, in order: Missing, Noted, Right or Not yet."""
    shown = ("".join(output.get("data", {}).get("text/markdown", "")) for cell in executed.cells
             if ".check(" in cell.get("source", "") for output in cell.get("outputs", ()))
    return [found[1] for text in shown if (found := re.search(r"\*\*(Missing|Noted|Right|Not yet)[:.]\*\*", text))]


IMPORTS = ast.Import | ast.ImportFrom


def given(line: ast.stmt) -> set[str]:
    """The names that a statement gives to the statements after it."""
    if isinstance(line, IMPORTS):
        return {(alias.asname or alias.name).split(".")[0] for alias in line.names}
    if isinstance(line, ast.FunctionDef | ast.ClassDef):
        return {line.name}
    nodes = [node for part in getattr(line, "targets", [line]) for node in ast.walk(part)]
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def is_exercise(line: ast.stmt) -> bool:
    return isinstance(line, ast.Assign) and isinstance(line.value, ast.Call) and ast.unparse(line.value.func) == "Exercise"


def used(line: ast.stmt) -> set[str]:
    """The names that a statement uses; an exercise of a student's copy uses nothing but its class."""
    names = {node.id for node in ast.walk(line) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return {"Exercise"} if is_exercise(line) else names


def copied(line: ast.stmt, wanted: set[str]) -> str:
    """A statement as a student's copy has it."""
    if is_exercise(line):
        return f"{ast.unparse(line.targets[0])} = Exercise()"
    if not isinstance(line, IMPORTS):
        return ast.unparse(line)
    line.names = [alias for alias in line.names if (alias.asname or alias.name).split(".")[0] in wanted]
    text = ast.unparse(line) if line.names else ""
    if len(text) <= 88:
        return text
    start, names = text.split("import ")
    return f"{start}import (\n{textwrap.indent(textwrap.fill(names, 84), '    ')})"


def without_checks(handout: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """A copy whose exercises note the answer. Of hidden cells, and of imports, what the rest uses is left."""
    copy = nbformat.from_dict(handout)
    code = [(cell, ast.parse(cell.source).body) for cell in copy.cells if cell.cell_type == "code"]
    hidden = [lines for cell, lines in code
              if "remove-input" in cell.metadata.get("tags", ()) or any(map(is_exercise, lines))]
    text = "\n\n".join(cell.source for cell in copy.cells if cell.cell_type == "markdown")
    wanted = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", text))))
    kept, found = [], [line for _, lines in code if lines not in hidden for line in lines]
    while found:
        kept += found
        wanted.update(*map(used, found))
        found = [line for lines in hidden for line in lines if line not in kept and given(line) & wanted]
    for cell, lines in code:
        if lines in hidden:
            cell.source = "\n".join(copied(line, wanted) for line in lines if line in kept)
            cell.metadata["jupyter"] = {"source_hidden": True}
        else:
            source = cell.source.split("\n")
            for line in reversed(lines):
                if isinstance(line, IMPORTS):
                    source[line.lineno - 1:line.end_lineno] = list(filter(None, [copied(line, wanted)]))
            cell.source = "\n".join(source).strip("\n")
    copy.cells = [cell for cell in copy.cells if cell.source]
    for number, cell in enumerate(copy.cells):
        cell.id = f"cell-{number}"  # that of the page is a digest of what stood there
    return copy


def wheel(into: Path) -> str:
    """Build a wheel of the core into a folder, without network, and return its name. The ledger, which corrects papers, is
    left out: an exercise asks for such a correction.
    """
    uv = Path(sys.executable).with_name("uv")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([uv, "build", "--wheel", "--offline", "--quiet", "--out-dir", folder, ROOT], check=True)
        [built] = Path(folder).glob("privrl_core-*.whl")
        into.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(built) as whole, zipfile.ZipFile(into / built.name, "w", zipfile.ZIP_DEFLATED) as copy:
            for item in whole.infolist():
                if not item.filename.endswith("/ledger.json"):
                    content = whole.read(item)
                    if item.filename.endswith("/RECORD"):
                        content = re.sub(rb".*/ledger\.json,.*\n", b"", content)
                    copy.writestr(item, content)
    return built.name


def first_cell(handout: nbformat.NotebookNode, name: str) -> nbformat.NotebookNode:
    """How to install what a student's copy needs, what to hand in, when it is checked, and where the book is."""
    code = "\n".join(cell.source for cell in handout.cells if cell.cell_type == "code")
    # exact for the last session of the workshop: OpenDP has wheels for Linux (glibc 2.28), macOS and Windows
    extras = "pages,exact" + ",networks" * bool(re.search(r"^(import|from) (torch|privrl_core\.networks)\b", code, re.M))
    return nbformat.v4.new_markdown_cell(
        f"To begin, once, in the folder with this notebook and the file `{name}`, on Linux, macOS or Windows with Python "
        f"3.11 or newer:\n\n```console\npip install jupyterlab \"./{name}[{extras}]\"\njupyter lab\n```\n\n"
        "* **Hand in** this file, under its name, before the session after the one that set its exercises. Only those that "
        "the plan sets at home count, and each weighs its minutes. Until then you may change your answers.\n"
        "* **Checked** are your answers after that: nothing in this file knows what is right. You get back a page that says "
        "which are right, and for the others what went wrong, or a hint.\n"
        "* **The book** is the file that your teacher gives you. If it is a zip file, unpack it and open `html/index.html`: "
        "on its page with these exercises, answers that are numbers are checked at once. A PDF checks nothing.",
        id="install")


def run(handout: nbformat.NotebookNode, folder: Path, effort: float, environment: dict) -> nbformat.NotebookNode:
    """A copy with its outputs, at a fraction of the full work. CellExecutionError if a cell fails."""
    from nbclient import NotebookClient

    trial = nbformat.from_dict(handout)
    for cell in trial.cells:
        if "parameters" in cell.metadata.get("tags", ()):
            cell.source += f"\neffort = {effort}"
    return NotebookClient(trial, timeout=CELL_TIMEOUT, kernel_name="python3",
                          extra_arguments=["--IPKernelApp.log_level=ERROR"],  # it warns of TCP, which stays on this computer
                          resources={"metadata": {"path": folder}}).execute(env=environment)


def make(source: Path, into: Path, edition: str, effort: float, environment: dict, wheel_name: str,
         made_from: str = "") -> str:
    """Run one hand-out and write it. Returns a message if something is wrong with it, and otherwise nothing."""
    from nbclient.exceptions import CellExecutionError

    name = f"{edition}/{source.parent.name}.ipynb"
    handout = edition_of(nbformat.read(source, 4), edition, source.parent.name)
    if edition == "student":
        handout = without_checks(handout)
        handout.cells.insert(1, first_cell(handout, wheel_name))
    try:
        trial = run(handout, source.parent, effort, environment)
    except CellExecutionError as error:
        return f"{name}: {error}"
    said = verdicts(trial)
    missing = said.count("Missing")
    expected = ["Missing"] * missing + ["Right"] * missing * (edition == "instructor")
    if not missing or sorted(said) != expected:
        return f"{name}: the checks say {', '.join(said) or 'nothing'}"
    handout.metadata["made_from"] = made_from
    write(into / name, nbformat.writes(handout) + "\n")
    print(f"  {missing} exercises  {name}", flush=True)
    return ""


def main(*words: str) -> list[str]:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--effort", type=float, default=1.0, help="the fraction of the full work when they are tried")
    arguments = parser.parse_args(words)
    start, root, into = time.monotonic(), arguments.root.resolve(), arguments.into.resolve()
    into.mkdir(parents=True, exist_ok=True)
    shared = shared_digest(root, arguments.effort)
    shared += hashlib.sha256(Path(__file__).read_bytes() + json.dumps(places()).encode()).hexdigest()
    keys = {page: key(root, str(page.relative_to(root).with_suffix("")), shared)
            for page in sorted(root.glob("chapters/*/*_exercises.ipynb"))}
    total = [(page, edition) for page in keys for edition in EDITIONS]
    waiting = [(page, edition) for page, edition in total
               if not up_to_date(into / edition / f"{page.parent.name}.ipynb", keys[page])]
    environment, wheel_name = surroundings(into), wheel(into / "student")

    def work(one: tuple[Path, str]) -> str:
        return make(one[0], into, one[1], arguments.effort, environment, wheel_name, keys[one[0]])

    problems = [message for _, message, _ in each(work, waiting, AT_ONCE, len(total)) if message]
    print(f"course: {len(waiting)} of {len(total)} hand-outs made in {into}, {time.monotonic() - start:.1f} s", flush=True)
    return problems


if __name__ == "__main__":
    sys.exit("\n".join(main(*sys.argv[1:])) or 0)
