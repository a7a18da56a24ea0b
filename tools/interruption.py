"""Ctrl-C ends a tool and all that it has started: one line, exit code 130. What is finished stays finished."""

import os
import signal
from contextlib import suppress

import psutil

_done = ""  # `; 3 of 27 done`, for the line


def install() -> None:
    """To be called by the file that runs, before its other imports; not where SIGINT is ignored, as after `nohup`."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def done(number: int, total: int) -> int:
    """So many are done, if it ends now."""
    global _done
    _done = f"; {number} of {total} done"
    return number


def _end(*_) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.write(2, f"\ninterrupted{_done}\n".encode())
    tree = set()
    while started := set(psutil.Process().children(recursive=True)) - tree:
        tree |= started
        _to_all(started, "suspend")  # what is stopped starts nothing more
    _to_all(tree, "kill")
    os._exit(130)  # no thread has a chance to start the next


def _to_all(processes: set[psutil.Process], action: str) -> None:
    for process in processes:
        with suppress(psutil.Error):  # it ended by itself
            getattr(process, action)()
