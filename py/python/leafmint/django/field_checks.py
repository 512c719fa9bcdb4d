"""What a model can get wrong about a field of leafmint."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.core.checks import CheckMessage, Error
from django.db.models import NOT_PROVIDED

from .. import InvalidArgumentError, SegmentGenerator


def check_installed(field: Any) -> list[CheckMessage]:
    """Find out whether the application is missing that reads the setting."""
    if apps.is_installed("leafmint.django"):
        return []
    hint = "Add 'leafmint.django' to INSTALLED_APPS: without it, the setting LEAFMINT is not read."
    return [Error("leafmint.django is not installed.", hint=hint, obj=field, id="leafmint.E103")]


def check_value_source(field: Any) -> list[CheckMessage]:
    """Find a second source of the value."""
    sources = {"default": field.default, "db_default": getattr(field, "db_default", NOT_PROVIDED)}
    return [
        Error(
            f"'{name}' contradicts a value that leafmint mints.",
            hint=f"Remove the argument '{name}'.",
            obj=field,
            id="leafmint.E101",
        )
        for name, value in sources.items()
        if value is not NOT_PROVIDED
    ]


def check_tag(field: Any) -> list[CheckMessage]:
    """Find a name that no tag can have."""
    try:
        with SegmentGenerator("memory://leafmint.django.checks") as generator:
            generator.biz_tag(field.late_tag.name)
    except (InvalidArgumentError, TypeError) as error:
        hint = "Name the tag: LeafmintAutoField(tag=...)." if field.tag is None else None
        return [Error(f"The tag of this field is invalid: {error}.", hint=hint, obj=field, id="leafmint.E102")]
    return []


def check_gene(field: Any) -> list[CheckMessage]:
    """Find a gene of no field, and gene bits that no id has."""
    if field.gene is None and field.gene_bits == 0:
        return []
    names = {other.name for other in field.model._meta.concrete_fields if other is not field}
    if field.gene in names and 1 <= field.gene_bits <= 12:
        return []
    hint = 'Write gene="user", gene_bits=4: another field of the model, and 1 to 12.'
    return [Error("The gene of this field is incomplete or wrong.", hint=hint, obj=field, id="leafmint.E107")]
