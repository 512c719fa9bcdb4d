"""Columns whose rows have numbers, and whose instances have typed ids."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.query_utils import DeferredAttribute
from django.utils.functional import Promise, cached_property

from .. import InvalidIdError, TypedId
from .._typed_values import checked_kind, is_number, typed
from ..typed_ids import HIGHEST
from .id_form_field import IdFormField
from .id_lookups import IdExact, IdIn
from .id_texts import read_text

LOOKUPS = {"exact": IdExact, "in": IdIn}

UNQUOTED = {code: f"_{code:02X}" for code in b'":/#?;@&=+$,[]<>%\n\\'}
"""The quotes of the admin, which unquotes every key, but quotes only keys of type str."""


class TypedAttribute(DeferredAttribute):
    """The attribute of an instance. A number becomes a typed id when it is set."""

    def __set__(self, instance: models.Model, value: Any) -> None:
        instance.__dict__[self.field.attname] = self.field.as_attribute(value)

    def __delete__(self, instance: models.Model) -> None:
        del instance.__dict__[self.field.attname]


class TypedColumn(models.BigIntegerField):
    """A column that may have a type of ids. As of a UUIDField, values have the type everywhere but in the database."""

    # The database is not altered for it.
    non_db_attrs = (*models.BigIntegerField.non_db_attrs, "type")
    default_error_messages = {"invalid_id": "“%(value)s” is not a valid id."}  # noqa: RUF012

    def __init__(self, *args: Any, type: type[TypedId] | None = None, **kwargs: Any) -> None:
        """Name the type of ids."""
        self.type: Any = None if type is None else checked_kind(type)
        super().__init__(*args, **kwargs)
        if type is not None:
            # Django REST framework asks for it, and would write a number for an integer field.
            self._proxy_class = models.CharField

    @property
    def descriptor_class(self) -> Any:
        """The class of the attribute."""
        return DeferredAttribute if self.type is None else TypedAttribute

    @cached_property  # type: ignore[untyped-decorator]
    def validators(self) -> list[Any]:
        """The validators of values, without those of a column's limits, which compare with ints."""
        if self.type is None:
            return super().validators  # type: ignore[no-any-return]
        return [*self.default_validators, *self._validators, self.to_python]

    def read(self, value: Any) -> Any:
        """Return the typed id that a value of the application, a number or a text says.

        Raises:
            InvalidIdError: No id has the number or the text.
            InvalidArgumentError: It is the id of another type, or anything else.
            LeafmintError: The keys are missing or wrong.
        """
        if isinstance(value, Promise):
            value = str(value)
        return read_text(self.type, value) if isinstance(value, str) else typed(self.type, value)

    def read_unquoted(self, value: Any) -> Any:
        """Return the typed id that a value says, also if the admin has unquoted a text that it had not quoted."""
        try:
            return self.read(value)
        except InvalidIdError:
            if isinstance(value, str):
                return self.read(value.translate(UNQUOTED))
            raise

    def as_attribute(self, value: Any) -> Any:
        """Return the value of an attribute. What is no id is refused by `full_clean` and `save`."""
        try:
            return self.read(value)
        except ValueError:
            return value

    def to_python(self, value: Any) -> Any:
        """Return the typed id of a value from a form, a fixture, a session or a page of the admin."""
        if self.type is None:
            return super().to_python(value)
        try:
            return self.read_unquoted(value)
        except ValueError as error:
            message = self.error_messages["invalid_id"]
            raise ValidationError(message, code="invalid_id", params={"value": value}) from error

    def get_prep_value(self, value: Any) -> Any:
        """Return the typed id of a value of a query or an instance."""
        if self.type is None:
            return super().get_prep_value(value)
        # A number that is no id may be a limit of a comparison.
        return value if is_number(value) and not 0 <= value <= HIGHEST else self.read(value)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        """Return the number of a value that is saved, which must be an id."""
        if self.type is not None and is_number(value):
            value = self.read(value)
        elif type(value) is int and value > 0 and self._prepares_as_django:
            # Saves of many rows spend much of their time on preparing integers that need no preparation.
            return value
        return super().get_db_prep_save(value, connection)

    @cached_property  # type: ignore[untyped-decorator]
    def _prepares_as_django(self) -> bool:
        own, ours = type(self), TypedColumn
        return (own.get_prep_value, own.get_db_prep_value) == (ours.get_prep_value, ours.get_db_prep_value)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        """Return the number of a value."""
        if self.type is None:
            return super().get_db_prep_value(value, connection, prepared)
        value = value if prepared else self.get_prep_value(value)
        number = int(value) if isinstance(value, TypedId) else value
        return connection.ops.adapt_integerfield_value(number, self.get_internal_type())

    def get_db_converters(self, connection: Any) -> list[Any]:
        """Return what makes typed ids of numbers from rows."""
        return super().get_db_converters(connection) if self.type is None else [self.of_row]

    def of_row(self, value: int | None, expression: Any, connection: Any) -> TypedId | None:
        """Return the typed id of a number from a row."""
        return None if value is None else self.type(value)

    def get_lookup(self, lookup_name: str) -> Any:
        """Return the class of a lookup."""
        lookup = None if self.type is None else LOOKUPS.get(lookup_name)
        return lookup or super().get_lookup(lookup_name)

    def formfield(self, **kwargs: Any) -> Any:
        """Return a field of a form that has the text."""
        if self.type is None:
            return super().formfield(**kwargs)
        return models.Field.formfield(self, **{"form_class": IdFormField, "kind": self.type, **kwargs})

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Return what a migration writes, with the type of ids if there is one."""
        name, path, args, kwargs = super().deconstruct()
        if self.type is not None:
            kwargs["type"] = self.type
        return name, path, args, kwargs
