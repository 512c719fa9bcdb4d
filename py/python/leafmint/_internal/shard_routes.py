"""Which databases can have the rows of a condition, and whether a database compares text keys as genes do."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import InvalidConfigError

Route = frozenset[str] | None


def all_of(routes: Iterable[Route]) -> Route:
    """Return the route of rows that meet all conditions."""
    known = [route for route in routes if route is not None]
    return frozenset.intersection(*known) if known else None


def any_of(routes: Iterable[Route]) -> Route:
    """Return the route of rows that meet at least one condition."""
    found: frozenset[str] = frozenset()
    for route in routes:
        if route is None:
            return None
        found |= route
    return found


def question_of(table: str, column: str) -> str:
    """Return a query that counts 1 if a column takes 'a' and 'A' for equal. The names are quoted. It reads no row."""
    return (
        f"SELECT COUNT(*) FROM (SELECT {column} AS leafmint_key FROM {table} WHERE 1 = 0 UNION ALL SELECT 'a')"
        " AS leafmint_keys WHERE leafmint_key = 'A'"
    )


def folds(table: str, column: str, database: str) -> InvalidConfigError:
    """Return the error of a column whose keys cannot name the database of their rows."""
    return InvalidConfigError(
        f"{column} of {table} in {database} takes 'a' and 'A' for equal, but genes and tables come from the text,"
        " so that rows of another spelling would not be found: give the column a binary collation (utf8mb4_bin or"
        ' utf8mb4_0900_bin, "C" in PostgreSQL, BINARY in SQLite)'
    )
