"""What Python code depends on in the core: the modules that it imports, all that these import, and their data files.

Imports inside functions count. A name imported from a wing counts as the module that defines it; a wing imported as such
(``import privrl_core.offline``) counts as all of its modules. The data files of a module are the files in its folder whose
names occur in it as strings, such as ``"ledger.json"``.
"""

import ast
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

CORE = Path(__file__).parents[1]


@dataclass(frozen=True)
class _Parsed:
    """The relevant parts of a module: its ``imports`` (module and name), the ``homes`` of a wing's names, and its text."""

    imports: frozenset[tuple[str, str | None]]
    homes: dict[str, str]
    strings: frozenset[str]
    code: str


@lru_cache(maxsize=1000)
def _parse(source: str) -> _Parsed:
    """Parse a module, or the code of a notebook. SyntaxError if it is not Python."""
    tree, imports, homes = ast.parse(source), set(), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports |= {(alias.name, None) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imports |= {(node.module, None if alias.name == "*" else alias.name) for alias in node.names}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "exports":
            homes = {name: part.arg for part in node.keywords for name in ast.literal_eval(part.value)}
            node.keywords = []  # a change there matters only to importers of the names that it moves
        elif isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            del node.body[0]  # a docstring, like a comment, changes no result
    strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return _Parsed(frozenset(imports), homes, frozenset(strings), ast.dump(tree))


def cone(source: str, core: Path = CORE) -> set[Path]:
    """The files below ``core`` that code depends on. For one module: ``cone("import privrl_core.checks")``."""
    found, waiting = set(), _imported(source, core)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            text = path.read_text("utf-8")
            found |= {file for file in path.parent.iterdir() if file.name in _parse(text).strings and file.suffix != ".py"}
            waiting |= _imported(text, core)
    return found


def cone_digest(source: str, core: Path = CORE) -> str:
    """A digest of the files in the `cone`, where modules count without their comments and docstrings."""
    digest = sha256()
    for path in sorted(cone(source, core)):
        content = _parse(path.read_text("utf-8")).code.encode() if path.suffix == ".py" else path.read_bytes()
        digest.update(f"{path.relative_to(core).as_posix()}\n{len(content)}\n".encode() + content)
    return digest.hexdigest()


def _imported(source: str, core: Path) -> set[Path]:
    return {path for module, name in _parse(source).imports if f"{module}.".startswith(f"{core.name}.")
            for path in _files(module, name, core) if path.is_file()}


def _files(module: str, name: str | None, core: Path) -> set[Path]:
    """Possible files of the modules that ``from module import name`` runs, or ``import module`` if there is no name."""
    parts = module.split(".")
    packages = [core.parent.joinpath(*parts[:depth]) for depth in range(1, len(parts) + 1)]
    files = {package / "__init__.py" for package in packages} | {packages[-1].with_suffix(".py")}
    initial = packages[-1] / "__init__.py"
    homes = _parse(initial.read_text("utf-8")).homes if initial.exists() else {}
    below = {homes.get(name, name)} if name else {path.stem for path in packages[-1].glob("*") if path.stem != "__init__"}
    return files.union(*(_files(f"{module}.{part}", None, core) for part in below))
