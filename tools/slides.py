"""Slides for each session of the course: `slides.py --from _build/book --into _build/course/slides`.

A deck joins the pages that a session of book/course/plan.yml is about. nbconvert makes it from the executed notebooks,
with reveal.js and no network. What is shown follows from the page by one rule, so that no cell needs a mark. A heading
begins a slide. It shows the first sentence, sentences with a word in bold, lists, displayed equations, boxes, pictures
and tables. A guess and a question of a quiz have a slide each, and the answer, with its picture, follows on the next.
What a page says between the last heading or answer and a guess or a game is shown whole, since nobody can answer
without it. Sliders and games have a slide of their own. The whole text is in the speaker's notes (key S), and so are
the solutions of exercises. Other code is left out, and so is what does not fit or points at something that is not on
the slide. Each part of a session begins with a slide that has its minutes and its task. Its pages, slides of its own
from book/course/slides.yml, and the exercises that are done in class follow in the order in which the plan names them.
Behind the last part stand the pages that are read at home, and what no part shows of the others, for questions: nobody
has to show them.
"""

import interruption

if __name__ == "__main__":
    interruption.install()

import argparse
import os
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

import nbformat
from execute import ROOT, documents, executed
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from plans import SHEETS, pages_of, plans
from sheets import own_slides
from widget_state import VIEW

SPARE = ("vendor/reveal", "vendor/mathjax", "vendor/widgets")  # the folders of book/assets that a deck loads
FULL, WIDE = 14, 80  # what a slide holds below its heading: lines, and letters in a line
PICTURE = 8.5  # lines that a picture needs at least
STOPS = ("heading", "answer", "guess", "quiz", "sliders")
SHOWN = ("list", "formula", "box", "picture", "table")
BOXES = re.compile(r"admonition|exercise|prf:(?!proof)\w+")  # other directives go to the notes
DIRECTIVE = re.compile(r"(?s)(?P<ticks>`{3,})\{(?P<name>[\w:-]+)\} ?(?P<title>[^\n]*)\n(?P<body>.*?)(?P=ticks)")
BLOCK = re.compile(r"^(?:(`{3,})\{.*?^\1$|\$\$.*?\$\$\s*?$|#+ [^\n]*|\S.*?(?=\n\n(?!  )|\n`{3}|\n\$\$|\Z))", re.M | re.S)
SENTENCES = re.compile(r"(?<![ (]al\.)(?<=[.?!])\s+(?=[A-Z*$(])")
WHOLE = re.compile(r"[.?!…][)*”\"]*$")  # how a sentence ends; others go on in what comes next
ANSWER = re.compile(r"\*\*(What you should see|The answer)\.\*\*")
LEANS = re.compile(r"(Yes|It|Its|Such|This|They|These|Their|Then|So|But|And|That|There|Here|Therefore|Hence|Both|He|She|Her)"
                   r"\b")
REFERS = re.compile(LEANS.pattern + r"|[^:;]{0,50}\b(this|these|those|such|it|they|them|other)\b")  # perhaps
OPENS = re.compile(r"(So|But|And|Now) (?!far\b)([a-z])")  # what ties the first sentence below a heading to what came before
# at what is not on the slide, and words about the page before that a sentence can do without
POINTS = re.compile(r"\b([Tt]he|[Aa]) [\w ]{1,20}(?<! is)(?<! are)(?<! lies) (below|above)\b(?! (the|zero|\d|[$δεμσ]))|"
                    r"\bBelow are\b|\babove,|\b(shown|as) (below|above)\b|\bpage before|\b[Pp]age \d|\bThe slider|"
                    r"\b(last|next|previous) (page|section)|\bIn this draw\b|\bsmall slider\b|\bLook at the row\b|"
                    r"\bRead the (left|right) panel|\bHere is the whole\b|"
                    r"\b[Tt]he evidence (has|counts|follows|shows|checks)\b")
BEFORE = re.compile(r"\b(As on|On|In) the {0},? (?P<first>\w)|,?( as)? (of|on|from|in) the {0}\b,?".format(
    r"(?:page before|(?:last|previous) (?:\w+ )?pages?)"))
TRY = re.compile(r"(?s)(?<=\*\*) Choose\b.*?(?=\n\n\* )")  # what to do with sliders, behind a question
RUN_IN = re.compile(r"\*\*[^*]+[.?]\*\* ")  # a heading within a paragraph
VERDICT = re.compile(r"\s*([\[(]\{(ref|doc)\}`[^`]*`[\])]|\{(ref|doc)\}`[\[(][^`]*`)")  # a link to evidence, in brackets
INLINE = re.compile(r"(?<![$\\])\$(?!\s)([^$\n`]*[^$\s`])\$([.,;])(?=\s|\Z)")  # a formula keeps its full stop on its line
SOLUTION = re.compile(r"^`{3,}\{solution-start\} (\S+)\n(?::[^\n]*\n)*`{3,}\n(.*?)^`{3,}\{solution-end\}", re.M | re.S)
LABEL = re.compile(r"^\((?P<target>[\w-]+)\)=\n+#+ (?P<heading>.*)|"
                   r"^`{3,}\{[\w:-]+\} ?(?P<title>.*)\n(?::.*\n)*?:label: (?P<label>\S+)", re.M)


@dataclass(frozen=True)
class Block:
    """A part of a page: ``text`` in Markdown, or ``outputs`` of a cell. ``answer`` is what the next slide shows."""

    kind: str  # heading, text, premise, answer, guess, quiz, choice, sliders, code, notes, or one of SHOWN
    text: str = ""
    outputs: tuple[nbformat.NotebookNode, ...] = ()
    answer: str = ""

    @property
    def lines(self) -> float:
        """About how many lines it takes."""
        if self.kind == "picture":
            return PICTURE
        if self.kind == "table":
            rows = self.text.splitlines()[1:] or re.findall(r"<tr.*?</tr>", self.outputs[0].data["text/html"], re.S)
            return 1.25 * len(rows) + (2 if "<caption" in str(self.outputs) else 0.5)
        if self.kind == "formula":
            return 2.2 + 1.2 * self.text.count(r"\\") + 0.8 * ("brace" in self.text)
        return 0.4 + 1.1 * (self.kind in ("box", "guess")) + sum(
            1 + len(line) // WIDE + 0.18 for line in self.text.splitlines() if line.strip() and not line.startswith("<"))


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


def labels(root: Path, source: Path) -> dict[str, str]:
    """What a label stands for: the heading below it, or the title of a theorem or an exercise."""
    found = {}
    for name in documents(root):
        if (page := executed(source, name)).exists():
            for cell in nbformat.read(page, 4).cells:
                for match in LABEL.finditer(cell.source if cell.cell_type == "markdown" else ""):
                    title = match["heading"] or (match["title"] or "").removeprefix("no. ")
                    found[match["target"] or match["label"]] = title
    return {label: text for label, text in found.items() if text}


def plain(text: str, known: dict[str, str]) -> str:
    """Text with roles replaced by words: the given title, else the name of a ``known`` target, else the label."""
    text = VERDICT.sub("", text)

    def words(match: re.Match) -> str:
        role, content = match["role"], match["content"]
        if role.startswith("cite"):
            cited = ", ".join(known[key.strip()] for key in content.split(","))
            return cited if role == "cite:t" else f"({re.sub('[()]', '', cited)})"
        title, label = re.fullmatch(r"(?s)(?:(.*?)\s*<)?(.*?)>?", content).groups()
        return title or known.get(label) or f"`{label}`"
    text = re.sub(r"\{(?P<role>[\w:-]+)\}`(?P<content>[^`]*)`", words, text)
    return BEFORE.sub(lambda match: (match["first"] or "").upper(), text)


def boxed(directive: re.Match, known: dict[str, str]) -> Block:
    """A directive: an equation, a box, a guess, a choice of a quiz, or something for the notes."""
    name, title = directive["name"], directive["title"]
    body = re.sub(r"\A(:[\w-]+:.*\n)+| The solution is below the exercise\.", "", directive["body"])
    body = plain(body.strip(), known)
    if name == "math":
        return Block("formula", f"$$\n{body}\n$$")
    if name == "dropdown":
        return Block("choice", plain(title, known), answer=body)
    if not BOXES.fullmatch(name):
        title = name.capitalize() if name == "solution" else title or name.capitalize()
        return Block("notes", plain(f"**{title}**\n\n{body}", known))
    if title == "At a glance":
        return Block("glance", body)
    if right := re.search(r"guess right-(\d)", directive["body"]):
        question, _, options = body.partition("\n\n* ")
        options = options.split("\n* ")
        return Block("guess", lettered(question, options), answer=answered(options, int(right[1]) - 1))
    kind = name.removeprefix("prf:")
    if kind != "admonition":
        numbered = title.startswith("no. ")
        title = f"{kind.capitalize()}{' ' if numbered else ': '}{title.removeprefix('no. ')}".rstrip(": ")
    return Block("box", plain(f'<div class="box {kind}">\n\n**{title}**\n\n{body}\n\n</div>', known))


def lettered(question: str, options: list[str]) -> str:
    choices = "\n".join(f"* **{letter}** {choice(options, number)}" for number, letter in enumerate("ABCDEF"[:len(options)]))
    return f'<div class="box guess">\n\n{question}\n\n{choices}\n\n</div>'


def choice(options: list[str], number: int) -> str:
    return " ".join(options[number].split()).removeprefix(f"{'ABCDEF'[number]}: ")  # its letter stands there already


def answered(options: list[str], right: int) -> str:
    return f"**{'ABCDEF'[right]}: {choice(options, right)}**"


def of_markdown(source: str, known: dict[str, str]) -> Iterator[Block]:
    """The parts of a text, in order."""
    source = re.sub(r"^(\([\w-]+\)=|%.*)\n+", "", source.replace("<br>", " "), flags=re.M)
    for part in (match[0].strip() for match in BLOCK.finditer(source)):
        if directive := DIRECTIVE.fullmatch(part):
            yield boxed(directive, known)
        elif part.startswith("#"):
            yield Block("heading", plain(part.lstrip("# "), known))
        elif part.startswith("$$"):
            yield Block("formula", part)
        elif part.startswith("|"):
            yield Block("table", plain(part, known))
        elif re.match(r"([*-]|\d+\.) ", part):
            items = re.split(r"\n(?=[*-] |\d+\. )", plain(part, known))
            items = [item for item in map(standing, items) if re.search(r"\w", item.lstrip("*-.0123456789"))]
            yield Block("list", "\n".join(items))
        elif not part.startswith(("<", "`" * 3, ":")):
            yield Block("answer" if ANSWER.match(part) else "text", " ".join(plain(part, known).split()))


def of_outputs(cell: nbformat.NotebookNode, known: dict[str, str]) -> Iterator[Block]:
    """What a cell shows: pictures, sliders, tables, sentences. Bare numbers belong to the code."""
    shown = cell.get("outputs", ())
    if sliders := [output for output in shown if VIEW in output.get("data", {})]:
        still = [output for output in shown if "-still" in str(output.get("data", {}).get("text/html", ""))[:60]]
        yield Block("sliders", outputs=(*sliders, *still))
        shown = [output for output in shown if output not in (*sliders, *still)]
    for output in shown:
        data = output.get("data", {})
        if "image/png" in data:
            alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
            yield Block("picture", outputs=(nbformat.from_dict({**output, "metadata": {"image/png": {"alt": alt}}}),))
        elif (data.get("text/html") or "").startswith("<style>"):  # a picture that is moved without a program
            yield Block("sliders", outputs=(output,))
        elif "<table" in (data.get("text/html") or ""):
            yield Block("table", outputs=(output,))
        elif "text/markdown" in data and not data["text/markdown"].startswith("**Missing"):  # an answer
            yield from of_markdown(data["text/markdown"], known)


def blocks(page: nbformat.NotebookNode, known: dict[str, str]) -> list[Block]:
    """The parts of a page, in order, each question of a quiz with its choices in one."""
    found: list[Block] = []
    for cell in page.cells:
        if cell.cell_type == "markdown":
            found += of_markdown(cell.source, known)
        else:
            if not {"remove-input", "remove-cell", "hide-input"} & set(cell.metadata.get("tags", ())):
                found.append(Block("code", f"```\n{cell.source.strip()}\n```"))
            found += of_outputs(cell, known)
    whole: list[Block] = []
    for block in [*found, Block("code")]:
        if block.kind != "choice" and whole and whole[-1].kind == "choice":
            choices = []
            while whole[-1].kind == "choice":
                choices.insert(0, whole.pop())
            right = [number for number, choice in enumerate(choices) if "✓" in choice.answer]
            if len(right) == 1 and whole[-1].kind in ("text", "list"):
                options, reason = [choice.text for choice in choices], choices[right[0]].answer.replace("✓ ", "")
                whole.append(Block("quiz", lettered(whole.pop().text, options),
                                   answer=f"{answered(options, right[0])}\n\n{shortened(reason)}"))
            else:
                whole += [Block("notes", f"**{choice.text}** {choice.answer}") for choice in choices]
        whole.append(block)
    return whole


def is_game(part: Block) -> bool:
    return part.kind == "sliders" and bool(re.search("<(Game|Hospital) ", str(part.outputs)))


def premises(parts: list[Block]) -> set[int]:
    """The numbers of the parts that a guess or a game needs: all since the last heading or answer, and code just above."""
    found: set[int] = set()
    stops = [number for number, part in enumerate(parts) if part.kind in STOPS]
    for number in (number for number in stops if parts[number].kind == "guess" or is_game(parts[number])):
        *_, above, start = [0, *(stop for stop in stops if stop < number)]
        if parts[start].kind == "heading" and not any(part.kind in ("text", "list") for part in parts[start:number]):
            start = above  # a guess right below a heading goes on from the section above
        found.update(k for k in range(start, number) if parts[k].kind in ("text", *SHOWN)
                     or parts[k].kind == "code" and k == number - 1)
    return found


def standing(text: str) -> str:
    """A text without the sentences that point at something outside of the slide, and those that lean on them."""
    kept, left_out = text, False
    for sentence in SENTENCES.split(text):
        left_out = bool(POINTS.search(sentence) or left_out and LEANS.match(sentence))
        if left_out:
            kept = kept.replace(sentence, "")
    return kept.strip()


def shortened(text: str, letters: int = 330) -> str:
    """As many whole sentences from the start as fit, none of which announces something that is left out."""
    kept: list[str] = []
    for sentence in SENTENCES.split(" ".join(standing(text).split())):
        if kept and sum(map(len, kept)) + len(sentence) > letters or not WHOLE.search(sentence):
            asked = next((k for k, one in enumerate(kept[-2:], max(len(kept) - 2, 0)) if k and one.endswith("?")), len(kept))
            return " ".join(kept[:asked])  # a question whose answer is cut off is not asked
        kept.append(sentence)
    return " ".join(kept)


def said(text: str, leading: bool, shown_next: bool, needed: bool) -> tuple[str, bool]:
    """The sentences of a paragraph for the slide, all if ``needed``, and whether the last one announces what comes next."""
    text = standing(text)
    if leading and (opens := OPENS.match(text)):
        text = opens[2].upper() + text[opens.end():]
    sentences = SENTENCES.split(text)
    announces = not WHOLE.search(sentences[-1])
    kept = {k for k, sentence in enumerate(sentences) if "**" in sentence or leading and k == 0}
    if needed or leading and len(text) < 260:
        kept = set(range(len(sentences)))
    elif run_in := [k for k in kept if RUN_IN.match(sentences[k])]:  # what it heads belongs to it
        kept |= set(range(run_in[0], len(sentences)))
    if announces and shown_next:
        kept.add(len(sentences) - 1)
    for k in sorted(kept, reverse=True):  # a sentence that leans on the one before brings it along
        while k and REFERS.match(sentences[k]) and k - 1 not in kept:
            kept.add(k := k - 1)
    tied = announces and shown_next
    if needed and announces and not tied and len(sentences[-1]) > 40 and not sentences[-1].startswith("Here"):
        sentences[-1] = sentences[-1].removesuffix(":") + "."  # code would follow, which is left out
    kept -= {k for k in kept if not WHOLE.search(sentences[k]) and not (tied and k == len(sentences) - 1)}
    chosen = [sentences[k] for k in sorted(kept)]
    while not needed and len(chosen) > 1 and sum(map(len, chosen)) > 420:
        chosen.pop(0 if tied else -1)
    return " ".join(chosen), tied


def pieces(text: str, letters: int = 420) -> list[str]:
    """A text in paragraphs of whole sentences, none too long for a slide."""
    found = [""]
    for sentence in SENTENCES.split(text):
        if found[-1] and len(found[-1]) + len(sentence) > letters:
            found.append("")
        found[-1] = f"{found[-1]} {sentence}".strip()
    return found


def same(sentence: str, answer: str) -> bool:
    """Whether a sentence only repeats the answer above it, or how it begins."""
    repeated = re.sub(r"\W", "", sentence.lower())
    return len(repeated) > 2 and re.sub(r"\W", "", answer.lower())[1:].startswith(repeated)


def fits(block: Block) -> bool:
    """Whether a slide can hold it, a wide table with letters that can be read. A question points at nothing else."""
    if block.kind in ("guess", "quiz") and POINTS.search(block.text):
        return False
    if block.kind == "table":
        rows = [re.split(r"\s*\|\s*", row.strip("| ")) for row in block.text.splitlines()] or [
            re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in re.findall(
                r"<tr.*?</tr>", block.outputs[0].data["text/html"], re.S)]
        widest = [max((len(re.sub("<[^>]*>|[*`$]", "", cell).strip()) for cell in column), default=0)
                  for column in zip(*[row for row in rows if len(row) == len(rows[-1])])]
        if sum(min(width, 40) + 3 for width in widest) > 98:
            return False
        wrapped = sum(1 for row in rows for cell in row if len(cell) > 40)
        return block.lines + wrapped <= FULL - 2
    return block.lines <= FULL


def titled(parts: list[Block]) -> str:
    return next(part.text for part in parts if part.kind == "heading")


@dataclass
class Deck:
    """Slides as a notebook, for nbconvert."""

    notebook: nbformat.NotebookNode

    def slide(self, heading: str, parts: list[Block], kind: str = "subslide") -> None:
        parts = [Block("heading", f"## {heading}"), *parts] if heading else parts
        for number, part in enumerate(parts):
            text = INLINE.sub(r"$\1\2$", part.text)
            cell = new_code_cell("", outputs=list(part.outputs)) if part.outputs else new_markdown_cell(text)
            cell.metadata["slideshow"] = {"slide_type": "-" if number else kind}
            self.notebook.cells.append(cell)

    def notes(self, text: str) -> None:
        self.notebook.cells.append(new_markdown_cell(text, metadata={"slideshow": {"slide_type": "notes"}}))

    def written(self, parts: list[Block]) -> None:
        """Slides as they were written: each heading begins one. What does not fit goes on the next, and a note ends one."""
        heading, filled = "", []
        for part in [*parts, Block("heading")]:
            if part.kind in ("heading", "notes") or sum(one.lines for one in (*filled, part)) > FULL + 2:
                if filled:
                    self.slide(heading, filled)
                filled = []
            if part.kind == "heading":
                heading = part.text
            elif part.kind == "notes":
                self.notes(part.text)
            else:
                filled.append(part)

    def page(self, parts: list[Block], whole: bool, until: str = "", start: str = "") -> None:
        """The slides of a page: what one guesses, does and takes away, and the ``whole`` if it is opened in class."""
        title = titled(parts)
        question = next((re.search(r"\* \*\*The question\.\*\*\s*(.*?)(?=\n\* |\Z)", part.text, re.S) for part in parts
                         if part.kind == "glance"), None)
        asked = [Block("text", " ".join(question[1].split()))] if question else []
        if not start:
            self.slide("", [Block("heading", f"# {title}"), *asked])
        first = parts.index(Block("heading", start)) if start else 0
        parts = parts[first:parts.index(Block("heading", until)) if until else None]
        needed = premises(parts)
        heading, filled, held, guess = title, [], [], None

        def flush() -> None:
            filled[:] = [part for part in filled if part.text or part.outputs]
            if len(" ".join(part.text for part in filled)) > 110 or any(part.kind != "text" for part in filled):
                self.slide(heading, filled)  # a line alone is for the speaker
            filled.clear()

        leading, unsaid = False, ""
        for number, part in enumerate(parts):
            if not (whole or number in needed or heading == "To take away" or part.kind == "picture" and guess
                    or part.kind in ("heading", "guess", "answer", "sliders")):
                continue
            after = next((one for one in parts[number + 1:] if one.kind != "notes"), Block("code"))
            if part.kind == "heading":
                flush()
                heading, leading, unsaid = part.text, True, ""
                continue
            if part.kind in ("guess", "quiz") and fits(part):
                beside: list[Block] = []
                while filled and sum(one.lines for one in (filled[-1], *beside, part)) <= FULL:
                    beside.insert(0, filled.pop())
                while filled and beside and beside[0].kind in SHOWN:  # what is shown stays with its sentence
                    filled.append(beside.pop(0))
                flush()
                follows = next((one.kind for one in parts[number:] if one.kind in ("sliders", "answer")), "answer")
                self.slide(heading, [*beside, replace(part, text=TRY.sub("", part.text)) if follows == "answer" else part])
                if part.kind == "quiz":
                    self.slide(heading, [Block("text", part.answer)])
                else:
                    guess = part
            elif part.kind == "answer":
                flush()
                text = shortened(ANSWER.sub("", part.text).strip(), 230 if held else 330)
                if guess and same(text.partition(". ")[0], guess.answer):
                    text = text.partition(". ")[2]
                chosen = f"{guess.answer}\n\n{text}" if guess else text
                self.slide(heading, [Block("text", chosen), *held[:1]])
                for one in held[1:]:
                    self.slide(heading, [one])
                held, guess = [], None
            elif part.kind == "sliders":
                flush()
                self.slide("" if is_game(part) else heading, [part])  # a game says its question itself
            elif part.kind == "picture" and guess:
                held.append(part)
            elif part.kind == "text":
                if part.text.lstrip("*")[0].islower() and not (filled and filled[-1].kind == "formula"):
                    self.notes(part.text)
                    continue
                last = Block("text", SENTENCES.split(part.text)[-1])
                announced = after.kind in SHOWN and fits(after) and not (guess and after.kind == "picture")
                announced = announced and last.lines + after.lines <= FULL
                text, tied = said(part.text, leading or part.text[0].islower(), announced, number in needed)
                if unsaid and LEANS.match(text):  # on the paragraph before
                    text = f"{unsaid} {text}"
                shown = text.endswith(last.text) or LEANS.match(last.text) or not WHOLE.search(last.text)
                unsaid = "" if shown else last.text
                if number in needed:
                    *before, text = pieces(text)
                    for piece in before:
                        if sum(one.lines for one in filled) + Block("premise", piece).lines > FULL:
                            flush()
                        filled.append(Block("premise", piece))
                if text and tied and Block("text", text).lines + after.lines > FULL:  # what announces goes with what follows
                    first, text = (" ".join(some) for some in (SENTENCES.split(text)[:-1], SENTENCES.split(text)[-1:]))
                    if first:
                        if sum(one.lines for one in filled) + Block("text", first).lines > FULL:
                            flush()
                        filled.append(Block("text", first))
                if text:
                    block = Block("premise" if number in needed else "text", text)
                    if sum(one.lines for one in filled) + block.lines + (after.lines if tied else 0) > FULL:
                        flush()
                    filled.append(block)
                self.notes(part.text)
            elif part.kind in SHOWN and fits(part):
                last = SENTENCES.split(filled[-1].text)[-1] if filled and filled[-1].kind in ("text", "premise") else ""
                if sum(one.lines for one in filled) + part.lines > FULL:
                    if moved := last and Block("text", last).lines + part.lines <= FULL:  # it goes with what it announces
                        filled[-1] = replace(filled[-1], text=filled[-1].text.removesuffix(last).strip())
                    flush()
                    if moved:
                        filled.append(Block("text", last))
                above = parts[number - 1].kind == "text"
                if not filled and unsaid and part.kind == "picture" and above and not REFERS.match(unsaid):  # its sentence
                    filled.append(Block("text", unsaid))
                if part.kind != "table" or filled or "<caption" in str(part.outputs):  # without a sentence it says nothing
                    filled.append(part)
            elif part.kind == "code" and number in needed:
                filled.append(part)
            elif part.kind == "notes":
                self.notes(part.text)
            leading = False
        flush()


def nearby(named: dict[str, str], page: str) -> dict[str, str]:
    """The titles of all pages, by the names that this page has for them, such as `evidence/02_mechanisms`."""
    return {os.path.relpath(label, f"/{Path(page).parent}"): title for label, title in named.items()}


def exercises(root: Path, source: Path, known: dict[str, str], named: dict[str, str]) -> dict[str, list[Block]]:
    """The text of each exercise, by its label, as blocks for slides, with its solution in the notes."""
    found = {}
    for name in documents(root):
        if name.endswith("_exercises") and (page := executed(source, name)).exists():
            cells, known = nbformat.read(page, 4).cells, known | nearby(named, name)
            solutions = dict(SOLUTION.findall("\n\n".join(
                cell.source if cell.cell_type == "markdown" else f"```\n{cell.source}\n```" for cell in cells)))
            for one in (one for cell in cells if cell.cell_type == "markdown" for one in DIRECTIVE.finditer(cell.source)):
                if one["name"] == "exercise" and (label := re.match(r":label: (\S+)\n", one["body"])):
                    text = re.sub(r"^\*Practises: .*\n+", "", one["body"][label.end():])
                    solution = plain(f"**Solution.**\n\n{solutions.get(label[1], '').strip()}", known)
                    found[label[1]] = [Block("heading", f"Exercise: {one['title']}"), *of_markdown(text, known),
                                       Block("notes", solution)]
    return found


def gaps(shown: list[tuple[str, str]], last: str) -> list[tuple[str, str]]:
    """What parts that begin and end at these headings leave of a page, which ends at the heading ``last``."""
    left, done = [], ""
    for start, end in shown:
        if start != done:
            left.append((done, start))
        done = end
    return left if shown and done in ("", last) else [*left, (done, last)]


def deck(title: str, session: dict, pages: dict[str, list[Block]], known: dict[str, str],
         own: dict[str, list[Block]] | None = None) -> nbformat.NotebookNode:
    """The notebook that nbconvert turns into slides. ``own`` has the slides that no page has: texts and exercises."""
    own = own or {}
    made, until, every = Deck(new_notebook(metadata={"title": title})), session.get("until", {}), len(session["class"])
    plan = "\n".join(f"* {item['what']} *{item['minutes']} minutes*" for item in session["class"])
    made.slide("", [Block("heading", f"# {title}"), Block("list", plan)], "slide")
    shown: dict[str, list[tuple[str, str]]] = {name: [] for name in pages}  # where its parts begin and end
    for number, item in enumerate(session["class"], 1):
        used = [f"* Sheet: {SHEETS[name]}" for name in item.get("sheets", ())]
        used += [f"* Exercise: {known[label]}" for label in item.get("exercises", ())]
        part = f"# Part {number} of {every}: {item['minutes']} minutes"
        made.slide("", [Block("heading", part), Block("text", item["what"])], "slide")
        if used:
            made.slide("", [Block("list", "\n".join(used))], "-")
        for kind, name in ((key, one) for key in item if key in ("slides", "exercises", "pages") for one in item[key]):
            if kind != "pages":
                made.written(own.get(name, []))
                continue
            start, ends = item.get("from", {}).get(name, ""), item.get("until", {}).get(name, "") or until.get(name, "")
            made.page(pages[name], True, ends, start)
            shown[name].append((start, ends))
    rest = [(name, *gap) for name in pages for gap in gaps(shown[name], until.get(name, ""))]
    if rest:
        names = dict.fromkeys(f"* {titled(pages[name])}" for name, *_ in rest)
        made.slide("", [Block("heading", "# For questions"), Block("list", "\n".join(names))], "slide")
        for name, start, ends in rest:
            made.page(pages[name], False, ends, start)
    return made.notebook


def decks(root: Path, source: Path, chosen: dict[str, dict]) -> Iterator[tuple[str, nbformat.NotebookNode]]:
    """For each session of these plans, the name of its deck and the deck."""
    named = titles(root, source)
    known = works(root) | named | labels(root, source)
    asked = exercises(root, source, known, named)
    for name, plan in chosen.items():
        own = asked | {key: list(of_markdown(text, known)) for key, text in own_slides(root, name).items()}
        for number, session in enumerate(plan["sessions"], 1):
            pages, widgets = {}, {}
            for page in pages_of(session):
                notebook = nbformat.read(executed(source, f"chapters/{page}"), 4)
                pages[page] = blocks(notebook, known | nearby(named, f"chapters/{page}"))
                for kind, content in notebook.metadata.get("widgets", {}).items():
                    widgets.setdefault(kind, {**content, "state": {}})["state"] |= content["state"]
            made = deck(f"{number}. {session['title']}", session, pages, known, own)
            if widgets:
                made.metadata["widgets"] = widgets
            yield f"{name}/{number:02}", made


def index(chosen: dict[str, dict]) -> str:
    """A page with a link to each deck."""
    rows = []
    for name, plan in chosen.items():
        rows.append(f"<tr><th>{name.replace('_', ' ').capitalize()}<th>minutes")
        for number, session in enumerate(plan["sessions"], 1):
            rows.append(f'<tr><td><a href="{name}/{number:02}.html">{number}. {escape(session["title"])}</a>'
                        f'<td>{sum(item["minutes"] for item in session["class"])}')
    return """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Slides</title>
<style>body { margin: 2em; font: 18px/1.6 system-ui, sans-serif; } th { padding: 1em 2em 0 0; text-align: left; }</style>
<h1>Slides</h1>
<table>
""" + "\n".join(rows) + "\n</table>\n</html>\n"


def make(root: Path, source: Path, into: Path, chosen: dict[str, dict]) -> int:
    """Write a deck for each session of these plans, with the files that the decks load. Returns how many."""
    from nbconvert import SlidesExporter

    shutil.rmtree(into, ignore_errors=True)
    for part in SPARE:
        shutil.copytree(root / "book" / "assets" / part, into / part)
    widgets = into / "vendor" / "widgets" / "widgets.js"  # reveal.js takes each <section>, also of a game, for a slide
    widgets.write_text(re.sub("<(/?)section", r"<\1div", widgets.read_text("utf-8")), "utf-8")
    exporter = SlidesExporter(template_name="deck", extra_template_basedirs=[str(ROOT / "tools")], exclude_input=True,
                              exclude_input_prompt=True, exclude_output_prompt=True)
    every = list(decks(root, source, chosen))
    for name, made in every:
        html, _ = exporter.from_notebook_node(made, resources={"up": "../"})
        target = into / f"{name}.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(html, "utf-8")
    (into / "index.html").write_text(index(chosen), "utf-8")
    return len(every)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--from", dest="source", type=Path, required=True, help="where execute.py wrote the notebooks")
    parser.add_argument("--into", type=Path, required=True)
    arguments = parser.parse_args()
    start, root = time.monotonic(), arguments.root.resolve()
    number = make(root, arguments.source.resolve(), arguments.into.resolve(), plans(root))
    print(f"slides: {number} decks in {arguments.into}, {time.monotonic() - start:.1f} s", flush=True)
