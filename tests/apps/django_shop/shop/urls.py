"""The pages of the shop."""

import json

import leafmint
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from leafmint.prometheus import LeafmintCollector
from prometheus_client import REGISTRY, generate_latest

from .models import Order, Parcel
from .queue import pack

REGISTRY.register(LeafmintCollector())


def orders(request: HttpRequest) -> JsonResponse:
    """Store an order, and have it packed."""
    order = Order.objects.create(item=json.loads(request.body)["item"])
    pack.delay(order.id)
    # JavaScript reads numbers above 2^53 inexactly, so ids are strings in JSON.
    return JsonResponse({"id": str(order.id), "item": order.item})


def numbers(_: HttpRequest) -> JsonResponse:
    """Return an id without a row, as for a message that is sent on."""
    return JsonResponse({"id": str(leafmint.tag("shop_order").next_id())})


def parcels(_: HttpRequest) -> JsonResponse:
    """Return the ids of all parcels."""
    return JsonResponse({"ids": [str(id) for id in Parcel.objects.values_list("id", flat=True)]})


def metrics(_: HttpRequest) -> HttpResponse:
    """Return the metrics of this worker."""
    return HttpResponse(generate_latest(), content_type="text/plain; version=0.0.4")


urlpatterns = [
    path("orders", orders),
    path("numbers", numbers),
    path("parcels", parcels),
    path("metrics", metrics),
]
