"""The operation of a migration that creates leafmint's tables."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db import connections, router
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
        create_tables(schema_editor)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Keep the tables: they record which ids exist."""

    def describe(self) -> str:
        """Return what `migrate` shows."""
        return "Create the tables of leafmint"


def create_tables(schema_editor: Any) -> None:
    """Create the tables that are missing, if this is the database for them."""
    database = schema_editor.connection
    if configuration.leases_in(database.alias) and router.allow_migrate(database.alias, "leafmint", leafmint=True):
        for statement in statements(database.vendor):
            schema_editor.execute(statement, params=None)


def statements(vendor: Any) -> list[str]:
    """Return the statements that create the tables, each by itself, as drivers demand."""
    return [text.strip() for text in schema_sql(vendor).split(";\n") if text.strip()]


def before_migrate(app_config: Any, using: str, **kwargs: Any) -> None:
    """Create the tables before any migration: one of another application may save rows, and tests may skip ours.

    In SQLite leafmint makes them at the first id.
    """
    database = connections[using]
    if app_config is not migrated_apps()[0] or database.vendor == "sqlite" or not configuration.leases_in(using):
        return
    if "leaf_alloc" not in database.introspection.table_names():
        with database.schema_editor() as schema_editor:
            create_tables(schema_editor)


def migrated_apps() -> list[Any]:
    """Return the applications for which Django sends its signals of migrations, in this order."""
    return [config for config in apps.get_app_configs() if config.models_module]
