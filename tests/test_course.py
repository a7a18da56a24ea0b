"""Hand-outs: students' copies hold no solution, instructors' hold all, and both have been run."""

import course
import execute
import nbformat
import pytest
from pairs import notebook

PAGES = sorted(execute.ROOT.glob("chapters/*/*_exercises.ipynb"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
@pytest.mark.parametrize("edition", course.EDITIONS)
def test_a_hand_out_runs_and_its_checks_say_what_they_should(page, edition, tmp_path):
    """`make` refuses it otherwise: in a student's copy all is missing; in an instructor's each is also answered."""
    assert course.make(page, tmp_path, edition, 0.05, course.surroundings(tmp_path)) == ""
    text = (tmp_path / edition / f"{page.parent.name}.ipynb").read_text()
    assert ("**Solution.**" in text) == (edition == "instructor")
    assert "```{" not in text and "{doc}`" not in text and '"outputs": []' in text


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name[:2] in ("02", "03", "04")], ids=lambda page: page.parent.name)
def test_a_paper_has_five_exercises_that_check_themselves(page):
    source = page.with_suffix(".py").read_text()
    assert source.count("= ...") >= 5 and source.count("## Find the error") == 1


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
    assert cells[0].source == "### Exercise: One\n\nWhat is `01_problem` of two?"
    assert cells[-1].source == "## Quiz\n* [ ] This."


def test_an_instructors_copy_has_both():
    text = "\n".join(cell.source for cell in handout(SOURCE, "instructor").cells)
    for part in ("**Solution.**", "The secret is one.", "answer = 1", "✓ Yes."):
        assert part in text


@pytest.mark.parametrize("edition, source, complaint", [
    ("instructor", SOURCE.replace("answer = 1\n", "answer = 2\n"), "the checks say Missing, Not yet"),
    ("instructor", SOURCE.replace("answer = 1\n", "answer = 1 / 0\n"), "ZeroDivisionError"),
    ("student", SOURCE.replace("answer = ...", "answer = 1"), "the checks say Right"),
    ("student", SOURCE.replace("one.check(answer)", "answer"), "the checks say nothing"),
])
def test_what_is_wrong_with_a_hand_out_is_said_and_it_is_not_written(tmp_path, edition, source, complaint):
    page = tmp_path / "chapter" / "06_exercises.ipynb"
    page.parent.mkdir()
    page.write_text(notebook(source))
    assert complaint in course.make(page, tmp_path / "out", edition, 1.0, course.surroundings(tmp_path))
    assert not (tmp_path / "out" / edition).exists()


@pytest.mark.parametrize("source", [
    SOURCE.replace("{solution-end}", "{solution-start}"),
    SOURCE.replace("# ````{solution-end}\n# ````\n", ""),
    SOURCE.replace("# ````{solution-start} ex-one\n# :class: dropdown\n# ````\n", "")])
def test_a_solution_without_start_or_end_is_refused(source):
    with pytest.raises(ValueError, match="solutions must start and end in turn"):
        handout(source, "student")
