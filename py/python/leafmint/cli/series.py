"""The command `series list`."""

from __future__ import annotations

from argparse import Namespace
from datetime import datetime, timezone

from .._internal.series_tags import by_series, series_record
from .hosts import heading
from .opened import store
from .output import write_json, write_line, write_table
from .parser import Commands, add_command, add_group
from .stores import add_store


def add(commands: Commands) -> None:
    """Adds the command."""
    group = add_group(commands, "series", "show the series of a store")
    listing = add_command(
        group, "list", run_list, "list the series, the next number to lease, and how many the format has room for",
        "leafmint series list",
    )  # fmt: skip
    add_store(listing)


def run_list(args: Namespace) -> None:
    """Lists the series."""
    with store(args) as ids:
        # Tags first: each series whose tag is listed is listed too.
        tags, series = ids.list_tags(), ids.list_series()
    tags_of = by_series(tags, series)
    now = datetime.now(timezone.utc)
    documents = [series_record(each, tags_of[each.name], now) for each in series]
    if args.json:
        write_json({"scope": ids.scope, "host": ids.stats().host, "series": documents})
        return
    write_line(f"{heading(ids)}\n")
    titles = ["series", "period", "zone", "format", "keys", "groups", "latest", "max_id", "left", "ends"]
    write_table(titles, [list(document.values()) for document in documents], right=(4, 5, 7, 8))
