"""What a project can get wrong about the keys of typed ids."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage, Error

from .. import LeafmintError
from . import configuration
from .id_texts import need_texts


def check_public_keys() -> list[CheckMessage]:
    """Find types of ids whose keys are missing or wrong."""
    fields = {field.type: field for field in configuration.typed_columns()}
    return [message for field in fields.values() for message in check_keys_of(field)]


def check_keys_of(field: Any) -> list[CheckMessage]:
    """Find out whether the texts of a type of ids can be read. They need keys, if any."""
    try:
        need_texts(field.type)
    except LeafmintError as error:
        hint = 'Set LEAFMINT = {"PUBLIC_KEYS": ...}, or the variable LEAFMINT_PUBLIC_KEYS.'
        return [Error(str(error), hint=hint, obj=field, id="leafmint.E007")]
    return []
