"""The numbered statements of the five documents, as a reader lists them from the texts, and the row of the ledger that each has.

A name is that of a row: its `statement`, or its `also` with the version in brackets. Where the row has another name, for example
because one test settles a lemma and the displays of its proof, ``rows`` says which. ``definitions`` are numbered, too, but claim
nothing. A statement in neither has no row, and `tests.claims.test_statements` fails.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Document:
    """One version of a paper: what it numbers, and under which names the ledger has it.

    ``version`` is empty for the audited version. ``equations`` is the last number of a displayed equation.
    """

    title: str
    paper: str
    version: str
    statements: tuple[str, ...]
    equations: int
    definitions: dict[str, str]
    rows: dict[str, str] = field(default_factory=dict)

    def numbered(self) -> list[str]:
        """All that is numbered and claims something, equations included."""
        equations = (f"Equation ({k})" for k in range(1, self.equations + 1))
        return [*self.statements, *(name for name in equations if name not in self.definitions)]

    def row(self, name: str, claims) -> str | None:
        """The row of a statement: the `statement` of one of ``claims``, or None."""
        for one in claims:
            if one.paper == self.paper:
                named = one.also if self.version and name not in self.rows else one.statement
                if named == self.rows.get(name, f"{name} ({self.version})" if self.version else name):
                    return one.statement
        return None


def _all(kind, *numbers):
    return tuple(f"{kind} {number}" for number in numbers)


def _to(row, *names):
    return dict.fromkeys(names, row)


def _equations(row, *numbers):
    return _to(row, *(f"Equation ({number})" for number in numbers))


BALLE = Document(
    "Balle, Gomrokchi & Precup (2016), arXiv", "Balle et al. 2016", "",
    (*_all("Lemma", 1, 2, 4, 5, 7, 9, 14, 15, 16, 18, 19, 21, 22, 23, 24, 25, 29, 30, 31), *_all("Corollary", 3, 8, 12, 13, 17, 20, 27, 28, 33),
     *_all("Theorem", 6, 10, 11, 26, 32), *_all("Algorithm", 1, 2), *(f"Figure 1, {which} panel" for which in ("first", "second", "third", "fourth"))),
    59,
    {"Equation (1)": "differential privacy", "Equation (2)": "the value function", "Equation (3)": "the objective J_X", "Equation (4)": "the mean returns",
     "Equation (6)": "the objective J^w", "Equation (9)": "φ^w_X(k)", "Equation (10)": "the objective J^λ", "Equation (12)": "φ^λ_X(k)", "Equation (15)": "φ^w(v)",
     "Equation (17)": "the privacy loss", "Equation (18)": "the set Ω"},
    {"Equation (7)": "Equation (8)", "Equation (16)": "Lemma 4", "Equation (22)": "Equation (21)", "Equation (40)": "Lemma 7",
     **_equations("Equation (34)", 25, 32, 33), "Equation (26)": "Equation (27)", **_equations("Equation (31)", 28, 29, 30), **_equations("Equation (39)", 35, 36, 37, 38),
     **_equations("Lemma 22", 44, 45, 46, 47, 48), "Equation (50)": "Lemma 23", **_equations("Lemma 25", 51, 55), "Equation (56)": "Lemma 29", "Equation (57)": "Lemma 30",
     "Equation (59)": "Corollary 13"})

BALLE_ICML = Document(
    "Balle, Gomrokchi & Precup (2016), ICML", "Balle et al. 2016", "ICML",
    (*_all("Lemma", 1, 2, 4, 5, 7, 9), *_all("Corollary", 3, 8, 11, 12), *_all("Theorem", 6, 10), *_all("Algorithm", 1, 2), "Figure 1"),
    17,
    {"Equation (1)": "differential privacy", "Equation (2)": "the value function", "Equation (3)": "the objective J_X", "Equation (4)": "the mean returns",
     "Equation (7)": "the objective J^w", "Equation (10)": "φ^w_X(k)", "Equation (11)": "the objective J^λ", "Equation (13)": "φ^λ_X(k)", "Equation (16)": "φ^w(v)"},
    {"Equation (8)": "Equation (8)", "Equation (17)": "Lemma 4"})

WANG = Document(
    "Wang & Hegde (2019), NeurIPS", "Wang & Hegde 2019", "",
    (*_all("Proposition", 3, 4, 9, 10), *_all("Theorem", 5), *_all("Lemma", 6, 8, 11, 14, 16), *_all("Corollary", 7), *_all("Claim", 12, 13, 15, 17),
     *(f"Algorithm 1, line {line}" for line in (5, 7, 11, 12, 16, 19, 20, 21)), "Figure 1", "Figure 2", "Figure 2(a)", "Figure 2(b)"),
    5,
    {"Equation (1)": "the sensitivity", "Equation (5)": "the noisy dual of Lemma 16"},
    {"Figure 2(a)": "Figure 2(a), σ = 0.32"})

WANG_ARXIV = Document(
    "Wang & Hegde (2019), arXiv", "Wang & Hegde 2019", "arXiv",
    (*_all("Lemma", 3, 5, 6, 7, 8, 9, 10), *_all("Theorem", 4), *_all("Corollary", 11, 12), *_all("Claim", 13, 14, 15, 16),
     *(f"Algorithm 1, line {line}" for line in (3, 6, 9, 10, 14, 15, 16, 18, 19, 21, 25)), "Figure 1"),
    3,
    {"Equation (1)": "the global sensitivity", "Equation (3)": "the noisy dual of Claim 15"},
    {"Lemma 10": "Lemma 8", "Theorem 4": "Theorem 4 (arXiv)", "Algorithm 1, line 6": "Algorithm 1, line 7", "Algorithm 1, line 10": "Algorithm 1, line 12",
     **_to("Equation (2)", "Algorithm 1, line 14", "Algorithm 1, line 15"), "Algorithm 1, line 18": "Algorithm 1, line 19", "Algorithm 1, line 19": "Algorithm 1, line 20",
     "Algorithm 1, line 25": "Theorem 4 (arXiv)"})

QIAO = Document(
    "Qiao & Wang (2023)", "Qiao & Wang 2023", "",
    ("Assumption 2.2", *_all("Remark", 2.4, 3.1, 3.2, 3.3, "C.8", "D.9", "D.14"), "Lemma 2.7", "Theorem 3.4", "Theorem 4.1",
     *(f"Lemma C.{k}" for k in (1, 2, 3, 4, 5, 6, 7, 9, 10, 11)), *(f"Lemma D.{k}" for k in (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 16, 17, 18)),
     "Theorem D.15", *(f"Lemma E.{k}" for k in (*range(1, 18), 20)), *_all("Algorithm", 1, 2), "Figure 1(a)", "Figure 1(b)"),
    60,
    {"Equation (1)": "the covariance of the features", "Equation (3)": "the problem that makes counts consistent", "Equation (5)": "the private kernel",
     "Equation (15)": "the empirical kernel", "Equation (25)": "d̄", "Equation (28)": "the absorbing process"},
    {"Assumption 2.2": "Assumption 2.2 (in Appendix F)", "Remark 3.2": "Remark 3.2, Equation (4)", "Remark 3.3": "Remark 3.3, Equation (5)", "Remark D.9": "Lemma D.8",
     "Lemma 2.7": "Lemma 2.7 (zCDP)", "Theorem 3.4": "Theorem 3.4, Equation (6)", "Theorem 4.1": "Equation (9)", "Lemma C.1": "Equation (2), Lemma C.1",
     **_to("Equation (39)", "Lemma E.7", "Lemma E.8", "Equation (60)"),
     "Equation (2)": "Equation (2), Lemma C.1", "Equation (4)": "Remark 3.2, Equation (4)", **_equations("Theorem 3.4, Equation (6)", 6, 13), "Equation (14)": "Lemma C.2",
     "Equation (16)": "Lemma C.4", "Equation (18)": "Lemma C.5", "Equation (24)": "Lemma C.7", "Equation (37)": "Lemma D.12", "Equation (38)": "Lemma D.2",
     "Equation (44)": "Lemma D.8", "Equation (47)": "Equation (42)", "Equation (48)": "Lemma D.7", "Equation (49)": "Equation (43)", "Equation (51)": "Equation (50)",
     **_equations("Lemma D.13", 54, 55, 56), "Equation (58)": "Lemma D.16", "Equation (59)": "Equation (53)"})

DOCUMENTS = (BALLE, BALLE_ICML, WANG, WANG_ARXIV, QIAO)
