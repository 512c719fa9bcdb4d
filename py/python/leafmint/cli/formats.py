"""The commands `format check` and `format parse`, which need no store."""

from __future__ import annotations

import re
from argparse import Namespace
from bisect import bisect_left
from dataclasses import asdict
from datetime import date
from typing import Any

from .. import Format, IdSpaceExhaustedError, SegmentGenerator
from .decode import show_all
from .output import Columns, printable, write_json, write_line
from .parser import Commands, Parser, add_command, add_group, unicode

FIELD = re.compile(r"\{\{|\}\}|\{(\w+):?([^}]*)\}")
"""A field of a valid format with its name and the rest, or a brace that is text."""

PERIODS = ("day", "month", "year", "forever")

DATE = date(2026, 12, 31)
"""The date of examples, which shows what is the day and what the month."""

FINDS = {
    "damm": "every wrong digit, and every swap of two neighbouring digits",
    "mod37_36": "every wrong digit or letter, and every swap of two neighbours but one pair of 630 at each place",
    "luhn": "every wrong digit, and every swap of two neighbouring digits but 09 and 90",
    "mod97_10": "every wrong digit, and every swap of two neighbouring digits",
}
"""The mistakes that each check finds."""

DIGITS_ONLY = ("damm", "luhn")
"""Checks that do not cover letters."""


def add(commands: Commands) -> None:
    """Adds the commands."""
    group = add_group(commands, "format", "try out formats of numbers, and take numbers apart")
    check = add_command(
        group, "check", run_check, "check a format; show how many numbers fit, and which mistakes its check finds",
        'leafmint format check "INV-{year}-{number:5}-{check:damm}" --period year',
    )  # fmt: skip
    add_format(check)
    check.add_argument("--period", choices=PERIODS, help="period of a series that the format must fit")
    check.add_argument("--key", type=unicode, metavar="KEY", help="key of that series, shown in the example")
    parse = add_command(
        group, "parse", run_parse, "show the parts of formatted numbers",
        'leafmint format parse "INV-{year}-{number:5}-{check:damm}" INV-2026-00042-5',
    )  # fmt: skip
    add_format(parse)
    parse.add_argument(
        "ids", metavar="NUMBER", nargs="*", type=unicode, help="without one, they are read from the standard input"
    )
    parse.add_argument(
        "--forgiving", action="store_true", help="accept what people write: small letters, other hyphens, O for 0"
    )


def add_format(parser: Parser) -> None:
    """Adds the format."""
    parser.add_argument(
        "format", metavar="FORMAT", type=unicode, help="the format, such as {year}-{number:5}; quote it"
    )


def run_check(args: Namespace) -> None:
    """Shows what is to be known of a format."""
    made = Format(args.format)
    if args.period:
        check_series(made, args.period, args.key)
    fields = fields_of(made)
    given = sample_of(fields) | ({} if args.key is None else {"key": args.key})
    example, largest, period = made.format(1, **given), largest_of(made, given), period_of(fields)
    check, finds = fields.get("check"), finds_of(fields)
    if args.json:
        numbers = {"example": example, "largest": str(largest), "period": period}
        write_json({"format": made.text, **numbers, "check": check, "finds": finds})
        return
    each = ("" if period == "forever" else f" each {period}") + (" for each key" if "key" in fields else "")
    write_line(f"example  {printable(example)}")
    write_line(f"numbers  1 to {largest:,}{each}")
    words = f"{check}: finds {finds}" if check else "none: a mistyped number may be another number"
    write_line(f"check    {words}")


def check_series(made: Format, period: Any, key: str | None) -> None:
    """Refuses a format that does not fit a series. Any zone will do: a format has none."""
    with SegmentGenerator("memory://format-check") as ids:
        ids.series("check", period=period, zone=None if period == "forever" else "UTC", key=key, format=made)


def fields_of(made: Format) -> dict[str, str]:
    """Returns the fields of a format by name, each with what follows its colon."""
    return {match[1]: match[2] for match in FIELD.finditer(made.text) if match[1]}


def sample_of(fields: dict[str, str]) -> dict[str, Any]:
    """Returns what an example is made of, as far as the format has fields of it."""
    sample = {"on": DATE, "key": "shop-7", "shard": 7}
    has = {"on": "year" in fields or "yy" in fields, "key": "key" in fields, "shard": "shard" in fields}
    return {name: value for name, value in sample.items() if has[name]}


def largest_of(made: Format, given: dict[str, Any]) -> int:
    """Returns the largest number that fits."""

    def is_too_large(number: int) -> bool:
        try:
            made.format(number, **given)
        except IdSpaceExhaustedError:
            return True
        return False

    return bisect_left(range(1, 2**63), True, key=is_too_large)


def period_of(fields: dict[str, str]) -> str:
    """Returns the period of the series that a format fits."""
    periods = {"day": "day", "month": "month", "year": "year", "yy": "year"}
    return next((period for name, period in periods.items() if name in fields), "forever")


def finds_of(fields: dict[str, str]) -> str | None:
    """Returns the mistakes that the check of a format finds; None without a check."""
    if "check" not in fields:
        return None
    skips_letters = fields["check"] in DIGITS_ONLY and "key" in fields
    return FINDS[fields["check"]] + ("; it does not cover letters of the key" if skips_letters else "")


def run_parse(args: Namespace) -> int:
    """Shows the parts of each number."""
    made = Format(args.format)
    fields = fields_of(made)
    sample = sample_of(fields)
    names = ["number", *({"on": "date"}.get(name, name) for name in sample)]

    def cells_of(text: str) -> list[str | int]:
        parts = made.parse(text, forgiving=args.forgiving)
        shown: dict[str, Any] = {**asdict(parts), "number": str(parts.number), "date": str(parts.date)}
        written = made.format(parts.number, on=parts.date, key=parts.key, shard=parts.shard)
        return [written, *(shown[name] for name in names)]

    largest = largest_of(made, sample)
    widths = [len(made.format(largest, **sample)), len(str(largest)), *(len(str(value)) for value in sample.values())]
    right = [index for index, name in enumerate(names, 1) if name in ("number", "shard")]
    return show_all(args, Columns(["text", *names], right, widths), cells_of)
