"""Ids that must not be those of rows: the first ones of a tag that a server does not have, and those in migrations."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from django.apps import apps
from django.db import connections, models, router

from ... import InvalidConfigError, LateTag, SegmentGenerator, UnknownTagError, late_binding
from . import column_sequences
from .table_ids import Migrated, has_room, has_table, highest_row

LONGEST_RANGE = 2**30
"""The most ids that `next_range` takes."""


def next_id(tag: LateTag, model: type[models.Model], gene: int | None = None) -> int:
    """Return the next id. A tag that the store does not have is created above the rows of its models."""
    try:
        return tag.next_id(gene=gene)
    except UnknownTagError:
        # A tag that this process has leased from was lost: other processes may hold ids above all rows.
        if tag.stats().highest_leased or not may_be_created():
            raise
    create_above_rows(tag, model)
    return tag.next_id(gene=gene)


def may_be_created() -> bool:
    """Return whether the project leaves it to leafmint to create tags."""
    return str(option("auto_create")).lower() != "false" and not column_sequences.are_leased_from()


def option(name: str, default: Any = None) -> Any:
    """Return an option of tags, which may be in the URL."""
    # Neither the options nor the URL are in a variable here, because pages about errors show them.
    if name in late_binding.current().options:
        return late_binding.current().options[name]
    return in_query(late_binding.current().url or os.environ.get("LEAFMINT_URL")).get(name, default)


def in_query(url: Any) -> dict[str, str]:
    """Return the options in a URL, and none of a database of Django."""
    return dict(parse_qsl(urlsplit(url).query)) if isinstance(url, str) else {}


def create_above_rows(tag: LateTag, model: type[models.Model]) -> None:
    """Create a tag above the rows of its models."""
    top = max(rows_of(tag, model), default=-1)
    create(late_binding.segment_generator(), tag, top >> tag.gene_bits)


def create(generator: SegmentGenerator, tag: LateTag, top: int) -> bool:
    """Create a tag as the options say, or above a number if that is higher. Return whether there was none."""
    return generator.create_tag(
        tag.name,
        step=int(option("default_step", 1000)),
        start=max(top + 1, first_number()),
        gene_bits=tag.gene_bits,
    )


def rows_of(tag: LateTag, model: type[models.Model]) -> list[int]:
    """Return the highest row of each table whose keys the tag mints."""
    others = [one for one in apps.get_models() if getattr(one._meta.pk, "late_tag", None) == tag]
    tables = {one._meta.db_table: one for one in [*others, model] if not one._meta.proxy}
    found = []
    for table, one in tables.items():
        for using in databases_of(one):
            with unseen(connections[using]) as database:
                if has_table(database, table, database.introspection.table_names()):
                    found.append(highest_row(one, using))
    return [top for top in found if top is not None]


@contextmanager
def unseen(database: Any) -> Iterator[Any]:
    """Hide queries from those who watch a connection: tests count the queries of a save, whether it is the first."""
    kept = database.force_debug_cursor, database.execute_wrappers
    database.force_debug_cursor, database.execute_wrappers = False, []
    try:
        yield database
    finally:
        database.force_debug_cursor, database.execute_wrappers = kept


def databases_of(model: type[models.Model]) -> list[str]:
    """Return the databases that have rows of a model: all if it is spread over shards."""
    spread: Any = next((one for one in router.routers if hasattr(one, "shards") and one.has(model)), None)
    return spread.shards.names if spread else [Migrated.using or router.db_for_write(model)]


def first_number() -> int:
    """Return the number at which tags begin by default."""
    return int(option("default_start", 1))


def next_id_of_migration(tag: LateTag, model: type[models.Model]) -> int:
    """Return the next id for a table that is being migrated, above its rows unless the tag has room below a counter."""
    using = Migrated.using or router.db_for_write(model)
    id, top = next_id(tag, model), highest_row(model, using) or 0
    return id if id > top or has_room(tag, model._meta.db_table, using) else skip(tag, id, top)


def above_rows(tag: LateTag, model: type[models.Model], first: int) -> int:
    """Return the first id of a tag, or one above the rows that have come from elsewhere since the tag was created."""
    top = max(rows_of(tag, model), default=0)
    return first if first > top else skip(tag, first, top)


def skip(tag: LateTag, id: int, top: int) -> int:
    """Return an id above rows. What is between is skipped: in a transaction on SQLite no tag can be raised."""
    if top - id > LONGEST_RANGE:
        raise InvalidConfigError(
            f"the tag {tag.name!r} is at {id}, its table at {top}: run `manage.py migrate` again, which raises the tag"
        )
    tag.next_range(top - id)
    return tag.next_id()
