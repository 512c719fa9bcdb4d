"""What the commands print: aligned text for people, or JSON."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Container, Sequence
from typing import Any


def write(text: str) -> None:
    """Writes to the standard output at once."""
    if sys.stdout is None:
        raise OSError("the standard output is closed")
    sys.stdout.write(text)
    sys.stdout.flush()


def drop_output() -> None:
    """Gives up the standard output: at its end, Python may wait for a reader, or complain that there is none."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_error(text: str) -> None:
    """Writes to the standard error, unless it is closed."""
    if sys.stderr is not None:
        sys.stderr.write(text)
        sys.stderr.flush()


def write_line(text: str = "") -> None:
    """Writes one line."""
    write(text + "\n")


def write_json(value: Any) -> None:
    """Writes one JSON document on one line."""
    write_line(as_json(value))


def as_json(value: Any) -> str:
    """Returns one JSON document on one line, without characters that a terminal would obey or reorder."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    text = json.dumps(value, ensure_ascii=encoding.lower() not in ("utf-8", "utf8"))
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def counted(number: int, noun: str) -> str:
    """Returns a number of things, such as "1 tag"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def printable(value: object) -> str:
    """Returns one line of text without control characters, which a terminal would obey."""
    text = "-" if value is None or value == "" else str(value)
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)


def columns_of(text: str) -> int:
    """Returns the number of columns that a text takes in a terminal."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) != 0 for c in text)


class Columns:
    """Aligns the cells of a table: numbers on the right, text on the left."""

    def __init__(self, titles: Sequence[str], right: Container[int] = (), widths: Sequence[int] = ()) -> None:
        """Makes the columns; those with the indices `right` hold numbers. Each is at least as wide as its title."""
        self.titles = titles
        self.right = right
        self.widths: list[int] = [max(pair) for pair in zip(map(len, titles), widths or [0] * len(titles), strict=True)]

    def fit(self, rows: Sequence[Sequence[object]]) -> None:
        """Widens the columns for these rows."""
        for index, width in enumerate(self.widths):
            self.widths[index] = max([width, *(columns_of(printable(cells[index])) for cells in rows)])

    def line(self, cells: Sequence[object]) -> str:
        """Returns a row as a line."""
        texts = []
        for index, (cell, width) in enumerate(zip(cells, self.widths, strict=True)):
            text = printable(cell)
            padding = " " * (width - columns_of(text))
            texts.append(padding + text if index in self.right else text + padding)
        return "  ".join(texts).rstrip()


def write_table(titles: Sequence[str], rows: Sequence[Sequence[object]], right: Container[int] = ()) -> None:
    """Writes rows under their titles, aligned."""
    columns = Columns(titles, right)
    columns.fit(rows)
    for cells in (titles, *rows):
        write_line(columns.line(cells))
