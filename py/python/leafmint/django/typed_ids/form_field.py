"""The field of a form that has the text of a typed id."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from ... import InvalidIdError, TypedId
from .texts import read_text


class IdFormField(forms.CharField):
    """A text field whose value is a typed id."""

    default_error_messages = {"invalid": "Enter a valid id."}  # noqa: RUF012

    def __init__(self, *, kind: type[TypedId], **kwargs: Any) -> None:
        """Name the type of ids."""
        self.kind = kind
        super().__init__(**{"empty_value": None, **kwargs})

    def to_python(self, value: Any) -> TypedId | None:
        """Return the typed id of a text."""
        if isinstance(value, self.kind):
            return value
        text: str | None = super().to_python(value)
        try:
            return None if text is None else read_text(self.kind, text)
        except InvalidIdError as error:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from error
