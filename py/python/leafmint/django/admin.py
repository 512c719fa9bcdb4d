"""The admin's pages of models whose keys are typed ids."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import quote, unquote
from django.http import HttpRequest, HttpResponse

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
        found = queryset.filter(pk=search_term.strip())
        return (found, False) if found.exists() else super().get_search_results(request, queryset, search_term)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Show the history of an object."""
        found = self.get_object(request, unquote(object_id))
        key = object_id if found is None else quote(str(found.pk))
        return super().history_view(request, key, extra_context)
