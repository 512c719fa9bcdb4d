"""The command `gapless list`."""

import sqlite3
from datetime import date

import leafmint as library
import pytest
from command import leafmint
from leafmint.sqlalchemy import GaplessSequence
from sqlalchemy import create_engine

NOVEMBER = date(2026, 11, 25)


@pytest.fixture
def shop(url: str) -> str:
    """Return the URL of a database with sequences, and with a row that no sequence has."""
    engine = create_engine(url)
    with library.SegmentGenerator(url) as ids:
        ids.init_schema()
    with engine.begin() as connection:
        GaplessSequence("credit", period="forever").next_many(connection, 7)
        GaplessSequence("invoice", period="year", zone="UTC", key="shop-7").next_many(connection, 42, on=NOVEMBER)
        GaplessSequence("invoice", period="day", zone="UTC").next(connection, on=NOVEMBER)
        connection.exec_driver_sql("INSERT INTO leafmint_gapless (name, number) VALUES ('x@y', -1)")
    engine.dispose()
    return url


def test_sequences_are_listed_with_the_last_number_of_each_key_and_period(shop: str) -> None:
    head, empty, *lines = leafmint("gapless", "list", LEAFMINT_URL=shop).lines
    assert (shop.rsplit("/", 1)[1] in head, empty) == (True, "")
    assert lines[:5] == [
        "sequence  key     period   group       number",
        "credit    -       forever  -                7",
        "invoice   shop-7  year     2026            42",
        "invoice   -       day      2026-11-25       1",
        "x@y       -       forever  -                -",
    ]
    assert lines[6].startswith("x@y cannot be used: no sequence has the name")
    listed = leafmint("gapless", "list", "--json", LEAFMINT_URL=shop).json()
    assert listed.keys() == {"scope", "host", "sequences"}
    assert listed["sequences"][1] == {
        "name": "invoice",
        "key": "shop-7",
        "period": "year",
        "group": "2026",
        "number": "42",
        "problem": None,
    }


def test_a_table_that_cannot_count_is_named(shop: str) -> None:
    with sqlite3.connect(shop.removeprefix("sqlite:///")) as connection:
        connection.execute("CREATE TRIGGER resets AFTER INSERT ON leafmint_gapless BEGIN SELECT 1; END")
    connection.close()
    ran = leafmint("gapless", "list", LEAFMINT_URL=shop)
    assert (ran.code, "trigger resets" in ran.err) == (2, True)


def test_a_store_that_keeps_none_is_named() -> None:
    ran = leafmint("gapless", "list", LEAFMINT_URL="memory:")
    assert (ran.code, "keeps no sequences without gaps" in ran.err) == (2, True)
