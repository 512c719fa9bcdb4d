"""Numbers without gaps in a transaction of Django."""

from __future__ import annotations

from typing import Any

from django.db import DEFAULT_DB_ALIAS, Error, connections, transaction

from .._core import _gapless_number, _gapless_statements
from .._gapless import failure_of
from ..errors import InvalidArgumentError


def gapless(series: str, using: str | None = None, *, start: int = 1) -> int:
    """Return the next number of a series, which is given back if the transaction rolls back.

    It locks the series until the outermost `atomic` block ends, so take it late. The table `leafmint_gapless` must be
    in that database: the migration of `leafmint.django` makes it in the one of `LEAFMINT["DATABASE"]`.

    Args:
        series: The name of the series, 1 to 128 characters.
        using: The alias of the database. Default: "default".
        start: The first number of a series that has none.

    Raises:
        InvalidArgumentError: There is no `atomic` block, or the name, the first number or the database cannot be used.
        InvalidConfigError: The table is missing or cannot be used.
        StoreUnavailableError: Another transaction was in the way (reason "locked"), or the server failed: leave the
            outermost `atomic` block, and repeat it as a whole. `__cause__` is Django's exception.
        IdSpaceExhaustedError: The series has no next number.
    """
    connection = connections[using or DEFAULT_DB_ALIAS]
    take, read = _gapless_statements(connection.vendor, series, start)
    if not connection.in_atomic_block:
        raise InvalidArgumentError(
            f"no number of series {series!r}: a number without gaps is taken in a transaction: call it within"
            f" transaction.atomic(using={connection.alias!r})"
        )
    with transaction.mark_for_rollback_on_error(using=connection.alias):
        return _gapless_number(series, _take(connection, series, start, take, read))


def _take(connection: Any, series: str, start: int, take: str, read: str | None) -> int | None:
    try:
        with connection.cursor() as cursor:
            cursor.execute(take.replace("?", "%s"), [series, start])
            if read is not None:
                cursor.execute(read.replace("?", "%s"), [series])
            row = cursor.fetchone()
    except Error as error:
        raise failure_of(connection.vendor, series, error.__cause__ or error) from error
    return row[0] if row else None
