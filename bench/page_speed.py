"""How soon the first slider of a page answers; and from a key on a slider to the end of the drawing, for every slider.

On five pages a key on the first slider is pressed, from the moment that it is there, until the picture has changed: as
fast as this machine is, and as on one a fourth as fast (median of five). Then, on every page, what one key takes, and
what pages weigh.

The clock starts at the keydown event and stops when the new picture is in the page (``drawn``), when the
browser has laid it out too (``laid out``), and when it has painted the next frame (``painted``).
"""

import sys
from pathlib import Path
from statistics import median, quantiles

from bench.measure import REPEATS, table

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tools"))
KEYS = 60
PAGES = ("welcome", "02_policy_evaluation/05_what_it_costs", "03_functional_noise/03_the_promise",
         "04_offline_rl/05_clinic", "05_online/02_a_counter_that_never_stops")
# From the start of the navigation to the first picture that a key has changed; and all that shifted by itself.
FIRST = """(() => {
    window.shifted = 0;
    new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifted += value;
    }).observe({ type: "layout-shift", buffered: true });
    let tries = 0;
    const trying = setInterval(() => {
        const place = document.querySelector(".cell_output:has(.explorer-still)");
        place?.scrollIntoView({ block: "center", behavior: "instant" });
        const handle = place?.querySelector('[role="slider"]'), picture = place?.querySelector(".explorer-moving");
        if (!handle || !picture?.firstChild) return;
        const before = picture.innerHTML;
        const key = tries++ % 2 ? "ArrowLeft" : "ArrowRight";  // it may stand at an end
        handle.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
        setTimeout(() => {
            if (picture.innerHTML === before) return;
            clearInterval(trying);
            window.answered ??= performance.now();
        });
    }, 20);
})()"""
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


def first(chromium, address: str, slower: int) -> tuple[float, float]:
    """Seconds until the first slider answers, and how much of the page has shifted when it has come to rest."""
    page = chromium.new_page()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.add_init_script(FIRST)
    page.goto(address)
    page.wait_for_function("window.answered")
    page.wait_for_timeout(500)
    answered, shifted = page.evaluate("[window.answered / 1000, window.shifted]")
    page.close()
    return answered, shifted


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
        starts = []
        for name in PAGES:
            address = (site / "chapters" / f"{name}.html").as_uri()
            times = {slower: [first(chromium, address, slower) for _ in range(REPEATS)] for slower in (1, 4)}
            starts.append((name, *(f"{median(seconds for seconds, _ in found):.2f} s" for found in times.values()),
                           f"{median(shift for found in times.values() for _, shift in found):.3f}"))
        table("Until the first slider answers", ("page", "as it is", "slowed fourfold", "shifted"), starts)
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
