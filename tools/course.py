"""The exercises as hand-outs, from the pages of the book: `course.py --into _build/course`.

Every chapter's page of exercises, chapters/*/*_exercises.ipynb, becomes two notebooks: student/ without solutions and
without the explanations of the quiz, instructor/ with both unfolded. Where the page has a link, a copy says in words what is
meant. In a student's copy each proof has a cell to be written into, the answers that are numbers are sealed
(`privrl_core.pages.sealing`), a check that would tell its answer is held back (a cell with the tag `held-back`), and names
that only solutions and checks use are not imported. Beside it lies a wheel of the core, without chapters. Each copy is run
before it is written: in a student's every check must report a missing answer, and in an instructor's every exercise must
also be answered correctly. A hand-out that was already made from the same page and the same core is not made again.
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
import textwrap
import time
from pathlib import Path

import nbformat
from execute import AT_ONCE, CELL_TIMEOUT, ROOT, each, key, shared_digest, surroundings, up_to_date, write

from privrl_core.pages.sealing import COST

EDITIONS = ("student", "instructor")
FENCE = re.compile(r"^(?P<ticks>`{3,})\{(?P<name>[\w-]+)\} ?(?P<title>[^\n]*)\n(?P<body>.*?)^(?P=ticks)$\n?", re.M | re.S)
ROLE = re.compile(r"\{([\w:-]+)\}`(?:([^`<]*?) ?<)?/?([^`>]*)>?`")
LABEL = re.compile(r"^(?:`{3,}\{(?P<kind>[\w:-]+)\} ?(?P<name>.*)\n)?(?:\((?P<anchor>\S+)\)=|:label: (?P<label>\S+))$", re.M)
IN_A_COPY = {  # what a page of the book says of itself, and what its copies say; None is the edition that says it as it is
    "In the notebook (`make lab`), put": ("Put", "Put"),
    " In the book, answers that are numbers can be typed into the page, and solutions can be opened.": ("", ""),
    " Proofs have a model answer and a marking scheme.": (" Proofs are marked by your teacher.", None),
    "No program checks these. Write your proof first, open the model answer, and give yourself points by the scheme. "
    "Each proof has ten.":
        ("No program checks these. Write each proof into the cell below it. Your teacher gives it up to ten points.", None),
    "Open the choice that you would make (mouse, or <kbd>Tab</kbd> and <kbd>Enter</kbd>). Every choice explains itself.":
        ("Put an `x` between the brackets of the choice that you would make. This part is not handed in. On the book's page "
         "*Exercises and a quiz* of this chapter every choice explains itself.", "Every choice explains itself."),
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
            return "**Solution.**\n"
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
    handout, inside = nbformat.v4.new_notebook(metadata=page.metadata), False
    for cell in page.cells:
        kept = []
        if cell.cell_type == "markdown":
            # split at the start and end fences of solutions, wherever they are
            for part in re.split(r"(^`{3,}\{solution-(?:start|end)\}.*?^`{3,}$)", cell.source, flags=re.M | re.S):
                if start_or_end := re.match(r"`{3,}\{solution-(start|end)\}", part):
                    if inside == (start_or_end[1] == "start"):
                        raise ValueError(f"solutions must start and end in turn, got {part.splitlines()[0]} out of turn")
                    inside = not inside
                if edition == "instructor" or not (inside or start_or_end):
                    kept.append(part)
                elif start_or_end and inside and "-proof-" in part:
                    kept.append("\f*Write your proof into this cell.*\f")
            made = [nbformat.v4.new_markdown_cell(source.strip(), id=cell.id + f"-{number}" * (number > 0))
                    for number, source in enumerate(readable("".join(kept), edition, chapter).split("\f"))]
        elif edition == "instructor" or not inside:
            made = [nbformat.v4.new_code_cell(cell.source, id=cell.id, metadata=cell.metadata)]
        else:
            continue
        handout.cells += [one for one in made if one.source]
    if inside:
        raise ValueError("solutions must start and end in turn, got one without an end")
    return handout


def verdicts(executed: nbformat.NotebookNode) -> list[str]:
    """The verdicts of the cells with a check, in order: Missing, Right or Not yet."""
    shown = ("".join(output.get("data", {}).get("text/markdown", "")) for cell in executed.cells
             if ".check(" in cell.get("source", "") for output in cell.get("outputs", ()))
    return [found[1] for text in shown if (found := re.search(r"\*\*(Missing|Right|Not yet)[:.]\*\*", text))]


SEAL = """
import json, sys
from privrl_core.pages import Exercise, close_to, sealed
record = type(close_to(1.0))
for name, made in list(globals().items()):
    if isinstance(made, Exercise) and isinstance(made.is_right, record):
        print(json.dumps([name, f"{name} = Exercise(is_right=Sealed({sealed(made.is_right, cost)!r}), hint={made.hint!r})"]))
    elif isinstance(made, record):
        print(json.dumps([name, f"{name} = Sealed({sealed(made, cost)!r})"]))
    elif isinstance(made, Exercise):
        print(json.dumps([name, f"{name} = Exercise(is_right=None, hint={made.hint!r})"]))
"""


def assigned(code: str) -> list[str]:
    """The names that the lines of a cell give, outside of functions."""
    return [target.id for line in ast.parse(code).body if isinstance(line, ast.Assign)
            for target in line.targets if isinstance(target, ast.Name)]


def without_answers(handout: nbformat.NotebookNode, lines: dict[str, str]) -> nbformat.NotebookNode:
    """A copy in which one of these lines is all that is left of a cell that makes an exercise with an answer to hide."""
    hidden = nbformat.from_dict(handout)
    for cell in hidden.cells:
        if cell.cell_type == "code" and "remove-input" in cell.metadata.get("tags", ()):
            kept = [line for name in assigned(cell.source) if (line := lines.get(name))
                    and ("Sealed(" in line or "held-back" in cell.metadata.tags)]
            if kept:
                kept[:0] = [ast.unparse(line) for line in ast.parse(cell.source).body
                            if isinstance(line, ast.Import | ast.ImportFrom)]
                cell.source, cell.metadata["jupyter"] = "\n".join(kept), {"source_hidden": True}
    return with_what_is_used(hidden)


def with_what_is_used(handout: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Without imports of names that no other line mentions; `close_to` has become `Sealed`."""
    for cell in handout.cells:
        if cell.cell_type != "code":
            continue
        lines = cell.source.split("\n")
        for found in reversed(ast.parse(cell.source).body):
            if not isinstance(found, ast.Import | ast.ImportFrom):
                continue
            rest = [*lines[:found.lineno - 1], *lines[found.end_lineno:]]
            said = "\n".join([*rest, *(other.source for other in handout.cells if other is not cell)])
            names = [alias for alias in found.names
                     if re.search(rf"\b{(alias.asname or alias.name).split('.')[0]}\b", said)]
            if "Sealed(" in said and any(alias.name == "close_to" for alias in found.names):
                names.append(ast.alias("Sealed"))
            found.names = sorted(names, key=lambda alias: alias.name)
            lines[found.lineno - 1:found.end_lineno] = wrapped(ast.unparse(found)) if names else []
        cell.source = "\n".join(lines).strip("\n")
    handout.cells = [cell for cell in handout.cells if cell.source]
    return handout


def wrapped(line: str) -> list[str]:
    """An import as lines that fit a cell."""
    if len(line) <= 88:
        return [line]
    start, names = line.split(" import ")
    return [f"{start} import (", *textwrap.wrap(names, 84, initial_indent="    ", subsequent_indent="    ")[:-1],
            textwrap.wrap(names, 84, initial_indent="    ", subsequent_indent="    ")[-1] + ")"]


def wheel(into: Path) -> str:
    """Build a wheel of the core into a folder, without network, and return its name."""
    uv = Path(sys.executable).with_name("uv")
    subprocess.run([uv, "build", "--wheel", "--offline", "--quiet", "--out-dir", into, ROOT], check=True)
    (into / ".gitignore").unlink(missing_ok=True)  # which uv writes beside it
    return next(into.glob("privrl_core-*.whl")).name


def first_cell(handout: nbformat.NotebookNode, name: str) -> nbformat.NotebookNode:
    """How to install what a student's copy needs, what to hand in, and where the book is."""
    code = "\n".join(cell.source for cell in handout.cells if cell.cell_type == "code")
    extras = "pages,networks" if re.search(r"^(import|from) (torch|privrl_core\.networks)\b", code, re.M) else "pages"
    return nbformat.v4.new_markdown_cell(
        f"To begin, once, in the folder with this notebook and the file `{name}`, on Linux, macOS or Windows with Python "
        f"3.11 or newer:\n\n```console\npip install jupyterlab \"./{name}[{extras}]\"\njupyter lab\n```\n\n"
        "* **The book** is the zip file that your teacher gives you. Unpack it and open `html/index.html` in a browser.\n"
        "* **Hand in** this file, under its name, before the session after the one that set its exercises. Only those "
        "that the plan sets at home count, each as many points as it has minutes. You may try as often as you like.",
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
         made_from: str = "", cost: int = COST) -> str:
    """Run one hand-out and write it. Returns a message if something is wrong with it, and otherwise nothing."""
    from nbclient.exceptions import CellExecutionError

    name = f"{edition}/{source.parent.name}.ipynb"
    handout = edition_of(nbformat.read(source, 4), edition, source.parent.name)
    try:
        if edition == "student":
            with_seals = nbformat.from_dict(handout)
            with_seals.cells.append(nbformat.v4.new_code_cell(f"cost = {cost}\n{SEAL}"))
            sealing = run(with_seals, source.parent, effort, environment).cells[-1]
            printed = "".join(output.text for output in sealing.outputs)
            handout = without_answers(handout, dict(map(json.loads, printed.splitlines())))
            handout.cells.insert(1, first_cell(handout, wheel_name))
        trial = run(handout, source.parent, effort, environment)
    except CellExecutionError as error:
        return f"{name}: {error}"
    said = verdicts(trial)
    missing, right = said.count("Missing"), said.count("Right")
    expected = (missing, 0, 0) if edition == "student" else (missing, missing, 0)
    if not missing or (missing, right, said.count("Not yet")) != expected:
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
