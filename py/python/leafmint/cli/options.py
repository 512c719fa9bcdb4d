"""The command `options`."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict

from .. import SEGMENT_OPTIONS, SNOWFLAKE_OPTIONS
from .output import write_json, write_line, write_table
from .parser import Commands, add_command

TABLES = {"segment": SEGMENT_OPTIONS, "snowflake": SNOWFLAKE_OPTIONS}


def add(commands: Commands) -> None:
    """Adds the command."""
    options = add_command(commands, "options", run, "list the options of the generators", "leafmint options segment")
    options.add_argument("mode", choices=list(TABLES), nargs="?", help="one table only")


def run(args: Namespace) -> None:
    """Prints the tables."""
    tables = {args.mode: TABLES[args.mode]} if args.mode else TABLES
    if args.json:
        write_json({mode: [asdict(option) for option in options] for mode, options in tables.items()})
        return
    for index, (mode, options) in enumerate(tables.items()):
        write_line(("\n" if index else "") + f"options of a {mode} generator")
        rows = [(option.name, option.shape, option.default_words, option.meaning) for option in options]
        write_table(["option", "shape", "default", "meaning"], rows)
