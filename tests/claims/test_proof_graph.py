"""The edges of the graphs, the data that the site publishes, and the records of second opinions."""

import json
import re
from graphlib import CycleError

import jsonschema
import pytest
from edges import ALONE, USES
from test_ledger import BOOK, CLAIMS, OPINIONS

from privrl_core.pages import FAILS, STORED, address, claim, judge, paper_page, rows
from privrl_core.pages.proof_graph import columns, picture, reached, users, uses

LEDGER = json.loads(STORED.read_text("utf-8"))
WANG_ROWS = [row for row in LEDGER if row["paper"] == "Wang & Hegde 2019"]
SCHEMA = json.loads((BOOK / "data" / "claims.schema.json").read_text("utf-8"))
NAMES = {(one.paper, one.statement) for _, one in CLAIMS}
OPINION = {"$ref": "#/$defs/opinion", "$defs": SCHEMA["$defs"]}
RECORD = {"claim": "a-paper-2000/lemma-1", "kind": "reproduction", "by": "A. Reader", "date": "2026-11-23", "verdict": "holds",
          "text": "We computed it again.", "link": "https://example.org/again"}


def valid(instance, schema=SCHEMA):
    """Raise jsonschema.ValidationError unless this is what the schema describes."""
    jsonschema.Draft202012Validator(schema).validate(instance)


def test_each_edge_joins_statements_of_the_ledger_and_says_where():
    for paper, table in USES.items():
        for statement, used in table.items():
            assert {(paper, name) for name in [statement, *used]} <= NAMES, (statement, used)
            assert used and all(used.values()), statement
    assert {(paper, name) for paper, table in ALONE.items() for name in table} <= NAMES


@pytest.mark.parametrize("paper", USES)
def test_no_theorem_is_without_an_edge_or_a_reason(paper):
    numbered = {name for one, name in NAMES if one == paper and re.match("Theorem|Proposition|Corollary|Lemma|Claim", name)}
    assert numbered - set(USES[paper]) - set(ALONE[paper]) == set()
    assert set(USES[paper]) & set(ALONE[paper]) == set()


def test_no_proof_goes_in_a_circle():
    for version in ("", "NeurIPS", "arXiv"):
        graph = uses(LEDGER, version)
        place = {one: number for number, column in enumerate(columns(graph)) for one in column}
        assert graph and all(place[used] < place[one] for one, there in graph.items() for used in there)
    with pytest.raises(CycleError):
        columns({"a": ["b"], "b": ["a"]})


def test_what_falls_with_a_statement():
    graph = {"lemma": [], "step": ["lemma"], "theorem": ["step"], "other": []}
    found = [{"id": one, "uses": [{"id": other, "where": "there", "version": ""} for other in used]} for one, used in graph.items()]
    assert reached("lemma", users(found)) == ["step", "theorem"] and reached("theorem", uses(found)) == ["step", "lemma"]
    assert reached("other", users(found)) == []


def test_a_statement_that_holds_says_that_its_proof_rests_on_a_refuted_one():
    page = paper_page([row for row in LEDGER if row["paper"] == "Balle et al. 2016"])
    row = page.split('id="corollary-12"')[1].split("</details>\n</details>")[0]
    assert "Refuted on the way" in row and "✘ Lemma 23</a>, in its place: " in row
    assert "Its own test finds the verdict above all the same." in row


def test_a_claim_links_to_its_test_once_the_repository_has_an_address():
    rows = [row for row in LEDGER if row["paper"] == "Balle et al. 2016"]
    link = "(https://example.org/blob/main/tests/claims/test_balle_2016_utility.py)"
    assert link in paper_page(rows, sources="https://example.org/blob/main") and "](" not in paper_page(rows)


def test_a_proof_that_rests_on_a_step_that_departs_says_so():
    page = paper_page([row for row in LEDGER if row["paper"] == "Qiao & Wang 2023"])
    row = page.split('id="theorem-3-4-equation-6"')[1].split("</details>\n</details>")[0]
    assert "Departs on the way" in row and "↷ Lemma C.6, proof (independence)</a>, in its place: " in row


def test_a_version_is_not_blamed_for_the_proof_of_the_other():
    """The arXiv version proves Lemma 8 and Corollary 7 in its own way, and takes the mean under the right distribution."""
    of = {version: {one: reached(f"wang-hegde-2019/{one}", uses(WANG_ROWS, version)) for one in ids} for version, ids in
          (("NeurIPS", ("theorem-5", "lemma-8", "corollary-7")), ("arXiv", ("theorem-4-arxiv", "lemma-8", "corollary-7")))}
    assert not [one for way in of["NeurIPS"].values() for one in way if "arxiv" in one.split("/")[1] and "independent-maximum" not in one]
    assert "wang-hegde-2019/text-proof-of-theorem-5-first-inequality" not in of["arXiv"]["theorem-4-arxiv"]
    assert "wang-hegde-2019/lemma-10-base-case-arxiv" in of["arXiv"]["lemma-8"]
    assert of["NeurIPS"]["corollary-7"] == ["wang-hegde-2019/text-proof-of-corollary-7-chain-rule"]


def test_each_edge_joins_rows_of_its_version():
    rows_of = {row["id"]: row for row in LEDGER}
    for row in LEDGER:
        for used in row["uses"]:
            both = set(row["versions"]) & set(rows_of[used["id"]]["versions"])
            assert not row["versions"] or both and used["version"] in {"", *both}, (row["id"], used["id"])


@pytest.mark.parametrize("statement, also, versions", [
    ("Theorem 5", "", ["NeurIPS"]), ("Theorem 4 (arXiv)", "", ["arXiv"]), ("Lemma 8", "Lemma 10 (arXiv)", ["NeurIPS", "arXiv"]),
    ("Lemma 10, proof (arXiv), independent maximum", "text, proof of Lemma 8", ["NeurIPS", "arXiv"])])
def test_the_versions_of_a_row_are_in_its_names(statement, also, versions):
    @claim("A paper", statement, "two is at most one", also=also, verdict=FAILS, instead="one")
    def test():
        return judge("2", true=False)
    assert rows([test], editions={"A paper": ("NeurIPS", "arXiv")})[0]["versions"] == versions and rows([test])[0]["versions"] == []


def test_addresses_are_plain_and_differ():
    ids = [row["id"] for row in LEDGER]
    assert len(set(ids)) == len(ids) and all(re.fullmatch("[a-z0-9-]+/[a-z0-9-]+", one) for one in ids)
    assert address("text, section 6 (λ ∝ √m)") == "text-section-6-lambda-m" and address("Θ, Lemma D.2") == "theta-lemma-d-2"


def test_the_graph_is_a_picture_of_links_and_nothing_where_there_is_no_edge():
    drawn = picture([row for row in LEDGER if row["paper"] == "Qiao & Wang 2023"])
    assert drawn.count("<a ") == drawn.count("<rect ") == drawn.count("<title>") > 30 and "\n\n" not in drawn
    assert picture([row for row in LEDGER if row["paper"] == "Lu et al. 2026"]) == ""


def test_the_data_are_what_the_schema_says_and_the_page_explains_every_field():
    valid({"$schema": "claims.schema.json", "version": 1, "claims": LEDGER})
    explained = (BOOK / "second_opinion.md").read_text("utf-8")
    for part in ("claim", "opinion"):
        assert all(f"`{name}`" in explained for name in SCHEMA["$defs"][part]["properties"]), part
    with pytest.raises(jsonschema.ValidationError):
        valid({"$schema": "claims.schema.json", "version": 1, "claims": [LEDGER[0] | {"verdict": "perhaps"}]})


def test_records_of_opinions_are_about_claims_that_there_are():
    for opinion in OPINIONS:
        valid(opinion, OPINION)
        assert opinion["claim"] in {row["id"] for row in LEDGER}


def test_an_opinion_stands_beside_the_verdict():
    valid(RECORD, OPINION)
    for wrong in ({"kind": "guess"}, {"date": "yesterday"}, {"link": "http://example.org"}, {"text": ""}, {"more": 1}):
        with pytest.raises(jsonschema.ValidationError):
            valid(RECORD | wrong, OPINION)

    @claim("A paper 2000", "Lemma 1", "two is at most one", verdict=FAILS, instead="one is at most two")
    def test_lemma_1():
        return judge("2", true=False)
    found = rows([test_lemma_1], opinions=[RECORD])
    valid({"$schema": "claims.schema.json", "version": 1, "claims": found})
    assert ("Second opinions\n: A reproduction by A. Reader (2026-11-23) finds *holds*: We computed it again. "
            "[Source](https://example.org/again).") in paper_page(found)


def test_a_time_stays_unless_it_moves_much():
    @claim("A paper 2000", "Lemma 1", "two is at most one", verdict=FAILS, instead="one is at most two")
    def test_lemma_1():
        return judge("2", true=False)
    [row] = rows([test_lemma_1])
    assert row["seconds"] == 1
    for before, after in ((1, 1), (10, 1), (100, 1)):
        test_lemma_1.seconds = lambda: 0.2
        assert rows([test_lemma_1], before=[row | {"seconds": before}])[0]["seconds"] == after
    test_lemma_1.seconds = lambda: 2.5
    assert rows([test_lemma_1], before=[row])[0]["seconds"] == rows([test_lemma_1])[0]["seconds"] == 10, "it is no longer within a second"
    assert rows([test_lemma_1], before=[row | {"seconds": 10}])[0]["seconds"] == 10
    assert rows([test_lemma_1], before=[row | {"seconds": 100}])[0]["seconds"] == 10
