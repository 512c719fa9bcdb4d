"""Typed ids in the paths of URLs."""

from __future__ import annotations

import re
from typing import Any

from django.urls import register_converter
from django.urls.converters import get_converters

from ... import InvalidArgumentError, TypedId
from ..._internal.typed_values import checked_kind
from .texts import read_text, write_text


class IdConverter:
    """Converts between the part of a path and a typed id. Another text is no match, and so ends in a 404."""

    kind: type[TypedId]
    regex: str

    def to_python(self, value: str) -> TypedId:
        """Return the typed id of a text."""
        return read_text(self.kind, value)

    def to_url(self, value: Any) -> str:
        """Return the text of a typed id. A text must be one, and a number is refused."""
        if isinstance(value, str):
            value = read_text(self.kind, value)
        if isinstance(value, self.kind):
            return write_text(value)
        raise InvalidArgumentError(f"expected {self.kind.__name__}, not {type(value).__name__}")


def register_id_converter(kind: type[TypedId], *, name: str | None = None) -> None:
    """Register a converter of paths for a type of ids. Call it in the module of URLs, before `path`.

    The view gets an `OrderId`; a text that is none is no match, so that Django answers 404. `reverse` and `{% url %}`
    take an `OrderId`, such as `order.pk`.

    Args:
        kind: The type of ids.
        name: The name of the converter; by default that of the type, as "order_id" for `OrderId`.

    Raises:
        InvalidArgumentError: The name belongs to another converter.

    Example:
        >>> import leafmint
        >>> from django.urls import path
        >>> from leafmint.django import register_id_converter
        >>> class OrderId(leafmint.TypedId, prefix="order"): ...
        >>> register_id_converter(OrderId)
        >>> print(path("orders/<order_id:id>", lambda request, id: ...).pattern)
        orders/<order_id:id>
    """
    name = name or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", checked_kind(kind).__name__).lower()
    known = get_converters().get(name)
    if known is None:
        regex = kind.pattern.removeprefix("^").removesuffix("$")
        register_converter(type(f"{kind.__name__}Converter", (IdConverter,), {"kind": kind, "regex": regex}), name)
    elif getattr(known, "kind", None) is not kind:
        raise InvalidArgumentError(f"a converter of paths has the name {name!r} already: give this one another name")
