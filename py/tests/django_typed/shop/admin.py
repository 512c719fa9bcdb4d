"""The models in the admin site."""

from django.contrib import admin
from leafmint.django.admin import TypedIdAdmin

from .models import Event, Item, Order


class EventInline(admin.TabularInline):
    """The events of an order."""

    model = Event
    extra = 0


@admin.register(Order)
class OrderAdmin(TypedIdAdmin):
    """Shows texts in lists, filters, forms and inlines."""

    list_display = ("id", "buyer", "replaces")
    list_filter = ("buyer",)
    search_fields = ("buyer__username",)
    raw_id_fields = ("buyer",)
    inlines = (EventInline,)


@admin.register(Event)
class EventAdmin(admin.ModelAdmin):
    """Chooses an order from a list."""


admin.site.register(Item)
