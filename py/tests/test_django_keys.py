"""What Django's calls and the libraries of its users make of minted keys, compared with keys that the database counts.

Public reports of such users, whose situations are here:
bulk_create and the keys of rows that were there, https://github.com/django/django/pull/17051;
a revert to an earlier version, https://github.com/django-commons/django-simple-history/issues/617;
rows of a file with the keys of others, https://github.com/django-import-export/django-import-export/issues/2049;
entries about rows with other keys, https://github.com/jazzband/django-auditlog/issues/297;
trees with other keys, https://github.com/django-mptt/django-mptt/issues/24;
places of rows that have their keys before they are saved,
https://github.com/django-ordered-model/django-ordered-model/pull/34;
rows whose keys other code had counted, https://github.com/mozilla/code-review/issues/1882.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from django_projects import BIG, Project
from gallery import KEYS_DJANGO, loud, right, row

PLAIN = ["django.contrib.auth", "django.contrib.contenttypes", "leafmint.django", "shop"]

GUESTS = ["mptt", "treebeard", "parler", "polymorphic", "reversion", "auditlog", "simple_history", "safedelete"]
GUESTS += ["modelcluster", "taggit", "guardian", "import_export", "ordered_model"]
GUESTS += ["guests"]

KEYS = ["leafmint.django.SegmentAutoField", "leafmint.django.SnowflakeAutoField"]


class Told:
    """What the situations of a module return with each kind of key."""

    def __init__(self, folder: Path, module: str, apps: list[str]) -> None:
        self.by_key = {}
        for key in (*KEYS, *BIG.values()):
            settings = {"INSTALLED_APPS": apps, "DEFAULT_AUTO_FIELD": key}
            project = Project(folder / key, settings, Path(__file__).with_name("django_keys"))
            run = project.process("-W", "ignore", "-c", f"import telling; telling.tell({module!r})")
            assert run.returncode == 0, run.stderr
            self.by_key[key] = json.loads(run.stdout)

    def of(self, situation: str) -> Any:
        """Return what a situation returned, which is the same with all keys."""
        counted, *minted = (self.by_key[key][situation] for key in (*BIG.values(), *KEYS))
        assert minted == [counted] * len(KEYS)
        return counted

    def minted(self, situation: str) -> set[str]:
        """Return what a situation of minted keys returned."""
        return {self.by_key[key][situation] for key in KEYS}


@pytest.fixture(scope="module")
def django(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Return what Django itself makes of keys."""
    return Told(tmp_path_factory.mktemp("keys"), "shop.situations", PLAIN)


@pytest.fixture(scope="module")
def guests(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Return what other libraries make of keys."""
    return Told(tmp_path_factory.mktemp("keys"), "guests.situations", [*PLAIN, *GUESTS])


@row(KEYS_DJANGO, "Django", "`get_or_create`, `update_or_create`", right, "one row, with its id")
def test_get_or_create(django: Told) -> None:
    assert django.of("get_or_create") == [True, False, False, True, True, [[3], [7]]]


@row(KEYS_DJANGO, "Django", "`bulk_create(ignore_conflicts=True)`", right, "rows that are there stay")
def test_ignore_conflicts(django: Told) -> None:
    assert django.of("ignore_conflicts") == [["ic0", 5], ["ic1", 1], ["ic2", 1]]


@row(
    KEYS_DJANGO,
    "Django",
    "`bulk_create(update_conflicts=True)`",
    right,
    "rows that are there are updated and keep their ids; the objects have others",
)
def test_update_conflicts(django: Told) -> None:
    assert django.of("update_conflicts") == [True, [["uc0", 9], ["uc1", 9], ["uc2", 9]]]


@row(KEYS_DJANGO, "Django", "`acreate`, `asave`, `abulk_create`", right, "as without `a`")
def test_asynchronous_calls(django: Told) -> None:
    assert django.of("asynchronous_calls") == [4, 4]


@row(KEYS_DJANGO, "Django", "`dumpdata`, `loaddata`, with natural keys too", right, "twice loaded is once there")
def test_fixtures(django: Told) -> None:
    assert django.of("fixtures") == [[2, True, True], [2, True, True]]


@row(KEYS_DJANGO, "Django", "`obj.pk = None; obj.save()`", right, "a new row, also of an extended model")
def test_copies(django: Told) -> None:
    assert django.of("copies") == [3, 3, 2]


@row(KEYS_DJANGO, "Django", "`Model(pk=known).save()`", right, "the row is updated")
def test_a_known_key(django: Told) -> None:
    assert django.of("a_known_key") == [4, 0, "kk2"]


@row(
    KEYS_DJANGO,
    "Django",
    "`bulk_update`, `defer`, `select_for_update`, `refresh_from_db`",
    right,
    "as with `BigAutoField`",
)
def test_updates(django: Told) -> None:
    assert django.of("updates") == [3, 9, [["up1", 9], ["up2", 8], ["up9", 8]]]


@row(
    KEYS_DJANGO,
    "Django",
    "a child of a row of the parent's table, `save_base(raw=True)`",
    right,
    "the row keeps its id",
)
def test_children_of_a_table(django: Told) -> None:
    assert django.of("children_of_a_table") == [True, "mt", True]


@row(
    KEYS_DJANGO,
    "Django",
    "`through_defaults`, `GenericRelation`, `order_with_respect_to`",
    right,
    "as with `BigAutoField`",
)
def test_relations(django: Told) -> None:
    assert django.of("relations") == [[[1], [4], [4]], "re0", True]


@row(KEYS_DJANGO, "Django", "inline formsets of a new object", right, "the children have its id")
def test_forms(django: Told) -> None:
    assert django.of("forms") == [True, 2, [2, 3]]


@row(
    KEYS_DJANGO,
    "Django",
    "`pre_save`, `post_save`, `in_bulk`, pickled rows",
    right,
    "no id before the save, and the same one after it",
)
def test_signals_and_pickles(django: Told) -> None:
    assert django.of("signals_and_pickles") == [[True, False], 6, True]


@row(
    KEYS_DJANGO,
    "Django",
    "a child of an object that updated another row",
    loud,
    "`IntegrityError`; read the id of that row first",
    match="IntegrityError",
)
def test_children_of_update_conflicts(django: Told) -> None:
    raise ValueError(django.minted("children_of_update_conflicts").pop())


@row(
    KEYS_DJANGO,
    "Django",
    "`hash`, relations and children of an unsaved object",
    right,
    "refused, as with `BigAutoField`",
)
def test_unsaved_objects(django: Told) -> None:
    assert django.of("unsaved_objects") == ["TypeError", "ValueError", "ValueError", False, None]


@row(
    KEYS_DJANGO,
    "Django",
    "saves after one that failed, of the same object and of others",
    right,
    "as with `BigAutoField`",
)
def test_saves_that_fail(django: Told) -> None:
    assert django.of("saves_that_fail") == [["sf1", "sf2", "sf3"], ["INSERT", "INSERT"]]


@row(KEYS_DJANGO, "Django", "`full_clean` of a known and of no id", right, "a known one is refused")
def test_validation(django: Told) -> None:
    assert django.of("validation") == ["id"]


@row(KEYS_DJANGO, "Django", "`bulk_create` of objects of which some have ids", right, "as with `BigAutoField`")
def test_a_mixed_batch(django: Told) -> None:
    assert django.of("a_mixed_batch") == [True, 3, 3]


@row(
    KEYS_DJANGO,
    "Django",
    "your own SQL without an id",
    loud,
    "`IntegrityError`; pass an id of the tag",
    match="IntegrityError: NOT NULL constraint failed: shop_order.id",
)
def test_sql_without_an_id(django: Told) -> None:
    [error] = django.minted("sql_without_an_id")
    raise ValueError(error)


@pytest.mark.long
@row(
    KEYS_DJANGO,
    "factory_boy",
    "`build`, `create_batch`, `SubFactory`, `django_get_or_create`",
    right,
    "a built object has no id",
)
def test_factory_boy(guests: Told) -> None:
    assert guests.of("factory_boy") == [None, 3, True, 3]


@pytest.mark.long
@row(KEYS_DJANGO, "model-bakery", "`prepare`, `make`, `_bulk_create`", right, "a prepared object has no id")
def test_model_bakery(guests: Told) -> None:
    assert guests.of("model_bakery") == [None, 2, 3]


@pytest.mark.long
@row(
    KEYS_DJANGO,
    "django-simple-history",
    "records, `earliest().instance.save()`, bulk calls",
    right,
    "an earlier version and a deleted row come back with their id",
)
def test_history(guests: Told) -> None:
    assert guests.of("history") == ["old", ["+", "~", "~", "-", "+"], 3, 4]


@pytest.mark.long
@row(KEYS_DJANGO, "django-reversion", "`revert` of a deleted row", right, "it comes back with its id")
def test_reversion(guests: Told) -> None:
    assert guests.of("reversion") == [["first", "second"], "first"]


@pytest.mark.long
@row(KEYS_DJANGO, "django-auditlog", "entries about a row", right, "they have its id")
def test_auditlog(guests: Told) -> None:
    assert guests.of("auditlog") == [2, True, [0, 1]]


@pytest.mark.long
@row(KEYS_DJANGO, "django-mptt", "insert, `move_to`, `rebuild`", right, "as with `BigAutoField`")
def test_mptt(guests: Told) -> None:
    assert guests.of("mptt") == [0, ["branch", "leaf"], 4]


@pytest.mark.long
@row(
    KEYS_DJANGO,
    "django-treebeard",
    "`add_root`, `add_child`, `add_sibling`, three kinds of trees",
    right,
    "as with `BigAutoField`",
)
def test_treebeard(guests: Told) -> None:
    assert guests.of("treebeard") == [[["c", "g", "s"], "c"]] * 3


@pytest.mark.long
@row(KEYS_DJANGO, "django-parler", "a title in two languages", right, "one row")
def test_parler(guests: Told) -> None:
    assert guests.of("parler") == ["thé", True]


@pytest.mark.long
@row(KEYS_DJANGO, "django-polymorphic", "rows of several kinds, a copy", right, "as with `BigAutoField`")
def test_polymorphic(guests: Told) -> None:
    assert guests.of("polymorphic") == [["Circle", "Square"], True, 2, 3]


@pytest.mark.long
@row(KEYS_DJANGO, "django-model-utils", "`select_subclasses`, `FieldTracker`", right, "as with `BigAutoField`")
def test_model_utils(guests: Told) -> None:
    assert guests.of("model_utils") == ["Child", {"name": "c"}, None, True]


@pytest.mark.long
@row(KEYS_DJANGO, "django-safedelete", "`delete`, `undelete`", right, "the row keeps its id")
def test_safedelete(guests: Told) -> None:
    assert guests.of("safedelete") == [0, True]


@pytest.mark.long
@row(
    KEYS_DJANGO,
    "django-import-export",
    "export, change, add a row without an id, import",
    right,
    "rows are updated, and the new one has an id",
)
def test_import_export(guests: Told) -> None:
    assert guests.of("import_export") == [["A", "b", "c"], 1, 2]


@pytest.mark.long
@row(KEYS_DJANGO, "django-import-export", "`use_bulk`", right, "new rows have ids")
def test_import_export_in_bulk(guests: Told) -> None:
    assert guests.of("import_export_in_bulk") == ["x", "y"]


@pytest.mark.long
@row(
    KEYS_DJANGO,
    "django-modelcluster",
    "a copy of a page with its sections, `from_serializable_data`",
    right,
    "the copy has ids of its own",
)
def test_modelcluster(guests: Told) -> None:
    assert guests.of("modelcluster") == [2, 4, "q"]


@pytest.mark.long
@row(KEYS_DJANGO, "django-taggit", "tags with `BigIntegerField`s of their own table", right, "as with `BigAutoField`")
def test_taggit(guests: Told) -> None:
    assert guests.of("taggit") == [["green", "red"], 2]


@pytest.mark.long
@row(KEYS_DJANGO, "django-ordered-model", "new rows, `top`, `delete`", right, "as with `BigAutoField`")
def test_ordered_model(guests: Told) -> None:
    assert guests.of("ordered_model") == [["c", 0], ["a", 1]]


@pytest.mark.long
@row(KEYS_DJANGO, "django-guardian", "permissions for a row", right, "as with `BigAutoField`")
def test_guardian(guests: Told) -> None:
    assert guests.of("guardian") == ["g"]


@pytest.mark.long
@row(KEYS_DJANGO, "django-taggit", "snowflakes in its own table of tags", right, "`manage.py check` warns: too narrow")
def test_narrow_tags(guests: Told) -> None:
    assert guests.by_key[KEYS[1]]["narrow_tags"] == ["taggit.TaggedItem"]
    assert guests.by_key[KEYS[0]]["narrow_tags"] == []
