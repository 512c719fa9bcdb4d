"""Tests of the project, which the project's own test runner runs."""

import leafmint.late_binding
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import TestCase, TransactionTestCase

from .models import Bar, ClosedPlace, Person, Pizzeria, Place, Profile, Restaurant, Ticket, Visit

MINTED = settings.DEFAULT_AUTO_FIELD.startswith("leafmint")


class Models(TestCase):
    """Each test is rolled back."""

    def test_extended_models_share_one_sequence_of_keys(self) -> None:
        """Rows of all tables have the keys of the first one."""
        rows = [kind.objects.create() for kind in (Place, Restaurant, Pizzeria, Bar, ClosedPlace, Place)]
        assert sorted({row.pk for row in rows}) == [row.pk for row in rows]
        assert Place.objects.filter(pk__in=[row.pk for row in rows]).count() == 6
        assert rows[2].place_ptr_id == rows[2].restaurant_ptr_id == rows[2].pk

    def test_a_swapped_user_and_relations(self) -> None:
        """A user has friends, a profile and visits."""
        person, friend = (get_user_model().objects.create_user(name) for name in ("ada", "alan"))
        person.friends.add(friend)
        assert isinstance(person, Person)
        assert Profile.objects.create(person=person).pk == person.pk
        Visit.objects.create(person=person, place=Place.objects.create())
        assert list(friend.friends.all()) == [person]
        assert person.visit_set.count() == 1
        assert Ticket.objects.create().pk

    def test_a_save_is_as_many_queries_as_without_leafmint(self) -> None:
        """Each table takes one."""
        for kind, count in ((Place, 1), (Restaurant, 2), (Pizzeria, 3)):
            with self.assertNumQueries(count):
                kind(name="tea").save()


class Untouched(TransactionTestCase):
    """Tables are emptied after each test."""

    def test_nothing_is_open_unless_keys_are_minted(self) -> None:
        """A generator is open for minted keys only."""
        Place.objects.create()
        assert ("segments" in leafmint.late_binding.opened()) == MINTED
        assert MINTED or connection.execute_wrappers == []
