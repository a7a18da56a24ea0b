import pytest


def pytest_addoption(parser):
    parser.addoption("--write", action="store_true", help="write what the claims' tests find to the ledger")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """All claims on the process of the ledger's own tests: what it has measured it need not measure again."""
    for item in items:
        if hasattr(getattr(item, "function", None), "claims"):
            item.add_marker(pytest.mark.xdist_group("ledger"))
