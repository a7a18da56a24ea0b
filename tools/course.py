"""The exercises as hand-outs, from the pages of the book: `course.py --into _build/course`.

Every chapter's page of exercises, chapters/*/*_exercises.ipynb, becomes two notebooks: student/ without solutions and
without the explanations of the quiz, instructor/ with both unfolded. Each is run before it is written: in a student's copy
every check must report a missing answer, and in an instructor's copy every exercise must also be answered correctly. A
hand-out that was already made from the same page and the same core is not made again.
"""

import interruption

if __name__ == "__main__":
    interruption.install()

import argparse
import hashlib
import re
import sys
import time
from pathlib import Path

import nbformat
from execute import AT_ONCE, CELL_TIMEOUT, ROOT, each, key, shared_digest, surroundings, up_to_date, write

EDITIONS = ("student", "instructor")
FENCE = re.compile(r"^(?P<ticks>`{3,})\{(?P<name>[\w-]+)\} ?(?P<title>[^\n]*)\n(?P<body>.*?)^(?P=ticks)$\n?", re.M | re.S)
ROLE = re.compile(r"\{[\w:-]+\}`(?:[^`<]*<)?/?([^`>]*)>?`")


def readable(text: str, edition: str) -> str:
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
    return ROLE.sub(r"`\1`", text)


def edition_of(page: nbformat.NotebookNode, edition: str) -> nbformat.NotebookNode:
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
            cell = nbformat.v4.new_markdown_cell(readable("".join(kept), edition).strip(), id=cell.id)
        elif edition == "instructor" or not inside:
            cell = nbformat.v4.new_code_cell(cell.source, id=cell.id, metadata=cell.metadata)
        else:
            continue
        if cell.source:
            handout.cells.append(cell)
    if inside:
        raise ValueError("solutions must start and end in turn, got one without an end")
    return handout


def verdicts(executed: nbformat.NotebookNode) -> list[str]:
    """The verdicts of the cells with a check, in order: Missing, Right or Not yet."""
    shown = ("".join(output.get("data", {}).get("text/markdown", "")) for cell in executed.cells
             if ".check(" in cell.get("source", "") for output in cell.get("outputs", ()))
    return [found[1] for text in shown if (found := re.search(r"\*\*(Missing|Right|Not yet)[:.]\*\*", text))]


def make(source: Path, into: Path, edition: str, effort: float, environment: dict, made_from: str = "") -> str:
    """Run one hand-out and write it. Returns a message if something is wrong with it, and otherwise nothing."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    name = f"{edition}/{source.parent.name}.ipynb"
    handout = edition_of(nbformat.read(source, 4), edition)
    trial = nbformat.from_dict(handout)
    for cell in trial.cells:
        if "parameters" in cell.metadata.get("tags", ()):
            cell.source += f"\neffort = {effort}"
    try:
        NotebookClient(trial, timeout=CELL_TIMEOUT, kernel_name="python3",
                       resources={"metadata": {"path": source.parent}}).execute(env=environment)
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
    shared = shared_digest(root, arguments.effort) + hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    keys = {page: key(root, str(page.relative_to(root).with_suffix("")), shared)
            for page in sorted(root.glob("chapters/*/*_exercises.ipynb"))}
    total = [(page, edition) for page in keys for edition in EDITIONS]
    waiting = [(page, edition) for page, edition in total
               if not up_to_date(into / edition / f"{page.parent.name}.ipynb", keys[page])]
    environment = surroundings(into)

    def work(one: tuple[Path, str]) -> str:
        return make(one[0], into, one[1], arguments.effort, environment, keys[one[0]])

    problems = [message for _, message, _ in each(work, waiting, AT_ONCE, len(total)) if message]
    print(f"course: {len(waiting)} of {len(total)} hand-outs made in {into}, {time.monotonic() - start:.1f} s", flush=True)
    return problems


if __name__ == "__main__":
    sys.exit("\n".join(main(*sys.argv[1:])) or 0)
