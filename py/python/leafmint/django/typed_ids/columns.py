"""Columns whose rows have numbers, and whose instances have typed ids."""

from __future__ import annotations

from typing import Any, NoReturn

from django.core.exceptions import FieldError, ValidationError
from django.db import models
from django.db.models.expressions import Col
from django.db.models.fields import AutoFieldMixin
from django.db.models.query_utils import DeferredAttribute
from django.utils.functional import Promise, cached_property

from ... import InvalidIdError, TypedId
from ..._internal.typed_values import checked_kind, is_number, typed
from ...typed_ids import HIGHEST
from .form_field import IdFormField
from .lookups import LOOKUPS
from .texts import read_text

UNQUOTED = {code: f"_{code:02X}" for code in b'":/#?;@&=+$,[]<>%\n\\'}
"""The quotes of the admin, which unquotes every key, but quotes only keys of type str."""


class TypedAttribute(DeferredAttribute):
    """The attribute of an instance. A number becomes a typed id when it is set."""

    def __set__(self, instance: models.Model, value: Any) -> None:
        instance.__dict__[self.field.attname] = self.field.as_attribute(value)

    def __delete__(self, instance: models.Model) -> None:
        del instance.__dict__[self.field.attname]


class TypedColumn(models.CharField):
    """A bigint column of typed ids. As of a UUIDField, values have the type everywhere but in the database.

    It extends CharField, and no field of integers, because other libraries decide by that what they show, read and
    search: the text of an id, and not its number.
    """

    # The database is not altered for it.
    non_db_attrs = (*models.CharField.non_db_attrs, "type")
    default_error_messages = {"invalid_id": "“%(value)s” is not a valid id."}  # noqa: RUF012
    descriptor_class = TypedAttribute
    description = "Typed id"
    empty_strings_allowed = False

    def __init__(self, *args: Any, type: type[TypedId], **kwargs: Any) -> None:
        """Name the type of ids."""
        self.type: Any = checked_kind(type)
        super().__init__(*args, **kwargs)

    def check(self, **kwargs: Any) -> list[Any]:
        """Check what every field must have, but no length of a text."""
        found: list[Any] = models.Field.check(self, **kwargs)
        return found

    @cached_property  # type: ignore[untyped-decorator]
    def validators(self) -> list[Any]:
        """The validators of values."""
        return [*self.default_validators, *self._validators, self.to_python]

    def db_type(self, connection: Any) -> Any:
        """Return the type of the column, which is that of a BigIntegerField."""
        return models.BigIntegerField().db_type(connection)

    rel_db_type = db_type

    def cast_db_type(self, connection: Any) -> Any:
        """Return the type of the column in a CAST."""
        return models.BigIntegerField().cast_db_type(connection)

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
        """Return the value of an attribute. What is no id is refused by `full_clean` and `save`.

        An empty text is no id: serializers and imports have it for an empty cell.
        """
        if value.__class__ is self.type:
            return value
        try:
            return None if value == "" else self.read(value)
        except ValueError:
            return value

    def to_python(self, value: Any) -> Any:
        """Return the typed id of a value from a form, a fixture, a session or a page of the admin."""
        try:
            return self.read_unquoted(value)
        except ValueError as error:
            message = self.error_messages["invalid_id"]
            raise ValidationError(message, code="invalid_id", params={"value": value}) from error

    def get_prep_value(self, value: Any) -> Any:
        """Return the typed id of a value of a query or an instance."""
        # A number that is no id may be a limit of a comparison.
        return value if is_number(value) and not 0 <= value <= HIGHEST else self.read(value)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        """Return the number of a value that is saved, which must be an id."""
        if value.__class__ is self.type:
            # What nearly every row has.
            return connection.ops.adapt_integerfield_value(int(value), "BigIntegerField")
        return super().get_db_prep_save(self.read(value) if is_number(value) else value, connection)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        """Return the number of a value."""
        value = value if prepared else self.get_prep_value(value)
        number = int(value) if isinstance(value, TypedId) else value
        return connection.ops.adapt_integerfield_value(number, "BigIntegerField")

    def from_db_value(self, value: int | None, expression: Any, connection: Any) -> TypedId | None:
        """Return the typed id of a number from a row."""
        if expression.__class__ is not Col:
            self.refuse_sum(expression)
        return None if value is None else self.type(value)

    def refuse_sum(self, expression: Any) -> None:
        """Refuse a sum, which a database computes, and whose number might be that of another row."""
        if isinstance(expression, models.Window):
            expression = expression.source_expression
        if isinstance(expression, models.Sum):
            raise FieldError(
                f"{self.name!r}: a sum of ids of the type {self.type.__name__} is none: write"
                f" Sum(Cast({self.name!r}, BigIntegerField()))"
            )

    @classmethod
    def get_class_lookups(cls) -> Any:
        """Return the lookups that compare whole ids."""
        return LOOKUPS

    def get_transform(self, lookup_name: str) -> NoReturn:
        """Refuse a lookup that would search the digits of the number, which clients could count with."""
        raise FieldError(
            f"{self.name!r} has ids of the type {self.type.__name__}, whose digits cannot be searched by"
            f" {lookup_name!r}: use one of {', '.join(LOOKUPS)}"
        )

    def formfield(self, **kwargs: Any) -> Any:
        """Return a field of a form that has the text."""
        return models.Field.formfield(self, **{"form_class": IdFormField, "kind": self.type, **kwargs})

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Return what a migration writes."""
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, {**kwargs, "type": self.type}


class TypedKey(AutoFieldMixin, TypedColumn):
    """A primary key of typed ids, which no form, serializer or import may change."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Name the type of ids."""
        super().__init__(*args, **{**kwargs, "editable": False})

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        """Return the number of a value."""
        return TypedColumn.get_db_prep_value(self, value, connection, prepared)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        """Return the number of a value that is saved, which must be an id: Django 6.1's own keys take any number."""
        return TypedColumn.get_db_prep_save(self, value, connection)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Return what a migration writes."""
        name, path, args, kwargs = super().deconstruct()
        del kwargs["editable"]
        return name, path, args, kwargs
