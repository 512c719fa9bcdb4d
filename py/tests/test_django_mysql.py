"""`leafmint.django` on MariaDB, with ids leased in the database of the application."""

import uuid
from collections.abc import Iterator
from urllib.parse import urlsplit

import pymysql
import pytest
from django_projects import Project, mysql_database

APPS = ["django.contrib.auth", "django.contrib.contenttypes", "leafmint.django", "shop"]


@pytest.fixture
def on_mysql(project: Project, mysql_url: str) -> Iterator[Project]:
    """Return a project on an empty database, and drop that and the one of its test runner afterwards."""
    name, parts = f"django_{uuid.uuid4().hex[:8]}", urlsplit(mysql_url)
    project.settings = {"INSTALLED_APPS": APPS, "DATABASES": {"default": mysql_database(mysql_url, name)}}
    project.settings |= {"LEAFMINT": {"DATABASE": "default"}, "ROOT_URLCONF": ""}
    with pymysql.connect(
        host=parts.hostname, port=parts.port or 3306, user=parts.username, password=parts.password or ""
    ) as server:
        server.cursor().execute(f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
        yield project
        server.cursor().execute(f"DROP DATABASE {name}")


def test_a_migration_makes_the_tables_and_rows_have_ids(on_mysql: Project) -> None:
    on_mysql.manage("migrate", "-v0")
    assert on_mysql.run(
        """
        from django.db import connection, transaction
        from shop.models import Event, Item, Order

        with transaction.atomic():
            order = Order.objects.create()
            order.items.set(Item.objects.bulk_create([Item(name="tea"), Item(name="cup")]))
        print(order.pk, [row.pk for row in Order.items.through.objects.order_by("pk")])
        print(leafmint.Layout().decode(Event.objects.create(order=order).pk).worker_id)
        with connection.cursor() as cursor:
            cursor.execute("SHOW CREATE TABLE shop_order")
            print("AUTO_INCREMENT" in cursor.fetchone()[1])
            cursor.execute("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'order'")
            print(cursor.fetchone())
        """
    ) == ["1 [1, 2]", "0", "False", "(1001,)"]


def test_the_test_runner_leases_in_the_test_database_also_without_migrations(on_mysql: Project) -> None:
    on_mysql.settings["DATABASES"]["default"]["TEST"] = {"MIGRATE": False}
    on_mysql.manage("migrate", "-v0", "leafmint")
    assert "OK" in on_mysql.manage("test", "--noinput")
    tags = "print(leafmint.segment_generator().list_tags())"
    assert on_mysql.run(tags) == ["[]"]
