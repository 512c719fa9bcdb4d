"""The commands `schema` and `init`, for the tables."""

from __future__ import annotations

from argparse import Namespace

from .. import schema_sql
from .output import write, write_json, write_line
from .parser import Commands, add_command
from .stores import add_store, segments


def add(commands: Commands) -> None:
    """Adds the commands."""
    schema = add_command(
        commands, "schema", run_schema, "print the SQL of the tables, for migration tools", "leafmint schema mysql"
    )
    dialects = ["mysql", "postgresql", "sqlite", "tickets"]
    schema.add_argument("dialect", choices=dialects, nargs="?", default="mysql", help="default: mysql")
    init = add_command(
        commands, "init", run_init, "create the tables that are missing", "leafmint init --url sqlite:///ids.db"
    )
    add_store(init)


def run_schema(args: Namespace) -> None:
    """Prints the SQL."""
    sql = schema_sql(args.dialect)
    if args.json:
        write_json({"dialect": args.dialect, "sql": sql})
    else:
        write(sql)


def run_init(args: Namespace) -> None:
    """Creates the tables."""
    with segments(args) as ids:
        ids.init_schema()
        if args.json:
            write_json({"scope": ids.scope})
        else:
            write_line(f"the tables exist: {ids.scope}")
