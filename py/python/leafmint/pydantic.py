"""An id as a field of Pydantic models: an int in Python, a string in JSON.

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

from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

__all__ = ["Id"]

HIGHEST = 2**63 - 1
PATTERN = "^(0|[1-9][0-9]{0,18})$"
"""Digits without leading zeros. Texts above 2^63 - 1 match it too, and are refused by their value."""

EXPECTED = f"Input should be an id: 0 to {HIGHEST}, as a string of digits without leading zeros"


class _StringInJson:
    """Makes the schema of an int that is a string in JSON."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        number = core_schema.int_schema(strict=True, ge=0, le=HIGHEST)
        text = core_schema.chain_schema(
            [
                core_schema.str_schema(strict=True, pattern=PATTERN, regex_engine="rust-regex"),
                core_schema.no_info_plain_validator_function(int),
                number,
            ]
        )
        python = core_schema.union_schema([number, text], mode="left_to_right")
        # Otherwise an answer of FastAPI would list what each part of the schema expects.
        return core_schema.custom_error_schema(
            core_schema.json_or_python_schema(text, python),
            custom_error_type="leafmint_id",
            custom_error_message=EXPECTED,
            serialization=core_schema.plain_serializer_function_ser_schema(
                str, return_schema=core_schema.str_schema(), when_used="json"
            ),
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"type": "string", "pattern": PATTERN, "examples": ["2124282942359339095"]}


Id = Annotated[int, _StringInJson()]
"""An id of 0 to 2^63 - 1: an int in Python, a string of digits in JSON.

It refuses bool, float, negative numbers, and texts with signs, spaces or leading zeros. It also reads such a string in
Python, so that it fits path and query parameters of FastAPI. In JSON it refuses numbers, which a sender may have
rounded, but not in a body of FastAPI, which parses JSON before Pydantic sees it.
"""
