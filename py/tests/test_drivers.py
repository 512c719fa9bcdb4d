"""What the drivers of databases say, as plain data: codes and texts of their errors, and values as text."""

import sqlite3
import ssl
from decimal import Decimal

import pymysql
import pytest
from leafmint._internal.drivers import codes_of, described, texts_of


def raised(statement: str) -> sqlite3.Error:
    memory = sqlite3.connect(":memory:")
    with pytest.raises(sqlite3.Error) as error:
        memory.execute(statement)
    memory.close()
    return error.value


class OldError(sqlite3.OperationalError):
    """An error of Python 3.10, which has no number."""

    sqlite_errorcode: int | None = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("text", "number"),
    [("database is locked", 5), ("attempt to write a readonly database", 8), ("no such table: leaf_alloc", 1)],
)
def test_sqlite_of_python_310_has_numbers_too(text: str, number: int) -> None:
    assert described(OldError(text)) == (number, None, text, False)


def test_sqlite_has_numbers_and_is_lost_only_if_the_connection_is() -> None:
    assert described(raised("SELECT 1 FROM nowhere")) == (1, None, "no such table: nowhere", False)
    closed = sqlite3.ProgrammingError("Cannot operate on a closed database.")
    assert described(closed)[3]


def test_numbers_of_drivers_without_an_answer_of_a_server_are_lost_connections() -> None:
    assert described(pymysql.err.OperationalError(2013, "Lost connection")) == (2013, None, "Lost connection", True)
    assert described(pymysql.err.InterfaceError(0, "")) == (None, None, "InterfaceError: (0, '')", True)
    assert described(pymysql.err.OperationalError(1205, "Lock wait"))[3] is False
    assert described(ConnectionRefusedError(111, "Connection refused"))[:2] == (None, None)
    assert described(KeyError("token"))[2:] == ("KeyError: 'token'", True)


def test_the_reason_behind_an_error_is_told() -> None:
    error = pymysql.err.OperationalError(2003, "Can't connect")
    error.__cause__ = ssl.SSLError("certificate verify failed")
    assert "(SSLError: " in described(error)[2]


def test_an_error_that_cannot_be_printed_is_named() -> None:
    class Rude(Exception):
        def __str__(self) -> str:
            raise ValueError

    assert described(Rude()) == (None, None, "Rude", True)
    assert codes_of(Rude()) == (None, None)


def test_values_are_text() -> None:
    row = [1, None, True, False, b"abc", memoryview(b"\xff"), Decimal("1E+3"), "lone \udc80"]
    assert texts_of(row) == ["1", None, "true", "false", "abc", "\ufffd", "1000", "lone ?"]
