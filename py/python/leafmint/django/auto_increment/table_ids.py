"""The highest id that a table has given: to its rows, and by its counter to rows that were deleted."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from django.db import DatabaseError, connections, models, transaction

from ... import InvalidConfigError, LateTag, StoreUnavailableError, TypedId
from ..._core import _check_counters
from ...late_binding import current


class Migrated:
    """The database that is being migrated."""

    using: str | None = None


def highest_row(model: type[models.Model], using: str) -> int | None:
    """Return the highest id of a table, or None if it has no row."""
    top = model._base_manager.using(using).aggregate(top=models.Max("pk"))["top"]
    # A key that a migration is about to replace may be a text.
    return int(top) if isinstance(top, (int, TypedId)) else None


def highest_given(model: type[models.Model], using: str) -> int | None:
    """Return the highest id that a table has or had, as far as its counter knows; None if it never had one."""
    database = connections[using]
    counter = COUNTERS.get(database.vendor)
    counted = counter(database, model._meta.db_table, model._meta.pk.column) if counter else None
    return max((top for top in (highest_row(model, using), counted) if top is not None), default=None)


def sqlite_counter(database: Any, table: str, column: str) -> Any:
    """Return the last id of AUTOINCREMENT."""
    if value(database, "SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'") is None:
        return None
    return value(database, "SELECT seq FROM sqlite_sequence WHERE name = %s", table)


def mysql_counter(database: Any, table: str, column: str) -> Any:
    """Return the last id of AUTO_INCREMENT."""
    query = f"SELECT AUTO_INCREMENT - 1 FROM information_schema.TABLES WHERE {THE_TABLE}"
    parts = parts_of(table)
    if database.mysql_is_mariadb:
        return value(database, query, *parts)
    # MySQL shows the counter as it was up to a day ago, unless a session asks otherwise.
    before = value(database, "SELECT @@SESSION.information_schema_stats_expiry")
    execute(database, "SET SESSION information_schema_stats_expiry = 0")
    counted = value(database, query, *parts)
    execute(database, "SET SESSION information_schema_stats_expiry = %s", before)
    return counted


def postgres_counter(database: Any, table: str, column: str) -> Any:
    """Return the last id of an identity or a sequence."""
    sequence = value(database, "SELECT pg_get_serial_sequence(%s, %s)", database.ops.quote_name(table), column)
    return sequence and value(database, f"SELECT last_value FROM {sequence} WHERE is_called")


COUNTERS = {"sqlite": sqlite_counter, "mysql": mysql_counter, "postgresql": postgres_counter}


THE_TABLE = "TABLE_SCHEMA = COALESCE(NULLIF(%s, ''), DATABASE()) AND TABLE_NAME = %s"
"""The condition of MySQL's information_schema for `parts_of` a table."""


def parts_of(table: str) -> tuple[str, str]:
    """Return the schema, often empty, and the name of a table of MySQL."""
    schema, _, name = table.strip("`").rpartition("`.`")
    return schema, name


def has_table(database: Any, table: str, names: Collection[str]) -> bool:
    """Return whether a database has a table, also if it is not among the names that Django knows.

    These leave out other schemas, which a `db_table` such as `sales"."order` names, and a server may ignore case.
    """
    if table in names:
        return True
    if not {'"', "`"} & set(table) and table.lower() not in map(str.lower, names):
        return False
    try:
        with transaction.atomic(database.alias):
            value(database, f"SELECT 1 FROM {database.ops.quote_name(table)} WHERE 1 = 0")
    except DatabaseError:
        return False
    return True


def value(database: Any, query: str, *parameters: Any) -> Any:
    """Return the value that a query finds, or None."""
    with database.cursor() as cursor:
        cursor.execute(query, parameters)
        row = cursor.fetchone()
    return row[0] if row else None


def execute(database: Any, statement: str, *parameters: Any) -> None:
    """Execute a statement."""
    with database.cursor() as cursor:
        cursor.execute(statement, parameters)


def has_room(tag: LateTag, table: str, using: str) -> bool:
    """Return whether both kinds of code may insert, as `leafmint migrate auto-increment check` says it.

    Above the counter the tag would push it, and inserts of both would fail. Without such a room, or a counter, or if
    the tags are not in a database of MySQL or MariaDB with the table, the answer is no.

    Raises:
        StoreUnavailableError: The table is locked: nothing is known of it.
    """
    if connections[using].vendor != "mysql":
        return False
    url: Any = current().url or os.environ.get("LEAFMINT_URL")
    options = {**current().options, "eager": False}
    chosen = ([table], [(table, tag.name)])
    with suppress(InvalidConfigError):
        scope, found, (findings, _, _) = _check_counters(url, options, chosen, "both", 1, [])
        clashes = [text for level, subject, text in findings if level == "clash" and subject != scope]
        if clashes and not found:
            text = f"the tag {tag.name!r} may have room below the counter of {table}, or not: {clashes[0]}. Try again"
            raise StoreUnavailableError(text)
        return bool(found) and not clashes
    return False
