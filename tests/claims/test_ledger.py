"""The ledger itself: nothing left out, no verdict that could be another, and a file that says what the tests find."""

import inspect
import json
import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from edges import ALONE, EDITIONS, USES
from statements import numbers

from privrl_core.pages import FAILS, HOLDS, LOOSE, STORED, Verdict, claim, claims, judge, rows, summary

PAPERS = ["balle_2016", "wang_2019", "qiao_2023", "kearns_2014", "chan_2011", "sajed_2019", "vietri_2020", "garcelon_2021", "chowdhury_2022", "qiao_2024", "lu_2026"]
BOOK = Path(__file__).parents[2] / "book"
OPINIONS = [json.loads(path.read_text("utf-8")) for path in sorted((BOOK / "opinions").glob("*.json"))]
# test_<author>_<year>_<part>.py, paper by paper in the order of the chapters
FILES = sorted(Path(__file__).parent.glob("test_*_[12][0-9]*.py"), key=lambda path: (PAPERS.index("_".join(path.stem.split("_")[1:3])), path.stem))
TESTS = [test for file in FILES for test in vars(import_module(file.stem)).values() if hasattr(test, "claims")]
CLAIMS = [(test, one) for test in TESTS for one in test.claims]
NUMBERS = numbers([one for _, one in CLAIMS])
RECORD = Path(__file__).with_name("mutants.json")
MUTANTS = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}  # the template begins without
pytestmark = pytest.mark.xdist_group("ledger")  # with the claims themselves (conftest.py)


def test_the_stored_ledger_says_what_the_tests_find(request):
    before = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else []
    found = rows(TESTS, uses=USES, alone=ALONE, numbers=NUMBERS, mutants=MUTANTS, editions=EDITIONS, opinions=OPINIONS, before=before)
    if request.config.getoption("--write", default=False):
        STORED.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    assert [without_numbers(row) for row in stored] == [without_numbers(row) for row in found], "make claims"
    for row, other in zip(stored, found, strict=True):
        assert len(numbers(row)) == len(numbers(other)) and all(map(near, numbers(row), numbers(other))), f"make claims: {row['statement']}"


NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def without_numbers(row):
    return row | {"figure": NUMBER.sub("", row["figure"]), "seconds": None}


def numbers(row):
    return [digits.replace(",", "") for digits in NUMBER.findall(row["figure"])]


def near(one, other):
    """On another processor a sum may round to the next decimal, and a simulation may end elsewhere by a few per cent."""
    decimals = max(len(digits.partition(".")[2]) for digits in (one, other))
    return abs(float(one) - float(other)) <= max(0.11 * abs(float(other)), (decimals > 0) * 1.001 * 10.0**-decimals)


def test_a_stored_number_may_differ_by_its_last_decimal_and_not_by_more():
    assert near("0.7", "0.8") and near("0.80", "0.81") and near("100", "105") and near("8", "8")
    assert not near("0.6", "0.8") and not near("1", "2") and not near("0.70", "0.80") and not near("100", "115")


def test_any_other_verdict_fails():
    test, one = CLAIMS[0]
    for other in Verdict:
        if other is not one.verdict:
            with pytest.raises(AssertionError, match=f"declared {other.name}, found {one.verdict.name}"):
                replace(one, verdict=other).check(test.find())


def test_the_seeds_in_a_test_are_those_of_its_claim():
    for test, one in CLAIMS:
        written = {int(seed) for seed in re.findall(r"(?:default_rng|_generators)\((\d+)\)", inspect.getsource(inspect.unwrap(test)))}
        assert written <= set(one.seeds), one.statement


def test_no_statement_of_balle_et_al_is_left_out():
    own = [one for _, one in CLAIMS if one.paper == "Balle et al. 2016"]
    stated = [one.statement for one in own]
    numbered = [int(match[1]) for name in stated if (match := re.fullmatch(r"(?:Lemma|Corollary|Theorem) (\d+)", name))]
    assert sorted(numbered) == list(range(1, 34)), "the arXiv version counts lemmas, corollaries and theorems from 1 to 33"
    icml = {int(match[1]) for one in own if (match := re.fullmatch(r"(?:Lemma|Corollary|Theorem) (\d+) \(ICML\)", one.also))}
    assert icml == set(range(1, 13)), "the ICML version counts from 1 to 12"
    others = {"Algorithm 1", "Algorithm 2", "Equation (8)", "Equation (11)", "Equation (13)", "Equation (14)",
              *(f"Figure 1, {which} panel" for which in ("first", "second", "third", "fourth"))}
    assert others <= set(stated)
    assert len(set(stated)) == len(stated)


def test_no_statement_of_wang_and_hegde_is_left_out():
    own = [one for _, one in CLAIMS if one.paper == "Wang & Hegde 2019"]
    named = " ".join(f"{one.statement}; {one.also};" for one in own)
    neurips = ["Proposition 3", "Proposition 4", "Theorem 5", "Lemma 6", "Corollary 7", "Lemma 8", "Proposition 9", "Proposition 10",
               "Lemma 11", "Claim 12", "Claim 13", "Lemma 14", "Claim 15", "Lemma 16", "Claim 17", "Equation (2)", "Equation (3)",
               "Equation (4)", "Algorithm 1", "Figure 1", "Figure 2", *(f"Appendix E.{k}" for k in (2, 3))]
    stated = [one.statement.split(",")[0].split("(arXiv)")[0].strip() for one in own]
    assert [name for name in neurips if not any(name in statement for statement in stated)] == []
    arxiv = [*(f"Lemma {k}" for k in (3, 5, 6, 7, 8, 9, 10)), "Theorem 4", "Corollary 11", "Corollary 12",
             *(f"Claim {k}" for k in (13, 14, 15, 16)), "Algorithm 1", "Figure 1"]
    assert [name for name in arxiv if not re.search(rf"{re.escape(name)}\b[^;]*\(arXiv\)", named)] == []
    assert len({one.statement for one in own}) == len(own)


def test_every_failure_says_what_to_use_instead():
    for _, one in CLAIMS:
        assert one.instead or one.verdict in (HOLDS, Verdict.NOT_CHECKED), one.statement


def test_a_claim_that_is_declared_wrongly_is_a_test_that_fails():
    @claim("A paper", "Lemma 1", "two is at most three", verdict=FAILS)
    def measure():
        return judge("2", true=2 <= 3)
    with pytest.raises(AssertionError, match="declared FAILS, found HOLDS"):
        measure()


@pytest.mark.parametrize("arguments, verdict", [
    (dict(true=True), HOLDS), (dict(true=True, factor=1.9), HOLDS), (dict(true=True, factor=2.1), LOOSE),
    (dict(true=True, factor=2.1, within=3), HOLDS), (dict(true=False), FAILS), (dict(true=False, factor=0.1), FAILS),
    (dict(true=False, elsewhere=True), Verdict.DEPARTS), (dict(true=True, elsewhere=True), HOLDS)])
def test_judge(arguments, verdict):
    assert judge("", **arguments).verdict is verdict


def test_a_true_bound_is_not_below_what_it_bounds():
    with pytest.raises(ValueError, match="factor must be at least 1 for a true claim, got 0.5"):
        judge("", true=True, factor=0.5)


def test_claims_are_read_as_a_table():
    table = claims("Balle et al. 2016")
    assert len(table) == sum(one.paper == "Balle et al. 2016" for _, one in CLAIMS)
    assert summary(table)["claims"].sum() == len(table)
    with pytest.raises(ValueError, match="paper must be one of .*, got 'Nobody'"):
        claims("Nobody")
