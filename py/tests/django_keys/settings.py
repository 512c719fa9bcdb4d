"""Settings of a project whose models meet other libraries, in a database without migrations."""

from typing import Any

from django_settings import *  # noqa: F403
from django_settings import replaced


class NoMigrations(dict[str, Any]):
    """Says of each application that it has no migrations."""

    def __contains__(self, label: object) -> bool:
        """Return whether an application is named."""
        return True

    def __getitem__(self, label: str) -> None:
        """Return where its migrations are."""


ROOT_URLCONF = ""
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "leafmint.django", "shop"]
MIGRATION_MODULES = NoMigrations()
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "keys.sqlite3"}}
LANGUAGES = [("en", "English"), ("fr", "French")]
LEAFMINT = {"URL": "memory:", "SNOWFLAKE_URL": "fixed:1"}

globals().update(replaced())
