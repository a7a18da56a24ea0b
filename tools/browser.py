"""See to it that there is a browser for the tests: one that is installed, else Playwright's own.

`executable()` is the path of the installed one, or None where Playwright's own is used.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MACOS = (Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
         Path("/Applications/Chromium.app/Contents/MacOS/Chromium"))


def executable() -> str | None:
    found = [path for name in NAMES if (path := shutil.which(name))]
    found += [str(path) for path in MACOS if path.exists()]
    return found[0] if found else None


if __name__ == "__main__":
    if os.environ.get("BROWSER") == "none":
        print("browser: none, as asked: the tests of the pages in a browser are left out")
    elif path := executable():
        print(f"browser: {path}")
    else:
        print("browser: none installed, fetching Playwright's own ...", flush=True)
        done = subprocess.run([sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"])
        if done.returncode:
            sys.exit("browser: there is none, and none could be fetched. Install Chromium or Chrome, "
                     "or leave the browser out: BROWSER=none make test")
