"""Everything that the five documents number, as a second reader lists it from their texts alone, and the row that each has.

In ``numbered/`` each document has a file, and each definition, assumption, statement, displayed equation, line of an algorithm
that says something, table, figure and footnote has a line: its name, what it says, and the row of the ledger that covers it.
A second reader, who had not written the rows, made the lists from the texts alone in November 2026. Displays and steps without a
number, "Unnumbered, …", were added later, from the rows: there a missing one is not noticed.

Without a row's name, the row is that of the same name: its `statement`, or its `also` with the version in brackets. What defines
something or claims nothing has ``no claim`` there. A statement without a row fails in `tests.claims.test_statements`.
"""

from dataclasses import dataclass
from pathlib import Path

FOLDER, NOTHING = Path(__file__).parent / "numbered", "no claim"


@dataclass(frozen=True)
class Numbered:
    """One line: a ``name``, what it ``says``, and the ``row`` that covers it, if that has another name."""

    name: str
    says: str
    row: str = ""


@dataclass(frozen=True)
class Document:
    """One ``version`` of a ``paper``, empty for the audited one, and all that it numbers."""

    file: str
    paper: str
    version: str = ""

    def numbered(self) -> list[Numbered]:
        return [Numbered(*line.split(" | ")) for line in (FOLDER / self.file).read_text(encoding="utf-8").splitlines()]

    def claimed(self) -> list[Numbered]:
        return [one for one in self.numbered() if one.row != NOTHING]

    def row(self, one: Numbered, claims) -> str | None:
        """The `statement` of the claim among ``claims`` that covers this, or None."""
        for claim in claims:
            if claim.paper == self.paper:
                own = f"{one.name} ({self.version})" if self.version else one.name
                if one.row == claim.statement or not one.row and own == (claim.also if self.version else claim.statement):
                    return claim.statement
        return None


DOCUMENTS = (Document("balle-2016-arxiv.txt", "Balle et al. 2016"), Document("balle-2016-icml.txt", "Balle et al. 2016", "ICML"),
             Document("wang-2019-neurips.txt", "Wang & Hegde 2019"), Document("wang-2019-arxiv.txt", "Wang & Hegde 2019", "arXiv"),
             Document("qiao-2023.txt", "Qiao & Wang 2023"))


def numbers(claims) -> dict[str, dict[str, list[str]]]:
    """By paper and row: all that it covers, by the names that the versions number it with."""
    found = {}
    for document in DOCUMENTS:
        for one in document.claimed():
            version = f" ({document.version})" if document.version else ""
            found.setdefault(document.paper, {}).setdefault(document.row(one, claims), []).append(one.name + version)
    return found
