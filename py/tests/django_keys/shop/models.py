"""Models that need no other library."""

from django.contrib.contenttypes.fields import GenericForeignKey, GenericRelation
from django.contrib.contenttypes.models import ContentType
from django.db import models


class ByName(models.Manager["Item"]):
    """Finds items by their natural key."""

    def get_by_natural_key(self, name: str) -> "Item":
        """Return the item of a name."""
        item: Item = self.get(name=name)
        return item


class Note(models.Model):
    """Belongs to an object of any model."""

    text = models.CharField(max_length=20)
    kind = models.ForeignKey(ContentType, on_delete=models.CASCADE)
    object_id = models.BigIntegerField()
    about = GenericForeignKey("kind", "object_id")


class Item(models.Model):
    """Is bought."""

    name = models.CharField(max_length=20, unique=True)
    price = models.IntegerField(default=1)
    notes = GenericRelation(Note, object_id_field="object_id", content_type_field="kind")
    objects = ByName()

    def natural_key(self) -> tuple[str]:
        """Return the natural key."""
        return (self.name,)


class Order(models.Model):
    """Has lines."""

    name = models.CharField(max_length=20, default="")
    items = models.ManyToManyField(Item, through="Line")


class Line(models.Model):
    """Joins two models."""

    order = models.ForeignKey(Order, on_delete=models.CASCADE)
    item = models.ForeignKey(Item, on_delete=models.CASCADE)
    count = models.IntegerField(default=1)


class Gift(Order):
    """Extends a model by a table of its own."""

    message = models.CharField(max_length=20, default="")


class Step(models.Model):
    """Is one of several in a sequence."""

    order = models.ForeignKey(Order, on_delete=models.CASCADE)

    class Meta:
        """Keep the sequence."""

        order_with_respect_to = "order"
