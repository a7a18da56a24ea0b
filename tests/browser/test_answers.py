"""Exercises whose answer is numbers are answered in the page: by keyboard alone, without a kernel, by day and by night."""

import json
import re

import nbformat
import pytest
from execute import ROOT
from test_pages import AXE

PAGE = "02_policy_evaluation/06_exercises"
ALL = sorted(f"{page.parent.name}/{page.stem}" for page in ROOT.glob("chapters/*/*_exercises.ipynb"))


@pytest.fixture
def seen(visit, site):
    return visit((site / f"chapters/{PAGE}.html").as_uri())


@pytest.fixture(scope="module")
def kept(visits, site):
    """One page for many answers: a form says the same to an answer, whatever it was told before."""
    with visits() as open_page:
        yield open_page((site / f"chapters/{PAGE}.html").as_uri())


def said(form):
    return form.get_by_role("status").text_content()


ANSWER = """(form, text) => { form.querySelector("input").value = text; form.requestSubmit(); return form.querySelector("output").textContent; }"""


def answer(form, text):
    """By keyboard alone."""
    form.get_by_role("textbox").fill(text)
    form.get_by_role("textbox").press("Enter")
    return said(form)


@pytest.mark.xdist_group("answers")
@pytest.mark.parametrize("text, says", [
    ("sqrt(30)", "✓ Right."), ("5.48", "✓ Right."), ("2*√7.5", "✓ Right."), ("2 × sqrt(7.5)", "✓ Right."),
    ("(1 + 2) ** 0.5 * 10^(1/2)", "✓ Right."), ("np.sqrt(30)", "✓ Right."), ("5.4772e0", "✓ Right."), ("547.72/100", "✓ Right."), ("−(−5.4772)", "✓ Right."),
    ("30", "✗ Not yet. That is how many counts move"), ("3e1", "✗ Not yet. That is how many counts move"), ("1", "✗ Not yet. That is one count."),
    ("-5.4772", "✗ Not yet. By how much"), ("7", "✗ Not yet. By how much"), ("5,48", "One number is asked for"), ("six", "This is no number"),
    ("1/0", "This is no number"), ("sqrt(30", "This is no number"), ("alert(1)", "This is no number"), ("40 40", "This is no number"), ("2√10", "This is no number"), ("constructor", "This is no number")])
def test_an_answer_is_right_a_mistake_with_a_name_or_not_yet(kept, text, says):
    form = kept.page.get_by_role("form", name="Counts alone")
    form.get_by_role("status").evaluate("said => { said.textContent = '' }")  # what the answer before was told
    assert answer(form, text).startswith(says)
    assert kept.complaints == [] and kept.outside == []


@pytest.mark.parametrize("name", ALL)
def test_the_page_says_what_the_check_says(visit, site, name, names_after_all_cells):
    """Of each exercise with numbers: the right answer, each mistake, and another number."""
    page = visit((site / f"chapters/{name}.html").as_uri()).page
    kept = json.loads(page.locator("script#exercise-records").text_content())
    exercises = [(re.search(r"(\w+)\.check\(", cell.source)[1], cell) for cell in nbformat.read(site.parent / "source/chapters" / f"{name}.ipynb", 4).cells
                 if cell.cell_type == "code" and "= ..." in cell.source]
    assert len(kept) == len(exercises) and page.locator("form.answer").count() == sum("hint" in one for one in kept) >= 3
    assert page.locator(".answer-code").count() == sum("hint" not in one for one in kept)
    names, forms = names_after_all_cells(f"chapters/{name}"), iter(page.locator("form.answer").all())
    for (exercise, _), record in zip(exercises, kept):
        if "hint" not in record:
            continue
        form = next(forms)
        for numbers in [record["expected"], *(wrong for wrong, _ in record["mistakes"]), 123456.0]:
            many = isinstance(record["expected"], list)
            numbers = [0.7 if one is None else one for one in numbers] if isinstance(numbers, list) else numbers
            numbers = [numbers] * len(record["expected"]) if many and not isinstance(numbers, list) else numbers
            expected = names[exercise].check(numbers).data.replace("**", "")
            assert form.evaluate(ANSWER, json.dumps(numbers)) == re.sub(r"`([^`]+)`|\*([^*\s][^*]*)\*", r"\1\2", expected), exercise


def test_what_is_done_is_counted_kept_saved_and_forgotten(visit, address, tmp_path):
    seen = visit(f"{address}/chapters/{PAGE}.html")
    page = seen.page
    counted, all_of_them = page.locator(".answers-done"), page.locator("form.answer").count()
    assert counted.text_content().startswith(f"0 of {all_of_them} done") and not counted.get_by_role("button").first.is_visible()
    form = page.get_by_role("form", name="Counts alone")
    for text in ("?", "30", "sqrt(30)", "sqrt(30)"):
        answer(form, text)
    assert counted.text_content().startswith(f"1 of {all_of_them} done")
    page.reload()
    page.wait_for_selector(".answers-done")
    assert said(form) == "✓ Right. (2 tries)" and counted.text_content().startswith(f"1 of {all_of_them} done")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").press("Enter")
    saved.value.save_as(tmp_path / "saved.json")
    assert json.loads((tmp_path / "saved.json").read_text()) == {"ex-counts": {"right": True, "tries": 2}}
    page.get_by_role("button", name="Forget").press("Enter")
    assert counted.text_content().startswith(f"0 of {all_of_them} done") and said(form) == ""
    assert seen.complaints == [] and seen.outside == []


def test_the_keyboard_reaches_field_and_button_in_turn(seen):
    page = seen.page
    form = page.get_by_role("form", name="Read the curve")
    form.get_by_role("textbox").focus()
    page.keyboard.type("0.5")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Check"
    page.keyboard.press("Space")
    assert "μ is not ε" in said(form)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_form_keeps_nobody_out(seen, scheme):
    page = seen.under(scheme).at(380).page
    answer(page.get_by_role("form", name="Counts alone"), "sqrt(30)")
    answer(page.get_by_role("form", name="Read the curve"), "0.5")
    page.evaluate(AXE)
    found = page.evaluate("axe.run({ include: [['form.answer'], ['.answers-done']] })")
    assert found["violations"] == [] and found["passes"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = page.get_by_role("form", name="Counts alone").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 380


def test_without_a_script_and_on_paper_there_is_no_form(visit, seen, site):
    without = visit((site / f"chapters/{PAGE}.html").as_uri(), scripts=False).page
    assert without.locator("form.answer").count() == 0 and "Missing:" in without.locator(".bd-article").text_content()
    seen.page.emulate_media(media="print")
    assert not seen.page.locator("form.answer").first.is_visible()
