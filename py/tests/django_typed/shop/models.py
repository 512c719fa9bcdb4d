"""Models whose ids have types."""

from datetime import date

from django.contrib.auth.models import AbstractUser
from django.contrib.contenttypes.fields import GenericForeignKey, GenericRelation
from django.contrib.contenttypes.models import ContentType
from django.db import models
from leafmint.django import SegmentAutoField, SnowflakeAutoField, TypedIdField

from .ids import EventId, ItemId, OrderId, PersonId


class Person(AbstractUser):
    """Takes the place of Django's user."""

    id = SegmentAutoField(type=PersonId)


class Item(models.Model):
    """Is ordered."""

    id = SegmentAutoField(type=ItemId)
    name = models.CharField(max_length=20, unique=True)


class Note(models.Model):
    """Is about any object, and has a key without a type."""

    kind = models.ForeignKey(ContentType, on_delete=models.CASCADE)
    object_id = models.PositiveBigIntegerField()
    about = GenericForeignKey("kind", "object_id")


class Order(models.Model):
    """Has items, and may replace another order."""

    id = SegmentAutoField(tag="order", type=OrderId)
    buyer = models.ForeignKey(Person, null=True, blank=True, on_delete=models.CASCADE)
    items = models.ManyToManyField(Item, blank=True)
    replaces = TypedIdField(OrderId, null=True, blank=True)
    notes = GenericRelation(Note, content_type_field="kind")


class GiftOrder(Order):
    """Has its key from its parent."""

    message = models.CharField(max_length=20)


class Event(models.Model):
    """Happens to an order, and has a snowflake."""

    id = SnowflakeAutoField(type=EventId)
    order = models.ForeignKey(Order, on_delete=models.CASCADE)


class Invoice(models.Model):
    """Has the key of its order."""

    order = models.OneToOneField(Order, primary_key=True, on_delete=models.CASCADE)
    number = models.CharField(max_length=9)
    issued_on = models.DateField(default=date(2026, 1, 31))
