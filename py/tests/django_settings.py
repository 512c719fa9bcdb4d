"""Settings that the Django projects share. The tests replace some by the variable SETTINGS."""

import json
import os
import sys
from typing import Any

SECRET_KEY = "not a secret"
USE_TZ = True
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "urls"
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "leafmint.django",
    "shop",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DATABASES: dict[str, Any] = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "app.sqlite3"}}
DEFAULT_AUTO_FIELD = "leafmint.django.SegmentAutoField"
LEAFMINT: dict[str, Any] = {"DATABASE": "default", "SNOWFLAKE_URL": "local:workers"}


def replaced() -> dict[str, Any]:
    """Return the settings that the tests replace."""
    changes: dict[str, Any] = json.loads(os.environ.get("SETTINGS", "{}"))
    return changes


def use(driver: str) -> None:
    """Let Django find a driver of MySQL or PostgreSQL; by default PyMySQL, and psycopg 3."""
    if driver == "psycopg2":
        # Django prefers the newer one.
        sys.modules["psycopg"] = None  # type: ignore[assignment]
    elif driver == "PyMySQL":
        import pymysql

        pymysql.install_as_MySQLdb()


is_mysql = replaced().get("DATABASES", DATABASES)["default"]["ENGINE"] == "django.db.backends.mysql"
use(replaced().get("DRIVER", "PyMySQL" if is_mysql else ""))
