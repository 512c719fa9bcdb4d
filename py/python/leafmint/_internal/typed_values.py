"""Which values an attribute of typed ids takes from the application."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from ..errors import InvalidArgumentError
from ..typed_ids import TypedId

Id = TypeVar("Id", bound=TypedId)


def checked_kind(kind: type[Id]) -> type[Id]:
    """Return a type of ids.

    Raises:
        TypeError: It is none.
    """
    if isinstance(kind, type) and issubclass(kind, TypedId) and kind is not TypedId:
        return kind
    raise TypeError(f"expected a type of ids, which extends leafmint.TypedId, not {kind!r}")


def is_number(value: object) -> bool:
    """Return whether a value is an int, and no bool."""
    return isinstance(value, int) and not isinstance(value, bool)


def typed(kind: type[Id], value: Any) -> Id | None:
    """Return the typed id of a number; a typed id and None as they are.

    Raises:
        InvalidArgumentError: It is the id of another type, a text, or anything else.
        InvalidIdError: The number is negative or does not fit 64 bits.
    """
    if value is None or isinstance(value, kind):
        return value
    return kind(value) if is_number(value) else refuse(kind, value)


def refuse(kind: type[Id], value: object) -> NoReturn:
    """Refuse a value.

    Raises:
        InvalidArgumentError: Always.
    """
    advice = f": read a text with {kind.__name__}.parse" if isinstance(value, str) else ""
    raise InvalidArgumentError(f"expected {kind.__name__} or int, not {type(value).__name__}{advice}")


def refuse_parameters(driver: Any) -> None:
    """Let a driver of MySQL refuse a typed id of textual SQL: it would send its text, which is 0 to a BIGINT."""
    encoders = getattr(driver, "encoders", None) or getattr(driver, "_encoders", None)
    if isinstance(encoders, dict):
        encoders.update(dict.fromkeys(TypedId.__subclasses__(), refuse_parameter))


def refuse_parameter(value: TypedId, *_: object) -> NoReturn:
    """Refuse a parameter of a statement.

    Raises:
        InvalidArgumentError: Always.
    """
    kind = type(value).__name__
    raise InvalidArgumentError(
        f"a parameter is an id of the type {kind}, which the statement does not say: pass int(id)"
    )
