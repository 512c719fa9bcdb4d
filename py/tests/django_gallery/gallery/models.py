"""Models of every kind."""

import uuid
from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models


class Person(AbstractUser):
    """Takes the place of Django's user."""

    friends = models.ManyToManyField("self")


class Profile(models.Model):
    """Has the key of another model."""

    person = models.OneToOneField(Person, primary_key=True, on_delete=models.CASCADE)


class Place(models.Model):
    """Is extended by models with tables of their own."""

    name = models.CharField(max_length=30)
    visitors = models.ManyToManyField(Person, through="Visit")


class Restaurant(Place):
    """Extends a model."""


class Pizzeria(Restaurant):
    """Extends a model that extends one."""


class Bar(Place):
    """Names the link to the model that it extends."""

    place = models.OneToOneField(Place, primary_key=True, parent_link=True, on_delete=models.CASCADE)


class ClosedPlace(Place):
    """Shares a table."""

    class Meta:
        """Say so."""

        proxy = True


class Numbered(models.Model):
    """Gives a key to models that extend it."""

    note = models.CharField(max_length=30, default="")

    class Meta:
        """Say that there is no table."""

        abstract = True


class Visit(Numbered):
    """Joins two models."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE)
    place = models.ForeignKey(Place, on_delete=models.CASCADE)


class Ticket(models.Model):
    """Has a key of its own kind."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    objects: ClassVar[models.Manager] = models.Manager()
