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
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import text

from ._core import schema_sql
from ._typed_id_sqlalchemy import TypedIdType

if TYPE_CHECKING:
    from alembic.autogenerate.api import AutogenContext
    from alembic.operations import Operations

__all__ = ["TABLES", "create_tables", "drop_tables", "include_name", "render_item", "schema_statements"]

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
    statements = schema_sql("mysql" if dialect == "mariadb" else dialect).split(";\n")
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
