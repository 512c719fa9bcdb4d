"""The commands `schema` and `init`, for the tables."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import Any, NamedTuple

from .. import SegmentGenerator, SnowflakeGenerator, schema_sql
from .hosts import NO_TABLE, check_agreement
from .opened import holder_place, options_of_both, places, segments, snowflakes
from .output import write, write_json, write_line
from .parser import Commands, add_command
from .stores import Place, add_store


class Made(NamedTuple):
    """What was done at a store or a holder."""

    text: str
    scope: str
    host: str | None
    needs_tables: bool


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
    init.add_argument("--snowflake", action="store_true", help="create only the tables of worker ids")
    add_store(init)


def run_schema(args: Namespace) -> None:
    """Prints the SQL."""
    sql = schema_sql(args.dialect)
    if args.json:
        write_json({"dialect": args.dialect, "sql": sql})
    else:
        write(sql)


def run_init(args: Namespace) -> None:
    """Creates the tables of the store, and of the holder if the environment names one."""
    store, holder = (None, holder_place(args)) if args.snowflake else places(args)
    of_store, of_holder = options_of_both(args, store, holder)
    made = []
    if store:
        made.append(init(args, store, lambda place: segments(place, of_store), init_store))
    if holder:
        made.append(init(args, holder, lambda place: snowflakes(place, of_holder), init_holder))
    if args.json:
        write_json({"places": [each._asdict() for each in made]})
        return
    for each in made:
        if each.needs_tables or each is made[0]:
            write_line(f"{each.text}: {each.scope}{f' at {each.host}' if each.host else ''}")


def init(args: Namespace, place: Place, open_at: Callable[[Place], Any], create: Callable[[Any], Made]) -> Made:
    """Creates tables at a place whose hosts agree about them."""

    def look(alone: Place) -> str:
        with open_at(alone) as generator:
            return NO_TABLE if generator.check().is_new else "them"

    check_agreement(args, place, "the tables", look)
    with open_at(place) as generator:
        return create(generator)


def init_store(ids: SegmentGenerator) -> Made:
    """Creates the tables of a store."""
    ids.init_schema()
    needs = not ids._draws_from_sequences
    return Made("the tables exist" if needs else "sequences need no tables", ids.scope, ids.stats().host, needs)


def init_holder(flakes: SnowflakeGenerator) -> Made:
    """Creates the tables of a holder."""
    needs = flakes._init_schema()
    text = "the tables of worker ids exist" if needs else "these worker ids need no tables"
    return Made(text, flakes.scope, flakes.stats().host, needs)
