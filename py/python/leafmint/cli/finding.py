"""A line of what a check reports."""

from __future__ import annotations

from typing import Any, NamedTuple


class Finding(NamedTuple):
    """One line of the report."""

    check: str
    status: str
    text: str
    figures: dict[str, Any]
    exit_code: int = 0
