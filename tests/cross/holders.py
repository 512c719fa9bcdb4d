"""The kinds of holders whose files tests damage, copy and take away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

HOLDERS = ["local", "fixed", "mysql"]

HolderUrl = Callable[[str, Path], str]
"""Returns the URL of a kind of holder that keeps its files in a directory."""

LONGER_THAN_RESERVED = 5
"""Seconds: more than a state file reserves."""


def state_file(directory: Path) -> Path:
    """Returns the state file of the worker id 7."""
    (file,) = directory.glob("*/7.state")
    return file
