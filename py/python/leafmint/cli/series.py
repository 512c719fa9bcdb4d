"""The command `series list`, and which tags belong to a series."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from .output import write_json, write_line, write_table
from .parser import Commands, add_command, add_group
from .stores import add_store, segments

if TYPE_CHECKING:
    from .. import SeriesInfo, TagInfo

ENDS = {"day": "@([0-9]{4}-[0-9]{2}-[0-9]{2})", "month": "@([0-9]{4}-[0-9]{2})", "year": "@([0-9]{4})", "forever": "()"}
"""What the tags of a series end with, by its period."""


class SeriesTag(NamedTuple):
    """A tag of a series."""

    key: str
    """The key; empty for none."""
    group: str
    """The period as text; empty if the numbers never start again."""
    max_id: int | None


def add(commands: Commands) -> None:
    """Adds the command."""
    group = add_group(commands, "series", "show the series of a store")
    listing = add_command(
        group, "list", run_list, "list the series, and the next number to lease in the latest period of each",
        "leafmint series list",
    )  # fmt: skip
    add_store(listing)


def run_list(args: Namespace) -> None:
    """Lists the series."""
    with segments(args) as ids:
        # Tags first: each series whose tag is listed is listed too.
        tags, series, scope = ids.list_tags(), ids.list_series(), ids.scope
    tags_of = by_series(tags, series)
    documents = [as_document(each, tags_of[each.name]) for each in series]
    if args.json:
        write_json({"scope": scope, "series": documents})
        return
    write_line(f"{scope}\n")
    titles = ["series", "period", "zone", "keys", "groups", "latest", "max_id"]
    write_table(titles, [list(document.values()) for document in documents], right=(3, 4, 6))


def by_series(tags: Iterable[TagInfo], series: Iterable[SeriesInfo]) -> dict[str, list[SeriesTag]]:
    """Returns the tags of each series by its name."""
    periods = {each.name: each.period for each in series}
    found: dict[str, list[SeriesTag]] = {name: [] for name in periods}
    for tag in tags:
        if belongs := series_of(tag.biz_tag, periods):
            name, key, group = belongs
            found[name].append(SeriesTag(key, group, tag.max_id))
    return found


def series_of(tag: str, periods: dict[str, str]) -> tuple[str, str, str] | None:
    """Returns the name of the series that a tag belongs to, its key and its period; None for a tag of no series."""
    name = re.split("[/@]", tag, maxsplit=1)[0]
    end = ENDS.get(periods.get(name, ""))
    match = end and re.fullmatch(f"(?:/([^@]+))?{end}", tag[len(name) :])
    return (name, match[1] or "", match[2]) if match else None


def as_document(series: SeriesInfo, tags: list[SeriesTag]) -> dict[str, Any]:
    """Returns a series for JSON, with numbers as strings."""
    keys, groups = ({tag.key for tag in tags} - {""}), ({tag.group for tag in tags} - {""})
    latest = max(groups, default=None)
    numbers = [tag.max_id for tag in tags if tag.max_id is not None and tag.group == (latest or "")]
    max_id = str(max(numbers)) if numbers else None
    return {**series._asdict(), "keys": len(keys), "groups": len(groups), "latest": latest, "max_id": max_id}
