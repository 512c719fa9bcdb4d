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
from django.db import connections

from .. import SegmentGenerator, SnowflakeGenerator, late_binding
from . import column_sequences
from .database_url import DatabaseUrl
from .fields import LeafmintAutoField, MintedAutoField
from .series_field import SeriesField
from .typed_columns import TypedColumn

KEYS = ("DATABASE", "URL", "OPTIONS", "SNOWFLAKE_URL", "SNOWFLAKE_OPTIONS", "PUBLIC_KEYS")


def setting() -> dict[str, Any]:
    """Return the setting LEAFMINT."""
    return dict(getattr(conf.settings, "LEAFMINT", {}))


def database_url() -> DatabaseUrl | None:
    """Return the URL of the database that ids are leased in; None if the setting names none."""
    bound = late_binding.current().url
    return bound if isinstance(bound, DatabaseUrl) else None


def leases_in(alias: str) -> bool:
    """Return whether ids are leased in a database of Django."""
    url = database_url()
    return url is not None and url.alias == alias


def store_url() -> Any:
    """Return the URL of the store, or None if there is none."""
    return late_binding.current().url or os.environ.get("LEAFMINT_URL")


def snowflake_url() -> Any:
    """Return the URL of the holder of worker ids, or None if there is none."""
    return late_binding.current().snowflake_url or os.environ.get("LEAFMINT_SNOWFLAKE_URL") or store_url()


def configure() -> None:
    """Bind tags, snowflakes and typed ids to what the setting names."""
    # The setting is in no variable, because pages about errors show them.
    database = DatabaseUrl(setting()["DATABASE"]) if setting().get("DATABASE") else None
    late_binding.configure(
        database or setting().get("URL"),
        setting().get("SNOWFLAKE_URL"),
        options=default_options(database) | setting().get("OPTIONS", {}),
        snowflake_options=setting().get("SNOWFLAKE_OPTIONS"),
        public_keys=setting().get("PUBLIC_KEYS") or keys_of_environment,
    )


def keys_of_environment() -> str:
    """Return where the environment has the keys of typed ids. Tests need none: they use the one of leafmint.testing."""
    if os.environ.get("LEAFMINT_PUBLIC_KEYS"):
        return "env:LEAFMINT_PUBLIC_KEYS"
    if file := os.environ.get("LEAFMINT_PUBLIC_KEYS_FILE"):
        return f"file:{file}"
    if is_testing():
        from ..testing import PUBLIC_KEY

        return PUBLIC_KEY
    # The error names it.
    return "env:LEAFMINT_PUBLIC_KEYS"


def is_testing() -> bool:
    """Return whether Django's `setup_test_environment` was called, as test runners do."""
    # Where nothing is tested, the module is not imported for that.
    return hasattr(getattr(sys.modules.get("django.test.utils"), "_TestState", None), "saved_data")


def open_store() -> SegmentGenerator:
    """Open a generator on the store that leases nothing by itself."""
    return SegmentGenerator(store_url(), **{**late_binding.current().options, "eager": False})


def open_holder() -> SnowflakeGenerator:
    """Open a generator on the holder that takes no worker id by itself."""
    return SnowflakeGenerator(snowflake_url(), **{**late_binding.current().snowflake_options, "eager": False})


def default_options(database: DatabaseUrl | None) -> dict[str, Any]:
    """Return the options that a project need not give.

    In the application's own SQLite file all tags are supplied at once, before a transaction of the application: within
    it, a lease would wait for the lock that the transaction holds.
    """
    names_sequence = "sequence" in setting().get("OPTIONS", {}) or column_sequences.is_in(setting().get("URL"))
    made = {} if names_sequence else {"auto_create": True}
    return made | ({"eager": True, "tags": tags(gene_bits=0)} if shares_file(database) else {})


def shares_file(database: DatabaseUrl | None) -> bool:
    """Return whether leafmint and the application write to one SQLite file."""
    return database is not None and database.alias in conf.settings.DATABASES and database.is_sqlite_file


def names_shared_file() -> bool:
    """Return whether a URL names the SQLite file of a database of Django."""
    url = store_url()
    if not isinstance(url, str) or not url.startswith("sqlite:///"):
        return False
    file = Path(unquote(url.removeprefix("sqlite:///").partition("?")[0])).resolve()
    ours = (database for database in map(DatabaseUrl, conf.settings.DATABASES) if database.is_sqlite_file)
    return any(Path(str(connections[database.alias].settings_dict["NAME"])).resolve() == file for database in ours)


def fields(kind: type[MintedAutoField] = MintedAutoField) -> Iterator[Any]:
    """Yield the minted primary keys. The database counts those of automatic tables between models."""
    for model in apps.get_models():
        if isinstance(model._meta.pk, kind) and not model._meta.proxy:
            yield model._meta.pk


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
    found = {field.late_tag for field in fields(LeafmintAutoField)}
    return sorted({tag.name for tag in found if gene_bits in (None, tag.gene_bits)})
