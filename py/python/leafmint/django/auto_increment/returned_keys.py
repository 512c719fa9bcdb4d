"""Sets counters above the ids of tags, when a migration gives keys back to the database.

Django lets a new identity of PostgreSQL begin at 1, below the rows. Old processes still have ids of the tag, and lease
more until they end: the counter begins above the room that this takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.apps import apps as installed
from django.db import connections, router
from django.db.migrations import AddField, AlterField, CreateModel, RenameModel

from .. import configuration, operations
from ..fields import MintedAutoField, SegmentAutoField
from . import column_sequences
from .table_ids import execute, has_table, highest_given, value

LEASES = 1000
"""The number of leases of a tag that old processes may take meanwhile."""

Minted = dict[tuple[str, str], MintedAutoField]
"""Minted keys by application and model."""


class Migrated:
    """What a run of migrations begins with."""

    minted: Minted = {}  # noqa: RUF012


def before_migrate(app_config: Any, using: str, apps: Any = installed, plan: Any = (), **kwargs: Any) -> None:
    """Remember the keys that are minted before the migrations, or become so by one of them."""
    if app_config is operations.migrated_apps()[0]:
        Migrated.minted = minted_by_models(apps) | minted_by_plan(plan) if plan else {}


def after_migrate(app_config: Any, using: str, apps: Any = installed, **kwargs: Any) -> None:
    """Raise the counters of the keys that are minted no longer."""
    if app_config is not operations.migrated_apps()[-1] or not Migrated.minted:
        return
    minted, Migrated.minted = Migrated.minted, {}
    returned = [] if column_sequences.are_leased_from() else list(returned_models(apps, minted))
    tags = stored_tags() if returned else {}
    for model, field in returned:
        if router.allow_migrate_model(using, model):
            raise_counter(connections[using], model, tags.get(tag_of(model, field)))


def minted_by_models(apps: Any) -> Minted:
    """Return the minted keys of models."""
    keys = ((model._meta.app_label, model._meta.model_name, model._meta.pk) for model in apps.get_models())
    return {(label, name): key for label, name, key in keys if isinstance(key, MintedAutoField)}


def minted_by_plan(plan: Iterable[tuple[Any, bool]]) -> Minted:
    """Return the minted keys of operations, under the old and the new name of their model."""
    found: Minted = {}
    for migration, _ in plan:
        label = migration.app_label
        for operation in migration.operations:
            if isinstance(operation, RenameModel):
                old, new = (label, operation.old_name_lower), (label, operation.new_name_lower)
                found |= {name: found[one] for one, name in ((old, new), (new, old)) if one in found}
            for name, field in fields_of(operation):
                if isinstance(field, MintedAutoField):
                    found[label, name] = field
    return found


def fields_of(operation: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields that an operation describes, with the names of their models."""
    if isinstance(operation, CreateModel):
        yield from ((operation.name_lower, field) for _, field in operation.fields)
    elif isinstance(operation, (AddField, AlterField)):
        yield operation.model_name_lower, operation.field


def returned_models(apps: Any, minted: Minted) -> Iterator[tuple[Any, MintedAutoField]]:
    """Yield the models whose key the database counts now, with the field that minted it."""
    for model in apps.get_models():
        key, field = model._meta.pk, minted.get((model._meta.app_label, model._meta.model_name))
        if field and not isinstance(key, MintedAutoField) and key.get_internal_type().endswith("AutoField"):
            yield model, field


def tag_of(model: Any, field: MintedAutoField) -> str | None:
    """Return the name of the tag of a field; None of snowflakes."""
    return field.tag or str(model._meta.db_table) if isinstance(field, SegmentAutoField) else None


def stored_tags() -> dict[str | None, Any]:
    """Return the tags of the store, if there still is one."""
    if not configuration.store():
        return {}
    with configuration.open_store() as generator:
        return {tag.name: tag for tag in generator.list_tags()}


def raise_counter(database: Any, model: Any, tag: Any) -> None:
    """Let a counter go on above the rows of its table, and above the ids of a tag and the room for its leases."""
    table, key = model._meta.db_table, model._meta.pk
    if not has_table(database, table, database.introspection.table_names()):
        return
    genes = tag.gene_bits if tag else 0
    top = max(highest_given(model, database.alias) or 0, (tag.max_id or 0) << genes if tag else 0)
    _, limit = database.ops.integer_field_range(key.get_internal_type())
    room = min(LEASES * tag.step << genes, (limit - top) // 2) if tag else 0
    if top > 0:
        SETTERS[database.vendor](database, table, key.column, top + room)


def set_sqlite_counter(database: Any, table: str, column: str, top: int) -> None:
    """Set the last id of AUTOINCREMENT."""
    execute(database, "DELETE FROM sqlite_sequence WHERE name = %s", table)
    execute(database, "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", table, top)


def set_mysql_counter(database: Any, table: str, column: str, top: int) -> None:
    """Set the next id of AUTO_INCREMENT."""
    execute(database, f"ALTER TABLE {database.ops.quote_name(table)} AUTO_INCREMENT = {top + 1:d}")


def set_postgres_counter(database: Any, table: str, column: str, top: int) -> None:
    """Set the last id of an identity or a sequence."""
    value(database, "SELECT setval(pg_get_serial_sequence(%s, %s), %s)", database.ops.quote_name(table), column, top)


SETTERS = {"sqlite": set_sqlite_counter, "mysql": set_mysql_counter, "postgresql": set_postgres_counter}
