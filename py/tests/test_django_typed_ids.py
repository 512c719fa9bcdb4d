"""`leafmint.django` with typed ids: numbers in rows and fixtures, `OrderId` in instances and lookups."""

import json

from django_projects import Project, empty_database

WITHOUT_KEYS = " ".join(f"leafmint.E007 {kind}" for kind in ("EventId", "ItemId", "OrderId", "PersonId"))

OTHER_KEYS = ["lmk1_" + "".join(f"{byte:02x}" for byte in range(100, 132))]


def test_rows_have_numbers_and_instances_have_typed_ids(shop: Project) -> None:
    assert shop.run(
        """
        import asyncio, pickle
        from django.db import connection
        from shop.ids import EventId, ItemId, OrderId, PersonId
        from shop.models import Event, GiftOrder, Item, Order, Person

        order = Order()
        print(order.pk)
        order.buyer, order.replaces = Person.objects.create(username="ada"), 7
        order.save()
        print(order.pk == OrderId(1), order.replaces == OrderId(7), order.buyer_id == PersonId(1))
        items = Item.objects.bulk_create([Item(name="a"), Item(name="b")])
        print([item.pk for item in items] == [ItemId(1), ItemId(2)])
        order.items.set(Item.objects.all())
        event = Event.objects.create(order=order)
        print(type(event.pk).__name__, leafmint.Layout().decode(int(event.pk)).worker_id)
        read = Event.objects.get()
        print(read.pk == event.pk, read.order_id == order.pk, read.order == order, hash(read) == hash(event))
        gift = GiftOrder.objects.create(message="to you")
        print(gift.pk == gift.order_ptr_id == OrderId(2), GiftOrder.objects.get(pk=gift.pk).message)
        print(asyncio.run(Order.objects.acreate(pk=9)).pk == OrderId(9), Order(pk=str(OrderId(8))).pk == OrderId(8))
        print(pickle.loads(pickle.dumps(read)).order_id == order.pk)
        deferred = Order.objects.defer("replaces").get(pk=1)
        print(deferred.replaces == OrderId(7))
        del deferred.replaces
        print(deferred.replaces == OrderId(7))
        with connection.cursor() as cursor:
            cursor.execute("SELECT id, replaces, buyer_id FROM shop_order ORDER BY id")
            print(cursor.fetchall())
        """
    ) == [
        "None",
        "True True True",
        "True",
        "EventId 0",
        "True True True True",
        "True to you",
        "True True",
        "True",
        "True",
        "True",
        "[(1, 7, 1), (2, None, None), (9, None, None)]",
    ]


def test_foreign_keys_have_typed_ids_also_if_a_number_is_set(shop: Project) -> None:
    assert shop.run(
        """
        from shop.ids import ItemId, OrderId, PersonId
        from shop.models import Event, GiftOrder, Item, Order

        gift = GiftOrder.objects.create(message="to you")
        events = [Event(order_id=given) for given in (1, str(OrderId(1)), OrderId(1), gift.pk)]
        print([event.order_id == OrderId(1) for event in events], Event(order=gift).order_id == gift.pk)
        print(Order(buyer_id=7).buyer_id == PersonId(7), GiftOrder(order_ptr_id=7).order_ptr_id == OrderId(7))
        through = Order.items.through(order_id=1, item_id=2)
        print(through.order_id == OrderId(1), through.item_id == ItemId(2))
        event = events[0]
        event.order = gift
        event.order_id = 1
        print(event.order is gift)
        event.order_id = 2
        try:
            event.order
        except Order.DoesNotExist:
            print("reads another order")
        for wrong in (ItemId(1), "none", -1, 2**63):
            for row in (Event(order_id=wrong), Order(pk=wrong), Order(replaces=wrong)):
                try:
                    row.save()
                except ValueError as error:
                    print(type(error).__name__[7:], end=" ")
        print()
        print(Event.objects.only("pk").create(order_id=1).order_id == Event.objects.only("pk").get().order_id)
        """
    ) == [
        "[True, True, True, True] True",
        "True True",
        "True True",
        "True",
        "reads another order",
        "ArgumentError " * 3 + "IdError " * 9,
        "True",
    ]


QUERIES = """
from django.db import models
from django.db.models.functions import Cast
from shop.ids import ItemId, OrderId
from shop.models import Event, Item, Order

orders = Order.objects.bulk_create([Order(replaces=OrderId(n)) for n in range(5)])

def found(**conditions):
    return [int(pk) for pk in Order.objects.filter(**conditions).order_by("pk").values_list("pk", flat=True)]

print(found(pk=OrderId(2)), found(pk=2), found(id=str(OrderId(2))), found(pk="2"), found(pk=str(ItemId(2))))
print(found(pk__in=[OrderId(4), 5, str(OrderId(1)), "none", 77]), found(pk__in=["none"]))
print(found(pk__in=Order.objects.filter(replaces=0)), found(pk=Order.objects.order_by("pk")[:1]))
print(found(pk__gt=OrderId(3)), found(pk__gte=-1, pk__lt=2**70), found(pk__range=(OrderId(2), 3)), found(pk=2**70))
print(found(replaces=OrderId(4)), found(replaces__lt=str(OrderId(2))), found(replaces__isnull=True))
print([int(pk) for pk in Order.objects.exclude(pk="none").order_by("-pk").values_list("pk", flat=True)])
print(Order.objects.values("pk", "replaces").order_by("pk")[0] == {"pk": OrderId(1), "replaces": OrderId(0)})
print(Order.objects.aggregate(top=models.Max("pk"), all=models.Count("pk")) == {"top": OrderId(5), "all": 5})
number = Cast("pk", models.BigIntegerField())
print(list(Order.objects.order_by("pk").values_list(number + 1, flat=True))[0])
print(list(Order.objects.in_bulk([OrderId(1), 2, str(OrderId(3))])) == [OrderId(1), OrderId(2), OrderId(3)])
order, created = Order.objects.get_or_create(pk=OrderId(3))
print(order == orders[2], created, Order.objects.get_or_create(pk=77)[0].pk == OrderId(77))
print(Order.objects.update_or_create(pk=77, defaults={"replaces": OrderId(1)})[0].replaces == OrderId(1))
orders[0].replaces = OrderId(6)
print(Order.objects.bulk_update(orders, ["replaces"]), Order.objects.filter(pk=1).update(replaces=models.F("pk")))
events = Event.objects.bulk_create([Event(order=order), Event(order_id=OrderId(1))])
print(Event.objects.filter(order=OrderId(1)).count(), Event.objects.filter(order__pk=str(OrderId(1))).count())
print(Event.objects.filter(order_id=str(OrderId(3))).get() == events[0], Event.objects.filter(order__in=orders).count())
print(Event.objects.filter(order__id="none").count(), Event.objects.filter(order__replaces=OrderId(1)).count())
print(set(Event.objects.values_list("order", flat=True)) == {OrderId(1), OrderId(3)})
counted = Order.objects.annotate(events=models.Count("event"), newest=models.Max("event__order")).order_by("pk")
print([row.events for row in counted], counted[0].newest == OrderId(1))
happened = Event.objects.filter(order=models.OuterRef("pk")).values("order")[:1]
print(Order.objects.filter(models.Exists(happened)).count(), Order.objects.filter(pk=models.Subquery(happened)).count())
print(Order.objects.filter(pk=1).union(Order.objects.filter(pk=2)).order_by("-pk")[0].pk == OrderId(2))
print(Order.objects.raw("SELECT * FROM shop_order WHERE id = %s", [int(order.pk)])[0].pk == order.pk)
for wrong in (
    lambda: Order.objects.get(pk=ItemId(1)),
    lambda: Order.objects.filter(pk__in=[ItemId(1)]),
    lambda: Event.objects.filter(order="none"),
    lambda: Order(pk=ItemId(1)).save(),
    lambda: Order.objects.create(replaces=1.5),
):
    try:
        wrong()
    except ValueError as error:
        print(type(error).__name__, end=" ")
print()
order.items.set(Item.objects.bulk_create([Item(name="a"), Item(name="b"), Item(name="c")]))
before = sorted(Order.items.through.objects.values_list("pk", flat=True))
order.items.set([ItemId(1), 2, str(ItemId(3))])
order.items.add(ItemId(1), 2)
print(before == sorted(Order.items.through.objects.values_list("pk", flat=True)))
print([[int(item.pk) for item in order.items.all()] for order in Order.objects.prefetch_related("items").filter(pk=3)])
print([len(order.event_set.all()) for order in Order.objects.prefetch_related("event_set").order_by("pk")])
print(Event.objects.select_related("order").order_by("pk")[0].order.pk == OrderId(3))
print(*(
    [int(order.pk) for order in Order.objects.filter(**{f"pk__{lookup}": values}).order_by("pk")]
    for lookup, values in (
        ("in", [models.F("replaces"), OrderId(2), str(OrderId(4)), "text"]),
        ("range", [models.F("replaces"), OrderId(2)]),
    )
))
print(Order.objects.filter(pk__lte=3).delete()[0])
"""

DEFAULTS = """

import leafmint


class Account(models.Model):
    class OwnId(leafmint.TypedId, prefix="own"):
        pass

    first = TypedIdField(OrderId, default=OrderId(5))
    second = TypedIdField(OrderId, db_default=OrderId(6))
    own = TypedIdField(OwnId, null=True, default=OwnId(7))

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(first__lt=OrderId(7)), name="first_below_seven")]
"""

PARAMETERS = """
from django.db import connection, models, transaction
from shop.models import Order

id = Order.objects.create().pk


def ask_in_sql():
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM shop_order WHERE id = %s", [id])


asks = [ask_in_sql, Order.objects.filter(pk=models.Value(id)).exists]
asks.append(lambda: list(Order.objects.raw("SELECT * FROM shop_order WHERE id = %s", [id])))
named = []
for ask in asks:
    try:
        with transaction.atomic():
            ask()
        named.append("silent")
    except Exception as error:
        named.append("OrderId" if "OrderId" in str(error) else str(error))
print(*named)
"""

TYPES = """
from django.db import connection

with connection.cursor() as cursor:
    cursor.execute(
        "SELECT DISTINCT data_type FROM information_schema.columns"
        " WHERE table_name IN ('shop_order', 'shop_event', 'shop_item')"
        " AND column_name IN ('id', 'replaces', 'buyer_id', 'order_id')"
        " OR table_name = 'shop_order_items' AND column_name LIKE '%_id'"
    )
    for (type,) in cursor.fetchall():
        print(type)
"""

FOUND = [
    "[2] [2] [2] [] []",
    "[1, 4, 5] []",
    "[1] [1]",
    "[4, 5] [1, 2, 3, 4, 5] [2, 3] []",
    "[5] [1, 2] []",
    "[5, 4, 3, 2, 1]",
    "True",
    "True",
    "2",
    "True",
    "True False True",
    "True",
    "5 1",
    "1 1",
    "True 2",
    "0 1",
    "True",
    "[1, 0, 1, 0, 0, 0] True",
    "2 2",
    "True",
    "True",
    "InvalidArgumentError InvalidArgumentError InvalidIdError InvalidArgumentError InvalidArgumentError ",
    "True",
    "[[1, 2, 3]]",
    "[1, 0, 1, 0, 0, 0]",
    "True",
    "[1, 2, 4] [1, 2]",
    "8",
]


def test_lookups_take_typed_ids_their_texts_and_numbers_of_the_application(shop: Project) -> None:
    assert shop.run(QUERIES) == FOUND


def test_lookups_find_the_same_on_servers(shop: Project, server_url: str) -> None:
    with empty_database(server_url) as database:
        shop.settings = {"DATABASES": {"default": database}}
        shop.manage("migrate", "-v0")
        assert shop.run(QUERIES) == FOUND
        assert shop.run(TYPES) == ["bigint"]
        assert shop.run(PARAMETERS) == ["OrderId OrderId OrderId"]


def test_a_typed_column_is_a_text_to_other_libraries_and_no_integer(shop: Project) -> None:
    assert shop.run(
        """
        from django.db import models
        from leafmint.django import SegmentAutoField, SnowflakeAutoField, TypedIdField
        from shop.models import Event, Note, Order

        kinds = (models.IntegerField, models.AutoField, models.CharField)
        kinds += (SegmentAutoField, SnowflakeAutoField, TypedIdField)
        for field in (Order._meta.pk, Event._meta.pk, Order._meta.get_field("replaces"), Note._meta.pk):
            print([isinstance(field, kind) for kind in kinds])
            print(field.get_internal_type(), field.formfield() is None)
        """
    ) == [
        "[False, False, True, True, False, False]",
        "CharField True",
        "[False, False, True, False, True, False]",
        "CharField True",
        "[False, False, True, False, False, True]",
        "CharField False",
        "[True, True, False, True, False, False]",
        "BigIntegerField True",
    ]


def test_no_lookup_searches_the_digits_of_a_number_and_no_text_of_another_kind_fails(shop: Project) -> None:
    assert shop.run(
        """
        from django.core.exceptions import FieldError
        from django.db.models import F, Sum
        from shop.ids import OrderId
        from shop.models import Event, Order

        orders = Order.objects.bulk_create([Order(replaces=n) for n in (11, 12)])
        Event.objects.create(order=orders[0])
        text = str(orders[0].pk)
        for lookup in ("exact", "iexact", "in", "gt", "gte", "lt", "lte"):
            found = [
                Order.objects.filter(**{f"{column}__{lookup}": [given] if lookup == "in" else given}).count()
                for column in ("pk", "replaces")
                for given in ("1", "order_none", text)
            ]
            print(lookup, found, end="; ")
        print()
        for lookup in ("contains", "icontains", "startswith", "endswith", "iendswith", "regex", "iregex", "search"):
            for model, column in ((Order, "pk"), (Order, "replaces"), (Event, "order__id")):
                try:
                    print(model.objects.filter(**{f"{column}__{lookup}": "1"}))
                except FieldError as error:
                    refused = error
            print(lookup in str(refused), end=" ")
        print(refused)
        try:
            print(list(Order.objects.values_list(F("pk") + 1)))
        except FieldError as error:
            print(error)
        """
    ) == [
        "exact [0, 0, 1, 0, 0, 0]; iexact [0, 0, 1, 0, 0, 0]; in [0, 0, 1, 0, 0, 0]; gt [0, 0, 1, 0, 0, 2]; "
        "gte [0, 0, 2, 0, 0, 2]; lt [0, 0, 0, 0, 0, 0]; lte [0, 0, 1, 0, 0, 0]; ",
        "True " * 8 + "'id' has ids of the type OrderId, whose digits cannot be searched by 'search':"
        " use one of exact, iexact, in, gt, gte, lt, lte, range, isnull",
        "Cannot infer type of '+' expression involving these types: TypedSegmentAutoField, IntegerField."
        " You must set output_field.",
    ]


def test_migrations_name_the_type_and_are_stable_and_a_new_type_alters_no_column(shop: Project) -> None:
    (migration,) = (shop.folder / "shop/migrations").glob("0001*.py")
    text, minted = migration.read_text(), "primary_key=True, serialize=False"
    assert f"leafmint.django.SegmentAutoField({minted}, tag='order', type=shop.ids.OrderId)" in text
    assert f"leafmint.django.SnowflakeAutoField({minted}, type=shop.ids.EventId)" in text
    assert "leafmint.django.TypedIdField(blank=True, null=True, type=shop.ids.OrderId)" in text
    assert "No changes" in shop.manage("makemigrations", "--check")
    models = shop.folder / "shop/models.py"
    models.write_text(models.read_text().replace("type=EventId", "").replace("type=ItemId", "tag='item'"))
    shop.manage("makemigrations", "shop", "--name", "without", "-v0")
    assert "(no-op)" in shop.manage("sqlmigrate", "shop", "0002")
    assert "No changes" in shop.manage("makemigrations", "--check")


def test_migrations_have_typed_ids_as_defaults_and_in_conditions_without_keys(shop: Project) -> None:
    models = shop.folder / "shop/models.py"
    models.write_text(models.read_text() + DEFAULTS)
    shop.settings = {"LEAFMINT": {"DATABASE": "default", "SNOWFLAKE_URL": "local:workers"}}
    shop.manage("makemigrations", "shop", "--name", "account", "-v0")
    (migration,) = (shop.folder / "shop/migrations").glob("*_account.py")
    text = migration.read_text()
    assert "default=shop.ids.OrderId(5)" in text
    assert "shop.models.Account.OwnId(7)" in text
    assert "No changes" in shop.manage("makemigrations", "--check")
    shop.manage("migrate", "-v0")
    assert shop.run(
        """
        from django.db import IntegrityError
        from shop.ids import OrderId
        from shop.models import Account

        account = Account.objects.create()
        account.refresh_from_db()
        print(account.first == OrderId(5), account.second == OrderId(6), int(account.own))
        try:
            Account.objects.create(first=8)
        except IntegrityError as error:
            print(error)
        """
    ) == ["True True 7", "CHECK constraint failed: first_below_seven"]


def test_a_migration_reads_and_raises_typed_keys(shop: Project) -> None:
    shop.run("from shop.models import Item; Item(pk=7, name='given').save()")
    shop.manage("migrate", "-v0")
    assert shop.run("from shop.models import Item; print(int(Item.objects.create(name='next').pk))") == ["8"]


READ = """
from django.core.management import call_command
from shop.models import Event, Item, Order, Person

def read(file):
    for model in (Event, Order, Item, Person):
        model.objects.all().delete()
    call_command("loaddata", file, verbosity=0)
    order = Order.objects.get(pk=1)
    print(int(order.pk), int(order.buyer_id), int(order.replaces), [int(item.pk) for item in order.items.all()])

"""


def test_fixtures_have_numbers_and_what_applications_serialize_has_texts(shop: Project) -> None:
    write = """
from django.core import serializers

order = Order.objects.create(buyer=Person.objects.create(username="ada"), replaces=7)
order.items.set([Item.objects.create(name="tea")])
Event.objects.create(order=order)
call_command("leafmint_dumpdata", "shop", output="rows.json", verbosity=0)
for format in ("json", "xml"):
    with open(f"texts.{format}", "w") as file:
        serializers.serialize(format, [*Person.objects.all(), *Item.objects.all(), order], stream=file)
for file in ("rows.json", "texts.json", "texts.xml"):
    read(file)
"""
    assert shop.run(READ + write) == ["1 1 7 [1]"] * 3
    rows = {row["model"]: row for row in json.loads((shop.folder / "rows.json").read_text())}
    fields = {"buyer": 1, "replaces": 7, "items": [1]}
    assert rows["shop.order"] == {"model": "shop.order", "pk": 1, "fields": fields}
    assert rows["shop.event"]["fields"]["order"] == 1
    order = json.loads((shop.folder / "texts.json").read_text())[-1]
    assert order["pk"].startswith("order_")
    assert order["fields"]["buyer"].startswith("person_")
    assert order["fields"]["items"][0].startswith("item_")


def test_fixtures_survive_a_change_of_the_keys_and_texts_do_not(shop: Project) -> None:
    order = {"model": "shop.order", "pk": 1, "fields": {"replaces": 7}}
    text = "order_55zyq8fyn6wyk243qwa6yvbrz1"
    (shop.folder / "rows.json").write_text(json.dumps([order]))
    (shop.folder / "texts.json").write_text(json.dumps([{**order, "pk": text}]))
    load = """
from django.core import serializers
from django.core.management import call_command
from shop.models import Order

for file in ("rows.json", "texts.json"):
    try:
        call_command("loaddata", file, verbosity=0)
    except serializers.base.DeserializationError as error:
        print("is not a valid id" in str(error), end=" ")
    print([int(pk) for pk in Order.objects.order_by("pk").values_list("pk", flat=True)])
"""
    assert shop.run(load) == ["[1]", "[1, 42]"]
    shop.manage("flush", "--noinput")
    shop.settings = {"LEAFMINT": {"DATABASE": "default", "SNOWFLAKE_URL": "local:workers", "ID_KEYS": OTHER_KEYS}}
    assert shop.run(load) == ["[1]", "True [1]"]


def test_generic_relations_have_numbers_and_find_objects_with_typed_ids(shop: Project) -> None:
    assert shop.run(
        """
        from django.contrib.contenttypes.models import ContentType
        from django.core import checks
        from shop.models import Item, Note, Order

        orders = Order.objects.bulk_create([Order(), Order()])
        notes = [Note.objects.create(about=order) for order in (*orders, orders[0])]
        print(list(Note.objects.values_list("object_id", flat=True).order_by("pk")))
        print([note.about == Order.objects.get(pk=note.object_id) for note in Note.objects.all()])
        found = Note.objects.prefetch_related("about").order_by("pk")
        prefetched = [note.about == order for note, order in zip(found, orders)]
        print(prefetched == [django.VERSION < (6,)] * 2)
        django.VERSION = (6, 0)
        print([f"{error.id} {error.obj.__name__}" for error in checks.run_checks() if error.id == "leafmint.W004"])
        print([order.notes.count() for order in orders], notes[0].about is orders[0])
        print([len(order.notes.all()) for order in Order.objects.prefetch_related("notes").order_by("pk")])
        print([int(pk) for pk in Order.objects.filter(notes=notes[1]).values_list("pk", flat=True)])
        print(Note.objects.get(pk=orders[0].notes.create().pk).object_id)
        print(ContentType.objects.get_for_model(Order).get_object_for_this_type(pk=1) == orders[0])
        orders[0].delete()
        print(Note.objects.count())
        """
    ) == [
        "[1, 2, 1]",
        "[True, True, True]",
        "True",
        "['leafmint.W004 Note']",
        "[2, 1] True",
        "[2, 1]",
        "[2]",
        "1",
        "True",
        "1",
    ]


def test_checks_name_types_without_keys_and_error_pages_hide_keys(shop: Project) -> None:
    assert shop.run(
        """
        import re
        from django.core import checks
        from django.test import Client, override_settings

        keys = leafmint.late_binding.current().id_keys
        for given in ({"ID_KEYS": None}, {"ID_KEYS": ["lmk0_abcd"]}, {"ID_KEYS": keys}, {"ID_KEY": keys}):
            with override_settings(LEAFMINT={"DATABASE": "default", "SNOWFLAKE_URL": "local:workers"} | given):
                found = checks.run_checks(include_deployment_checks=True)
                found = [error for error in found if error.id.startswith("leafmint.E")]
                print(*sorted(f"{error.id} {error.msg.split()[0]}" for error in found))
                print(any("abcd" in str(error) or "0011" in str(error) for error in found))
        with override_settings(DEBUG=True):
            for accepted in ("text/html", "text/plain"):
                client = Client(raise_request_exception=False)
                page = client.get("/fail", headers={"accept": accepted}).content.decode()
                print("a view that fails" in page, "local:workers" in page, "00112233" in page)
        """
    ) == [
        WITHOUT_KEYS,
        "False",
        WITHOUT_KEYS,
        "False",
        "",
        "False",
        f"leafmint.E001 LEAFMINT {WITHOUT_KEYS}",
        "False",
        "True True False",
        "True True False",
    ]


def test_what_is_no_type_of_ids_is_refused_where_the_field_is_declared(shop: Project) -> None:
    assert shop.run(
        """
        from leafmint.django import SegmentAutoField, SnowflakeAutoField, TypedIdField

        for field, wrong in ((SegmentAutoField, int), (SnowflakeAutoField, "order"), (TypedIdField, leafmint.TypedId)):
            try:
                field(type=wrong)
            except TypeError as error:
                print(error)

        class OwnKey(SnowflakeAutoField):
            pass

        try:
            OwnKey(type=leafmint.TypedId)
        except TypeError as error:
            print(error)
        """
    ) == [
        *(
            f"expected a type of ids, which extends leafmint.TypedId, not {wrong}"
            for wrong in ("<class 'int'>", "'order'", "<class 'leafmint.typed_ids.TypedId'>")
        ),
        "OwnKey has integers: extend TypedSnowflakeAutoField, and give that the type",
    ]


def test_neither_keys_nor_urls_are_needed_where_a_project_is_only_tested(shop: Project) -> None:
    shop.settings = {"LEAFMINT": {}}
    for command in (
        ["check"],
        ["makemigrations", "--check"],
        ["migrate", "--plan"],
        ["showmigrations"],
        ["sqlmigrate", "shop", "0001"],
        ["leafmint_dumpdata", "shop"],
    ):
        shop.manage(*command)
    refused = shop.process("manage.py", "check", "--deploy")
    assert refused.returncode == 1
    for id in ("leafmint.E003", "leafmint.E005", "leafmint.E007"):
        assert id in refused.stderr
    shop.settings = {"LEAFMINT": {"DATABASE": "default", "SNOWFLAKE_URL": "local:workers"}}
    assert "OK" in shop.manage("test", "--noinput")


SERVED = """
import asyncio
from django.core.handlers.asgi import ASGIHandler
from django.core.wsgi import get_wsgi_application
from django.test.client import RequestFactory
from shop.models import Event, Order

serve = get_wsgi_application()
answered = []
environ = {**RequestFactory()._base_environ(), "PATH_INFO": "/any/1"}
for _ in range(2):
    try:
        print(serve(environ, lambda status, headers: answered.append(status)).status_code)
    except leafmint.LeafmintError as error:
        print(error)
sent, requests = [], iter([{"type": "http.request"}])

async def receive():
    return next(requests, None) or await asyncio.Event().wait()

async def send(message):
    sent.append(message.get("status"))

scope = {"type": "http", "method": "GET", "path": "/any/1", "headers": [], "query_string": b""}
try:
    asyncio.run(ASGIHandler()(scope, receive, send))
except leafmint.LeafmintError as error:
    print(error)
print(sent[:1])
Order.objects.all().delete()
order = Order.objects.create(pk=9, replaces=7)
for store in (Order().save, lambda: Order.objects.bulk_create([Order()]), Event(order=order).save):
    try:
        store()
    except leafmint.LeafmintError as error:
        print(str(error).split(":")[0], isinstance(error, ValueError))
print(Order.objects.count(), Event.objects.count())
"""


def test_a_service_without_keys_refuses_before_a_row_is_stored(shop: Project) -> None:
    shop.settings = {"LEAFMINT": {"DATABASE": "default", "SNOWFLAKE_URL": "local:workers"}}
    printed = shop.run(SERVED)
    assert all("LEAFMINT_ID_KEYS" in line for line in printed[:3])
    assert printed[3:] == ["[]", *["OrderId has no texts False"] * 2, "EventId has no texts False", "1 0"]
    shop.settings = {}
    assert shop.run(SERVED) == ["404", "404", "[404]", "3 1"]


def test_the_test_runner_works_also_in_parallel(shop: Project) -> None:
    shown = shop.manage("test", "--parallel", "2", "--noinput")
    assert "OK" in shown
    assert "Ran 2 tests" in shown
