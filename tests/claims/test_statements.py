"""Every numbered statement of the five documents has a row in the ledger, counted from a list that was made from the texts."""

import pytest
from statements import DOCUMENTS
from test_ledger import CLAIMS

ROWS = [one for _, one in CLAIMS]
pytestmark = pytest.mark.xdist_group("ledger")  # with the claims themselves (conftest.py)


@pytest.mark.parametrize("document", DOCUMENTS, ids=[document.title for document in DOCUMENTS])
def test_every_numbered_statement_has_a_row(document):
    assert [name for name in document.numbered() if document.row(name, ROWS) is None] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=[document.title for document in DOCUMENTS])
def test_the_list_names_each_statement_once_and_no_row_in_vain(document):
    names = document.numbered()
    assert len(set(names)) == len(names)
    assert not set(names) & set(document.definitions)
    assert set(document.rows) <= set(names)
    stated = {one.statement for one in ROWS if one.paper == document.paper}
    assert [row for row in document.rows.values() if row not in stated] == []


def test_a_statement_without_a_row_is_found():
    document = DOCUMENTS[0]
    fewer = [one for one in ROWS if one.statement != "Lemma 15"]
    assert document.row("Lemma 15", ROWS) == "Lemma 15" and document.row("Lemma 15", fewer) is None
