"""What a model can get wrong about a field with the numbers of a series."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage, Error
from django.core.exceptions import FieldDoesNotExist
from django.db import models

from .. import InvalidArgumentError, InvalidConfigError, SegmentGenerator


def check_series(field: Any) -> list[CheckMessage]:
    """Find a name, a period, a zone, a key, a step or a format that no series can have."""
    late = field.late_series
    try:
        with SegmentGenerator("memory://leafmint.django.checks") as generator:
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
