"""The graph of a paper's proofs: what a statement rests on, what rests on it, and a picture of both.

Everything works on rows of the ledger (`privrl_core.pages.ledger.rows`), which name in ``uses`` what a proof uses.
Where the two versions of a paper have different proofs, each has a graph of its own: its rows, with the edges of its proofs.
"""

import re
from collections.abc import Iterable, Mapping
from graphlib import TopologicalSorter
from html import escape
from statistics import fmean

from privrl_core.pages.ledger import Verdict

__all__ = ["reached", "uses", "users", "columns", "picture"]

WIDE, HIGH, ACROSS, DOWN = 126, 26, 44, 8  # of a statement, and the room between two


def uses(found: Iterable[Mapping], version: str = "") -> dict[str, list[str]]:
    """What each row's proof uses, directly, by the rows' ids, in one ``version`` of the paper if it has two."""
    there = {row["id"]: row for row in found if version in (row.get("versions") or [""])}
    return {one: [used["id"] for used in row["uses"] if used["version"] in ("", version) and used["id"] in there]
            for one, row in there.items()}


def users(found: Iterable[Mapping], version: str = "") -> dict[str, list[str]]:
    """The rows whose proofs use each row, directly, by the rows' ids, in one ``version`` of the paper if it has two."""
    graph = uses(found, version)
    turned = {one: [] for one in graph}
    for one, used in graph.items():
        for other in used:
            turned[other].append(one)
    return turned


def reached(start: str, steps: Mapping[str, Iterable[str]]) -> list[str]:
    """All ids that ``steps`` lead to from ``start``, directly or through others, nearest first."""
    seen = [start]
    for one in seen:  # which grows meanwhile
        seen += [other for other in steps[one] if other not in seen]
    return seen[1:]


def columns(used: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The statements in columns: each to the right of all that it uses. Raises graphlib.CycleError for a circle."""
    sorter, found = TopologicalSorter(used), []
    sorter.prepare()
    while sorter.is_active():
        found.append(sorted(sorter.get_ready()))
        sorter.done(*found[-1])
    place = {one: number for number, column in enumerate(found) for one in column}
    for one in found[0]:  # what uses nothing stands beside the first statement that uses it
        place[one] = min((place[other] for other in used if one in used[other]), default=1) - 1
    found = [[one for one in place if place[one] == number] for number in range(len(found))]
    for number in reversed(range(len(found) - 1)):  # beside what uses it, so that few lines cross
        column, after = found[number], found[number + 1]
        height = {one: k - len(after) / 2 for k, one in enumerate(after)}
        column.sort(key=lambda one: fmean([height[other] for other in after if one in used[other]] or [0]))  # noqa: B023
    return found


def picture(found: list[dict], version: str = "") -> str:
    """The rows that use others or are used, as an SVG of links to the rows, lemmas at the left and theorems at the right."""
    rows, graph = {row["id"]: row for row in found}, uses(found, version)
    joined = {one for one, used in graph.items() if used} | {other for used in graph.values() for other in used}
    if not joined:
        return ""
    placed = columns({one: used for one, used in graph.items() if one in joined})
    tall = max(map(len, placed)) * (HIGH + DOWN)
    at = {one: (2 + x * (WIDE + ACROSS), 2 + (y + .5) * tall / len(column) - HIGH / 2)
          for x, column in enumerate(placed) for y, one in enumerate(column)}
    lines, boxes = [], []
    for one, (x, y) in at.items():
        for other in graph[one]:
            left, top, end = at[other][0] + WIDE, at[other][1] + HIGH / 2, y + HIGH / 2
            middle = (left + x) / 2
            lines.append(f'<path d="M{left} {top:.0f}C{middle:.0f} {top:.0f} {middle:.0f} {end:.0f} {x} {end:.0f}"/>')
        verdict, statement = Verdict(rows[one]["verdict"]), rows[one]["statement"]
        boxes.append(f'<a href="#{one.split("/")[1]}" class="{verdict.name.lower()}">'
                     f"<title>{escape(statement)}: {verdict.value}</title>"
                     f'<rect x="{x:.0f}" y="{y:.0f}" width="{WIDE}" height="{HIGH}" rx="4"/>'
                     f'<text x="{x + 7:.0f}" y="{y + 17.5:.0f}">{verdict.symbol} {escape(_short(statement))}</text></a>')
    width, height = 4 + len(placed) * (WIDE + ACROSS) - ACROSS, 4 + tall
    return (f'<svg role="group" aria-label="Statements and what their proofs use" width="{width}" height="{height:.0f}" '
            f'viewBox="0 0 {width} {height:.0f}">\n<g class="edges">{"".join(lines)}</g>\n' + "\n".join(boxes) + "\n</svg>")


def _short(statement: str) -> str:
    """What fits into a box: of a step in a proof or in the text, the words in brackets."""
    step = re.fullmatch(r"text, .* \((\D.*)\)", statement)
    words = step[1] if step else statement
    return words if len(words) <= 16 else words[:15].rstrip(" ,(") + "…"
