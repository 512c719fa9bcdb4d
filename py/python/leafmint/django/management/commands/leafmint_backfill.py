"""`manage.py leafmint_backfill`: gives rows snowflakes of the moments at which they were made."""

from __future__ import annotations

import argparse
from typing import Any

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS
from django.db.models import BigIntegerField, Case, FloatField, Value, When

from leafmint import LeafmintError, late_binding
from leafmint._internal.backfill import BATCH, fill, zone_of


class Command(BaseCommand):
    """Fills in a column of snowflakes that is NULL."""

    help = (
        "Gives rows without a snowflake one of the moment that another column has. It may be interrupted and repeated."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Accept a model, its fields, and how to fill."""
        parser.add_argument("model", metavar="app.Model", help="The model.")
        parser.add_argument("field", help="The BigIntegerField with null=True to fill in.")
        parser.add_argument("--at", required=True, help="The field with the moment of a row.")
        parser.add_argument("--time-zone", help="The zone of moments without one, such as UTC.")
        parser.add_argument("--batch", type=int, default=BATCH, help=f"Rows of a batch; by default {BATCH}.")
        parser.add_argument("--database", default=DEFAULT_DB_ALIAS, help="The database of the table.")

    def handle(
        self,
        *args: Any,
        model: str,
        field: str,
        at: str,
        time_zone: str | None,
        batch: int,
        database: str,
        **options: Any,
    ) -> None:
        """Fill the column in."""
        try:
            rows = ModelRows(apps.get_model(model), field, at, database)
            done = fill(rows, late_binding.snowflake_generator(), zone_of(time_zone), batch, always=False)
        except (LeafmintError, LookupError, TypeError, ValueError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{model}.{field}: {done.filled:,} rows were filled in")
        if done.without_moment:
            self.stdout.write(f"{done.without_moment:,} rows have no {at} and stay without an id")
        if done.taken:
            self.stdout.write(f"{done.taken:,} rows were filled in or deleted by others meanwhile")
        if done.outside:
            raise CommandError(done.report())


class ModelRows:
    """The rows of a model in which a field is NULL."""

    def __init__(self, model: Any, field: str, at: str, database: str) -> None:
        for name in (field, at):
            try:
                model._meta.get_field(name)
            except FieldDoesNotExist as error:
                raise CommandError(str(error)) from error
        filled = model._meta.get_field(field)
        if not isinstance(filled, BigIntegerField) or not filled.null:
            raise CommandError(f"{model.__name__}.{field} must be a BigIntegerField with null=True")
        if isinstance(model._meta.pk, FloatField):
            raise CommandError(f"the primary key of {model.__name__} is a float, which is rounded on its way")
        self.field: str = field
        self.at: str = at
        # Of the table, whatever the default manager leaves out.
        self.rows: Any = model._base_manager.using(database).filter(**{f"{field}__isnull": True})

    def count(self) -> int:
        """Count all of them."""
        return int(self.rows.count())

    def read(self, after: Any, count: int) -> list[tuple[Any, Any]]:
        """Read key and moment of the first rows behind a key."""
        rows = self.rows if after is None else self.rows.filter(pk__gt=after)
        return list(rows.order_by("pk").values_list("pk", self.at)[:count])

    def write(self, ids: dict[Any, int]) -> int:
        """Give rows their ids if they have none still."""
        new = Case(*(When(pk=key, then=Value(id)) for key, id in ids.items()), output_field=BigIntegerField())
        return int(self.rows.filter(pk__in=list(ids)).update(**{self.field: new}))
