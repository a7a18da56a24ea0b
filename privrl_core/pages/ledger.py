"""The claims ledger: each claim of a paper, and the verdict that a test finds for it.

A claim is a decorated test. The test measures and returns a `Finding`; it passes only if the verdict found is the
verdict declared, so that the two always agree:

>>> @claim("Balle et al. 2016", "Lemma 2", "one trajectory moves the mean returns by at most ...", verdict=HOLDS)
... def test_lemma_2():
...     worst = 0.9998                                  # measured
...     return judge(f"largest ratio {rounded(worst, 4)}", true=worst <= 1, factor=1 / worst)
>>> test_lemma_2()

``make claims`` writes the findings of the tests under ``tests/claims`` to ``ledger.json``, beside this file; a test fails if
it differs from the findings. The pages of the ledger are made of it (`privrl_core.pages.ledger_pages`), `claims` reads it
for a notebook, and the site publishes it as ``claims.json``.
"""

import inspect
import json
import re
import time
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import Enum
from functools import cache, wraps
from pathlib import Path

from privrl_core.formatting import show
from privrl_core.lazy import needs

__all__ = ["Verdict", "HOLDS", "LOOSE", "DEPARTS", "FAILS", "NOT_CHECKED", "Evidence", "MEASURED", "EXHAUSTIVE", "EXACT",
           "INTERVAL", "PROVED", "FORMAL", "Finding", "judge", "not_checked", "Claim", "claim", "address", "rounded", "rows",
           "typeset", "claims", "summary", "STORED"]

#: The ledger as the tests found it.
STORED = Path(__file__).with_name("ledger.json")


class Verdict(Enum):
    """The verdict on a claim; the page shows its value together with ``symbol`` and ``meaning``.

    What is false as printed, if only outside a range that the paper does not name, DEPARTS or FAILS under its own number;
    a true half has no row of its own. A statement of order (O, Õ, "of the order") has no constant that a run could refute.
    It is judged by its exponents alone, and its row names those that were measured; if none could be, it is NOT_CHECKED.
    """

    HOLDS = "holds"
    LOOSE = "loose"
    DEPARTS = "departs"
    FAILS = "fails"
    NOT_CHECKED = "not checked"

    @property
    def symbol(self) -> str:
        return "✔◐↷✘○"[list(Verdict).index(self)]

    @property
    def meaning(self) -> str:
        return dict(zip(Verdict, (
            "true as printed, and as tight as it can be within a factor of two; or it claims no size, or an order only",
            "true as printed, but larger than it has to be; the figure says by how much",
            "not true as printed, but true in another setting, range or reading; the figure says which",
            "false as printed; a counterexample is computed",
            "out of reach of a computation; the reason is given"), strict=True))[self]


#: The verdicts by their names.
HOLDS, LOOSE, DEPARTS, FAILS, NOT_CHECKED = Verdict


class Evidence(Enum):
    """What kind of evidence a verdict rests on, apart from what the verdict is."""

    MEASURED = "measured"
    EXHAUSTIVE = "exhaustive"
    EXACT = "exact arithmetic"
    INTERVAL = "interval arithmetic"
    PROVED = "proved in the text"
    FORMAL = "formally proved"
    NONE = "none"

    @property
    def meaning(self) -> str:
        return dict(zip(Evidence, (
            "computed in floating point, in chosen or random cases",
            "every case of a finite set is computed: all outcomes, all events, or all data sets of a size",
            "computed with fractions or symbols; nothing is rounded",
            "computed with intervals that contain every rounding error",
            "a page of this book proves it, and the test checks cases of it",
            "a machine has checked a proof",
            "nothing was checked"), strict=True))[self]


#: The kinds of evidence by their names.
MEASURED, EXHAUSTIVE, EXACT, INTERVAL, PROVED, FORMAL, NONE = Evidence


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

    ``evidence`` is the kind of evidence, ``instead`` the replacement, ``see`` the page, and ``test`` the check in ``file``.
    ``restored`` says from what a formula was restored that the text at hand has lost, and ``seeds`` has those of the test.
    """

    paper: str
    statement: str
    also: str
    says: str
    verdict: Verdict
    evidence: Evidence
    instead: str
    see: str
    file: str
    test: str
    restored: str = ""
    seeds: tuple[int, ...] = ()

    def check(self, found: Finding) -> None:
        """AssertionError unless the declared verdict is the one found."""
        assert found.verdict is self.verdict, (
            f"{self.paper}, {self.statement}: declared {self.verdict.name}, found {found.verdict.name} ({found.figure})")


def claim(paper: str, statement: str, says: str, *, verdict: Verdict, evidence: Evidence = Evidence.MEASURED,
          also: str = "", again: str = "", instead: str = "", see: str = "", restored: str = "",
          seeds: Iterable[int] = ()) -> Callable:
    """Turn a measuring function ``() -> Finding`` into the test of a claim, which fails unless it finds ``verdict``.

    ``statement`` is the number in the audited version, ``also`` that in the other version, and ``again`` the number under
    which the audited version repeats it, which gets its own row. ``seeds`` are those of the random numbers that the test
    itself draws. The evidence of what is not checked is none. The test has the attributes ``claims``, ``find`` and
    ``seconds``, the time that finding took.
    """
    def decorate(measure):
        @cache
        def timed():
            start = time.perf_counter()
            return measure(), time.perf_counter() - start

        kind = NONE if verdict is NOT_CHECKED else evidence
        file = Path(inspect.getfile(measure)).name
        own = Claim(paper, statement, also, says, verdict, kind, instead, see, file, measure.__name__,
                    restored, tuple(seeds))
        twin = (replace(own, statement=again, also="", says=f"{statement} once more: {says}"),) if again else ()

        @wraps(measure)
        def test():
            for one in (own, *twin):
                one.check(test.find())
        test.claims, test.find, test.seconds = (own, *twin), lambda: timed()[0], lambda: timed()[1]
        return test
    return decorate


def rounded(value: float, digits: int = 2) -> str:
    """``value`` rounded to ``digits`` significant digits, as the book writes it: 43, 6.4, 36,000, 2.3 × 10⁷."""
    return show(value, digits)


def address(name: str) -> str:
    """A name in lower-case letters, digits and hyphens, as it stands in addresses: ``corollary-8-icml-text``."""
    name = re.sub("[Α-Ωα-ω]", lambda letter: unicodedata.name(letter[0]).split()[-1].replace("LAMDA", "LAMBDA"), name)
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "-", plain).strip("-")


def rows(tests: Iterable[Callable], *, uses: Mapping = {}, alone: Mapping = {}, numbers: Mapping = {}, mutants: Mapping = {},  # noqa: B006
         editions: Mapping = {},  # noqa: B006
         opinions: Iterable[Mapping] = (), before: Iterable[Mapping] = ()) -> list[dict]:
    """Run the tests of claims: one row for each claim, with its declaration and its finding, in the given order.

    ``uses[paper][statement]`` has what the statement's proof uses, each with the place where it does, or with a version of
    the paper and the place if only its proof does. ``editions[paper]`` names the versions, the audited one first, of a paper
    whose versions have different proofs. ``alone`` has the reason why a statement uses nothing, ``numbers`` the
    names under which the paper's versions number it. ``mutants`` has the record of each test by its name. ``opinions`` are
    records of reproductions and answers, each with the ``claim`` that it is about.

    The time is rounded up to 1, 10, 100, 1,000 or 10,000 seconds. That of the row ``before`` stays if the test stays within
    it and takes more than a thirtieth of it, so that the file does not change from run to run.
    """
    times, found = {row["id"]: row["seconds"] for row in before if "seconds" in row}, []
    for test in tests:
        for one in test.claims:
            paper, key = address(one.paper), f"{address(one.paper)}/{address(one.statement)}"
            used = {name: where if isinstance(where, tuple) else ("", where)
                    for name, where in uses.get(one.paper, {}).get(one.statement, {}).items()}
            found.append({"id": key, **asdict(one), "verdict": test.find().verdict.value, "evidence": one.evidence.value,
                          "figure": test.find().figure, "seconds": _within(test.seconds(), times.get(key)),
                          "seeds": list(one.seeds), "versions": belongs(one, editions.get(one.paper, ())),
                          "mutant": dict(mutants.get(one.test, {})),
                          "numbers": list(numbers.get(one.paper, {}).get(one.statement, ())),
                          "uses": [{"id": f"{paper}/{address(name)}", "where": where, "version": version}
                                   for name, (version, where) in used.items()],
                          "alone": alone.get(one.paper, {}).get(one.statement, ""),
                          "opinions": [dict(opinion) for opinion in opinions if opinion["claim"] == key]})
    return found


def belongs(one: Claim, editions: tuple[str, ...]) -> list[str]:
    """The versions of the paper that have this claim, of its two ``editions``, the audited one first; none if it has no two.

    By its names: the other version is named in the ``statement`` that only it has, or in ``also``.
    """
    if not editions:
        return []
    audited, other = editions
    if other in one.statement:
        return list(editions) if one.also and other not in one.also else [other]
    return list(editions) if other in one.also else [audited]


def _within(seconds: float, before: int | None) -> int:
    if before and before / 30 <= max(seconds, 0.1) <= before:
        return before
    return next(limit for limit in (1, 10, 100, 1000, 10_000) if seconds <= limit)


def typeset(text: str) -> str:
    """The text of a cell as HTML, with superscripts and subscripts for e^{−kβ}, F_max and the like."""
    text = re.sub(r"\^(?:\{([^}]+)\}|(\d+(?:\.\d+)?|\([^)]*\)|.))", r"<sup>\1\2</sup>", text)
    text = re.sub(r"_\{([^}]+)\}", r"<sub>\1</sub>", text)
    return re.sub(r"_(max|\w)", r"<sub>\1</sub>", text)


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
