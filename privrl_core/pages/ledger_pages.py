"""The pages of the claims ledger: an index of all claims, and a page for each paper, where every claim opens by its address.

Both are made of rows of the ledger alone; ``tools/pages.py`` puts them at ``book/claims`` and ``book/claims/PAPER``.
"""

import re
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
    """How many numbered statements have a row, and how many verdicts a small change of their statement turns."""
    checked = [row["verdict"] != Verdict.NOT_CHECKED.value for row in found for _ in row["numbers"]]
    tested = {row["test"]: row for row in found if row["mutant"]}
    kept = [row for row in tested.values() if "survives" in row["mutant"]]
    if not tested:
        return []
    return ["*Is anything left out?* A second reader listed, from their texts alone, what the papers of chapters 2 to 4",
            f"number: {len(checked)} theorems, equations, figures, footnotes and lines of algorithms that claim something.",
            f"Each has a row: {sum(checked)} are checked, {len(checked) - sum(checked)} say why they cannot be. The page of",
            "a paper has its list.", "",
            "*Would a test notice?* A verdict that no change of the statement could turn would say nothing. So for each",
            "verdict a small change is looked for that turns it: a sign, a constant, a minimum for a maximum (`make",
            f"mutants`). It is found for {len(tested) - len(kept)} of {len(tested)}, and each row says which.", "",
            f"<details><summary>The {len(kept)} verdicts that no small change turned</summary>", "",
            *(f"* {_place(row)}: {row['mutant']['survives']}" for row in kept), "", "</details>", ""]


def _place(row: dict) -> str:
    page, place = row["id"].split("/")
    return f'<a href="claims/{page}.html#{place}">{escape(row["statement"])}</a>'


def _line(row: dict, verdict: Verdict) -> str:
    others = row["also"], row["see"] and f"{{doc}}`/chapters/{row['see']}`"
    where = "<br>".join(filter(None, (_place(row), *others)))
    says, figure, instead = (typeset(row[cell]) for cell in ("says", "figure", "instead"))
    cells = where, says, f"{verdict.symbol} {verdict.value}", figure, instead
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def paper_page(own: list[dict]) -> str:
    """The page of a paper, from its rows: the graph of its proofs, then all claims, folded, with what is known of each."""
    paper, page, count = own[0]["paper"], own[0]["id"].split("/")[0], f"{len(own)} claim{'s' * (len(own) > 1)}"
    lines = ["---", "html_theme.sidebar_secondary.remove: true", "myst:", "  html_meta:",
             f"    description: 'The statements of {paper}, each with its verdict, its test, and what its proof rests on.'",
             "---", f"# {paper}", "",
             f"{{ref}}`The ledger <claims>` has {count} of this paper. Press one to open it.",
             f'As data: <a href="../../claims/{page}.json">{page}.json</a>.', ""]
    if graph := picture(own):
        lines += ["## What the proofs rest on", "",
                  "A statement stands to the right of all that its proof uses. The sign is the verdict: "
                  + ", ".join(f"{verdict.symbol} {verdict.value}" for verdict in Verdict) + ".",
                  "Each is a link to the claim, which lists the same and says where the proof uses what.", "",
                  '<div class="proof-graph" tabindex="0" role="region" aria-label="The graph of the proofs">', graph,
                  "</div>", ""]
    if numbered := {number: row for row in own for number in row["numbers"]}:
        lines += ["## What the paper numbers", "", f"<details><summary>{len(numbered)} numbered statements</summary>", "",
                  "| number | its row |", "|---|---|",
                  *(f"| {number} | {_link(numbered[number])} |" for number in sorted(numbered, key=_natural)), "",
                  "</details>", ""]
    if graph or numbered:
        lines += ["## The claims", ""]
    for row in own:
        lines += _claim(row, own)
    return "\n".join(lines)


def _claim(row: dict, own: list[dict]) -> list[str]:
    verdict, evidence, place = Verdict(row["verdict"]), Evidence(row["evidence"]), row["id"].split("/")[1]
    checked = verdict is not Verdict.NOT_CHECKED
    facts = {
        "In the other version": row["also"],
        "As it should be" if verdict in (Verdict.FAILS, Verdict.DEPARTS) else "Use instead": typeset(row["instead"]),
        "Verdict": f"{verdict.symbol} **{verdict.value}**: {verdict.meaning}",
        "Found": typeset(row["figure"]),
        "Evidence": f"{evidence.value}: {evidence.meaning}",
        "Test": checked and f"`{row['test']}` in `tests/claims/{row['file']}`, {_run(row)}",
        "Turned by": row["mutant"] and _mutant(row),
        **_proof(row, {one["id"]: one for one in own}),
        "Told in": row["see"] and f"{{doc}}`/chapters/{row['see']}`",
        "Second opinions": " ".join(map(_opinion, row["opinions"])),
        "Address": f'<a href="#{place}"><code>{row["id"]}</code></a>',
    }
    statement, says = escape(row["statement"]), typeset(escape(row["says"], quote=False))
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
    end = max(0, len(commonprefix([text[start + 30:][::-1] for text in texts])) - 30)
    new, old = (f"`` {'…' * (start > 0)}{text[start:len(text) - end]}{'…' * (end > 0)} ``" for text in texts)
    function = mutant["in"].split(":")[1]
    found = {"its own assertion": "the test stops at an assertion of its own",
             "a bound below what it bounds": "the bound is below what it bounds"}.get(mutant["found"])
    return (f"{new} in place of {old}, in {'the test' if function == row['test'] else f'`{function}`'}: "
            + (found or f"the verdict is *{mutant['found']}*"))


def _natural(name: str) -> list:
    """A key that sorts Lemma 9 before Lemma 10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def _link(row: dict) -> str:
    return f'<a href="#{row["id"].split("/")[1]}">{Verdict(row["verdict"]).symbol} {escape(row["statement"])}</a>'


def _proof(row: dict, rows: dict[str, dict]) -> dict[str, str]:
    """What the row's proof uses, what of that is refuted, and what rests on the row: with a test of its own, and without."""
    refuted = [rows[one] for one in reached(row["id"], uses(rows.values())) if rows[one]["verdict"] == Verdict.FAILS.value]
    resting = [rows[one] for one in reached(row["id"], users(rows.values()))]
    tested = [one for one in resting if one["verdict"] != Verdict.NOT_CHECKED.value]
    untested = [one for one in resting if one not in tested]
    repairs = "; ".join(dict.fromkeys(typeset(one["instead"]) for one in refuted))
    own = {Verdict.NOT_CHECKED: "Nothing else supports it.", Verdict.FAILS: "It fails itself."}.get(
        Verdict(row["verdict"]), "Its own test finds the verdict above all the same.")
    return {
        "Its proof uses": "; ".join(f"{_link(rows[used['id']])}: {used['where']}" for used in row["uses"]) or row["alone"],
        "Refuted on the way": refuted and f"{', '.join(map(_link, refuted))}. {own} In their place: {repairs}.",
        "What rests on it": "; ".join(filter(None, (
            tested and f"with a verdict by its own test: {', '.join(map(_link, tested))}",
            untested and f"with no test: {', '.join(map(_link, untested))}"))),
    }


def _opinion(opinion: dict) -> str:
    kind = {"reproduction": "A reproduction", "answer": "An answer of the authors"}[opinion["kind"]]
    finds = f" finds *{opinion['verdict']}*" if "verdict" in opinion else ""
    source = f" [Source]({opinion['link']})." if "link" in opinion else ""
    return f"{kind} by {opinion['by']} ({opinion['date']}){finds}: {opinion['text']}{source}"
