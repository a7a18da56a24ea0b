"""Everything that the five documents number has a row in the ledger, or claims nothing, by a list that was made from the texts."""

import re

import pytest
from statements import DOCUMENTS, Numbered
from test_ledger import CLAIMS

ROWS = [one for _, one in CLAIMS]
pytestmark = pytest.mark.xdist_group("ledger")  # with the claims themselves (conftest.py)


@pytest.mark.parametrize("document", DOCUMENTS, ids=[document.file for document in DOCUMENTS])
def test_everything_numbered_has_a_row_or_claims_nothing(document):
    assert [one.name for one in document.claimed() if document.row(one, ROWS) is None] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=[document.file for document in DOCUMENTS])
def test_the_list_has_each_name_once_and_no_equation_is_left_out(document):
    names = [one.name for one in document.numbered()]
    assert len(set(names)) == len(names) and all(one.says for one in document.numbered())
    equations = [int(match[1]) for name in names if (match := re.fullmatch(r"Equation \((\d+)\)", name))]
    assert sorted(equations) == list(range(1, max(equations) + 1))


def test_a_statement_without_a_row_is_found():
    document = DOCUMENTS[0]
    fewer = [one for one in ROWS if one.statement != "Lemma 15"]
    assert document.row(Numbered("Lemma 15", ""), ROWS) == "Lemma 15" and document.row(Numbered("Lemma 15", ""), fewer) is None
    assert document.row(Numbered("Lemma 15", "", "Lemma 16"), fewer) == "Lemma 16"
