"""Operations of migrations."""

from __future__ import annotations

from typing import Any

from django.db import router
from django.db.migrations.operations.base import Operation

from .. import schema_sql
from . import configuration


class CreateTables(Operation):
    """Creates leafmint's tables that are missing, in the database of LEAFMINT["DATABASE"] only.

    A router is asked with the hint `leafmint=True`. Backwards it does nothing: without the tables, ids would start
    again.
    """

    reduces_to_sql = True
    reversible = True

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Change no model."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Create the tables."""
        database = schema_editor.connection
        if not configuration.leases_in(database.alias):
            return
        if router.allow_migrate(database.alias, app_label, leafmint=True):
            for statement in statements(database.vendor):
                schema_editor.execute(statement, params=None)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Keep the tables: they record which ids exist."""

    def describe(self) -> str:
        """Return what `migrate` shows."""
        return "Create the tables of leafmint"


def statements(vendor: str) -> list[str]:
    """Return the statements that create the tables, each by itself, as drivers demand."""
    return [text.strip() for text in schema_sql(vendor).split(";\n") if text.strip()]
