"""The pages of the shop."""

import json

import leafmint
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from leafmint.django import GaplessSequence, register_id_converter
from leafmint.prometheus import LeafmintCollector
from prometheus_client import REGISTRY, generate_latest

from .models import Invoice, Order, OrderId, Parcel
from .queue import pack

REGISTRY.register(LeafmintCollector())

register_id_converter(OrderId)

INVOICES = GaplessSequence("invoice", period="forever", format="INV-{number:6}-{check:damm}")


def orders(request: HttpRequest) -> JsonResponse:
    """Store an order, and have it packed."""
    order = Order.objects.create(item=json.loads(request.body)["item"])
    pack.delay(int(order.id))
    return JsonResponse({"id": str(order.id), "number": order.number, "item": order.item})


def invoice(_: HttpRequest, id: OrderId) -> JsonResponse:
    """Bill an order. If that fails, the rollback gives the number back."""
    try:
        with transaction.atomic():
            number = INVOICES.next().text
            Invoice.objects.create(order_id=id, number=number)
    except IntegrityError:
        return JsonResponse({"detail": "there is no such order, or it has an invoice"}, status=409)
    return JsonResponse({"invoice": number})


def numbers(_: HttpRequest) -> JsonResponse:
    """Return an id without a row, as for a message that is sent on."""
    return JsonResponse({"id": str(OrderId(leafmint.tag("shop_order").next_id()))})


def parcels(_: HttpRequest) -> JsonResponse:
    """Return the ids of all parcels."""
    return JsonResponse({"ids": [str(id) for id in Parcel.objects.values_list("id", flat=True)]})


def metrics(_: HttpRequest) -> HttpResponse:
    """Return the metrics of this worker."""
    return HttpResponse(generate_latest(), content_type="text/plain; version=0.0.4")


urlpatterns = [
    path("orders", orders),
    path("orders/<order_id:id>/invoice", invoice),
    path("numbers", numbers),
    path("parcels", parcels),
    path("metrics", metrics),
]
