"""What libraries make of keys. Each function returns what does not depend on the keys."""
# mypy: ignore-errors

from typing import Any

import factory
import reversion
import tablib
from auditlog.models import LogEntry
from django.contrib.auth.models import User
from django.core.checks import run_checks
from django.db import transaction
from guardian.shortcuts import assign_perm, get_objects_for_user
from import_export.resources import modelresource_factory
from model_bakery import baker
from simple_history.utils import bulk_create_with_history, bulk_update_with_history

from .models import (
    Adjacent,
    Branch,
    Child,
    Circle,
    Kept,
    Logged,
    Nested,
    Owned,
    Page,
    Parent,
    Path,
    Plain,
    Remembered,
    Section,
    Shape,
    Square,
    Step,
    Tagged,
    Translated,
)


class PlainFactory(factory.django.DjangoModelFactory):
    """Makes plain rows."""

    name = factory.Sequence("plain {}".format)

    class Meta:
        """Name the model."""

        model = Plain
        django_get_or_create = ("name",)


class OwnedFactory(factory.django.DjangoModelFactory):
    """Makes rows with owners."""

    owner = factory.SubFactory(PlainFactory)

    class Meta:
        """Name the model."""

        model = Owned


def with_factory_boy() -> Any:
    """Build and create rows, one and many."""
    built = PlainFactory.build()
    owned = OwnedFactory.create_batch(3)
    again = PlainFactory(name=owned[0].owner.name)
    return [built.pk, len({row.pk for row in owned}), again.pk == owned[0].owner.pk, Owned.objects.count()]


def with_model_bakery() -> Any:
    """Make rows, one by one and in bulk."""
    prepared = baker.prepare(Plain)
    owned = baker.make(Owned, _quantity=2)
    many = baker.make(Plain, _quantity=3, _bulk_create=True)
    saved = Plain.objects.filter(pk__in=[row.pk for row in many]).count()
    return [prepared.pk, len({row.owner_id for row in owned}), saved]


def with_history() -> Any:
    """Change a row, and let it be as it was."""
    row = Remembered.objects.create(name="old")
    row.name = "new"
    row.save()
    key = row.pk
    row.history.earliest().instance.save()
    rows = bulk_create_with_history([Remembered(name=str(number)) for number in range(3)], Remembered)
    for one in rows:
        one.name += "!"
    bulk_update_with_history(rows, Remembered, ["name"])
    row = Remembered.objects.get(pk=key)
    row.delete()
    Remembered.history.filter(id=key).earliest().instance.save()
    return [
        Remembered.objects.get(pk=key).name,
        list(Remembered.history.filter(id=key).order_by("history_id").values_list("history_type", flat=True)),
        Remembered.history.filter(name__endswith="!", id__in=[one.pk for one in rows]).count(),
        Remembered.objects.count(),
    ]


def with_reversion() -> Any:
    """Delete a row, and bring it back with its key."""
    reversion.register(Plain)
    with reversion.create_revision():
        row = Plain.objects.create(name="first")
    with reversion.create_revision():
        row.name = "second"
        row.save()
    key = row.pk
    row.delete()
    versions = reversion.models.Version.objects.get_for_model(Plain).order_by("pk")
    versions[0].revision.revert()
    return [[version.field_dict["name"] for version in versions], Plain.objects.get(pk=key).name]


def with_auditlog() -> Any:
    """Write about a row."""
    row = Logged.objects.create(name="a")
    row.name = "b"
    row.save()
    entries = LogEntry.objects.get_for_object(row)
    return [
        entries.count(),
        all(entry.object_id == row.pk for entry in entries),
        sorted(entry.action for entry in entries),
    ]


def with_mptt() -> Any:
    """Grow a tree, and move a branch."""
    root, other = Branch.objects.create(name="root"), Branch.objects.create(name="other")
    leaf = Branch.objects.create(name="leaf", parent=Branch.objects.create(name="branch", parent=root))
    leaf.parent.move_to(other)
    root.refresh_from_db()
    other.refresh_from_db()
    Branch.objects.rebuild()
    return [root.get_descendant_count(), [row.name for row in other.get_descendants()], Branch.objects.count()]


def with_treebeard() -> Any:
    """Grow three kinds of trees."""
    found = []
    for kind, root in ((Path, {"name": "r"}), (Nested, {"name": "r"}), (Adjacent, {"name": "r", "sib_order": 1})):
        top = kind.add_root(**root)
        child = top.add_child(name="c")
        child.add_sibling("right", name="s")
        child = kind.objects.get(pk=child.pk)
        child.add_child(name="g")
        top = kind.objects.get(pk=top.pk)
        found.append([sorted(row.name for row in top.get_descendants()), kind.objects.get(name="g").get_parent().name])
    return found


def with_parler() -> Any:
    """Translate a title."""
    row = Translated.objects.language("en").create(title="tea")
    row.set_current_language("fr")
    row.title = "thé"
    row.save()
    again = Translated.objects.language("fr").get(pk=row.pk)
    return [again.title, Translated.objects.translated("en", title="tea").get().pk == row.pk]


def with_polymorphic() -> Any:
    """Read rows of several kinds."""
    circle, square = Circle.objects.create(name="c", radius=3), Square.objects.create(name="s")
    shapes = list(Shape.objects.order_by("name"))
    circle.pk = circle.id = None
    circle._state.adding = True
    circle.save()
    return [
        [type(row).__name__ for row in shapes],
        shapes[1].pk == square.pk,
        Circle.objects.count(),
        Shape.objects.count(),
    ]


def with_model_utils() -> Any:
    """Read rows of a child's table, and see what changed."""
    child = Child.objects.create(name="c")
    [found] = Parent.objects.select_subclasses()
    found.name = "d"
    new = Parent(name="n")
    unsaved = new.tracker.previous("id")
    return [type(found).__name__, found.tracker.changed(), unsaved, found.pk == child.pk]


def with_safedelete() -> Any:
    """Delete a row, and bring it back."""
    row = Kept.objects.create(name="k")
    row.delete()
    gone = Kept.objects.count()
    Kept.deleted_objects.get(pk=row.pk).undelete()
    return [gone, Kept.objects.get().pk == row.pk]


def with_import_export() -> Any:
    """Export rows, change the file, add a row without an id, and import it."""
    Plain.objects.all().delete()
    Plain.objects.bulk_create([Plain(name="a"), Plain(name="b")])
    resource = modelresource_factory(Plain)()
    rows = resource.export(Plain.objects.order_by("name")).dict
    rows[0]["name"] = "A"
    sheet = tablib.Dataset()
    sheet.dict = [*rows, {**rows[0], "id": "", "name": "c"}]
    result = resource.import_data(tablib.Dataset().load(sheet.csv, format="csv"), raise_errors=True)
    return [sorted(Plain.objects.values_list("name", flat=True)), result.totals["new"], result.totals["update"]]


def with_import_export_in_bulk() -> Any:
    """Import new rows in bulk."""
    Plain.objects.all().delete()
    resource = modelresource_factory(Plain, meta_options={"use_bulk": True})()
    resource.import_data(tablib.Dataset(["", "x"], ["", "y"], headers=["id", "name"]), raise_errors=True)
    return sorted(Plain.objects.values_list("name", flat=True))


def with_modelcluster() -> Any:
    """Copy a page with its sections, and save it from its own JSON."""
    page = Page(name="p", sections=[Section(name="one"), Section(name="two")])
    page.save()
    copy = Page.from_serializable_data(page.serializable_data())
    copy.pk = None
    for section in copy.sections.all():
        section.pk = None
    copy.save()
    again = Page.from_serializable_data(page.serializable_data())
    again.name = "q"
    again.save()
    return [Page.objects.count(), Section.objects.count(), Page.objects.get(pk=page.pk).name]


def with_taggit() -> Any:
    """Tag rows."""
    row = Tagged.objects.create(name="t")
    row.tags.add("red", "green")
    other = Tagged.objects.create(name="u")
    other.tags.set(["red"])
    return [sorted(row.tags.names()), Tagged.objects.filter(tags__name="red").count()]


def with_ordered_model() -> Any:
    """Add steps, move one, and delete one."""
    _, second, third = (Step.objects.create(name=name) for name in "abc")
    third.top()
    second.refresh_from_db()
    second.delete()
    return [[step.name, step.order] for step in Step.objects.all()]


def with_guardian() -> Any:
    """Let a user change one row."""
    user, row = User.objects.create_user("ada"), Plain.objects.create(name="g")
    Plain.objects.create(name="h")
    with transaction.atomic():
        assign_perm("guests.change_plain", user, row)
    mine = get_objects_for_user(user, "guests.change_plain")
    return [one.name for one in mine]


def with_narrow_tags() -> Any:
    """Let the checks look at the table of tags that taggit has itself."""
    messages = (message for message in run_checks() if message.id == "leafmint.W001")
    return sorted(message.obj._meta.label for message in messages)
