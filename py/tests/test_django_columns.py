"""`manage.py check --database`: the real columns of minted keys, and of keys that the database must count."""

import re

import pytest
from django_projects import BIG, Project

SMALL = "django.db.models.AutoField"

MODELS = """
from django.db import models

class Note(models.Model):
    text = models.CharField(max_length=20)

class Post(models.Model):
    labels = models.ManyToManyField("Label")

class Label(models.Model):
    first = models.ForeignKey(Post, null=True, on_delete=models.CASCADE, related_name="+")
"""

EXECUTE = """
from django.db import connection
with connection.cursor() as cursor:
    for statement in {}:
        cursor.execute(statement)
"""

UNCOUNTED = {
    "sqlite": [
        "DROP TABLE shop_post_labels",
        "CREATE TABLE shop_post_labels (id bigint NOT NULL PRIMARY KEY, post_id bigint, label_id bigint)",
    ],
    "mysql": ["ALTER TABLE shop_post_labels MODIFY id bigint NOT NULL"],
    "postgresql": ["ALTER TABLE shop_post_labels ALTER COLUMN id DROP IDENTITY"],
}


@pytest.fixture
def posts(on_each: Project) -> Project:
    """Return a project on each database, with tables whose keys are narrow."""
    (on_each.folder / "shop/models.py").write_text(MODELS)
    on_each.settings["DEFAULT_AUTO_FIELD"] = SMALL
    on_each.migrate()
    return on_each


def vendor(project: Project) -> str:
    """Return the kind of database."""
    engine: str = project.settings.get("DATABASES", {}).get("default", {}).get("ENGINE", "sqlite")
    return engine.removeprefix("django.db.backends.")


def found(project: Project) -> dict[str, list[str]]:
    """Return the columns that the check of the database finds, by its name."""
    run = project.process("manage.py", "check", "--database", "default")
    named = re.findall(r"\(leafmint\.([EW]\d+)\) The column (\w+) of the table (\w+) ", run.stderr)
    assert (run.returncode == 1) == any(id.startswith("E") for id, _, _ in named), run.stderr
    return {id: sorted(f"{table}.{column}" for one, column, table in named if one == id) for id, _, _ in named}


@pytest.mark.parametrize(
    ("key", "id"), [("leafmint.django.SegmentAutoField", "W202"), ("leafmint.django.SnowflakeAutoField", "E201")]
)
def test_a_column_that_no_migration_has_widened_is_named_and_a_migration_that_waits_is_not(
    posts: Project, key: str, id: str
) -> None:
    posts.settings["DEFAULT_AUTO_FIELD"] = key
    narrow = ["shop_label.id", "shop_label.first_id", "shop_note.id", "shop_post.id"]
    narrow += ["shop_post_labels.label_id", "shop_post_labels.post_id"]
    expected = {} if vendor(posts) == "sqlite" else {id: sorted(narrow)}
    assert found(posts) == expected
    posts.manage("makemigrations", "shop", "-v0")
    assert found(posts) == {}
    posts.manage("migrate", "-v0", "--fake", "shop")
    assert found(posts) == expected
    assert posts.process("manage.py", "migrate", "-v0").returncode == (1 if "E201" in expected else 0)
    posts.manage("migrate", "-v0", "--fake", "--skip-checks", "shop", "0001")
    posts.manage("migrate", "-v0")
    assert found(posts) == {}


@pytest.mark.parametrize("on_each", ["mysql"], indirect=True)
def test_a_column_that_is_widened_by_hand_is_counted_as_before(posts: Project) -> None:
    posts.settings["DEFAULT_AUTO_FIELD"] = "leafmint.django.SegmentAutoField"
    shown = posts.process("manage.py", "check", "--database", "default").stderr
    assert "ALTER TABLE `shop_post` MODIFY `id` bigint NOT NULL AUTO_INCREMENT;" in shown
    assert "ALTER TABLE `shop_post_labels` MODIFY `post_id` bigint NOT NULL;" in shown


def test_a_snowflake_is_never_stored_as_the_highest_number_of_a_narrow_column(posts: Project) -> None:
    posts.settings["DEFAULT_AUTO_FIELD"] = "leafmint.django.SnowflakeAutoField"
    assert posts.run(
        """
        from django.db import DatabaseError, connection
        from django.test.utils import CaptureQueriesContext
        from shop.models import Note

        found = []
        for options in ({}, {"ignore_conflicts": True}):
            try:
                Note.objects.bulk_create([Note(text="one"), Note(text="two")], **options)
                found.append("right")
            except leafmint.InvalidConfigError as error:
                found.append("the table shop_note" in str(error) and "right")
            except DatabaseError as error:
                found.append("right")
        print(found, Note.objects.count() == (4 if connection.vendor == "sqlite" else 0))
        if connection.vendor == "mysql":
            Note._meta.db_table = f"{connection.settings_dict['NAME']}`.`shop_note"
            try:
                Note.objects.bulk_create([Note(text="of a schema")], ignore_conflicts=True)
            except leafmint.InvalidConfigError:
                pass
            assert Note.objects.count() == 0
            with connection.cursor() as cursor:
                cursor.execute("ALTER TABLE shop_note MODIFY id bigint NOT NULL")
            with CaptureQueriesContext(connection) as queries:
                Note.objects.create(text="three")
            assert len(queries) == 1
        """
    ) == ["['right', 'right'] True"]


def test_what_an_error_says_to_run_mends_the_column(posts: Project) -> None:
    posts.settings["DEFAULT_AUTO_FIELD"] = "leafmint.django.SnowflakeAutoField"
    posts.manage("makemigrations", "shop", "-v0")
    posts.manage("migrate", "-v0", "shop")
    narrow = {"mysql": "MODIFY id int NOT NULL", "postgresql": "ALTER COLUMN id TYPE integer"}.get(vendor(posts))
    posts.run(EXECUTE.format([f"ALTER TABLE shop_note {narrow}"] if narrow else []))
    shown = posts.process("manage.py", "check", "--database", "default").stderr
    posts.run(EXECUTE.format(re.findall(r"HINT.* (ALTER TABLE .*;)$", shown, re.MULTILINE)))
    assert ("shop_note" in shown) == (narrow is not None)
    assert found(posts) == {}


def test_an_automatic_table_whose_key_nothing_counts_is_named_with_what_mends_it(posts: Project) -> None:
    posts.settings["DEFAULT_AUTO_FIELD"] = "leafmint.django.SegmentAutoField"
    posts.migrate()
    posts.run(EXECUTE.format(UNCOUNTED[vendor(posts)]))
    assert found(posts) == {"E202": ["shop_post_labels.id"]}
    if vendor(posts) == "sqlite":
        mends = [UNCOUNTED["sqlite"][0], UNCOUNTED["sqlite"][1].replace("bigint NOT NULL", "integer NOT NULL", 1)]
    else:
        shown = posts.process("manage.py", "check", "--database", "default").stderr
        mends = re.findall(r"HINT: (ALTER TABLE .*?;)", shown)
    posts.run(EXECUTE.format(mends))
    assert found(posts) == {}
    add = "from shop.models import *; post = Post.objects.create(); post.labels.add(Label.objects.create())"
    assert posts.run(f"{add}; print(post.labels.count())") == ["1"]


def test_a_project_whose_keys_the_database_counts_is_not_looked_at(posts: Project) -> None:
    posts.settings |= BIG
    assert found(posts) == {}
