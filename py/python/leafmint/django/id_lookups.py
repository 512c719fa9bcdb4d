"""Lookups of typed ids. A text that is no id of the type finds nothing, and a number that no id has, no more."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import EmptyResultSet, FullResultSet
from django.db.models import lookups

from .. import InvalidIdError
from .._typed_values import is_number

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


class IdIn(lookups.In):
    """Compares with several ids."""

    rhs: Any

    def get_prep_lookup(self) -> Any:
        """Return the values that the database compares with."""
        if self.rhs_is_direct_value():
            self.rhs = [value for value in self.rhs if hasattr(value, "resolve_expression") or self.is_id(value)]
        return super().get_prep_lookup()

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
    "range": lookups.Range,
    "isnull": lookups.IsNull,
}
"""The lookups of a typed column: others would search the digits of the number."""
