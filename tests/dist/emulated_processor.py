"""A plugin of pytest: leaves out the tests that fork, on an emulated processor.

The child of a process with threads may wait forever for a lock of qemu-user's own, which another thread held at the
fork. The release workflow runs these tests on a real aarch64.
"""

from __future__ import annotations

import inspect

import pytest


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips a test that forks."""
    source = inspect.getsource(item.function) if isinstance(item, pytest.Function) else ""
    if any("fork" in text for text in (item.path.name, item.name, source)):
        pytest.skip("forks")
