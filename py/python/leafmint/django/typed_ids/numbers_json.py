"""Fixtures in JSON whose typed ids are numbers, which survive a change of the keys."""

from __future__ import annotations

from typing import Any

from django.core.serializers import json

from ... import TypedId

Deserializer = json.Deserializer


class Serializer(json.Serializer):
    """Writes what Django writes, but the numbers of typed ids."""

    def _value_from_field(self, obj: Any, field: Any) -> Any:
        value = field.value_from_object(obj)
        return int(value) if isinstance(value, TypedId) else super()._value_from_field(obj, field)
