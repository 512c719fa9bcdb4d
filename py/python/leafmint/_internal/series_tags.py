"""The tags of series: which belong to one, and how full its format is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

from .._core import Format
from ..errors import InvalidConfigError
from .json_records import large, time_text

if TYPE_CHECKING:
    from ..records import SeriesInfo, TagInfo

ENDS = {"day": "@([0-9]{4}-[0-9]{2}-[0-9]{2})", "month": "@([0-9]{4}-[0-9]{2})", "year": "@([0-9]{4})", "forever": "()"}
"""What the tags of a series end with, by its period."""


class SeriesTag(NamedTuple):
    """A tag of a series."""

    key: str
    """The key; empty for none."""
    group: str
    """The period as text; empty if the numbers never start again."""
    max_id: int | None


def by_series(tags: Iterable[TagInfo], series: Iterable[SeriesInfo]) -> dict[str, list[SeriesTag]]:
    """Returns the tags of each series by its name."""
    periods = {each.name: each.period for each in series}
    found: dict[str, list[SeriesTag]] = {name: [] for name in periods}
    for tag in tags:
        if belongs := series_of(tag.name, periods):
            name, key, group = belongs
            found[name].append(SeriesTag(key, group, tag.max_id))
    return found


def own_tags(tags: Iterable[TagInfo], series: Iterable[SeriesInfo]) -> list[TagInfo]:
    """Returns the tags that belong to no series, or cannot be used."""
    periods = {each.name: each.period for each in series}
    return [tag for tag in tags if tag.problem or not series_of(tag.name, periods)]


def series_of(tag: str, periods: Mapping[str, str]) -> tuple[str, str, str] | None:
    """Returns the name of the series that a tag belongs to, its key and its period; None for a tag of no series."""
    name = re.split("[/@]", tag, maxsplit=1)[0]
    end = ENDS.get(periods.get(name, ""))
    match = end and re.fullmatch(f"(?:/([^@]+))?{end}", tag[len(name) :])
    return (name, match[1] or "", match[2]) if match else None


def series_record(series: SeriesInfo, tags: list[SeriesTag], now: datetime) -> dict[str, Any]:
    """Returns a series for JSON, with numbers as strings."""
    keys, groups = ({tag.key for tag in tags} - {""}), ({tag.group for tag in tags} - {""})
    latest = max(groups, default=None)
    numbers = [tag.max_id for tag in tags if tag.max_id is not None and tag.group == (latest or "")]
    max_id = max(numbers, default=None)
    width = width_of(series, latest, max_id, now)
    return {
        **asdict(series),
        "keys": len(keys),
        "groups": len(groups),
        "latest": latest,
        "max_id": large(max_id),
        "left": None if width is None else str(width.left),
        "ends": None if width is None or width.ends is None else time_text(width.ends),
    }


class Width(NamedTuple):
    """How full the format of a series is, in its latest period."""

    largest: int
    left: int
    ends: datetime | None
    """When the last number is leased at the pace of the period so far, if that is before the period ends."""


def width_of(series: SeriesInfo, latest: str | None, max_id: int | None, now: datetime) -> Width | None:
    """Returns how full the format is; None without one that ends, and without a number."""
    largest = largest_of(series.format)
    if largest is None or max_id is None:
        return None
    left = max(largest - (max_id - 1), 0)
    if latest is None or series.zone is None:
        return Width(largest, left, None)
    begins, ends = bounds(latest, ZoneInfo(series.zone))
    if now <= begins or max_id <= 1:
        return Width(largest, left, None)
    # In seconds: at a slow pace the last number is leased after the last year that a time can have.
    lasts = (now - begins).total_seconds() * left / (max_id - 1)
    is_before = lasts < (ends - now).total_seconds()
    return Width(largest, left, now + timedelta(seconds=lasts) if is_before else None)


def largest_of(text: str | None) -> int | None:
    """Returns the largest number that a stored format has room for; None for one that this version cannot read."""
    try:
        return None if text is None else Format(text).largest
    except InvalidConfigError:
        return None


def bounds(group: str, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """Returns when a period begins and ends."""
    year, month, day = (*map(int, group.split("-")), 1, 1)[:3]
    first = date(year, month, day)
    parts = group.count("-")
    if parts == 2:
        after = first + timedelta(days=1)
    else:
        after = date(year + 1, 1, 1) if parts == 0 or month == 12 else date(year, month + 1, 1)
    begins, ends = (datetime.combine(on, time(), zone) for on in (first, after))
    return begins, ends
