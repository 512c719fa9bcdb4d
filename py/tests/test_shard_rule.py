"""Shard rules: minting, values that compare and pickle, and bad input."""

import uuid
from collections.abc import Callable
from typing import Any

import leafmint
import pytest
from testing import DUPLICATES

ORDERS = leafmint.ShardRule("10", tables=1024)

TABLE = 64
"""The table of the key "user-42"."""


class Fixed:
    """A generator that returns the same value at every call."""

    def __init__(self, answer: Any) -> None:
        """Set the value."""
        self.answer = answer
        self.calls = 0

    def next_id(self) -> Any:
        """Return the value, and count the call."""
        self.calls += 1
        return self.answer


def test_a_rule_shows_its_settings() -> None:
    rule = leafmint.ShardRule(business_code="07", tables=16, table_width=2, strategy="crc32")
    assert (rule.business_code, rule.tables, rule.table_width, rule.strategy) == ("07", 16, 2, "crc32")
    assert (ORDERS.table_width, ORDERS.strategy) == (4, "hash_mod")
    assert repr(rule) == "leafmint.ShardRule('07', tables=16, table_width=2, strategy='crc32')"
    assert eval(repr(rule)) == rule


def test_minting_takes_one_id_of_a_tag(order: leafmint.Tag) -> None:
    numbers = [ORDERS.mint(order, key) for key in ("user-42", "user-42", 42)]
    assert numbers == ["1010064", "1020064", "1030042"]
    assert [ORDERS.parse(number).sequence for number in numbers] == [1, 2, 3]
    assert {ORDERS.parse(number).table for number in numbers[:2]} == {TABLE} == {ORDERS.table_of("user-42")}
    assert order.next_id() == 4


def test_a_rule_mints_from_snowflakes(flakes: leafmint.SnowflakeGenerator) -> None:
    orders = leafmint.ShardRule(business_code="10", tables=1024)
    before = flakes.next_id()
    number = orders.parse(orders.mint(flakes, "user-42"))
    assert before < number.sequence < flakes.next_id()
    assert number.table == orders.table_of("user-42")
    assert flakes.decode(number.sequence).worker_id == flakes.worker_id


@pytest.mark.parametrize("key", [None, 1.0, b"user", True, "\ud800", 2**63, uuid.UUID(int=1)])
def test_a_bad_key_takes_no_id(key: Any) -> None:
    generator = Fixed(7)
    with pytest.raises((TypeError, leafmint.InvalidArgumentError)):
        ORDERS.mint(generator, key)
    assert generator.calls == 0


def test_an_exception_of_the_generator_is_passed_on() -> None:
    ids = leafmint.SegmentGenerator("memory://shards")
    order = ids.tag("order")
    ids.close()
    with pytest.raises(leafmint.ClosedError):
        ORDERS.mint(order, "user-42")


@pytest.mark.parametrize("wrong", [object(), None, "order", 7])
def test_an_object_without_next_id_is_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"generator must be a Tag, or another object with next_id\(\), not"):
        ORDERS.mint(wrong, "user-42")
    with leafmint.SegmentGenerator("memory://shards") as ids, pytest.raises(TypeError, match="not SegmentGenerator"):
        ORDERS.mint(ids, "user-42")  # type: ignore[arg-type]


@pytest.mark.parametrize("answer", [-1, -(2**63), 2**63, 2**70])
def test_a_generator_that_returns_no_id_is_an_invalid_argument(answer: int) -> None:
    with pytest.raises(leafmint.InvalidArgumentError):
        ORDERS.mint(Fixed(answer), "user-42")


@pytest.mark.parametrize("answer", [None, "7", 7.0, True])
def test_a_generator_that_returns_no_int_is_a_type_error(answer: Any) -> None:
    with pytest.raises(TypeError, match=r"next_id\(\) must be an int, not"):
        ORDERS.mint(Fixed(answer), "user-42")


@pytest.mark.parametrize("sequence", [2**63, 2**70, -(2**70), -1], ids=str)
def test_a_sequence_out_of_range_is_an_invalid_argument(sequence: int) -> None:
    with pytest.raises(leafmint.InvalidArgumentError, match=f"sequence={sequence}"):
        ORDERS.compose(sequence, 0)


@pytest.mark.parametrize("table", [-1, 1024, 2**63, -(2**70)], ids=str)
def test_a_table_out_of_range_is_an_invalid_argument(table: int) -> None:
    with pytest.raises(leafmint.InvalidArgumentError, match="table="):
        ORDERS.compose(1, table)


@pytest.mark.parametrize("wrong", ["1", 1.0, None, True])
def test_a_sequence_of_a_wrong_type_is_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match="sequence must be an int, not"):
        ORDERS.compose(wrong, 0)


def test_a_rule_with_a_lone_surrogate_is_an_invalid_config() -> None:
    rules: list[tuple[str, Any]] = [("1\ud800", "mod"), ("10", "\ud800")]
    for code, strategy in rules:
        with pytest.raises(leafmint.InvalidConfigError, match="surrogate"):
            leafmint.ShardRule(code, tables=10, table_width=4, strategy=strategy)


def test_rules_and_numbers_compare_by_their_meaning() -> None:
    same = leafmint.ShardRule("10", tables=1024, table_width=4, strategy="hash_mod")
    others = [
        leafmint.ShardRule("11", tables=1024),
        leafmint.ShardRule("10", tables=1023),
        leafmint.ShardRule("10", tables=1024, strategy="crc32"),
    ]
    assert same == ORDERS
    assert len({ORDERS, same, *others}) == 4
    assert same.compose(1, 2) == ORDERS.compose(1, 2) == ORDERS.parse("1010002")
    assert hash(same.compose(1, 2)) == hash(ORDERS.parse("1010002"))
    assert ORDERS.compose(1, 2) != ORDERS.compose(1, 3)
    assert ORDERS.compose(1, 2) != "1010002"
    assert leafmint.ShardRule("10", tables=10, table_width=1).parse("1010002") != ORDERS.parse("1010002")


@pytest.mark.parametrize("duplicate", DUPLICATES)
def test_rules_and_numbers_can_be_pickled_and_copied(duplicate: Callable[[Any], Any]) -> None:
    for rule in (
        ORDERS,
        leafmint.ShardRule("007", tables=16, table_width=2, strategy="mod"),
        leafmint.ShardRule("5", tables=10**9, table_width=9, strategy="crc32"),
    ):
        assert duplicate(rule) == rule
        assert duplicate(rule).strategy == rule.strategy
        for sequence in (0, 10, 2**63 - 1):
            assert duplicate(rule.compose(sequence, 3)) == rule.compose(sequence, 3)


def test_rules_and_numbers_cannot_be_changed() -> None:
    for value, name in ((ORDERS, "tables"), (ORDERS.compose(1, 2), "table")):
        with pytest.raises(AttributeError):
            setattr(value, name, 1)
