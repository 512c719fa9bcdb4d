"""The admin's pages of models whose keys are typed ids."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import quote, unquote
from django.http import HttpRequest, HttpResponse

from .. import InvalidIdError
from .typed_ids.columns import TypedColumn
from .typed_ids.foreign_keys import target_of

__all__ = ["TypedIdAdmin"]


class TypedIdAdmin(admin.ModelAdmin):
    """A ModelAdmin that finds an object by the text of its key, and the history of each object.

    Django unquotes the keys in its links, but quotes only those of type str. Some texts of typed ids look quoted, 2 in
    100 of the form "public". All other pages read them, also with Django's own ModelAdmin. The list needs
    `search_fields` to have a search box.

    Example:
        >>> from django.contrib import admin
        >>> from leafmint.django.admin import TypedIdAdmin
        >>> class OrderAdmin(TypedIdAdmin):
        ...     list_display = ["id"]
        ...     search_fields = ["buyer__name"]
    """

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        """Find the object that has the text, or search as Django does."""
        found = queryset.filter(pk=id) if (id := self.read_key(search_term.strip())) else queryset.none()
        return (found, False) if found.exists() else super().get_search_results(request, queryset, search_term)

    def read_key(self, text: str) -> Any:
        """Return the typed id of a text, and None of any other. A key may be that of another model."""
        key = target_of(self.model._meta.pk)
        try:
            return key.read(text) if isinstance(key, TypedColumn) else None
        except InvalidIdError:
            return None

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Show the history of an object."""
        found = self.get_object(request, unquote(object_id))
        key = object_id if found is None else quote(str(found.pk))
        return super().history_view(request, key, extra_context)
