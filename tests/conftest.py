"""For all tests: hypothesis looks at the same examples on every run, and no test is about how fast it is."""

import pytest
from hypothesis import settings

settings.register_profile("book", deadline=None, derandomize=True, database=None)
settings.load_profile("book")


@pytest.fixture(scope="session")
def names_after_all_cells():
    """The names of a notebook after all of its cells, run in their order at a small effort."""
    import execute
    import nbformat

    def names_of(notebook: str) -> dict:
        names = {}
        for cell in nbformat.read(execute.ROOT / f"{notebook}.ipynb", 4).cells:
            if cell.cell_type == "code":
                exec(compile(cell.source, notebook, "exec"), names)
                if "parameters" in cell.metadata.get("tags", ()):
                    names["effort"] = 0.05
        return names
    return names_of


@pytest.fixture(scope="module")
def page(request, names_after_all_cells):
    """The names of the page of exercises that a module of tests is about, its ``PAGE``."""
    return names_after_all_cells(request.module.PAGE)
