"""``python -m privrl_core``: from a log to a release and a signed statement, without writing Python."""

import sys

from privrl_core.command_line import main

if __name__ == "__main__":
    sys.exit(main())
