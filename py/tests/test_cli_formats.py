"""The commands `format check` and `format parse`."""

import json

import pytest
from command import leafmint

INVOICES = "INV-{yy}{month}{day}-{number:6}-{check:damm}"


def test_a_format_is_shown_with_an_example_its_largest_number_and_the_mistakes_that_its_check_finds() -> None:
    assert leafmint("format", "check", INVOICES).lines == [
        "example  INV-261231-000001-3",
        "numbers  1 to 999,999 each day",
        "check    damm: finds every wrong digit, and every swap of two neighbouring digits",
    ]
    ran = leafmint("format", "check", "{key}/{number:base32}-{shard:4}", "--json")
    assert ran.json() == {
        "format": "{key}/{number:base32}-{shard:4}",
        "example": "shop-7/1-0007",
        "largest": "9223372036854775807",
        "period": "forever",
        "check": None,
        "finds": None,
    }
    assert leafmint("format", "check", "{{check:damm}} {number:1}").lines == [
        "example  {check:damm} 1",
        "numbers  1 to 9",
        "check    none: a mistyped number may be another number",
    ]
    assert leafmint("format", "check", "{key}-{year}-{number:base36:2}", "--key", "S7").lines[:2] == [
        "example  S7-2026-01",
        "numbers  1 to 1,295 each year for each key",
    ]


@pytest.mark.parametrize(
    ("check", "finds"),
    [
        ("damm", "every wrong digit, and every swap of two neighbouring digits"),
        ("luhn", "every wrong digit, and every swap of two neighbouring digits but 09 and 90"),
        ("mod97_10", "every wrong digit, and every swap of two neighbouring digits"),
        (
            "mod37_36",
            "every wrong digit or letter, and every swap of two neighbours but one pair of 630 at each place",
        ),
    ],
)
def test_a_check_is_described_by_what_it_finds_and_whether_it_covers_a_key(check: str, finds: str) -> None:
    shown = leafmint("format", "check", f"{{number}}{{check:{check}}}", "--json").json()
    assert (shown["check"], shown["finds"]) == (check, finds)
    with_key = leafmint("format", "check", f"{{key}}/{{number}}-{{check:{check}}}", "--json").json()["finds"]
    assert with_key.removeprefix(finds) == (
        "; it does not cover letters of the key" if check in ("damm", "luhn") else ""
    )


def test_a_format_that_is_invalid_or_does_not_fit_the_series_is_2_with_every_reason() -> None:
    for arguments, reasons in (
        (["{month}/{nr}"], ["{number} is missing", "{month} needs {year} or {yy}", '"{nr}" is not a field']),
        (
            ["{year}-{number}", "--period", "day", "--key", "S7"],
            ["{month} must show which", "{day} must", "{key} must"],
        ),
        (["{year}-{number}", "--period", "forever"], ["the series has no {year}"]),
        (["{number}", "--key", "S7"], ["a key is given"]),
    ):
        ran = leafmint("format", "check", *arguments)
        assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1), arguments
        assert all(reason in ran.err for reason in reasons), ran.err
    for period, fields in (("day", "{yy}{month}{day}"), ("month", "{year}{month}"), ("year", "{yy}"), ("forever", "")):
        ran = leafmint("format", "check", fields + "/{key}-{number}", "--period", period, "--key", "S7", "--json")
        assert (ran.code, ran.json()["period"]) == (0, period), ran.err


def test_numbers_of_a_format_are_taken_apart() -> None:
    assert leafmint("format", "parse", INVOICES, "INV-261125-000042-6").lines == [
        "text                 number  date",
        "INV-261125-000042-6      42  2026-11-25",
    ]
    ran = leafmint("format", "parse", "{key}/{number}-{shard:4}", "a-b/9007199254740993-0064", "--json")
    parts = {"number": "9007199254740993", "key": "a-b", "shard": 64}
    assert ran.json() == {"text": "a-b/9007199254740993-0064", **parts}


def test_what_people_write_is_read_only_if_forgiving_and_shown_as_it_is_written() -> None:
    written = "inv2611250OOO426\n\nINV-261125-000024-6\n"
    ran = leafmint("format", "parse", INVOICES, "--forgiving", "--json", stdin=written)
    assert [json.loads(line)["text"] for line in ran.lines] == ["INV-261125-000042-6"]
    assert (ran.code, ran.err.split(": ")[1:3]) == (2, ["line 3", "invalid_id"])
    assert 'at {check:damm}: expected "9", found "6"' in ran.err
    strict = leafmint("format", "parse", INVOICES, stdin=written)
    assert (strict.code, len(strict.lines), len(strict.err.splitlines())) == (2, 1, 2)
