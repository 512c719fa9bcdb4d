"""Lookups of typed ids. A text that is no id of the type finds nothing, and a number that no id has, no more."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import EmptyResultSet, FullResultSet
from django.db.models import Value, lookups

from ... import InvalidIdError
from ..._internal.typed_values import is_number

BELOW_ALL = -1
"""A number that no id has."""


class IdComparison:
    """Compares with one id. So `get_object_or_404` answers 404 for a text that is none."""

    below: type[Exception] = EmptyResultSet
    above: type[Exception] = EmptyResultSet
    lhs: Any
    rhs: Any

    def get_prep_lookup(self) -> Any:
        """Return the value that the database compares with."""
        try:
            return super().get_prep_lookup()  # type: ignore[misc]
        except InvalidIdError:
            # Whatever the comparison, a text that is no id finds nothing.
            self.below = EmptyResultSet
            return BELOW_ALL

    def process_rhs(self, compiler: Any, connection: Any) -> Any:
        """Compare with an id, but with a number that no id has, without the database."""
        if is_number(self.rhs):
            raise self.below if self.rhs < 0 else self.above
        return super().process_rhs(compiler, connection)  # type: ignore[misc]


class IdExact(IdComparison, lookups.Exact):
    """Compares with one id."""


class IdGreater(IdComparison, lookups.GreaterThan):
    """Finds ids with greater numbers."""

    below = FullResultSet


class IdGreaterOrEqual(IdComparison, lookups.GreaterThanOrEqual):
    """Finds an id, and those with greater numbers."""

    below = FullResultSet


class IdLess(IdComparison, lookups.LessThan):
    """Finds ids with smaller numbers."""

    above = FullResultSet


class IdLessOrEqual(IdComparison, lookups.LessThanOrEqual):
    """Finds an id, and those with smaller numbers."""

    above = FullResultSet


class IdList:
    """Compares with several ids, and perhaps with expressions, next to which Django 5.2 prepares no value."""

    lhs: Any
    rhs: Any

    def get_prep_lookup(self) -> Any:
        """Return the values that the database compares with."""
        if self.rhs_is_direct_value():  # type: ignore[attr-defined]
            self.rhs = self.ids(self.rhs)
            if any(map(is_expression, self.rhs)):
                field = self.lhs.output_field
                self.rhs = [id if is_expression(id) else Value(field.read(id), field) for id in self.rhs]
        return super().get_prep_lookup()  # type: ignore[misc]

    def ids(self, values: Any) -> list[Any]:
        """Return the values to compare with."""
        return list(values)


def is_expression(value: Any) -> bool:
    """Return whether the database computes a value."""
    return hasattr(value, "resolve_expression")


class IdRange(IdList, lookups.Range):
    """Finds the ids from one to another."""


class IdIn(IdList, lookups.In):
    """Finds several ids."""

    def ids(self, values: Any) -> list[Any]:
        """Return the values that are ids of the type."""
        return [value for value in values if is_expression(value) or self.is_id(value)]

    def is_id(self, value: Any) -> bool:
        """Return whether a value is an id of the type."""
        try:
            self.lhs.output_field.read(value)
        except InvalidIdError:
            return False
        return True


LOOKUPS = {
    "exact": IdExact,
    # Texts have one case, and the search of other libraries asks so.
    "iexact": IdExact,
    "in": IdIn,
    "gt": IdGreater,
    "gte": IdGreaterOrEqual,
    "lt": IdLess,
    "lte": IdLessOrEqual,
    "range": IdRange,
    "isnull": lookups.IsNull,
}
"""The lookups of a typed column: others would search the digits of the number."""
