"""Models whose rows are spread over several databases, and two that are in one."""

import leafmint
from django.db import connection, models
from leafmint.django import SegmentAutoField, ShardedManager, SnowflakeAutoField

EXACT = {"db_collation": "utf8mb4_bin"} if connection.vendor == "mysql" else {}
"""The collation of texts that name a database, where the usual one takes Ann and ann for equal."""


class OrderId(leafmint.TypedId, form="decimal", name="order"):
    """The id of an order."""


class User(models.Model):
    """Is in one database."""

    name = models.CharField(max_length=20, unique=True)


class Coupon(models.Model):
    """Is in one database."""


class Order(models.Model):
    """Is where its user's orders are."""

    id = SegmentAutoField(tag="order", type=OrderId, gene="user", gene_bits=4)
    user = models.ForeignKey(User, on_delete=models.CASCADE, db_constraint=False, related_name="orders")
    coupon = models.ForeignKey(Coupon, null=True, on_delete=models.CASCADE, db_constraint=False, related_name="orders")
    total = models.IntegerField(default=0)
    objects = ShardedManager()


class Item(models.Model):
    """Is where its order is."""

    id = SnowflakeAutoField(gene="order", gene_bits=4)
    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="items")
    name = models.CharField(max_length=20, default="")
    objects = ShardedManager()


class Parcel(models.Model):
    """Has the key of its order."""

    order = models.OneToOneField(Order, on_delete=models.CASCADE, primary_key=True)
    objects = ShardedManager()


class Visit(models.Model):
    """Is found by a text alone: its id carries nothing."""

    id = SegmentAutoField(tag="visit")
    visitor = models.CharField(max_length=40, **EXACT)
    objects = ShardedManager()


class Invoice(models.Model):
    """Has a number with a suffix, which the application mints."""

    number = models.CharField(max_length=40, primary_key=True)
    customer = models.CharField(max_length=40, **EXACT)
    objects = ShardedManager()
