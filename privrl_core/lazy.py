"""A wing's names, imported from its modules when they are first used, so that a module costs what it needs and no more."""

from importlib import import_module

__all__ = ["exports"]


def exports(package: str, **names: list[str]):
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package, from the names that each of its modules gives to it."""
    home = {name: module for module, listed in names.items() for name in listed}

    def __getattr__(name):
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{home[name]}"), name)

    return __getattr__, lambda: sorted(home), sorted(home)
