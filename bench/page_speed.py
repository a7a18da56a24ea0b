"""From a key on a slider to the end of the drawing, in Chromium, for every slider of every page; and what pages weigh.

The clock starts at the keydown event and stops when the new picture is in the page (``drawn``), when the
browser has laid it out too (``laid out``), and when it has painted the next frame (``painted``).
"""

import sys
from pathlib import Path
from statistics import quantiles

from bench.measure import table

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tools"))
KEYS = 60
# Presses come when the page has come to rest, as from a hand.
CLOCK = """() => {
    let pressed = 0;
    window.times = [];
    addEventListener("keydown", () => { pressed = performance.now(); }, true);
    addEventListener("explorer:drawn", () => {
        const time = [performance.now() - pressed];
        document.body.getBoundingClientRect();
        time.push(performance.now() - pressed);
        requestAnimationFrame(() => { const channel = new MessageChannel();
            channel.port1.onmessage = () => { time.push(performance.now() - pressed); window.times.push(time); };
            channel.port2.postMessage(0); });
    });
}"""


def keys(page) -> list[list[float]]:
    """Milliseconds of every key pressed on every slider of a page."""
    page.evaluate(CLOCK)
    for handle in page.locator('.explorer [role="slider"]').all():
        handle.focus()
        for number in range(KEYS):
            page.keyboard.press("ArrowRight" if number // 15 % 2 else "ArrowLeft")
            page.wait_for_timeout(40)
    return page.evaluate("window.times")


def milliseconds(times: list[float]) -> str:
    cuts = quantiles(times, n=20)
    return f"{cuts[9]:.1f} / {cuts[18]:.1f}"


if __name__ == "__main__":
    from browser import executable
    from playwright.sync_api import sync_playwright

    site = next((folder for name in ("book", "quick") if (folder := ROOT / "_build" / name / "html").exists()), None)
    if site is None:
        sys.exit("page_speed: no pages yet, `make book` makes them")
    rows = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox", "--disable-gpu"])
        for path in sorted(site.rglob("*.html")):
            if 'class="explorer-still"' not in path.read_text("utf-8"):
                continue
            page = chromium.new_page()
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-widgets=ready]", state="attached")
            page.wait_for_timeout(2000)
            times = keys(page)
            loaded = page.evaluate("performance.getEntriesByType('resource').length")
            rows.append((path.stem, page.locator('.explorer [role="slider"]').count(), len(times),
                         *(milliseconds(kind) for kind in zip(*times, strict=True)),
                         f"{path.stat().st_size / 1e3:.0f} kB", loaded))
            page.close()
        chromium.close()
    table("From keydown to the picture: milliseconds, median / 95 %",
          ("page", "sliders", "keys", "drawn", "laid out", "painted", "HTML", "files loaded"), rows)
