"""`manage.py leafmint_raise_tags`: raises tags above ids that rows have from elsewhere, as after `loaddata`."""

from __future__ import annotations

import argparse
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS

from leafmint._core import _command
from leafmint.django.auto_increment.raised_tags import advice, raise_tags


class Command(BaseCommand):
    """Raises the tags of models above the ids in their tables."""

    help = "Raises the tags of models above the ids in their tables, for rows that were loaded with ids of their own."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Accept applications and a database."""
        parser.add_argument("app_label", nargs="*", help="Applications whose models to look at; by default all.")
        parser.add_argument("--database", default=DEFAULT_DB_ALIAS, help="The database of the tables.")

    def handle(self, *args: Any, app_label: list[str], database: str, **options: Any) -> None:
        """Raise the tags."""
        configs = [apps.get_app_config(label) for label in app_label] or list(apps.get_app_configs())
        models = [model for config in configs for model in config.get_models(include_auto_created=True)]
        raised = raise_tags(models, database)
        for name, top in sorted(raised.above.items()):
            self.stdout.write(f"{name}: raised above {top}")
        for name, table in sorted(raised.with_room.items()):
            self.stdout.write(f"{name}: {left_alone(name, table)}")
        if raised.refused:
            raise CommandError(advice(raised.refused))
        if not raised.above and not raised.with_room:
            self.stdout.write("every tag is above the ids of its tables")


def left_alone(tag: str, table: str) -> str:
    """Return why a tag was not raised, and how it is raised once no old code inserts."""
    named = [] if table == tag else [("--tag", f"{table}={tag}")]
    check = _command("migrate auto-increment check", [], [("--after", None), ("--table", table), *named])
    return (
        f"left in its room below the AUTO_INCREMENT of {table}, where old code may insert. "
        f"When no old code is left, see how to raise it: {check}"
    )
