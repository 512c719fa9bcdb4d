"""Periods, keys, formats and runs of sequences without gaps, on SQLite, MariaDB and PostgreSQL."""

import copy
import pickle
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import leafmint
import pytest
from gapless_databases import empty_database, engine_url, make_tables
from leafmint.sqlalchemy import GaplessSequence
from sqlalchemy import Connection, Engine, NullPool, create_engine, text

KINDS = ["sqlite", "mysql", "postgres"]


@pytest.fixture(params=KINDS)
def engine(request: pytest.FixtureRequest, in_memory: Path) -> Iterator[Engine]:
    """Return an engine on a database with the tables."""
    with empty_database(request.param, request, in_memory) as url:
        engine = create_engine(engine_url(url), poolclass=NullPool)
        make_tables(url, engine)
        yield engine


def rows(connection: Connection) -> dict[str, int]:
    """Return the rows of the table."""
    return {row.name: row.number for row in connection.execute(text("SELECT name, number FROM leafmint_gapless"))}


def test_each_period_and_each_key_counts_by_itself(engine: Engine) -> None:
    years = GaplessSequence("invoice", period="year", zone="Europe/Madrid", format="INV-{year}-{number:5}")
    days = GaplessSequence(
        "invoice", period="day", zone=ZoneInfo("UTC"), key="shop-7", format="{key}/{year}{month}{day}-{number}", start=7
    )
    with engine.begin() as connection:
        first = years.next(connection, on=date(2025, 12, 31))
        assert (first.number, first.group, first.date, first.text) == (1, "2025", date(2025, 1, 1), "INV-2025-00001")
        assert str(years.next(connection, on=date(2026, 1, 1))) == "INV-2026-00001"
        assert str(years.next(connection, on=date(2026, 11, 25))) == "INV-2026-00002"
        number = days.next(connection, on=date(2026, 11, 25))
        assert (number.number, number.group, number.text) == (7, "2026-11-25", "shop-7/20261125-7")
        assert rows(connection) == {"invoice@2025": 1, "invoice@2026": 2, "invoice/shop-7@2026-11-25": 7}


def test_the_present_date_is_that_of_the_zone(engine: Engine) -> None:
    with engine.begin() as connection:
        for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago"]:
            days = GaplessSequence(zone.split("/")[1], period="day", zone=zone)
            before = datetime.now(ZoneInfo(zone)).date()
            number = days.next(connection)
            assert number.date in {before, before + timedelta(days=1)}
            assert days.last(connection, on=number.date) == number


def test_a_run_follows_on_the_last_number_and_comes_back_as_a_whole(engine: Engine) -> None:
    invoices = GaplessSequence("invoice", period="forever", format="C{number:4}", start=100)
    with engine.begin() as connection:
        assert invoices.last(connection) is None
        assert invoices.next_many(connection, 0) == []
        assert rows(connection) == {}
        assert [number.number for number in invoices.next_many(connection, 5)] == [100, 101, 102, 103, 104]
        assert invoices.next(connection).text == "C0105"
    with engine.connect() as connection:
        assert [number.number for number in invoices.next_many(connection, 1000)] == list(range(106, 1106))
        assert str(invoices.last(connection)) == "C1105"
        connection.rollback()
        assert str(invoices.last(connection)) == "C0105"
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        assert str(invoices.last(connection)) == "C0105"


def test_the_last_number_waits_for_nobody_and_shows_what_is_committed(engine: Engine) -> None:
    invoices = GaplessSequence("invoice", period="forever")
    with engine.begin() as connection:
        taken = invoices.next(connection)
    with engine.begin() as first, engine.connect() as second:
        invoices.next_many(first, 9)
        assert invoices.last(second) == taken


def test_numbers_beyond_the_format_are_refused_and_nothing_is_taken(engine: Engine) -> None:
    invoices = GaplessSequence("invoice", period="forever", format="C{number:2}")
    wider = GaplessSequence("invoice", period="forever", format="C{number:4}")
    with engine.begin() as connection:
        if engine.dialect.name in {"mysql", "mariadb"}:
            # Without strict mode the server cuts numbers off instead of an error.
            connection.exec_driver_sql("SET sql_mode = ''")
        with pytest.raises(leafmint.IdSpaceExhaustedError, match=r"100 more numbers.* end at 99"):
            invoices.next_many(connection, 100)
        assert rows(connection) == {}
        assert invoices.next_many(connection, 95)[-1].text == "C95"
        with pytest.raises(leafmint.IdSpaceExhaustedError, match="widen the format"):
            invoices.next_many(connection, 5)
        assert rows(connection) == {"invoice": 95}
        assert [str(number) for number in invoices.next_many(connection, 4)] == ["C96", "C97", "C98", "C99"]
        with pytest.raises(leafmint.IdSpaceExhaustedError, match="no next number"):
            invoices.next(connection)
        assert str(wider.next(connection)) == "C0100"
        last = invoices.last(connection)
        assert last is not None
        with pytest.raises(leafmint.IdSpaceExhaustedError):
            _ = last.text
        assert last.number == 100


def test_the_largest_number_is_the_last_one(engine: Engine) -> None:
    invoices = GaplessSequence("invoice", period="forever", start=2**63 - 3)
    with engine.begin() as connection:
        assert [number.number for number in invoices.next_many(connection, 3)][-1] == 2**63 - 1
        for count in [1, 2]:
            with pytest.raises(leafmint.IdSpaceExhaustedError, match=r"2\^63 - 1"):
                invoices.next_many(connection, count)
        assert rows(connection) == {"invoice": 2**63 - 1}


@pytest.mark.parametrize("number", [-5, -1])
def test_a_negative_row_is_refused_and_left_as_it_is(engine: Engine, number: int) -> None:
    invoices = GaplessSequence("invoice", period="forever")
    with engine.begin() as connection:
        connection.exec_driver_sql(f"INSERT INTO leafmint_gapless (name, number) VALUES ('invoice', {number})")
        for count in [1, 10]:
            with pytest.raises(leafmint.IdSpaceExhaustedError, match="negative"):
                invoices.next_many(connection, count)
        with pytest.raises(leafmint.IdSpaceExhaustedError, match="negative"):
            invoices.last(connection)
        assert rows(connection) == {"invoice": number}


def test_a_sequence_shows_what_it_was_declared_with() -> None:
    invoices = GaplessSequence("invoice", period="year", zone="Europe/Madrid", key="shop-7", start=5)
    assert (invoices.name, invoices.period, invoices.zone, invoices.key) == (
        "invoice",
        "year",
        "Europe/Madrid",
        "shop-7",
    )
    assert (invoices.start, repr(invoices)) == (5, "<leafmint.GaplessSequence invoice/shop-7 by year>")


def test_a_copy_of_a_sequence_counts_in_the_same_rows(engine: Engine) -> None:
    invoices = GaplessSequence("invoice", period="year", zone="UTC", key="a", format="{key}/{year}/{number:3}", start=5)
    day = date(2026, 11, 25)
    with engine.begin() as connection:
        copies = [invoices, copy.deepcopy(invoices), pickle.loads(pickle.dumps(invoices))]
        assert [it.next(connection, on=day).text for it in copies] == ["a/2026/005", "a/2026/006", "a/2026/007"]


def test_a_declaration_is_judged_as_that_of_a_series() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"period": "week", "zone": "UTC"}, "week"),
        ({"period": "year"}, "time zone"),
        ({"period": "forever", "zone": "UTC"}, "no use"),
        ({"period": "year", "zone": "Mars/Phobos"}, "Phobos"),
        ({"period": "forever", "key": "a@b"}, "@"),
        ({"period": "forever", "format": "{number:2}", "start": 100}, "1 to 99"),
    ]
    for options, problem in cases:
        with pytest.raises(leafmint.InvalidArgumentError, match=problem):
            GaplessSequence("invoice", **options)
    with pytest.raises(leafmint.InvalidConfigError, match="year"):
        GaplessSequence("invoice", period="year", zone="UTC", format="{number}")


def test_dates_and_counts_are_checked_before_a_statement(engine: Engine) -> None:
    forever, years = GaplessSequence("a", period="forever"), GaplessSequence("a", period="year", zone="UTC")
    with engine.connect() as connection:
        with pytest.raises(leafmint.InvalidArgumentError, match="never starts again"):
            forever.next(connection, on=date(2026, 1, 1))
        with pytest.raises(TypeError, match="a date without a time"):
            years.next(connection, on=datetime(2026, 1, 1))
        for count in [-1, 2**26 + 1]:
            with pytest.raises(leafmint.InvalidArgumentError, match="out of range"):
                forever.next_many(connection, count)
        assert rows(connection) == {}
