"""The pages of the project."""

from typing import NoReturn

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from leafmint.django import register_id_converter

from .ids import OrderId
from .models import Order

register_id_converter(OrderId)


def show_order(request: HttpRequest, id: OrderId) -> HttpResponse:
    """Show an order."""
    return HttpResponse(f"{type(id).__name__} {get_object_or_404(Order, pk=id).pk}")


def show_any(request: HttpRequest, text: str) -> HttpResponse:
    """Show an order that a text names, which may be no id."""
    return HttpResponse(f"{get_object_or_404(Order, pk=text).pk}")


def fail(request: HttpRequest) -> NoReturn:
    """Raise an error."""
    raise ValueError("a view that fails")


urlpatterns = [
    path("admin/", admin.site.urls),
    path("orders/<order_id:id>", show_order, name="order"),
    path("any/<str:text>", show_any),
    path("fail", fail),
]
