"""Tests of the project, which the project's own test runner runs."""

from django.test import TestCase, TransactionTestCase
from django.urls import reverse

from .ids import OrderId
from .models import Order, Person


class RolledBack(TestCase):
    """Each test is rolled back."""

    def test_a_client_that_has_logged_in_sees_an_order(self) -> None:
        """The page of an order has its text."""
        self.client.force_login(Person.objects.create_user("ada"))
        order = Order.objects.create()
        self.assertContains(self.client.get(reverse("order", args=[order.pk])), f"OrderId {order.pk}")


class Serialized(TransactionTestCase):
    """The rows that the database had are written to text, and read again."""

    serialized_rollback = True

    def test_an_id_has_its_type(self) -> None:
        """A row has a typed id."""
        assert isinstance(Order.objects.create().pk, OrderId)
