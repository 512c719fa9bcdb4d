"""Models of libraries that extend Django's."""
# mypy: ignore-errors

from auditlog.registry import auditlog
from django.db import models
from model_utils import FieldTracker
from model_utils.managers import InheritanceManager
from modelcluster.fields import ParentalKey
from modelcluster.models import ClusterableModel
from mptt.models import MPTTModel, TreeForeignKey
from ordered_model.models import OrderedModel
from parler.models import TranslatableModel, TranslatedFields
from polymorphic.models import PolymorphicModel
from safedelete.models import SafeDeleteModel
from simple_history.models import HistoricalRecords
from taggit.managers import TaggableManager
from taggit.models import GenericTaggedItemBase, TaggedItemBase
from treebeard.al_tree import AL_Node
from treebeard.mp_tree import MP_Node
from treebeard.ns_tree import NS_Node


class Named(models.Model):
    """Has a name."""

    name = models.CharField(max_length=20, default="")

    class Meta:
        """Say that there is no table."""

        abstract = True


class Plain(Named):
    """Is what factories make."""


class Owned(Named):
    """Belongs to another row."""

    owner = models.ForeignKey(Plain, on_delete=models.CASCADE)


class Remembered(Named):
    """Has a history."""

    history = HistoricalRecords()


class Logged(Named):
    """Is written about."""


auditlog.register(Logged)


class Branch(MPTTModel, Named):
    """Is in a tree of django-mptt."""

    parent = TreeForeignKey("self", null=True, on_delete=models.CASCADE, related_name="children")


class Path(MP_Node, Named):
    """Is in a tree of materialised paths."""


class Nested(NS_Node, Named):
    """Is in a tree of nested sets."""


class Adjacent(AL_Node, Named):
    """Is in a tree of adjacency lists."""

    parent = models.ForeignKey("self", null=True, on_delete=models.CASCADE, related_name="children_set")
    sib_order = models.PositiveIntegerField()


class Translated(TranslatableModel):
    """Has a title in each language."""

    translations = TranslatedFields(title=models.CharField(max_length=20))


class Shape(PolymorphicModel, Named):
    """Is a circle or a square."""


class Circle(Shape):
    """Has a radius."""

    radius = models.IntegerField(default=1)


class Square(Shape):
    """Has a side."""

    side = models.IntegerField(default=1)


class Step(OrderedModel, Named):
    """Has a place in an order."""


class Parent(Named):
    """Knows its children."""

    objects = InheritanceManager()
    tracker = FieldTracker()


class Child(Parent):
    """Extends a model."""


class Kept(SafeDeleteModel, Named):
    """Is marked when it is deleted."""


class WideTag(GenericTaggedItemBase, TaggedItemBase):
    """Tags rows with wide keys."""

    object_id = models.BigIntegerField(db_index=True)


class Tagged(Named):
    """Has tags."""

    tags = TaggableManager(through=WideTag)


class Page(ClusterableModel, Named):
    """Holds its sections until it is saved."""


class Section(Named):
    """Belongs to a page."""

    page = ParentalKey(Page, related_name="sections", on_delete=models.CASCADE)
