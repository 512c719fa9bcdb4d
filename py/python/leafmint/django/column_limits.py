"""Refuses ids that MySQL and MariaDB would store as another number: under INSERT IGNORE they clamp without an error."""

from __future__ import annotations

from typing import Any

from .. import InvalidConfigError
from .auto_increment.table_ids import THE_TABLE, parts_of

BITS = {"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32}
"""The narrow types. All others hold ids, or have no limit that clamps."""

HIGHEST = 2**63 - 1

COLUMN = f"SELECT DATA_TYPE, COLUMN_TYPE FROM information_schema.COLUMNS WHERE {THE_TABLE} AND COLUMN_NAME = %s"


class ColumnLimits:
    """The highest ids that the column of a field holds, by database: read once a process, with the first id."""

    def __init__(self, field: Any) -> None:
        """Know the column."""
        self.field = field
        self.highest: dict[str, int] = {}

    def fitting(self, id: int, connection: Any) -> int:
        """Return an id that fits.

        Raises:
            InvalidConfigError: It does not.
        """
        highest = self.highest.get(connection.alias)
        # A migration may have widened a narrow column meanwhile.
        if highest is None or id > highest:
            self.highest[connection.alias] = highest = highest_in(connection, self.field)
        if id > highest:
            table, column = self.field.model._meta.db_table, self.field.column
            raise InvalidConfigError(
                f"the column {column} of the table {table} in the database {connection.alias!r} holds numbers to "
                f"{highest}, and not the id {id}: run `manage.py migrate`, then "
                f"`manage.py check --database {connection.alias}`, which says what else mends it"
            )
        return id


def highest_in(connection: Any, field: Any) -> int:
    """Return the highest number that a column holds. The query is none of the application's, and not counted as one."""
    connection.ensure_connection()
    with connection.wrap_database_errors:
        cursor = connection.connection.cursor()
        cursor.execute(COLUMN, (*parts_of(field.model._meta.db_table), field.column))
        [(kind, declared)] = cursor.fetchall() or [("bigint", "bigint")]
        cursor.close()
    bits: int = BITS.get(kind.lower(), 64) - ("unsigned" not in declared.lower())
    return min(HIGHEST, (1 << bits) - 1)
