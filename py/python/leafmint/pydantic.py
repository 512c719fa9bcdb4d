"""Ids as fields of Pydantic models: `IdAsString`, an int in Python and a string of digits in JSON, and each `TypedId`.

JavaScript reads numbers above 2^53 inexactly, so ids travel as strings.

>>> from leafmint.pydantic import IdAsString
>>> from pydantic import BaseModel
>>> class Order(BaseModel):
...     id: IdAsString
>>> Order(id=2124282942359339095).model_dump_json()
'{"id":"2124282942359339095"}'
>>> Order.model_validate_json('{"id":"2124282942359339095"}').id
2124282942359339095
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import (
    CoreSchema,
    PydanticCustomError,
    PydanticSerializationError,
    PydanticSerializationUnexpectedValue,
    SchemaSerializer,
    core_schema,
)

from ._core import _IdText
from .errors import InvalidIdError, LeafmintError
from .typed_ids import TypedId

__all__ = ["IdAsString"]

HIGHEST = 2**63 - 1

_decimal = _IdText("decimal")
_digits = _decimal.bind(None)


def id_schema(name: str, value_of: Callable[[Any], Any], parse: Callable[[str], Any], expected: str) -> CoreSchema:
    """Return the schema of a value that is a string in JSON. Python may have the value or the string."""

    def read_text(given: Any) -> Any:
        try:
            if isinstance(given, str):
                return parse(given)
        except InvalidIdError:
            pass
        except ValueError as error:
            # Pydantic would answer that the text is wrong, if the configuration is.
            raise LeafmintError(f"an id cannot be read: {error}") from error
        # One problem, which does not list what each part of a schema expects.
        raise PydanticCustomError("leafmint_id", expected)

    def read(given: Any, info: ValidationInfo) -> Any:
        value = value_of(given) if info.mode == "python" else None
        return read_text(given) if value is None else value

    def write(value: Any) -> str:
        if isinstance(value, TypedId):
            return str(value)
        if (number := value_of(value)) is not None:
            return str(number)
        if isinstance(value, int):
            # Pydantic would write the number behind a warning.
            raise PydanticSerializationError("an int is no id of this field: make a value of its type")
        # In a union, another type may fit.
        raise PydanticSerializationUnexpectedValue(f"a {type(value).__name__} is no id")

    # In a union, each problem's place has this name.
    read.__name__ = read.__qualname__ = name
    return core_schema.with_info_plain_validator_function(
        read,
        serialization=core_schema.plain_serializer_function_ser_schema(
            write, return_schema=core_schema.str_schema(), when_used="json"
        ),
    )


def json_schema(pattern: str, example: str) -> JsonSchemaValue:
    """Return the JSON schema of the string."""
    return {"type": "string", "pattern": pattern, "examples": [example]}


def typed_id_schema(kind: type[TypedId]) -> CoreSchema:
    """Return the schema of a type of ids. The base of all types is the bound of generic models; it reads no text."""
    if kind is TypedId:
        return id_schema("TypedId", lambda given: given if isinstance(given, TypedId) else None, _of_which_type, _ANY)
    expected = f"Input should be an id such as {kind.example}"
    return id_schema(kind.__name__, lambda given: given if type(given) is kind else None, kind.parse, expected)


_serializers: dict[type[TypedId], SchemaSerializer] = {}


def serializer(kind: type[TypedId]) -> SchemaSerializer:
    """Return what writes ids in fields of the type Any, and in generic models without their parameters."""
    if (found := _serializers.get(kind)) is None:
        found = _serializers[kind] = SchemaSerializer(typed_id_schema(kind))
    return found


_ANY = "Input should be a typed id; to read its text, name its type, such as Page[OrderId], or OrderId | CustomerId"


def _of_which_type(text: str) -> TypedId:
    raise InvalidIdError(f"{text!r} is the text of some type of ids")


def id_of(given: Any) -> int | None:
    """Return the id that an int is, also an int of another class, such as NumPy's."""
    if not isinstance(given, Integral) or isinstance(given, bool):
        return None
    number = int(given)
    return number if 0 <= number <= HIGHEST else None


class _StringInJson:
    """Makes the schema of an int that is a string in JSON."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        expected = f"Input should be an id: 0 to {HIGHEST}, as a string of digits without leading zeros"
        return id_schema("IdAsString", id_of, _digits.decode, expected)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return json_schema(_decimal.pattern, "2124282942359339095")


IdAsString = Annotated[int, _StringInJson()]
"""An id of 0 to 2^63 - 1: an int in Python, a string of digits in JSON.

It refuses bool, float, negative numbers, and texts with signs, spaces or leading zeros. It also reads such a string in
Python, so that it fits path and query parameters of FastAPI. In JSON it refuses numbers, which a sender may have
rounded, but not in a body of FastAPI, which parses JSON before Pydantic sees it.
"""
