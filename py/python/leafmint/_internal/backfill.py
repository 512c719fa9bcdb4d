"""Fills a column with ids of past moments, in batches: what Django's command and Alembic's operation share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from .._core import SnowflakeGenerator
from ..cli.progress import Progress
from ..errors import InvalidArgumentError

NAMED = 10
"""Rows without an id that are named."""

BATCH = 10_000
"""Rows of a batch, if it is not given."""

STATEMENT = 300
"""Rows of a statement. Some servers take 999 parameters, and SQLite expressions of a depth of 1000."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Filled:
    """What was filled in."""

    filled: int
    """Rows that have got an id."""
    without_moment: int
    """Rows whose moment is NULL. They have no id still."""
    taken: int
    """Rows that another process gave an id meanwhile, or deleted."""
    outside: int = 0
    """Rows whose moment can have no id: before the layout's epoch, to come, or behind its last tick. They stay NULL."""
    outside_rows: tuple[tuple[Any, str], ...] = ()
    """The keys of the first of them, each with why."""

    def report(self) -> str:
        """Name the rows whose moment can have no id."""
        named = [f"row {key!r}: {why}" for key, why in self.outside_rows]
        more = ["…"] if self.outside > len(named) else []
        return f"{self.outside:,} rows stay without an id, as their moments can have none: " + "; ".join(named + more)


class Rows(Protocol):
    """The rows of a table without an id, in the order of a unique column."""

    def count(self) -> int:
        """Count all of them."""

    def read(self, after: Any, count: int) -> Sequence[tuple[Any, Any]]:
        """Read key and moment of the first rows, or with `after` of those behind that key."""

    def write(self, ids: dict[Any, int]) -> int:
        """Give rows their ids if they have none still, and return how many there were."""


def fill(rows: Rows, flakes: SnowflakeGenerator, zone: tzinfo | None, batch: int, always: bool) -> Filled:
    """Fill in all rows. It may be interrupted, and begun again: what was written stays."""
    if batch < 1:
        raise InvalidArgumentError(f"batch={batch} is not at least 1")
    filled = without_moment = taken = outside = 0
    named: list[tuple[Any, str]] = []
    after = None
    with Progress(rows.count(), always) as progress:
        while found := rows.read(after, batch):
            if found[-1][0] is None:
                raise InvalidArgumentError("a row has no key (NULL), so it cannot be found again: give it one")
            if after is not None and found[0][0] == after:
                raise InvalidArgumentError(f"the database finds the row {after!r} behind itself: name another key")
            after = found[-1][0]
            moments = {key: in_zone(at, zone, key) for key, at in found if at is not None}
            refused = {key: why for key, at in moments.items() if (why := why_not(flakes, at, key)) is not None}
            fitting = {key: at for key, at in moments.items() if key not in refused}
            ids = dict(zip(fitting, map(int, flakes.backfill_array(fitting.values())), strict=True))
            changed = sum(rows.write(part) for part in parts(ids))
            filled, taken = filled + changed, taken + len(ids) - changed
            without_moment, outside = without_moment + len(found) - len(moments), outside + len(refused)
            named += list(refused.items())[: NAMED - len(named)]
            progress.add(len(found))
    return Filled(filled=filled, without_moment=without_moment, taken=taken, outside=outside, outside_rows=tuple(named))


def why_not(flakes: SnowflakeGenerator, at: Any, key: Any) -> str | None:
    """Return why a moment can have no id, or None if it can."""
    try:
        return flakes._why_not_past(at)
    except (InvalidArgumentError, TypeError) as error:
        raise type(error)(f"row {key!r}: {error}") from error


def parts(ids: dict[Any, int]) -> Iterable[dict[Any, int]]:
    """Split ids into those of one statement each."""
    items = list(ids.items())
    return (dict(items[start : start + STATEMENT]) for start in range(0, len(items), STATEMENT))


def in_zone(at: Any, zone: tzinfo | None, key: Any) -> Any:
    """Return a moment with its time zone."""
    if not isinstance(at, datetime) or at.tzinfo is not None:
        return at
    if zone is None:
        raise InvalidArgumentError(
            f"the moment {at} of the row {key!r} has no time zone: name the zone of the column, such as UTC"
        )
    return at.replace(tzinfo=zone)


def zone_of(name: str | None) -> tzinfo | None:
    """Return a time zone by its name."""
    try:
        return None if name is None else ZoneInfo(name)
    except (ValueError, OSError, KeyError) as error:
        raise InvalidArgumentError(f"{name!r} is no time zone: write UTC, or a name such as Europe/Madrid") from error
