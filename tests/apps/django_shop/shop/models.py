"""Orders, their invoices, and the parcels that a worker packs for them.

Ids come from the tag of the other shop's orders, numbers from the series of its orders.
"""

import leafmint
from django.db import models
from leafmint.django import SegmentAutoField, SeriesField


class OrderId(leafmint.TypedId, prefix="order"):
    """The id of an order: a number in the database, a text for customers."""


class ParcelId(leafmint.TypedId, prefix="parcel"):
    """The id of a parcel."""


class Order(models.Model):
    """An order. Its id and its number are known before the INSERT."""

    id = SegmentAutoField(tag="shop_order", type=OrderId)
    number = SeriesField(
        series="order", period="day", zone="Europe/Madrid", step=20, format="{year}{month}{day}-{number:5}"
    )
    item = models.CharField(max_length=100)


class Invoice(models.Model):
    """An invoice. The key keeps an order from being billed twice."""

    order = models.OneToOneField(Order, on_delete=models.PROTECT, primary_key=True)
    number = models.CharField(max_length=64, unique=True)


class Parcel(models.Model):
    """A parcel of an order."""

    id = SegmentAutoField(tag="shop_order", type=ParcelId)
    order = models.ForeignKey(Order, on_delete=models.CASCADE)
