"""A notebook is what its .py says, byte for byte."""

import json
from pathlib import Path

import nbformat
import pairs
import pytest

SOURCE = """\
# %% [markdown]
# # A title

# %% tags=["parameters"]
seed = 0

# %%
print(seed)

# %%
print(seed)
"""


def ids(source: str) -> dict[tuple[str, int], str]:
    cells = nbformat.reads(pairs.notebook(source), 4).cells
    return {(cell.source, [other.source for other in cells[:i]].count(cell.source)): cell.id
            for i, cell in enumerate(cells)}


def mend(root: Path) -> list[str]:
    return pairs.main("--root", str(root))


def check(root: Path) -> list[str]:
    return pairs.main("--root", str(root), "--check")


@pytest.fixture
def root(tmp_path):
    (tmp_path / "chapters" / "01_first").mkdir(parents=True)
    (tmp_path / "chapters" / "01_first" / "01_topic.py").write_text(SOURCE)
    assert mend(tmp_path) == []
    return tmp_path


def test_a_notebook_has_the_cells_of_its_source_and_no_outputs():
    notebook = json.loads(pairs.notebook(SOURCE))
    assert [cell["cell_type"] for cell in notebook["cells"]] == ["markdown", "code", "code", "code"]
    assert notebook["cells"][1]["metadata"] == {"tags": ["parameters"]}
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in notebook["cells"][1:])
    assert notebook["metadata"]["kernelspec"]["language"] == "python"  # papermill asks for it


def test_ids_are_unique_and_a_new_cell_changes_no_other():
    before = ids(SOURCE)
    assert len(set(before.values())) == 4
    after = ids(SOURCE.replace("# %%\nprint", "# %%\nnew = 1\n\n# %%\nprint", 1))
    assert len(set(after.values())) == 5
    assert before.items() <= after.items()


def test_the_same_source_gives_the_same_bytes(root):
    path = root / "chapters" / "01_first" / "01_topic.ipynb"
    assert path.read_bytes() == pairs.notebook(SOURCE).encode()
    assert check(root) == []


@pytest.mark.parametrize("change", [
    lambda path: path.write_text(path.read_text().replace("print", "repr", 1)),
    lambda path: path.write_text(path.read_text() + "\n"),
    lambda path: path.write_text(path.read_text().replace('"execution_count": null', '"execution_count": 1', 1)),
    lambda path: path.unlink(),
    lambda path: path.with_suffix(".py").write_text(SOURCE + "\n# %%\nmore = 1\n"),
], ids=["a cell", "a byte", "an output's number", "missing", "the source"])
def test_a_difference_is_named_and_mended(root, change):
    path = root / "chapters" / "01_first" / "01_topic.ipynb"
    change(path)
    [message] = check(root)
    assert "chapters/01_first/01_topic.ipynb" in message and "make pairs" in message
    assert mend(root) == []
    assert check(root) == []


def test_a_notebook_without_a_source_is_named_and_left_alone(root):
    path = root / "chapters" / "01_first" / "02_alone.ipynb"
    path.write_text(pairs.notebook(SOURCE))
    for act in (mend, check):
        [message] = act(root)
        assert "chapters/01_first/02_alone.ipynb" in message
    assert path.exists()


def test_the_pairs_of_this_book_agree():
    assert pairs.differing(pairs.ROOT / "chapters") == []
