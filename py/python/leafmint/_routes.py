"""The databases that can have the rows of a condition: a set of names, or None for any database."""

from __future__ import annotations

from collections.abc import Iterable

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
