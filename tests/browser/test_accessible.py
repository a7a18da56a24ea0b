"""axe-core finds nothing serious on any page, in the light and in the dark."""

from importlib.resources import files

import execute
import pytest

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")


@pytest.mark.parametrize("page", execute.documents(execute.ROOT))
def test_nothing_keeps_anybody_out(page, visit, site):
    for scheme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):  # only colours know of the dark
        seen = visit(f"{(site / page).as_uri()}.html", scheme=scheme)
        seen.page.evaluate(AXE)
        found = seen.page.evaluate("rules => axe.run(rules)", rules)
        assert found["passes"], "axe looked at nothing"
        bad = [f"{problem['impact']}: {problem['help']}: {node['html'][:120]}" for problem in found["violations"]
               for node in problem["nodes"] if problem["impact"] in ("serious", "critical")]
        assert bad == []
