"""`leafmint.django` on MariaDB and PostgreSQL, with ids leased in the database of the application."""

from collections.abc import Iterator

import pytest
from django_projects import CREATE, NUMBERED, PLAIN, Project, add_billing, empty_database, switch_with_rows


@pytest.fixture
def on_server(project: Project, server_url: str) -> Iterator[Project]:
    """Return a project on an empty database."""
    with empty_database(server_url) as database:
        project.settings = {"INSTALLED_APPS": PLAIN, "DATABASES": {"default": database}}
        project.settings |= {"LEAFMINT": {"DATABASE": "default"}, "ROOT_URLCONF": ""}
        yield project


def test_a_migration_makes_the_tables_and_rows_have_ids(on_server: Project) -> None:
    on_server.manage("migrate", "-v0")
    assert on_server.run(
        """
        from django.db import connection, transaction
        from shop.models import Event, Item, Order

        with transaction.atomic():
            order = Order.objects.create()
            order.items.set(Item.objects.bulk_create([Item(name="tea"), Item(name="cup")]))
        print(order.pk, [row.pk for row in Order.items.through.objects.order_by("pk")])
        print(leafmint.Layout().decode(Event.objects.create(order=order).pk).worker_id)
        with connection.cursor() as cursor:
            fields = connection.introspection.get_table_description(cursor, "shop_order")
            [key] = [field for field in fields if field.name == "id"]
            print(connection.introspection.get_field_type(key.type_code, key))
            print(len(connection.introspection.get_sequences(cursor, "shop_order")), key.default)
            cursor.execute("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'order'")
            print(cursor.fetchone())
        """
    ) == ["1 [1, 2]", "0", "BigIntegerField", "0 None", "(1001,)"]


def test_a_transaction_takes_the_first_numbers_of_series_from_the_same_database(on_server: Project) -> None:
    add_billing(on_server)
    on_server.settings["INSTALLED_APPS"] = NUMBERED
    on_server.migrate("billing")
    assert on_server.run(
        """
        from billing.models import Customer, Invoice
        from django.db import connection, transaction

        with transaction.atomic():
            print(Customer.objects.create().number, Invoice.objects.create(issued_on="2020-02-29").number)
            print([it.number for it in Customer.objects.bulk_create([Customer(), Customer()])])
        print({"leafmint_series", "leafmint_gene"} <= set(connection.introspection.table_names()))
        """
    ) == ["C0001 INV-2020-00001", "['C0002', 'C0003']", "True"]


def test_a_switch_to_minted_keys_goes_on_above_rows_that_exist_existed_or_are_saved_meanwhile(
    on_server: Project,
) -> None:
    switch_with_rows(on_server, on_server.settings["DATABASES"])
    on_server.manage("migrate", "-v0")
    pks = "from shop.models import Item; print([item.pk for item in Item.objects.order_by('pk')])"
    assert on_server.run(pks) == ["[1, 2, 3, 6, 7]"]
    assert on_server.run(CREATE.format("3, 5")) == ["[8, 9]"]


def test_the_test_runner_leases_in_the_test_database_also_without_migrations(on_server: Project) -> None:
    on_server.settings["DATABASES"]["default"]["TEST"] = {"MIGRATE": False}
    on_server.manage("migrate", "-v0", "leafmint")
    assert "OK" in on_server.manage("test", "--noinput")
    tags = "print(leafmint.segment_generator().list_tags())"
    assert on_server.run(tags) == ["[]"]


FIXTURE = """
import json
from django.core.management import call_command
rows = [{"model": "shop.item", "pk": pk, "fields": {"name": f"tea {pk}"}} for pk in [1, 2, 1500]]
with open("items.json", "w") as file:
    json.dump(rows, file)
call_command("loaddata", "items.json", verbosity=0)
"""


def test_the_first_row_comes_after_those_that_a_fixture_has_brought_since_migrate(on_server: Project) -> None:
    on_server.manage("migrate", "-v0")
    on_server.run(FIXTURE)
    assert on_server.run(CREATE.format("3, 5")) == ["[1501, 1502]"]
    assert on_server.run(CREATE.format(1)) == ["[1503]"]


LOST = """
from django.db import connection
with connection.cursor() as cursor:
    for table in connection.introspection.table_names():
        if table.startswith("leaf"):
            cursor.execute(f"DROP TABLE {table}")
"""

REFUSED = """
from django.db import connection
from shop.models import Event, Item
for model in (Item, Event):
    try:
        model.objects.create()
    except leafmint.InvalidConfigError as error:
        print(model.__name__, error.reason, "run the command python manage.py migrate," in str(error))
print([name for name in connection.introspection.table_names() if name.startswith("leaf")])
"""


def test_tables_that_were_lost_are_made_by_migrate_alone_which_raises_tags_above_the_rows(on_server: Project) -> None:
    on_server.manage("migrate", "-v0")
    assert on_server.run(CREATE.format(3)) == ["[1, 2, 3]"]
    on_server.run(LOST)
    assert on_server.run(REFUSED) == ["Item missing_table True", "Event missing_table True", "[]"]
    check = on_server.process("manage.py", "leafmint", "check")
    assert (check.returncode, check.stdout[:4]) == (2, "fail"), check.stdout
    on_server.manage("migrate", "-v0")
    assert on_server.run(CREATE.format(2).replace("str(n)", "'later' + str(n)")) == ["[4, 5]"]


def test_a_tag_that_the_store_does_not_have_begins_above_the_rows_of_its_model(on_server: Project) -> None:
    on_server.settings["LEAFMINT"]["OPTIONS"] = {"default_step": 10, "max_step": 10}
    on_server.manage("migrate", "-v0")
    rows = "from shop.models import Item; Item.objects.bulk_create([Item(pk=pk, name=str(pk)) for pk in (7, 41)])"
    on_server.run(rows)
    on_server.run(NO_TAGS)
    assert on_server.run(CREATE.format(2)) == ["[42, 43]"]
    assert on_server.run(TAGS) == ["[('shop_item', 10)]"]


TAGS = "print([(tag.name, tag.step) for tag in leafmint.segment_generator().list_tags()])"
NO_TAGS = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("DELETE FROM leaf_alloc")
"""


def test_migrate_creates_the_tags_of_models_so_that_code_has_ids_before_the_first_row(on_server: Project) -> None:
    on_server.settings["LEAFMINT"]["OPTIONS"] = {"default_step": 10, "max_step": 10}
    on_server.manage("migrate", "-v0")
    assert "('shop_item', 10)" in on_server.run(TAGS)[0]
    assert on_server.run("print(leafmint.tag('shop_item').next_id())") == ["1"]
    on_server.manage("migrate", "-v0")
    assert on_server.run(CREATE.format(2)) == ["[2, 3]"]
    on_server.run(NO_TAGS)
    on_server.manage("migrate", "-v0")
    assert on_server.run("print(leafmint.tag('shop_item').next_id())") == ["4"]
    on_server.run(NO_TAGS)
    on_server.settings["LEAFMINT"]["OPTIONS"] = {"auto_create": False}
    on_server.run("from shop.models import Item; Item.objects.all().delete()")
    on_server.manage("migrate", "-v0")
    assert on_server.run(TAGS) == ["[]"]
