"""A browser for the tests, and the pages that `make test` made, from the disk and over http.

`BROWSER=none` leaves these tests out, and pytest says so. Otherwise a browser must be there: an installed
Chromium or Chrome, else Playwright's own.
"""

import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from browser import executable
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).parents[2]
SITE = ROOT / "_build" / "quick" / "html"
# The last two build pages of the browser's own for every window, at the price of a page of the book. The others are those
# that Playwright leaves out, in whose place this list stands: the browser reads the last one.
LEFT_OUT = ["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay",
            "HttpsFirstBalancedModeAutoEnable", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
            "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
            "PreconnectToSearch", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup"]
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run", f"--disable-features={','.join(LEFT_OUT)}"]
OUTSIDE = re.compile(r"^(?!file:|data:|blob:|http://127\.0\.0\.1:)")
# Whether no colour and no place is on its way to another. What is under way arrives at once: a test need not watch it.
AT_REST = """!document.getAnimations().filter(one => one instanceof CSSTransition && one.playState === "running").map(one => one.finish()).length"""
PATIENCE = 120_000  # milliseconds: how long an answer may take on a slow machine; no test is about how fast it is


def pytest_collection_modifyitems(items):
    if os.environ.get("BROWSER") == "none":
        for item in items:
            if "browser" in item.fixturenames:
                item.add_marker(pytest.mark.skip(reason="BROWSER=none: tests in a browser are left out, as asked"))


@pytest.fixture(scope="session")
def browser() -> Browser:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable(), args=QUIET, timeout=PATIENCE)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def site() -> Path:
    assert (SITE / "index.html").exists(), f"no pages in {SITE}: `make test` makes them before it starts pytest"
    return SITE


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def address(site):
    """The pages over http, from this computer."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


class Visit:
    """One page, opened with the network cut off, and all that it asked for and complained of."""

    def __init__(self, context: BrowserContext, url: str, scripts: bool, scheme: str):
        self.outside, self.complaints, self.scheme = [], [], scheme
        context.set_default_timeout(PATIENCE)
        context.route(OUTSIDE, self._refuse)
        self.page: Page = context.new_page()
        self.page.on("console", lambda message: message.type in ("error", "warning") and self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("requestfailed", lambda request: self.complaints.append(f"{request.url}: {request.failure}"))
        self.page.goto(url, wait_until="load")
        if not scripts:
            return
        if self.page.locator('script[type="application/vnd.jupyter.widget-state+json"]').count():
            self.page.wait_for_selector("html[data-widgets=ready]", state="attached")
            for explorer in self.page.locator(".explorer").all():
                explorer.locator(".explorer-moving svg").wait_for()
        if self.page.locator(".math").count():
            self.page.wait_for_selector("html[data-formulas=set]", state="attached")

    def at(self, width: int) -> "Visit":
        """The same page in a window so wide, once its parts are in their places and its pictures have followed."""
        if self.page.viewport_size["width"] != width:
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.wait_for_function(f"""width => innerWidth === width && {AT_REST}
                && [...document.querySelectorAll(".explorer-picture")].every(picture =>
                !picture.clientWidth || +picture.querySelector(".explorer-moving svg").getAttribute("width") === picture.clientWidth)""", arg=width)
        return self

    def under(self, scheme: str) -> "Visit":
        """The same page by day ("light") or by night ("dark"), once its colours have changed."""
        if self.scheme != scheme:
            self.page.emulate_media(color_scheme=scheme)
            self.page.wait_for_function(f"scheme => document.documentElement.dataset.theme === scheme && {AT_REST}", arg=scheme)
            self.scheme = scheme
        return self

    def _refuse(self, route):
        self.outside.append(route.request.url)
        route.abort()


@pytest.fixture(scope="session")
def visits(browser):
    """`with visits() as open_page`: open_page(url, width=..., scheme=..., scripts=...) opens a page; all are closed in the end."""
    @contextmanager
    def opening() -> Iterator[Callable[..., Visit]]:
        contexts = []

        def open_page(url: str, *, width: int = 1280, scheme: str = "light", scripts: bool = True) -> Visit:
            contexts.append(browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme,
                                                java_script_enabled=scripts))
            return Visit(contexts[-1], url, scripts, scheme)

        yield open_page
        for context in contexts:
            context.close()
    return opening


@pytest.fixture
def visit(visits):
    """Pages that are opened for one test."""
    with visits() as open_page:
        yield open_page
