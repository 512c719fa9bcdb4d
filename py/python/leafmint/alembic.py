"""leafmint in Alembic: create its tables in a migration, and let autogenerate keep them, and write typed ids as BIGINT.

In a migration:

    from alembic import op
    from leafmint.alembic import create_tables, drop_tables

    def upgrade() -> None:
        create_tables(op)

    def downgrade() -> None:
        drop_tables(op)

In env.py:

    context.configure(
        ..., include_name=leafmint.alembic.include_name, render_item=leafmint.alembic.render_item
    )
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

from sqlalchemy import BigInteger, Float, Integer, MetaData, Table, and_, case, func, inspect, select, text, update

from . import late_binding
from ._core import SnowflakeGenerator, schema_sql
from ._internal.backfill import BATCH, Filled, fill, zone_of
from .errors import InvalidArgumentError
from .sqlalchemy.typed_columns import TypedIdType

if TYPE_CHECKING:
    from alembic.autogenerate.api import AutogenContext
    from alembic.operations import Operations

__all__ = [
    "TABLES",
    "Filled",
    "backfill",
    "create_tables",
    "drop_tables",
    "include_name",
    "render_item",
    "schema_statements",
]

_NAME = re.compile(r"CREATE TABLE IF NOT EXISTS [`\"]?(\w+)")

TABLES = frozenset(_NAME.findall(schema_sql("mysql"))) | {"leaf_workerid_alloc"}
"""The names of the tables that leafmint uses, with the default option `table`."""


def schema_statements(dialect: str = "mysql") -> list[str]:
    """Return the statements that create leafmint's tables, each by itself, as drivers demand.

    Args:
        dialect: "mysql" (also for MariaDB, which SQLAlchemy calls "mariadb"), "postgresql" or "sqlite".

    Raises:
        InvalidArgumentError: The dialect is unknown.
    """
    statements = schema_sql(cast(Any, "mysql" if dialect == "mariadb" else dialect)).split(";\n")
    return [statement.strip() for statement in statements if statement.strip()]


def create_tables(op: Operations | Any) -> None:
    """Create the tables that are missing. Pass Alembic's `op`; works online and with `--sql`."""
    for statement in schema_statements(op.get_context().dialect.name):
        op.execute(_literal(statement))


def drop_tables(op: Operations | Any) -> None:
    """Drop the tables that `create_tables` makes.

    The next ids of all tags are lost with them: ids start again, and are no longer unique.
    """
    dialect = op.get_context().dialect.name
    for table in reversed(_NAME.findall("\n".join(schema_statements(dialect)))):
        op.drop_table(table)


def backfill(
    op: Operations | Any,
    table: str,
    column: str,
    *,
    at: str,
    key: str | None = None,
    schema: str | None = None,
    time_zone: str | None = None,
    batch: int = BATCH,
    flakes: SnowflakeGenerator | None = None,
) -> Filled:
    """Give rows without a snowflake one of the moment that another column has.

    Only rows in which the column is NULL are read and written, in batches, so it may be interrupted and repeated. In
    `with op.get_context().autocommit_block():` each batch is a transaction of its own.

    Rows without a moment stay NULL. So do rows whose moment can have no id, because it is before the layout's epoch or
    to come: a warning and the result name the first of them.

    Args:
        op: Alembic's `op`.
        table: The table.
        column: The column to fill in: a BIGINT that may be NULL.
        at: The column with the moment of a row: a timestamp, or Unix milliseconds.
        key: A unique column, by which the rows are read in order; by default the primary key.
        schema: The schema of the table.
        time_zone: The zone of timestamps without one, such as "UTC" or "Europe/Madrid".
        batch: Rows of a batch.
        flakes: The generator; by default that of `leafmint.configure`, or of LEAFMINT_SNOWFLAKE_URL.

    Raises:
        InvalidArgumentError: There is no connection (`--sql`), the key is not one unique column without NULL or is a
            float, the column is no BIGINT, or a timestamp has no zone.
        LeafmintError: As in `SnowflakeGenerator.backfill`.
    """
    if op.get_context().as_sql:
        raise InvalidArgumentError("backfill reads rows, so it cannot be written with --sql: run it online")
    rows = _TableRows(op.get_bind(), table, column, at, key, schema)
    done = fill(rows, flakes or late_binding.snowflake_generator(), zone_of(time_zone), batch, always=False)
    if done.outside:
        warnings.warn(f"{table}.{column}: {done.report()}", stacklevel=2)
    return done


class _TableRows:
    """The rows of a table in which a column is NULL."""

    def __init__(self, connection: Any, table: str, column: str, at: str, key: str | None, schema: str | None) -> None:
        self.connection: Any = connection
        self.table = Table(table, MetaData(), schema=schema, autoload_with=connection)
        primary = [column.name for column in self.table.primary_key]
        if key is None and len(primary) != 1:
            raise InvalidArgumentError(f"the primary key of {table} is not one column: name a unique column by key=")
        self.key: Any = self._named(key or primary[0])
        self.column: Any = self._named(column)
        self.at: Any = self._named(at)
        # All rows with one key would get one id.
        if primary != [self.key.name] and (self.key.nullable or not _is_unique(connection, self.table, self.key.name)):
            raise InvalidArgumentError(f"key={key!r} of {table} is not unique, or may be NULL")
        # A float is rounded on its way, so that a row may not be found again, or behind itself.
        if isinstance(self.key.type, Float):
            raise InvalidArgumentError(f"key={self.key.name!r} of {table} is {self.key.type}: name an exact column")
        # A narrower column may clip ids to one value, and a float rounds them.
        if not isinstance(self.column.type, Integer if connection.dialect.name == "sqlite" else BigInteger):
            raise InvalidArgumentError(f"{column} of {table} is {self.column.type}: ids need a BIGINT")

    def _named(self, name: str) -> Any:
        if name not in self.table.c:
            raise InvalidArgumentError(f"{self.table} has no column {name!r}")
        return self.table.c[name]

    def count(self) -> int:
        """Count all of them."""
        return int(self.connection.scalar(select(func.count()).where(self.column.is_(None))))

    def read(self, after: Any, count: int) -> list[tuple[Any, Any]]:
        """Read key and moment of the first rows behind a key."""
        rows = select(self.key, self.at).where(self.column.is_(None)).order_by(self.key).limit(count)
        found = self.connection.execute(rows if after is None else rows.where(self.key > after))
        return [(row[0], row[1]) for row in found]

    def write(self, ids: dict[Any, int]) -> int:
        """Give rows their ids if they have none still."""
        which = and_(self.key.in_(list(ids)), self.column.is_(None))
        new = {self.column: case(ids, value=self.key)}
        return int(self.connection.execute(update(self.table).where(which).values(new)).rowcount)


def _is_unique(connection: Any, table: Table, key: str) -> bool:
    """Return whether an index on all rows makes a column unique by itself."""
    # SQLite's indexes of constraints are not shown otherwise.
    indexes: list[Any] = inspect(connection).get_indexes(table.name, table.schema, include_auto_indexes=True)
    return any(one["unique"] and one["column_names"] == [key] and not _is_partial(one) for one in indexes)


def _is_partial(index: Mapping[str, Any]) -> bool:
    return any(option.endswith("_where") for option in index.get("dialect_options", ()))


def include_name(name: str | None, type_: str, parent_names: Any = None) -> bool:
    """Return False for leafmint's tables, so that autogenerate does not drop them. For `context.configure`."""
    return not (type_ == "table" and name in TABLES)


def render_item(kind: str, item: Any, context: AutogenContext | Any) -> str | Literal[False]:
    """Return a BIGINT for a column of typed ids, so that migrations do not import them. For `context.configure`."""
    if kind == "type" and isinstance(item, TypedIdType):
        return f"{context.opts['sqlalchemy_module_prefix'] or ''}BigInteger()"
    return False


def _literal(statement: str) -> Any:
    """Return a statement without bind parameters."""
    return text(statement.replace(":", "\\:"))
