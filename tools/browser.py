"""Provide a browser for the tests: an installed one, or else Playwright's own.

`executable()` is the path of the installed browser, or None if Playwright's own is used.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

# The first has no windows of its own and opens a page in six sevenths of the time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MACOS = (Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
         Path("/Applications/Chromium.app/Contents/MacOS/Chromium"))


def executable() -> str | None:
    found = [path for name in NAMES if (path := shutil.which(name))]
    found += [str(path) for path in MACOS if path.exists()]
    return found[0] if found else None


if __name__ == "__main__":
    if os.environ.get("BROWSER") == "none":
        print("browser: none, as requested: the tests of the pages in a browser are skipped")
    elif path := executable():
        print(f"browser: {path}")
    else:
        print("browser: none installed, downloading Playwright's own ...", flush=True)
        done = subprocess.run([sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"])
        if done.returncode:
            sys.exit("browser: none is installed, and none could be downloaded. Install Chromium or Chrome, "
                     "or skip the browser tests: BROWSER=none make test")
