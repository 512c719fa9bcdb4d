"""The setting LEAFMINT, and what leafmint is configured with."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from django import conf
from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connections

from .. import SegmentGenerator, late_binding
from .._core import _check_snowflakes, _read_by, _segments_for_checks
from .database import DjangoDatabase
from .fields import MintedAutoField, SegmentAutoField
from .series_field import SeriesField
from .typed_ids.columns import TypedColumn

PROGRAM = "python manage.py leafmint"
"""The program that runs the commands of leafmint here."""

KEYS = ("DATABASE", "URL", "OPTIONS", "SNOWFLAKE_URL", "SNOWFLAKE_OPTIONS", "ID_KEYS")


def setting() -> dict[str, Any]:
    """Return the setting LEAFMINT."""
    return dict(getattr(conf.settings, "LEAFMINT", {}))


def database() -> DjangoDatabase | None:
    """Return the database that ids are leased in; None if the setting names none."""
    bound = late_binding.current().url
    return bound if isinstance(bound, DjangoDatabase) else None


def leases_in(alias: str) -> bool:
    """Return whether ids are leased in a database of Django."""
    used = database()
    return used is not None and used.alias == alias


def store() -> Any:
    """Return the database or the URL of the store, or None if there is none."""
    return late_binding.current().url or os.environ.get("LEAFMINT_URL")


def holder() -> Any:
    """Return the URL of the holder of worker ids, or else the store; None if there is none."""
    return late_binding.current().snowflake_url or os.environ.get("LEAFMINT_SNOWFLAKE_URL") or store()


def has_no_worker_ids(place: Any) -> bool:
    """Return whether a place is a store that has no worker ids: SQLite or memory."""
    if isinstance(place, DjangoDatabase):
        return place.alias in conf.settings.DATABASES and (place.is_in_memory or place.is_sqlite_file)
    return isinstance(place, str) and place.startswith(("sqlite:", "memory:"))


def configure() -> None:
    """Bind tags, snowflakes and typed ids to what the setting names."""
    # The setting is in no variable, because pages about errors show them.
    named = DjangoDatabase(setting()["DATABASE"]) if setting().get("DATABASE") else None
    late_binding.configure(
        named or setting().get("URL"),
        snowflake_url=setting().get("SNOWFLAKE_URL"),
        options=default_options(named) | setting().get("OPTIONS", {}),
        snowflake_options=setting().get("SNOWFLAKE_OPTIONS"),
        id_keys=setting().get("ID_KEYS") or keys_of_environment,
    )
    _read_by(PROGRAM, init(), [])


def init() -> str | None:
    """Return the command that creates the tables, unless it is leafmint's own."""
    used = database()
    if used is None:
        return None
    migrate = "python manage.py migrate"
    return migrate if used.alias == DEFAULT_DB_ALIAS else f"{migrate} --database {used.alias}"


def keys_of_environment() -> str:
    """Return where the environment has the keys of typed ids. Tests need none: they use the one of leafmint.testing."""
    if os.environ.get("LEAFMINT_ID_KEYS"):
        return "env:LEAFMINT_ID_KEYS"
    if file := os.environ.get("LEAFMINT_ID_KEYS_FILE"):
        return f"file:{file}"
    if is_testing():
        from ..testing import ID_KEY

        return ID_KEY
    # The error names it.
    return "env:LEAFMINT_ID_KEYS"


def is_testing() -> bool:
    """Return whether Django's `setup_test_environment` was called, as test runners do."""
    # Where nothing is tested, the module is not imported for that.
    return hasattr(getattr(sys.modules.get("django.test.utils"), "_TestState", None), "saved_data")


def open_store() -> SegmentGenerator:
    """Open a generator on the store that leases nothing by itself."""
    return SegmentGenerator(store(), **{**late_binding.current().options, "eager": False})


def check_store() -> None:
    """Raise what opening the store would raise for its configuration."""
    _segments_for_checks(store(), {**late_binding.current().options, "eager": False}).close()


def check_holder() -> None:
    """Raise what opening the holder would raise for its configuration."""
    _check_snowflakes(holder(), {**late_binding.current().snowflake_options, "eager": False})


def default_options(named: DjangoDatabase | None) -> dict[str, Any]:
    """Return the options that a project need not give.

    In the application's own SQLite file all tags are supplied at once, before a transaction of the application: within
    it, a lease would wait for the lock that the transaction holds.
    """
    return {"eager": True, "eager_tags": tags(gene_bits=0)} if shares_file(named) else {}


def shares_file(named: DjangoDatabase | None) -> bool:
    """Return whether leafmint and the application write to one SQLite file."""
    return named is not None and named.alias in conf.settings.DATABASES and named.is_sqlite_file


def names_shared_file() -> bool:
    """Return whether a URL names the SQLite file of a database of Django."""
    url = store()
    if not isinstance(url, str) or not url.startswith("sqlite:///"):
        return False
    file = Path(unquote(url.removeprefix("sqlite:///").partition("?")[0])).resolve()
    ours = (one for one in map(DjangoDatabase, conf.settings.DATABASES) if one.is_sqlite_file)
    return any(Path(str(connections[one.alias].settings_dict["NAME"])).resolve() == file for one in ours)


def fields(kind: type[MintedAutoField] = MintedAutoField) -> Iterator[Any]:
    """Yield the minted primary keys. The database counts those of automatic tables between models."""
    for model in apps.get_models():
        if isinstance(model._meta.pk, kind) and not model._meta.proxy:
            yield model._meta.pk


def columns() -> dict[str, list[tuple[str, str]]]:
    """Return the table and the column of each key that a tag mints, by the name of the tag."""
    found: dict[str, list[tuple[str, str]]] = {}
    for field in fields(SegmentAutoField):
        found.setdefault(field.late_tag.name, []).append((field.model._meta.db_table, field.column))
    return found


def series_fields() -> Iterator[SeriesField]:
    """Yield the fields of all models that have numbers of a series."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.local_fields:
            if isinstance(field, SeriesField):
                yield field


def typed_columns() -> Iterator[TypedColumn]:
    """Yield the fields of all models that have a type of ids, foreign keys left out."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.local_fields:
            if isinstance(field, TypedColumn):
                yield field


def tags(gene_bits: int | None = None) -> list[str]:
    """Return the names of the tags of all models, or of those with this number of gene bits."""
    found = {field.late_tag for field in fields(SegmentAutoField)}
    return sorted({tag.name for tag in found if gene_bits in (None, tag.gene_bits)})
