"""The command `gapless list`."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict

from .hosts import heading
from .opened import store
from .output import printable, write_json, write_line, write_table
from .parser import Commands, add_command, add_group
from .stores import add_store


def add(commands: Commands) -> None:
    """Adds the command."""
    group = add_group(commands, "gapless", "show the sequences without gaps of a database")
    listing = add_command(
        group, "list", run_list, "list the sequences without gaps, and the last number of each key and period",
        "leafmint gapless list",
    )  # fmt: skip
    add_store(listing)


def run_list(args: Namespace) -> None:
    """Lists the sequences."""
    with store(args) as ids:
        listed = ids.list_gapless()
    if args.json:
        numbers = [None if each.number is None else str(each.number) for each in listed]
        documents = [{**asdict(each), "number": number} for each, number in zip(listed, numbers, strict=True)]
        write_json({"scope": ids.scope, "host": ids.stats().host, "sequences": documents})
        return
    write_line(f"{heading(ids)}\n")
    titles = ["sequence", "key", "period", "group", "number"]
    rows = [(each.name, each.key, each.period, each.group or None, each.number) for each in listed]
    write_table(titles, rows, right=(4,))
    for each in listed:
        if each.problem:
            write_line(f"\n{printable(each.name)} cannot be used: {printable(each.problem)}")
