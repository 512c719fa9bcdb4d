"""`leafmint.django`: models whose ids come from the SQLite file of the application itself."""

import sqlite3

from django_projects import Project


def test_a_saved_row_has_an_id_of_its_tag(project: Project) -> None:
    assert project.run(
        """
        import asyncio
        from shop.models import Event, Item, Order

        first = Order()
        print(first.pk)
        first.save()
        print(first.pk, Order.objects.create().pk, Item.objects.create(name="tea").pk)
        print([item.pk for item in Item.objects.bulk_create([Item(name="cup"), Item(name="pot")])])
        print(Item.objects.get_or_create(name="tea")[0].pk, Item.objects.get_or_create(name="jug")[0].pk)
        print(Item.objects.update_or_create(name="tin", defaults={"name": "can"})[0].pk)
        print(asyncio.run(Item.objects.acreate(name="mug")).pk)

        again = Item.objects.get(name="mug")
        again.pk, again.name = None, "lid"
        again.save()
        print(again.pk, Item.objects.count())
        worker = leafmint.Layout().decode(Event.objects.create(order=first).pk).worker_id
        print(worker, leafmint.segment_generator().scope.split(" ")[0].endswith("/app.sqlite3"))
        """
    ) == ["None", "1 2 1", "[2, 3]", "1 4", "5", "6", "7 7", "0 True"]


def test_relations_have_ids_of_the_tags_that_they_inherit_or_are_named_after(project: Project) -> None:
    assert project.run(
        """
        from shop.models import GiftOrder, Item, Order

        items = Item.objects.bulk_create([Item(name="tea"), Item(name="cup")])
        order = Order.objects.create()
        order.items.set(items)
        print([row.pk for row in Order.items.through.objects.order_by("pk")])
        gift = GiftOrder.objects.create(message="to you")
        print(gift.pk, gift.order_ptr_id, GiftOrder.objects.get(order_ptr=2).message)
        print(sorted(tag.name for tag in leafmint.segment_generator().list_tags()))
        """
    ) == ["[1, 2]", "2 2 to you", "['order', 'shop_item']"]


def test_a_save_is_one_insert_into_a_plain_bigint(project: Project) -> None:
    assert project.run(
        """
        from django.db import connection
        from django.test.utils import CaptureQueriesContext
        from shop.models import Item

        with CaptureQueriesContext(connection) as queries:
            Item(name="tea").save()
            Item.objects.bulk_create([Item(name="cup"), Item(name="pot")])
        print(*(query["sql"].split()[0] for query in queries if query["sql"] not in ("BEGIN", "COMMIT")))
        """
    ) == ["INSERT INSERT"]
    with sqlite3.connect(project.folder / "app.sqlite3") as database:
        (table,) = database.execute("SELECT sql FROM sqlite_master WHERE name = 'shop_order'").fetchone()
    database.close()
    assert table == 'CREATE TABLE "shop_order" ("id" bigint NOT NULL PRIMARY KEY)'


def test_a_save_of_a_known_id_updates_its_row_or_inserts_it_as_with_a_key_of_the_database(project: Project) -> None:
    assert project.run(
        """
        from django.db import IntegrityError, connection
        from django.test.utils import CaptureQueriesContext
        from shop.models import GiftOrder, Item, Order

        def queries_of(work):
            with CaptureQueriesContext(connection) as queries:
                work()
            return [query["sql"].split()[0] for query in queries if query["sql"] not in ("BEGIN", "COMMIT")]

        first, second = Item.objects.bulk_create([Item(name="tea"), Item(name="cup")])
        print(queries_of(Item(pk=first.pk, name="green tea").save), queries_of(Item(pk=70, name="pot").save))
        print(list(Item.objects.order_by("pk").values_list("pk", "name")))
        print(queries_of(Item(name="jug").save), queries_of(lambda: Item.objects.create(pk=71, name="mug")))
        try:
            Item.objects.bulk_create([Item(name="tin"), Item(name="mug")])
        except IntegrityError:
            pass
        Item(pk=second.pk, name="saucer").save()
        gift = GiftOrder.objects.create(message="to you")
        print(queries_of(GiftOrder(pk=gift.pk, message="to me").save), GiftOrder.objects.get().message)
        print(queries_of(GiftOrder(message="again").save), Order.objects.count())
        """
    ) == [
        "['UPDATE'] ['UPDATE', 'INSERT']",
        "[(1, 'green tea'), (2, 'cup'), (70, 'pot')]",
        "['INSERT'] ['INSERT']",
        "['SELECT', 'UPDATE'] to me",
        "['INSERT', 'INSERT'] 2",
    ]


def test_a_field_of_the_application_prepares_the_keys_of_rows_itself(project: Project) -> None:
    assert project.run(
        """
        from django.db import connection
        from leafmint.django import SegmentAutoField

        class Hidden(SegmentAutoField):
            def get_prep_value(self, value):
                return None if value is None else super().get_prep_value(value) ^ 255

        class HiddenLate(SegmentAutoField):
            def get_db_prep_value(self, value, connection, prepared=False):
                return super().get_db_prep_value(value, connection, prepared) ^ 255

        print(Hidden().get_db_prep_save(1, connection), HiddenLate().get_db_prep_save(1, connection))
        """
    ) == ["254 254"]


def test_a_transaction_on_the_same_sqlite_file_can_take_the_first_ids_of_several_tags(project: Project) -> None:
    assert project.run(
        """
        from django.contrib.auth.models import User
        from django.db import connection, transaction
        from shop.models import Item, Order

        def count(execute, sql, *rest):
            seen.append(sql)
            return execute(sql, *rest)

        seen = []
        with connection.execute_wrapper(count):
            Order.objects.count()
        try:
            with transaction.atomic():
                user = User.objects.create(username="first")
                Order.objects.create().items.add(Item.objects.create(name="tea"))
                raise KeyError
        except KeyError:
            pass
        print(user.pk, Order.objects.count(), Order.objects.create().pk)
        print(len(seen), connection.execute_wrappers)
        """
    ) == ["1 0 2", "1 []"]


def test_the_admin_adds_changes_and_deletes(project: Project) -> None:
    assert project.run(
        """
        from django.contrib.auth.models import User
        from django.test import Client
        from shop.models import Item

        client = Client()
        client.force_login(User.objects.create_superuser("admin"))
        print(client.post("/admin/shop/item/add/", {"name": "tea", "_save": ""}).status_code)
        item = Item.objects.get()
        print(item.pk, b"tea" in client.get("/admin/shop/item/1/change/").content)
        print(client.post("/admin/shop/item/1/change/", {"name": "cup", "_save": ""}).status_code)
        print(Item.objects.get(pk=1).name)
        print(client.post("/admin/shop/item/1/delete/", {"post": "yes"}).status_code, Item.objects.count())
        """
    ) == ["302", "1 True", "302", "cup", "302 0"]


def test_fixtures_keep_their_ids_and_tags_can_be_raised_above_them(project: Project) -> None:
    assert project.run(
        """
        import json, pathlib
        from django.core.management import call_command
        from shop.models import Item

        rows = [{"model": "shop.item", "pk": pk, "fields": {"name": f"item {pk}"}} for pk in (1, 5)]
        pathlib.Path("items.json").write_text(json.dumps(rows))
        call_command("loaddata", "items.json", verbosity=0)
        call_command("loaddata", "items.json", verbosity=0)
        print([item.pk for item in Item.objects.order_by("pk")])
        call_command("leafmint_raise_tags", "shop")
        call_command("leafmint_raise_tags")
        print(Item.objects.create(name="tea").pk)
        """
    ) == ["[1, 5]", "shop_item: raised above 5", "every tag is above the ids of its tables", "6"]
