"""Formats: numbers that people read, values that compare and pickle, and bad input."""

import copy
import re
from collections.abc import Callable
from datetime import date, datetime, timezone
from typing import Any

import leafmint
import pytest
from testing import DUPLICATES

INVOICES = leafmint.Format("INV-{yy}{month}{day}-{number:6}-{check:damm}")

SHOPS = leafmint.Format("{key}/{year}-{number}")

NOVEMBER = date(2026, 11, 25)


def test_a_number_is_written_and_read() -> None:
    text = INVOICES.format(42, on=NOVEMBER)
    assert text == INVOICES.format(number=42, on=NOVEMBER) == "INV-261125-000042-6"
    assert INVOICES.parse(text) == leafmint.NumberParts(number=42, date=NOVEMBER, key=None, shard=None)
    parts = leafmint.Format("{number}{shard:4}").parse("70064")
    assert (parts.number, parts.date, parts.key, parts.shard) == (7, None, None, 64)


def test_the_text_of_what_was_read_is_the_same() -> None:
    parts = SHOPS.parse("shop-7/2026-42")
    assert (parts.number, parts.date, parts.key, parts.shard) == (42, date(2026, 1, 1), "shop-7", None)
    assert SHOPS.format(parts.number, on=parts.date, key=parts.key, shard=parts.shard) == "shop-7/2026-42"


def test_what_people_write_is_forgiven_only_on_request() -> None:
    for text in ("inv-261125-000042-6", "INV2611250000426", "INV-26-11-25-OOOO42-6"):
        assert INVOICES.parse(text, forgiving=True) == INVOICES.parse("INV-261125-000042-6")
        with pytest.raises(leafmint.InvalidIdError, match='it is written "INV-261125-000042-6"'):
            INVOICES.parse(text)


def test_a_mistyped_number_names_the_field_its_text_and_what_was_expected() -> None:
    for text, why in (
        ("INV-261125-00004x-6", 'at {number:6}: expected 6 digits, found "00004x"'),
        ("INV-261125-000024-6", 'at {check:damm}: expected "9", found "6"'),
        ("INV-261325-000042-6", "there is no date with year=2026, month=13, day=25"),
    ):
        with pytest.raises(leafmint.InvalidIdError, match=re.escape(why)):
            INVOICES.parse(text)


def test_a_number_that_does_not_fit_its_width_is_refused() -> None:
    with pytest.raises(leafmint.IdSpaceExhaustedError, match=re.escape("number=1000000 does not fit {number:6}")):
        INVOICES.format(10**6, on=NOVEMBER)
    for number in (-1, 2**63, -(2**70)):
        with pytest.raises(leafmint.InvalidArgumentError, match=f"number={number}"):
            INVOICES.format(number, on=NOVEMBER)


@pytest.mark.parametrize("arguments", [{"key": "shop"}, {"shard": 1}, {"shard": 2**70}, {"on": None}])
def test_a_part_that_is_missing_or_has_no_field_is_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(leafmint.InvalidArgumentError, match="given"):
        INVOICES.format(42, **{"on": NOVEMBER, **arguments})


@pytest.mark.parametrize(
    "wrong", [datetime(2026, 11, 25, tzinfo=timezone.utc), datetime(2026, 11, 25), "2026-11-25", 0]
)
def test_only_a_date_without_a_time_is_a_date(wrong: Any) -> None:
    with pytest.raises(TypeError, match="on must be a date without a time, not"):
        INVOICES.format(42, on=wrong)


def test_the_first_and_the_last_date_of_python_are_dates() -> None:
    for day in (date.min, date.max):
        every = leafmint.Format("{year}{month}{day}/{number}")
        assert every.parse(every.format(1, on=day)).date == day


def test_texts_with_a_lone_surrogate_are_refused_by_their_name() -> None:
    with pytest.raises(leafmint.InvalidConfigError, match="surrogate"):
        leafmint.Format("{number}\ud800")
    with pytest.raises(leafmint.InvalidIdError, match="surrogate"):
        SHOPS.parse("\ud800")
    with pytest.raises(leafmint.InvalidArgumentError, match="surrogate"):
        SHOPS.format(1, on=NOVEMBER, key="\ud800")


def test_a_format_shows_its_text() -> None:
    for text in ("INV-{number:6}", "it's {number}", 'say "{number}" \\'):
        made = leafmint.Format(text)
        assert made.text == str(made) == text
        assert repr(made) == f"leafmint.Format({text!r})"
        assert eval(repr(made)) == made


def test_formats_compare_by_their_text() -> None:
    same = leafmint.Format(INVOICES.text)
    assert same == INVOICES
    assert len({INVOICES, same, SHOPS, leafmint.Format("{number}")}) == 3
    assert SHOPS != INVOICES
    assert leafmint.Format("{number}") != "{number}"


@pytest.mark.parametrize("duplicate", [*DUPLICATES, copy.copy])
def test_formats_and_parts_can_be_pickled_and_copied(duplicate: Callable[[Any], Any]) -> None:
    assert duplicate(INVOICES) == INVOICES
    parts = SHOPS.parse("shop-7/2026-42")
    assert duplicate(parts) == parts
    assert duplicate(parts).date == date(2026, 1, 1)


def test_formats_and_parts_cannot_be_changed() -> None:
    for value, name in ((INVOICES, "text"), (SHOPS.parse("shop-7/2026-42"), "number")):
        with pytest.raises(AttributeError):
            setattr(value, name, 1)
