"""Keys, from which genes and tables are computed."""

import uuid
from collections.abc import Callable
from typing import Any

import leafmint
import numpy
import pytest

ORDERS = leafmint.ShardRule("10", tables=1024)

KEYED: list[Callable[[Any], int]] = [ORDERS.table_of, lambda key: leafmint.gene_of_key(key, 4)]


@pytest.mark.parametrize("call", KEYED)
@pytest.mark.parametrize(
    "key", [2**63, -(2**63) - 1, 2**64, 10**100, 10**5000], ids=lambda key: f"{key.bit_length()} bits"
)
def test_a_key_beyond_64_bits_is_an_invalid_argument(call: Callable[[Any], int], key: int) -> None:
    with pytest.raises(leafmint.InvalidArgumentError, match=r"^key.* does not fit 64 bits"):
        call(key)


@pytest.mark.parametrize("call", KEYED)
@pytest.mark.parametrize("key", ["\ud800", "user-\udfff", "\udc80x"], ids=ascii)
def test_a_key_with_a_lone_surrogate_is_an_invalid_argument(call: Callable[[Any], int], key: str) -> None:
    with pytest.raises(leafmint.InvalidArgumentError, match="surrogate"):
        call(key)


@pytest.mark.parametrize("call", KEYED)
@pytest.mark.parametrize(
    "key", [None, 1.0, b"user", True, False, uuid.UUID(int=1), ["user"], object()], ids=lambda key: type(key)
)
def test_a_key_of_a_wrong_type_is_a_type_error(call: Callable[[Any], int], key: Any) -> None:
    with pytest.raises(TypeError, match="key must be a str or an int, not"):
        call(key)


@pytest.mark.parametrize("call", KEYED)
def test_keys_of_other_libraries_count_as_those_of_python(call: Callable[[Any], int]) -> None:
    class Name(str):
        __slots__ = ()

    assert call(numpy.int64(-17)) == call(-17)
    assert call(numpy.str_("user-42")) == call(Name("user-42")) == call("user-42")
