"""The field whose value is the number of a series, as text in its format."""

from __future__ import annotations

import sys
from datetime import date
from types import FrameType
from typing import TYPE_CHECKING, Any

from django import conf
from django.core.checks import CheckMessage
from django.db import models
from django.db.models.sql.compiler import SQLInsertCompiler

from .. import Format, LateSeries
from .._internal.series_batches import texts_of
from ..late_bound import zone_name
from .checks.fields import check_date_field, check_installed, check_series, check_value_source

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from .._core import _Period

__all__ = ["SeriesField"]

LENGTH = 64
"""The least that `max_length` is by default."""

ASKING = SQLInsertCompiler.pre_save_val.__code__

WIDEST = len("9223372036854775807") - len("{number}")
"""The most that a text is longer than its format, apart from the key."""


class SeriesField(models.CharField):
    """A text with the next number of a series, taken when a row is added whose value is empty.

    Also in `bulk_create`, which takes the numbers of a period together. A rollback returns no number, so there are
    gaps. By default the column is unique and not editable, and forms and `full_clean` may leave it empty; the admin
    shows it in `readonly_fields` and `list_display`. If the table has rows, add the field with `null=True` first, and
    give them numbers before you remove it.

    With `LEAFMINT = {"DATABASE": ...}` on SQLite, a transaction that has written locks the file, so that no number can
    be taken in it: `manage.py check` then warns. Give leafmint a file of its own, by the key URL.

    Args:
        series: The name of the series, as in `SegmentGenerator.series`; by default the table and the column, such as
            "shop_invoice_number".
        period: "day", "month", "year" or "forever".
        zone: The time zone whose calendar counts; by default the setting TIME_ZONE. The store fixes it with the first
            number of the series, so a change of TIME_ZONE is refused afterwards: name the zone before you change it.
        format: The format of the texts, as in `leafmint.Format`. It must show the period, and the key if there is one.
        key: As in `SegmentGenerator.series`.
        step: As in `SegmentGenerator.series`.
        on: The name of a DateField of the model that has the date of the document. If it is None, or by default, the
            present date in the zone counts.

    Example:
        >>> from leafmint.django import SeriesField
        >>> number = SeriesField(series="invoice", period="year", zone="Europe/Madrid", format="INV-{year}-{number:5}")
        >>> number.unique, number.editable, number.max_length
        (True, False, 64)
    """

    description = "Number of a series that leafmint mints"

    def __init__(
        self,
        *args: Any,
        period: _Period,
        format: str | Format,
        series: str | None = None,
        zone: str | ZoneInfo | None = None,
        key: str | None = None,
        step: int = 1,
        on: str | None = None,
        **kwargs: Any,
    ) -> None:
        """Describe the series."""
        self.series, self.period, self.zone, self.key, self.step, self.on = (
            series,
            period,
            zone_name(zone),
            key,
            step,
            on,
        )
        self.format = format.text if isinstance(format, Format) else format
        self._late_series: LateSeries | None = None
        longest = len(self.format) + len(key or "") + WIDEST
        own = {"unique": True, "editable": False, "blank": True, "max_length": max(LENGTH, longest)}
        super().__init__(*args, **own | kwargs)

    @property
    def late_series(self) -> LateSeries:
        """The series that mints the numbers."""
        # Not the table alone, which is the tag of its key: numbers that never start again have a tag of that name too.
        name, zone = self.series or f"{self.model._meta.db_table}_{self.column}", self.zone
        if zone is None and self.period != "forever":
            zone = conf.settings.TIME_ZONE
        described = LateSeries(name, period=self.period, zone=zone, key=self.key, step=self.step, format=self.format)
        if self._late_series != described:
            self._late_series = described
        return self._late_series

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Return the value to be stored: of a new row without one, the next number."""
        value = super().pre_save(model_instance, add)
        if add and value in self.empty_values:
            rows = self._rows_without_number(sys._getframe(1), model_instance)
            draw = self.late_series.next_many
            days = [self.date_of(row) for row in rows]
            texts = texts_of(self.period, days, lambda count, on: draw(count, on=on))
            for row, text in zip(rows, texts, strict=True):
                setattr(row, self.attname, text)
            value = texts[0]
        return value

    def _rows_without_number(self, caller: FrameType, row: models.Model) -> list[models.Model]:
        """Return a row, and those after it that the same statement inserts and that have no number either.

        Django asks row by row, and only its compiler knows the others.
        """
        if caller.f_code is not ASKING or self._date_is_set_later():
            return [row]
        rows: list[models.Model] = list(caller.f_locals["self"].query.objs)
        places = [at for at, it in enumerate(rows) if it is row]
        if len(places) != 1:
            return [row]
        after = rows[places[0] + 1 :]
        waiting = {id(it): it for it in after if getattr(it, self.attname) in self.empty_values}
        return [row, *waiting.values()]

    def _date_is_set_later(self) -> bool:
        """Return whether the date of a row is set only when the row is asked for."""
        if self.on is None:
            return False
        field = self.model._meta.get_field(self.on)
        own = type(field).pre_save is not models.DateField.pre_save
        return own or field.auto_now or field.auto_now_add

    def date_of(self, model_instance: models.Model) -> date | None:
        """Return the date of the document, or None for the present one."""
        if self.on is None:
            return None
        field: Any = self.model._meta.get_field(self.on)
        # Before a row is saved, a date may be text.
        day: date | None = field.to_python(getattr(model_instance, field.attname))
        return day

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        """Find a series that cannot be, and arguments that contradict a minted value."""
        own = [*check_installed(self), *check_value_source(self), *check_series(self), *check_date_field(self)]
        return [*super().check(**kwargs), *own]

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Return what a migration writes."""
        name, path, args, kwargs = super().deconstruct()
        own = {name: getattr(self, name) for name in ("series", "period", "zone", "format", "key", "on")}
        kwargs |= {name: value for name, value in own.items() if value is not None}
        if self.step != 1:
            kwargs["step"] = self.step
        # Django leaves out what is its own default, which is not that of this field.
        kwargs |= {"unique": self._unique, "editable": self.editable, "blank": self.blank}
        return name, path.replace("leafmint.django.series_field.", "leafmint.django."), args, kwargs
