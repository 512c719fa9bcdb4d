"""`leafmint.django` in a project: each test runs scripts and commands of it in processes of their own."""

import sqlite3

from django_projects import Project


def test_a_saved_row_has_an_id_of_the_tag_and_the_column_is_a_plain_bigint(project: Project) -> None:
    project.migrate()
    assert project.run(
        """
        from shop.models import Event, Item, Order

        first = Order()
        print(first.pk)
        first.save()
        print(first.pk, Order.objects.create().pk, Item.objects.create(name="tea").pk)
        print(leafmint.Layout().decode(Event.objects.create(order=first).pk).worker_id)
        print(leafmint.segment_generator().scope.startswith("sqlite:"))
        """
    ) == ["None", "1 2 1", "0", "True"]
    with sqlite3.connect(project.folder / "app.sqlite3") as database:
        (table,) = database.execute("SELECT sql FROM sqlite_master WHERE name = 'shop_order'").fetchone()
    database.close()
    assert table == 'CREATE TABLE "shop_order" ("id" bigint NOT NULL PRIMARY KEY)'


def test_a_save_is_one_insert(project: Project) -> None:
    project.migrate()
    assert project.run(
        """
        from django.db import connection
        from django.test.utils import CaptureQueriesContext
        from shop.models import Item

        with CaptureQueriesContext(connection, ) as queries:
            Item(name="tea").save()
            Item.objects.bulk_create([Item(name="cup"), Item(name="pot")])
        print(*(query["sql"].split()[0] for query in queries if query["sql"].split()[0] not in ("BEGIN", "COMMIT")))
        """
    ) == ["INSERT INSERT"]


def test_migrations_are_stable_and_name_the_public_fields(project: Project) -> None:
    project.manage("makemigrations", "shop")
    assert "No changes" in project.manage("makemigrations", "--check")
    (migration,) = (project.folder / "shop/migrations").glob("0001*.py")
    text = migration.read_text()
    assert "leafmint.django.LeafmintAutoField(primary_key=True, serialize=False, tag='order')" in text
    assert "leafmint.django.SnowflakeAutoField(primary_key=True, serialize=False)" in text
    assert "leafmint.django.LeafmintAutoField(auto_created=True, primary_key=True" in text
