"""Slides: what stands on them follows from the page, and no slide of any deck has a defect that its text can show."""

import re

import execute
import nbformat
import pytest
from nbformat.v4 import new_output
from pairs import notebook
from plans import plans
from slides import FULL, POINTS, Block, blocks, deck, decks, gaps, index, of_markdown, plain, standing

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
# ## Play
#
# Now there are two coins, as was said [{ref}`by a proof <three>`]. The page before has three. They are not shown. One coin is bent.

# %%
coin = 2

# %% [markdown]
# ```{admonition} Guess first
# :class: hint guess right-2
# **Which?** Choose, then move the coin.
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


def shown(data):
    """What an output is: a picture that is moved by its own style counts as sliders do."""
    return "<application>" if data.get("text/html", "").startswith("<style>") else f"<{next(iter(data))}>"


def slides(made):
    """The texts of each slide; pictures and sliders as their kinds."""
    found = []
    for cell in made.cells:
        kind = cell.metadata.slideshow.slide_type
        if kind not in ("-", "notes"):
            found.append([])
        if kind != "notes":
            found[-1].append(cell.source if cell.cell_type == "markdown" else shown(cell.outputs[0].data))
    return found


def test_what_stands_on_a_slide():
    page = blocks(nbformat.reads(notebook(SOURCE), 4), KNOWN)
    parts = [{"minutes": 5, "what": "Talk.", "pages": ["a"]}, {"minutes": 9, "what": "Write.", "sheets": ["quiz"], "exercises": ["three"]}]
    session = {"class": parts, "until": {"b": "Play"}}
    made = deck("A session", session, {"b": page, "a": page}, KNOWN)
    _, talk, title, first, guess, answer, quiz, solved, write, before, short = slides(made)
    assert before == ["# For questions", "* A title"] and short == title and talk == ["# Part 1 of 2: 5 minutes", "Talk."]
    assert write == ["# Part 2 of 2: 9 minutes", "Write.", "* Sheet: the quiz\n* Exercise: A theorem"]
    assert title == ["# A title", "What is it?"]
    assert first[:2] == ["## First", "What one sees."], first
    assert first[2] == "Here Warner (1965) says what a **coin** is; see The problem. And this is true:"
    assert "**Theorem 3 of the paper**" in first[3] and ":label:" not in first[3]
    assert guess[:3] == ["## Play", "There are two coins, as was said. One coin is bent.", "```\ncoin = 2\n```"]
    assert "**Which?**\n\n* **A** this\n* **B** that" in guess[3] and answer == ["## Play", "**B: that**\n\nIt is so."]
    assert "**And now?**" in quiz[1] and "* **B** No." in quiz[1] and solved[1] == "**B: No.**\n\nRight. Indeed."
    notes = " ".join(cell.source for cell in made.cells if cell.metadata.slideshow.slide_type == "notes")
    assert "1 + 1" not in str(made.cells) and "Obvious." in notes and "Nothing here is in bold." in notes


def test_a_part_has_slides_of_its_own_and_may_show_a_part_of_a_page():
    page = blocks(nbformat.reads(notebook(SOURCE), 4), KNOWN)
    own = {"power": [Block("heading", "Power"), Block("text", "It is 0.9."), Block("heading", "More"), Block("list", "* Runs.")],
           "ex": [Block("heading", "Exercise: Do it"), Block("text", "How many?")]}
    parts = [{"minutes": 5, "what": "Talk.", "slides": ["power"], "exercises": ["ex"]},
             {"minutes": 5, "what": "Read.", "pages": ["a"], "until": {"a": "Play"}},
             {"minutes": 5, "what": "Play.", "pages": ["a"], "from": {"a": "Play"}, "until": {"a": "Check yourself"}}]
    made = slides(deck("A session", {"class": parts}, {"a": page}, KNOWN | {"ex": "Do it"}, own))
    heads = [one[0] for one in made]
    assert heads[2:5] == ["## Power", "## More", "## Exercise: Do it"] and made[4][1] == "How many?"
    talk, read, play, rest = (next(k for k, one in enumerate(heads) if one.startswith(said)) for said in (
        "# Part 1", "# Part 2", "# Part 3", "# For questions"))
    assert "# A title" in heads[read:play] and "## Play" not in heads[read:play]
    assert "# A title" not in heads[play:] and "## Play" in heads[play:rest] and "## Check yourself" not in heads[play:rest]
    assert made[rest][1] == "* A title" and talk < read


def test_parts_follow_in_the_order_of_the_plan():
    page, own = blocks(nbformat.reads(notebook(SOURCE), 4), KNOWN), {"power": [Block("heading", "Power"), Block("text", "It is 0.9.")]}
    for order in (("slides", "pages"), ("pages", "slides")):
        names = {"slides": ["power"], "pages": ["a"]}
        part = {"minutes": 5, "what": "Talk."} | {key: names[key] for key in order}
        heads = [one[0] for one in slides(deck("A session", {"class": [part]}, {"a": page}, KNOWN, own))]
        assert (heads.index("## Power") < heads.index("# A title")) == (order[0] == "slides")


def test_what_a_slide_adds_to_a_game_a_table_and_a_picture():
    def output(**data):
        return (new_output("display_data", {kind.replace("_", "/"): text for kind, text in data.items()}),)
    game = Block("sliders", outputs=output(text_plain="<Game bent>"))
    table = Block("table", outputs=output(text_html="<table><caption>Two coins.</caption><tr><td>1</td></tr></table>"))
    rule = "A coin is bent, or it is not. You see one toss. Bet on the bent coin if it falls on heads."
    end = "In the picture the bent coin falls on heads more often."
    long = "Take a coin. " + 9 * "Toss it once more, and write down how it falls. " + end
    page = [Block("heading", "A title"), Block("heading", "Play"), Block("text", "Coins are old. " + rule), game,
            Block("heading", "Table"), table, Block("heading", "Picture"), Block("list", "\n".join(9 * ["* Long."])),
            Block("text", long), Block("picture", outputs=output(image_png=""))]
    made = slides(deck("A session", {"class": [{"minutes": 5, "what": "Talk.", "pages": ["a"]}]}, {"a": page}, KNOWN))
    assert ["## Play", "Coins are old. " + rule] in made and ["## Table", "<text/html>"] in made
    assert ["## Picture", end, "<image/png>"] in [[one[0], *one[-2:]] for one in made]


def test_sentences_that_point_at_nothing():
    assert standing("Look at it. The table below has more. They are few.") == "Look at it."
    for text in ("The lower limit is above $a$, so it is refuted.", "It has a probability below δ.", "So the rate is above 2."):
        assert standing(text) == text
    (one,) = of_markdown("1. One.\n2. The table above has two.\n3. Three.", KNOWN)
    assert one.text == "1. One.\n3. Three."


def test_a_formula_keeps_its_full_stop():
    said = "**Noise** falls like $1/n$, and chance like $1/\\sqrt n$. That costs $5 or $6 a day, as everybody in this class knows, and more."
    page = [Block("heading", "A title"), Block("heading", "First"), Block("text", said)]
    made = slides(deck("A session", {"class": [{"minutes": 5, "what": "Talk.", "pages": ["a"]}]}, {"a": page}, KNOWN))
    assert "like $1/n,$ and chance like $1/\\sqrt n.$ That costs $5 or $6 a day" in made[-1][1]


def test_what_parts_leave_of_a_page():
    assert gaps([], "") == [("", "")] and gaps([], "Play") == [("", "Play")]
    assert gaps([("", "")], "") == [] and gaps([("", "Play")], "Play") == []
    assert gaps([("Idea", "Play"), ("Play", "Rest")], "") == [("", "Idea"), ("Rest", "")]
    assert gaps([("", "Idea"), ("Play", "")], "") == [("Idea", "Play")]


@pytest.mark.parametrize("text, words", [
    ("{doc}`this page </chapters/x>`", "this page"), ("{doc}`01_problem`", "The problem"), ("{cite:p}`warner1965`", "(Warner 1965)"),
    ("{ref}`the ledger <claims>`", "the ledger"), ("{prf:ref}`three`", "A theorem"), ("`code` alone", "`code` alone")])
def test_roles_become_words(text, words):
    assert plain(text, KNOWN) == words


def notes(made):
    return "\n\n".join(cell.source for cell in made.cells if cell.metadata.slideshow.slide_type == "notes")


@pytest.fixture(scope="module")
def made_from_plans():
    return dict(decks(ROOT, QUICK, plans(ROOT)))


@pytest.fixture(scope="module")
def every(made_from_plans):
    return {name: slides(made) for name, made in made_from_plans.items()}


def test_a_note_that_is_written_below_a_slide_ends_it():
    own = {"one": [*of_markdown("## One\nIt is so.\n\n```{note} The verdict\nNo.\n```\n\n## Two\nIt is not.", KNOWN)]}
    made = deck("A session", {"class": [{"minutes": 5, "what": "Talk.", "slides": ["one"]}]}, {}, KNOWN, own)
    assert slides(made)[-2:] == [["## One", "It is so."], ["## Two", "It is not."]] and notes(made) == "**The verdict**\n\nNo."


def test_notes_have_the_solution_of_each_exercise_of_the_class_and_titles_in_place_of_addresses(made_from_plans):
    for name, plan in plans(ROOT).items():
        for number, session in enumerate(plan["sessions"], 1):
            text = notes(made_from_plans[f"{name}/{number:02}"])
            asked = [label for item in session["class"] for label in item.get("exercises", ())]
            assert [len(part) > 40 for part in text.split("**Solution.**\n\n")[1:]] == [True] * len(asked)
            assert not re.search(r"`(\.\./|evidence/|ex-)[\w/-]+`|\*\*ex-", text)
    assert "four_counts = [12 - t, 6 - 2 * t, 0, 0]" in notes(made_from_plans["six_weeks/05"])
    assert "**The verdicts**" in notes(made_from_plans["six_weeks/01"]) and "**The verdicts**" in notes(made_from_plans["ten_weeks/02"])


DEAD = re.compile(r"\[[a-z][^]]*\](?!\()")  # a bracket that was a link
DANGLING = re.compile(r"(It|Its|They|These|Their|Then|But|And|Therefore|Both|He|She|Her)\b")


def following(parts, part):
    """Whether a sentence goes on in the formula, list or box below it."""
    return parts[parts.index(part) + 1:][:1] and parts[parts.index(part) + 1].startswith(("$$", "* ", "1. ", "<"))


def problems(parts):
    """What is wrong with a slide, as far as its text tells."""
    text = [part for part in parts if not part.startswith(("#", "<image", "<application", "<text"))]
    prose = [part for part in text if not part.startswith(("<", "|", "* ", "1. ", "- ", "> ", "$$"))]
    for part in (part for part in parts if not part.startswith("```")):
        if found := POINTS.search(part) or DEAD.search(re.sub(r"\$[^$]*\$", "", part)):
            yield f"points at what is not there: {found[0]}"
    if len(parts) < 2 and not parts[0].startswith("<application"):
        yield "is blank"
    for part in parts:
        if not part.startswith("```\n") and re.search(r"\{[\w:-]+\}`|:label:|```|`[a-z0-9]+(-[a-z0-9]+)+`", part):
            yield f"a raw label: {part[:80]}"
        if re.search(r"^([*-]|\d+\.)\s*$", part, re.M):
            yield "an empty item of a list"
        if part.startswith("|") or part == "<text/html>":
            if not prose:
                yield "a table without its sentence"
    for part in prose:
        if not re.search(r"[.?!:…][)*”\"$]*$|\*\*$", part) and not following(parts, part):
            yield f"ends in mid-sentence: {part[-60:]}"
    if parts[-1] in prose and parts[-1].rstrip("*").endswith((":", ",")):
        yield f"announces what is not shown: {parts[-1][-60:]}"
    if (lines := sum(Block("text", part).lines for part in text)) > FULL + 3:
        yield f"is too full: {lines:.0f} lines"


def test_no_slide_of_any_deck_is_broken(every):
    assert [f"{name}, slide {number}: {problem}" for name, made in every.items()
            for number, parts in enumerate(made, 1) for problem in problems(parts)] == []


def test_no_first_sentence_below_a_heading_needs_one_before(every):
    wrong = []
    for name, made in every.items():
        for number, (before, parts) in enumerate(zip(made, made[1:]), 2):
            if before[0] != parts[0] and len(parts) > 1 and DANGLING.match(parts[1]) and not parts[0].startswith("# "):
                wrong.append(f"{name}, slide {number}: {parts[1][:80]}")
    assert wrong == []


def test_each_part_of_a_session_has_a_slide(every):
    for name, plan in plans(ROOT).items():
        for number, session in enumerate(plan["sessions"], 1):
            made = every[f"{name}/{number:02}"]
            parts = [parts for parts in made if re.match(r"# Part \d+ of \d+: ", parts[0])]
            assert [f"# Part {k} of {len(parts)}: {item['minutes']} minutes" for k, item in enumerate(session["class"], 1)] == [
                part[0] for part in parts]
            assert all(part[1] == item["what"] for part, item in zip(parts, session["class"]))


def test_the_index_links_to_each_deck():
    page = index(plans(ROOT))
    for name, plan in plans(ROOT).items():
        for number, session in enumerate(plan["sessions"], 1):
            minutes = sum(item["minutes"] for item in session["class"])
            assert f'<a href="{name}/{number:02}.html">{number}. {session["title"]}</a><td>{minutes}' in page


def test_each_session_has_its_deck_and_each_guess_its_answer(every):
    assert list(every) == [f"{name}/{number:02}" for name, plan in plans(ROOT).items() for number in range(1, len(plan["sessions"]) + 1)]
    for name, made in every.items():
        for number, parts in enumerate(made):
            if "box guess" in parts[-1]:
                assert re.search(r"^\* \*\*B\*\* ", parts[-1], re.M), f"{name}, slide {number + 1}: a question without choices"
                answers = [part for later in made[number + 1:number + 4] for part in later if re.match(r"\*\*[A-F]: ", part)]
                assert answers, f"{name}, slide {number + 1}: a question without an answer"
