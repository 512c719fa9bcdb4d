"""Numbers without gaps in a transaction of SQLAlchemy."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, overload

from sqlalchemy import Connection, TextClause, text
from sqlalchemy.exc import DBAPIError

from ._core import _gapless_number, _gapless_statements, _gapless_table
from ._gapless import failure_of, texts_of
from .errors import InvalidArgumentError

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession, async_scoped_session
    from sqlalchemy.orm import Session, scoped_session


@overload
def gapless(transaction: Session | scoped_session[Any] | Connection, series: str, *, start: int = 1) -> int: ...


@overload
def gapless(
    transaction: AsyncSession | async_scoped_session[Any] | AsyncConnection, series: str, *, start: int = 1
) -> Awaitable[int]: ...


def gapless(transaction: Any, series: str, *, start: int = 1) -> int | Awaitable[int]:
    """Return the next number of a series, which is given back if the transaction of a session or connection rolls back.

    It locks the series until the transaction ends, so take it late. The table `leafmint_gapless` must be in the
    transaction's database: see `schema_sql`.

    Args:
        transaction: A Session or a Connection; for an AsyncSession or an AsyncConnection, await the result.
        series: The name of the series, 1 to 128 characters.
        start: The first number of a series that has none.

    Raises:
        InvalidArgumentError: The connection is in autocommit mode, or the name, the first number or the database cannot
            be used.
        InvalidConfigError: The table is missing or cannot be used.
        StoreUnavailableError: Another transaction was in the way (reason "locked"), or the server failed: roll the
            transaction back, and repeat it as a whole. `__cause__` is SQLAlchemy's exception.
        IdSpaceExhaustedError: The series has no next number.
    """
    if (run_sync := getattr(transaction, "run_sync", None)) is not None:
        number: Awaitable[int] = run_sync(_take, series, start)
        return number
    return _take(transaction, series, start)


def _take(transaction: Any, series: str, start: int) -> int:
    connection: Connection = transaction if isinstance(transaction, Connection) else transaction.connection()
    dialect = connection.dialect.name
    look, take, read = _gapless_statements(dialect, series, start)
    names = {"name": series, "start": start}
    try:
        _refuse_without_transaction(connection, series)
        if look is not None:
            _gapless_table(dialect, _row_of(connection, look, {}))
        if read is None:
            row = _row_of(connection, take, names)
        else:
            connection.execute(_bound(take), names).close()
            row = _row_of(connection, read, {"name": series})
    except DBAPIError as error:
        raise failure_of(dialect, series, error.orig or error) from error
    return _gapless_number(dialect, series, start, row)


def _row_of(connection: Connection, statement: str, names: dict[str, Any]) -> list[str | None] | None:
    with connection.execute(_bound(statement), names) as rows:
        return texts_of(rows.first())


def _bound(statement: str) -> TextClause:
    return text(statement.replace("?", ":name", 1).replace("?", ":start", 1))


def _refuse_without_transaction(connection: Connection, series: str) -> None:
    """Refuse a connection that would commit the number at once."""
    advice = f"no number of series {series!r}: a number without gaps is taken in a transaction, and this connection is"
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
