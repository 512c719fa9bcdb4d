"""What a model can get wrong about a field of leafmint."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.core.checks import CheckMessage, Error
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.db.models import NOT_PROVIDED

from ... import InvalidArgumentError, InvalidConfigError
from ..._core import _segments_for_checks


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
        with _segments_for_checks("memory://leafmint.django.checks", None) as generator:
            generator.tag(field.late_tag.name)
    except (InvalidArgumentError, TypeError) as error:
        hint = "Name the tag: SegmentAutoField(tag=...)." if field.tag is None else None
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


def check_series(field: Any) -> list[CheckMessage]:
    """Find a name, a period, a zone, a key, a step or a format that no series can have."""
    late = field.late_series
    try:
        with _segments_for_checks("memory://leafmint.django.checks", None) as generator:
            generator.series(
                late.name, period=late.period, zone=late.zone, key=late.key, step=late.step, format=late.format
            )
    except (InvalidArgumentError, InvalidConfigError, TypeError) as error:
        return [Error(f"The series of this field is invalid: {error}.", obj=field, id="leafmint.E104")]
    return []


def check_date_field(field: Any) -> list[CheckMessage]:
    """Find an `on` that gives no date when the number is taken."""
    problem = date_problem(field) if field.on is not None else None
    return [Error(f"'on' names {field.on!r}, {problem}.", obj=field, id="leafmint.E105")] if problem else []


def date_problem(field: Any) -> str | None:
    """Return what is wrong with the field that `on` names."""
    if field.period == "forever":
        return "but numbers that never start again have no date"
    try:
        dated: Any = field.model._meta.get_field(field.on)
    except FieldDoesNotExist:
        return "which the model does not have"
    if not isinstance(dated, models.DateField) or isinstance(dated, models.DateTimeField):
        return "which is no DateField"
    # Django fills such a field in while it saves the row, in the order of the fields.
    if (dated.auto_now or dated.auto_now_add) and dated.creation_counter > field.creation_counter:
        return "which has its date only after this field has its number: declare it before this field"
    return None
