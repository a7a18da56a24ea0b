"""On Ctrl-C, end a tool and all processes it has started, with one line and exit code 130. Finished results are kept."""

import os
import signal
from contextlib import suppress

import psutil

_done = ""  # `; 3 of 27 done`, the end of that line


def install() -> None:
    """Install the handler. Call this in the main file before its other imports. No effect if SIGINT is ignored (`nohup`)."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def done(number: int, total: int) -> int:
    """Record how many items are done, for the line at an interruption."""
    global _done
    _done = f"; {number} of {total} done"
    return number


def _end(*_) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.write(2, f"\ninterrupted{_done}\n".encode())
    tree = set()
    while started := set(psutil.Process().children(recursive=True)) - tree:
        tree |= started
        _to_all(started, "suspend")  # suspended processes start no others
    _to_all(tree, "kill")
    os._exit(130)  # at once, so that no thread starts another process


def _to_all(processes: set[psutil.Process], action: str) -> None:
    for process in processes:
        with suppress(psutil.Error):  # the process has already ended
            getattr(process, action)()
