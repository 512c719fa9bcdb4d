"""The commands `decode` and `parse`, which take ids apart without a connection."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator

from .. import InvalidIdError, Layout, ShardRule
from .._internal.json_records import time_text
from .output import Columns, as_json, write_error, write_line
from .parser import Commands, add_command

EPOCH = "start of tick 0: a date in UTC such as 2020-01-01T00:00:00Z, or Unix milliseconds"
MOST_DIGITS = 40
"""More digits than any id or number has."""


def add(commands: Commands) -> None:
    """Adds the commands."""
    decode = add_command(
        commands, "decode", run_decode, "show the parts of snowflakes", "leafmint decode 2116681624581074986"
    )
    decode.add_argument("ids", metavar="ID", nargs="*", help="without one, ids are read from the standard input")
    decode.add_argument("--layout", default="leaf", metavar="TEXT", help="a preset, or bits (default: leaf)")
    decode.add_argument("--epoch", metavar="TIME", help=EPOCH)
    decode.add_argument("--unit", metavar="TIME", help="length of a tick, as in 10ms")
    parse = add_command(
        commands, "parse", run_parse, "show the parts of numbers with a shard suffix",
        "leafmint parse 1017696496718608220161023 --business-code 10 --tables 1024",
    )  # fmt: skip
    parse.add_argument("ids", metavar="NUMBER", nargs="*", help="without one, they are read from the standard input")
    parse.add_argument("--business-code", required=True, metavar="DIGITS", help="first digits of each number")
    parse.add_argument("--tables", required=True, type=int, metavar="N", help="number of tables")
    parse.add_argument("--table-width", default=4, type=int, metavar="N", help="digits of the table (default: 4)")


def layout_of(args: Namespace) -> Layout:
    """Returns the layout that the arguments name."""
    layout = Layout(args.layout, epoch=args.epoch)
    if args.unit is None:
        return layout
    bits = ",".join(f"{name}:{count}" for name, count in bits_of(layout) if count)
    return Layout(f"{bits},unit:{args.unit}", epoch=layout.epoch)


def bits_of(layout: Layout) -> list[tuple[str, int]]:
    """Returns the parts of a layout with their bits, from the highest."""
    names = ("timestamp", "datacenter", "worker", "sequence", "gene")
    return [(name, getattr(layout, f"{name}_bits")) for name in names]


def run_decode(args: Namespace) -> int:
    """Shows the parts of each id."""
    layout = layout_of(args)
    parts = [name for name, bits in bits_of(layout)[1:] if bits]
    names = [{"worker": "worker_id", "datacenter": "datacenter_id"}.get(part, part) for part in parts]

    def cells_of(text: str) -> list[str | int]:
        decoded = layout.decode(number(text))
        return [str(decoded.id), time_text(decoded.timestamp), *(getattr(decoded, name) for name in names)]

    right, widths = range(2, 2 + len(names)), [19, 24, *map(len, names)]
    return show_all(args, Columns(["id", "timestamp", *names], right, widths), cells_of)


def run_parse(args: Namespace) -> int:
    """Shows the parts of each number."""
    rule = ShardRule(args.business_code, tables=args.tables, table_width=args.table_width)

    def cells_of(text: str) -> list[str | int]:
        parsed = rule.parse(text)
        return [str(parsed), parsed.business_code, str(parsed.sequence), parsed.table]

    width = len(args.business_code) + 19 + args.table_width
    columns = Columns(["number", "business_code", "sequence", "table"], right=[3], widths=[width, 0, 19, 0])
    return show_all(args, columns, cells_of)


def number(text: str) -> int:
    """Reads an id in decimal digits."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
        # A longer text may be a key.
        shown = repr(text) if len(text) <= MOST_DIGITS else f"a text of {len(text)} characters"
        raise InvalidIdError(f"{shown} is not an id: write its decimal digits")
    return int(text)


def show_all(args: Namespace, columns: Columns, cells_of: Callable[[str], list[str | int]]) -> int:
    """Shows each id that is given; names the wrong ones, goes on, and returns 2 at the end."""
    code = 0
    for count, (place, text) in enumerate(texts_of(args.ids)):
        if count == 0 and not args.json:
            write_line(columns.line(columns.titles))
        try:
            cells = cells_of(text)
        except InvalidIdError as error:
            write_error(f"leafmint: {place}{error.code}: {error}\n")
            code = 2
        else:
            write_line(as_json(dict(zip(columns.titles, cells, strict=True))) if args.json else columns.line(cells))
    return code


def texts_of(given: list[str]) -> Iterator[tuple[str, str]]:
    """Yields the ids of the arguments, or of the lines of the standard input, with their places."""
    if given:
        yield from (("", text) for text in given)
    else:
        for index, line in enumerate(sys.stdin or (), 1):
            if text := line.strip():
                yield f"line {index}: ", text
