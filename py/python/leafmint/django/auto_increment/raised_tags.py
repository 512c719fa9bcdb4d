"""Raises tags above the ids that their tables have given."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

from django import conf
from django.apps import apps as installed
from django.db import connections, models, router
from django.db.migrations import AlterField

from ... import IdSpaceExhaustedError, InvalidArgumentError, LateTag, late_binding
from .. import configuration, hooks, operations
from ..fields import MintedAutoField, SegmentAutoField
from . import column_sequences
from .first_ids import create, may_be_created
from .table_ids import Migrated, has_room, has_table, highest_given, highest_row


class Raised(NamedTuple):
    """What became of tags that were behind their tables, by name."""

    above: dict[str, int]
    """The ids above which tags were raised."""
    refused: dict[str, int]
    """The ids above which there is no id."""
    with_room: dict[str, str]
    """The tables below whose counter tags have room."""


class Given(NamedTuple):
    """The highest id that a table has given, as a number of its tag."""

    tag: LateTag
    table: str
    top: int


def before_migrate(app_config: Any, using: str, apps: Any = installed, plan: Any = (), **kwargs: Any) -> None:
    """Raise tags before a migration takes the counter of a column away, or saves rows without it."""
    if app_config is operations.migrated_apps()[0]:
        Migrated.using = using
        # A key above every id may be what a migration mends. The end of the migrations names it.
        models = installed.get_models(include_auto_created=True)
        raise_tags(models, using, apps, highest_given, lost_by(plan))


def after_migrate(app_config: Any, using: str, apps: Any = installed, **kwargs: Any) -> None:
    """Raise tags above rows that migrations have saved, and processes that still ran the old code."""
    if app_config is operations.migrated_apps()[-1]:
        Migrated.using = None
        models = installed.get_models(include_auto_created=True)
        # `flush` sends the signal too, without a plan.
        refused = raise_tags(models, using, apps, creates="plan" in kwargs).refused
        if refused:
            raise IdSpaceExhaustedError(advice(refused))


def raise_tags(
    candidates: Iterable[type[models.Model]],
    using: str,
    apps: Any = installed,
    highest_of: Callable[[type[models.Model], str], int | None] = highest_row,
    losing: Collection[tuple[str, str, str]] = (),
    creates: bool = False,
) -> Raised:
    """Raise each tag above the ids of the tables of its models.

    The store is asked only if there are such ids, or if tags of empty tables are created, too. `apps` has the models as
    the tables are now; the keys `losing` are about to lose their counter. A sequence, which counts the rows of its
    column by itself, is left alone, and so is a tag with room below a counter.
    """
    if column_sequences.are_leased_from():
        return Raised({}, {}, {})
    minted: list[Any] = [model for model in candidates if is_minted(model) and router.allow_migrate_model(using, model)]
    database = connections[using]
    names = set(database.introspection.table_names()) if minted else set()
    present = {model._meta.db_table: model for model in apps.get_models(include_auto_created=True)}
    given, ending = [], set()
    creates = creates and bool(minted) and may_create()
    for model in minted:
        table, key = model._meta.db_table, model._meta.pk
        is_there = table in present and has_table(database, table, names)
        top = highest_of(present[table], using) if is_there else None
        if top is not None or (is_there and creates):
            # A tag counts the numbers above the genes.
            given.append(Given(key.late_tag, table, (top or 0) >> key.late_tag.gene_bits))
        is_losing = (model._meta.app_label, model._meta.model_name, key.name) in losing
        if is_losing and table in present and not is_minted(present[table]):
            ending.add(table)
    return raise_above(given, using, ending) if given else Raised({}, {}, {})


def may_create() -> bool:
    """Return whether tags of empty tables are created: those of LEAFMINT["DATABASE"], once it has leafmint's tables.

    Where a project is tested, rows with keys of their own may follow, those of fixtures: a tag then begins above them,
    with the first id.
    """
    used = configuration.database()
    if used is None or used.alias not in conf.settings.DATABASES or configuration.is_testing() or not may_be_created():
        return False
    return "leaf_alloc" in connections[used.alias].introspection.table_names()


def lost_by(plan: Iterable[tuple[Any, bool]]) -> set[tuple[str, str, str]]:
    """Return the keys that lose their counter by a plan of migrations: application, model and field.

    No old process can insert without it, so its tag goes on alone. A change of the state alone takes no counter away.
    """
    altered = (
        (migration.app_label, operation)
        for migration, is_backwards in plan
        if not is_backwards
        for operation in migration.operations
        if isinstance(operation, AlterField)
    )
    return {
        (label, operation.model_name_lower, operation.name)
        for label, operation in altered
        if isinstance(operation.field, MintedAutoField)
    }


def keep_sequences_up() -> None:
    """Let Django's `loaddata` and `sqlsequencereset` set the sequences of minted keys up, and never down."""
    for connection in connections.all():
        operations_of: Any = type(connection.ops)
        if connection.vendor == "postgresql" and not hasattr(operations_of.sequence_reset_sql, "__wrapped__"):
            operations_of.sequence_reset_sql = only_up(operations_of.sequence_reset_sql)


def only_up(reset: Callable[[Any, Any, Iterable[Any]], list[str]]) -> Callable[[Any, Any, Iterable[Any]], list[str]]:
    """Return a method of Django that sets sequences to the highest rows, except that it lowers none of minted keys.

    Processes hold ids above the rows.
    """

    @functools.wraps(reset)
    def sequence_reset_sql(self: Any, style: Any, model_list: Iterable[Any]) -> list[str]:
        listed = list(model_list)
        kept = [model for model in listed if is_minted(model)] if column_sequences.are_leased_from() else []
        plain = reset(self, style, [model for model in listed if model not in kept])
        return [*plain, *(raised_sequence(self.quote_name, model) for model in kept)]

    return sequence_reset_sql


def raised_sequence(quote: Callable[[str], str], model: Any) -> str:
    """Return the statement that sets the sequence of a key to its highest row, if that is above."""
    table, column = quote(model._meta.db_table), model._meta.pk.column
    its_table, its_column = text_of(table), text_of(column)
    return (
        f"SELECT setval(s.name, s.top) FROM (SELECT max({quote(column)}) AS top, "
        f"pg_get_serial_sequence({its_table}, {its_column})::regclass AS name FROM {table}) AS s "
        "WHERE s.top > coalesce(pg_sequence_last_value(s.name), 0);"
    )


def text_of(name: str) -> str:
    """Return a name as a text in PostgreSQL's SQL, whatever `standard_conforming_strings` is."""
    doubled = name.replace("'", "''")
    return "E'" + doubled.replace("\\", "\\\\") + "'" if "\\" in name else f"'{doubled}'"


def is_minted(model: Any) -> bool:
    """Return whether a model has a table of its own whose key is a tag's."""
    return isinstance(model._meta.pk, SegmentAutoField) and not model._meta.proxy


def raise_above(given: Iterable[Given], using: str, ending: Collection[str]) -> Raised:
    """Raise tags above ids, except those with room below a counter that goes on. Buffered ids are given back first."""
    late_binding.close()
    raised = Raised({}, {}, {})
    highest: dict[LateTag, int] = {}
    with configuration.open_store() as generator:
        stored = {tag.name: tag.max_id or 0 for tag in generator.list_tags()}
        for tag, table, top in given:
            if stored.get(tag.name, 0) > top:
                continue
            if tag.name in stored and table not in ending and has_room(tag, table, using):
                raised.with_room[tag.name] = table
            else:
                highest[tag] = max(highest.get(tag, 0), top)
        for tag, top in highest.items():
            (raised.above if raise_tag(generator, tag, top) else raised.refused)[tag.name] = top
    hooks.after_close()
    return raised


def raise_tag(generator: Any, tag: LateTag, top: int) -> bool:
    """Raise a tag above a number, and return whether there is any above it."""
    try:
        if not create(generator, tag, top):
            generator.raise_tag_above(tag.name, max((top + 1 << tag.gene_bits) - 1, 0))
    except InvalidArgumentError:
        return False
    return True


def advice(refused: dict[str, int]) -> str:
    """Return what to do about keys above every id."""
    keys = ", ".join(f"{name}: {top}" for name, top in sorted(refused.items()))
    return f"no id is above these keys: {keys}. Give their rows other keys, then run `manage.py leafmint_raise_tags`"
