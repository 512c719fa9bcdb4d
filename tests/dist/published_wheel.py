"""A plugin of pytest: leaves out the tests that need a server, hooks for tests, or the sources.

They fail with a text that says so, which becomes the reason why they are skipped.
"""

from __future__ import annotations

import inspect
from collections.abc import Generator

import pytest

# The texts of a fixture without its server, and of a wheel without the hooks.
MISSING = ("set LEAFMINT_TEST_", "has no attribute '_panic'")
READS_SOURCES = {"test_the_page_lists_all_checks"}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Makes a skipped test of one that failed because something is missing."""
    report = yield
    if call.excinfo and report.failed and any(text in str(call.excinfo.value) for text in MISSING):
        report.outcome = "skipped"
        report.longrepr = (str(item.path), item.location[1] or 0, str(call.excinfo.value))
    return report


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips a test that panics in another process, or reads the sources."""
    if item.name in READS_SOURCES:
        pytest.skip("reads the sources")
    if isinstance(item, pytest.Function) and "_panic" in inspect.getsource(item.function):
        pytest.skip("needs hooks for tests")
