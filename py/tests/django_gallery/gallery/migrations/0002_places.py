"""Saves rows, as migrations of applications do."""

from typing import Any

from django.db import migrations


def save(apps: Any, schema_editor: Any) -> None:
    """Save a row of a model that others extend, and one of a model that extends it."""
    apps.get_model("gallery", "Place").objects.create(name="of a migration")
    apps.get_model("gallery", "Restaurant").objects.create(name="of a migration")


class Migration(migrations.Migration):
    """Runs `save`."""

    dependencies = (("gallery", "0001_initial"),)
    operations = (migrations.RunPython(save, migrations.RunPython.noop),)
