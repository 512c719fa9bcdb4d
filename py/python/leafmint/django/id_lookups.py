"""Lookups of typed ids. A text that is no id of the type finds nothing."""

from __future__ import annotations

from typing import Any

from django.db.models.lookups import In, IntegerFieldExact

from .. import InvalidIdError

BELOW_ALL = -(2**64)
"""A number that no column can have: Django finds nothing, and does not ask the database."""


class IdExact(IntegerFieldExact):
    """Compares with one id. So `get_object_or_404` answers 404 for a text that is none."""

    def get_prep_lookup(self) -> Any:
        """Return the value that the database compares with."""
        try:
            return super().get_prep_lookup()
        except InvalidIdError:
            return BELOW_ALL


class IdIn(In):
    """Compares with several ids."""

    rhs: Any

    def get_prep_lookup(self) -> Any:
        """Return the values that the database compares with."""
        if self.rhs_is_direct_value():
            self.rhs = [value for value in self.rhs if not isinstance(value, str) or self.is_id(value)]
        return super().get_prep_lookup()

    def is_id(self, text: str) -> bool:
        """Return whether a text is an id of the type."""
        try:
            self.lhs.output_field.read(text)
        except InvalidIdError:
            return False
        return True
