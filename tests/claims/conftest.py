def pytest_addoption(parser):
    parser.addoption("--write", action="store_true", help="write what the claims' tests find to the ledger and its page")
