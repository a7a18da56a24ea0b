"""Make the pages from the executed notebooks: `pages.py --into _build/book` makes _build/book/html.

After any change, all pages are rewritten in a separate folder, which replaces the old one only if there was no warning. So a
warning recurs until it is fixed, a page removed from the table of contents is removed from the site, and a kill at any
moment leaves the old pages or none. Sphinx rereads only the pages that changed, unless the core, the table of contents or
the pictures changed too.
"""

import interruption

if __name__ == "__main__":
    interruption.install()

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import IO

import yaml
from execute import ROOT, documents, executed, one_at_a_time, visible
from plans import filled

from privrl_core.pages import Verdict, index, paper_page


def buttons(config: dict) -> None:
    """Links to the source, to its issues and to Binder on every page, once the repository's address is known."""
    if config.get("repository", {}).get("url"):
        config["html"] |= {"use_repository_button": True, "use_issues_button": True}
        config["launch_buttons"] = {"binderhub_url": "https://mybinder.org", "notebook_interface": "jupyterlab"}


def sources(root: Path, into: Path) -> dict[Path, bytes]:
    """All sources of the pages: each file of the mirror with its content."""
    files = [root / name for name in ("_toc.yml", "CHANGELOG.md")]
    for folder in ("book", "chapters"):
        files += [path for path in visible(root / folder) if path.suffix not in (".py", ".ipynb")
                  and not path.is_relative_to(root / "book" / "js")]
    files += [path for path in visible(root / "tests" / "claims") if path.suffix == ".py"]  # which the ledger shows
    wanted = {path.relative_to(root): path.read_bytes() for path in files if path.exists()} | ledger(root) | field_map(root)
    for name in [name for name in wanted if name.parent == Path("book", "course") and name.suffix == ".md"]:
        wanted[name] = filled(wanted[name].decode(), root).encode()
    config = yaml.safe_load((root / "_config.yml").read_text("utf-8"))
    config["execute"] = {"execute_notebooks": "off"}  # papermill has run them
    buttons(config)
    wanted[Path("_config.yml")] = yaml.safe_dump(config, allow_unicode=True, sort_keys=False).encode()
    for name in documents(root):
        if (root / f"{name}.ipynb").exists():
            wanted[Path(f"{name}.ipynb")] = executed(into, name).read_bytes()
    return wanted


def ledger(root: Path) -> dict[Path, bytes]:
    """The claims ledger: a page of all claims and one for each paper, and the same as data (html_extra_path)."""
    stored = root / "privrl_core" / "pages" / "ledger.json"
    if not stored.exists():
        return {}
    rows, papers = json.loads(stored.read_text("utf-8")), {}
    for row in rows:
        papers.setdefault(f"claims/{row['id'].split('/')[0]}", []).append(row)
    repository = yaml.safe_load((root / "_config.yml").read_text("utf-8")).get("repository", {})
    sources = f"{url}/blob/{repository['branch']}" if (url := repository.get("url")) else ""
    files = {Path(f"book/{name}.md"): paper_page(own, sources=sources) for name, own in papers.items()}
    files[Path("book/claims.md")] = index(rows)
    for name, own in {"claims": rows, **papers}.items():
        table = {"$schema": "claims.schema.json", "version": 1, "claims": own}
        files[Path(f"book/data/{name}.json")] = json.dumps(table, ensure_ascii=False, indent=1)
    return {path: text.encode() for path, text in files.items()}


def field_map(root: Path) -> dict[Path, bytes]:
    """The page of the map of the field, with the picture and the table made of book/data/map.yml and the ledger."""
    page, stored = root / "chapters" / "07_side_by_side" / "07_map.md", root / "privrl_core" / "pages" / "ledger.json"
    if not page.exists():
        return {}
    verdicts = {}
    for row in json.loads(stored.read_text("utf-8")):
        verdicts.setdefault(row["id"].split("/")[0], []).append(row["verdict"])
    lines = ["```{table}", ":class: field-map", "", "| paper | unit | model | released | in this book | read |",
             "|---|---|---|---|---|---|"]
    field = yaml.safe_load((root / "book" / "data" / "map.yml").read_text("utf-8"))
    for row in field["papers"]:
        places = [f"{{doc}}`/chapters/{name}`" for name in row["see"]]
        if found := verdicts.get(row.get("ledger")):
            counts = [(found.count(verdict.value), verdict.value) for verdict in Verdict]
            said = ", ".join(f"{n} {verdict if n == 1 else verdict.removesuffix('s')}" for n, verdict in counts if n)
            claims = f"{len(found)} claim{'s' * (len(found) > 1)}"
            places.append(f"{{doc}}`{claims} </book/claims/{row['ledger']}>`: {said}")
        cells = (f"{{cite:t}}`{row['paper']}`<br>{row['how']}", row["unit"], ", ".join(row["model"]), row["released"],
                 "<br>".join(places), row["read"])
        lines.append(f"| {' | '.join(cells)} |")
    text = page.read_text("utf-8").replace("% the table of book/data/map.yml\n", "\n".join([*lines, "```", ""]))
    return {page.relative_to(root): text.replace("% the picture of book/data/map.yml\n", field_picture(field)).encode()}


DOTS = {"in full": "full", "in part": "full", "abstract": "half", "summary": "half", "not read": "none"}  # how much was read


def field_picture(field: dict) -> str:
    """A cell for each unit and model, with a dot for each of its papers, half or hollow where an abstract or none of the
    text was at hand; ledger.js lets a reader choose in it."""
    units, models = field["picture"]["unit"], field["picture"]["model"]
    heads = "".join(f'<th role="columnheader" scope="col">{unit}</th>' for unit in units)
    placed = [row for row in field["papers"] if "not known to us" not in (row["unit"], *row["model"])]
    full, half, none = (f'<i class="{name}"></i>' for name in ("full", "half", "none"))
    said = (f"{full} read in full or in part; {half} abstract or summary only; {none} not read yet. "
            "Thick frame: the clinic's cell; dashed: your choice. "
            f"{len(placed)} papers; {sum(len(row['model']) > 1 for row in placed)} have two models, and so two dots. "
            f"{len(field['papers']) - len(placed)} more have no place, as their unit or model is not known to us. "
            "Hatched: no paper. A filter turns a cell white if it leaves none of its papers. "
            "A label is one answer of a person; an agent is a member of a federation, with all its data.")
    lines = ["```{raw} html", '<div class="field-picture"><table role="table">', f"<caption>{said}</caption>",
             f'<thead><tr role="row"><td role="cell"></td>{heads}</tr></thead><tbody>']
    for model, sees in models.items():
        cells = ""
        for unit in units:
            found = [row["read"] for row in field["papers"] if row["unit"] == unit and model in row["model"]]
            gap, number = ("", str(len(found))) if found else (' class="gap"', "–")
            dots = "".join(f'<i class="{name}"></i>' for name in sorted(map(DOTS.get, found)))
            cells += (f'<td role="cell" data-unit="{unit}" data-model="{model}"{gap}>'
                      f'<b>{number}</b><span aria-hidden="true">{dots}</span></td>')
        head = f'<th role="rowheader" scope="row"><strong>{model}</strong> <small>{sees}</small></th>'
        lines.append(f'<tr role="row">{head}{cells}</tr>')
    return "\n".join([*lines, "</tbody></table></div>", "```", ""])


def mirror(wanted: dict[Path, bytes], folder: Path) -> None:
    """Make a folder contain exactly these files."""
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path.relative_to(folder) not in wanted:
            path.unlink()
    for name, content in wanted.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def digest(wanted: dict[Path, bytes], core: Path) -> str:
    """A digest of the sources of the pages, and of the docstrings behind the reference."""
    total = hashlib.sha256((ROOT / "requirements.lock").read_bytes() + Path(__file__).read_bytes())
    wanted = wanted | {path.relative_to(core.parent): path.read_bytes() for path in visible(core) if path.suffix == ".py"}
    for name, content in sorted(wanted.items()):
        total.update(f"{name}\n{len(content)}\n".encode() + content)
    return total.hexdigest()


# Its command. Python's collector would look through all that was read again and again; rarely, it saves a quarter of the
# time, and costs 0.2 GB.
JUPYTER_BOOK = "import gc; gc.set_threshold(1_000_000); from jupyter_book.cli.main import main; main()"


@dataclass(frozen=True)
class Mend:
    """A correction of the HTML from Sphinx and its theme, where it is silent, wrong or late, above all for readers who do
    not see the page."""

    asked_by: str  # if the sources contain this, at least one page needs the correction
    pattern: str
    replacement: str


MENDS = (
    Mend("{bibliography}", ' role="doc-biblioentry"', ""),
    Mend("{bibliography}", '<div role="list" class="citation-list">', '<div class="citation-list">'),
    # the parameters of a long signature, one per line, are marked up as a definition list without terms
    Mend(".. automodule::", r'<dl>\n((?:<dd><em class="sig-param">.*</dd>\n)+)</dl>', r'<div class="parameters">\n\1</div>'),
    Mend(".. automodule::", r'<dd>(<em class="sig-param">.*)</dd>', r"<div>\1</div>"),
    # a number and its name stay on one line
    Mend("ε = ", r"([αβγδεηλμρσ]) = (?=[−.\d])", "\\1\u00a0=\u00a0"),
    # the theme asks for the colours of the reader's system when all is read and shown; before, book.css has no type
    Mend("default_mode: auto", r'localStorage\.getItem\("theme"\) \|\| "auto"',
         '["light", "dark"].find((mode) => mode === document.documentElement.dataset.mode)'
         ' ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")'),
    Mend("sections:", r'>([^<]*)</a><details([^>]*)><summary>', r'>\1</a><details\2><summary aria-label="Pages of: \1">'),
)


def accessible(pages: dict[str, str], asked: str) -> dict[str, str]:
    """The corrected HTML of each page; ``asked`` is the text of the sources. A correction that never applies is an error."""
    for mend in MENDS:
        mended = {name: re.subn(mend.pattern, mend.replacement, html) for name, html in pages.items()}
        if mend.asked_by in asked and not any(times for _, times in mended.values()):
            sys.exit(f"pages: failed: the sources have {mend.asked_by}, but no page has {mend.pattern!r} (tools/pages.py)")
        pages = {name: html for name, (html, _) in mended.items()}
    return pages


def shareable(html: str, name: str, config: dict) -> str:
    """Add the metadata for link previews (ogp.me). They need absolute addresses, from `baseurl` in _config.yml."""
    if not (whole := re.search("<title>(.*?)</title>", html, re.DOTALL)):
        return html  # a redirection, or a part of the theme
    title = re.fullmatch(f"(.*) (?:&#8212;|-) {re.escape(escape(config['title']))}", whole[1].strip())
    if not title or html.count("</head>") != 1:
        sys.exit(f"pages: failed: {name} must have one </head>, and a title that ends with the book's, got {whole[0]}")
    described = re.search('<meta content="([^"]*)" name="description"|<meta name="description" content="([^"]*)"', html)
    facts = {"og:type": "article", "og:site_name": escape(config["title"]), "og:title": title[1]}
    if described:
        facts["og:description"] = described[1] or described[2]
    if address := config.get("html", {}).get("baseurl", "").rstrip("/"):
        facts |= {"og:url": f"{address}/{name}", "og:image": f"{address}/_static/social_card.png",
                  "og:image:alt": "The title of the book beside two overlapping bell curves",
                  "twitter:card": "summary_large_image"}
    lines = "\n".join(f'<meta {"name" if key.startswith("twitter") else "property"}="{key}" content="{value}">'
                      for key, value in facts.items())
    return html.replace("</head>", f"{lines}\n</head>")


def waiting(html: str) -> str:
    """The answer to each guess waits from the first moment: if guess.js hid it, the page would move as it loads."""
    before, *boxes = re.split(r'(?=<div class="[^"]*\bguess\b[^"]*\badmonition">)', html)
    answer = r"<p>(?=<strong>(?:What you should see|The answer)\.</strong>)"
    return before + "".join(re.sub(answer, '<p class="guess-hidden">', box, count=1) for box in boxes)


def answerable(html: str, notebook: bytes) -> str:
    """Add what book/assets/answers.js asks of each exercise: what its check has put beside its output in the notebook."""
    beside = [output.get("metadata", {}).get("text/markdown", {}) for cell in json.loads(notebook)["cells"]
              for output in cell.get("outputs", ())]
    found = [said["exercise"] for said in beside if "exercise" in said]
    if not found:
        return html
    text = json.dumps(found, ensure_ascii=False).replace("<", "\\u003c")
    return html.replace("</body>", f'<script type="application/json" id="exercise-records">{text}</script>\n</body>')


def quick(html: str, name: str) -> str:
    """Scripts in the order in which a reader wants what they do: the first widget, the page, and all the rest."""
    if name != "search.html":  # for results while one types, which the book has not
        html = re.sub(r'<script src="[^"]*(searchtools|language_data|searchindex)\.js[^"]*"></script>', "", html)
    # all wait but the options, which scripts in the page itself add to
    html = re.sub(r'<script (?=(data-\S+ )?src=)(?!src="[^"]*/documentation_options)', "<script defer ", html)
    script = re.search(r'<script defer="defer" (src="[^"]*/widgets\.js[^"]*"></script>)', html)
    first = re.search(r'<script type="application/vnd\.jupyter\.widget-view\+json">.*?</script>', html)
    if script and first:
        html = html[:first.end()].replace(script[0], "") + f"<script {script[1]}" + html[first.end():]
    return html


def make(root: Path, into: Path, turn: IO) -> None:
    start = time.monotonic()
    wanted = sources(root, into)
    html, work, made_from = into / "html", into / "work", digest(wanted, root / "privrl_core")
    text = (".md", ".ipynb", ".py", ".json")
    all_but_text = {name: content for name, content in wanted.items() if name.suffix not in text}
    read, read_with = work / "read_with", digest(all_but_text, root / "privrl_core")
    if (html / ".made_from").exists() and (html / ".made_from").read_text() == made_from:
        print("pages: up to date", flush=True)
        return
    print(f"pages: {len(documents(root))} to make ...", flush=True)
    mirror(wanted, into / "source")
    if not (read.exists() and read.read_text() == read_with):
        shutil.rmtree(work, ignore_errors=True)
    read.unlink(missing_ok=True)  # until the build is known to have no warning
    new = work / "_build" / "html"
    for left in (new, work / "old"):
        shutil.rmtree(left, ignore_errors=True)
    done = subprocess.run(
        [sys.executable, "-P", "-c", JUPYTER_BOOK, "build", into / "source", "--path-output", work,
         "--warningiserror", "--keep-going", "--quiet"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ | {"PYTHONHASHSEED": "0"},
        pass_fds=[turn.fileno()])  # if this process is killed, the next one waits until Sphinx ends
    if done.returncode or not (new / "index.html").exists():
        sys.exit(f"{done.stdout}\npages: failed; a warning counts as an error")
    config = yaml.safe_load((root / "_config.yml").read_text("utf-8"))
    pages = {page.relative_to(new).as_posix(): page.read_text("utf-8") for page in new.rglob("*.html")}
    asked = "\n".join(text.decode() for name, text in wanted.items() if name.suffix in (".md", ".yml"))
    for name, text in accessible(pages, asked).items():
        if notebook := wanted.get(Path(name).with_suffix(".ipynb")):
            text = answerable(text, notebook)
        (new / name).write_text(quick(waiting(shareable(text, name, config)), name), "utf-8")
    (new / ".made_from").write_text(made_from)
    if html.exists():
        html.rename(work / "old")
    new.rename(html)
    read.write_text(read_with)
    print(f"pages: {time.monotonic() - start:.1f} s", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--into", type=Path, required=True)
    arguments = parser.parse_args()
    with one_at_a_time(arguments.into.resolve()) as turn:
        make(arguments.root.resolve(), arguments.into.resolve(), turn)
    print(f"The book: {(arguments.into.resolve() / 'html' / 'index.html').as_uri()}")
