"""The book in one file: `pdf.py --from _build/book` makes _build/book/html/private-reinforcement-learning.pdf.

The articles of all pages become one HTML file, in which each id begins with the name of its page, and each link within the
book leads to such an id. The browser of the tests prints it twice: it cannot write into the contents on which sheet a page
begins (CSS `target-counter`), so the first print tells. Nothing is merged: links, outline and tags are the browser's own.
The file lies beside the pages: `make zip` and the site take it along, and it goes when the pages are made anew.
"""

import interruption

if __name__ == "__main__":
    interruption.install()

import argparse
import posixpath
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path

import pypdfium2
import yaml
from browser import executable
from execute import ROOT, documents, one_at_a_time
from playwright.sync_api import Browser, sync_playwright

BEHIND = re.compile("chapters/.*/evidence/|chapters/run_at_scale|"  # what the main path leaves out
                    "book/(course|claims|reference/|second_opinion|run_times|contribute|changelog)")
WITHOUT = """This file holds the main path. It leaves out the solutions of the exercises, so that nobody reads them by
accident. The solutions, the evidence behind the statements, the course, the ledger of claims and the reference are in the
pages of the site, and in the longer file that <code>make pdf PAGES=all</code> makes."""
WITH = "This file holds all pages, with the solutions of the exercises."
STYLE = """
@page :first { @bottom-center { content: none; } @top-right { content: none; } }
.bd-article { break-before: page; }
.bd-article.book-title { break-before: auto; padding-top: 60mm !important; }
.bd-main .bd-content #jb-print-docs-body h1:first-of-type { display: block; }
.bd-main .bd-content #jb-print-docs-body .book-title h1 { font-size: 34pt; }
.book-title .book-about { margin-top: 3cm; font: 10pt/1.5 var(--book-sans); color: var(--book-soft); }
.book-contents p { margin: 0; font: 10pt/1.55 var(--book-sans); break-inside: avoid; }
.book-contents p.book-part { margin-top: .8rem; color: var(--book-soft); break-after: avoid; }
.book-contents a { display: flex; gap: .5em; align-items: baseline; }
.book-contents i { flex: 1; border-bottom: 1px dotted var(--book-soft); }
.book-contents [data-of] { min-width: 2.2em; text-align: right; font-variant-numeric: tabular-nums; }
.bd-article :is(.explorer-still, .game-still) svg { max-height: 64mm; }
.bd-article :is(p, li, dd, td) a[href] { color: var(--book-blue); }
.book-contents p a[href] { color: inherit; }
.headerlink { display: none; }
"""
# Easier in the browser: to remove solutions, outputs that only say that an answer is missing, and links to what is not here;
# to set the levels of the outline.
PREPARE = """async solutions => {
  const all = selector => [...document.querySelectorAll(selector)];
  if (!solutions) all(".solution").forEach(one => one.remove());
  all(".cell_output").filter(one => one.textContent.trim().startsWith("Missing:")).forEach(one => one.remove());
  for (const article of all("article")) for (const heading of article.querySelectorAll("h1, h2, h3, h4, h5"))
    heading.ariaLevel = Math.min(6, +article.dataset.level + +heading.localName[1] - 1);
  for (const link of all('a[href^="#"]'))
    if (!document.getElementById(link.getAttribute("href").slice(1))) link.removeAttribute("href");
  await MathJax.startup.promise;
  await MathJax.typesetPromise(all(".math"));
  await Promise.all([document.fonts.ready, ...all("img").map(one => one.decode())]);
}"""


def listed(node: dict, chosen: set[str], level: int = 1) -> Iterator[tuple[int, str | None, str | None]]:
    """The lines of _toc.yml for these pages, in order: level, page and title. The caption of a part has no page."""
    if (name := node.get("root") or node.get("file")) in chosen:
        yield level, name, node.get("title")
    deeper = level + ("file" in node)
    below = [line for key in ("parts", "chapters", "sections") for child in node.get(key, ())
             for line in listed(child, chosen, deeper)]
    if below and "caption" in node:
        yield level, None, node["caption"]
    yield from below


def article(site: Path, name: str) -> str:
    """What a page says. Its ids begin with its name, and so do links to them, from this page and others."""
    html = (site / f"{name}.html").read_text("utf-8")
    text = re.search(r'<article class="bd-article">(.*?)</article>', html, re.DOTALL)[1]
    text = re.sub(r"<script\b.*?</script>", "", text, flags=re.DOTALL)

    def link(found: re.Match) -> str:
        attribute, address = found.groups()
        if re.match(r"[a-z]+:", address):
            return found[0]
        path, _, anchor = address.partition("#")
        place = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else f"{name}.html"
        if attribute == "src":
            return f'src="{(site / place).as_uri()}"'
        return f'{attribute}="#{place.removesuffix(".html")}{anchor and ":" + anchor}"'

    text = re.sub(r'\b(href|src)="([^"]*)"', link, text)
    return re.sub(r'(?<= id=")|(?<=labelledby=")|(?<=url\(#)', f"{name}:", text)


def whole(site: Path, names: list[str], config: dict, about: str) -> str:
    """All pages as one, with a title and contents."""
    lines = list(listed(yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8")), set(names)))
    articles, contents, heads = [], [], []
    for level, name, title in lines:
        if name is None:
            contents.append(f'<p class="book-part">{escape(title)}</p>')
            continue
        text = article(site, name)
        if title:
            text = re.sub("(?<=<h1>).*?(?=<a class=.headerlink)", escape(title), text, count=1)
        title = re.search("<h1>(.*?)<a class=.headerlink", text, re.DOTALL)[1]
        if level == 1:
            heads.append(f'@page head-{len(heads)} {{ @top-right {{ content: "{unescape(re.sub("<.*?>", "", title))}"; '
                         'font: 8.5pt "Source Sans 3", sans-serif; color: #666; } }')
        contents.append(f'<p style="padding-left: {1.4 * (level - 1)}em"><a href="#{name}">{title}<i></i>'
                        f'<span data-of="{name}"></span></a></p>')
        articles.append(f'<article class="bd-article" id="{name}" data-level="{level}" style="page: head-{len(heads) - 1}">'
                        f'{text}</article>')
    head = (site / f"{names[0]}.html").read_text("utf-8")
    styles = re.findall(r'<link [^>]*href="(?:\.\./)*(_static/[^"]*\.css)', head)
    return f"""<!DOCTYPE html><html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8">
<title>{escape(config["title"])}</title>
{"".join(f'<link rel="stylesheet" href="{site.as_uri()}/{style}">' for style in styles)}
<style>{STYLE}{"".join(heads)}</style>
<script>window.MathJax = {{startup: {{typeset: false}}, options: {{processHtmlClass: "math", enableMenu: false}}}};</script>
<script src="{site.as_uri()}/_static/vendor/mathjax/es5/tex-mml-chtml.js"></script></head><body>
<div class="bd-main"><div class="bd-content"><div class="bd-article-container" id="jb-print-docs-body">
<article class="bd-article book-title" data-level="1"><h1>{escape(config["title"])}</h1>
<p>by {escape(config["author"])}, {escape(config["copyright"])}</p>
<div class="book-about"><p>{about}</p><p>Sliders and games are pictures here. In the pages they move.</p>
<p>{config["html"]["extra_footer"]}</p></div></article>
<article class="bd-article book-contents" data-level="1"><h1>Contents</h1>{"".join(contents)}</article>
{"".join(articles)}</div></div></div></body></html>"""


def sheets(pdf: bytes, names: list[str]) -> dict[str, int]:
    """The sheet on which each page begins, from 1 on."""
    raw, book = pypdfium2.raw, pypdfium2.PdfDocument(pdf)
    return {name: 1 + raw.FPDFDest_GetDestPageIndex(book, raw.FPDF_GetNamedDestByName(book, name.encode()))
            for name in names}


def book(browser: Browser, site: Path, names: list[str], solutions: bool) -> bytes:
    """These pages as a PDF."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder, browser.new_page(viewport={"width": 658, "height": 900}) as page:
        html = Path(folder, "book.html")
        html.write_text(whole(site, names, config, WITH if solutions else WITHOUT), "utf-8")
        page.set_default_timeout(0)
        page.emulate_media(media="print")
        page.goto(html.as_uri())
        page.evaluate(PREPARE, solutions)
        paper = {"format": "A4", "prefer_css_page_size": True, "print_background": True}
        found = sheets(page.pdf(**paper), names)
        page.evaluate("""found => document.querySelectorAll("[data-of]").forEach(one =>
            one.textContent = found[one.dataset.of])""", found)
        pdf = page.pdf(**paper, outline=True, tagged=True)
    if sheets(pdf, names) != found:
        sys.exit("pdf: failed: the numbers in the contents have moved the pages (tools/pdf.py)")
    return pdf


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--from", dest="made", type=Path, required=True)
    parser.add_argument("--pages", choices=("main", "all"), default="main")
    arguments = parser.parse_args()
    start = time.monotonic()
    site, every = arguments.made.resolve() / "html", arguments.pages == "all"
    into = site / f"private-reinforcement-learning{'-all' * every}.pdf"
    names = [name for name in documents(ROOT) if every or not BEHIND.match(name)]
    print(f"pdf: {len(names)} pages to print ...", flush=True)
    with one_at_a_time(site.parent), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox", "--disable-gpu"])
        into.write_bytes(book(browser, site, names, every))
    print(f"pdf: {time.monotonic() - start:.0f} s, {into.stat().st_size / 1e6:.0f} MB\nThe book in one file: {into}")
