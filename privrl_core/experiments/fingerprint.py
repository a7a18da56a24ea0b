"""A digest of everything that the result of a function depends on: its code, and all that the code reaches."""

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
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np

from privrl_core.experiments.import_cone import CORE, cone_digest

# attributes of a class that its author did not write, or that repeat other attributes
_NOT_CODE = {"__dict__", "__weakref__", "__doc__", "__module__", "__annotations__", "__annotate_func__",
             "__annotations_cache__", "__firstlineno__", "__static_attributes__", "__dataclass_fields__",
             "__dataclass_params__", "_abc_impl", "__slotnames__"}

# plain data, converted to text or bytes that determine it exactly
_DATA: dict[type, Callable] = {
    **dict.fromkeys((type(None), bool, int, str, bytes, range, type(...), type(NotImplemented)), lambda value: value),
    float: lambda value: struct.pack("<d", value),
    complex: lambda value: struct.pack("<2d", value.real, value.imag),
}
# collections, which are determined by their items
_ITEMS: dict[type, Callable] = {
    **dict.fromkeys((tuple, list), lambda value: value),
    dict: lambda value: [*value, *value.values()],
    **dict.fromkeys((set, frozenset), lambda value: sorted(map(fingerprint, value))),
}
# objects that are determined by some of their attributes
_ATTRIBUTES: dict[type, tuple[str, ...]] = {
    types.CodeType: ("co_code", "co_exceptiontable", "co_flags", "co_argcount", "co_posonlyargcount", "co_kwonlyargcount",
                     "co_names", "co_varnames", "co_cellvars", "co_freevars", "co_consts"),
    property: ("fget", "fset", "fdel"),
    **dict.fromkeys((staticmethod, classmethod, functools._lru_cache_wrapper), ("__wrapped__",)),
    **dict.fromkeys((types.MethodType, types.BuiltinFunctionType, types.MethodWrapperType), ("__name__", "__self__")),
    **dict.fromkeys((types.MemberDescriptorType, types.GetSetDescriptorType, types.WrapperDescriptorType,
                     types.MethodDescriptorType), ("__name__",)),
}


def fingerprint(value: object) -> bytes:
    """32 bytes that are equal for equal values, in every process with the same Python.

    A function of your own is represented by its compiled code (so comments and line breaks do not count), its defaults, the
    values it closes over and the globals it names, and likewise every function, class and object reached from there. What
    belongs to Python or an installed package is represented by name and version; what belongs to ``privrl_core``, by its
    name and the digest of its module with all imports (`privrl_core.experiments.import_cone`); data, by type and bits.

    Raises ValueError, naming the object and how it was reached, where equal fingerprints would not imply equal
    results: for random generators from outside, modules of your own used as modules (import their functions by name
    instead), functions that assign to globals, and objects that cannot be pickled. Files and the clock are not covered.
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
        if kind in _DATA:
            self.note(kind.__name__, _DATA[kind](value))
        elif id(value) in self.seen:
            self.note("again", self.seen[id(value)][0])
        else:
            self.seen[id(value)] = len(self.seen), value  # a reference, so that no other object gets its id
            self.note(kind.__module__, kind.__qualname__)
            if kind in _ITEMS:
                self.each(_ITEMS[kind](value), way)
            elif kind in _ATTRIBUTES:
                for name in _ATTRIBUTES[kind]:
                    self.visit(getattr(value, name), f"{way}.{name}")
            else:
                self.whole(value, way)

    def each(self, values, way) -> None:
        self.note(len(values))
        for number, value in enumerate(values):
            self.visit(value, f"{way}[{number}]")

    @functools.singledispatchmethod
    def whole(self, value, way) -> None:
        """An array, a generator, a module, a function, a class, or any other object."""
        torch = sys.modules.get("torch")
        if torch and isinstance(value, torch.Generator):
            self.generator(value, way)
        elif torch and isinstance(value, torch.Tensor):  # pickled, it would hold an address
            self.visit(value.detach().cpu().numpy(), way)
        else:
            self.pickled(value, way)

    def pickled(self, value, way) -> None:
        """Any other object, represented by what pickle would store."""
        try:
            reducer = copyreg.dispatch_table.get(type(value))
            reduced = reducer(value) if reducer else value.__reduce_ex__(4)
        except Exception as error:
            _refuse(way, f"cannot be pickled: {type(error).__name__}: {error}")
        if isinstance(reduced, str):
            module = pickle.whichmodule(value, reduced)
            if getattr(sys.modules[module], reduced, None) is not value or not self.named(module, reduced):
                _refuse(way, f"is a {type(value).__name__} of which only the name is known")
            return
        self.note(len(reduced))
        for part in reduced:
            self.visit(list(part) if isinstance(part, types.GeneratorType) or hasattr(part, "__next__") else part, way)

    @whole.register
    def array(self, value: np.generic | np.ndarray, way) -> None:
        if value.dtype.hasobject or isinstance(value, np.ndarray) and type(value) is not np.ndarray:
            return self.pickled(value, way)
        self.note(repr(value.dtype), value.shape, value.tobytes())

    @whole.register
    def generator(self, value: np.random.Generator | np.random.BitGenerator | np.random.RandomState | random.Random,
                  way) -> None:
        if value is not np.random.mtrand._rand:  # every distribution of scipy.stats holds this one
            _refuse(way, "is a random generator: what a row draws from it depends on earlier rows; use `rng`")

    @whole.register
    def module(self, value: types.ModuleType, way) -> None:
        if not self.named(value.__name__, ""):
            _refuse(way, f"{value.__name__} is a module of your own: import the functions by name")

    @whole.register
    def function(self, value: types.FunctionType, way) -> None:
        self.note(value.__qualname__)
        if value.__closure__ or "<locals>" in value.__qualname__ or not self.named(value.__module__, value.__qualname__):
            self.visit(value.__code__, way)
            self.visit(value.__defaults__, f"{way}'s defaults")
            self.visit(value.__kwdefaults__, f"{way}'s defaults")
            for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True):
                self.name(name, _contents(name, cell), way)
            for name in sorted(self.globals_of(value.__code__, way)):
                self.name(name, value.__globals__, way)

    @whole.register
    def type(self, value: type, way) -> None:
        self.note(value.__qualname__)
        if "<locals>" in value.__qualname__ or not self.named(value.__module__, value.__qualname__):
            self.each(value.__bases__, way)
            for name, attribute in sorted(vars(value).items()):
                if name not in _NOT_CODE:
                    self.note(name)
                    self.visit(attribute, f"{way}.{name}")

    def named(self, module: str, name: str) -> bool:
        """Add an object to the digest by its name, if it belongs to the core, to Python or to an installed package."""
        if (owner := _owner(module or "")) is not None:
            self.note(owner, module, name)
        return owner is not None

    def name(self, name, namespace, way) -> None:
        self.note("name", name)
        if name in namespace:
            self.visit(namespace[name], f"{way} → {name}")
        else:
            self.note("of Python itself" if hasattr(builtins, name) else "not defined")

    def globals_of(self, code, way) -> set[str]:
        """The globals that code and its nested functions and classes read. Adds the modules it imports to the digest."""
        names = set()
        for line in dis.get_instructions(code):
            if line.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
                _refuse(way, f"assigns to {line.argval}, a global: its rows may depend on their order")
            if line.opname == "IMPORT_NAME" and not self.named(line.argval, "imported"):
                _refuse(way, f"imports {line.argval}, a module of your own, inside: import from it outside, by name")
            if line.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                names.add(line.argval)
        inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
        return names.union(*(self.globals_of(one, way) for one in inner))


def _refuse(way, why):
    raise ValueError(f"function must be one whose rows can be cached, got {way}: {why}")


def _contents(name, cell) -> dict:
    try:
        return {name: cell.cell_contents}
    except ValueError:  # the cell is still empty
        return {}


@functools.cache
def is_own(module: str) -> bool:
    """Whether a module is the user's own: not part of the core, of Python or of an installed package."""
    top = module.partition(".")[0]
    if top == "__main__":  # although the file that was started may belong to a package
        return True
    if top in (CORE.name, "builtins") or top in sys.stdlib_module_names:
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
    """The owner of a module and its version; None if the module is the user's own or has no known version."""
    top = module.partition(".")[0]
    if is_own(module):
        return None
    if top == CORE.name:
        return f"{top} {cone_digest(f'import {module}')}"
    if top == "builtins" or top in sys.stdlib_module_names:
        return "python"
    try:
        return f"{top} {importlib.metadata.version(top)}"
    except importlib.metadata.PackageNotFoundError:
        found = importlib.metadata.packages_distributions().get(top)  # slow: it reads all of them
        return f"{top} {importlib.metadata.version(found[0])}" if found else None
