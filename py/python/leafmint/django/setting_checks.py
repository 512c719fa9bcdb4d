"""What a project can get wrong about the setting LEAFMINT."""

from __future__ import annotations

from typing import Any

from django import conf
from django.apps import apps
from django.core.checks import CheckMessage, Error, Warning

from .. import InvalidConfigError, SegmentGenerator, SnowflakeGenerator, late_binding
from . import configuration
from .database_url import DatabaseUrl
from .fields import LeafmintAutoField, SnowflakeAutoField

NARROW = ("IntegerField", "PositiveIntegerField", "PositiveSmallIntegerField", "SmallIntegerField")


def check_setting(**kwargs: Any) -> list[CheckMessage]:
    """Find a missing URL, unknown keys, and options that no generator takes."""
    return [*check_keys(), *check_segments(), *check_snowflakes()]


def check_keys() -> list[CheckMessage]:
    """Find keys that contradict each other or mean nothing."""
    given = configuration.setting()
    found: list[CheckMessage] = []
    if unknown := ", ".join(map(repr, sorted(given.keys() - set(configuration.KEYS)))):
        known = ", ".join(configuration.KEYS)
        found.append(Error(f"LEAFMINT has unknown keys: {unknown}.", hint=f"Known are {known}.", id="leafmint.E001"))
    if given.get("DATABASE") and given.get("URL"):
        found.append(Error("LEAFMINT has both DATABASE and URL.", hint="Remove one of them.", id="leafmint.E002"))
    return found


def check_segments() -> list[CheckMessage]:
    """Find out whether the generator of the tags can be opened. Connects to nothing."""
    if not any(configuration.fields(LeafmintAutoField)):
        return []
    if not (url := configuration.store_url()):
        hint = 'Set LEAFMINT = {"DATABASE": "default"} or LEAFMINT = {"URL": ...}, or the variable LEAFMINT_URL.'
        return [Error("No URL says where leafmint leases ids.", hint=hint, id="leafmint.E003")]
    return check_generator(SegmentGenerator, url, late_binding.current().options, "leafmint.E004")


def check_snowflakes() -> list[CheckMessage]:
    """Find out whether the generator of snowflakes can be opened. Connects to nothing."""
    if not any(configuration.fields(SnowflakeAutoField)):
        return []
    if not (url := configuration.snowflake_url()):
        hint = 'Set LEAFMINT = {"SNOWFLAKE_URL": ...}, or the variable LEAFMINT_SNOWFLAKE_URL.'
        return [Error("No URL says where leafmint has its worker ids.", hint=hint, id="leafmint.E005")]
    return check_generator(SnowflakeGenerator, url, late_binding.current().snowflake_options, "leafmint.E006")


def check_generator(kind: Any, url: Any, options: dict[str, Any], id: str) -> list[CheckMessage]:
    """Find out whether a generator accepts its configuration."""
    if isinstance(url, DatabaseUrl) and url.alias not in conf.settings.DATABASES:
        return [Error(f"LEAFMINT names the database {url.alias!r}, which DATABASES does not have.", id=id)]
    try:
        kind(url, **{**options, "eager": False}).close()
    except (InvalidConfigError, TypeError) as error:
        return [Error(f"LEAFMINT is wrong: {error}", id=id)]
    return []


def check_generic_keys(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Find generic foreign keys that are too narrow for snowflakes."""
    if not any(configuration.fields(SnowflakeAutoField)):
        return []
    return [
        Warning(
            f"The field '{field.fk_field}' is too narrow for snowflakes, which a generic foreign key may hold.",
            hint="Use a PositiveBigIntegerField.",
            obj=model,
            id="leafmint.W001",
        )
        for model in apps.get_models()
        for field in model._meta.private_fields
        if hasattr(field, "fk_field") and model._meta.get_field(field.fk_field).get_internal_type() in NARROW
    ]
