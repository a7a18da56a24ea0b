"""Slides from the executed notebooks: `slides.py --from _build/book --into _build/course/slides`.

nbconvert makes them, with reveal.js and no network. Their content follows from the notebook by one rule, so that no cell
needs a mark. A heading begins a slide. The slide shows as many as fit of the first sentence, sentences with a word in bold,
lists, displayed equations, theorem boxes, exercises, figures, tables and sliders, and the whole text is in the speaker's
notes (key S). Code is left out.
"""

import interruption

if __name__ == "__main__":
    interruption.install()

import argparse
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
from execute import ROOT, documents, executed, notebooks
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from widget_state import VIEW

SPARE = ("vendor/reveal", "vendor/mathjax", "vendor/widgets")  # the folders of book/assets that a deck loads
FULL = 9.0  # the capacity of a slide, in units of a heading
BOXES = re.compile(r"admonition|exercise|prf:(?!proof)\w+")  # other directives go to the notes
DIRECTIVE = re.compile(r"(?s)(?P<ticks>`{3,})\{(?P<name>[\w:-]+)\} ?(?P<title>[^\n]*)\n(?P<body>.*?)(?P=ticks)")
BLOCK = re.compile(r"^(?:(`{3,})\{.*?^\1$|\$\$.*?\$\$\s*?$|#+ [^\n]*|\S.*?(?=\n\n(?!  )|\n`{3}|\n\$\$|\Z))", re.M | re.S)
SENTENCES = re.compile(r"(?<=[.?!])\s+(?=[A-Z*$(])")


@dataclass(frozen=True)
class Block:
    """An indivisible part of a slide: ``text`` in Markdown, or ``outputs`` of a cell; for the notes if ``weight`` is 0."""

    weight: float
    text: str = ""
    outputs: tuple[nbformat.NotebookNode, ...] = ()
    level: int = 0  # of a heading


def works(root: Path) -> dict[str, str]:
    """The citation text of each work: `balle2016` is Balle et al. (2016)."""
    from pybtex.database import parse_file

    found = {}
    for key, entry in parse_file(str(root / "book" / "references.bib")).entries.items():
        last = [" ".join(person.last_names).strip("{}") for person in entry.persons.get("author", ())]
        who = f"{last[0]} et al." if len(last) > 2 else " and ".join(last) or key
        found[key] = f"{who} ({entry.fields['year']})"
    return found


def titles(root: Path, source: Path) -> dict[str, str]:
    """The first heading of each page, by its name in the {doc} role: `/chapters/…`."""
    found = {}
    for name in documents(root):
        page = executed(source, name)
        text = ("\n\n".join(cell.source for cell in nbformat.read(page, 4).cells) if page.exists()
                else (source / "source" / f"{name}.md").read_text("utf-8"))
        if heading := re.search(r"^# (.*)", text, re.M):
            found[f"/{name}"] = heading[1]
    return found


def plain(text: str, known: dict[str, str]) -> str:
    """Text with roles replaced by words: the given title, else the name of a ``known`` target, else the label."""
    def words(match: re.Match) -> str:
        role, content = match["role"], match["content"]
        if role.startswith("cite:"):
            cited = ", ".join(known[key.strip()] for key in content.split(","))
            return cited if role == "cite:t" else f"({re.sub('[()]', '', cited)})"
        title, label = re.fullmatch(r"(?s)(?:(.*?)\s*<)?(.*?)>?", content).groups()
        return title or known.get(label) or re.sub(r"[-_]", " ", label.rpartition("/")[2])
    return re.sub(r"\{(?P<role>[\w:-]+)\}`(?P<content>[^`]*)`", words, text)


def boxed(directive: re.Match, known: dict[str, str]) -> Block:
    """A directive: an equation, a box, or something for the notes."""
    title, body = directive["title"], re.sub(r"\A(:[\w-]+:.*\n)+", "", directive["body"]).strip()
    if directive["name"] == "math":
        return Block(2, f"$$\n{body}\n$$")
    if not BOXES.fullmatch(directive["name"]):
        return Block(0, plain(f"**{title or directive['name'].capitalize()}**\n\n{body}", known))
    kind = directive["name"].removeprefix("prf:")
    heading = title
    if kind != "admonition":
        numbered = title.startswith("no. ")
        heading = f"{kind.capitalize()}{' ' if numbered else ': '}{title.removeprefix('no. ')}".rstrip(": ")
    return Block(1.5 + len(body) / 180, plain(f'<div class="box {kind}">\n\n**{heading}**\n\n{body}\n\n</div>', known))


def blocks(cell: nbformat.NotebookNode, known: dict[str, str]) -> Iterator[Block]:
    """The parts of a cell, in order."""
    if cell.cell_type == "code":
        yield from outputs(cell)
        return
    leading = False
    for part in (match[0].strip() for match in BLOCK.finditer(cell.source)):
        if directive := DIRECTIVE.fullmatch(part):
            yield boxed(directive, known)
        elif heading := re.match("(#+) ", part):
            yield Block(1, plain(part, known), level=len(heading[1]))
        elif part.startswith("$$"):
            yield Block(2, part)
        elif re.match(r"([*-]|\d+\.) ", part):
            yield Block(min(7, 0.5 + len(part) / 130) if len(part) < 1600 else 0, plain(part, known))
        else:
            sentences = SENTENCES.split(plain(part, known))
            shown = " ".join(sentence for k, sentence in enumerate(sentences) if "**" in sentence or leading and k == 0)
            if leading and sum(map(len, sentences)) < 240:
                shown = " ".join(sentences)
            if shown:
                yield Block(0.5 + len(shown) / 200, shown)
            yield Block(0, " ".join(sentences))
        leading = part.startswith("#")


def outputs(cell: nbformat.NotebookNode) -> Iterator[Block]:
    """What a cell shows: pictures, sliders with their still picture, tables, sentences. Bare numbers belong to the code."""
    shown = cell.get("outputs", ())
    if any(VIEW in output.get("data", {}) for output in shown):
        yield Block(6, outputs=tuple(shown))
        return
    for output in shown:
        data = output.get("data", {})
        if "image/png" in data:
            alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
            yield Block(6, outputs=(nbformat.from_dict({**output, "metadata": {"image/png": {"alt": alt}}}),))
        elif len(re.sub("<[^>]*>", "", data.get("text/html", data.get("text/markdown", "")))) > 1500:
            continue  # a reference table
        elif "text/html" in data:
            yield Block(min(6, 1.5 + data["text/html"].count("<tr") / 2), outputs=(output,))
        elif "text/markdown" in data:
            yield Block(1.5 if len(data["text/markdown"]) < 400 else 4, outputs=(output,))


def deck(page: nbformat.NotebookNode, known: dict[str, str]) -> nbformat.NotebookNode:
    """The notebook that nbconvert turns into slides."""
    slides = new_notebook(metadata={name: page.metadata[name] for name in ("widgets",) if name in page.metadata})
    heading, filled = Block(1), FULL

    def add(block: Block, kind: str) -> None:
        cell = new_code_cell("", outputs=list(block.outputs)) if block.outputs else new_markdown_cell(block.text)
        cell.metadata["slideshow"] = {"slide_type": kind}
        slides.cells.append(cell)

    for block in (block for cell in page.cells for block in blocks(cell, known)):
        if block.level:
            heading, filled = block, block.weight
            slides.metadata.setdefault("title", block.text.lstrip("# "))
            add(block, "subslide" if block.level > 2 else "slide")
        elif block.weight == 0:
            add(block, "notes")
        else:
            if filled + block.weight > FULL and filled > heading.weight:
                add(Block(1, f"## {heading.text.lstrip('# ')}"), "subslide")
                filled = heading.weight
            add(block, "-")
            filled += block.weight
    return slides


def make(root: Path, source: Path, into: Path, pages: list[str]) -> None:
    """Write a deck for each of these executed notebooks, with the files that the decks load."""
    from nbconvert import SlidesExporter

    known = works(root) | titles(root, source)
    shutil.rmtree(into, ignore_errors=True)
    for part in SPARE:
        shutil.copytree(root / "book" / "assets" / part, into / part)
    exporter = SlidesExporter(template_name="deck", extra_template_basedirs=[str(ROOT / "tools")], exclude_input=True,
                              exclude_input_prompt=True, exclude_output_prompt=True)
    for name in pages:
        beside = {Path(label).name: known[label] for label in known if str(Path(label).parent) == f"/{Path(name).parent}"}
        page = deck(nbformat.read(executed(source, name), 4), known | beside)
        target = into / f"{name.removeprefix('chapters/')}.html"
        up = "../" * len(target.relative_to(into).parent.parts)
        html, _ = exporter.from_notebook_node(page, resources={"up": up})
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(html, "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--from", dest="source", type=Path, required=True, help="where execute.py wrote the notebooks")
    parser.add_argument("--into", type=Path, required=True)
    arguments = parser.parse_args()
    start, root = time.monotonic(), arguments.root.resolve()
    pages = [name for name in notebooks(root) if not name.endswith("_exercises")]
    make(root, arguments.source.resolve(), arguments.into.resolve(), pages)
    print(f"slides: {len(pages)} decks in {arguments.into}, {time.monotonic() - start:.1f} s", flush=True)
