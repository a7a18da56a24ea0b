"""The pages of the claims ledger: an index of all claims, and a page for each paper, where every claim opens by its address.

Both are made of rows of the ledger alone; ``tools/pages.py`` puts them at ``book/claims`` and ``book/claims/PAPER``.
"""

import re
from collections import Counter
from html import escape
from os.path import commonprefix

from privrl_core.pages.ledger import Evidence, Verdict, typeset
from privrl_core.pages.proof_graph import picture, reached, users, uses

__all__ = ["index", "paper_page"]


def index(found: list[dict]) -> str:
    """The page of all claims: for each paper a count by verdict, then a table for each verdict, with links to the claims."""
    lines = ["---", "html_theme.sidebar_secondary.remove: true", "myst:", "  html_meta:",
             "    description: Every numbered statement of the papers with a verdict, what was measured, and what to",
             "      use instead, written by the tests that found it.", "---", "(claims)=", "# The claims ledger", "",
             "Every numbered statement of the papers of chapters 2 to 4, every claim of weight in their prose, and the",
             "statements of the papers of chapter 5 whose text could be read. What could not be is named as such.",
             "Each row is a test that measures and finds the verdict by itself; this page is written from what",
             "the tests found (`make claims`), and a test fails when it says anything else.", "", *_trust(found),
             "The name of a statement leads to its own place, with the test, what its proof rests on and what rests on it.",
             'All rows are also there as data, <a href="../claims.json">claims.json</a>. {doc}`second_opinion` says how to',
             "read the data, and how to contradict a row.", ""]
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


def _trust(found: list[dict]) -> list[str]:
    """How many numbered statements have a row, which formulas are restored, and how many verdicts a small change turns."""
    unnumbered = [name for row in found for name in row["numbers"] if name.startswith("Unnumbered")]
    checked = [row["verdict"] != Verdict.NOT_CHECKED.value for row in found for name in row["numbers"]
               if name not in unnumbered]
    tested = {row["test"]: row["mutant"] for row in found if row["mutant"]}
    kept = {row["test"]: row for row in found if "survives" in row["mutant"]}
    restored = [row for row in found if row["restored"]]
    if not tested:
        return []
    of = Counter(mutant["of"] for mutant in tested.values() if "of" in mutant)
    return ["*Is anything left out?* A second reader listed, from their texts alone, what the papers of chapters",
            f"2 to 4 number: {len(checked)} theorems, equations, figures, footnotes and lines of algorithms that",
            f"claim something. Each has a row: {sum(checked)} are checked, {len(checked) - sum(checked)} say why",
            "they cannot be.",
            f"Of the displays and steps that have no number, the lists have only the {len(unnumbered)} that a row is",
            "about, so one that has no row may be missing. The page of a paper has its list.", "",
            "*What is restored?* The text of Qiao & Wang (2023) that we have lost many of its formulas.",
            f"{len(restored)} rows are about formulas that we restored, from the constants that the proofs still",
            "name, from the papers that they are taken from, or by deriving them again. Each of these rows says",
            "so. Such a row judges our restoration, so compare it with the published paper before you cite it.", "",
            "*How is an order judged?* A statement of order, such as O(1/m²), has no constant that a run could",
            "refute. Its verdict is on its exponents alone, and the row names those that were measured. Where",
            "none could be measured, it is not checked.", "",
            "*Would a test notice?* Each test is run again with one small change, such as a sign, a constant, or",
            f"a minimum for a maximum (`make mutants`). For {of.total()} of {len(tested)} tests a change is",
            f"recorded after which the test finds another verdict: in {of['statement']} it changes the statement",
            f"as the test writes it, in {of['code']} the code of the package that the test runs, and in",
            f"{of['measurement']} the measurement. A change of the measurement shows that the verdict depends on",
            "what is measured. It does not show that the test would notice another constant in the statement.",
            "Each row says what was changed.", "",
            f"<details><summary>The {len(kept)} verdicts that no small change turned</summary>", "",
            *(f"* {_place(row)}: {row['mutant']['survives']}" for row in kept.values()), "", "</details>", ""]


def _place(row: dict) -> str:
    page, place = row["id"].split("/")
    return f'<a href="claims/{page}.html#{place}">{escape(row["statement"])}</a>'


def _text(words: str) -> str:
    return typeset(escape(words, quote=False))


def _line(row: dict, verdict: Verdict) -> str:
    others = row["also"], row["see"] and f"{{doc}}`/chapters/{row['see']}`"
    where = "<br>".join(filter(None, (_place(row), *others)))
    says, figure, instead = (_text(row[cell]) for cell in ("says", "figure", "instead"))
    cells = where, says, f"{verdict.symbol} {verdict.value}", figure, instead
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def paper_page(own: list[dict], *, sources: str = "") -> str:
    """The page of a paper, from its rows: the graph of its proofs, then all claims, folded, with what is known of each.

    ``sources`` is the address under which the repository's files can be read; each claim then links to the file of its test.
    """
    paper, page, count = own[0]["paper"], own[0]["id"].split("/")[0], f"{len(own)} claim{'s' * (len(own) > 1)}"
    lines = ["---", "html_theme.sidebar_secondary.remove: true", "myst:", "  html_meta:",
             f"    description: 'The statements of {paper}, each with its verdict, its test, and what its proof rests on.'",
             "---", f"# {paper}", "",
             f"{{ref}}`The ledger <claims>` has {count} of this paper. Press one to open it.",
             f'As data: <a href="../../claims/{page}.json">{page}.json</a>.', ""]
    versions = list(dict.fromkeys(version for row in own for version in row["versions"])) or [""]
    graphs = {version: graph for version in versions if (graph := picture(own, version))}
    if graphs:
        lines += ["## What the proofs rest on", "",
                  "A statement stands to the right of all that its proof uses. The sign is the verdict: "
                  + ", ".join(f"{verdict.symbol} {verdict.value}" for verdict in Verdict) + ".",
                  "Each is a link to the claim, which lists the same and says where the proof uses what.", ""]
    for version, graph in graphs.items():
        name = f"The graph of the proofs{version and f' in the {version} version'}"
        lines += [*([f"### The {version} version", ""] if version else []),
                  f'<div class="proof-graph" tabindex="0" role="region" aria-label="{name}">', graph, "</div>", ""]
    if numbered := {number: row for row in own for number in row["numbers"]}:
        lines += ["## What the paper numbers", "",
                  f"<details><summary>{len(numbered)} statements, with displays and steps without a number</summary>", "",
                  "| number | its row |", "|---|---|",
                  *(f"| {number} | {_link(numbered[number])} |" for number in sorted(numbered, key=_natural)), "",
                  "</details>", ""]
    if graphs or numbered:
        lines += ["## The claims", ""]
    for row in own:
        lines += _claim(row, own, sources)
    return "\n".join(lines)


def _claim(row: dict, own: list[dict], sources: str) -> list[str]:
    verdict, evidence, place = Verdict(row["verdict"]), Evidence(row["evidence"]), row["id"].split("/")[1]
    checked = verdict is not Verdict.NOT_CHECKED
    file = f"`tests/claims/{row['file']}`" if not sources else f"[`{row['file']}`]({sources}/tests/claims/{row['file']})"
    facts = {
        "In the other version": row["also"],
        "As it should be" if verdict in (Verdict.FAILS, Verdict.DEPARTS) else "Use instead": _text(row["instead"]),
        "Restored": _text(row["restored"]),
        "Verdict": f"{verdict.symbol} **{verdict.value}**: {verdict.meaning}",
        "Found": _text(row["figure"]),
        "Evidence": f"{evidence.value}: {evidence.meaning}",
        "Test": checked and f"`{row['test']}` in {file}, {_run(row)}",
        "Turned by": row["mutant"] and _mutant(row),
        **_proof(row, {one["id"]: one for one in own}),
        "Told in": row["see"] and f"{{doc}}`/chapters/{row['see']}`",
        "Second opinions": " ".join(map(_opinion, row["opinions"])),
        "Address": f'<a href="#{place}"><code>{row["id"]}</code></a>',
    }
    statement, says = escape(row["statement"]), _text(row["says"])
    lines = [f'<details class="claim" id="{place}">', f"<summary>{verdict.symbol} <b>{statement}</b> {says}</summary>", ""]
    for name, fact in facts.items():
        if fact:
            lines += [name, f": {fact}", ""]
    if checked:
        lines += ["<details><summary>The test</summary>", "", f"```{{literalinclude}} /tests/claims/{row['file']}",
                  ":language: text", f":pyobject: {row['test']}", "```", "", "</details>"]
    return [*lines, "</details>", ""]


def _run(row: dict) -> str:
    time = "less than a second" if row["seconds"] == 1 else f"less than {row['seconds']} seconds"
    seeds = row["seeds"] and f", fixed seed{'s' * (len(row['seeds']) > 1)} {', '.join(map(str, row['seeds']))}"
    return f"{time}{seeds or ''}"


def _mutant(row: dict) -> str:
    """The small change that turns the verdict: what stands in the code, what stood there, and what the test finds then."""
    mutant = row["mutant"]
    if "survives" in mutant:
        return f"no small change. {mutant['survives']}"
    texts = [" ".join(mutant[key].split()) for key in ("is", "was")]
    start = max(0, len(commonprefix(texts)) - 30)
    new, old = (f"`` {'…' * (start > 0)}{text[start:start + 60]}{'…' * (len(text) > start + 60)} ``" for text in texts)
    function = mutant["in"].split(":")[1]
    there = "the test" if function == row["test"] else f"`{function}`"
    return f"a change of the {mutant['of']}, {new} in place of {old}, in {there}: the verdict is *{mutant['found']}*"


def _natural(name: str) -> list:
    """A key that sorts Lemma 9 before Lemma 10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def _link(row: dict) -> str:
    return f'<a href="#{row["id"].split("/")[1]}">{Verdict(row["verdict"]).symbol} {escape(row["statement"])}</a>'


def _proof(row: dict, rows: dict[str, dict]) -> dict[str, str]:
    """What the proof of a row uses, what of that is not true as printed, and what rests on it, tested or not.

    Where the versions of a paper have different proofs, each version is followed apart.
    """
    used = "; ".join(f"{_link(rows[one['id']])}: {one['where']}{one['version'] and ' (' + one['version'] + ')'}"
                     for one in row["uses"])
    versions, resting, way = row["versions"] or [""], {}, {}
    for version in versions:
        way[version] = [rows[one] for one in reached(row["id"], uses(rows.values(), version))]
        resting |= {one: rows[one] for one in reached(row["id"], users(rows.values(), version))}
    facts = {"Its proof uses": used or row["alone"]}
    for verdict, name in ((Verdict.FAILS, "Refuted on the way"), (Verdict.DEPARTS, "Departs on the way")):
        steps = {version: "; ".join(f"{_link(one)}, in its place: {_text(one['instead'])}" for one in way[version]
                                    if one["verdict"] == verdict.value) for version in versions}
        if len(set(steps.values())) == 1:
            facts[name] = steps[versions[0]]
        else:
            facts |= {f"{name} in the {version} version": there for version, there in steps.items()}
    facts["Itself"] = any(fact for name, fact in facts.items() if "on the way" in name) and _own(row)
    tested = [_link(one) for one in resting.values() if one["verdict"] != Verdict.NOT_CHECKED.value]
    untested = [_link(one) for one in resting.values() if one["verdict"] == Verdict.NOT_CHECKED.value]
    facts["What rests on it"] = "; ".join(filter(None, (tested and f"with a verdict by its own test: {', '.join(tested)}",
                                                       untested and f"with no test: {', '.join(untested)}")))
    return facts


def _own(row: dict) -> str:
    """What the test of a row itself says, whatever its proof rests on."""
    return {Verdict.NOT_CHECKED: "It has no test of its own.", Verdict.FAILS: "Its own test finds it false as well.",
            Verdict.DEPARTS: "Its own test finds that it departs as well."}.get(
        Verdict(row["verdict"]), "Its own test finds the verdict above all the same.")


def _opinion(opinion: dict) -> str:
    kind = {"reproduction": "A reproduction", "answer": "An answer of the authors"}[opinion["kind"]]
    finds = f" finds *{opinion['verdict']}*" if "verdict" in opinion else ""
    source = f" [Source]({opinion['link']})." if "link" in opinion else ""
    return f"{kind} by {opinion['by']} ({opinion['date']}){finds}: {opinion['text']}{source}"
