"""Raises tags above the ids that their tables have given."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.apps import apps as installed
from django.db import connections, models, router

from .. import IdSpaceExhaustedError, InvalidArgumentError, LateTag, late_binding
from . import column_sequences, configuration, hooks, operations
from .fields import LeafmintAutoField
from .table_ids import Migrated, highest_given, highest_row


def before_migrate(app_config: Any, using: str, apps: Any = installed, **kwargs: Any) -> None:
    """Raise tags before a migration takes the counter of a column away, or saves rows without it."""
    if app_config is operations.migrated_apps()[0]:
        Migrated.using = using
        # A key above every id may be what a migration mends. The end of the migrations names it.
        raise_tags(installed.get_models(include_auto_created=True), using, apps, highest_given)


def after_migrate(app_config: Any, using: str, apps: Any = installed, **kwargs: Any) -> None:
    """Raise tags above rows that migrations have saved, and processes that still ran the old code."""
    if app_config is operations.migrated_apps()[-1]:
        Migrated.using = None
        _, refused = raise_tags(installed.get_models(include_auto_created=True), using, apps)
        if refused:
            raise IdSpaceExhaustedError(advice(refused))


def raise_tags(
    candidates: Iterable[type[models.Model]],
    using: str,
    apps: Any = installed,
    highest_of: Callable[[type[models.Model], str], int | None] = highest_row,
) -> tuple[dict[str, int], dict[str, int]]:
    """Raise each tag above the ids of the tables of its models.

    The store is asked only if there are such ids. `apps` has the models as the tables are now. A sequence, which counts
    the rows of its column by itself, is left alone.

    Returns:
        The ids above which tags had to be raised, and those above which there is no id.
    """
    if column_sequences.are_leased_from():
        return {}, {}
    minted: list[Any] = [model for model in candidates if is_minted(model) and router.allow_migrate_model(using, model)]
    tables = set(connections[using].introspection.table_names()) if minted else set()
    present = {model._meta.db_table: model for model in apps.get_models(include_auto_created=True)}
    highest: dict[LateTag, int] = {}
    for model in minted:
        table, tag = model._meta.db_table, model._meta.pk.late_tag
        top = highest_of(present[table], using) if table in tables & present.keys() else None
        if top is not None:
            # A tag counts the numbers above the genes.
            highest[tag] = max(highest.get(tag, 0), top >> tag.gene_bits)
    return raise_above(highest) if highest else ({}, {})


def is_minted(model: Any) -> bool:
    """Return whether a model has a table of its own whose key is a tag's."""
    return isinstance(model._meta.pk, LeafmintAutoField) and not model._meta.proxy


def raise_above(highest: dict[LateTag, int]) -> tuple[dict[str, int], dict[str, int]]:
    """Raise tags above ids. Ids in hand are given back first."""
    late_binding.close()
    raised: dict[str, int] = {}
    refused: dict[str, int] = {}
    with configuration.open_store() as generator:
        stored = {tag.biz_tag: tag.max_id or 0 for tag in generator.list_tags()}
        for tag, top in highest.items():
            if stored.get(tag.name, 0) <= top:
                (raised if raise_tag(generator, tag, top) else refused)[tag.name] = top
    hooks.after_close()
    return raised, refused


def raise_tag(generator: Any, tag: LateTag, top: int) -> bool:
    """Raise a tag above a number, and return whether there is any above it."""
    try:
        if not generator.create_tag(tag.name, start=max(top + 1, 1), gene_bits=tag.gene_bits):
            generator.raise_tag(tag.name, max(top + 1, 0))
    except InvalidArgumentError:
        return False
    return True


def advice(refused: dict[str, int]) -> str:
    """Return what to do about keys above every id."""
    keys = ", ".join(f"{name}: {top}" for name, top in sorted(refused.items()))
    return f"no id is above these keys: {keys}. Give their rows other keys, then run `manage.py raisetags`"
