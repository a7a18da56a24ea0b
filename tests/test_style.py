"""One style, held by a tool."""

import subprocess
import sys
from pathlib import Path


def test_ruff_has_nothing_to_say():
    found = subprocess.run([sys.executable, "-m", "ruff", "check", "--quiet", "--output-format", "concise"],
                           cwd=Path(__file__).parents[1], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
