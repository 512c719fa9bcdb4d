"""What a project can get wrong about generic foreign keys to minted ids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import django
from django.apps import apps
from django.core.checks import CheckMessage, Warning

from .. import configuration
from ..fields import SnowflakeAutoField

NARROW = ("IntegerField", "PositiveIntegerField", "PositiveSmallIntegerField", "SmallIntegerField")


def check_generic_keys(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Find generic foreign keys that are too narrow for snowflakes, or that do not find typed ids."""
    return [*check_narrow_keys(), *check_prefetched_keys()]


def check_narrow_keys() -> list[CheckMessage]:
    """Find generic foreign keys that are too narrow for snowflakes."""
    if not any(configuration.fields(SnowflakeAutoField)):
        return []
    return [
        Warning(
            f"The field '{field.fk_field}' is too narrow for snowflakes, which a generic foreign key may hold.",
            hint="Use a PositiveBigIntegerField.",
            obj=model,
            id="leafmint.W001",
        )
        for model, field in generic_keys()
        if model._meta.get_field(field.fk_field).get_internal_type() in NARROW
    ]


def check_prefetched_keys() -> list[CheckMessage]:
    """Find generic foreign keys whose prefetched objects Django 6 matches by the texts of their keys."""
    if django.VERSION < (6,) or not any(field.primary_key for field in configuration.typed_columns()):
        return []
    return [
        Warning(
            f"prefetch_related('{field.name}') finds no object whose key is a typed id: Django 6 compares texts.",
            hint="Do not prefetch objects with typed ids, or silence this check if there are none.",
            obj=model,
            id="leafmint.W004",
        )
        for model, field in generic_keys()
        if model._meta.get_field(field.fk_field).get_internal_type().endswith("IntegerField")
    ]


def generic_keys() -> Iterator[tuple[Any, Any]]:
    """Yield the generic foreign keys of all models."""
    for model in apps.get_models():
        for field in model._meta.private_fields:
            if hasattr(field, "fk_field"):
                yield model, field
