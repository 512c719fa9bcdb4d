"""Models whose ids come from leafmint."""

from django.db import models
from leafmint.django import SegmentAutoField, SnowflakeAutoField


class Item(models.Model):
    """Has the default key."""

    name = models.CharField(max_length=20, unique=True)


class Order(models.Model):
    """Names its tag, and has an automatic table of items."""

    id = SegmentAutoField(tag="order")
    items = models.ManyToManyField(Item)


class GiftOrder(Order):
    """Has its key from its parent."""

    message = models.CharField(max_length=20)


class Event(models.Model):
    """Has a snowflake."""

    id = SnowflakeAutoField()
    order = models.ForeignKey(Order, null=True, on_delete=models.CASCADE)
