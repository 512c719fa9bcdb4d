"""The setting LEAFMINT, and what leafmint is configured with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from django import conf
from django.apps import apps
from django.db import models

from .. import late_binding
from .database_url import DatabaseUrl
from .fields import LeafmintAutoField

KEYS = ("DATABASE", "URL", "OPTIONS", "SNOWFLAKE_URL", "SNOWFLAKE_OPTIONS")


def setting() -> dict[str, Any]:
    """Return the setting LEAFMINT."""
    return dict(getattr(conf.settings, "LEAFMINT", {}))


def store_url() -> Any:
    """Return the URL of the store, or None if there is none."""
    given = setting()
    if given.get("URL"):
        return given["URL"]
    return DatabaseUrl(given["DATABASE"]) if given.get("DATABASE") else os.environ.get("LEAFMINT_URL")


def options() -> dict[str, Any]:
    """Return the options of the segment generator: the tags of models are created at their first id."""
    return {"auto_create": True, **setting().get("OPTIONS", {})}


def configure() -> None:
    """Bind tags and snowflakes to what the setting names."""
    given = setting()
    url = DatabaseUrl(given["DATABASE"]) if given.get("DATABASE") and not given.get("URL") else given.get("URL")
    late_binding.configure(
        url,
        given.get("SNOWFLAKE_URL"),
        options=options(),
        snowflake_options=given.get("SNOWFLAKE_OPTIONS"),
    )


def fields(kind: type[models.Field]) -> Iterator[Any]:
    """Yield the primary keys of one kind, those of automatic tables between models too."""
    for model in apps.get_models(include_auto_created=True):
        if isinstance(model._meta.pk, kind) and not model._meta.proxy:
            yield model._meta.pk


def tags() -> list[str]:
    """Return the names of the tags of all models."""
    return sorted({field.late_tag.name for field in fields(LeafmintAutoField)})
