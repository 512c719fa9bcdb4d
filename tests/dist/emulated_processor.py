"""A plugin of pytest: leaves out the tests that an emulated processor cannot run.

The release workflow runs them on a real aarch64.
"""

from __future__ import annotations

import inspect

import pytest

# Names of files and tests, or what their sources have in them.
REASONS = {
    "fork": "the child of a process with threads may wait forever for a lock of qemu-user's own",
    "test_shortages.py": "there is no other user, whose threads could be limited",
    "leave_no_open_files": "the emulator needs memory of its own for each piece of code",
}


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips a test that cannot run, with the reason."""
    source = inspect.getsource(item.function) if isinstance(item, pytest.Function) else ""
    for text, reason in REASONS.items():
        if text in item.path.name or text in item.name or text in source:
            pytest.skip(reason)
