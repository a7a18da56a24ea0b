"""Draw book/assets/social_card.png, the picture for link previews. Run `social_card.py` when the design changes.

It is a screenshot, by the browser of the tests, of a page in the book's colours and fonts with the curves of the logo.
"""

import re
from pathlib import Path

import yaml
from browser import executable
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
ASSETS = ROOT / "book" / "assets"
SIZE = {"width": 1200, "height": 630}  # the size that link previews require
PAGE = """<!doctype html><html data-theme="light"><base href="{base}/"><link rel="stylesheet" href="book.css"><style>
  body {{ position: relative; box-sizing: border-box; width: 1200px; height: 630px; margin: 0; padding: 80px 88px;
    overflow: hidden; background: var(--book-paper); color: var(--book-ink); border-bottom: 14px solid var(--book-blue); }}
  h1 {{ width: 11em; margin: 0 0 36px; font: 700 84px/1.04 var(--book-sans); letter-spacing: -.022em; }}
  p {{ width: 17.5em; margin: 0; font: 36px/1.4 var(--book-serif); color: var(--book-soft); }}
  svg {{ position: absolute; right: -20px; bottom: -97px; width: 620px; }}
  svg g {{ stroke-width: .9; }}
</style><body>{logo}
<h1>{title}</h1>
<p>What the privacy of people costs when machines learn from them, and how to check it.</p>"""


def draw(path: Path) -> None:
    title = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["title"]
    logo = re.search("<svg.*</svg>", (ASSETS / "logo.svg").read_text("utf-8"), re.DOTALL)[0]
    page = path.with_suffix(".html")
    page.write_text(PAGE.format(base=ASSETS.as_uri(), logo=logo, title=title), "utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox", "--disable-gpu"])
        window = browser.new_page(viewport=SIZE)
        window.goto(page.as_uri())
        window.evaluate("() => document.fonts.ready")
        window.screenshot(path=path)
        browser.close()
    page.unlink()


if __name__ == "__main__":
    draw(ASSETS / "social_card.png")
