"""Bad input gets the same named error as in the other languages, and nothing is written."""

import re
import sqlite3
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import leafmint
import pytest

BAD_TAGS = ["", "x" * 129, "🌱" * 129, "a\0b", "\udc80", "order\ud800", " ", "order ", " order"]
GOOD_TAGS = ["x" * 128, "🌱" * 128, "with 'quotes' and \"more\"", "a;b--c", "a b", "%s", "Ünï-çødé"]
BAD_COUNTS = [-1, 2**20 + 1, 2**40, 2**63 - 1, -(2**63), 2**63, 2**70, -(2**70)]
BAD_TIMEOUTS = [-1, -0.001, float("nan"), float("inf"), float("-inf"), 2**70, 10**400, -(10**400)]
BAD_URLS = [
    "",
    "sqlite",
    "oracle://host/db",
    "sqlite://",
    "sqlite:///",
    "sqlite://host/ids.db",
    "mysql://",
    "mysql://host",
    "mysql://host:0/db",
    "mysql://host:port/db",
    "mysql://user:%4@host/db",
    "mysql://user:100%@host/db",
    "memory://x?timeout=%zz",
    "memory:x",
    "memory://\ud800",
    "sqlite:///a%00b",
    "sqlite:///:memory:",
    "sqlite:///%3Amemory%3A",
]
BAD_OPTIONS: list[Any] = [
    ("timeout", -1),
    ("timeout", float("nan")),
    ("timeout", float("inf")),
    ("timeout", "soon"),
    ("timeout", True),
    ("timeout", [1]),
    ("timeout", object()),
    ("timeout", Decimal(1)),
    ("timeout", timedelta(days=-1)),
    ("connect_timeout", 0),
    ("connect_timeout", b"3s"),
    ("eager", 1),
    ("eager", "yes"),
    ("tags", [1]),
    ("tags", ["ok", ""]),
    ("tags", ["\ud800"]),
    ("tags", {"a": 1}),
    ("max_step", 0),
    ("max_step", -1),
    ("max_step", 2**31),
    pytest.param("max_step", 10**5000, id="max_step-of-5000-digits"),
    ("max_step", 1.5),
    ("max_step", timedelta(seconds=1)),
    ("max_unused", 0),
    ("default_step", 0),
    ("default_step", 2**30 + 1),
    ("default_start", -1),
    ("default_start", 2**63),
    ("table", "leaf alloc"),
    ("table", "x`; drop table y"),
    ("table", "\udfff"),
    ("table", object()),
]
BAD_MYSQL_OPTIONS: list[Any] = [("ssl_mode", "maybe"), ("ssl_ca", "/no/such/file.pem"), ("ssl_ca", b"ca.pem"), ("user", 1j)]


def rows(url: str) -> list[tuple[Any, ...]]:
    """Return what stands in the table of a SQLite store."""
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    try:
        return connection.execute("SELECT biz_tag, max_id, step, description FROM leaf_alloc").fetchall()
    finally:
        connection.close()


@pytest.mark.parametrize("tag", BAD_TAGS)
def test_a_bad_tag_is_an_invalid_argument(ids: leafmint.SegmentGenerator, url: str, tag: str) -> None:
    ids.init_schema()
    calls: list[Callable[[], object]] = [lambda: ids.biz_tag(tag), lambda: ids.create_tag(tag)]
    for call in calls:
        with pytest.raises(leafmint.InvalidArgumentError, match="biz_tag"):
            call()
    assert rows(url) == []


@pytest.mark.parametrize("tag", GOOD_TAGS)
def test_every_other_tag_works(ids: leafmint.SegmentGenerator, url: str, tag: str) -> None:
    assert ids.biz_tag(tag).name == tag
    assert ids.biz_tag(tag).next_id() == 1
    assert list(ids.stats()["tags"]) == [tag]
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
def test_a_bad_count_is_an_invalid_argument(order: leafmint.BizTag, count: int) -> None:
    with pytest.raises(leafmint.InvalidArgumentError, match="batch"):
        order.next_ids(count)
    with pytest.raises(leafmint.InvalidArgumentError, match="batch"):
        order.next_range(count)
    assert order.next_id() == 1


@pytest.mark.parametrize("timeout", BAD_TIMEOUTS)
def test_a_bad_timeout_is_an_invalid_argument_even_with_ids_in_hand(order: leafmint.BizTag, timeout: float) -> None:
    order.next_id()
    calls: list[Callable[[], object]] = [
        lambda: order.next_id(timeout),
        lambda: order.next_ids(1, timeout),
        lambda: order.next_range(1, timeout),
    ]
    for call in calls:
        with pytest.raises(leafmint.InvalidArgumentError, match="timeout"):
            call()
    assert order.next_id() == 2


@pytest.mark.parametrize("timeout", ["soon", "", "-1s", "400d", timedelta(days=-1), "\ud800"])
def test_a_timeout_that_is_no_duration_is_an_invalid_argument(order: leafmint.BizTag, timeout: Any) -> None:
    with pytest.raises(leafmint.InvalidArgumentError, match="timeout"):
        order.next_id(timeout)


@pytest.mark.parametrize("timeout", ["5s", "500ms", "5", timedelta(seconds=5), 5, 5.0])
def test_a_call_takes_a_timeout_as_the_option_does(order: leafmint.BizTag, timeout: Any) -> None:
    assert order.next_ids(2, timeout=timeout) == [1, 2]


@pytest.mark.parametrize("wrong", [[], b"5s", 1j, object()])
def test_a_timeout_of_a_wrong_type_is_a_type_error_that_names_it(order: leafmint.BizTag, wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"timeout must be a number of seconds, text .* or a timedelta"):
        order.next_id(wrong)


def test_a_timeout_of_zero_takes_what_is_in_hand(order: leafmint.BizTag) -> None:
    with pytest.raises(leafmint.SegmentUnavailableError):
        order.next_id(timeout=0)
    order.next_id()
    assert order.next_id(timeout=0) > 0


@pytest.mark.parametrize("wrong", ["1", 1.0, b"1", object()])
def test_an_argument_of_a_wrong_type_is_a_type_error(order: leafmint.BizTag, ids: leafmint.SegmentGenerator, wrong: Any) -> None:
    calls: list[Callable[[], object]] = [lambda: order.next_ids(wrong), lambda: order.next_range(wrong)]
    calls += [lambda: ids.create_tag("x", step=wrong), lambda: ids.biz_tag(1)]  # type: ignore[arg-type]
    for call in calls:
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("url", BAD_URLS)
def test_a_bad_url_is_an_invalid_config(url: str) -> None:
    with pytest.raises(leafmint.InvalidConfigError):
        leafmint.SegmentGenerator(url)


@pytest.mark.parametrize(("name", "value"), BAD_OPTIONS)
def test_a_bad_option_is_an_invalid_config_that_names_it(tmp_path: Path, name: str, value: Any) -> None:
    file = tmp_path / "ids.db"
    with pytest.raises(leafmint.InvalidConfigError, match=name):
        leafmint.SegmentGenerator(f"sqlite:///{file}", **{name: value})
    assert not file.exists()


@pytest.mark.parametrize(("name", "value"), BAD_MYSQL_OPTIONS)
def test_a_bad_option_of_a_database_is_an_invalid_config_that_names_it(name: str, value: Any) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match=name):
        leafmint.SegmentGenerator("mysql://127.0.0.1:1/db", **{name: value})


@pytest.mark.parametrize("name", ["time_out", "", "url ", "\ud800", "Timeout"])
def test_an_unknown_option_lists_the_known_ones(name: str) -> None:
    wrong: dict[str, Any] = {name: 1}
    with pytest.raises(leafmint.InvalidConfigError, match=r"is not known; known are timeout, .*outage_budget"):
        leafmint.SegmentGenerator("memory://options", **wrong)


def test_every_problem_is_told_at_once() -> None:
    with pytest.raises(leafmint.InvalidConfigError, match=r"3 problems: .*max_step=.*timeout=.*eager="):
        leafmint.SegmentGenerator("memory://options?timeout=x&max_step=0", eager="no")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options",
    [
        {"timeout": 5, "segment_duration": 0.5, "outage_budget": timedelta(minutes=1)},
        {"timeout": "500ms", "max_step": "1000"},
        {"timeout": timedelta(microseconds=1)},
        {"tags": ("a", "b"), "eager": True},
        {"tags": {"a"}, "eager": "true"},
        {"tags": "a,b", "auto_create": True},
        {"timeout": None, "tags": None, "max_unused": None},
        {"ssl_ca": Path(__file__)},
    ],
)
def test_every_usual_type_of_a_value_is_understood(options: dict[str, Any]) -> None:
    leafmint.SegmentGenerator("memory://options", **options).close()


@pytest.mark.parametrize("dialect", ["oracle", "", "\ud800"])
def test_an_unknown_dialect_is_an_invalid_argument(dialect: str) -> None:
    with pytest.raises(leafmint.InvalidArgumentError, match="dialect"):
        leafmint.schema_sql(dialect)


@pytest.mark.parametrize(
    ("max_id", "step", "kind"),
    [
        (1, 0, leafmint.InvalidConfigError),
        (1, -5, leafmint.InvalidConfigError),
        (1, 1_500_000_000, leafmint.InvalidConfigError),
        (2**63 - 10, 1000, leafmint.IdSpaceExhaustedError),
        (-5, 1000, leafmint.IdSpaceExhaustedError),
    ],
)
def test_a_bad_row_is_refused_and_left_as_it_is(
    ids: leafmint.SegmentGenerator, url: str, max_id: int, step: int, kind: type[leafmint.LeafmintError]
) -> None:
    ids.init_schema()
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    with connection:
        connection.execute("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', ?, ?)", (max_id, step))
    connection.close()
    with pytest.raises(kind, match='biz_tag "order"'):
        ids.biz_tag("order").next_id()
    assert rows(url) == [("order", max_id, step, None)]


WRONG_TYPES: list[tuple[str, Callable[[leafmint.SegmentGenerator, Any], object]]] = [
    ("url", lambda ids, wrong: leafmint.SegmentGenerator(wrong)),
    ("url", lambda ids, wrong: leafmint.SnowflakeGenerator(wrong)),
    ("name", lambda ids, wrong: ids.biz_tag(wrong)),
    ("gene_bits", lambda ids, wrong: ids.biz_tag("order", gene_bits=wrong)),
    ("order", lambda ids, wrong: ids.biz_tag("order", order=wrong)),
    ("tag", lambda ids, wrong: ids.create_tag(wrong)),
    ("step", lambda ids, wrong: ids.create_tag("order", step=wrong)),
    ("start", lambda ids, wrong: ids.create_tag("order", start=wrong)),
    ("description", lambda ids, wrong: ids.create_tag("order", description=wrong)),
    ("gene_bits", lambda ids, wrong: ids.create_tag("order", gene_bits=wrong)),
    ("timeout", lambda ids, wrong: ids.biz_tag("order").next_id(timeout=wrong)),
    ("gene", lambda ids, wrong: ids.biz_tag("order").next_id(gene=wrong)),
    ("count", lambda ids, wrong: ids.biz_tag("order").next_ids(wrong)),
    ("count", lambda ids, wrong: ids.biz_tag("order").next_array(wrong)),
    ("count", lambda ids, wrong: ids.biz_tag("order").next_range(wrong)),
    ("text", lambda ids, wrong: leafmint.Layout(wrong)),
    ("epoch", lambda ids, wrong: leafmint.Layout(epoch=wrong)),
    ("id", lambda ids, wrong: leafmint.Layout().decode(wrong)),
    ("at", lambda ids, wrong: leafmint.Layout().min_id(wrong)),
    ("at", lambda ids, wrong: leafmint.Layout().max_id(wrong)),
    ("timestamp", lambda ids, wrong: leafmint.Layout().compose(wrong, 1, 1)),
    ("worker_id", lambda ids, wrong: leafmint.Layout().compose(2**42, wrong, 1)),
    ("sequence", lambda ids, wrong: leafmint.Layout().compose(2**42, 1, wrong)),
    ("datacenter_id", lambda ids, wrong: leafmint.Layout().compose(2**42, 1, 1, datacenter_id=wrong)),
    ("gene", lambda ids, wrong: leafmint.Layout().compose(2**42, 1, 1, gene=wrong)),
    ("key", lambda ids, wrong: leafmint.gene_of(wrong, 3)),
    ("bits", lambda ids, wrong: leafmint.gene_of("key", wrong)),
    ("id", lambda ids, wrong: leafmint.shard_of(wrong, 3)),
    ("bits", lambda ids, wrong: leafmint.shard_of(7, wrong)),
    ("business_code", lambda ids, wrong: leafmint.ShardRule(wrong, 4)),
    ("tables", lambda ids, wrong: leafmint.ShardRule("12", wrong)),
    ("table_width", lambda ids, wrong: leafmint.ShardRule("12", 4, table_width=wrong)),
    ("strategy", lambda ids, wrong: leafmint.ShardRule("12", 4, strategy=wrong)),
    ("key", lambda ids, wrong: leafmint.ShardRule("12", 4).table_of(wrong)),
    ("sequence", lambda ids, wrong: leafmint.ShardRule("12", 4).compose(wrong, 1)),
    ("table", lambda ids, wrong: leafmint.ShardRule("12", 4).compose(1, wrong)),
    ("text", lambda ids, wrong: leafmint.ShardRule("12", 4).parse(wrong)),
    ("generator", lambda ids, wrong: leafmint.ShardRule("12", 4).mint(wrong, 1)),
    ("dialect", lambda ids, wrong: leafmint.schema_sql(wrong)),
]


@pytest.mark.parametrize(("name", "call"), WRONG_TYPES)
@pytest.mark.parametrize("wrong", [b"x", [1], object()], ids=["bytes", "list", "object"])
def test_a_wrong_type_is_a_type_error_whose_text_begins_with_the_argument(
    ids: leafmint.SegmentGenerator, name: str, call: Callable[[leafmint.SegmentGenerator, Any], object], wrong: object
) -> None:
    with pytest.raises(TypeError) as raised:
        call(ids, wrong)
    assert re.fullmatch(rf"{name} must be .*, not {type(wrong).__name__}", str(raised.value))


def test_none_is_a_wrong_type_where_a_value_is_due(ids: leafmint.SegmentGenerator) -> None:
    with pytest.raises(TypeError, match=r"^name must be a str, not NoneType$"):
        ids.biz_tag(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^count must be an int, not NoneType$"):
        ids.biz_tag("order").next_ids(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^count must be an int, not float$"):
        ids.biz_tag("order").next_ids(1.0)  # type: ignore[arg-type]
