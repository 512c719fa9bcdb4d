"""What is known of the highest id in use of a tag."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .. import InvalidArgumentError, LeafmintError
from .._core import _highest_rows
from .._internal.series_tags import series_of
from .old_writers import OldNumbers, find_old_numbers
from .opened import segments
from .reported import OF_A_PERIOD, NotReportedError, Reports
from .stores import Place, option_values
from .tag_rows import Row

ROWS = "rows of "
PROMETHEUS = "Prometheus"


class Evidence:
    """What was found of the highest id in use, and what was not."""

    def __init__(self) -> None:
        """Begins with nothing."""
        self.found: list[tuple[str, int]] = []
        self.not_found: list[tuple[str, str]] = []
        self.old_numbers: list[OldNumbers] = []
        self.is_reported: bool = False
        self.is_given: bool = False
        self.is_of_series: bool = False

    @property
    def is_of_all(self) -> bool:
        """Whether the number that processes report is that of all of them."""
        return self.is_reported and (self.is_given or PROMETHEUS not in dict(self.not_found))

    def leave_out(self, old_numbers: list[OldNumbers]) -> None:
        """Keeps what old code inserts apart from what was found of the tag."""
        self.old_numbers = old_numbers
        of_rows = {rows_of(old.column): old for old in old_numbers if old.are_left_out}
        found = [(where, of_rows[where].below if where in of_rows else highest) for where, highest in self.found]
        self.found = [(where, highest) for where, highest in found if highest is not None]

    def look(self, where: str, read: Callable[[], Iterable[tuple[str, int]]]) -> bool:
        """Adds what a source says. Returns whether it says anything."""
        before = len(self.found)
        try:
            for found in read():
                self.found.append(found)
        except InvalidArgumentError:
            raise
        except (LeafmintError, NotReportedError) as error:
            self.not_found.append((where, str(error)))
        return len(self.found) > before


class Keys:
    """The highest ids in the rows of an application, read once for all tags."""

    def __init__(self, args: Namespace) -> None:
        """Takes the options that the databases are opened with."""
        self.options: dict[str, Any] = option_values(args)
        self.known: dict[Place, list[tuple[str, str, int | None]]] = {}

    def at(self, place: Place) -> list[tuple[str, str, int | None]]:
        """Returns table, column and highest id of each key in a database."""
        if place not in self.known:
            self.known[place], _ = _highest_rows(place.source, {**place.options, **self.options})
        return self.known[place]


def gather(args: Namespace, keys: Keys, reports: Reports | None, rows: list[Row]) -> Evidence:
    """Gathers what the hosts, the rows of the application and its processes say."""
    evidence = Evidence()
    for row in rows:
        if row.highest is not None:
            evidence.found.append((row.where, row.highest))
        if row.why is not None:
            evidence.not_found.append((row.where, row.why))
    source = next((row.place for row in rows if row.can_be_changed), rows[0].place)
    evidence.is_of_series = is_of_series(args, source)
    has_rows = evidence.look("rows", lambda: highest_of_rows(args, keys.at(source)))
    evidence.is_given = evidence.look("reported", lambda: [("reported", highest) for highest in args.reported])
    evidence.is_reported = evidence.is_given
    if reports:
        is_series = evidence.is_of_series
        evidence.is_reported |= evidence.look(PROMETHEUS, lambda: highest_of_processes(reports, args.tag, is_series))
    elif not args.reported:
        text = "give what they report by --prometheus or --reported, and the max_id of a recovery since the backup"
        evidence.not_found.append(("processes", text))
    columns = [key[:2] for key in keys.at(source) if is_of_tag(args, *key[:2])] if has_rows else []
    known = max((highest for where, highest in evidence.found if not where.startswith(ROWS)), default=0)
    lease = max(row.lease for row in rows)
    evidence.leave_out(find_old_numbers(args, source, columns, known, lease))
    return evidence


def is_of_series(args: Namespace, place: Place) -> bool:
    """Returns whether the tag is one of a series, as far as that can be read."""
    if OF_A_PERIOD.search(args.tag):
        return True
    try:
        with segments(place, option_values(args)) as ids:
            return series_of(args.tag, {series.name: series.period for series in ids.list_series()}) is not None
    except LeafmintError:
        return False


def highest_of_rows(args: Namespace, keys: list[tuple[str, str, int | None]]) -> Iterator[tuple[str, int]]:
    """Yields the highest ids in rows of the application."""
    chosen_keys = [key for key in keys if is_of_tag(args, *key[:2])]
    if unknown := [wanted for wanted in args.rows if not any(is_named(key, wanted) for key in keys)]:
        table, name = unknown[0]
        text = "is no primary key of whole numbers that this account may read: give its highest id by --reported"
        raise InvalidArgumentError(f"--rows {table}.{name} {text}")
    if not chosen_keys:
        raise NotReportedError("no table has the name of the tag: name the column by --rows TABLE.COLUMN")
    for table, name, highest in chosen_keys:
        if highest is not None:
            yield rows_of(f"{table}.{name}"), highest
    minted = [] if args.rows else args.columns.get(args.tag, [])
    if elsewhere := [wanted for wanted in minted if not any(is_named(key, wanted) for key in keys)]:
        names = ", ".join(f"{table}.{name}" for table, name in elsewhere)
        raise NotReportedError(f"{names} is not in this database: give its highest id by --reported")


def rows_of(column: str) -> str:
    """Says that a number was found in rows of a column."""
    return f"{ROWS}{column}"


def is_of_tag(args: Namespace, table: str, name: str) -> bool:
    """Returns whether a key has ids of the tag: as is said, or else as the application or an audit takes it."""
    if args.rows:
        return any(is_named((table, name), wanted) for wanted in args.rows)
    if any(is_named((table, name), minted) for minted in args.columns.get(args.tag, [])):
        return True
    return args.tag.lower() in (table.lower(), table.lower().rpartition(".")[2])


def is_named(key: tuple[Any, ...], wanted: tuple[str, str]) -> bool:
    """Returns whether a key is what was asked for, whatever the case; its schema may be left out."""
    table, name = (part.lower() for part in wanted)
    return name == key[1].lower() and table in (key[0].lower(), key[0].lower().rpartition(".")[2])


def highest_of_processes(reports: Reports, tag: str, is_series: bool) -> Iterator[tuple[str, int]]:
    """Yields the highest id that processes report to Prometheus.

    Raises:
        NotReportedError: They report none, or may have leased more.
    """
    if is_series:
        highest = reports.highest_of_series(tag)
        known = "" if highest is None else f", {highest} at the last scrape"
        raise NotReportedError(f"it has one number for all keys and periods of a series{known}: give --reported")
    highest = reports.highest(tag)
    if highest is not None:
        yield "reported to Prometheus", highest
    if gap := reports.gap if highest is not None else reports.doubt(tag):
        raise NotReportedError(gap)
    if highest is None:
        raise NotReportedError(f"{reports.place} knows of no process that has leased an id of the tag")
