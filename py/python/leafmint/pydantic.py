"""Ids as fields of Pydantic models: `Id`, an int in Python and a string of digits in JSON, and each `TypedId`.

JavaScript reads numbers above 2^53 inexactly, so ids travel as strings.

>>> from leafmint.pydantic import Id
>>> from pydantic import BaseModel
>>> class Order(BaseModel):
...     id: Id
>>> Order(id=2124282942359339095).model_dump_json()
'{"id":"2124282942359339095"}'
>>> Order.model_validate_json('{"id":"2124282942359339095"}').id
2124282942359339095
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import (
    CoreSchema,
    PydanticCustomError,
    PydanticSerializationError,
    PydanticSerializationUnexpectedValue,
    core_schema,
)

from ._core import _IdText
from .errors import InvalidIdError, LeafmintError
from .typed_ids import TypedId

__all__ = ["Id"]

HIGHEST = 2**63 - 1

_decimal = _IdText("decimal")
_digits = _decimal.bind(None)


def id_schema(name: str, is_value: Callable[[Any], bool], parse: Callable[[str], Any], expected: str) -> CoreSchema:
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
        return given if info.mode == "python" and is_value(given) else read_text(given)

    def write(value: Any) -> str:
        if is_value(value) or isinstance(value, TypedId):
            return str(value)
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
    """Return the schema of a type of ids."""
    if not hasattr(kind, "example"):
        raise TypeError("TypedId is extended by types of ids: name one of them, or several as in OrderId | CustomerId")
    expected = f"Input should be an id such as {kind.example}"
    return id_schema(kind.__name__, lambda given: type(given) is kind, kind.parse, expected)


def is_id(given: Any) -> bool:
    """Return whether a value is an int that is an id."""
    return isinstance(given, int) and not isinstance(given, bool) and 0 <= given <= HIGHEST


class _StringInJson:
    """Makes the schema of an int that is a string in JSON."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        expected = f"Input should be an id: 0 to {HIGHEST}, as a string of digits without leading zeros"
        return id_schema("Id", is_id, _digits.decode, expected)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return json_schema(_decimal.pattern, "2124282942359339095")


Id = Annotated[int, _StringInJson()]
"""An id of 0 to 2^63 - 1: an int in Python, a string of digits in JSON.

It refuses bool, float, negative numbers, and texts with signs, spaces or leading zeros. It also reads such a string in
Python, so that it fits path and query parameters of FastAPI. In JSON it refuses numbers, which a sender may have
rounded, but not in a body of FastAPI, which parses JSON before Pydantic sees it.
"""
