"""Series: numbers that start again each period of a calendar, whatever the clocks do."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import leafmint
import pytest
from leafmint import testing
from testing import UNREACHABLE, in_threads, rows

MIDNIGHT = datetime(2026, 11, 25, tzinfo=timezone.utc)

LONG_AGO = date(2020, 2, 29)


@pytest.fixture
def clock() -> testing.Clock:
    """Return a clock a minute before midnight."""
    return testing.Clock(MIDNIGHT - timedelta(minutes=1))


@pytest.fixture
def ids_on_clock(clock: testing.Clock) -> Iterator[leafmint.SegmentGenerator]:
    """Return a generator whose series go by that clock."""
    with testing.segments(clock) as ids:
        yield ids


def test_a_number_is_a_value_of_period_number_and_text(ids: leafmint.SegmentGenerator) -> None:
    invoices = ids.series(
        "invoice", period="day", zone="Europe/Madrid", key="S7", format="{key}-{yy}{month}{day}-{number:4}"
    )
    assert (invoices.name, invoices.period, invoices.zone, invoices.key) == ("invoice", "day", "Europe/Madrid", "S7")
    first, second = invoices.next_many(2, on=LONG_AGO)
    assert (first.number, first.group, first.date, first.text) == (
        1,
        "2020-02-29",
        LONG_AGO,
        "S7-200229-0001",
    )
    assert str(second) == "S7-200229-0002"
    assert first != second
    assert len({first, second, first}) == 2
    today = invoices()
    assert today.number == 1
    assert today.date in {datetime.now(ZoneInfo("Europe/Madrid")).date() - timedelta(days=late) for late in (0, 1)}


def test_numbers_start_again_at_midnight_and_a_clock_that_is_set_back_goes_on_with_the_older_day(
    clock: testing.Clock, ids_on_clock: leafmint.SegmentGenerator
) -> None:
    invoices = ids_on_clock.series("invoice", period="day", zone="UTC")

    def take() -> tuple[str, int]:
        number = invoices.next()
        return number.group, number.number

    assert [take(), take()] == [("2026-11-24", 1), ("2026-11-24", 2)]
    clock.tick(60)
    assert [take(), take()] == [("2026-11-25", 1), ("2026-11-25", 2)]
    clock.move_to(MIDNIGHT - timedelta(hours=1))
    assert take() == ("2026-11-24", 3)


def test_coroutines_return_what_the_blocking_calls_return(ids: leafmint.SegmentGenerator) -> None:
    async def mint() -> None:
        orders = ids.series("order", period="month", zone=ZoneInfo("Asia/Tokyo"))
        day = LONG_AGO
        assert (await orders.next_async(on=day)).number == 1
        numbers = await orders.next_many_async(500, on=day)
        assert [it.number for it in numbers] == list(range(2, 502))
        assert {it.group for it in numbers} == {"2020-02"}
        assert (await orders.next_async()).number == 1

    asyncio.run(mint())


def test_threads_and_a_second_generator_share_the_numbers_of_a_day(url: str) -> None:
    day = LONG_AGO
    with leafmint.SegmentGenerator(url, timeout=60) as one, leafmint.SegmentGenerator(url, timeout=60) as two:
        series = [ids.series("invoice", period="day", zone="UTC") for ids in (one, two)]
        taken = in_threads(6, lambda: [each.next(on=day).number for _ in range(50) for each in series])
    numbers = sorted(number for numbers in taken for number in numbers)
    assert len(set(numbers)) == len(numbers) == 600
    assert numbers[0] == 1
    assert [row[0] for row in rows(url)] == ["invoice@2020-02-29"]


def test_another_zone_than_the_stored_one_is_refused(url: str) -> None:
    with leafmint.SegmentGenerator(url) as ids:
        ids.series("invoice", period="day", zone="Europe/Madrid").next()
    with leafmint.SegmentGenerator(url) as ids:
        for zone in ("UTC", "Europe/Paris"):
            invoices = ids.series("invoice", period="day", zone=zone)
            with pytest.raises(leafmint.InvalidConfigError, match='period="day" and zone="Europe/Madrid", not'):
                invoices.next(on=LONG_AGO)
            del invoices
    assert all(row[0] != "invoice@2020-02-29" for row in rows(url))


@pytest.mark.parametrize(
    ("options", "error", "problem"),
    [
        ({"period": "week", "zone": "UTC"}, leafmint.InvalidArgumentError, "period="),
        ({"period": "day"}, leafmint.InvalidArgumentError, "name the time zone"),
        ({"period": "forever", "zone": "UTC"}, leafmint.InvalidArgumentError, "never starts again"),
        ({"period": "day", "zone": "Mars/Olympus"}, leafmint.InvalidArgumentError, "install the package tzdata"),
        ({"period": "day", "zone": "../../etc/passwd"}, leafmint.InvalidArgumentError, "zone="),
        ({"period": "day", "zone": "UTC", "key": "a@b"}, leafmint.InvalidArgumentError, "key="),
        ({"period": "day", "zone": "UTC", "step": 0}, leafmint.InvalidArgumentError, "step=0"),
        ({"period": "day", "zone": "UTC", "format": "{number}"}, leafmint.InvalidConfigError, "{day} must show which"),
        ({"period": "day", "zone": timezone.utc}, TypeError, "zone must be a str or a ZoneInfo"),
        ({"period": 1}, TypeError, "period must be a str"),
    ],
)
def test_bad_options_raise_the_named_error(
    ids: leafmint.SegmentGenerator, options: dict[str, Any], error: type[Exception], problem: str
) -> None:
    with pytest.raises(error, match=problem):
        ids.series("invoice", **options)


def test_bad_dates_and_texts_that_there_are_not_raise_the_named_error(ids: leafmint.SegmentGenerator) -> None:
    customers = ids.series("customer", period="forever")
    number = customers.next()
    assert (number.number, number.group, number.date) == (1, "", None)
    with pytest.raises(leafmint.InvalidConfigError, match="has no format"):
        number.text  # noqa: B018
    with pytest.raises(leafmint.InvalidArgumentError, match="leave the date out"):
        customers.next(on=LONG_AGO)
    with pytest.raises(TypeError, match="on must be a date without a time"):
        ids.series("invoice", period="day", zone="UTC").next(on=MIDNIGHT)


def test_a_number_that_does_not_fit_is_refused_before_it_is_used(ids: leafmint.SegmentGenerator) -> None:
    series = ids.series("invoice", period="year", zone="UTC", format="{year}/{number:1}")
    assert series.next_many(9, on=date(2026, 1, 1))[-1].text == "2026/9"
    with pytest.raises(leafmint.IdSpaceExhaustedError, match="number 10 of series"):
        series.next(on=date(2026, 1, 1))


def test_a_store_that_cannot_be_reached_is_a_named_error_in_time() -> None:
    with leafmint.SegmentGenerator(UNREACHABLE, timeout=0.1) as ids:
        series = ids.series("invoice", period="day", zone="UTC")
        with pytest.raises(leafmint.SegmentUnavailableError, match="invoice@"):
            series.next()
        with pytest.raises(leafmint.SegmentUnavailableError, match="invoice@"):
            asyncio.run(series.next_async())
    with pytest.raises(leafmint.ClosedError):
        series.next()


def test_a_series_whose_table_was_lost_is_listed_again_once_its_row_is_recovered(tmp_path: Path) -> None:
    file = tmp_path / "ids.db"
    with leafmint.SegmentGenerator(f"sqlite:///{file}", max_step=1) as ids:
        numbers = ids.series("invoice", period="forever")
        assert [numbers.next().number for _ in range(2)] == [1, 2]
        with closing(sqlite3.connect(file)) as database, database:
            database.execute("DELETE FROM leaf_alloc")
            database.execute("DELETE FROM leafmint_series")
        with pytest.raises(leafmint.StoreRegressedError):
            all(numbers.next() for _ in range(10))  # some may have been leased before
        with closing(sqlite3.connect(file)) as database, database:
            database.execute("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('invoice', 8, 1)")
        for _ in range(3):
            numbers.next()
        assert [series.name for series in ids.list_series()] == ["invoice"]
