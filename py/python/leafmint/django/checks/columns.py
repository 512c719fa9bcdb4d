"""What the real columns of minted keys get wrong: because a migration is missing, was faked, or cannot alter them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.core.checks import CheckMessage, Error, Warning
from django.db import connections, router
from django.db.migrations.executor import MigrationExecutor

from ..auto_increment import column_sequences
from ..fields import MintedAutoField, SegmentAutoField, SnowflakeAutoField

NARROW = ("AutoField", "IntegerField", "PositiveIntegerField")

WIDE = ("BigIntegerField", "BigAutoField", "PositiveBigIntegerField")

Problem = tuple[Any, CheckMessage]
"""A field, and what is wrong with its column."""


def check_columns(databases: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Find columns of databases that cannot hold minted keys, and keys that the database was to count and does not."""
    return [message for alias in databases or () for message in check_database(connections[alias])]


def check_database(database: Any) -> list[CheckMessage]:
    """Find the wrong columns of a database, those left out that migrations may still alter."""
    wrong = list(wrong_columns(database))
    pending = pending_apps(database) if wrong else set()
    return [message for field, message in wrong if not pending & apps_of(field)]


def wrong_columns(database: Any) -> Iterator[Problem]:
    """Yield the wrong columns of the tables that there are."""
    models = [model for model in models_with_minted_keys() if router.allow_migrate_model(database.alias, model)]
    if not models:
        return
    with database.cursor() as cursor:
        present = set(database.introspection.table_names(cursor))
        for model in models:
            if model._meta.db_table in present:
                columns = kinds_of_columns(database, cursor, model._meta.db_table)
                for field in model._meta.local_concrete_fields:
                    if field.column in columns:
                        yield from wrong_column(database, field, columns[field.column])


def wrong_column(database: Any, field: Any, kind: str) -> Iterator[Problem]:
    """Yield what is wrong with the column of a field, whose kind is that of a field of Django."""
    table, column = field.model._meta.db_table, field.column
    name = f"The column {column} of the table {table} in the database '{database.alias}'"
    if is_minted(field) and kind not in WIDE:
        problem = f"{name} is like a column of {kind}, and cannot hold the ids that leafmint mints."
        hint = f"Run `manage.py makemigrations` and `migrate`. If no column changes: {widening(database, field, kind)}"
        if kind in NARROW and not is_snowflake(field):
            problem = f"{name} is like a column of {kind}, too narrow for ids above its highest number."
            yield field, Warning(problem, hint=hint, obj=field, id="leafmint.W202")
        else:
            yield field, Error(problem, hint=hint, obj=field, id="leafmint.E201")
    elif kind.endswith("AutoField"):
        return
    elif is_counted(field):
        problem = f"{name} is not counted by the database, and rows are inserted without a value."
        yield field, Error(problem, hint=counting(database, field), obj=field, id="leafmint.E202")
    elif is_counted_too(field):
        problem = f"{name} has lost its identity: code that inserts without a value fails."
        hint = f"Stop the processes that mint its ids: they hold ids above the rows. Then {counting(database, field)}"
        yield field, Warning(problem, hint=hint, obj=field, id="leafmint.W201")


def models_with_minted_keys() -> list[Any]:
    """Return the models whose columns matter."""
    models = [model for model in apps.get_models(include_auto_created=True) if not model._meta.proxy]
    return [model for model in models if any(map(matters, model._meta.local_concrete_fields))]


def matters(field: Any) -> bool:
    """Return whether the column of a field can be wrong."""
    return is_minted(field) or is_counted(field)


def is_minted(field: Any) -> bool:
    """Return whether the values of a field are minted keys, also those of other rows."""
    return isinstance(list(referred_to(field))[-1], MintedAutoField)


def is_snowflake(field: Any) -> bool:
    """Return whether the values of a field are snowflakes, also those of other rows."""
    return isinstance(list(referred_to(field))[-1], SnowflakeAutoField)


def is_counted(field: Any) -> bool:
    """Return whether the database counts a key, although it is in an application whose keys are minted."""
    options = field.model._meta
    return bool(
        field.primary_key and options.auto_created and issubclass(options._get_default_pk_class(), MintedAutoField)
    )


def is_counted_too(field: Any) -> bool:
    """Return whether the database counts a minted key, too: its ids are leased from its sequence."""
    return isinstance(field, SegmentAutoField) and field.tag is None and column_sequences.are_leased_from()


def kinds_of_columns(database: Any, cursor: Any, table: str) -> dict[str, str]:
    """Return for each column of a table the kind of field that would have it."""
    described = database.introspection.get_table_description(cursor, table)
    return {column.name: kind_of_column(database, column) for column in described}


def kind_of_column(database: Any, column: Any) -> str:
    """Return the kind of field that would have a column. SQLite's integers are wide, and it counts one kind of them."""
    if database.vendor == "sqlite" and "INT" in column.type_code.upper():
        return "BigAutoField" if column.pk and column.type_code.upper() == "INTEGER" else "BigIntegerField"
    try:
        return str(database.introspection.get_field_type(column.type_code, column))
    except KeyError:
        return "an unknown type"


def widening(database: Any, field: Any, kind: str) -> str:
    """Return how to make a column a bigint that is counted if it was."""
    quote = database.ops.quote_name
    table, column = quote(field.model._meta.db_table), quote(field.column)
    match database.vendor:
        case "postgresql":
            return f"ALTER TABLE {table} ALTER COLUMN {column} TYPE bigint;"
        case "mysql":
            counted = " AUTO_INCREMENT" if kind.endswith("AutoField") else ""
            return f"ALTER TABLE {table} MODIFY {column} bigint {'NULL' if field.null else 'NOT NULL'}{counted};"
    return "make the table anew, with a bigint."


def counting(database: Any, field: Any) -> str:
    """Return how to let the database count a key."""
    quote = database.ops.quote_name
    table, column = quote(field.model._meta.db_table), quote(field.column)
    match database.vendor:
        case "postgresql":
            return (
                f"ALTER TABLE {table} ALTER COLUMN {column} ADD GENERATED BY DEFAULT AS IDENTITY; "
                "then set its sequence above the rows, "
                f"as `manage.py sqlsequencereset {field.model._meta.app_label}` prints."
            )
        case "mysql":
            return f"ALTER TABLE {table} MODIFY {column} bigint NOT NULL AUTO_INCREMENT;"
    return f"Make the table anew, with {column} integer NOT NULL PRIMARY KEY AUTOINCREMENT."


def pending_apps(database: Any) -> set[str]:
    """Return the applications with migrations that have not run."""
    executor = MigrationExecutor(database)
    return {migration.app_label for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())}


def apps_of(field: Any) -> set[str]:
    """Return the applications whose migrations alter the column of a field."""
    return {one.model._meta.app_label for one in referred_to(field)}


def referred_to(field: Any) -> Iterator[Any]:
    """Yield a field, and the one that it refers to, and so on. A model that does not exist is what Django reports."""
    yield field
    while field.remote_field and not isinstance(field.remote_field.model, str):
        field = field.target_field
        yield field
