"""Deferred imports: of a wing's names until they are used, and of packages that belong to an extra of this one."""

from contextlib import contextmanager
from importlib import import_module

__all__ = ["exports", "needs"]


def exports(package: str, **names: list[str]):
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package, from the names that each of its modules exports."""
    home = {name: module for module, listed in names.items() for name in listed}

    def __getattr__(name):
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{home[name]}"), name)

    return __getattr__, lambda: sorted(home), sorted(home)


@contextmanager
def needs(extra: str):
    """``with needs("experiments"): import pandas``: if the package is missing, the error names the extra that brings it.

    Raises ModuleNotFoundError: ``pandas is missing: pip install "privrl-core[experiments]"``.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f'{error.name} is missing: pip install "privrl-core[{extra}]"', name=error.name) from None
