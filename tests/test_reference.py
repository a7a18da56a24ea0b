"""The reference has every public name of the core once, and the page on citing says what CITATION.cff says."""

import importlib
import inspect
import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
SITE = ROOT / "_build" / "quick" / "html"
CORE = ROOT / "privrl_core"
WIDGETS = ["explorer", "game", "hospital"]
MODULES = sorted(".".join(path.relative_to(CORE).with_suffix("").parts) for path in CORE.rglob("*.py")
                 if path.stem not in ("__init__", "__main__") and path.parent not in [CORE / "pages" / name for name in WIDGETS]) + [f"pages.{name}" for name in WIDGETS]
PAGES = sorted((ROOT / "book" / "reference").glob("*.md"))


@pytest.fixture(scope="module")
def documented() -> list[str]:
    """The full names that the reference explains, with repetitions."""
    return [name for page in PAGES
            for name in re.findall(r'<dt class="[^"]*" id="([\w.]+)"', (SITE / "book" / "reference" / f"{page.stem}.html").read_text("utf-8"))]


def public(module) -> list[str]:
    """What `__all__` says; where it says nothing, the functions and classes that are defined there."""
    defined = [name for name, value in vars(module).items() if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__
               and (inspect.isclass(value) or inspect.isfunction(value))]
    return getattr(module, "__all__", defined)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_in_the_reference_with_all_its_public_names(name, documented):
    blocks = [page.name for page in PAGES if re.search(rf"^\.\. automodule:: privrl_core\.{name}$", page.read_text("utf-8"), re.M)]
    assert len(blocks) == 1, (f"privrl_core.{name} must have its block `.. automodule:: privrl_core.{name}` on one page of book/reference "
                              f"(and its line in book/reference/index.md), found it on {blocks}")
    assert f"   ~privrl_core.{name}\n" in (ROOT / "book" / "reference" / "index.md").read_text("utf-8")
    module = importlib.import_module(f"privrl_core.{name}")
    assert module.__doc__
    for one in public(module):
        home = getattr(getattr(module, one), "__module__", module.__name__)  # what is taken over from another module stands there
        places = {f"{module.__name__}.{one}", f"{home}.{one}"}
        assert sum(documented.count(place) for place in places) == 1, (
            f"{places} must be in the reference once: it needs a docstring, or `#:` above it if it is a constant")


def test_the_page_on_citing_has_the_facts_of_the_citation_file():
    facts = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    page = " ".join(re.sub(r"^> ", "", (ROOT / "book" / "cite.md").read_text("utf-8"), flags=re.M).split())
    [author] = [one["name"] for one in facts["authors"]]
    assert facts["message"].rstrip(".") in page
    assert f"{author}. *{facts['title']}*. Version {facts['version']}." in page
    assert f"author = {{{{{author}}}}}, title = {{{facts['title']}}}, version = {{{facts['version']}}}" in page
    assert facts["license"] == ["MIT", "CC-BY-4.0"] and "Text under CC BY 4.0, code under the MIT licence." in page
    assert facts["version"] == tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
