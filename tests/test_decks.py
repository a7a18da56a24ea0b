"""Slides: what stands on them follows from the page, and no slide of any deck has a defect that its text can show."""

import re

import execute
import nbformat
import pytest
from pairs import notebook
from plans import plans
from slides import FULL, Block, blocks, deck, decks, plain

ROOT = execute.ROOT
QUICK = ROOT / "_build" / "quick"
KNOWN = {"warner1965": "Warner (1965)", "01_problem": "The problem", "three": "A theorem"}

SOURCE = '''# %% [markdown]
# # A title
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** What is it?
# * **The answer.** This.
# ```
#
# (first)=
# ## First
#
# What one sees. A second sentence, long enough to be left to the speaker, since nobody reads so much on a wall: it goes
# on, and on, until even the most patient of readers in the last row has closed their eyes, and then it goes on a little more,
# and more, and more.
#
# Nothing here is in bold. In code:

# %%
1 + 1

# %% [markdown]
# Here {cite:t}`warner1965` says what a **coin** is; see {doc}`01_problem`. And this is true:
#
# ```{prf:theorem} no. 3 of the paper
# :label: three
# All is $x$.
# ```
#
# ```{prf:proof}
# Obvious.
# ```
#
# ```{admonition} Guess first
# :class: hint guess right-2
# **Which?**
#
# * this
# * that
# ```
#
# **The answer.** That. It is so.
#
# ## Check yourself
#
# **And now?**
#
# ```{dropdown} Yes.
# No.
# ```
# ```{dropdown} No.
# ✓ Right. Indeed.
# ```
'''


def slides(made):
    """The texts of each slide; pictures and sliders as their kinds."""
    found = []
    for cell in made.cells:
        kind = cell.metadata.slideshow.slide_type
        if kind not in ("-", "notes"):
            found.append([])
        if kind != "notes":
            found[-1].append(cell.source if cell.cell_type == "markdown" else f"<{next(iter(cell.outputs[0].data))}>")
    return found


def test_what_stands_on_a_slide():
    page = blocks(nbformat.reads(notebook(SOURCE), 4), KNOWN)
    made = deck("A session", {"class": [{"minutes": 5, "what": "Talk.", "pages": ["a"]}]}, {"a": page})
    _, title, first, guess, answer, quiz, solved = slides(made)
    assert title == ["# A title", "What is it?"]
    assert first[:2] == ["## First", "What one sees."], first
    assert first[2] == "Here Warner (1965) says what a **coin** is; see The problem. And this is true:"
    assert "**Theorem 3 of the paper**" in first[3] and ":label:" not in first[3]
    assert "* **A** this\n* **B** that" in guess[-1] and answer == ["## First", "**B: that**\n\nIt is so."]
    assert "**And now?**" in quiz[1] and "* **B** No." in quiz[1] and solved[1] == "**B: No.**\n\nRight. Indeed."
    notes = " ".join(cell.source for cell in made.cells if cell.metadata.slideshow.slide_type == "notes")
    assert "1 + 1" not in str(made.cells) and "Obvious." in notes and "Nothing here is in bold." in notes


@pytest.mark.parametrize("text, words", [
    ("{doc}`this page </chapters/x>`", "this page"), ("{doc}`01_problem`", "The problem"), ("{cite:p}`warner1965`", "(Warner 1965)"),
    ("{ref}`the ledger <claims>`", "the ledger"), ("{prf:ref}`three`", "A theorem"), ("`code` alone", "`code` alone")])
def test_roles_become_words(text, words):
    assert plain(text, KNOWN) == words


@pytest.fixture(scope="module")
def every():
    return {name: slides(made) for name, made in decks(ROOT, QUICK, plans(ROOT))}


def following(parts, part):
    """Whether a sentence goes on in the formula, list or box below it."""
    return parts[parts.index(part) + 1:][:1] and parts[parts.index(part) + 1].startswith(("$$", "* ", "1. ", "<"))


def problems(parts):
    """What is wrong with a slide, as far as its text tells."""
    text = [part for part in parts if not part.startswith(("#", "<image", "<application", "<text"))]
    prose = [part for part in text if not part.startswith(("<", "|", "* ", "1. ", "- ", "> ", "$$"))]
    if len(parts) < 2 and not parts[0].startswith("<application"):
        yield "is blank"
    for part in parts:
        if re.search(r"\{[\w:-]+\}`|:label:|```|`[a-z0-9]+(-[a-z0-9]+)+`", part):
            yield f"a raw label: {part[:80]}"
        if part.startswith("|") or part == "<text/html>":
            if not prose:
                yield "a table without its sentence"
    for part in prose:
        if not re.search(r"[.?!:…][)*”\"]*$|\*\*$", part) and not following(parts, part):
            yield f"ends in mid-sentence: {part[-60:]}"
    if parts[-1] in prose and parts[-1].rstrip("*").endswith((":", ",")):
        yield f"announces what is not shown: {parts[-1][-60:]}"
    if (lines := sum(Block("text", part).lines for part in text)) > FULL + 3:
        yield f"is too full: {lines:.0f} lines"


def test_no_slide_of_any_deck_is_broken(every):
    assert [f"{name}, slide {number}: {problem}" for name, made in every.items()
            for number, parts in enumerate(made, 1) for problem in problems(parts)] == []


def test_each_session_has_its_deck_and_each_guess_its_answer(every):
    assert list(every) == [f"{name}/{number:02}" for name, plan in plans(ROOT).items() for number in range(1, len(plan["sessions"]) + 1)]
    for name, made in every.items():
        for number, parts in enumerate(made):
            if "box guess" in parts[-1]:
                assert re.search(r"^\* \*\*B\*\* ", parts[-1], re.M), f"{name}, slide {number + 1}: a question without choices"
                answers = [part for later in made[number + 1:number + 4] for part in later if re.match(r"\*\*[A-F]: ", part)]
                assert answers, f"{name}, slide {number + 1}: a question without an answer"
