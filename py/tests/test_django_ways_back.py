"""The way back from every field of `leafmint.django` to Django's own, while old processes still mint.

Public report: https://github.com/fedspendingtransparency/usaspending-api/pull/239, keys counted from 1 again.
"""

from typing import Any

import pytest
from django_projects import BIG, ROWS, Project

PATIENCE = 60
"""Seconds that an id may take on a machine whose disk is busy."""

MINTED: dict[str, Any] = {
    "DEFAULT_AUTO_FIELD": "leafmint.django.SegmentAutoField",
    "LEAFMINT": {
        "DATABASE": "default",
        "OPTIONS": {"timeout": PATIENCE},
        "SNOWFLAKE_URL": "local:workers",
        "SNOWFLAKE_OPTIONS": {"timeout": PATIENCE},
        "ID_KEYS": "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef",
    },
}

MODELS = """
import leafmint
from django.conf import settings
from django.db import models
from leafmint.django import SegmentAutoField, SeriesField, SnowflakeAutoField, TypedIdField

IS_MINTED = settings.DEFAULT_AUTO_FIELD.startswith("leafmint")

class BillId(leafmint.TypedId, prefix="bill"):
    pass

class Item(models.Model):
    name = models.CharField(max_length=20)

class Event(models.Model):
    id = SnowflakeAutoField() if IS_MINTED else models.BigAutoField(primary_key=True)
    item = models.ForeignKey(Item, null=True, on_delete=models.CASCADE)

class Bill(models.Model):
    id = SegmentAutoField(tag="bill", type=BillId) if IS_MINTED else models.BigAutoField(primary_key=True)
    items = models.ManyToManyField(Item)
    replaces = TypedIdField(BillId, null=True) if IS_MINTED else models.BigIntegerField(null=True)
    number = (
        SeriesField(period="forever", format="B{number}", null=True)
        if IS_MINTED
        else models.CharField(max_length=64, unique=True, null=True)
    )
"""

SAVE = """
from shop.models import Bill, Event, Item
items = Item.objects.bulk_create([Item(name="tea"), Item(name="cup")])
for _ in range(3):
    bill = Bill.objects.create(replaces=getattr(Bill.objects.order_by("-pk").first(), "pk", None))
    bill.items.set(items)
    event = Event.objects.create(item=items[0])
print(int(bill.pk), items[1].pk, event.pk)
"""

COUNT = """
from shop.models import Bill, Event, Item
print(Bill.objects.count(), Item.objects.count(), Event.objects.count(), Bill.items.through.objects.count())
numbers = [int(key) for key in Bill.objects.order_by("pk").values_list("pk", flat=True)]
earlier = [key and int(key) for key in Bill.objects.order_by("pk").values_list("replaces", flat=True)]
print(earlier[:3] == [None, *numbers[:2]], [bill.number for bill in Bill.objects.order_by("pk")[:3]])
"""


@pytest.fixture
def minting(on_each: Project) -> Project:
    """Return a project on each database with rows whose keys are minted, in every kind of field."""
    (on_each.folder / "shop/models.py").write_text(MODELS)
    on_each.settings |= MINTED
    if "DATABASES" not in on_each.settings:
        # Transactions of the application lock its own SQLite file.
        on_each.settings["LEAFMINT"] = {**MINTED["LEAFMINT"], "DATABASE": None, "URL": "sqlite:///ids.sqlite3"}
        on_each.manage("leafmint", "init")
    on_each.migrate()
    on_each.run(SAVE)
    return on_each


def test_the_database_counts_on_above_what_old_processes_still_mint(minting: Project) -> None:
    before = minting.settings
    back = {**before, **BIG}
    minting.settings = back
    minting.manage("makemigrations", "shop", "-v0")
    minting.manage("migrate", "-v0")
    assert "No changes" in minting.manage("makemigrations", "--check", "shop")
    keys = []
    for running in (back, before, back, before, back):
        minting.settings = running
        keys.append(minting.run(SAVE)[0].split())
    minting.settings = {name: value for name, value in back.items() if name != "LEAFMINT"}
    keys.append(minting.run(SAVE)[0].split())
    assert all(len({row[kind] for row in keys}) == 6 for kind in range(3))
    assert minting.run(COUNT) == ["21 14 21 42", "True ['B1', 'B2', 'B3']"]


def test_a_reversed_migration_and_migrations_from_the_beginning_count_above_their_rows(minting: Project) -> None:
    folder = minting.folder / "shop/migrations"
    (folder / "0002_rows.py").write_text(ROWS)
    minting.settings |= BIG
    minting.manage("makemigrations", "shop", "-v0", "--name=back")
    minting.manage("migrate", "-v0")
    minting.run(SAVE)
    minting.manage("migrate", "-v0", "shop", "0002")
    minting.manage("migrate", "-v0", "--skip-checks")
    minting.run(SAVE)
    minting.run(
        """
        from django.core.management import call_command
        from django.db import connection
        from shop.models import Bill, Event, Item
        with connection.schema_editor() as editor:
            for model in (Event, Bill, Item):
                editor.delete_model(model)
        call_command("migrate", "shop", "zero", fake=True, verbosity=0)
        call_command("migrate", verbosity=0)
        """
    )
    minting.run(SAVE)


OF_A_SCHEMA = """
from django.conf import settings
from django.db import models

DATABASE = settings.DATABASES["default"]
SCHEMA = {"mysql": f"{DATABASE['NAME']}`.`", "postgresql": 'public"."'}.get(DATABASE["ENGINE"].split(".")[-1], "")

class Note(models.Model):
    text = models.CharField(max_length=20)

    class Meta:
        db_table = f"{SCHEMA}shop_note"
"""

NOTES = """
from shop.models import Note
rows = [Note.objects.create(text="one") for _ in range(3)]
print(*(row.pk for row in rows))
rows[2].delete()
"""


def test_a_table_that_is_named_with_its_schema_counts_on_there_and_back(on_each: Project) -> None:
    (on_each.folder / "shop/models.py").write_text(OF_A_SCHEMA)
    found = []
    for settings in (BIG, MINTED, BIG):
        on_each.settings |= settings
        on_each.manage("makemigrations", "shop", "-v0")
        on_each.manage("migrate", "-v0")
        found.append([int(id) for id in on_each.run(NOTES)[0].split()])
    assert found[:2] == [[1, 2, 3], [4, 5, 6]]
    assert found[2][0] > 1_000_000
