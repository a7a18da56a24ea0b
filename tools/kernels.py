"""Kernels that start at once, as forks of a process that has already imported what the notebooks import.

A new Python takes a few seconds for the imports of a notebook, longer than the cells of most notebooks then take. So one
process runs all import statements, and forks a kernel for each notebook. Names are not shared: a notebook sees only what its
own cells define. But a module is loaded already if any of these notebooks imports it.

If that process ends, or its imports take too long, kernels start in the usual way, and the notebook at fault says why.
"""

import ast
import atexit
import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import EntryPoint
from pathlib import Path

import psutil
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

PATIENCE = 120  # seconds for all imports together, far more than they take


class Kernel(psutil.Process):
    """What jupyter_client asks of a process that is no child of this one."""

    stdin = stdout = stderr = None

    def poll(self) -> int | None:
        return None if self.is_running() else 0


class Forked(LocalProvisioner):
    """Starts a kernel by asking that process."""

    source: subprocess.Popen

    async def launch_kernel(self, cmd: list[str], **options) -> dict:
        said = ""
        with suppress(BrokenPipeError):
            print(json.dumps([self.parent.connection_file, os.getcwd()]), file=self.source.stdin, flush=True)
            said = self.source.stdout.readline()
        if not said:  # it has ended
            return await super().launch_kernel(cmd, **options)
        self.pid = self.pgid = int(said)
        self.process = Kernel(self.pid)
        return self.connection_info


def import_statements(notebooks: Iterable[Path]) -> list[str]:
    """The import statements of these notebooks, each once. One that cannot be read has none; its run will say why."""
    found = {}
    for path in notebooks:
        with suppress(SyntaxError, ValueError, KeyError):
            cells = json.loads(path.read_bytes())["cells"]
            tree = ast.parse("\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"))
            found |= {ast.unparse(node): None for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)}
    return list(found)


def fork_from(statements: list[str]) -> None:
    """From now on, the kernels of this process are forks of one that has run these statements."""
    Forked.source = subprocess.Popen([sys.executable, __file__, *statements], text=True,
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    factory = KernelProvisionerFactory.instance()
    factory.provisioners["forked"] = EntryPoint("forked", "kernels:Forked", KernelProvisionerFactory.GROUP_NAME)
    factory.default_provisioner_name = "forked"


def serve(statements: list[str]) -> None:
    """Import, then fork a kernel for each line, with its connection file and folder. Ends when its parent does."""
    del sys.path[0]  # the folder of this file
    # what the modules below look up as they are imported: whose end ends a kernel, and where figures are drawn
    os.environ |= {"JPY_PARENT_PID": str(os.getpid()), "MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    signal.alarm(PATIENCE)
    from ipykernel import kernelapp
    for statement in statements:
        with suppress(Exception):  # the notebook will raise it again
            exec(statement, {})
    signal.alarm(0)
    gc.collect()
    gc.freeze()  # a kernel's collector leaves alone what it shares
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody here waits for a kernel
    for line in sys.stdin:
        connection_file, folder = json.loads(line)
        if kernel := os.fork():
            print(kernel, flush=True)
            continue
        os.setsid()
        os.chdir(folder)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        sys.argv = ["ipykernel_launcher", "-f", connection_file]
        kernelapp.launch_new_instance()
        atexit._run_exitfuncs()
        os._exit(0)  # Python's own end would take seconds to free what all kernels share


if __name__ == "__main__":
    serve(sys.argv[1:])
