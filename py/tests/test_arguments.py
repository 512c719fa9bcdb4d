"""Arguments: a bad one raises the same named error as in the other languages, and nothing is written."""

import asyncio
import re
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import leafmint
import pytest
from testing import LockedFile, rows, vector

BAD_TAGS = ["", "x" * 129, "🌱" * 129, "a\0b", "\udc80", "order\ud800", " ", "order ", " order"]

VALID_TAGS = ["x" * 128, "🌱" * 128, "with 'quotes' and \"more\"", "a;b--c", "a b", "%s", "Ünï-çødé"]

BAD_COUNTS = [-1, 2**26 + 1, 2**40, 2**63 - 1, -(2**63), 2**63, 2**70, -(2**70)]

BAD_TIMEOUTS = [-1, -0.001, float("nan"), float("inf"), float("-inf"), 2**70, 10**400, -(10**400)]

WRONG_TYPES: list[tuple[str, Callable[[leafmint.SegmentGenerator, Any], object]]] = [
    ("url", lambda ids, wrong: leafmint.SegmentGenerator(wrong)),
    ("url", lambda ids, wrong: leafmint.SnowflakeGenerator(wrong)),
    ("name", lambda ids, wrong: ids.tag(wrong)),
    ("gene_bits", lambda ids, wrong: ids.tag("order", gene_bits=wrong)),
    ("order", lambda ids, wrong: ids.tag("order", order=wrong)),
    ("tag", lambda ids, wrong: ids.create_tag(wrong)),
    ("step", lambda ids, wrong: ids.create_tag("order", step=wrong)),
    ("start", lambda ids, wrong: ids.create_tag("order", start=wrong)),
    ("description", lambda ids, wrong: ids.create_tag("order", description=wrong)),
    ("gene_bits", lambda ids, wrong: ids.create_tag("order", gene_bits=wrong)),
    ("timeout", lambda ids, wrong: ids.tag("order").next_id(timeout=wrong)),
    ("gene", lambda ids, wrong: ids.tag("order").next_id(gene=wrong)),
    ("count", lambda ids, wrong: ids.tag("order").next_ids(wrong)),
    ("count", lambda ids, wrong: ids.tag("order").next_array(wrong)),
    ("count", lambda ids, wrong: ids.tag("order").next_range(wrong)),
    ("text", lambda ids, wrong: leafmint.Layout(wrong)),
    ("epoch", lambda ids, wrong: leafmint.Layout(epoch=wrong)),
    ("id", lambda ids, wrong: leafmint.Layout().decode(wrong)),
    ("at", lambda ids, wrong: leafmint.Layout().min_id(wrong)),
    ("at", lambda ids, wrong: leafmint.Layout().max_id(wrong)),
    ("timestamp", lambda ids, wrong: leafmint.Layout().compose(wrong, worker_id=1, sequence=1)),
    ("worker_id", lambda ids, wrong: leafmint.Layout().compose(2**42, worker_id=wrong, sequence=1)),
    ("sequence", lambda ids, wrong: leafmint.Layout().compose(2**42, worker_id=1, sequence=wrong)),
    (
        "datacenter_id",
        lambda ids, wrong: leafmint.Layout().compose(2**42, worker_id=1, sequence=1, datacenter_id=wrong),
    ),
    ("gene", lambda ids, wrong: leafmint.Layout().compose(2**42, worker_id=1, sequence=1, gene=wrong)),
    ("key", lambda ids, wrong: leafmint.gene_of_key(wrong, 3)),
    ("bits", lambda ids, wrong: leafmint.gene_of_key("key", wrong)),
    ("id", lambda ids, wrong: leafmint.gene_of_id(wrong, 3)),
    ("bits", lambda ids, wrong: leafmint.gene_of_id(7, wrong)),
    ("business_code", lambda ids, wrong: leafmint.ShardRule(wrong, tables=4)),
    ("tables", lambda ids, wrong: leafmint.ShardRule("12", tables=wrong)),
    ("table_width", lambda ids, wrong: leafmint.ShardRule("12", tables=4, table_width=wrong)),
    ("strategy", lambda ids, wrong: leafmint.ShardRule("12", tables=4, strategy=wrong)),
    ("key", lambda ids, wrong: leafmint.ShardRule("12", tables=4).table_of(wrong)),
    ("sequence", lambda ids, wrong: leafmint.ShardRule("12", tables=4).compose(wrong, 1)),
    ("table", lambda ids, wrong: leafmint.ShardRule("12", tables=4).compose(1, wrong)),
    ("text", lambda ids, wrong: leafmint.ShardRule("12", tables=4).parse(wrong)),
    ("generator", lambda ids, wrong: leafmint.ShardRule("12", tables=4).mint(wrong, 1)),
    ("text", lambda ids, wrong: leafmint.Format(wrong)),
    ("number", lambda ids, wrong: leafmint.Format("{number}").format(wrong)),
    ("on", lambda ids, wrong: leafmint.Format("{yy}-{number}").format(1, on=wrong)),
    ("key", lambda ids, wrong: leafmint.Format("{key}-{number}").format(1, key=wrong)),
    ("shard", lambda ids, wrong: leafmint.Format("{number}{shard:4}").format(1, shard=wrong)),
    ("text", lambda ids, wrong: leafmint.Format("{number}").parse(wrong)),
    ("dialect", lambda ids, wrong: leafmint.schema_sql(wrong)),
]


@pytest.mark.parametrize("tag", BAD_TAGS)
def test_a_bad_tag_is_an_invalid_argument(ids: leafmint.SegmentGenerator, url: str, tag: str) -> None:
    ids.init_schema()
    calls: list[Callable[[], object]] = [lambda: ids.tag(tag), lambda: ids.create_tag(tag)]
    for call in calls:
        with pytest.raises(leafmint.InvalidArgumentError, match="tag"):
            call()
    assert rows(url) == []


@pytest.mark.parametrize("tag", VALID_TAGS)
def test_every_valid_tag_works(ids: leafmint.SegmentGenerator, url: str, tag: str) -> None:
    assert ids.tag(tag).name == tag
    assert ids.tag(tag).next_id() == 1
    assert list(ids.stats().tags) == [tag]
    assert [row[0] for row in rows(url)] == [tag]


@pytest.mark.parametrize("step", [0, -1, 2**30 + 1, 2**31, 2**63, 2**70, -(2**70)])
def test_a_bad_step_is_an_invalid_argument(ids: leafmint.SegmentGenerator, url: str, step: int) -> None:
    ids.init_schema()
    with pytest.raises(leafmint.InvalidArgumentError, match="step"):
        ids.create_tag("order", step=step)
    assert rows(url) == []


@pytest.mark.parametrize("start", [-1, 2**61, 2**63 - 1, 2**63, -(2**63), 2**70])
def test_a_bad_start_is_an_invalid_argument(ids: leafmint.SegmentGenerator, url: str, start: int) -> None:
    ids.init_schema()
    with pytest.raises(leafmint.InvalidArgumentError, match="start"):
        ids.create_tag("order", start=start)
    assert rows(url) == []


@pytest.mark.parametrize("description", ["x" * 257, "\ud800"])
def test_a_bad_description_is_an_invalid_argument(ids: leafmint.SegmentGenerator, url: str, description: str) -> None:
    ids.init_schema()
    with pytest.raises(leafmint.InvalidArgumentError, match="description"):
        ids.create_tag("order", description=description)
    assert rows(url) == []


@pytest.mark.parametrize("count", BAD_COUNTS)
def test_a_bad_count_is_an_invalid_argument(
    order: leafmint.Tag, flakes: leafmint.SnowflakeGenerator, count: int
) -> None:
    for call in (order.next_ids, order.next_array, flakes.next_ids, flakes.next_array):
        with pytest.raises(leafmint.InvalidArgumentError, match="batch"):
            call(count)
    if not 0 <= count <= 2**30:
        with pytest.raises(leafmint.InvalidArgumentError, match="batch"):
            order.next_range(count)
    assert order.next_id() == 1


@pytest.mark.parametrize("case", vector("batches")["out_of_range"], ids=lambda case: f"{case['call']}({case['count']})")
def test_a_batch_out_of_range_is_refused_with_the_words_of_every_language(
    order: leafmint.Tag, case: dict[str, Any]
) -> None:
    with pytest.raises(leafmint.LeafmintError, match=re.escape(case["mentions"][0])) as raised:
        getattr(order, case["call"])(case["count"])
    assert raised.value.code == case["code"]


TIMED: dict[str, Callable[[leafmint.Tag, leafmint.SnowflakeGenerator, Any], object]] = {
    "next_id": lambda order, flakes, timeout: order.next_id(timeout=timeout),
    "next_ids": lambda order, flakes, timeout: order.next_ids(2, timeout=timeout),
    "next_array": lambda order, flakes, timeout: order.next_array(2, timeout=timeout),
    "next_range": lambda order, flakes, timeout: order.next_range(2, timeout=timeout),
    "next_id_async": lambda order, flakes, timeout: asyncio.run(order.next_id_async(timeout=timeout)),
    "next_ids_async": lambda order, flakes, timeout: asyncio.run(order.next_ids_async(2, timeout=timeout)),
    "next_array_async": lambda order, flakes, timeout: asyncio.run(order.next_array_async(2, timeout=timeout)),
    "next_range_async": lambda order, flakes, timeout: asyncio.run(order.next_range_async(2, timeout=timeout)),
    "next_ids(0)": lambda order, flakes, timeout: order.next_ids(0, timeout=timeout),
    "next_id of snowflakes": lambda order, flakes, timeout: flakes.next_id(timeout=timeout),
    "next_ids of snowflakes": lambda order, flakes, timeout: flakes.next_ids(2, timeout=timeout),
    "next_array of snowflakes": lambda order, flakes, timeout: flakes.next_array(2, timeout=timeout),
    "next_id_async of snowflakes": lambda order, flakes, timeout: asyncio.run(flakes.next_id_async(timeout=timeout)),
    "next_ids_async of snowflakes": lambda order, flakes, timeout: asyncio.run(
        flakes.next_ids_async(2, timeout=timeout)
    ),
    "next_array_async of snowflakes": lambda order, flakes, timeout: asyncio.run(
        flakes.next_array_async(2, timeout=timeout)
    ),
}
"""Every call that has a timeout."""

Timed = Callable[[leafmint.Tag, leafmint.SnowflakeGenerator, Any], object]

VALID_TIMEOUTS = [None, "1m", "20000ms", "20", timedelta(seconds=20), 20, 20.0, Decimal("20.5")]

WRONG_TIMEOUTS = [True, [], b"5s", 1j, object()]


@pytest.mark.parametrize("call", TIMED.values(), ids=TIMED)
def test_every_call_converts_and_refuses_timeouts(
    order: leafmint.Tag, flakes: leafmint.SnowflakeGenerator, call: Timed
) -> None:
    order.next_id()
    for timeout in [*BAD_TIMEOUTS, "soon", "", "-1s", "400d", timedelta(days=-1), timedelta.max, "\ud800"]:
        with pytest.raises(leafmint.InvalidArgumentError, match="timeout"):
            call(order, flakes, timeout)
    for wrong in WRONG_TIMEOUTS:
        with pytest.raises(TypeError, match=r"timeout must be a number of seconds, text .* or a timedelta"):
            call(order, flakes, wrong)
    assert order.next_id() == 2, "a refused call took ids"
    for timeout in VALID_TIMEOUTS:
        assert call(order, flakes, timeout) is not None


def test_a_timeout_of_zero_returns_only_an_id_in_hand(order: leafmint.Tag, url: str) -> None:
    # Each call begins a lease. The lock lets none arrive before the next call.
    with LockedFile(url):
        for call in (
            order.next_id,
            lambda timeout: order.next_ids(1, timeout=timeout),
            lambda timeout: order.next_range(1, timeout=timeout),
        ):
            with pytest.raises(leafmint.SegmentUnavailableError):
                call(timeout=0)
    order.next_id()
    assert order.next_id(timeout=0) > 0


@pytest.mark.parametrize("wrong", ["1", 1.0, b"1", object()])
def test_an_argument_of_a_wrong_type_is_a_type_error(
    order: leafmint.Tag, ids: leafmint.SegmentGenerator, wrong: Any
) -> None:
    calls: list[Callable[[], object]] = [lambda: order.next_ids(wrong), lambda: order.next_range(wrong)]
    calls += [lambda: ids.create_tag("x", step=wrong), lambda: ids.tag(1)]  # type: ignore[arg-type]
    for call in calls:
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("wrong", ["1", 1.5, b"1", object()])
def test_an_argument_of_a_wrong_type_for_snowflakes_is_a_type_error(
    flakes: leafmint.SnowflakeGenerator, wrong: Any
) -> None:
    for call in (flakes.next_ids, flakes.decode, lambda wrong: flakes.next_id(gene=wrong), leafmint.SnowflakeGenerator):
        if call is not leafmint.SnowflakeGenerator or wrong != "1":
            with pytest.raises(TypeError):
                call(wrong)


@pytest.mark.parametrize(("name", "call"), WRONG_TYPES)
@pytest.mark.parametrize("wrong", [b"x", [1], object()], ids=["bytes", "list", "object"])
def test_the_message_of_a_type_error_begins_with_the_argument(
    ids: leafmint.SegmentGenerator, name: str, call: Callable[[leafmint.SegmentGenerator, Any], object], wrong: object
) -> None:
    with pytest.raises(TypeError) as raised:
        call(ids, wrong)
    assert re.fullmatch(rf"{name} must be .*, not {type(wrong).__name__}", str(raised.value))


def test_none_is_a_wrong_type_if_a_value_is_required(ids: leafmint.SegmentGenerator) -> None:
    with pytest.raises(TypeError, match=r"^name must be a str, not NoneType$"):
        ids.tag(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^count must be an int, not NoneType$"):
        ids.tag("order").next_ids(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^count must be an int, not float$"):
        ids.tag("order").next_ids(1.0)  # type: ignore[arg-type]
