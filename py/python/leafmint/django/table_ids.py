"""Raises tags above the ids that their tables already have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import connections, models, router

from .. import late_binding
from . import configuration
from .fields import LeafmintAutoField


def after_migrate(app_config: Any, using: str, **kwargs: Any) -> None:
    """Raise the tags of an application, for a key that a migration has just made a LeafmintAutoField."""
    raise_tags(app_config.get_models(include_auto_created=True), using)


def raise_tags(candidates: Iterable[type[models.Model]], using: str) -> dict[str, int]:
    """Raise each tag above the ids in the tables of its models, and return the tags that had to be raised.

    The store is asked only if a table has rows.
    """
    minted: list[Any] = [model for model in candidates if is_minted(model) and router.allow_migrate_model(using, model)]
    tables = set(connections[using].introspection.table_names()) if minted else set()
    highest: dict[str, int] = {}
    for model in minted:
        if model._meta.db_table in tables:
            top = model._base_manager.using(using).aggregate(top=models.Max("pk"))["top"]
            if top is not None:
                name = model._meta.pk.late_tag.name
                highest[name] = max(highest.get(name, 0), top)
    return raise_above(highest) if highest else {}


def is_minted(model: Any) -> bool:
    """Return whether a model has a table of its own whose key is a tag's."""
    return isinstance(model._meta.pk, LeafmintAutoField) and not model._meta.proxy


def raise_above(highest: dict[str, int]) -> dict[str, int]:
    """Raise tags above ids, and return those that had to be raised. Ids in hand are given back first."""
    late_binding.close()
    with configuration.open_store() as generator:
        stored = {tag.biz_tag: tag.max_id or 0 for tag in generator.list_tags()}
        raised = {name: top for name, top in highest.items() if stored.get(name, 0) <= top}
        for name, top in raised.items():
            if not generator.create_tag(name, start=max(top + 1, 1)):
                generator.raise_tag(name, max(top + 1, 0))
    return raised
