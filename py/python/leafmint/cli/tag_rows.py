"""What each host of a list has of tags."""

from __future__ import annotations

from argparse import Namespace
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from .. import InvalidConfigError, LeafmintError, SegmentGenerator, SeriesInfo, UnknownTagError
from .hosts import NO_TABLE, places_of
from .opened import segments
from .stores import Place, option_values

NO_ROW = "no such row"


class Row(NamedTuple):
    """What one host has of the tag."""

    host: str | None
    place: Place
    max_id: int | None
    gene_bits: int
    why: str | None
    """Why nothing can be leased there: no such row or table, or it does not answer or only reads."""
    can_be_changed: bool
    lease: int = 0
    """Ids of one lease; 0 if that is not known."""

    @property
    def highest(self) -> int | None:
        """The highest id that may have been leased from here."""
        return None if self.max_id is None else (self.max_id << self.gene_bits) - 1

    @property
    def where(self) -> str:
        """What it is called."""
        return f"leased from {self.host}" if self.host else "leased from the store"


def hosts_of(given: Place) -> list[tuple[str | None, Place]]:
    """Returns each host of a list; without a list, the place itself."""
    return [*places_of(given)] or [(None, given)]


def read_rows(args: Namespace, places: list[tuple[str | None, Place]]) -> list[Row]:
    """Reads the row of the tag from each host of the list."""
    with ThreadPoolExecutor(len(places)) as pool:
        return list(pool.map(lambda it: read_row(args, *it), places))


def read_row(args: Namespace, host: str | None, place: Place) -> Row:
    """Reads the row of the tag from one host."""
    with segments(place, option_values(args)) as ids:
        try:
            ids._next_number(args.tag)
        except UnknownTagError:
            return Row(host, place, None, 0, NO_ROW, True)
        except LeafmintError as error:
            if error.reason == "missing_table":
                return Row(host, place, None, 0, NO_TABLE, True)
            if ids._draws_from_sequences:
                # It is raised by a statement, which the attempt to raise it names.
                return as_listed(args, ids, Row(host, place, None, 0, None, True))
            return as_listed(args, ids, Row(host, place, None, 0, str(error), False))
        return as_listed(args, ids, Row(host, place, None, 0, None, True))


def as_listed(args: Namespace, ids: SegmentGenerator, row: Row) -> Row:
    """Adds what the host lists of the tag, also if it cannot be changed there, as at a replica."""
    try:
        found = next((tag for tag in ids.list_tags() if tag.name == args.tag), None)
    except LeafmintError:
        if row.can_be_changed:
            raise
        return row
    if found is None:
        return row
    bits = found.gene_bits or 0
    return row._replace(max_id=found.max_id, gene_bits=bits, lease=(found.step or 0) << bits)


def series_of(ids: SegmentGenerator) -> list[SeriesInfo]:
    """Returns the series that the account may read: of a Leaf's database it may read the tags only."""
    try:
        return ids.list_series()
    except InvalidConfigError:
        return []
