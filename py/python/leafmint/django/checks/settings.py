"""What a project can get wrong about the setting LEAFMINT and the keys of typed ids."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django import conf
from django.apps import apps
from django.core.checks import CheckMessage, Error, Warning
from django.utils.connection import ConnectionDoesNotExist
from django.utils.module_loading import import_string

from ... import InvalidConfigError, LeafmintError
from .. import configuration
from ..fields import MintedAutoField, SegmentAutoField, SnowflakeAutoField
from ..typed_ids.texts import need_texts

PASSWORD_IN_URL = re.compile(r"//[^/?#]*:[^/?#]*@|\bpassword=", re.IGNORECASE)


def check_setting(**kwargs: Any) -> list[CheckMessage]:
    """Find unknown keys, options that no generator takes, and passwords that Django shows."""
    settings = [*check_keys(), *check_segments(), *check_snowflakes(), *check_passwords()]
    return [*settings, *check_series_tags(), *check_shared_file(), *check_default_keys()]


def check_deployment(**kwargs: Any) -> list[CheckMessage]:
    """Find what is missing where ids are minted and shown, but need not be there where a project is only tested."""
    return [*check_urls(), *check_id_keys()]


def check_keys() -> list[CheckMessage]:
    """Find keys that contradict each other or mean nothing."""
    found: list[CheckMessage] = []
    if unknown := ", ".join(sorted(map(repr, configuration.setting().keys() - set(configuration.KEYS)))):
        known = ", ".join(configuration.KEYS)
        found.append(Error(f"LEAFMINT has unknown keys: {unknown}.", hint=f"Known are {known}.", id="leafmint.E001"))
    if configuration.setting().get("DATABASE") and configuration.setting().get("URL"):
        found.append(Error("LEAFMINT has both DATABASE and URL.", hint="Remove one of them.", id="leafmint.E002"))
    return found


def check_urls() -> list[CheckMessage]:
    """Find missing URLs."""
    found: list[CheckMessage] = []
    if mints_segments() and not configuration.store():
        hint = 'Set LEAFMINT = {"DATABASE": "default"} or LEAFMINT = {"URL": ...}, or the variable LEAFMINT_URL.'
        found.append(Error("No URL says where leafmint leases ids.", hint=hint, id="leafmint.E003"))
    if mints_snowflakes() and not configuration.holder():
        hint = 'Set LEAFMINT = {"SNOWFLAKE_URL": ...}, or the variable LEAFMINT_SNOWFLAKE_URL.'
        found.append(Error("No URL says where leafmint has its worker ids.", hint=hint, id="leafmint.E005"))
    return found


def check_segments() -> list[CheckMessage]:
    """Find out whether the generator of tags and series can be opened. Connects to nothing."""
    is_named = mints_segments() and configuration.store()
    return check_options(configuration.check_store, "leafmint.E004") if is_named else []


def check_snowflakes() -> list[CheckMessage]:
    """Find out whether the generator of snowflakes can be opened. Connects to nothing."""
    is_named = mints_snowflakes() and configuration.holder()
    if is_named and configuration.has_no_worker_ids(configuration.holder()):
        hint = 'Set LEAFMINT["SNOWFLAKE_URL"] = "local:/srv/app/workers", a directory of this host, or name a server.'
        text = "LEAFMINT names no place for worker ids, which snowflakes need: SQLite and memory have none."
        return [Error(text, hint=hint, id="leafmint.E006")]
    return check_options(configuration.check_holder, "leafmint.E006") if is_named else []


def mints_segments() -> bool:
    """Return whether a model has a key of a tag, or a number of a series."""
    return any(configuration.fields(SegmentAutoField)) or any(configuration.series_fields())


def mints_snowflakes() -> bool:
    """Return whether a model has a snowflake."""
    return any(configuration.fields(SnowflakeAutoField))


def check_options(check: Callable[[], None], id: str) -> list[CheckMessage]:
    """Find out whether a generator would accept its configuration. Opens none, which would be logged."""
    try:
        check()
    except ConnectionDoesNotExist as error:
        return [Error(f"LEAFMINT names a database that DATABASES does not have: {error}", id=id)]
    except (InvalidConfigError, TypeError) as error:
        return [Error(f"LEAFMINT is wrong: {error}", id=id)]
    return []


def check_passwords() -> list[CheckMessage]:
    """Find passwords in URLs. Pages and mails about errors show settings, except those with PASS in their names."""
    return [
        Warning(
            f"LEAFMINT[{key!r}] has a password, which Django shows in pages and mails about errors.",
            hint=f'Take it out of the URL: LEAFMINT = {{{key!r}: ..., {options!r}: {{"password": ...}}}}.',
            id="leafmint.W002",
        )
        for key, options in (("URL", "OPTIONS"), ("SNOWFLAKE_URL", "SNOWFLAKE_OPTIONS"))
        if PASSWORD_IN_URL.search(str(configuration.setting().get(key)))
    ]


def check_series_tags() -> list[CheckMessage]:
    """Find series that never start again and have the name of a key's tag."""
    tags = configuration.tags()
    return [
        Error(
            f"A key and a series that never starts again cannot both have the name {field.late_series.name!r}.",
            hint="Name one of them otherwise: SeriesField(series=...) or SegmentAutoField(tag=...).",
            obj=field,
            id="leafmint.E106",
        )
        for field in configuration.series_fields()
        if field.period == "forever" and field.key is None and field.late_series.name in tags
    ]


def check_shared_file() -> list[CheckMessage]:
    """Find series in the application's own SQLite file: each transaction that has written locks them out."""
    if not configuration.shares_file(configuration.database()) and not configuration.names_shared_file():
        return []
    return [
        Warning(
            "A transaction that has written to this SQLite file cannot take numbers that are leased in the same file.",
            hint='Give leafmint a file of its own: LEAFMINT = {"URL": "sqlite:////srv/app/ids.sqlite3"}. Stop the'
            " processes, and run `manage.py migrate`, which raises the tags of keys above the rows. Series begin again"
            " at 1: raise each above its numbers by the command `tags recover`, before processes start.",
            obj=field,
            id="leafmint.W003",
        )
        for field in configuration.series_fields()
    ]


def check_default_keys() -> list[CheckMessage]:
    """Find applications of the project that override DEFAULT_AUTO_FIELD, as `startapp` of Django 5.2 writes them."""
    if not issubclass(import_string(conf.settings.DEFAULT_AUTO_FIELD), MintedAutoField):
        return []
    return [
        Warning(
            f"{type(config).__qualname__} of {config.name!r} sets default_auto_field, so DEFAULT_AUTO_FIELD does not"
            f" hold for {', '.join(sorted(counted))}: the database counts the keys.",
            hint="Remove default_auto_field from its apps.py, or silence this check if that is intended.",
            id="leafmint.W005",
        )
        for config in apps.get_app_configs()
        if (counted := models_counted_by(config))
    ]


def models_counted_by(config: Any) -> list[str]:
    """Return the models of an application of the project that have another default key because it says so."""
    is_ours = not {"site-packages", "dist-packages"} & set(Path(config.path).parts)
    if not (is_ours and config._is_default_auto_field_overridden):
        return []
    keys = ((model.__name__, model._meta.pk) for model in config.get_models() if model._meta.managed)
    return [
        name for name, key in keys if key.auto_created and not key.remote_field and not isinstance(key, MintedAutoField)
    ]


def check_id_keys() -> list[CheckMessage]:
    """Find types of ids whose keys are missing or wrong."""
    fields = {field.type: field for field in configuration.typed_columns()}
    return [message for field in fields.values() for message in check_keys_of(field)]


def check_keys_of(field: Any) -> list[CheckMessage]:
    """Find out whether the texts of a type of ids can be read. They need keys, if any."""
    try:
        need_texts(field.type)
    except LeafmintError as error:
        hint = 'Set LEAFMINT = {"ID_KEYS": ...}, or the variable LEAFMINT_ID_KEYS.'
        return [Error(str(error), hint=hint, obj=field, id="leafmint.E007")]
    return []
