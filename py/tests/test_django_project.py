"""`leafmint.django`: migrations, checks, commands and test runs of a project."""

import json
import re
from pathlib import Path

import pytest
from django_projects import CREATE, ROWS, Project, switch_with_rows


def test_migrations_are_stable_and_name_the_public_fields(project: Project) -> None:
    (migration,) = (project.folder / "shop/migrations").glob("0001*.py")
    text = migration.read_text()
    assert "leafmint.django.SegmentAutoField(primary_key=True, serialize=False, tag='order')" in text
    assert "leafmint.django.SnowflakeAutoField(primary_key=True, serialize=False)" in text
    assert "leafmint.django.SegmentAutoField(auto_created=True, primary_key=True" in text
    assert "No changes" in project.manage("makemigrations", "--check")
    sql = project.manage("sqlmigrate", "leafmint", "0001")
    assert all(f'CREATE TABLE IF NOT EXISTS "{table}"' in sql for table in ("leaf_alloc", "leafmint_series"))
    project.manage("migrate", "leafmint", "zero")
    assert project.run("from shop.models import Order; print(Order.objects.create().pk)") == ["1"]


def test_a_migration_names_a_late_bound_tag_and_refuses_its_methods(project: Project) -> None:
    assert project.run(
        """
        from django.db.migrations.writer import MigrationWriter

        year = leafmint.series("invoice", period="year", zone="Europe/Madrid", format="{year}/{number}")
        genes = leafmint.tag("order", gene_bits=2, order="relaxed")
        for value in (leafmint.tag("order"), genes, leafmint.snowflake(), year):
            print(MigrationWriter.serialize(value)[0])
        with leafmint.SegmentGenerator("memory:") as ids:
            late = (leafmint.tag("order").next_id, leafmint.snowflake().next_id, year.next)
            for value in (*late, ids.tag("order").next_id):
                try:
                    MigrationWriter.serialize(value)
                except ValueError as error:
                    print(str(error).split(":")[0].split(" object")[0])
        """
    ) == [
        "leafmint.tag('order')",
        "leafmint.tag('order', gene_bits=2, order='relaxed')",
        "leafmint.snowflake()",
        "leafmint.series('invoice', format='{year}/{number}', period='year', zone='Europe/Madrid')",
        "a migration cannot name a method of a tag, a series or snowflakes",
        "a migration cannot name a method of a tag, a series or snowflakes",
        "a migration cannot name a method of a tag, a series or snowflakes",
        "Cannot serialize function <built-in method next_id of leafmint.Tag",
    ]


def test_a_switch_to_minted_keys_goes_on_above_rows_that_exist_existed_or_are_saved_meanwhile(project: Project) -> None:
    switch_with_rows(project, database("old.sqlite3"))
    project.manage("migrate", "-v0")
    pks = "from shop.models import Item; print([item.pk for item in Item.objects.order_by('pk')])"
    assert project.run(pks) == ["[1, 2, 3, 6, 7]"]
    assert project.run(CREATE.format("3, 5")) == ["[8, 9]"]


def test_a_migration_leaves_supply_for_a_transaction_in_the_same_process(project: Project) -> None:
    project.run("from shop.models import Item; Item(pk=7, name='given').save()")
    assert project.run(
        """
        from django.core.management import call_command
        from django.db import transaction
        from shop.models import Item

        with transaction.atomic():
            Item.objects.create(name="first")
        call_command("migrate", verbosity=0)
        with transaction.atomic():
            print(Item.objects.create(name="second").pk)
        """
    ) == ["9"]


def test_all_migrations_of_a_switch_run_on_an_empty_database(project: Project) -> None:
    switch_with_rows(project, database("old.sqlite3"))
    project.settings = {"DATABASES": database("new.sqlite3")}
    project.manage("migrate", "-v0")
    assert project.run(CREATE.format(2)) == ["[5, 6]"]


def test_a_key_above_every_id_is_named_after_all_other_tags_were_raised(project: Project) -> None:
    project.run("from shop.models import Item, Order; Item(pk=2**63 - 1).save(); Order(pk=7).save()")
    raised = project.process("manage.py", "leafmint_raise_tags")
    assert raised.returncode == 1
    assert f"shop_item: {2**63 - 1}" in raised.stderr
    assert "order: raised above 7" in raised.stdout
    migrated = project.process("manage.py", "migrate", "-v0")
    assert f"shop_item: {2**63 - 1}" in migrated.stderr
    assert project.run("from shop.models import Order; print(Order.objects.create().pk)") == ["8"]


def test_the_checks_name_what_is_wrong(project: Project) -> None:
    wrong = [
        {},
        {"DATABASE": "default", "URL": "memory:", "URI": 1},
        {"DATABASE": "no such"},
        {"URL": "memory:", "OPTIONS": {"timeuot": 1}, "SNOWFLAKE_URL": "fixed:5000"},
    ]
    assert project.run(
        f"""
        from django.core import checks
        from django.test import override_settings

        for setting in {wrong}:
            with override_settings(LEAFMINT=setting):
                found = checks.run_checks(include_deployment_checks=True)
                print(*(error.id for error in found if error.id.startswith("leafmint.")))
        """
    ) == [
        "leafmint.E003 leafmint.E005",
        "leafmint.E001 leafmint.E002 leafmint.E006",
        "leafmint.E004 leafmint.E006",
        "leafmint.E004 leafmint.E006",
    ]


def test_the_checks_open_no_generator(project: Project) -> None:
    assert project.run(
        """
        import logging, time
        from django.core import checks

        class Kept(logging.Handler):
            def emit(self, record):
                seen.append(record.getMessage())

        seen = []
        logging.getLogger("leafmint").addHandler(Kept())
        logging.getLogger("leafmint").setLevel(logging.INFO)
        checks.run_checks(include_deployment_checks=True)
        leafmint.SegmentGenerator("memory://last").close()
        while not any("closed" in text and "last" in text for text in seen):
            time.sleep(0.01)
        print([text for text in seen if "generator is open" in text and "last" not in text])
        """
    ) == ["[]"]


def test_snowflakes_beside_sqlite_are_told_to_name_a_place_for_worker_ids(project: Project) -> None:
    project.settings["LEAFMINT"] = {"DATABASE": "default"}
    run = project.process("manage.py", "check")
    assert (run.returncode, "leafmint.E006" in run.stderr) == (1, True), run.stderr
    assert 'LEAFMINT["SNOWFLAKE_URL"] = "local:/' in run.stderr, run.stderr


def test_an_application_that_overrides_the_default_key_as_startapp_writes_it_is_named(project: Project) -> None:
    assert "W005" not in project.manage("check")
    (project.folder / "shop/apps.py").write_text(
        "from django.apps import AppConfig\n\n\nclass ShopConfig(AppConfig):\n"
        '    default_auto_field, name = "django.db.models.BigAutoField", "shop"\n'
    )
    shown = project.manage("check")
    assert "leafmint.W005) ShopConfig of 'shop'" in shown, shown
    assert "hold for Item:" in shown, shown
    project.settings["DEFAULT_AUTO_FIELD"] = "django.db.models.BigAutoField"
    assert "W005" not in project.manage("check")


def test_without_the_application_check_and_first_id_name_it(project: Project) -> None:
    project.settings = {"INSTALLED_APPS": ["django.contrib.auth", "django.contrib.contenttypes", "shop"]}
    project.settings |= {"ROOT_URLCONF": ""}
    assert project.run(
        """
        from django.core import checks
        from shop.models import Item

        print({error.id for error in checks.run_checks()})
        try:
            Item(name="tea").save()
        except leafmint.InvalidConfigError as error:
            print("'leafmint.django' in INSTALLED_APPS" in str(error))
        """
    ) == ["{'leafmint.E103'}", "True"]


def test_the_checks_of_a_model_name_what_is_wrong(project: Project) -> None:
    assert project.run(
        """
        from django.contrib.contenttypes.fields import GenericForeignKey
        from django.contrib.contenttypes.models import ContentType
        from django.core import checks
        from django.db import models
        from leafmint.django import SegmentAutoField

        class Twice(models.Model):
            id = SegmentAutoField(tag=" padded", default=leafmint.tag("order"))
            kind = models.ForeignKey(ContentType, on_delete=models.CASCADE)
            object_id = models.PositiveIntegerField()
            thing = GenericForeignKey("kind", "object_id")

            class Meta:
                app_label = "shop"

        print(*sorted(error.id for error in checks.run_checks()))
        """
    ) == ["leafmint.E101 leafmint.E102 leafmint.W001"]


def test_manage_py_runs_the_commands_of_leafmint_on_the_store_of_the_settings(project: Project) -> None:
    project.manage("leafmint", "tags", "create", "invoice", "--step", "50")
    tags = json.loads(project.manage("leafmint", "tags", "list", "--json"))["tags"]
    assert [tag["name"] for tag in tags if tag["step"] == 50] == ["invoice"]
    assert project.process("manage.py", "leafmint", "tags", "no-such").returncode == 2
    missing = project.process("manage.py", "leafmint", "mint", "no-such", "-o", "auto_create=false").stderr
    assert "first run python manage.py leafmint check --tag no-such -o 'auto_create=false', since" in missing
    assert "set auto_create, or run python manage.py leafmint tags create no-such -o" in missing
    # The tag of a model has another name than the table.
    project.run("from shop.models import Order; Order.objects.create()")
    recover = ("manage.py", "leafmint", "tags", "recover", "order")
    assert "rows of shop_order.id" in project.process(*recover).stdout
    # Another application may take the tag for its table of that name.
    project.run("""
        from django.db import connection
        connection.cursor().execute('CREATE TABLE "order" (id INTEGER PRIMARY KEY)')
        connection.cursor().execute('INSERT INTO "order" VALUES (77)')
        connection.cursor().execute("ALTER TABLE shop_order RENAME TO shop_moved")
    """)
    found = project.process(*recover).stdout
    assert ("rows of order.id" in found, "shop_order.id is not in this database" in found) == (True, True)


@pytest.mark.parametrize("name", [None, "test.sqlite3"], ids=["in memory", "in files"])
def test_the_test_runner_uses_databases_of_its_own_also_in_parallel(project: Project, name: str | None) -> None:
    databases = database("app.sqlite3")
    databases["default"]["TEST"] = {"NAME": name}
    (project.folder / "shop/migrations/0002_rows.py").write_text(ROWS)
    project.settings = {"DATABASES": databases}
    shown = project.manage("test", "--parallel", "2", "--noinput")
    assert "OK" in shown
    assert "Ran 4 tests" in shown
    assert project.run("from shop.models import Order; print(Order.objects.create().pk)") == ["1"]


def database(name: str) -> dict[str, dict[str, object]]:
    """Return the setting DATABASES of a SQLite file."""
    return {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": name}}


def test_the_page_lists_all_checks() -> None:
    top = Path(__file__).parents[2]
    sources = "".join(file.read_text() for file in (top / "py/python/leafmint/django/checks").glob("*.py"))
    identifier = re.compile(r"leafmint\.[EW]\d{3}")
    page = (top / "docs/django.md").read_text()
    listed = set(identifier.findall(page))
    for kind, first, last in re.findall(r"`leafmint\.([EW])(\d{3})` to `leafmint\.\1(\d{3})`", page):
        listed |= {f"leafmint.{kind}{number:03}" for number in range(int(first), int(last) + 1)}
    assert set(identifier.findall(sources)) == listed
