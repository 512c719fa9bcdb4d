"""`leafmint.django` on PostgreSQL, with ids leased from the sequences of the columns themselves."""

from collections.abc import Iterator

import pytest
from django_projects import BIG, CREATE, PLAIN, Project, empty_database

OWN = {"DATABASE": "default", "OPTIONS": {"sequence": "{tag}_id_seq"}}

IDENTITY = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SELECT is_identity FROM information_schema.columns WHERE table_name = 'shop_item' "
                   "AND column_name = 'id'")
    print(cursor.fetchone()[0])
"""


@pytest.fixture
def old(project: Project, postgres_url: str) -> Iterator[Project]:
    """Return a project whose keys are Django's own, with rows."""
    with empty_database(postgres_url) as database:
        project.settings = {"INSTALLED_APPS": PLAIN, "DATABASES": {"default": database}, "ROOT_URLCONF": "", **BIG}
        (project.folder / "shop/migrations/0001_initial.py").unlink()
        project.migrate()
        assert project.run(CREATE.format(3)) == ["[1, 2, 3]"]
        yield project


def test_a_switch_to_minted_keys_keeps_the_identity_so_that_old_code_goes_on(old: Project) -> None:
    before = old.settings
    old.settings = {**before, "LEAFMINT": OWN}
    del old.settings["DEFAULT_AUTO_FIELD"]
    new = old.settings
    old.manage("makemigrations", "shop", "-v0", "--name=switch")
    old.manage("migrate", "-v0")
    assert old.run(IDENTITY) == ["YES"]
    assert old.run(CREATE.format("4, 7")) == ["[4, 5, 6]"]
    old.settings = before
    [theirs] = old.run(CREATE.format("7, 8"))
    assert int(theirs[1:-1]) > 6
    old.settings = new
    assert old.run(CREATE.format("8, 10")) > [theirs]
    assert "No changes" in old.manage("makemigrations", "--check", "shop")


LOSE = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("ALTER TABLE shop_item ALTER COLUMN id DROP IDENTITY")
"""


def test_the_check_of_the_database_names_a_column_that_lost_its_identity(old: Project) -> None:
    old.settings = {**old.settings, "LEAFMINT": OWN}
    del old.settings["DEFAULT_AUTO_FIELD"]
    old.manage("makemigrations", "shop", "-v0", "--name=switch")
    old.manage("migrate", "-v0")
    assert "leafmint.W201" not in old.manage("check", "--database", "default")
    old.run(LOSE)
    shown = old.manage("check", "--database", "default")
    assert "(leafmint.W201) The column id of the table shop_item in the database 'default' has lost" in shown
    assert "HINT: Stop the processes that mint its ids: they hold ids above the rows. Then ALTER TABLE" in shown


LOADS = """
import json, pathlib
from django.core.management import call_command
from shop.models import Item
first = Item.objects.create(name="held").pk
def load(*keys):
    rows = [{"model": "shop.item", "pk": key, "fields": {"name": f"loaded {key}"}} for key in keys]
    pathlib.Path("rows.json").write_text(json.dumps(rows))
    call_command("loaddata", "rows.json", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT last_value FROM shop_item_id_seq")
        print(cursor.fetchone()[0])
from django.db import connection
load(1)
load(1000000)
call_command("sqlsequencereset", "shop")
"""


def test_a_fixture_sets_a_sequence_up_and_never_below_the_ids_that_processes_hold(old: Project) -> None:
    old.settings = {**old.settings, "LEAFMINT": OWN}
    del old.settings["DEFAULT_AUTO_FIELD"]
    low, high, *statements = old.run(LOADS)
    assert int(low) > 4
    assert int(high) == 1_000_000
    assert [line for line in statements if "shop_item" in line and "WHERE s.top >" not in line] == []


def test_the_way_back_is_a_deploy_too(old: Project) -> None:
    before = old.settings
    old.settings = {**before, "LEAFMINT": OWN}
    del old.settings["DEFAULT_AUTO_FIELD"]
    old.manage("makemigrations", "shop", "-v0", "--name=switch")
    old.manage("migrate", "-v0")
    old.run(CREATE.format("4, 7"))
    old.settings = {**before, "LEAFMINT": OWN}
    old.manage("makemigrations", "shop", "-v0", "--name=back")
    old.manage("migrate", "-v0")
    assert old.run(IDENTITY) == ["YES"]
    assert int(old.run(CREATE.format("7, 8"))[0][1:-1]) > 6
