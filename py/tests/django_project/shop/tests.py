"""Tests of the project, which the project's own test runner runs."""

import leafmint
from django.db import connection
from django.test import TestCase, TransactionTestCase

from .models import Event, Item, Order


class RolledBack(TestCase):
    """Each test is rolled back; ids are not."""

    @classmethod
    def setUpTestData(cls) -> None:
        """Save a row for all tests."""
        cls.tea = Item.objects.create(name="tea")

    def test_two_tags_within_one_transaction(self) -> None:
        """The first id of each tag is taken within the transaction of the test."""
        order = Order.objects.create()
        order.items.add(self.tea)
        Event.objects.create(order=order)
        name = str(connection.settings_dict["NAME"])
        assert ("memory:" if "mode=memory" in name else name) in leafmint.segment_generator().scope

    def test_a_save_is_one_query(self) -> None:
        """Taking an id is no query of Django's."""
        with self.assertNumQueries(1):
            Order().save()


class Flushed(TransactionTestCase):
    """The tables are emptied after each test; tags go on."""

    def test_first(self) -> None:
        """Save rows."""
        assert len({order.pk for order in Order.objects.bulk_create([Order(), Order()])}) == 2

    def test_second(self) -> None:
        """Save a row after the flush."""
        Order.objects.create()
