"""The arithmetic of ids, against the vectors that all languages share."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import leafmint
import pytest
from testing import vector

Case = dict[str, Any]

UNIX_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def cases(file: str, *lists: str) -> pytest.MarkDecorator:
    """Run a test for each case in lists of a file."""
    read = vector(file)
    numbered = [pytest.param(case, id=f"{name}-{i}") for name in lists for i, case in enumerate(read[name])]
    assert numbered
    return pytest.mark.parametrize("case", numbered)


@contextmanager
def expected(case: Case) -> Iterator[None]:
    """Expect the error that a case names, if it names one."""
    if "code" not in case:
        yield
        return
    with pytest.raises(leafmint.LeafmintError) as raised:
        yield
    assert raised.value.code == case["code"]
    assert all(text in str(raised.value) for text in case.get("mentions", []))
    assert len(str(raised.value)) < 700


def layout(case: Case) -> leafmint.Layout:
    return leafmint.Layout(case["layout"], epoch=case["epoch"])


def rule(case: Case, strategy: Any = "hash_mod") -> leafmint.ShardRule:
    return leafmint.ShardRule(
        case["business_code"], tables=case["tables"], table_width=case["table_width"], strategy=strategy
    )


def parts(case: Case) -> leafmint.NumberParts:
    on = case["date"] and date.fromisoformat(case["date"])
    return leafmint.NumberParts(number=case["number"], date=on, key=case["key"], shard=case["shard"])


def written(case: Case) -> str:
    of = parts(case)
    return leafmint.Format(case["format"]).format(of.number, on=of.date, key=of.key, shard=of.shard)


def at(millis: int) -> datetime:
    return UNIX_EPOCH + timedelta(milliseconds=millis)


@cases("layouts", "valid")
def test_a_layout_means_the_same_in_every_language(case: Case) -> None:
    made = leafmint.Layout(case["text"], epoch=case["epoch"])
    for part in ("timestamp", "datacenter", "worker", "sequence", "gene"):
        assert getattr(made, f"{part}_bits") == case[part]
    assert made.unit == timedelta(milliseconds=case["unit_millis"])
    assert made.fingerprint == case["fingerprint"]
    assert made.last_id == case["last_id"]
    assert made.runs_out == at(case["runs_out"])
    assert made == leafmint.Layout(str(made), epoch=made.epoch)


@cases("layouts", "invalid")
def test_an_invalid_layout_is_refused(case: Case) -> None:
    with expected(case):
        leafmint.Layout(case["text"], epoch=case["epoch"])


@cases("decode", "ids")
def test_an_id_is_composed_and_decoded(case: Case) -> None:
    decoded = layout(case).decode(case["id"])
    assert decoded.id == case["id"]
    assert decoded.timestamp_millis == case["timestamp"]
    assert decoded.timestamp == at(case["timestamp"])
    assert decoded.datacenter_id == case["datacenter"]
    for part in ("worker_id", "sequence", "gene"):
        assert getattr(decoded, part) == case[part]
    for timestamp in (decoded.timestamp, decoded.timestamp_millis):
        parts = {name: getattr(decoded, name) for name in ("datacenter_id", "worker_id", "sequence", "gene")}
        assert layout(case).compose(timestamp, **parts) == case["id"]


@cases("decode", "invalid_ids")
def test_a_number_that_is_not_an_id_is_refused(case: Case) -> None:
    with expected({**case, "mentions": [str(case["id"])]}):
        layout(case).decode(case["id"])


@cases("decode", "invalid_parts")
def test_parts_that_do_not_fit_are_refused(case: Case) -> None:
    made = layout(case)
    timestamp = round(made.epoch.timestamp() * 1000) + case["tick"] * (made.unit // timedelta(milliseconds=1))
    with expected(case):
        made.compose(
            timestamp,
            worker_id=case["worker_id"],
            sequence=case["sequence"],
            datacenter_id=case["datacenter"],
            gene=case["gene"],
        )


@cases("decode", "ranges", "invalid_ranges")
def test_range_queries_have_bounds(case: Case) -> None:
    made = layout(case)
    times: list[int | datetime] = [case["at"]]
    if abs(case["at"]) < 2**60:
        times += [at(case["at"]), at(case["at"]) + timedelta(microseconds=999)]
    for time in times:
        with expected(case):
            assert made.min_id(time) == case["min_id"]
        with expected(case):
            assert made.max_id(time) == case["max_id"]


@cases("spans", "ids", "invalid_ids")
def test_a_span_of_time_has_a_range_of_ids(case: Case) -> None:
    for start, end in ((case["start"], case["end"]), (at(case["start"]), at(case["end"]))):
        with expected(case):
            assert layout(case).id_range(start, end) == range(case["first"], case["end_id"])


@cases("spans", "tables", "invalid_tables")
def test_a_span_of_time_has_tables(case: Case) -> None:
    pattern, zone = case["pattern"], case["zone"]
    with expected(case):
        tables = leafmint.period_tables(pattern, case["start"], case["end"], zone=zone)
        assert tables == case["tables"]
        assert leafmint.period_tables(pattern, at(case["start"]), at(case["end"]), zone=ZoneInfo(zone)) == tables
        for moment, table in ((case["start"], 0), (case["end"] - 1, -1)):
            assert not tables or leafmint.period_table(pattern, moment, zone=zone) == tables[table]


@cases("genes", "gene_of_int", "gene_of_text")
def test_a_key_has_its_gene(case: Case) -> None:
    with expected(case):
        assert leafmint.gene_of_key(case["key"], case["bits"]) == case["gene"]


@cases("genes", "gene_of_id")
def test_an_id_carries_its_gene(case: Case) -> None:
    with expected(case):
        assert leafmint.gene_of_id(case["id"], case["bits"]) == case["gene"]


@cases("shards", "table_of_text", "table_of_int")
def test_a_key_has_its_table(case: Case) -> None:
    made = leafmint.ShardRule("10", tables=case["tables"], table_width=9, strategy=case["strategy"])
    with expected(case):
        assert made.table_of(case["key"]) == case["table"]


@cases("shards", "numbers")
@pytest.mark.parametrize("strategy", ["hash_mod", "mod", "crc32"])
def test_a_number_is_written_and_read(case: Case, strategy: str) -> None:
    made = rule(case, strategy)
    number = made.compose(case["sequence"], case["table"])
    assert str(number) == case["text"]
    assert made.parse(case["text"]) == number
    assert (number.business_code, number.sequence, number.table) == (
        case["business_code"],
        case["sequence"],
        case["table"],
    )


@cases("shards", "invalid_compose")
def test_a_number_with_invalid_parts_is_refused(case: Case) -> None:
    with expected(case):
        rule(case).compose(case["sequence"], case["table"])


@cases("shards", "invalid_texts")
def test_a_text_that_is_not_a_number_is_refused(case: Case) -> None:
    with expected(case):
        rule(case).parse(case["text"])


@cases("shards", "invalid_rules")
def test_an_invalid_rule_is_refused(case: Case) -> None:
    with expected(case):
        rule(case, case["strategy"])


@cases("formats", "numbers")
def test_a_formatted_number_is_written_and_read(case: Case) -> None:
    assert written(case) == case["text"]
    for forgiving in (False, True):
        assert leafmint.Format(case["format"]).parse(case["text"], forgiving=forgiving) == parts(case)


@cases("formats", "forgiven")
def test_a_text_that_a_person_wrote_is_forgiven(case: Case) -> None:
    made = leafmint.Format(case["format"])
    assert made.parse(case["text"], forgiving=True) == made.parse(case["spelled"])
    with pytest.raises(leafmint.InvalidIdError):
        made.parse(case["text"])


@cases("formats", "invalid_parts")
def test_parts_that_a_format_cannot_write_are_refused(case: Case) -> None:
    with expected(case):
        written(case)


@cases("formats", "invalid_texts")
def test_a_text_that_is_not_a_number_of_the_format_is_refused(case: Case) -> None:
    for forgiving in {False, case["forgiving"]}:
        with expected(case):
            leafmint.Format(case["format"]).parse(case["text"], forgiving=forgiving)


@cases("formats", "invalid_formats")
def test_an_invalid_format_is_refused(case: Case) -> None:
    with expected(case):
        leafmint.Format(case["format"])
