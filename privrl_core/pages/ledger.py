"""The claims ledger: each claim of a paper, and the verdict that a test finds for it.

A claim is a decorated test. The test measures and returns a `Finding`; it passes only if the verdict found is the
verdict declared, so that the two always agree:

>>> @claim("Balle et al. 2016", "Lemma 2", "one trajectory moves the mean returns by at most ...", verdict=HOLDS)
... def test_lemma_2():
...     worst = 0.9998                                  # measured
...     return judge(f"largest ratio {rounded(worst, 4)}", true=worst <= 1, factor=1 / worst)
>>> test_lemma_2()

``make claims`` writes the findings of the tests under ``tests/claims`` to ``ledger.json``, beside this file, and to the page
``book/claims.md``; a test fails if either differs from the findings. `claims` reads the file for a notebook.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from enum import Enum
from functools import cache, wraps
from pathlib import Path

from privrl_core.formatting import show
from privrl_core.lazy import needs

__all__ = ["Verdict", "HOLDS", "LOOSE", "DEPARTS", "FAILS", "NOT_CHECKED", "Finding", "judge", "not_checked", "Claim",
           "claim", "rounded", "rows", "page", "typeset", "claims", "summary", "STORED"]

#: The ledger as the tests found it.
STORED = Path(__file__).with_name("ledger.json")


class Verdict(Enum):
    """The verdict on a claim; the page shows its value together with ``symbol`` and ``meaning``."""

    HOLDS = "holds"
    LOOSE = "loose"
    DEPARTS = "departs"
    FAILS = "fails"
    NOT_CHECKED = "not checked"

    @property
    def symbol(self) -> str:
        return dict(zip(Verdict, "✔◐↷✘○", strict=True))[self]

    @property
    def meaning(self) -> str:
        return dict(zip(Verdict, (
            "true as printed, and as tight as it can be within a factor of two (or it claims no size)",
            "true as printed, but larger than it has to be; the figure says by how much",
            "true in another setting or under another reading than the one printed; the figure says which",
            "false as printed; a counterexample is computed",
            "out of reach of a computation; the reason is given"), strict=True))[self]


#: The verdicts by their names.
HOLDS, LOOSE, DEPARTS, FAILS, NOT_CHECKED = Verdict


@dataclass(frozen=True)
class Finding:
    """What a test found: the ``verdict``, and the ``figure`` behind it in words, with numbers rounded for print."""

    verdict: Verdict
    figure: str


def judge(figure: str, *, true: bool, elsewhere: bool = False, factor: float = 1.0, within: float = 2.0) -> Finding:
    """The verdict that follows from the numbers.

    ``true``: the claim holds as printed in all checks. ``elsewhere``: if not, whether it holds in another setting
    or reading (DEPARTS, else FAILS). ``factor >= 1``: the ratio of printed to needed value; LOOSE above ``within``.
    Raises ValueError for a true claim with a factor below 1, because a bound below the bounded quantity is false.
    """
    if not true:
        return Finding(DEPARTS if elsewhere else FAILS, figure)
    if not factor >= 1 - 1e-9:
        raise ValueError(f"factor must be at least 1 for a true claim, got {factor}")
    return Finding(LOOSE if factor > within else HOLDS, figure)


def not_checked(reason: str) -> Finding:
    """The finding for a claim that is recorded without a check, with the reason."""
    return Finding(NOT_CHECKED, reason)


@dataclass(frozen=True)
class Claim:
    """One row: what ``paper`` ``says`` in ``statement`` (``also``: in its other version), and the declared ``verdict``.

    ``instead`` is the replacement, ``see`` the page, and ``test`` the check.
    """

    paper: str
    statement: str
    also: str
    says: str
    verdict: Verdict
    instead: str
    see: str
    test: str

    def check(self, found: Finding) -> None:
        """AssertionError unless the declared verdict is the one found."""
        assert found.verdict is self.verdict, (
            f"{self.paper}, {self.statement}: declared {self.verdict.name}, found {found.verdict.name} ({found.figure})")


def claim(paper: str, statement: str, says: str, *, verdict: Verdict, also: str = "", again: str = "",
          instead: str = "", see: str = "") -> Callable:
    """Turn a measuring function ``() -> Finding`` into the test of a claim, which fails unless it finds ``verdict``.

    ``statement`` is the number in the audited version, ``also`` that in the other version, and ``again`` the number under
    which the audited version repeats it, which gets its own row. The test has the attributes ``claims`` and ``find``.
    """
    def decorate(measure):
        found = cache(measure)
        own = Claim(paper, statement, also, says, verdict, instead, see, measure.__name__)
        twin = (Claim(paper, again, "", f"{statement} once more, with its proof", verdict, instead, see,
                      measure.__name__),) if again else ()

        @wraps(measure)
        def test():
            for one in (own, *twin):
                one.check(found())
        test.claims, test.find = (own, *twin), found
        return test
    return decorate


def rounded(value: float, digits: int = 2) -> str:
    """``value`` rounded to ``digits`` significant digits, as the book writes it: 43, 6.4, 36,000, 2.3 × 10⁷."""
    return show(value, digits)


def rows(tests: Iterable[Callable]) -> list[dict]:
    """Run the tests of claims: one row for each claim, with its declaration and its finding, in the given order."""
    return [{**asdict(one), "verdict": test.find().verdict.value, "figure": test.find().figure}
            for test in tests for one in test.claims]


def page(found: list[dict]) -> str:
    """The page of the book: for each paper a count by verdict, then a table for each verdict."""
    lines = ["---", "html_theme.sidebar_secondary.remove: true", "myst:", "  html_meta:",
             "    description: Every numbered statement of the papers with a verdict, what was measured, and what to",
             "      use instead, written by the tests that found it.", "---", "(claims)=", "# The claims ledger", "",
             "Every numbered statement of the papers of chapters 2 to 4, every claim of weight in their prose, and the",
             "statements of the papers of chapter 5 whose text could be read. What could not be is named as such.",
             "Each row is a test that measures and finds the verdict by itself; this page is written from what",
             "the tests found (`make claims`), and a test fails when it says anything else.", ""]
    for paper in dict.fromkeys(row["paper"] for row in found):
        own = [row for row in found if row["paper"] == paper]
        lines += [f"## {paper}", "", f"| verdict | of {len(own)} | what it means |", "|---|---:|---|"]
        lines += [f"| {v.symbol} **{v.value}** | {sum(row['verdict'] == v.value for row in own)} | {v.meaning} |"
                  for v in Verdict]
        for verdict in Verdict:
            group = [row for row in own if row["verdict"] == verdict.value]
            if group:
                lines += ["", f"### {verdict.symbol} {verdict.value.capitalize()} ({len(group)})", "",
                          "| where | what it says | verdict | measured | use instead |", "|---|---|---|---|---|"]
                lines += [_line(row, verdict) for row in group]
        lines.append("")
    return "\n".join(lines)


def typeset(text: str) -> str:
    """The text of a cell as HTML, with superscripts and subscripts for e^{−kβ}, F_max and the like."""
    text = re.sub(r"\^(?:\{([^}]+)\}|(\d+(?:\.\d+)?|\([^)]*\)|.))", r"<sup>\1\2</sup>", text)
    return re.sub(r"_(max|\w)", r"<sub>\1</sub>", text)


def _line(row: dict, verdict: Verdict) -> str:
    where = f"{{doc}}`{row['statement']} </chapters/{row['see']}>`" if row["see"] else row["statement"]
    other = f"<br>{row['also']}" if row["also"] else ""
    says, figure, instead = (typeset(row[cell]) for cell in ("says", "figure", "instead"))
    cells = where + other, says, f"{verdict.symbol} {verdict.value}", figure, instead
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def claims(paper: str | None = None):
    """The stored ledger as a DataFrame, one row per claim, of one ``paper`` if given. ValueError for an unknown paper."""
    with needs("pages"):
        import pandas as pd
    table = pd.DataFrame(json.loads(STORED.read_text(encoding="utf-8")))
    if paper is None:
        return table
    if paper not in set(table["paper"]):
        raise ValueError(f"paper must be one of {sorted(set(table['paper']))}, got {paper!r}")
    return table[table["paper"] == paper].reset_index(drop=True)


def summary(table):
    """The number of claims per verdict in a `claims` table: a DataFrame indexed by symbol and word."""
    counts = table["verdict"].value_counts()
    return (counts.reindex([v.value for v in Verdict], fill_value=0).rename("claims").to_frame()
            .rename(index={v.value: f"{v.symbol} {v.value}" for v in Verdict}))
