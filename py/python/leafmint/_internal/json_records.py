"""The records of the library as JSON has them: ids and other large numbers as strings, times as ISO 8601 in UTC."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..records import AuditFinding, KeyUse, SnowflakeStats, TagInfo, TagStats, WorkerInfo

LARGE = ("issued", "leased", "unused", "given_back", "highest_leased", "numbers_left")
"""Figures of a tag that JSON has as strings."""


def time_text(at: datetime) -> str:
    """Returns a time as ISO 8601 in UTC, to the millisecond."""
    return at.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def tag_record(tag: TagInfo) -> dict[str, Any]:
    """Returns a tag."""
    update_time = None if tag.update_time is None else time_text(tag.update_time)
    return {**asdict(tag), "max_id": large(tag.max_id), "update_time": update_time}


def worker_record(worker: WorkerInfo) -> dict[str, Any]:
    """Returns a worker id."""
    times = {name: getattr(worker, name) and time_text(getattr(worker, name)) for name in ("horizon", "updated")}
    return {**asdict(worker), **times}


def key_record(key: KeyUse) -> dict[str, Any]:
    """Returns a key of an audit."""
    return {
        "table": key.table,
        "column": key.column,
        "data_type": key.data_type,
        "used": str(key.used),
        "largest": str(key.largest),
        "days_left": days_left(key),
    }


def finding_record(finding: AuditFinding) -> dict[str, Any]:
    """Returns a finding of an audit."""
    return {**asdict(finding), "value": str(finding.value), "limit": str(finding.limit)}


def figures_record(figures: TagStats | SnowflakeStats) -> dict[str, Any]:
    """Returns the figures of a tag or of a generator of snowflakes, with durations in seconds."""
    return {name: figure(name, value) for name, value in asdict(figures).items()}


def figure(name: str, value: object) -> object:
    """Returns one figure."""
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, datetime):
        return time_text(value)
    return str(value) if name in LARGE and value is not None else value


def days_left(key: KeyUse) -> float | None:
    """Returns the time that a key has left in days."""
    return None if key.time_left is None else key.time_left / timedelta(days=1)


def large(number: int | None) -> str | None:
    """Returns a number that may be above 2^53."""
    return None if number is None else str(number)
