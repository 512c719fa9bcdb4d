"""Ids of past moments: which shapes of moments are read, and what the ids are."""

import asyncio
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import leafmint
import numpy
import pandas  # type: ignore[import-untyped]
import polars
import pytest
from leafmint.errors import ClosedError, InvalidArgumentError, InvalidConfigError

AT = 1_600_000_000_000
WRAPPING = numpy.array([AT // 1000, AT // 1000 + 2**61])
MOMENTS = [AT + 400 * ((7 * i) % 50) for i in range(100)]

MILLIS: dict[str, Callable[[list[int]], Any]] = {
    "list": list,
    "iterator": iter,
    "int64": numpy.array,
    "objects": lambda moments: numpy.array(moments, dtype=object),
    "pandas": pandas.Series,
    "polars": polars.Series,
}
TIMES: dict[str, Callable[[list[int]], Any]] = {
    "datetimes": lambda moments: [utc(at) for at in moments],
    "datetimes of another zone": lambda moments: [utc(at).astimezone(timezone(timedelta(hours=9))) for at in moments],
    "datetime64[ms]": lambda moments: numpy.array(moments, dtype="datetime64[ms]"),
    "datetime64[us], rounded down": lambda moments: numpy.array(moments, dtype="datetime64[ms]").astype("M8[us]") + 999,
    "datetime64[100ms]": lambda moments: numpy.array(moments, dtype="datetime64[ms]").astype("M8[100ms]"),
    "datetime64[2000us]": lambda moments: numpy.array(moments, dtype="datetime64[ms]").astype("M8[2000us]"),
    "pandas": lambda moments: pandas.Series(pandas.to_datetime(moments, unit="ms")),
    "pandas with a zone": lambda moments: pandas.Series(pandas.to_datetime(moments, unit="ms", utc=True)),
    "polars": lambda moments: polars.Series(moments, dtype=polars.Datetime("ms")),
}


def utc(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, timezone.utc)


@pytest.mark.parametrize("shape", [*MILLIS.values(), *TIMES.values()], ids=[*MILLIS, *map("times: {}".format, TIMES)])
def test_every_shape_of_moments_is_filled_in_in_its_order(
    flakes: leafmint.SnowflakeGenerator, shape: Callable[[list[int]], Any]
) -> None:
    ids = flakes.backfill_array(shape(MOMENTS))
    assert ids.dtype == numpy.dtype("int64")
    assert [flakes.decode(int(id)).timestamp_millis for id in ids] == MOMENTS
    assert len(set(ids.tolist())) == len(MOMENTS)
    assert len(flakes.backfill_array(shape([]))) == 0


def test_one_moment_is_an_int_of_a_worker_id_that_no_process_has(flakes: leafmint.SnowflakeGenerator) -> None:
    living = flakes.decode(flakes.next_id())
    ids = [flakes.backfill(at=AT), flakes.backfill(utc(AT)), asyncio.run(flakes.backfill_async(AT, timeout="5s"))]
    ids += asyncio.run(flakes.backfill_array_async([AT])).tolist()
    parts = [flakes.decode(id) for id in ids]
    assert {(part.timestamp_millis, part.worker_id) for part in parts} == {(AT, 1023)}
    assert [part.sequence for part in parts] == [0, 1, 2, 3]
    assert living.worker_id == 0
    (_, past) = flakes.list_workers()
    assert (past.worker_id, past.endpoint, past.held, past.horizon) == (1023, "backfill", True, None)


def test_a_tick_can_have_more_ids_than_a_worker_id_has_for_it(flakes: leafmint.SnowflakeGenerator) -> None:
    ids = flakes.backfill_array([AT] * 10_000)
    assert len(set(ids.tolist())) == 10_000
    columns = flakes.layout.decode_array(ids)
    assert set(columns["timestamp"].astype("int64").tolist()) == {AT}
    assert set(columns["worker_id"].tolist()) == {1021, 1022, 1023}


def test_a_gene_is_in_every_id(tmp_path: Path) -> None:
    layout = "timestamp:41,worker:10,sequence:8,gene:4"
    with leafmint.SnowflakeGenerator(f"local:{tmp_path}", layout=layout) as flakes:
        assert flakes.decode(flakes.backfill(AT, gene=5)).gene == 5
        assert {flakes.decode(int(id)).gene for id in flakes.backfill_array(MOMENTS, gene=9)} == {9}
        with pytest.raises(InvalidArgumentError, match="gene=16 is not from 0 to 15"):
            flakes.backfill(AT, gene=16)


@pytest.mark.parametrize(
    ("moments", "error", "message"),
    [
        ([AT, 5], InvalidArgumentError, r"at\[1\]=5 is not a past moment"),
        ([AT, int(time.time() * 1000) + 3_600_000], InvalidArgumentError, r"at\[1\]=\d+ is not a past moment"),
        ([AT, datetime(2020, 1, 1)], InvalidArgumentError, r"at\[1\]=2020-01-01 00:00:00 has no time zone"),
        (numpy.array([AT, "NaT"], dtype="datetime64[ms]"), InvalidArgumentError, r"at\[1\] is missing \(NaT\)"),
        # NumPy converts it to a moment of 2020.
        (WRAPPING.astype("M8[s]"), InvalidArgumentError, r"at\[1\]=.* does not fit 64 bits of milliseconds"),
        (WRAPPING.astype("M8[1000ms]"), InvalidArgumentError, r"at\[1\]=.* does not fit 64 bits of milliseconds"),
        (
            pandas.to_datetime([AT, None], unit="ms", utc=True).to_series(),
            InvalidArgumentError,
            r"at\[1\] is missing \(NaT\)",
        ),
        ([AT, None], TypeError, r"at\[1\] must be an aware datetime"),
        ([AT, 1.5], TypeError, r"at\[1\] must be an aware datetime"),
        (numpy.array([1.5]), TypeError, r"at\[0\] must be an aware datetime"),
        (numpy.zeros((2, 2), dtype="int64"), TypeError, "one dimension"),
        ("2020", TypeError, "at must be an array"),
        (AT, TypeError, "at must be an array"),
    ],
)
def test_what_is_no_past_moment_is_refused_by_its_place(
    flakes: leafmint.SnowflakeGenerator, moments: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        flakes.backfill_array(moments)


def test_one_that_is_no_past_moment_is_refused_by_its_value(flakes: leafmint.SnowflakeGenerator) -> None:
    with pytest.raises(InvalidArgumentError, match=r"at=5 is not a past moment .*epoch is 2010-11-04T01:42:54"):
        flakes.backfill(at=5)


def test_a_holder_without_worker_ids_for_the_past_says_so(tmp_path: Path) -> None:
    with (
        leafmint.SnowflakeGenerator("fixed:7", namespace="past", state_dir=str(tmp_path)) as flakes,
        pytest.raises(InvalidConfigError, match="keeps no worker ids for past moments"),
    ):
        flakes.backfill(AT)


def test_a_closed_generator_fills_nothing_in(flakes: leafmint.SnowflakeGenerator) -> None:
    flakes.backfill(AT)
    flakes.close()
    for call in (lambda: flakes.backfill(AT), lambda: flakes.backfill_array([AT])):
        with pytest.raises(ClosedError):
            call()
