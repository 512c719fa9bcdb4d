"""Foreign keys to models whose keys are typed ids."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db import models
from django.db.models.fields.related_descriptors import ForeignKeyDeferredAttribute

from .columns import TypedColumn


class TypedForeignAttribute(ForeignKeyDeferredAttribute):
    """The attribute with the id of another row. A number becomes a typed id when it is set, as in that row."""

    def __set__(self, instance: models.Model, value: Any) -> None:
        super().__set__(instance, target_of(self.field).as_attribute(value))


def give_types() -> None:
    """Give attributes their types. Before all models are loaded, a foreign key knows no more than a name."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.local_fields:
            target = target_of(field)
            if field is not target and isinstance(target, TypedColumn):
                setattr(model, field.attname, TypedForeignAttribute(field))


def target_of(field: Any) -> Any:
    """Return the column that a foreign key refers to in the end, and any other field itself."""
    # The check of models reports a model that is missing, whose name is here.
    while isinstance(field, models.ForeignKey) and not isinstance(field.remote_field.model, str):
        field = field.target_field
    return field
