"""What the drivers of databases say: the codes and texts of their errors, and the values of their rows as text.

Drivers are known by the shape of their objects alone, so that none of them need be installed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, TypeAlias

DriverError: TypeAlias = tuple[int | None, str | None, str, bool]
"""The server's number, the SQLSTATE, the driver's text, and whether the connection is gone or could not be had."""

_CLIENT_NUMBERS = range(2000, 3000)
"""Numbers that drivers of MySQL give when no server answered, such as 2006 and 2013."""

_SQLITE_NUMBERS = {
    "locked": 5,
    "readonly": 8,
    "disk I/O error": 10,
    "malformed": 11,
    "full": 13,
    "unable to open": 14,
    "constraint failed": 19,
    "not a database": 26,
}
"""The numbers of SQLite by words of its texts, for Python 3.10, whose driver reports texts alone."""


def described(error: BaseException) -> DriverError:
    """Return an error of a driver as plain data."""
    number, state = codes_of(error)
    return number, state, _text_of(error), _is_lost(error, number, state)


def codes_of(error: Any) -> tuple[int | None, str | None]:
    """Return the server's number and the SQLSTATE: each driver has its own place for them."""
    if isinstance(error, sqlite3.Error):
        return _sqlite_number(error), None
    if isinstance(error, OSError):
        # Its number is the operating system's.
        return None, None
    first = error.args[0] if error.args else None
    # pg8000 has the fields of the server's message.
    fields = first if isinstance(first, dict) else {}
    state = getattr(error, "sqlstate", None) or getattr(error, "pgcode", None) or fields.get("C")
    number = first if isinstance(first, int) else getattr(error, "errno", None)
    is_number = isinstance(number, int) and 0 < number < 2**31
    return number if is_number else None, state if isinstance(state, str) else None


def texts_of(row: Iterable[Any]) -> list[str | None]:
    """Return the columns of a row as text, whatever type a driver gives them."""
    return [_value(value) for value in row]


def _value(value: Any) -> str | None:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).decode(errors="replace")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return format(value, "f")
    return None if value is None else _clean(str(value))


def _is_lost(error: BaseException, number: int | None, state: str | None) -> bool:
    if isinstance(error, sqlite3.Error):
        # A connection that another thread has opened can be neither used nor closed here.
        return any(words in str(error) for words in ("closed database", "created in a thread"))
    if state is not None:
        return state.startswith("08")
    return number is None or number in _CLIENT_NUMBERS


def _text_of(error: Any) -> str:
    try:
        # SQLAlchemy wraps the errors of asyncpg.
        is_wrapped = type(error).__module__.startswith("sqlalchemy.") and error.__cause__ is not None
        return _clean(_said(error.__cause__ if is_wrapped else error))
    except BaseException:
        return type(error).__name__


def _said(error: Any) -> str:
    """Return the message of an error, and that of the one behind it, such as TLS's, which some drivers leave out."""
    message = getattr(getattr(error, "diag", None), "message_primary", None)
    if message is None and codes_of(error)[0] is not None and len(error.args) > 1:
        message = error.args[1]
    if isinstance(message, (bytes, bytearray)):
        message = message.decode(errors="replace")
    text = str(error if message is None else message)
    if not text or codes_of(error) == (None, None):
        text = f"{type(error).__name__}: {text}"
    cause = error.__cause__
    return text if cause is None or str(cause) in text else f"{text} ({type(cause).__name__}: {cause})"


def _sqlite_number(error: sqlite3.Error) -> int | None:
    number = getattr(error, "sqlite_errorcode", None)
    if number is not None or not isinstance(error, sqlite3.DatabaseError):
        return number
    return next((number for words, number in _SQLITE_NUMBERS.items() if words in str(error)), 1)


def _clean(text: str) -> str:
    """Return a text without lone surrogates, which cannot leave Python."""
    return text.encode(errors="replace").decode()
