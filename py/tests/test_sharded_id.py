"""Numbers with a shard suffix, taken apart."""

from typing import Any

import leafmint
import pytest

ORDERS = leafmint.ShardRule("10", tables=1024)


def test_a_number_consists_of_a_code_an_id_and_a_table() -> None:
    number = ORDERS.compose(1769649671860822016, 1023)
    assert str(number) == f"{number}" == "1017696496718608220161023"
    assert (number.business_code, number.sequence, number.table) == ("10", 1769649671860822016, 1023)
    assert repr(number) == (
        "<leafmint.ShardedId 1017696496718608220161023 business_code='10' sequence=1769649671860822016 table=1023>"
    )
    assert ORDERS.parse(str(number)) == number


@pytest.mark.parametrize("text", ["10\ud8001023", "\udfff"], ids=ascii)
def test_a_text_with_a_lone_surrogate_is_an_invalid_id(text: str) -> None:
    with pytest.raises(leafmint.InvalidIdError):
        ORDERS.parse(text)


@pytest.mark.parametrize("wrong", [1017696496718608220161023, None, b"1010064", ORDERS.compose(1, 64)])
def test_only_text_is_parsed(wrong: Any) -> None:
    with pytest.raises(TypeError):
        ORDERS.parse(wrong)
