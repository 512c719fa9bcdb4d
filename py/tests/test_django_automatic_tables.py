"""`leafmint.django`: tables that no migration alters, above all those of many-to-many relations, are the database's.

Public reports: https://github.com/django/django/pull/14328, https://github.com/nephila/djangocms-blog/issues/800.
"""

import pytest
from django_projects import BIG, Project

MINTED = ["leafmint.django.SegmentAutoField", "leafmint.django.SnowflakeAutoField"]

MODELS = """
from django.contrib.auth.models import AbstractUser
from django.db import models

class Label(models.Model):
    name = models.CharField(max_length=20)

class Person(AbstractUser):
    friends = models.ManyToManyField("self")
    labels = models.ManyToManyField(Label)

class Legacy(models.Model):
    name = models.CharField(max_length=20)

    class Meta:
        managed = False
        db_table = "legacy"
"""

LINK = """
from django.contrib.auth.models import Group
from shop.models import Label, Person
person = Person.objects.get()
groups = list(Group.objects.exclude(user=person).order_by("pk")[:2])
labels = list(Label.objects.exclude(person=person).order_by("pk")[:2])
before = person.groups.count(), person.labels.count()
person.groups.add(groups[0])
person.groups.add(groups[1])
person.labels.add(*labels)
print(person.groups.count() - before[0], person.labels.count() - before[1])
"""

ROWS = """
from django.contrib.auth.models import Group
from shop.models import Label, Person
person = Person.objects.create(username="ada")
Group.objects.bulk_create([Group(name=str(number)) for number in range(20)])
Label.objects.bulk_create([Label(name=str(number)) for number in range(20)])
"""

COUNTED = """
from django.contrib.auth.models import Group
from django.db import connection
from shop.models import Person
for model in (Person.groups.through, Person.labels.through, Person.friends.through):
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT sql LIKE '%%AUTOINCREMENT%%' FROM sqlite_master WHERE name = %s",
                           [model._meta.db_table])
        elif connection.vendor == "mysql":
            cursor.execute("SELECT extra LIKE '%%auto_increment%%' FROM information_schema.columns "
                           "WHERE table_schema = database() AND table_name = %s AND column_name = 'id'",
                           [model._meta.db_table])
        else:
            cursor.execute("SELECT count(*) FROM information_schema.columns WHERE is_identity = 'YES' "
                           "AND table_name = %s AND column_name = 'id'", [model._meta.db_table])
        print(cursor.fetchone()[0], end=" ")
"""


AUTO = "django.db.models.AutoField"
SWITCHES = [
    (AUTO, MINTED[1]),
    (BIG["DEFAULT_AUTO_FIELD"], MINTED[0]),
    pytest.param(AUTO, MINTED[0], marks=pytest.mark.long),
    pytest.param(BIG["DEFAULT_AUTO_FIELD"], MINTED[1], marks=pytest.mark.long),
]


@pytest.fixture
def people(on_each: Project) -> Project:
    """Return a project on each database whose user has many-to-many relations. It has no migrations yet."""
    (on_each.folder / "shop/models.py").write_text(MODELS)
    on_each.settings["AUTH_USER_MODEL"] = "shop.Person"
    return on_each


def migrate_to(project: Project, key: str) -> None:
    """Let keys be of another kind."""
    project.settings["DEFAULT_AUTO_FIELD"] = key
    project.migrate()


@pytest.mark.parametrize(("old", "key"), SWITCHES)
def test_links_of_old_and_new_processes_survive_a_switch_and_the_way_back(people: Project, old: str, key: str) -> None:
    migrate_to(people, old)
    people.run(ROWS)
    assert people.run(LINK) == ["2 2"]
    for step, other in ((key, old), (BIG["DEFAULT_AUTO_FIELD"], key)):
        migrate_to(people, step)
        for running in (step, other, step):
            people.settings["DEFAULT_AUTO_FIELD"] = running
            assert people.run(LINK) == ["2 2"]


@pytest.mark.parametrize("key", MINTED)
def test_automatic_tables_are_made_with_keys_that_the_database_counts(people: Project, key: str) -> None:
    migrate_to(people, key)
    assert people.run(COUNTED) == ["1 1 1 "]
    people.run(ROWS)
    assert people.run(LINK) == ["2 2"]
    assert people.run(
        """
        from shop.models import Person
        first, *friends = (Person.objects.create(username=str(number)) for number in range(3))
        first.friends.set(friends)
        print(first.friends.count(), Person.friends.through.objects.count())
        """
    ) == ["2 4"]


def test_a_relation_that_is_added_or_altered_later_is_the_databases(people: Project) -> None:
    migrate_to(people, MINTED[0])
    models = MODELS.replace('ManyToManyField("self")', 'ManyToManyField("self", db_table="friendship")')
    models = models.replace("ManyToManyField(Label)", 'ManyToManyField(Label, related_name="owners")')
    models += "\nclass Team(models.Model):\n    members = models.ManyToManyField(Person)\n"
    (people.folder / "shop/models.py").write_text(models)
    people.migrate()
    assert people.run(
        COUNTED.replace("Person.friends.through)", "Person.friends.through, Team.members.through)").replace(
            "import Person", "import Person, Team"
        )
    ) == ["1 1 1 1 "]


def test_a_model_that_django_does_not_manage_keeps_the_key_of_its_table_unless_it_names_a_minted_one(
    project: Project,
) -> None:
    assert project.run(
        """
        from django.db import connection, models
        from leafmint.django import SegmentAutoField

        class Legacy(models.Model):
            name = models.CharField(max_length=20)

            class Meta:
                managed, db_table, app_label = False, "legacy", "shop"

        class Named(models.Model):
            id = SegmentAutoField(tag="named")

            class Meta:
                managed, db_table, app_label = False, "legacy", "shop"

        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE legacy (id integer PRIMARY KEY AUTOINCREMENT, name varchar(20))")
        print(Legacy.objects.create(name="one").pk, type(Legacy._meta.pk).__name__)
        """
    ) == ["1 BigAutoField"]
