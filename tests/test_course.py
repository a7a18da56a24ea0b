"""Hand-outs: students' copies hold no solution and no answer, instructors' hold all, and both have been run."""

import ast
import re
import zipfile
from collections import Counter
from functools import cache
from importlib import import_module
from inspect import signature

import course
import execute
import nbformat
import numpy as np
import pytest
from pairs import notebook

from privrl_core.pages import Exercise
from privrl_core.pages.exercises import CloseTo

PAGES = sorted(execute.ROOT.glob("chapters/*/*_exercises.ipynb"))
QUICK = dict(wheel_name="core.whl")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_an_instructors_copy_runs_and_each_exercise_is_also_answered(page, tmp_path):
    """`make` refuses it otherwise."""
    assert course.make(page, tmp_path, "instructor", 0.05, course.surroundings(tmp_path), **QUICK) == ""
    text = (tmp_path / "instructor" / f"{page.parent.name}.ipynb").read_text()
    assert "#### Solution" in text
    assert "```{" not in text and "{doc}`" not in text and '"outputs": []' in text


def sentences(cells) -> set[str]:
    """The long lines and sentences of cells, as they would be read."""
    return {part.strip() for cell in cells for part in re.split(r"\n|(?<=[.?!])\s", cell.source) if len(part.strip()) > 25}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_a_students_copy_runs_says_what_is_missing_and_holds_no_answer(page, tmp_path, names_after_all_cells):
    assert course.make(page, tmp_path, "student", 0.05, course.surroundings(tmp_path), **QUICK) == ""
    file = tmp_path / "student" / f"{page.parent.name}.ipynb"
    cells, whole = nbformat.read(file, 4).cells, file.read_text()
    assert "```{" not in whole and "{doc}`" not in whole and not any(cell.get("outputs") for cell in cells)
    text = "\n".join(cell.source for cell in cells)
    assert not re.search(r"make lab|In the book|model answer|Open the choice|`(thm|eq|prop|ex|def)-|`evidence/|`\d\d_\w+`", text)
    assert "whl[pages,exact" in text and "This part is not handed in." in text and "open `html/index.html`" in text
    proofs = len(re.findall(r"\{solution-start\} ex-(net-)?proof-", page.with_suffix(".py").read_text("utf-8")))
    assert proofs >= 3 and [cell.source for cell in cells].count("*Write your proof into this cell.*") == proofs
    both = course.edition_of(nbformat.read(page, 4), "instructor").cells
    asked = course.edition_of(nbformat.read(page, 4), "student").cells
    questions = "\n".join(cell.source for cell in asked if cell.cell_type == "markdown")
    solutions = {part for part in sentences(both) - sentences(asked) if "✓ Yes" not in part}
    assert len(solutions) > 50 and [part for part in solutions if part in text] == []

    names = names_after_all_cells(str(page.relative_to(execute.ROOT).with_suffix("")))
    exercises = {name: made for name, made in names.items() if isinstance(made, Exercise)}
    records = {name: getattr(made, "is_right", made) for name, made in names.items()
               if isinstance(getattr(made, "is_right", made), CloseTo)}
    assert len(exercises) >= 9 and len(records) >= 3
    for record in records.values():
        for number in record.expected if record.count else [record.expected]:
            rounded = [f"{number:.{places}{form}}" for places in (2, 3, 4, 6) for form in "gf"]
            told = {digits for digits in rounded if len(digits.strip("-0.").replace(".", "")) >= 3
                    and re.search(rf"(?<![\d.]){re.escape(digits)}", text)}
            assert all(digits in questions for digits in told), told
        assert not any(said in text for _, said in record.mistakes)
    assert [made.hint for made in exercises.values() if made.hint in text] == []
    formulas = re.findall(r"`(\d[\d.]* (?:/|\*\*) \d[\d.]*|np\.\w+\(-?\d+\))`", questions)
    assert [one for one in formulas for record in records.values() if not record.count and record.near((eval(one, {"np": np}),), record.expected)] == []

    code = [cell.source for cell in cells if cell.cell_type == "code"]
    assert not re.search(r"is_right=|close_to|Mistake|hint=|hashlib|\b[0-9a-f]{12,}\b", "\n".join(code))
    assert "from privrl_core.pages import Exercise" in code[1]  # students are told to try the first two cells at home
    copy, tree = {}, ast.parse("\n".join(code))
    exec(compile(tree, file.name, "exec"), copy)
    assert {name for name, made in copy.items() if isinstance(made, Exercise)} == set(exercises)
    assert all(made == Exercise() for made in copy.values() if isinstance(made, Exercise))
    checks = {made.is_right.__name__ for made in exercises.values() if not isinstance(made.is_right, CloseTo)}
    assert not checks & set(copy) and not checks & {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    shown = {name for cell in asked if "remove-input" not in cell.metadata.get("tags", ()) and cell.cell_type == "code"
             for line in ast.parse(cell.source).body if not isinstance(line, course.IMPORTS) for name in course.given(line)}
    assert {name for line in tree.body for name in course.given(line)} <= read | shown | set(re.findall(r"\w+", questions))


def test_the_wheel_beside_the_hand_outs_holds_the_core_alone(tmp_path):
    with zipfile.ZipFile(tmp_path / course.wheel(tmp_path)) as wheel:
        names = wheel.namelist()
        text = "\n".join(wheel.read(name).decode("utf-8", "ignore") for name in names)
    assert all(name.startswith("privrl_core") for name in names)
    assert "privrl_core/pages/ledger.py" in names and not [name for name in names if name.endswith((".ipynb", "ledger.json"))]
    assert "ledger.json" not in text[text.index("privrl_core/pages/ledger.py,"):]  # RECORD
    for page in PAGES:
        both, asked = (sentences(course.edition_of(nbformat.read(page, 4), edition).cells) for edition in ("instructor", "student"))
        assert [part for part in both - asked if len(part) > 60 and part in text] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_every_check_says_the_same_again_when_all_cells_have_run(page, names_after_all_cells):
    """No cell takes a name away that an earlier check needs; when a hand-out is made, each check is seen once only."""
    names = names_after_all_cells(page.relative_to(execute.ROOT).with_suffix("").as_posix())
    answers = dict(re.findall(r"^(\w+)\.check\((\w+)\)$", page.with_suffix(".py").read_text("utf-8"), re.M))
    assert len(answers) >= 9
    assert {name: names[name].check(names[answer]).data for name, answer in answers.items()} == dict.fromkeys(answers, "✓ **Right.**")


TRIED = {page: import_module(f"test_wrong_answers_chapter_{int(page.parent.name[:2])}") for page in PAGES}


@pytest.fixture(scope="session")
def told(names_after_all_cells):
    """What an exercise of a page says of an answer; an answer that can be called without arguments is made by calling it."""
    names = cache(names_after_all_cells)

    def of(page, exercise, answer):
        if callable(answer) and all(one.default is not one.empty for one in signature(answer).parameters.values()):
            answer = answer()
        with np.errstate(invalid="ignore"):
            return names(TRIED[page].PAGE)[exercise].check(answer).data
    return of


@pytest.mark.parametrize("page, exercise, answer, says", [(page, *row) for page in PAGES for row in TRIED[page].WRONG])
def test_a_typical_mistake_is_told(told, page, exercise, answer, says):
    said = told(page, exercise, answer)
    assert said.startswith("✗ **Not yet.** ") and says in said and ("Error" in says or "the check ends in" not in said)


@pytest.mark.parametrize("page, exercise, answer", [(page, *row) for page in PAGES for row in TRIED[page].RIGHT])
def test_right_answers_in_other_forms_pass(told, page, exercise, answer):
    assert told(page, exercise, answer) == "✓ **Right.**"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_five_wrong_answers_and_three_right_ones_are_tried_in_each_exercise(page):
    """`WRONG` and `RIGHT` of the chapter's module of tests begin each row with the name of an exercise."""
    wrong, right = (Counter(exercise for exercise, *_ in rows) for rows in (TRIED[page].WRONG, TRIED[page].RIGHT))
    checked = set(re.findall(r"^(\w+)\.check\(", page.with_suffix(".py").read_text("utf-8"), re.M))
    assert {name: (wrong[name], right[name]) for name in checked if wrong[name] < 5 or right[name] < 3} == {}
    assert set(wrong) | set(right) == checked


RUNGS = ("Warm-up", "Core", "Find the error", "Proofs to write", "Longer ones", "Research")
LADDERS = ((6, 8, 3, 4, 2, 1), (4, 4, 2, 3, 3, 2), (4, 4, 3, 3, 3, 1), (4, 4, 3, 3, 2, 2), (4, 4, 3, 3, 2, 1), (4, 6, 3, 3, 3, 1))


@pytest.mark.parametrize("page, ladder", list(zip(PAGES, LADDERS, strict=True)))
def test_there_is_a_ladder_and_each_marking_scheme_has_ten_points(page, ladder):
    """Each exercise says what it practises, and its minutes."""
    source = page.with_suffix(".py").read_text("utf-8")
    rungs = {part.split("\n")[0].split(",")[0]: part.count("{exercise}") for part in source.split("\n# ## ")[1:]}
    assert {name: many for name, many in rungs.items() if many} == dict(zip(RUNGS, ladder, strict=True))
    assert len(re.findall(r"^# \*Practises: .* (?:\d+ minutes|hour|hour or more|weekend|a weekend to begin with|paper|thesis)\.\*$", source, re.M)) == sum(ladder)
    proofs = re.findall(r"\{solution-start\} (ex-\S+)(.*?)\{solution-end\}", source.split("\n# ## Proofs to write")[1].split("\n# ## ")[0], re.S)
    assert len(proofs) == rungs["Proofs to write"] and all("proof" in label for label, _ in proofs)
    for label, text in proofs:
        assert "**Model answer.**" in text and sum(map(int, re.findall(r"\| (\d+) \|$", text, re.M))) == 10, label


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name[:2] in ("02", "03", "04")], ids=lambda page: page.parent.name)
def test_a_paper_has_five_exercises_that_check_themselves(page):
    source = page.with_suffix(".py").read_text()
    assert source.count("= ...") >= 5 and source.count("## Find the error") == 1


def test_of_imports_and_hidden_cells_a_students_copy_has_what_the_rest_uses():
    setup = """import numpy as np
from scipy.stats import (
    chi2, norm)
from privrl_core.pages import Exercise, Mistake, close_to
from privrl_core.privacy import gaussian_mu, zcdp_epsilon
x = np.pi"""
    hidden = """import math
from math import log
three = 3
def patients(): return [three, log(2)]
expected = 17.29
def is_so(answer):
    if answer == norm.mean(): raise Mistake("No.")
    return answer == expected
assert is_so(expected)
one = Exercise(is_right=is_so, hint="Think of 17.")"""
    handout = nbformat.v4.new_notebook(cells=[
        nbformat.v4.new_code_cell(setup), nbformat.v4.new_code_cell(hidden, metadata={"tags": ["remove-input"]}),
        nbformat.v4.new_code_cell("answer = ...   # of patients()[0]\none.check(answer)"),
        nbformat.v4.new_markdown_cell("Use `gaussian_mu(1, 1e-5)` and `patients`, not chi2.")])
    assert [cell.source for cell in course.without_checks(handout).cells[:2]] == ["""import numpy as np
from privrl_core.pages import Exercise
from privrl_core.privacy import gaussian_mu
x = np.pi""", """from math import log
three = 3
def patients():
    return [three, log(2)]
one = Exercise()"""]
    assert handout.cells[1].source == hidden


SOURCE = '''# %% [markdown]
# ````{exercise} One
# :label: ex-one
# What is {doc}`half <01_problem>` of two?
# ````

# %% tags=["remove-input"]
from privrl_core.pages import Exercise, close_to
one = Exercise(is_right=close_to(1), hint="Two of them.")

# %%
answer = ...
one.check(answer)

# %% [markdown]
# ````{solution-start} ex-one
# :class: dropdown
# ````
# The secret is one.

# %%
answer = 1
one.check(answer)

# %% [markdown]
# ````{solution-end}
# ````
# ## Quiz
# ```{dropdown} This.
# ✓ Yes.
# ```
'''


def handout(source, edition):
    return course.edition_of(nbformat.reads(notebook(source), 4), edition)


def test_a_students_copy_has_the_question_and_no_answer():
    cells = handout(SOURCE, "student").cells
    assert [cell.cell_type for cell in cells] == ["markdown", "code", "code", "markdown"]
    assert cells[0].source == "### Exercise: One\n\nWhat is half of two?"
    assert cells[-1].source == "## Quiz\n* [ ] This."


def test_a_copy_says_where_to_find_what_the_page_links_to():
    said = course.readable("{prf:ref}`thm-problem-3`, {ref}`packing <packing>`, {doc}`01_counts`; {doc}`02 </chapters/02_policy_evaluation/01_problem>`",
                           "student", "04_offline_rl")
    assert said == ("the theorem *The solution of problem (3)* on the evidence page *Private counts, checked*, "
                    "*A packing: one of k* on the evidence page *How little noise can be enough* of chapter 1, *Counting in private*; "
                    "02 (*Two tables, one patient* of chapter 2)")


def test_a_proof_has_a_cell_to_write_it_into_and_what_follows_it_stays():
    proof = """# %% [markdown]
# ````{exercise} Why
# :label: ex-proof-why
# Prove it.
# ````
# ````{solution-start} ex-proof-why
# ````
# Model answer.
# ````{solution-end}
# ````
# Next.
"""
    cells = handout(proof, "student").cells
    assert [cell.source for cell in cells] == ["### Exercise: Why\n\nProve it.", "*Write your proof into this cell.*", "Next."]
    assert len({cell.id for cell in cells}) == 3


def test_an_instructors_copy_has_both():
    text = "\n".join(cell.source for cell in handout(SOURCE, "instructor").cells)
    for part in ("#### Solution", "The secret is one.", "answer = 1", "✓ Yes."):
        assert part in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_an_instructors_copy_shows_no_answer_before_it_is_opened(page):
    """JupyterLab folds a heading away with all cells below it, up to a heading that is as high, and shows a folded cell's first line."""
    both, asked = (course.edition_of(nbformat.read(page, 4), edition).cells for edition in ("instructor", "student"))
    opened, level = [], 0
    for cell in both:
        if cell.cell_type == "markdown" and (heads := re.findall(r"^(#+) ", cell.source, re.M)):
            level = len(heads[0]) if cell.metadata.get("jp-MarkdownHeadingCollapsed") else 0
            assert not level or cell.source == "#### Solution" and level == 4
        elif level:
            continue
        folded = cell.metadata.get("jupyter", {}).get("source_hidden")
        opened.append(cell.source.split("\n")[0] if folded else cell.source)
    assert opened.count("#### Solution") == page.with_suffix(".py").read_text("utf-8").count("{solution-start}")
    shown = "\n".join(opened).partition("## Quiz")[0]
    more = sentences([nbformat.v4.new_markdown_cell(shown)]) - sentences(asked)
    assert {line for line in more if not re.search("model answer|How it works", line)} == set()
    assert not re.search(r"close_to\(|hint=", shown)


@pytest.mark.parametrize("edition, source, complaint", [
    ("instructor", SOURCE.replace("answer = 1\n", "answer = 2\n"), "the checks say Missing, Not yet"),
    ("instructor", SOURCE.replace("answer = 1\n", "answer = 1 / 0\n"), "ZeroDivisionError"),
    ("student", SOURCE.replace("answer = ...", "answer = 1"), "the checks say Noted"),
    ("student", SOURCE.replace("one.check(answer)", "answer"), "the checks say nothing"),
])
def test_what_is_wrong_with_a_hand_out_is_said_and_it_is_not_written(tmp_path, edition, source, complaint):
    page = tmp_path / "chapter" / "06_exercises.ipynb"
    page.parent.mkdir()
    page.write_text(notebook(source))
    assert complaint in course.make(page, tmp_path / "out", edition, 1.0, course.surroundings(tmp_path), **QUICK)
    assert not (tmp_path / "out" / edition).exists()


@pytest.mark.parametrize("source", [
    SOURCE.replace("{solution-end}", "{solution-start}"),
    SOURCE.replace("# ````{solution-end}\n# ````\n", ""),
    SOURCE.replace("# ````{solution-start} ex-one\n# :class: dropdown\n# ````\n", "")])
def test_a_solution_without_start_or_end_is_refused(source):
    with pytest.raises(ValueError, match="solutions must start and end in turn"):
        handout(source, "student")
