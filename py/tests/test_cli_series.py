"""The command `series list`, and the tags of series in `tags list`."""

import sqlite3
from datetime import date

import leafmint as library
import pytest
from command import leafmint

YEARS = [date(2025, 1, 1), date(2026, 1, 1)]


def change_rows(url: str, sql: str) -> None:
    """Do what another program does to the table."""
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        connection.execute(sql)
    connection.close()


@pytest.fixture
def shop(url: str) -> str:
    """Return the URL of a store with series of each kind, and with tags that only look like theirs."""
    with library.SegmentGenerator(url) as ids:
        for key, numbers in (("shop-7", 3), ("a/b", 12)):
            invoices = ids.series("invoice", period="year", zone="Europe/Madrid", key=key)
            for year in YEARS:
                invoices.next_many(numbers, on=year)
        ids.series("customer", period="forever").next_many(8)
        for name in ("order", "invoice", "invoice/@2026", "invoice/shop-7@2026-01", "bill@2026", "customer@2026"):
            ids.create_tag(name)
    return url


def test_series_are_listed_with_their_keys_and_periods_and_the_latest_period_with_its_highest_number(shop: str) -> None:
    head, empty, *lines = leafmint("series", "list", LEAFMINT_URL=shop).lines
    assert (shop.rsplit("/", 1)[1] in head, empty) == (True, "")
    assert lines == [
        "series    period   zone           keys  groups  latest  max_id",
        "customer  forever  -                 0       0  -            9",
        "invoice   year     Europe/Madrid     2       2  2026        13",
    ]
    listed = leafmint("series", "list", "--json", LEAFMINT_URL=shop).json()
    assert listed.keys() == {"scope", "series"}
    assert listed["series"][1] == {
        "name": "invoice",
        "period": "year",
        "zone": "Europe/Madrid",
        "keys": 2,
        "groups": 2,
        "latest": "2026",
        "max_id": "13",
    }


def test_a_series_without_a_number_has_no_latest_period(url: str) -> None:
    with library.SegmentGenerator(url) as ids:
        ids.series("invoice", period="day", zone="UTC").next()
    change_rows(url, "DELETE FROM leaf_alloc")
    [series] = leafmint("series", "list", "--json", LEAFMINT_URL=url).json()["series"]
    assert (series["keys"], series["groups"], series["latest"], series["max_id"]) == (0, 0, None, None)


def test_tags_of_series_are_counted_and_listed_only_on_request(shop: str) -> None:
    own = ["bill@2026", "customer@2026", "invoice", "invoice/@2026", "invoice/shop-7@2026-01", "order"]
    lines = leafmint("tags", "list", LEAFMINT_URL=shop).lines
    assert [line.split()[0] for line in lines[3:-2]] == own
    assert lines[-2:] == ["", "5 tags of series not shown: see leafmint series list, or use --all"]
    folded = leafmint("tags", "list", "--json", LEAFMINT_URL=shop).json()
    assert ([tag["biz_tag"] for tag in folded["tags"]], folded["not_shown"]) == (own, 5)
    every = leafmint("tags", "list", "--all", "--json", LEAFMINT_URL=shop).json()
    assert (len(every["tags"]), every["not_shown"]) == (11, 0)


def test_a_tag_of_a_series_that_cannot_be_used_is_shown(shop: str) -> None:
    change_rows(shop, "UPDATE leaf_alloc SET step = 0 WHERE biz_tag = 'customer'")
    lines = leafmint("tags", "list", LEAFMINT_URL=shop).lines
    assert lines[-3].startswith("customer cannot be used: ")
    assert lines[-1].startswith("4 tags of series not shown")
