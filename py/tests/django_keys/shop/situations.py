"""What Django's own calls make of keys. Each function returns what does not depend on the keys."""

import asyncio
import io
import json
import pickle
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.db.models.signals import post_save, pre_save
from django.forms import inlineformset_factory
from django.test.utils import CaptureQueriesContext

from .models import Gift, Item, Line, Note, Order, Step


def with_get_or_create() -> Any:
    """Ask for rows that may exist."""
    first, made = Item.objects.get_or_create(name="goc")
    again, made_again = Item.objects.get_or_create(name="goc")
    upserted, new = Item.objects.update_or_create(name="goc", defaults={"price": 7})
    other, other_new = Item.objects.update_or_create(name="uoc", create_defaults={"price": 3})
    same = first.pk == again.pk == upserted.pk != other.pk
    return [
        made,
        made_again,
        new,
        other_new,
        same,
        sorted(Item.objects.filter(name__endswith="oc").values_list("price")),
    ]


def with_ignore_conflicts() -> Any:
    """Insert rows of which one is there."""
    Item.objects.create(name="ic0", price=5)
    Item.objects.bulk_create([Item(name=f"ic{number}") for number in range(3)], ignore_conflicts=True)
    return sorted(Item.objects.filter(name__startswith="ic").values_list("name", "price"))


def with_update_conflicts() -> Any:
    """Insert or update rows."""
    key = Item.objects.create(name="uc0", price=5).pk
    rows = [Item(name=f"uc{number}", price=9) for number in range(3)]
    Item.objects.bulk_create(rows, update_conflicts=True, update_fields=["price"], unique_fields=["name"])
    kept = Item.objects.get(name="uc0").pk == key
    return [kept, sorted(Item.objects.filter(name__startswith="uc").values_list("name", "price"))]


def with_children_of_update_conflicts() -> Any:
    """Insert children of rows that were there."""
    Item.objects.create(name="cu")
    row = Item(name="cu", price=9)
    Item.objects.bulk_create([row], update_conflicts=True, update_fields=["price"], unique_fields=["name"])
    with transaction.atomic():
        Line.objects.create(order=Order.objects.create(), item=row)
        connection.check_constraints()


def with_asynchronous_calls() -> Any:
    """Save in an event loop."""

    async def work() -> list[Any]:
        one = await Item.objects.acreate(name="as0")
        two = Item(name="as1")
        await two.asave()
        more = await Item.objects.abulk_create([Item(name="as2"), Item(name="as3")])
        return [one, two, *more]

    rows = asyncio.run(work())
    return [len({row.pk for row in rows}), Item.objects.filter(pk__in=[row.pk for row in rows]).count()]


def with_fixtures() -> Any:
    """Dump rows and load them, with their keys and without."""
    rows = [Item.objects.create(name=f"fx{number}") for number in range(2)]
    keys = [row.pk for row in rows]
    found = []
    for options in ({}, {"use_natural_primary_keys": True, "use_natural_foreign_keys": True}):
        shown = io.StringIO()
        call_command("dumpdata", "shop.item", stdout=shown, **options)
        dumped = [row for row in json.loads(shown.getvalue()) if row["fields"]["name"].startswith("fx")]
        Item.objects.filter(name="fx1").delete()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "items.json")
            file.write_text(json.dumps(dumped))
            call_command("loaddata", str(file), verbosity=0)
            call_command("loaddata", str(file), verbosity=0)
        now = list(Item.objects.filter(name__startswith="fx").order_by("name").values_list("pk", flat=True))
        found.append([len(now), now[0] == keys[0], now == keys or bool(options)])
    return found


def with_copies() -> Any:
    """Save an object again as another row."""
    copy = Item.objects.create(name="cp0")
    key, copy.pk, copy.name = copy.pk, None, "cp1"
    copy.save()
    again = Item.objects.get(name="cp0")
    again.pk, again.name, again._state.adding = None, "cp2", True
    again.save()
    gift = Gift.objects.create(name="cp", message="cp")
    gift.pk = gift.id = None
    gift._state.adding = True
    gift.save()
    return [len({key, copy.pk, again.pk}), Item.objects.filter(name__startswith="cp").count(), Gift.objects.count()]


def with_a_known_key() -> Any:
    """Save an object of a row that the code has not read."""
    key = Item.objects.create(name="kk").pk
    Item(pk=key, name="kk2", price=4).save()
    gift = Gift.objects.create(message="kk")
    Gift(pk=gift.pk, message="kk2").save()
    return [
        Item.objects.get(pk=key).price,
        Item.objects.filter(name="kk").count(),
        Gift.objects.get(pk=gift.pk).message,
    ]


def with_updates() -> Any:
    """Change rows in bulk, partly read, locked and read again."""
    rows = Item.objects.bulk_create([Item(name=f"up{number}") for number in range(3)])
    for row in rows:
        row.price = 8
    changed = Item.objects.bulk_update(rows, ["price"])
    partly = Item.objects.defer("price").get(name="up0")
    partly.name = "up9"
    partly.save()
    with transaction.atomic():
        locked = Item.objects.select_for_update().get(pk=rows[1].pk)
        Item.objects.filter(pk=locked.pk).update(price=F("price") + 1)
    locked.refresh_from_db()
    return [changed, locked.price, sorted(Item.objects.filter(name__startswith="up").values_list("name", "price"))]


def with_children_of_a_table() -> Any:
    """Let a row of a table have one of a table that extends it, too."""
    order = Order.objects.create(name="mt")
    gift = Gift(order_ptr=order, message="mt")
    gift.__dict__.update(name=order.name)
    gift.save()
    other = Gift(order_ptr_id=Order.objects.create(name="raw").pk)
    other.save_base(raw=True)
    return [
        gift.pk == order.pk,
        Order.objects.get(pk=order.pk).name,
        Order.objects.get(pk=other.pk).gift.pk == other.pk,
    ]


def with_relations() -> Any:
    """Join rows by a model, by a generic key, and in a sequence."""
    order = Order.objects.create()
    items = [Item.objects.create(name=f"re{number}") for number in range(3)]
    order.items.set(items[:2], through_defaults={"count": 4})
    order.items.add(items[2])
    items[0].notes.create(text="hot")
    steps = [Step.objects.create(order=order) for _ in range(3)]
    order.set_step_order([step.pk for step in reversed(steps)])
    sequence = list(order.get_step_order()) == [step.pk for step in reversed(steps)]
    return [sorted(Line.objects.filter(order=order).values_list("count")), Note.objects.get().about.name, sequence]


def with_forms() -> Any:
    """Add an object and its children in one page."""
    formset_class = inlineformset_factory(Order, Line, fields=["item", "count"])
    order, item = Order(), Item.objects.create(name="fo")
    data = {"line_set-TOTAL_FORMS": "2", "line_set-INITIAL_FORMS": "0"}
    data |= {
        f"line_set-{number}-{name}": str(value)
        for number in range(2)
        for name, value in (("item", item.pk), ("count", 2))
    }
    formset = formset_class(data, instance=order)
    valid = formset.is_valid()
    order.save()
    saved = formset.save()
    data |= {"line_set-INITIAL_FORMS": "2", "line_set-0-count": "3"}
    data |= {f"line_set-{number}-id": str(line.pk) for number, line in enumerate(saved)}
    edited = formset_class(data, instance=order)
    edited.save()
    return [valid, len(saved), sorted(line.count for line in order.line_set.all())]


def with_signals_and_pickles() -> Any:
    """See keys before and after a save, and in a copy from another process."""
    seen: list[bool] = []

    def see(instance: Item, **rest: object) -> None:
        seen.append(instance.pk is None)

    pre_save.connect(see, sender=Item)
    post_save.connect(see, sender=Item)
    item = Item.objects.create(name="si")
    pre_save.disconnect(see, sender=Item)
    post_save.disconnect(see, sender=Item)
    copies = pickle.loads(pickle.dumps(list(Item.objects.filter(pk=item.pk))))
    copies[0].price = 6
    copies[0].save()
    return [seen, Item.objects.in_bulk([item.pk])[item.pk].price, hash(copies[0]) == hash(item)]


def with_unsaved_objects() -> Any:
    """Use an object before it is saved."""
    found: list[Any] = []
    for use in (lambda: hash(Order()), lambda: Order().items.count(), lambda: Line(order=Order(), item_id=1).save()):
        try:
            use()
        except (TypeError, ValueError) as error:
            found.append(type(error).__name__)
    return [*found, Order() == Order(), Order().pk]


def with_saves_that_fail() -> Any:
    """Save after a batch that failed, save again what failed, and save a copy."""
    item = Item.objects.create(name="sf0")
    with suppress(ValueError):
        Line.objects.bulk_create([Line(order=Order(), item=item)])
    Item(pk=item.pk, name="sf1").save()
    again = Item(name="sf1")
    with suppress(IntegrityError), transaction.atomic():
        again.save()
    again.name = "sf2"
    item.pk, item.name = None, "sf3"
    with CaptureQueriesContext(connection) as queries:
        again.save()
        item.save()
    names = sorted(Item.objects.filter(name__startswith="sf").values_list("name", flat=True))
    return [names, [query["sql"].split()[0] for query in queries]]


def with_validation() -> Any:
    """Validate an object with the id of a row, one without an id, and one that was read."""
    key = Item.objects.create(name="va").pk
    try:
        Item(pk=key, name="vb").full_clean()
    except ValidationError as error:
        problems = sorted(error.message_dict)
    Item(name="vc").full_clean()
    Item.objects.get(pk=key).full_clean()
    return problems


def with_a_mixed_batch() -> Any:
    """Insert objects of which some have ids, in batches."""
    free = Item.objects.create(name="mb").pk
    Item.objects.get(pk=free).delete()
    rows = [Item(name="mb0"), Item(pk=free, name="mb1"), Item(name="mb2")]
    Item.objects.bulk_create(rows, batch_size=1)
    return [
        rows[1].pk == free,
        len({row.pk for row in rows}),
        Item.objects.filter(pk__in=[row.pk for row in rows]).count(),
    ]


def with_sql_without_an_id() -> Any:
    """Insert a row by SQL that leaves the id to the database."""
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO shop_order (name) VALUES ('sql')")
    return Order.objects.filter(name="sql").count()
