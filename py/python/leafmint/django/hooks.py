"""What leafmint does when Django connects to a database, or changes the setting LEAFMINT."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.signals import request_started
from django.db import connections
from django.db.backends.base.base import NO_DB_ALIAS

from .. import LeafmintError, late_binding
from .._internal.typed_values import refuse_parameters
from . import configuration
from .database import DjangoDatabase, is_for_leases
from .typed_ids.texts import need_texts


def on_connection(connection: Any, **kwargs: Any) -> None:
    """Follow a test runner to its database, and take supply before the first transaction on a shared SQLite file.

    Let a driver of MySQL refuse what it would not compare.
    """
    if is_for_leases(connection):
        return
    if connection.vendor == "mysql":
        refuse_parameters(connection.connection)
    database = configuration.database()
    if database is not None and connection.alias == NO_DB_ALIAS and connection.vendor == "postgresql":
        before_drop(database)
    if database is None or database.alias != connection.alias:
        return
    if database.has_moved:
        late_binding.close()
    expect_transaction(connection, database)


def expect_transaction(connection: Any, database: DjangoDatabase) -> None:
    """Take supply before the first transaction on a shared SQLite file."""
    if database.is_sqlite_file and before_transaction not in connection.execute_wrappers:
        # First, because `execute_wrapper` removes the last one at the end of its block.
        connection.execute_wrappers.insert(0, before_transaction)


def after_close() -> None:
    """Take supply again before the next transaction: ids in hand were given back."""
    database = configuration.database()
    if database is not None:
        expect_transaction(connections[database.alias], database)


def before_drop(database: DjangoDatabase) -> None:
    """End leafmint's sessions: Django is about to create, copy or drop a database, which those of it prevent."""
    if database.is_postgres:
        late_binding.close()


def before_transaction(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Take supply if a transaction begins: within it, a lease would wait for the transaction's own lock."""
    database = context["connection"]
    # In an empty file leafmint would choose the journal mode, which is the application's choice.
    if sql.startswith("BEGIN") and Path(database.settings_dict["NAME"]).stat().st_size:
        # If another process holds the lock, this transaction may do without ids; it says so if it does not.
        with suppress(LeafmintError):
            late_binding.segment_generator()
            database.execute_wrappers.remove(before_transaction)
    return execute(sql, params, many, context)


def on_setting_changed(setting: str, **kwargs: Any) -> None:
    """Follow a test that overrides the setting."""
    if setting == "LEAFMINT":
        configuration.configure()


def on_first_request(**kwargs: Any) -> None:
    """Refuse to serve without the keys of typed ids: a view would store a row before it failed to show its id."""
    for field in configuration.typed_columns():
        need_texts(field.type)
    request_started.disconnect(on_first_request)


def after_fork() -> None:
    """Let a child on a database in memory begin above the rows that it has copied."""
    database = configuration.database()
    if database is not None and database.is_in_memory:
        late_binding.close()


def renew_after_fork() -> None:
    """Call `after_fork` in each child."""
    os.register_at_fork(after_in_child=after_fork)
