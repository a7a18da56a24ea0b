"""Each verdict has a mutant that turns it: the record is complete, and a sample of it is tried (all: `make mutants`)."""

import json

import mutants
import pytest
from mutants import RECORD, holds, kind, score, verdicts

RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))
EVERY = verdicts()
#: Every fifteenth that is caught; the others are tried by `make mutants`.
SAMPLE = [name for name in EVERY if "is" in RECORDED.get(name, {})][::15]


def test_every_verdict_has_a_mutant_or_a_reason_why_none_is_caught():
    assert list(RECORDED) == list(EVERY), "make mutants"
    turned, of = score(RECORDED)
    assert turned.total() >= 0.95 * of
    assert [name for name, one in RECORDED.items() if "is" in one and one["of"] != kind(one)] == []
    assert [name for name, one in RECORDED.items() if not one.get("is") and not one.get("survives")] == []


@pytest.mark.parametrize("name", SAMPLE)
def test_a_recorded_mutant_turns_its_verdict(name):
    assert holds(EVERY[name], RECORDED[name]), "make mutants"


def test_an_assertion_or_an_error_is_no_verdict(tmp_path, monkeypatch):
    (tmp_path / "stopped.py").write_text(
        "from privrl_core.pages import HOLDS, claim, judge\n\n\n"
        "@claim('A paper', 'Lemma 1', 'two and two are four', verdict=HOLDS)\ndef test_asserted():\n"
        "    found = 2 + 2\n    assert found == 4\n    return judge('4', true=True)\n\n\n"
        "@claim('A paper', 'Lemma 2', 'at most four', verdict=HOLDS)\ndef test_bounded():\n"
        "    found = 2 + 2\n    return judge('4', true=True, factor=4 / found if found >= 4 else 0.5)\n")
    monkeypatch.syspath_prepend(tmp_path)
    import stopped

    assert mutants.search(stopped.test_asserted) is None and mutants.search(stopped.test_bounded)["found"] == "loose"


def test_what_is_printed_and_the_code_of_the_package_are_told_from_the_measurement():
    records = [("test_a:test_b", "printed = 2 * x"), ("test_a:_formula_as_printed", "return x"), ("privrl_core.offline.pessimism:bernstein", "return x"),
               ("privrl_core.world.chain:recovery_chain", "return x"), ("test_a:test_b", "found = 2 * printed"),
               ("test_a:test_b", "printed, mended = (2 * x, x)"), ("test_a:test_as_printed", "return x")]
    assert [kind({"in": where, "was": was}) for where, was in records] == ["statement", "statement", "code", *["measurement"] * 4]


def test_a_test_that_measures_nothing_has_no_mutant(tmp_path, monkeypatch):
    """A verdict that is merely written down cannot be turned; one that is measured can."""
    (tmp_path / "measured.py").write_text(
        "from privrl_core.pages import HOLDS, claim, judge\n\n\n"
        "@claim('A paper', 'Lemma 1', 'two and two are four', verdict=HOLDS)\ndef test_measured():\n"
        "    found = 2 + 2\n    return judge(f'{found}', true=found == 4)\n\n\n"
        "@claim('A paper', 'Lemma 2', 'nothing', verdict=HOLDS)\ndef test_written():\n    return judge('4', true=True)\n")
    monkeypatch.syspath_prepend(tmp_path)
    import measured

    found = mutants.search(measured.test_measured)
    assert found == {"in": "measured:test_measured", "was": "found = 2 + 2", "is": "found = 2 - 2", "of": "measurement",
                     "found": "fails"}
    assert mutants.search(measured.test_written) is None
    assert holds(measured.test_measured, found) and not holds(measured.test_measured, found | {"was": "found = 3"})
    assert measured.test_measured.find().verdict.value == "holds"      # nothing is left changed
