"""Orders, and the parcels that a worker packs for them. Their ids come from the tag of the other shop's orders."""

from django.db import models
from leafmint.django import LeafmintAutoField


class Order(models.Model):
    """An order. Its id is known before the INSERT."""

    id = LeafmintAutoField(tag="shop_order")
    item = models.CharField(max_length=100)


class Parcel(models.Model):
    """A parcel of an order."""

    id = LeafmintAutoField(tag="shop_order")
    order = models.ForeignKey(Order, on_delete=models.CASCADE)
