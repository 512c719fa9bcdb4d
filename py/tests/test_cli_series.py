"""The command `series list`, and the tags of series in `tags list`."""

import sqlite3
from datetime import date, datetime, timedelta, timezone
from typing import Literal

import leafmint as library
import pytest
from command import leafmint

Period = Literal["day", "month", "year"]
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
            form = "{key}/{year}/{number:4}"
            invoices = ids.series("invoice", period="year", zone="Europe/Madrid", key=key, format=form)
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
        "series    period   zone           format                   keys  groups  latest  max_id  left  ends",
        "customer  forever  -              -                           0       0  -            9     -  -",
        "invoice   year     Europe/Madrid  {key}/{year}/{number:4}     2       2  2026        13  9987  -",
    ]
    listed = leafmint("series", "list", "--json", LEAFMINT_URL=shop).json()
    assert listed.keys() == {"scope", "host", "series"}
    assert listed["series"][1] == {
        "name": "invoice",
        "period": "year",
        "zone": "Europe/Madrid",
        "format": "{key}/{year}/{number:4}",
        "keys": 2,
        "groups": 2,
        "latest": "2026",
        "max_id": "13",
        "left": "9987",
        "ends": None,
    }


def test_a_format_that_lasts_for_longer_than_times_do_has_no_end(url: str) -> None:
    with library.SegmentGenerator(url) as ids:
        ids.series("invoice", period="year", zone="UTC", format="{year}/{number:12}").next()
    listed = leafmint("series", "list", "--json", LEAFMINT_URL=url).json()["series"][0]
    assert (listed["left"], listed["ends"]) == ("999999999998", None)


@pytest.mark.parametrize(("period", "group"), [("day", "%Y-%m-%d"), ("month", "%Y-%m"), ("year", "%Y")])
def test_a_format_that_ends_before_its_period_is_listed_with_when_and_a_check_warns(
    url: str, period: Period, group: str
) -> None:
    fields = {"day": "{year}{month}{day}", "month": "{year}{month}", "year": "{year}"}[period]
    # At any moment but the last ones of a period, 98 of 99 numbers are too many. In this zone no day ends in hours.
    west = min(datetime.now(timezone.utc).hour - 6, 12)
    with library.SegmentGenerator(url) as ids:
        orders = ids.series("order", period=period, zone=f"Etc/GMT{west:+}", format=f"{fields}-{{number:2}}")
        orders.next_many(98)
        ids.series("bill", period="forever", format="B{number:3}").next()
    today = datetime.now(timezone(timedelta(hours=-west)))
    listed = {it["name"]: it for it in leafmint("series", "list", "--json", LEAFMINT_URL=url).json()["series"]}
    assert (listed["order"]["latest"], listed["order"]["left"]) == (today.strftime(group), "1")
    assert datetime.fromisoformat(listed["order"]["ends"].replace("Z", "+00:00")) > today
    assert (listed["bill"]["left"], listed["bill"]["ends"]) == ("998", None)
    checked = leafmint("check", "--series", "--json", LEAFMINT_URL=url)
    found = {it["name"]: it for it in checked.json()["checks"] if it["check"] == "series"}
    assert (checked.code, found["order"]["status"], found["bill"]["status"]) == (0, "warn", "ok")
    assert "give the format one more digit" in found["order"]["text"]


def test_a_format_without_a_width_does_not_end(url: str) -> None:
    with library.SegmentGenerator(url) as ids:
        ids.series("bill", period="forever", format="B{number}").next()
    [series] = leafmint("series", "list", "--json", LEAFMINT_URL=url).json()["series"]
    assert (series["format"], series["left"]) == ("B{number}", None)


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
    assert lines[-2:] == ["", "5 tags of series not shown: use --all, or leafmint series list"]
    folded = leafmint("tags", "list", "--json", LEAFMINT_URL=shop).json()
    assert ([tag["name"] for tag in folded["tags"]], folded["not_shown"]) == (own, 5)
    every = leafmint("tags", "list", "--all", "--json", LEAFMINT_URL=shop).json()
    assert (len(every["tags"]), every["not_shown"]) == (11, 0)


def test_a_tag_of_a_series_that_cannot_be_used_is_shown(shop: str) -> None:
    change_rows(shop, "UPDATE leaf_alloc SET step = 0 WHERE biz_tag = 'customer'")
    lines = leafmint("tags", "list", LEAFMINT_URL=shop).lines
    assert lines[-3].startswith("customer cannot be used: ")
    assert lines[-1].startswith("4 tags of series not shown")
