"""URLs and options: every problem is named at once, and nothing is written."""

import re
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import leafmint
import pytest

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
    ("timeout", object),
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
    ("table", object),
]

BAD_MYSQL_OPTIONS: list[Any] = [
    ("ssl_mode", "maybe"),
    ("ssl_ca", "/no/such/file.pem"),
    ("ssl_ca", b"ca.pem"),
    ("username", 1j),
]


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


def test_every_problem_is_named_at_once() -> None:
    with pytest.raises(leafmint.InvalidConfigError, match=r"3 problems: .*timeout=.*eager=.*max_step="):
        leafmint.SegmentGenerator("memory://options?timeout=x&max_step=0", eager="no")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options",
    [
        {"timeout": 5, "segment_duration": 0.5, "outage_budget": timedelta(minutes=1)},
        {"timeout": "500ms", "max_step": "1000"},
        {"timeout": timedelta(microseconds=1)},
        {"eager_tags": ("a", "b"), "eager": True},
        {"eager_tags": {"a"}, "eager": "true"},
        {"eager_tags": "a,b", "auto_create": True},
        {"timeout": None, "eager_tags": None, "max_unused": None},
        {"ssl_ca": Path(__file__)},
    ],
)
def test_every_usual_type_of_a_value_is_accepted(options: dict[str, Any]) -> None:
    leafmint.SegmentGenerator("memory://options", **options).close()


def test_options_are_keywords_or_in_the_url_and_keywords_win(url: str) -> None:
    with leafmint.SegmentGenerator(f"{url}?default_start=500&default_step=7", default_start=900) as ids:
        order = ids.tag("order")
        assert order.next_id() == 900
        assert ids.stats().tags["order"].step == 7


@pytest.mark.parametrize(
    "url",
    [
        "",
        "local",
        "local:",
        "local:/",
        "local://host/x",
        "local:///x",
        "fixed:",
        "fixed:1024",
        "fixed:-1",
        "fixed:x",
        "sqlite:///x",
        "\ud800",
    ],
    ids=ascii,
)
def test_a_bad_url_of_snowflakes_is_an_invalid_config(url: str) -> None:
    with pytest.raises(leafmint.InvalidConfigError):
        leafmint.SnowflakeGenerator(url)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("timeout", -1),
        ("eager", 1),
        ("namespace", "../x"),
        ("namespace", ""),
        ("namespace", "\ud800"),
        ("layout", "huge"),
        ("layout", leafmint.Layout()),
        ("epoch", "soon"),
        ("epoch", 2**63),
        ("epoch", 1.5),
        ("workers", "0-1024"),
        ("workers", "5-3"),
        ("workers", 1024),
        ("workers", range(5)),
        ("datacenter_id", 1),
        ("worker_map", ["a"]),
        ("worker_map", {"a": 1}),
        ("worker_map", [1]),
        ("heartbeat", 0),
        ("lease_duration", timedelta(seconds=1)),
        ("lease_duration", object),
        ("clock", "atomic"),
        ("clock_rollback", "ignore"),
        ("max_clock_lead", -1),
        ("sequence_jitter", -1),
        ("tags", "order"),
        ("colour", "red"),
    ],
    ids=ascii,
)
def test_a_bad_option_of_snowflakes_is_an_invalid_config_that_names_it(
    local: str, tmp_path: Path, name: str, value: Any
) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match=re.escape(name)):
        leafmint.SnowflakeGenerator(local, **{name: value})
    assert not list(tmp_path.iterdir())


def test_an_unknown_option_of_snowflakes_lists_the_known_ones() -> None:
    wrong: dict[str, Any] = {"step": 5}
    with pytest.raises(leafmint.InvalidConfigError, match=r"is not known; known are timeout, .*namespace"):
        leafmint.SnowflakeGenerator("local:/leafmint", **wrong)


@pytest.mark.parametrize(
    "options",
    [
        {"timeout": 5, "lease_duration": timedelta(seconds=5), "heartbeat": "500ms"},
        {"workers": "0-31", "epoch": 1600000000000, "layout": "datacenter", "datacenter_id": 31},
        {"workers": 7, "max_clock_lead": 0.5, "sequence_jitter": 0},
        {"layout": None, "epoch": None, "state_dir": None, "eager": None},
        {"clock": "system"},
        {"clock": "auto", "clock_rollback": "fail"},
        {"clock_rollback": "wait", "eager": True},
    ],
)
def test_every_usual_type_of_a_value_is_accepted_for_snowflakes(local: str, options: dict[str, Any]) -> None:
    with leafmint.SnowflakeGenerator(local, **options) as flakes:
        assert flakes.next_id() > 0
