"""The map of the field: its papers are in the bibliography, its pages in the book, its verdicts in the ledger."""

import json
import math
import re

import pages
import yaml
from execute import ROOT, documents

FIELD = yaml.safe_load((ROOT / "book" / "data" / "map.yml").read_text("utf-8"))
ROWS = json.loads((ROOT / "privrl_core" / "pages" / "ledger.json").read_text("utf-8"))
KEYS = re.findall(r"^@\w+\{(.+),$", (ROOT / "book" / "references.bib").read_text("utf-8"), re.MULTILINE)
WITHOUT_AUTHORS = {"arxiv-2607-00876"}  # known by its number only, so not in the bibliography


def test_each_paper_is_in_the_bibliography_once():
    papers = [row["paper"] for row in FIELD["papers"]]
    assert set(papers) <= set(KEYS) and len(set(papers)) == len(papers)


def test_each_page_is_in_the_book_and_names_the_paper():
    for row in FIELD["papers"]:
        assert row["see"] and {f"chapters/{name}" for name in row["see"]} <= set(documents(ROOT)), row["paper"]
        for name in row["see"]:
            text = (ROOT / "chapters" / f"{name}.py").read_text("utf-8")
            assert re.search(rf"{{cite(:\w)?}}+`[^`]*\b{row['paper']}\b", text), (row["paper"], name)


def test_each_word_is_one_of_the_list():
    for row in FIELD["papers"]:
        for name, words in FIELD["words"].items():
            said = row[name] if isinstance(row[name], list) else [row[name]]
            assert said and set(said) <= set(words), (row["paper"], name)
    for name, words in FIELD["words"].items():
        assert set(words) == {word for row in FIELD["papers"] for word in ([row[name]] if isinstance(row[name], str) else row[name])}, name


def found(**wanted: str) -> list[str]:
    """What these papers release."""
    return [row["released"] for row in FIELD["papers"] if all(value in row[name] for name, value in wanted.items())]


def test_what_the_answer_of_the_page_says_is_so():
    cell = found(unit="one person", model="central")
    assert sorted(cell) == ["a network"] + 4 * ["treatments"]
    assert found(unit="one stay", model="central").count("a policy") == 2
    assert found(unit="one record", model="central").count("running sums") == 5
    assert "a policy" not in found(unit="one person") and "rewards" not in found(unit="one person", model="local")
    assert [row["paper"] for row in FIELD["papers"] if (row["unit"], row["released"]) == ("one label", "rewards") and "local" in row["model"]] == ["chowdhury2024"]
    policies = [row for row in FIELD["papers"] if row["released"] == "a policy"]
    unknown = [row["paper"] for row in policies if row["unit"] in ("one person", "not known to us") and set(row["model"]) & {"central", "not known to us"}]
    assert unknown == ["he2025"] and next(row for row in policies if row["paper"] == "he2025")["model"] == ["not known to us"]
    assert {row["read"] for row in FIELD["papers"] if row["unit"] == "one person" and "central" in row["model"]} == {"in full", "abstract", "not read"}
    variance = {m: 1 / math.tanh(1 / (2 * m)) ** 2 / m for m in (1, 40)}      # of a mean of m flipped labels, each with ε = 1/m, times four
    assert round(variance[40] / variance[1]) == 34 and "34 times as many patients" in (ROOT / "chapters" / "07_side_by_side" / "07_map.md").read_text("utf-8")
    assert sum(row["released"] == "a policy" and "not known to us" in (row["unit"], *row["model"]) for row in FIELD["papers"]) == 2


def test_the_picture_has_each_paper_whose_place_is_known():
    text = next(iter(pages.field_map(ROOT).values())).decode()
    cells = re.findall(r'<td role="cell" data-unit="([^"]+)" data-model="([^"]+)"( class="gap")?><b>(.+?)</b><span aria-hidden="true">((?:<i class="full"></i>)*(?:<i class="half"></i>)*(?:<i class="none"></i>)*)</span>', text)
    units, models = FIELD["picture"]["unit"], FIELD["picture"]["model"]
    placed = [row for row in FIELD["papers"] if "not known to us" not in (row["unit"], *row["model"])]
    assert f"{len(placed)} papers; {sum(len(row['model']) == 2 for row in placed)} have two models, and so two dots" in text and sum(dots.count("<i") for *_, dots in cells) == sum(len(row["model"]) for row in placed)
    assert [(unit, model) for unit, model, *_ in cells] == [(unit, model) for model in models for unit in units]
    for name in ("unit", "model"):
        assert set(FIELD["picture"][name]) == set(FIELD["words"][name]) - {"not known to us"}
    for unit, model, gap, number, dots in cells:
        papers = len(found(unit=unit, model=model))
        read = [row["read"] for row in FIELD["papers"] if row["unit"] == unit and model in row["model"]]
        assert dots.count("none") == read.count("not read") and dots.count("half") == read.count("abstract") + read.count("summary")
        assert dots.count("<i") == papers and (number, bool(gap)) == ((str(papers), False) if papers else ("–", True))


def test_each_paper_of_the_ledger_is_on_the_map_once():
    linked = [row["ledger"] for row in FIELD["papers"] if "ledger" in row]
    assert sorted(linked) == sorted({row["id"].split("/")[0] for row in ROWS} - WITHOUT_AUTHORS)


def test_the_table_has_all_rows_and_the_counts_of_the_ledger():
    text = next(iter(pages.field_map(ROOT).values())).decode()
    assert "% the table" not in text and text.count("\n| {cite:t}") == len(FIELD["papers"])
    assert f"`{re.search(r'A count such as [*](.+?)[*]', text)[1]} <" in text      # the example is a count of the table
    for row in FIELD["papers"]:
        line = re.search(rf"^\| {{cite:t}}`{row['paper']}`.*$", text, re.MULTILINE)[0]
        own = [one["verdict"] for one in ROWS if one["id"].split("/")[0] == row.get("ledger")]
        said = {verdict: int(count) for count, verdict in re.findall(r"(\d+) (holds?|loose|departs?|fails?|not checked)", line)}
        said = {next(verdict for verdict in ("holds", "loose", "departs", "fails", "not checked") if verdict.startswith(word)): count for word, count in said.items()}
        assert said == {verdict: own.count(verdict) for verdict in own}
