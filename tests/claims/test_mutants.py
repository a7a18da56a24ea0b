"""Each verdict has a mutant that turns it: the record is complete, and a sample of it is tried (all: `make mutants`)."""

import json

import mutants
import pytest
from mutants import RECORD, holds, score, verdicts

RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))
EVERY = verdicts()
#: Every fifteenth that is caught; the others are tried by `make mutants`.
SAMPLE = [name for name in EVERY if "is" in RECORDED.get(name, {})][::15]


def test_every_verdict_has_a_mutant_or_a_reason_why_none_is_caught():
    assert list(RECORDED) == list(EVERY), "make mutants"
    caught, of = score(RECORDED)
    assert caught >= 0.95 * of
    assert [name for name, one in RECORDED.items() if not one.get("is") and not one.get("survives")] == []


@pytest.mark.parametrize("name", SAMPLE)
def test_a_recorded_mutant_turns_its_verdict(name):
    assert holds(EVERY[name], RECORDED[name]), "make mutants"


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
    assert found == {"in": "measured:test_measured", "was": "found = 2 + 2", "is": "found = 2 - 2", "found": "fails"}
    assert mutants.search(measured.test_written) is None
    assert holds(measured.test_measured, found) and not holds(measured.test_measured, found | {"was": "found = 3"})
    assert measured.test_measured.find().verdict.value == "holds"      # nothing is left changed
