"""Sequences without gaps in a transaction of SQLAlchemy."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import date
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, overload

from sqlalchemy import BigInteger, Connection, String, TextClause, bindparam, text
from sqlalchemy.exc import DBAPIError

from .._core import SeriesNumber, _GaplessDraw, _GaplessSequence
from .._internal.drivers import texts_of
from .._internal.gapless import Answer, Statements, failure_of, read_last, take
from ..errors import InvalidArgumentError

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession, async_scoped_session
    from sqlalchemy.orm import Session, scoped_session

    _Sync: TypeAlias = Session | scoped_session[Any] | Connection
    _Async: TypeAlias = AsyncSession | async_scoped_session[Any] | AsyncConnection

_T = TypeVar("_T")


class GaplessSequence(_GaplessSequence):
    """Numbers without gaps, each taken in the transaction of a session or connection.

    If the transaction rolls back, its numbers are given back. A call locks the period's row until the transaction ends,
    so take a number late. The table `leafmint_gapless` must be in the transaction's database: see `schema_sql`. The
    rule is not stored: with another period, zone or key the sequence counts in other rows.

    Immutable and thread-safe. The methods take a Session or a Connection; for an AsyncSession or an AsyncConnection,
    await the result.

    Args:
        name: 1 to 117 code points, less those of the key, without /, @ and NUL.
        period: "day", "month" or "year", or "forever" for numbers that never start again.
        zone: The time zone whose calendar counts: a name such as "Europe/Madrid", or a ZoneInfo; none if the period is
            "forever".
        key: Counts for this key alone, such as a shop: 1 to 64 visible ASCII characters without @.
        format: The format of the texts, which must show the period, and the key if there is one.
        start: The first number of each period.

    Raises:
        InvalidArgumentError: An argument is out of range, or the zone is unknown.
        InvalidConfigError: The format is invalid, or does not show the period and the key.

    Example:
        >>> import leafmint
        >>> from datetime import date
        >>> from leafmint.sqlalchemy import GaplessSequence
        >>> from sqlalchemy import create_engine
        >>> engine = create_engine("sqlite://")
        >>> invoices = GaplessSequence("invoice", period="year", zone="Europe/Madrid", format="{year}-{number:5}")
        >>> with engine.begin() as connection:
        ...     for statement in leafmint.schema_sql("sqlite").split(";"):
        ...         _ = connection.exec_driver_sql(statement)
        ...     invoices.next(connection, on=date(2026, 11, 25)).text
        '2026-00001'
        >>> engine.dispose()
    """

    @overload
    def next(self, session: _Sync, *, on: date | None = None) -> SeriesNumber: ...

    @overload
    def next(self, session: _Async, *, on: date | None = None) -> Awaitable[SeriesNumber]: ...

    def next(self, session: Any, *, on: date | None = None) -> SeriesNumber | Awaitable[SeriesNumber]:
        """Return the next number.

        Args:
            session: The session or connection whose transaction the number belongs to.
            on: The date of the document, whatever today is; by default the present date in the zone.

        Raises:
            InvalidArgumentError: The connection is in autocommit mode, or `on` or the database cannot be used.
            InvalidConfigError: The table is missing or cannot be used.
            StoreUnavailableError: Another transaction was in the way (reason "locked"), or the server failed: roll the
                transaction back, and repeat it as a whole. `__cause__` is SQLAlchemy's exception.
            IdSpaceExhaustedError: The format, or a number of 64 bits, has no room. Nothing was taken.
        """
        return _within(session, lambda connection: self._take(connection, 1, on)[0])

    @overload
    def next_many(self, session: _Sync, count: int, *, on: date | None = None) -> list[SeriesNumber]: ...

    @overload
    def next_many(self, session: _Async, count: int, *, on: date | None = None) -> Awaitable[list[SeriesNumber]]: ...

    def next_many(
        self, session: Any, count: int, *, on: date | None = None
    ) -> list[SeriesNumber] | Awaitable[list[SeriesNumber]]:
        """Return numbers of one period that follow one another, at the cost of one.

        Args:
            session: As in `next`.
            count: How many, 0 to 2**26.
            on: As in `next`.

        Raises:
            LeafmintError: As in `next`.
        """
        return _within(session, lambda connection: self._take(connection, count, on))

    @overload
    def last(self, session: _Sync, *, on: date | None = None) -> SeriesNumber | None: ...

    @overload
    def last(self, session: _Async, *, on: date | None = None) -> Awaitable[SeriesNumber | None]: ...

    def last(self, session: Any, *, on: date | None = None) -> SeriesNumber | Awaitable[SeriesNumber | None] | None:
        """Return the last number of a period as the transaction sees it, or None if none was taken. It locks nothing.

        Args:
            session: The session or connection to read with.
            on: A date in the period; by default the present date in the zone.

        Raises:
            LeafmintError: As in `next`, but autocommit mode is fine.
        """
        return _within(session, lambda connection: self._read_last(connection, on))

    def _take(self, connection: Connection, count: int, on: date | None) -> list[SeriesNumber]:
        draw = self._draw(connection.dialect.name, count, on)
        return [] if draw is None else take(draw, partial(_run, connection, draw, True))

    def _read_last(self, connection: Connection, on: date | None) -> SeriesNumber | None:
        draw = self._draw_last(connection.dialect.name, on)
        return read_last(draw, partial(_run, connection, draw, False))


def _within(session: Any, call: Callable[[Connection], _T]) -> _T | Awaitable[_T]:
    """Call with the connection of a session, or of its synchronous side."""

    def of(it: Any) -> _T:
        return call(it if isinstance(it, Connection) else it.connection())

    # A scoped session has its own of the present scope; the asynchronous one passes on no run_sync.
    session = session.registry() if hasattr(session, "registry") else session
    if (run_sync := getattr(session, "run_sync", None)) is not None:
        result: Awaitable[_T] = run_sync(of)
        return result
    return of(session)


def _run(connection: Connection, draw: _GaplessDraw, takes: bool, statements: Statements) -> Answer:
    counted = -1
    try:
        if takes:
            _refuse_without_transaction(connection, draw.row)
        for statement, values in statements[:-1]:
            with connection.execute(_bound(statement, values)) as taken:
                counted = taken.rowcount
        with connection.execute(_bound(*statements[-1])) as rows:
            row = rows.first()
            return None if row is None else texts_of(row), counted
    except DBAPIError as error:
        raise failure_of(draw, error.orig or error) from error


def _bound(statement: str, values: list[str | int]) -> TextClause:
    places = count()
    named = text(re.sub(r"\?", lambda _: f":v{next(places)}", statement))
    types = [String if isinstance(value, str) else BigInteger for value in values]
    return named.bindparams(*(bindparam(f"v{at}", value, types[at]) for at, value in enumerate(values)))


def _refuse_without_transaction(connection: Connection, row: str) -> None:
    """Refuse a connection that would commit the number at once."""
    advice = f"no number of sequence {row!r}: a number without gaps is taken in a transaction, and this connection is"
    if connection.get_execution_options().get("isolation_level") == "AUTOCOMMIT":
        raise InvalidArgumentError(f"{advice} in AUTOCOMMIT: use one with another isolation level")
    if connection.dialect.name == "sqlite":
        _refuse_without_transaction_of_sqlite(connection, advice)
    elif _is_in_autocommit(connection.connection.dbapi_connection):
        raise InvalidArgumentError(f"{advice} in the driver's autocommit mode: switch that off")


def _is_in_autocommit(driver: Any) -> bool:
    """Return whether a driver of a server commits each statement. Drivers of MySQL have a method to set it."""
    if (get := getattr(driver, "get_autocommit", None)) is not None:
        return bool(get())
    autocommit = getattr(driver, "autocommit", False)
    return not callable(autocommit) and bool(autocommit)


def _refuse_without_transaction_of_sqlite(connection: Connection, advice: str) -> None:
    if not connection.in_transaction():
        # SQLAlchemy begins with the first statement, and the application may then begin for the driver.
        connection.exec_driver_sql("SELECT 1").close()
    driver: Any = connection.connection.driver_connection
    # A driver from Python 3.12 on has either this or the older setting.
    is_legacy = getattr(driver, "autocommit", -1) not in (True, False)
    begins_itself = driver.isolation_level is not None if is_legacy else not driver.autocommit
    if not driver.in_transaction and not begins_itself:
        raise InvalidArgumentError(
            f"{advice} in the autocommit mode of sqlite3: leave isolation_level alone, or send BEGIN in the event"
            ' "begin"'
        )
    if is_legacy and begins_itself and connection.in_nested_transaction():
        # SQLite ends its transaction with the outermost savepoint, unless the driver has begun before it.
        raise InvalidArgumentError(
            f"{advice} in a savepoint, which sqlite3 may commit by itself: let the driver begin nothing, and send"
            ' BEGIN in the event "begin", as the documentation of SQLAlchemy on pysqlite shows'
        )
