"""What a result depends on, as one digest: the versions, a function's code, and all that the code reaches."""

import builtins
import copyreg
import dis
import functools
import importlib.metadata
import importlib.util
import pickle
import random
import struct
import sys
import types
from hashlib import sha256
from pathlib import Path

import numpy as np

LIBRARIES = ("numpy", "scipy", "torch", "gymnasium", "dp-accounting")  # what the core computes with

# what a class holds besides what its author wrote, or what says the same as other entries
_NOT_CODE = {"__dict__", "__weakref__", "__doc__", "__module__", "__annotations__", "__annotate_func__",
             "__annotations_cache__", "__firstlineno__", "__static_attributes__", "__dataclass_fields__",
             "__dataclass_params__", "_abc_impl", "__slotnames__"}


def core_digest() -> str:
    """Of all files of ``privrl_core`` as they lie on the disk now."""
    root, digest = Path(__file__).parent, sha256()
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if path.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in name.parts):
            content = path.read_bytes()
            digest.update(f"{name.as_posix()}\n{len(content)}\n".encode() + content)
    return digest.hexdigest()


_IMPORTED = core_digest()


@functools.cache
def versions() -> str:
    """This ``privrl_core``, with the beginning of the digest of its source, Python, and the libraries that matter."""
    found = [f"privrl_core {_IMPORTED[:12]}", "python " + sys.version.split()[0]]
    for name in LIBRARIES:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


def require_current() -> None:
    """RuntimeError if the source of ``privrl_core`` is no longer what this process imported."""
    if core_digest() != _IMPORTED:
        raise RuntimeError("privrl_core has changed on the disk since it was imported: start Python (in a notebook, "
                           "the kernel) again, or rows of the old code would be kept as rows of the new")


def fingerprint(value: object) -> bytes:
    """32 bytes that are equal for equal values, in every process with the same ``versions()``.

    Of a function of one's own: its compiled code (so comments and line breaks do not count), its defaults, the values
    it closes over and the globals it names, and the same for every function, class and object reached from
    there. Of what belongs to Python or an installed package: name and version. Of ``privrl_core``: the name;
    ``versions()`` holds its digest. Of data: type and value, bit for bit.

    Raises ValueError, saying what was reached by which way, where equal fingerprints would not mean equal
    results: random generators from outside, modules of one's own used as modules (import their functions by name
    instead), functions that assign to globals, and whatever cannot be pickled. Files and the clock are not seen.
    """
    walk = _Walk()
    walk.visit(value, getattr(value, "__name__", type(value).__name__))
    return walk.digest.digest()


class _Walk:
    def __init__(self):
        self.digest, self.seen = sha256(), {}

    def note(self, *parts) -> None:
        for part in parts:
            part = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
            self.digest.update(b"%d:" % len(part) + part)

    def visit(self, value, way: str) -> None:
        kind = type(value)
        if value is None or kind in (bool, int, str, bytes, range, type(...), type(NotImplemented)):
            return self.note(kind.__name__, value)
        if kind in (float, complex):
            return self.note(kind.__name__, struct.pack("<2d", value.real, value.imag))
        if id(value) in self.seen:
            return self.note("again", self.seen[id(value)][0])
        self.seen[id(value)] = len(self.seen), value  # held, so that nothing else gets its id
        self.note(kind.__module__, kind.__qualname__)
        if isinstance(value, np.generic) or kind is np.ndarray and not value.dtype.hasobject:
            self.note(repr(value.dtype), value.shape, value.tobytes())
        elif kind in (tuple, list):
            self.each(value, way)
        elif kind is dict:
            self.each(value, way)
            self.each(value.values(), way)
        elif kind in (set, frozenset):
            self.note(*sorted(fingerprint(item) for item in value))
        elif isinstance(value, types.ModuleType):
            if self.named(value.__name__, "") is None:
                _refuse(way, f"{value.__name__} is a module of your own: import the functions by name")
        elif isinstance(value, types.FunctionType):
            self.function(value, way)
        elif isinstance(value, type):
            self.type(value, way)
        elif isinstance(value, types.CodeType):
            self.code(value, way)
        elif isinstance(value, (types.MethodType, types.BuiltinFunctionType, types.MethodWrapperType)):
            self.note(value.__name__)
            self.visit(value.__self__, f"{way}.__self__")
        elif isinstance(value, (functools._lru_cache_wrapper, staticmethod, classmethod)):
            self.visit(value.__wrapped__, way)
        elif isinstance(value, property):
            self.each((value.fget, value.fset, value.fdel), way)
        elif isinstance(value, (types.MemberDescriptorType, types.GetSetDescriptorType, types.WrapperDescriptorType,
                                types.MethodDescriptorType)):
            self.note(value.__name__)
        elif value is np.random.mtrand._rand:  # every distribution of scipy.stats holds it
            self.note("the global generator of numpy")
        elif isinstance(value, (np.random.Generator, np.random.BitGenerator, np.random.RandomState, random.Random)) \
                or (torch := sys.modules.get("torch")) and isinstance(value, torch.Generator):
            _refuse(way, "is a random generator: what a row draws from it depends on the rows before; use `rng`")
        elif torch and isinstance(value, torch.Tensor):  # pickled, it would hold an address
            self.visit(value.detach().cpu().numpy(), way)
        else:
            self.pickled(value, way)

    def each(self, values, way) -> None:
        self.note(len(values))
        for number, value in enumerate(values):
            self.visit(value, f"{way}[{number}]")

    def named(self, module: str, name: str) -> str | None:
        """Note something by its name, if it belongs to the core, to Python or to an installed package."""
        if (owner := _owner(module or "")) is not None:
            self.note(owner, module, name)
        return owner

    def function(self, function, way) -> None:
        self.note(function.__qualname__)
        if function.__closure__ or "<locals>" in function.__qualname__ or \
                self.named(function.__module__, function.__qualname__) is None:
            self.code(function.__code__, way)
            self.visit(function.__defaults__, f"{way}'s defaults")
            self.visit(function.__kwdefaults__, f"{way}'s defaults")
            for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
                self.name(name, _contents(name, cell), way)
            for name in sorted(_globals(function.__code__, way)):
                self.name(name, function.__globals__, way)

    def name(self, name, namespace, way) -> None:
        self.note("name", name)
        if name in namespace:
            self.visit(namespace[name], f"{way} → {name}")
        else:
            self.note("of Python itself" if hasattr(builtins, name) else "not defined")

    def code(self, code, way) -> None:
        self.note(code.co_code, code.co_exceptiontable, code.co_flags, code.co_argcount, code.co_posonlyargcount,
                  code.co_kwonlyargcount, code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars)
        self.each(code.co_consts, way)
        for line in dis.get_instructions(code):
            if line.opname == "IMPORT_NAME" and self.named(line.argval, "imported") is None:
                _refuse(way, f"imports {line.argval}, a module of your own, inside: import from it outside, by name")

    def type(self, kind, way) -> None:
        self.note(kind.__qualname__)
        if "<locals>" in kind.__qualname__ or self.named(kind.__module__, kind.__qualname__) is None:
            self.each(kind.__bases__, way)
            for name, value in sorted(vars(kind).items()):
                if name not in _NOT_CODE:
                    self.note(name)
                    self.visit(value, f"{way}.{name}")

    def pickled(self, value, way) -> None:
        """Any other object: what would be pickled of it."""
        try:
            reducer = copyreg.dispatch_table.get(type(value))
            reduced = reducer(value) if reducer else value.__reduce_ex__(4)
        except Exception as error:
            _refuse(way, f"cannot be pickled: {type(error).__name__}: {error}")
        if isinstance(reduced, str):
            module = pickle.whichmodule(value, reduced)
            if getattr(sys.modules[module], reduced, None) is not value or self.named(module, reduced) is None:
                _refuse(way, f"is a {type(value).__name__} of which only the name is known")
            return
        self.note(len(reduced))
        for part in reduced:
            self.visit(list(part) if isinstance(part, types.GeneratorType) or hasattr(part, "__next__") else part, way)


def _refuse(way, why):
    raise ValueError(f"function must be one whose rows can be kept, got {way}: {why}")


def _contents(name, cell) -> dict:
    try:
        return {name: cell.cell_contents}
    except ValueError:  # nothing in it yet
        return {}


def _globals(code, way) -> set[str]:
    """The globals that code reads, itself and in the functions and classes within."""
    names = set()
    for line in dis.get_instructions(code):
        if line.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
            _refuse(way, f"assigns to {line.argval}, a global: its rows may depend on their order")
        if line.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            names.add(line.argval)
    return names.union(*(_globals(inner, way) for inner in code.co_consts if isinstance(inner, types.CodeType)))


@functools.cache
def is_own(module: str) -> bool:
    """Whether a module is the user's: neither of the core, nor Python's, nor of an installed package."""
    top = module.partition(".")[0]
    if top == "__main__":  # though the file that was started may be a package's
        return True
    if top in (__package__, "builtins") or top in sys.stdlib_module_names:
        return False
    loaded = sys.modules.get(top)
    try:
        found = loaded.__spec__ if loaded else importlib.util.find_spec(top)
    except ValueError:
        found = None
    places = [*(getattr(loaded, "__path__", None) or ()), getattr(loaded, "__file__", None), found and found.origin]
    return not any({"site-packages", "dist-packages"} & set(Path(place).parts) for place in places if place)


@functools.cache
def _owner(module: str) -> str | None:
    """Whose a module is, with the version; None if it is the user's own, or of no known version."""
    top = module.partition(".")[0]
    if is_own(module):
        return None
    if top == __package__:
        return top
    if top == "builtins" or top in sys.stdlib_module_names:
        return "python"
    try:
        return f"{top} {importlib.metadata.version(top)}"
    except importlib.metadata.PackageNotFoundError:
        found = importlib.metadata.packages_distributions().get(top)  # takes a while: it reads them all
        return f"{top} {importlib.metadata.version(found[0])}" if found else None
