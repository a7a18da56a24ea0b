"""For all tests: hypothesis looks at the same examples on every run, and no test is about how fast it is."""

from hypothesis import settings

settings.register_profile("book", deadline=None, derandomize=True, database=None)
settings.load_profile("book")
