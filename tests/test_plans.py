"""The plans of the course: they name what exists, cover the book, and their hours add up."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from fractions import Fraction
from importlib.metadata import version

import nbformat
import numpy as np
import pandas as pd
import pytest
import sheets
import yaml
from course import edition_of, without_checks
from execute import ROOT, documents
from plans import EXERCISE, PLACE, SHEETS, Book, filled, minutes, pages_of, plans
from scipy.linalg import sqrtm
from scipy.optimize import brentq
from scipy.stats import beta, norm
from slides import POINTS

from privrl_core.privacy.auditing import epsilon_lower_bound, trials_needed
from privrl_core.world import icu_sepsis

BOOK, PLANS = Book.read(ROOT), plans(ROOT)
SESSIONS = [pytest.param(plan, session, id=f"{name} {number}") for name, plan in PLANS.items()
            for number, session in enumerate(plan["sessions"], 1)]
QUIZ = yaml.safe_load((ROOT / "book" / "course" / "quiz.yml").read_text("utf-8"))
PROJECT = {"ten_weeks": 20, "six_weeks": 10, "workshop": 0}  # hours of each student


def all_pages(session):
    return [*pages_of(session), *session.get("home", {}).get("read", ())]


@pytest.mark.parametrize("plan, session", SESSIONS)
def test_a_session_names_what_exists_and_keeps_its_hours(plan, session):
    used = [*session["class"], session.get("home", {})]
    assert set(all_pages(session)) <= {name.removeprefix("chapters/") for name in documents(ROOT)} & set(BOOK.pages)
    assert {label for part in used for label in part.get("exercises", ())} <= set(BOOK.exercises)
    assert set(session.get("more", ())) <= set(BOOK.more)
    assert {name for part in used for name in part.get("sheets", ())} <= set(SHEETS)
    spent = minutes(session, BOOK)
    assert spent["class"] == session.get("minutes", plan["class"])
    least, most = plan["home"]
    assert 60 * least <= sum(spent.values()) - spent["class"] <= 60 * most, spent


@pytest.mark.parametrize("name", PLANS)
def test_exercises_come_after_their_chapter_began_and_those_of_one_week_are_in_one_hand_out(name):
    known = set()
    for session in PLANS[name]["sessions"]:
        home = session.get("home", {}).get("exercises", ())
        known |= {page.split("/")[0] for page in all_pages(session)}
        used = [*home, *(label for item in session["class"] for label in item.get("exercises", ()))]
        assert {BOOK.exercises[label][2] for label in used} <= known
        assert len({BOOK.exercises[label][2] for label in home}) <= 1


def test_pages_and_the_teachers_minutes_are_named():
    assert BOOK.titles["07_side_by_side/07_map"] == "A map of the field"
    shown = filled("```{plan} ten_weeks\n```", ROOT)
    proofs = sum("proof" in label for session in PLANS["ten_weeks"]["sessions"] for label in session["home"].get("exercises", ()))
    assert f"about {5 * proofs + 45} minutes for each student: 45 for the project, and 5 for each proof" in shown


def test_a_plan_names_the_hand_out_of_its_exercises():
    shown = filled("```{plan} ten_weeks\n```", ROOT)
    assert "hand-out `01_foundations`: {ref}`Two stages <ex-two-stages>` (5), {ref}`Five records" in shown


@pytest.mark.parametrize("name", ["ten_weeks", "six_weeks"])
def test_a_page_says_the_hours_at_home(name):
    least, most = PLANS[name]["home"]
    assert f"At home between {least} and {most} hours" in (ROOT / "book" / "course" / f"{name}.md").read_text("utf-8")


def test_the_days_of_the_project_end_with_the_plans():
    last = [f"session {len(PLANS[name]['sessions'])}" for name in ("ten_weeks", "six_weeks")]
    days = (ROOT / "book" / "course" / "projects.md").read_text("utf-8").split("## Days")[1].split("\n## ")[0]
    assert f"| {last[0]} | {last[1]} |" in days and f"| a week after {last[0]} | a week after {last[1]} |" in days


@pytest.mark.parametrize("name", PLANS)
def test_nothing_is_asked_twice_and_the_project_takes_what_is_said(name):
    sessions = PLANS[name]["sessions"]
    for kind in ("read", "exercises"):
        once = [one for session in sessions for one in [*session.get(kind, ()), *session.get("home", {}).get(kind, ())]]
        assert len(once) == len(set(once)), once
    assert sum(minutes(session, BOOK)["project"] for session in sessions) == 60 * PROJECT[name]


def test_ten_weeks_read_the_whole_main_path():
    main = {name.removeprefix("chapters/") for name in documents(ROOT)
            if re.fullmatch(r"chapters/\d\d_\w+/\d\d_\w+", name) and not name.endswith("_exercises")}
    assert main == {name for session in PLANS["ten_weeks"]["sessions"] for name in all_pages(session)}


@pytest.mark.parametrize("name", PLANS)
def test_a_page_shows_its_plan_and_the_sum(name):
    text = (ROOT / "book" / "course" / f"{name}.md").read_text("utf-8")
    assert PLACE.search(text)[1] == name
    shown = filled(text, ROOT)
    assert "{plan}" not in shown and "**In all: " in shown
    assert all(f"## {number}. {session['title']}" in shown for number, session in enumerate(PLANS[name]["sessions"], 1))


@pytest.mark.parametrize("name", ["ten_weeks", "six_weeks"])
def test_the_quiz_comes_before_all_teaching_and_again_at_the_end(name):
    sessions = PLANS[name]["sessions"]
    asked = [number for number, session in enumerate(sessions) if any("quiz" in item.get("sheets", ()) for item in session["class"])]
    assert asked == [0, len(sessions) - 1]
    assert not sessions[0].get("read") and sessions[0]["class"][0]["sheets"] == ["quiz"]


def test_the_quiz_stands_on_no_page():
    assert len(QUIZ) == 10 and all(len(one["answers"]) == 3 and one["why"] for one in QUIZ)
    right = [one["right"] for one in QUIZ]
    assert set(right) == {1, 2, 3} and max(map(right.count, right)) <= 4
    pages = [path for folder in ("book", "chapters") for suffix in ("md", "py") for path in (ROOT / folder).rglob(f"*.{suffix}")
             if "node_modules" not in path.parts]
    text = " ".join(re.sub(r"[#\s]+", " ", path.read_text("utf-8")) for path in pages)
    assert [one["question"] for one in QUIZ if any(part in text for part in re.findall(r"[^.?]{30,}[.?]", one["question"]))] == []


@pytest.mark.parametrize("page, part", [("sample_project", 0), ("sample_doubt", 1)])
def test_a_sample_project_says_what_its_code_gives_and_its_points_add_up(page, part):
    path = ROOT / "book" / "course" / f"{page}.md"
    text = path.read_text("utf-8")
    assert doctest.testfile(str(path), module_relative=False).failed == 0
    rows = re.findall(r"^\| \*\*([\w ]+)\*\* \| (\d+) \| ([\w ]+) \| ([\d.]+) \|", text, re.M)
    worth = {"not yet": 0.4, "good": 0.75, "excellent": 1}
    assert [float(points) for *_, points in rows] == [int(share) * worth[grade] for _, share, grade, _ in rows]
    total = f"{sum(float(points) for *_, points in rows):g}"
    assert f"**{total}**" in text and f"{total} of 100 points" in text and sum(int(share) for _, share, *_ in rows) == 100
    projects = (ROOT / "book" / "course" / "projects.md").read_text("utf-8")
    assert [row[:2] for row in rows] == re.findall(r"\*\*([\w ]+)\*\* \((\d+) %\)", projects.split("## Doubt")[part])


def test_sheets_have_keys_for_teachers_only_and_half_of_the_mechanisms_are_wrong(tmp_path):
    sheets.make(tmp_path, seed=1, hand_outs=tmp_path / "hand-outs")
    assert sorted(path.name for path in (tmp_path / "hand-outs").iterdir()) == sorted([*sheets.FILES, "stays.csv"])
    for name in sheets.FILES:
        assert (tmp_path / "hand-outs" / name).read_bytes() == (tmp_path / "student" / name).read_bytes()
    assert {sheet.__name__ for sheet in sheets.SHEETS} == set(SHEETS)
    for name in SHEETS:
        student, instructor = ((tmp_path / edition / f"{name}.html").read_text("utf-8") for edition in ("student", "instructor"))
        assert 'class="key"' in instructor and 'class="key"' not in student
        assert not re.search(r"https?:|src=", student + instructor)
    instructor = (tmp_path / "instructor" / "mechanisms.html").read_text("utf-8")
    assert instructor.count("A third of the noise") == instructor.count("The whole noise") == 5
    assert not any(one["why"] in (tmp_path / "student" / "quiz.html").read_text("utf-8") for one in QUIZ)


def test_the_command_of_the_page_on_your_own_data_runs_on_the_table_beside_the_hand_outs(tmp_path):
    sheets.stays(tmp_path)
    log = pd.read_csv(tmp_path / "stays.csv")
    assert log["patient"].nunique() == 20_000 and log.groupby("patient")["stay"].nunique().max() == 3
    page = (ROOT / "chapters" / "07_side_by_side" / "04_your_own_data.py").read_text("utf-8")
    command = re.search(r"^# ```console\n# \$ (python -m .*?)^# ```$", page, re.M | re.S)[1].replace("\n#", "")
    line = " ".join(command.split()).replace("--into published", "--into trial")
    assert f"```console\n{line}\n```" in (ROOT / "book" / "course" / "workshop.md").read_text("utf-8")
    drawn = sheets.participants(None)
    assert drawn["command"] == line and f'"./privrl_core-{version("privrl_core")}-py3-none-any.whl[pages,exact]"' in drawn["install"]
    assert all(BOOK.titles[f"01_foundations/{name}"] in drawn["new"] for name in ("01_reinforcement_learning", "01_values_from_records"))
    subprocess.run([sys.executable, *shlex.split(line)[1:]], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
    assert sorted(path.name for path in (tmp_path / "trial").iterdir()) == ["release.json", "statement.json", "statement.md"]


def test_the_score_of_the_contest_can_be_printed_in_a_students_copy(capsys):
    page = nbformat.read(ROOT / "chapters" / "02_policy_evaluation" / "06_exercises.ipynb", 4)
    copy = without_checks(edition_of(page, "student", "02_policy_evaluation"))
    names = {}
    for cell in [cell.source for cell in copy.cells if cell.cell_type == "code"][:2]:  # the two cells at its top
        exec(cell, names)
    runs, score = re.findall(r"^\* `(.*)`$", sheets.own_slides(ROOT, "workshop")["contest"], re.M)
    for smooth in ("np.where(visits > 1, sums / visits, 0)", "one.parameters"):
        exec(f"smooth = lambda visits, sums: {smooth}", names)
        exec(f"{runs}\n{score if smooth != 'one.parameters' else score.replace('smooth(one.visits, one.return_sums)', smooth)}", names)
    by_division, package = map(float, capsys.readouterr().out.split())
    assert 0.01 < package < by_division < 0.1
    [folded] = [cell for cell in copy.cells if cell.source == "smoothing = Exercise()"]
    exec(f"{folded.source}\nsmoothing.check(smooth)", names)
    assert folded.metadata["jupyter"]["source_hidden"]


def test_what_a_slide_asks_to_run_in_an_instructors_copy_is_enough():
    used = [(session["title"], label) for session in PLANS["workshop"]["sessions"] for item in session["class"]
            if "copy" in item.get("slides", ()) for label in item["exercises"]]
    assert [label for _, label in used] == ["ex-counts", "ex-curve", "ex-only-where"]
    for _, label in used:
        title, _, chapter = BOOK.exercises[label]
        [path] = (ROOT / "chapters" / chapter).glob("*_exercises.ipynb")
        assert f"instructor/{chapter}.ipynb" in sheets.own_slides(ROOT, "workshop")["copy"]
        cells = edition_of(nbformat.read(path, 4), "instructor", chapter).cells
        start = next(number for number, cell in enumerate(cells) if f"Exercise: {title}\n" in cell.source)
        code = [cell.source for cell in cells[start + 1:] if cell.cell_type == "code"]
        answered = [number for number, cell in enumerate(code) if ".check(" in cell][:2]  # the answer, then the solution
        names = {}
        for cell in [cell.source for cell in cells if cell.cell_type == "code"][:2] + code[:answered[0]]:
            exec(cell, names)
        check = code[answered[1]].rstrip().rsplit("\n", 1)
        exec(check[0], names)
        assert "Right" in eval(check[1], names).data


def test_the_update_of_the_debate_is_that_of_the_page():
    page = (ROOT / "chapters" / "03_functional_noise" / "03_the_promise.py").read_text("utf-8")
    lines = re.findall(r"^\* `(.*)`$", sheets.own_slides(ROOT, "workshop")["debate"], re.M)
    assert len(lines) == 4 and all(line in page for line in lines[:3]) and f"return {lines[3].removeprefix('theta = ')}" in page


def test_the_clinic_of_the_slides_is_that_of_its_page():
    page = (ROOT / "chapters" / "04_offline_rl" / "05_clinic.py").read_text("utf-8")
    drawn = sheets.clinic()
    assert icu_sepsis(20).n_states == drawn["states"] and f"{drawn['counts']:,} counts" in page
    assert "noise of 33 patients for each step apart" in page and round(drawn["noise"]) == 33 and round(drawn["visits"]) == 56
    rows = re.findall(r"^\| ([\d.]+) \| (\d\d\.\d) \| (\d\d\.\d) \|$", sheets.own_slides(ROOT, "workshop")["roles"], re.M)
    computed = re.search(r"for level in levels\] == \[(.*?)\]\]", page, re.S)[1]  # what the page asserts of the worst policies
    assert [one for _, *row in rows for one in row] == re.findall(r'"(\d\d\.\d)"', computed) and "levels = (0.5, 1.0, 3.0)" in page
    assert [float(epsilon) for epsilon, few, _ in rows if float(few) > 78.2] == [3] and '== "78.2%"' in page
    assert all(float(many) > 78.2 for *_, many in rows)
    for epsilon, *guesses in drawn["guesses"]:
        for right, stays in zip(guesses, (1, 3)):  # the total variation of two bell curves, and their (ε, δ)
            shift = 2 * norm.ppf(right / 100) / stays
            assert norm.cdf(shift / 2 - epsilon / shift) - np.exp(epsilon) * norm.cdf(-shift / 2 - epsilon / shift) == pytest.approx(1e-5)


def test_the_programs_are_those_of_the_page_and_verdict_and_reason_agree():
    page = (ROOT / "chapters" / "06_networks" / "07_find_the_slip.py").read_text("utf-8")
    programs = sheets.programs(None)["programs"]
    assert len(programs) == 5 and {one["verdict"] for one in programs} == {"it keeps its promise", "it breaks its promise"}
    for one in programs:
        assert one["code"] in page and not re.search(r"[{}`]", one["why"])
        assert one["why"].startswith("It keeps it" if "keeps" in one["verdict"] else "It breaks it") and len(one["why"]) > 60


@pytest.mark.parametrize("seed", range(5))
def test_trajectories_and_gradients_can_be_done_by_hand(seed):
    drawn = sheets.trajectories(np.random.default_rng(seed))
    by_hand = [[0.5 ** (len(path) - 1 - list(path).index(s)) for path, _ in drawn["patients"] if s in path] for s in (1, 2, 3)]
    assert list(map(len, by_hand)) == drawn["visits"].tolist() and list(map(sum, by_hand)) == drawn["sums"].tolist()
    assert drawn["truth"] == pytest.approx([2 / 27, 2 / 9, 2 / 3])
    written = [[float(Fraction(row[s])) for _, row in drawn["patients"] if row[s] != "–"] for s in range(3)]
    assert written == by_hand
    four = sheets.gradients(np.random.default_rng(seed))
    for _, gradient, length, clipped in four["rows"]:
        assert np.hypot(*gradient) == length and np.hypot(*clipped) == min(length, four["clip"])
        assert np.array_equal(clipped * max(length, four["clip"]), gradient * four["clip"])
    assert four["rows"][-1][0] == "Anna" and length == 30


def test_exercises_that_a_plan_sets_state_what_they_need():
    """Students with the PDF have no evidence pages, and in class nobody looks a lemma up."""
    used = {label for plan in PLANS.values() for session in plan["sessions"] for part in [*session["class"], session.get("home", {})]
            for label in part.get("exercises", ())}
    found, wrong = set(), []
    for path in (ROOT / "chapters").glob("*/*_exercises.py"):
        text = re.sub(r"^# ?", "", path.read_text("utf-8"), flags=re.M)
        for _, label, body in EXERCISE.findall(text):
            if label in used:
                found.add(label)
                wrong += [(label, one[0]) for one in re.finditer(
                    r"\{(?:prf:ref|eq|numref)\}|evidence/|\{ref\}`[^`]*<(?!ex-)|(Lemma|Theorem|Algorithm) [A-Z\d]|hexagon|John's", body)]
    assert found == used and wrong == []


@pytest.mark.parametrize("name", ["ten_weeks", "six_weeks"])
def test_a_syllabus_says_what_is_due_and_the_marks(name):
    drawn = sheets.of_plan(name)
    assert [one["title"] for one in drawn["sessions"]] == [one["title"] for one in PLANS[name]["sessions"]]
    assert [[one for one, _ in row["exercises"]] for row in drawn["sessions"]] == [
        [BOOK.exercises[label][0] for label in one.get("home", {}).get("exercises", ())] for one in PLANS[name]["sessions"]]
    first = BOOK.titles["01_foundations/01_reinforcement_learning"]
    assert (first in drawn["new"]) == (name == "six_weeks")
    said = drawn["marks"] + drawn["assistants"] + drawn["days"] + "".join(one["bring"] for one in drawn["sessions"])
    assert "one third" in said and "Allowed" in said and "session 3" in said and not re.search(r"\{\w+\}|`", said)
    assert not re.search(r"instructor/|solution-", said)


def test_slides_of_the_course_are_all_used_and_have_no_empty_number_and_no_sentence_that_is_left_out():
    used = {name for plan in PLANS.values() for session in plan["sessions"] for item in session["class"] for name in item.get("slides", ())}
    for name in PLANS:
        own = sheets.own_slides(ROOT, name)
        assert set(own) == used and not re.search(r"\{\{|\{%|\bnan\b|None", "".join(own.values())) and not POINTS.search("".join(own.values()))


def test_the_runs_of_the_sheet_refute_as_often_as_it_says():
    drawn = sheets.power(None)
    rng, n = np.random.default_rng(3), drawn["twenty"]["n"]
    often = np.mean([epsilon_lower_bound(a, b, n, delta=0, confidence=0.95) > 1
                     for a, b in rng.binomial(n, [drawn["p"], drawn["q"]], (4_000, 2))])
    assert abs(often - drawn["twenty"]["chance"]) < 5 * np.sqrt(0.25 / 4_000)
    assert drawn["needed"] == {p: trials_needed(p, 1 - p, epsilon=1, delta=0, power=0.9, confidence=0.95) for p in (0.9, 0.8, 0.75)}
    assert drawn["surely"] > 0.9 and drawn["kept"] == pytest.approx(0.7311, abs=1e-4)
    for row in drawn["rows"]:
        limits = [beta.ppf(0.025, row["a"], n - row["a"] + 1) for n in [row["n"]]] + [beta.ppf(0.975, row["b"] + 1, row["n"] - row["b"])]
        assert limits == pytest.approx([row["low"], row["high"]]) and row["refuted"] == (limits[0] > np.e * limits[1])
    out = {factor: delta for factor, *_, delta in sheets.columns()["out"]}
    assert out == pytest.approx({1: 0.24, 1.5: 0.14, 2: 0.08, 4: 0}) and sheets.columns()["largest"] == pytest.approx(4)


def test_a_form_for_marking_has_the_rows_of_its_rubric():
    rubrics = dict(sheets.marking(None)["rubrics"])
    assert list(rubrics) == ["Build", "Doubt"] and [len(rows) for rows in rubrics.values()] == [5, 5]
    assert all(sum(share for _, share in rows) == 100 for rows in rubrics.values())


def test_the_numbers_of_the_sheets_are_what_they_say():
    drawn = sheets.mechanisms(np.random.default_rng(7))
    assert drawn["needed"] == trials_needed(drawn["p"], drawn["q"], epsilon=1, delta=1e-5, power=0.9, confidence=0.95) < 3_000
    limit = drawn["limit"]
    assert limit == pytest.approx(30 + 2 * drawn["scale"] / 3, abs=0.05) and f"{limit}" == f"{limit:.1f}"
    assert [drawn["p"], drawn["q"]] == pytest.approx([norm.sf(limit, mean, drawn["scale"] / 3) for mean in (31, 30)])
    assert [one["spread"] < drawn["scale"] / 2 for one in drawn["mechanisms"]] == [one["third"] for one in drawn["mechanisms"]]
    strips = sheets.scissors(np.random.default_rng(7))
    assert strips["whole"] == pytest.approx(np.maximum(np.array(strips["noisy"]) - strips["cut"], 0))
    assert sum(strips["whole"]) == pytest.approx(strips["pair"])
    rows = sheets.dice(np.random.default_rng(7))["rows"]
    assert sorted(row["x"] for row in rows) == list(range(9)) and rows[0]["mean"] == "0" and rows[0]["sd"] == 1


def test_the_hospitals_get_the_noise_that_their_promises_need():
    drawn = sheets.hospitals(None)

    def delta_of(mu, epsilon):  # two bell curves that are mu apart
        return norm.cdf(mu / 2 - epsilon / mu) - np.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
    mu = brentq(lambda one: delta_of(one, 1) - 1e-6, 0.01, 1)
    assert drawn["mu"] == pytest.approx(mu)
    stays = np.zeros((2, 6, 12, 5))  # four equal stays, and four in other cells: pairs and triples of each day
    stays[0, :, 0, :2], stays[1, :, 1, :2] = 4, 4
    far = np.linalg.norm(stays[0] - stays[1])
    weeks = np.append(np.zeros(59), 52).mean()
    moved = [drawn["rare"]["sigma"] * mu, drawn["back"]["sigma"] * mu, drawn["monthly"]["sigma"] * mu, drawn["reward"]["sigma"] * mu]
    assert moved == pytest.approx([weeks, far, np.sqrt(4 / 3 * 40), np.linalg.norm([0.01] * 3)])
    assert drawn["monthly"]["sigma_each"] == pytest.approx(np.sqrt(12) * drawn["monthly"]["sigma"])
    assert 100 * (1 / drawn["network"]["sigma"]) ** 2 == pytest.approx(mu**2)
    root = sqrtm(np.tril(np.ones((12, 12)))).real  # a counter: noise z in the space of root @ sums
    z = drawn["monthly"]["counter"] / np.linalg.norm(root[-1])
    stage, metric = np.array([(0, 0), (1, 0), (1, 1)]), np.linalg.inv([[1, 0.5], [0.5, 1]])  # nothing, or a visit with its return
    farthest = max(np.einsum("ma,ab,mb->", moved, metric, moved) for i in range(12) for j in range(12) for one in stage for other in stage
                   for moved in [np.outer(root[:, i], one) - np.outer(root[:, j], other)])
    assert np.sqrt(40 * farthest) / z <= mu and 2 * drawn["monthly"]["sigma"] < drawn["monthly"]["counter"] < drawn["monthly"]["sigma_each"]
    for times, part in ((np.sqrt(12), "monthly"), (3, "network")):
        assert delta_of(times * mu, drawn[part]["epsilon"]) == pytest.approx(1e-6, rel=1e-4)


@pytest.mark.parametrize("seed", range(20))
def test_the_counts_of_the_sheet_are_sums_of_its_blocks(seed):
    one = sheets.counter(np.random.default_rng(seed))
    assert len(one["blocks"]) == 15 + 7 + 3 + 1
    assert all(block["sum"] == sum(one["outcomes"][block["first"] - 1:block["last"]]) for block in one["blocks"])
    by_place = {(block["first"], block["size"]): block["noise"] for block in one["blocks"]}
    noise = {6: [(1, 4), (5, 2)], 11: [(1, 8), (9, 2), (11, 1)], 15: [(1, 8), (9, 4), (13, 2), (15, 1)]}
    assert all(asked["published"] - asked["true"] == sum(by_place[place] for place in noise[asked["after"]]) for asked in one["asked"])
    assert 1 <= one["changed"] <= 4
