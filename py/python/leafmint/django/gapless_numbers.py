"""Numbers without gaps in a transaction of Django."""

from __future__ import annotations

from typing import Any

from django.db import DEFAULT_DB_ALIAS, Error, connections, transaction

from .._core import _gapless_number, _gapless_statements, _gapless_table
from .._gapless import failure_of, texts_of
from ..errors import InvalidArgumentError


def gapless(series: str, using: str | None = None, *, start: int = 1) -> int:
    """Return the next number of a series, which is given back if the transaction rolls back.

    It locks the series until the outermost `atomic` block ends, so take it late. The table `leafmint_gapless` must be
    in that database: the migration of `leafmint.django` makes it in the one of `LEAFMINT["DATABASE"]`.

    Args:
        series: The name of the series, 1 to 128 characters.
        using: The alias of the database. Default: "default", if no other database has an `atomic` block.
        start: The first number of a series that has none.

    Raises:
        InvalidArgumentError: There is no `atomic` block, or several databases have one and `using` names none, or the
            name, the first number or the database cannot be used.
        InvalidConfigError: The table is missing or cannot be used.
        StoreUnavailableError: Another transaction was in the way (reason "locked"), or the server failed: leave the
            outermost `atomic` block, and repeat it as a whole. `__cause__` is Django's exception.
        IdSpaceExhaustedError: The series has no next number.
    """
    connection = connections[using or DEFAULT_DB_ALIAS]
    look, take, read = _gapless_statements(connection.vendor, series, start)
    if not connection.in_atomic_block:
        raise InvalidArgumentError(
            f"no number of series {series!r}: a number without gaps is taken in a transaction: call it within"
            f" transaction.atomic(using={connection.alias!r})"
        )
    if using is None and (others := _others_in_atomic_block(connection.alias)):
        raise InvalidArgumentError(
            f"no number of series {series!r}: {', '.join(others)} and {connection.alias} have an atomic block each:"
            " name the one that stores the number, with using=..., since its transaction must give the number back"
        )
    with transaction.mark_for_rollback_on_error(using=connection.alias):
        if look is not None:
            _gapless_table(connection.vendor, _row_of(connection, series, [(look, [])]))
        statements = [(take, [series, start])] + ([] if read is None else [(read, [series])])
        return _gapless_number(connection.vendor, series, start, _row_of(connection, series, statements))


def _others_in_atomic_block(alias: str) -> list[str]:
    """Return the other databases with an `atomic` block, apart from those that a TestCase begins."""
    return [
        other.alias
        for other in connections.all(initialized_only=True)
        if other.alias != alias
        and any(not getattr(block, "_from_testcase", False) for block in getattr(other, "atomic_blocks", ()))
    ]


def _row_of(connection: Any, series: str, statements: list[tuple[str, list[Any]]]) -> list[str | None] | None:
    """Run statements, and return the row of the last one."""
    try:
        with connection.cursor() as cursor:
            for statement, values in statements:
                cursor.execute(statement.replace("?", "%s"), values)
            return texts_of(cursor.fetchone())
    except Error as error:
        raise failure_of(connection.vendor, series, error.__cause__ or error) from error
