"""Sequences without gaps in a transaction of Django."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, Error, connections, transaction

from .._core import SeriesNumber, _GaplessDraw, _GaplessSequence
from .._internal.drivers import texts_of
from .._internal.gapless import Answer, Statements, failure_of, read_last, take
from ..errors import InvalidArgumentError

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from typing_extensions import Self

    from .._core import Format, _Period

_T = TypeVar("_T")


class GaplessSequence(_GaplessSequence):
    """Numbers without gaps, each taken in an `atomic` block.

    If the block rolls back, its numbers are given back. A call locks the period's row until the outermost block ends,
    so take a number late. The table `leafmint_gapless` must be in that database: the migration of `leafmint.django`
    makes it in the one of `LEAFMINT["DATABASE"]`. The rule is not stored: with another period, zone or key the sequence
    counts in other rows.

    Immutable and thread-safe.

    Args:
        name: 1 to 117 code points, less those of the key, without /, @ and NUL.
        period: "day", "month" or "year", or "forever" for numbers that never start again.
        zone: The time zone whose calendar counts: a name such as "Europe/Madrid", or a ZoneInfo; none if the period is
            "forever".
        key: Counts for this key alone, such as a shop: 1 to 64 visible ASCII characters without @.
        format: The format of the texts, which must show the period, and the key if there is one.
        start: The first number of each period.
        using: The alias of the database. Default: "default", if no other database has an `atomic` block.

    Raises:
        InvalidArgumentError: An argument is out of range, or the zone is unknown.
        InvalidConfigError: The format is invalid, or does not show the period and the key.
    """

    using: str | None

    def __new__(
        cls,
        name: str,
        *,
        period: _Period,
        zone: str | ZoneInfo | None = None,
        key: str | None = None,
        format: Format | str | None = None,
        start: int = 1,
        using: str | None = None,
    ) -> Self:
        """Declare a sequence."""
        sequence = super().__new__(cls, name, period=period, zone=zone, key=key, format=format, start=start)
        sequence.using = using
        return sequence

    def next(self, *, on: date | None = None) -> SeriesNumber:
        """Return the next number.

        Args:
            on: The date of the document, whatever today is; by default the present date in the zone.

        Raises:
            InvalidArgumentError: There is no `atomic` block, or several databases have one and `using` names none, or
                `on` or the database cannot be used.
            InvalidConfigError: The table is missing or cannot be used.
            StoreUnavailableError: Another transaction was in the way (reason "locked"), or the server failed: leave the
                outermost `atomic` block, and repeat it as a whole. `__cause__` is Django's exception.
            IdSpaceExhaustedError: The format, or a number of 64 bits, has no room. Nothing was taken.
        """
        return self.next_many(1, on=on)[0]

    def next_many(self, count: int, *, on: date | None = None) -> list[SeriesNumber]:
        """Return numbers of one period that follow one another, at the cost of one.

        Args:
            count: How many, 0 to 2**26.
            on: As in `next`.

        Raises:
            LeafmintError: As in `next`.
        """
        connection = connections[self.using or DEFAULT_DB_ALIAS]
        draw = self._draw(connection.vendor, count, on)
        if not connection.in_atomic_block:
            raise InvalidArgumentError(
                f"no number of sequence {self.name!r}: a number without gaps is taken in a transaction: call it within"
                f" transaction.atomic(using={connection.alias!r})"
            )
        if draw is None:
            return []
        return self._in(connection, lambda: take(draw, partial(_run, connection, draw)))

    def last(self, *, on: date | None = None) -> SeriesNumber | None:
        """Return the last number of a period as the transaction sees it, or None if none was taken. It locks nothing.

        Args:
            on: A date in the period; by default the present date in the zone.

        Raises:
            LeafmintError: As in `next`, but no `atomic` block is needed.
        """
        connection = connections[self.using or DEFAULT_DB_ALIAS]
        draw = self._draw_last(connection.vendor, on)
        return self._in(connection, lambda: read_last(draw, partial(_run, connection, draw)))

    def _in(self, connection: Any, call: Callable[[], _T]) -> _T:
        if self.using is None and (others := _others_in_atomic_block(connection.alias)):
            raise InvalidArgumentError(
                f"no number of sequence {self.name!r}: {', '.join(others)} and {connection.alias} may be in an atomic"
                " block each: name the one that stores the number, with using=..., since its transaction must give the"
                " number back"
            )
        with transaction.mark_for_rollback_on_error(using=connection.alias):
            return call()


def _others_in_atomic_block(alias: str) -> list[str]:
    """Return the other databases with an `atomic` block, apart from those that a TestCase begins."""
    return [
        other.alias
        for other in connections.all(initialized_only=True)
        if other.alias != alias
        and any(not getattr(block, "_from_testcase", False) for block in getattr(other, "atomic_blocks", ()))
    ]


def _run(connection: Any, draw: _GaplessDraw, statements: Statements) -> Answer:
    counted = -1
    try:
        with connection.cursor() as cursor:
            for statement, values in statements:
                counted = cursor.rowcount
                cursor.execute(statement.replace("?", "%s"), values)
            row = cursor.fetchone()
            return None if row is None else texts_of(row), counted
    except Error as error:
        raise failure_of(draw, error.__cause__ or error) from error
