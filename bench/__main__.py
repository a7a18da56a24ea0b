"""What is fast, beside what one would otherwise run: ``make bench``, or ``python -m bench trajectories``."""

import subprocess
import sys
from pathlib import Path

SUBJECTS = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py") if path.stem != "measure")


def main(chosen):
    if unknown := set(chosen) - set(SUBJECTS):
        sys.exit(f"subjects must be among {', '.join(SUBJECTS)}, got {', '.join(sorted(unknown))}")
    for subject in chosen or SUBJECTS:
        # a process of its own, so that its peak of memory is its own too
        subprocess.run([sys.executable, "-m", f"bench.{subject}"], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
