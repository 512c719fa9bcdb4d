"""`leafmint.django.ShardRouter`: each row in the database that its id names, and no query that reads one of several."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from django_projects import Project, empty_database

NAMES = ["default", "orders_0", "orders_1", "orders_2"]

PRELUDE = """
import json
from collections import Counter
from contextlib import ExitStack, contextmanager
from django.conf import settings
from django.db import connections
from shop.models import Coupon, Invoice, Item, Order, OrderId, Parcel, User, Visit

SHARDS = ["orders_0", "orders_1", "orders_2"]


@contextmanager
def asked():
    found = Counter()
    with ExitStack() as stack:
        for name in connections:
            def count(execute, sql, params, many, context, name=name):
                found[name] += 1
                return execute(sql, params, many, context)
            stack.enter_context(connections[name].execute_wrapper(count))
        yield found


def refused(work, kind=leafmint.InvalidArgumentError):
    with asked() as found:
        try:
            work()
        except kind as error:
            print(" ".join([type(error).__name__, str(error), *sorted(found.keys() & set(SHARDS))]))
        else:
            print("not refused")


def rows(name, sql):
    with connections[name].cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


users = User.objects.bulk_create([User(name=f"user {n}") for n in range(48)])
"""

MANY = """
from django.db import transaction

orders = [Order(user=users[n % 48]) for n in range(2000)]
with ExitStack() as stack:
    for name in SHARDS:
        stack.enter_context(transaction.atomic(using=name))
    Order.objects.bulk_create(orders)
    Item.objects.bulk_create([Item(order=order, name=f"{int(order.pk)} {n}") for order in orders for n in range(2)])
    parcels = [Parcel.objects.create(order=order) for order in orders[:200]]
wrong = counted = 0
for at, name in enumerate(SHARDS):
    stored = rows(name, "SELECT o.id, o.user_id, i.id FROM shop_order o JOIN shop_item i ON i.order_id = o.id")
    counted += len(stored)
    wrong += sum((id & 15) % 3 != at for row in stored for id in row)
    wrong += sum((parcel & 15) % 3 != at for (parcel,) in rows(name, "SELECT order_id FROM shop_parcel"))
print(counted, wrong, sum(rows(name, "SELECT count(*) FROM shop_item")[0][0] for name in SHARDS))
with asked() as found:
    for order in orders[::20]:
        at = SHARDS[(int(order.pk) & 15) % 3]
        found.clear()
        assert Order.objects.get(pk=order.pk).user_id == order.user_id
        assert Order.objects.filter(id=int(order.pk), total=0).exists()
        assert {item.order_id for item in order.items.all()} == {order.pk}
        item = Item.objects.filter(order=order).first()
        assert item.order == order and Item.objects.get(pk=item.pk).name == item.name
        assert set(found) == {at}, (found, at)
    found.clear()
    assert sum(queryset.count() for queryset in Order.objects.each_shard()) == 2000
    print(found == {name: 1 for name in SHARDS})
    print({user.orders.count() for user in users} == {41, 42}, Item.objects.filter(order__user=users[5]).count())
"""


@pytest.fixture(params=["sqlite", pytest.param("mysql", marks=pytest.mark.long), "postgres"])
def spread(request: pytest.FixtureRequest, shards: Project) -> Iterator[Project]:
    """Return a project with four databases, of each kind."""
    if request.param == "sqlite":
        yield shards
        return
    server = request.getfixturevalue(f"{request.param}_url")
    with ExitStack() as stack:
        databases = {name: stack.enter_context(empty_database(server)) for name in NAMES}
        snowflakes = {"layout": "timestamp:41,worker:10,sequence:8,gene:4"}
        shards.settings = {"DATABASES": databases}
        shards.settings |= {"LEAFMINT": {"DATABASE": "default", "SNOWFLAKE_OPTIONS": snowflakes}}
        shards.migrate_all()
        yield shards


def test_thousands_of_orders_and_their_items_are_where_their_ids_say_and_a_query_by_id_asks_one_database(
    spread: Project,
) -> None:
    assert spread.run(PRELUDE + MANY) == ["4000 0 4000", "True", "True 84"]


def test_a_new_object_is_saved_where_its_id_its_user_or_its_order_says(shards: Project) -> None:
    assert shards.run(
        PRELUDE
        + """
order = Order(coupon=Coupon.objects.create(), user=users[4])
order.save()
print(order._state.db, order.pk == OrderId(int(order.pk)), (int(order.pk) & 15), users[4].pk)
item = order.items.create(name="tea")
print(item._state.db, item.order.user == users[4], Parcel.objects.create(order=order)._state.db)
print(Order.objects.create(pk=OrderId(32), user=users[31])._state.db, Order.objects.get(pk=32).user_id)
print(Order.objects.create(user_id=str(users[14].pk))._state.db)
visit = Visit.objects.create(visitor="user-45")
print(visit._state.db, Visit.objects.get(visitor="user-45") == visit, leafmint.gene_of_key("user-45", 4) % 3)
rule = leafmint.ShardRule("10", tables=64)
number = rule.mint(leafmint.tag("invoice"), "ada")
print(Invoice.objects.create(number=number, customer="ada")._state.db, rule.table_of("ada") % 3)
print(Invoice.objects.get(number=number) == Invoice.objects.get(customer="ada"))
print(Invoice.objects.filter(number="x").exists())
print(Order.objects.get_or_create(user=users[0])[1], Order.objects.update_or_create({"total": 7}, user=users[0])[1])
print(users[0].orders.get().total, users[0].orders.update(total=8), users[0].orders.first().delete()[0])
order.total = 9
order.save()
order.refresh_from_db()
print(order.total, order.coupon.orders.filter(pk=order.pk).count(), User.objects.get(pk=4))
"""
    ) == [
        "orders_2 True 5 5",
        "orders_2 True orders_2",
        "orders_0 32",
        "orders_0",
        "orders_0 True 0",
        "orders_0 0",
        "True",
        "False",
        "True False",
        "7 1 1",
        "9 1 User object (4)",
    ]


def test_a_query_that_names_no_database_is_refused_and_reads_none(shards: Project) -> None:
    lines = shards.run(
        PRELUDE
        + """
order = Order.objects.create(user=users[0])
for work in (
    lambda: list(Order.objects.all()),
    lambda: Order.objects.filter(total=7).update(total=8),
    lambda: Order.objects.filter(pk__in=[1, 2]).count(),
    lambda: Order.objects.exclude(pk=order.pk).first(),
    lambda: Order.objects.filter(pk__gt=order.pk).exists(),
    lambda: Order.objects.filter(user__in=User.objects.all()).count(),
    lambda: list(User.objects.prefetch_related("orders")),
    lambda: list(Coupon.objects.create().orders.all()),
    lambda: Visit.objects.get(pk=1),
    lambda: Order.objects.raw("SELECT * FROM shop_order").db,
):
    refused(work)
"""
    )
    assert [line.partition(": filter by ")[0] for line in lines] == [
        f"InvalidArgumentError this query of {model} may find rows in {names}"
        for model, names in [
            *[("shop.Order", "orders_0, orders_1, orders_2")] * 2,
            ("shop.Order", "orders_1, orders_2"),
            *[("shop.Order", "orders_0, orders_1, orders_2")] * 5,
            ("shop.Visit", "orders_0, orders_1, orders_2"),
            ("shop.Order", "orders_0, orders_1, orders_2"),
        ]
    ]
    advice = "filter by id or user, so that it needs one database, write using(...), or loop over each_shard()"
    assert lines[0].endswith(f": {advice}")


def test_conditions_that_leave_one_database_need_no_more(shards: Project) -> None:
    assert shards.run(
        PRELUDE
        + """
from django.db.models import Q

orders = Order.objects.bulk_create([Order(user=user) for user in users])
first, same = orders[0], next(order for order in orders[1:] if order._state.db == orders[0]._state.db)
other = next(order for order in orders if order._state.db != first._state.db)
for queryset in (
    Order.objects.filter(Q(pk=first.pk) | Q(user=same.user)),
    Order.objects.filter(pk__in=[first.pk, same.pk]),
    Order.objects.filter(pk=first.pk).union(Order.objects.filter(pk=same.pk)),
    Order.objects.filter(pk__in=[first.pk, other.pk], user=first.user),
    Order.objects.filter(pk__in=[]),
    Order.objects.none(),
    Order.objects.filter(pk="none"),
    Order.objects.filter(pk=-1),
):
    with asked() as found:
        print(len(queryset), *found)
print([queryset.db for queryset in Order.objects.filter(pk__in=[first.pk, other.pk]).each_shard()])
"""
    ) == [*["2 orders_1"] * 3, "1 orders_1", *["0"] * 4, "['orders_1', 'orders_2']"]


def test_a_row_is_never_saved_in_another_database_than_its_own(shards: Project) -> None:
    relation = '"<Order: Order object (17)>"'
    assert shards.run(
        PRELUDE
        + """
order = Order.objects.create(user=users[0])
moved = Order(pk=order.pk, user=users[1])
refused(lambda: order.save(using="orders_0"))
refused(lambda: moved.save())
refused(lambda: Order.objects.using("orders_0").bulk_create([Order(user=users[0])]))
refused(lambda: Item(order=order, pk=2).save())
refused(lambda: Order().save())
refused(lambda: Item(order=order, pk=1, name="tea").full_clean())
far = Order.objects.create(user=users[1])
refused(lambda: setattr(Item(order_id=far.pk, pk=far.pk), "order", order), ValueError)
print([sum(rows(name, f"SELECT count(*) FROM shop_{table}")[0][0] for name in SHARDS) for table in ("order", "item")])
"""
    ) == [
        "InvalidArgumentError shop.Order OrderId('17') belongs to orders_1, not to 'orders_0'",
        "InvalidArgumentError shop.Order OrderId('17'): its fields name several databases:"
        " {'id': 'orders_1', 'user': 'orders_2'}",
        "InvalidArgumentError these objects of shop.Order belong to orders_1, not to 'orders_0'",
        "InvalidArgumentError shop.Item 2: its fields name several databases: {'id': 'orders_2', 'order': 'orders_1'}",
        "InvalidArgumentError the id of shop.Order carries the gene of its user: set it",
        "not refused",
        f"ValueError Cannot assign {relation}: the current database router prevents this relation.",
        "[2, 0]",
    ]


def test_tables_are_made_where_their_rows_are_and_a_check_finds_what_is_wrong(shards: Project) -> None:
    assert shards.run(
        """
        from django.core import checks
        from django.db import connections, models
        from shop.models import Order
        from shop.routers import OrderRouter

        for name in connections:
            print(name, *sorted(t for t in connections[name].introspection.table_names() if t.startswith("shop")))
        print(checks.run_checks())
        OrderRouter.ids = [*OrderRouter.ids, "shop.Order.nothing", "shop.User.id", "shop.None.id"]
        OrderRouter.shards.names = (*OrderRouter.shards.names, "orders_3")
        from django.db import router
        del router.__dict__["routers"]
        for found in checks.run_checks():
            print(found.id, found.msg)
        """
    ) == [
        "default shop_coupon shop_user",
        *[f"orders_{at} shop_invoice shop_item shop_order shop_parcel shop_visit" for at in range(3)],
        "[]",
        "leafmint.E008 DATABASES has no 'orders_3'.",
        "leafmint.E008 ids and keys name fields such as 'shop.Order.id': Order has no field named 'nothing'.",
        "leafmint.E008 Each manager of shop.User must be a ShardedManager: objects = ShardedManager().",
        "leafmint.E008 ids and keys name fields such as 'shop.Order.id': App 'shop' doesn't have a 'none' model.",
    ]


def test_a_text_key_that_a_database_folds_is_refused(shards: Project) -> None:
    assert shards.run(
        PRELUDE
        + """
Visit.objects.create(visitor="ann0")
for name in SHARDS:
    with connections[name].cursor() as cursor:
        cursor.execute("ALTER TABLE shop_visit RENAME TO kept")
        cursor.execute("CREATE TABLE shop_visit (id bigint PRIMARY KEY, visitor varchar(40) COLLATE NOCASE)")
for _ in range(2):
    try:
        Visit.objects.filter(visitor__in=["Ann0"]).exists()
    except leafmint.InvalidConfigError as error:
        print("visitor of shop_visit" in str(error), "binary collation" in str(error))
"""
    ) == ["True True", "True True"]
