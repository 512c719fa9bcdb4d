"""The models in the admin site."""

from django.contrib import admin
from leafmint.django.admin import TypedIdAdmin

from .models import Event, GiftOrder, Invoice, Item, Order, Person


class EventInline(admin.TabularInline):
    """The events of an order."""

    model = Event
    extra = 0


@admin.register(Order)
class OrderAdmin(TypedIdAdmin):
    """Shows texts in lists, filters, forms and inlines."""

    list_display = ("id", "buyer", "replaces")
    ordering = ("-id",)
    list_filter = ("buyer",)
    search_fields = ("buyer__username",)
    raw_id_fields = ("buyer",)
    inlines = (EventInline,)


@admin.register(Event)
class EventAdmin(admin.ModelAdmin):
    """Chooses an order from a list."""


class InvoiceInline(admin.StackedInline):
    """The invoice of an order, whose key is the order's."""

    model = Invoice
    extra = 0


@admin.register(Invoice)
class InvoiceAdmin(TypedIdAdmin):
    """A model whose key is a foreign key."""

    list_display = ("order", "number")
    list_filter = ("order",)
    date_hierarchy = "issued_on"
    search_fields = ("number",)
    autocomplete_fields = ("order",)


@admin.register(GiftOrder)
class GiftOrderAdmin(TypedIdAdmin):
    """A model whose key is that of its parent."""

    list_display = ("order_ptr", "message", "replaces")
    list_filter = ("replaces", "buyer")
    search_fields = ("message", "=id")
    raw_id_fields = ("buyer",)
    inlines = (InvoiceInline,)


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin):
    """Django's own, which finds by the text, too."""

    search_fields = ("=id", "username")


admin.site.register(Item)
