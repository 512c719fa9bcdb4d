"""Numbers without gaps: what SQLAlchemy and Django share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ._core import _gapless_failure
from .errors import LeafmintError


def failure_of(dialect: str, series: str, error: BaseException) -> LeafmintError:
    """Return the error of leafmint for one of a database driver."""
    number, state = _codes_of(error)
    return _gapless_failure(dialect, series, number, state, str(error))


def texts_of(row: Iterable[Any] | None) -> list[str | None] | None:
    """Return the columns of a row as text, whatever type a driver gives them."""
    return None if row is None else [_text_of(value) for value in row]


def _text_of(value: Any) -> str | None:
    if isinstance(value, (bytes, bytearray)):
        return value.decode(errors="replace")
    return None if value is None else str(value)


def _codes_of(error: Any) -> tuple[int | None, str | None]:
    """Return the server's number and the SQLSTATE: each driver has its own place for them."""
    first = error.args[0] if error.args else None
    # pg8000 has the fields of the server's message.
    fields = first if isinstance(first, dict) else {}
    state = getattr(error, "sqlstate", None) or getattr(error, "pgcode", None) or fields.get("C")
    number = getattr(error, "sqlite_errorcode", first if isinstance(first, int) else None)
    return number, state
