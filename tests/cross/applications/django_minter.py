"""Prints ids of the keys of two models of Django, until standard input ends: `django_minter.py URL`."""

import sys
from urllib.parse import unquote, urlsplit

import django
import pymysql
from django.conf import settings

pymysql.version_info = (2, 2, 7, "final", 0)  # the version of mysqlclient that Django asks for
pymysql.install_as_MySQLdb()

parts = urlsplit(sys.argv[1])
settings.configure(
    INSTALLED_APPS=["leafmint.django"],
    DATABASES={
        "default": {
            "ENGINE": f"django.db.backends.{parts.scheme}",
            "NAME": parts.path.removeprefix("/"),
            "HOST": parts.hostname,
            "PORT": parts.port,
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
        }
    },
    LEAFMINT={
        "DATABASE": "default",
        "OPTIONS": {"timeout": 120, "max_step": 40},
        "SNOWFLAKE_OPTIONS": {"timeout": 120, "workers": "0-4", "lease_duration": 5, "heartbeat": 1},
    },
)
django.setup()

from django.db import models  # noqa: E402
from leafmint.django import SegmentAutoField, SnowflakeAutoField  # noqa: E402
from url_minter import mint  # noqa: E402


class Order(models.Model):
    """Has ids of a tag."""

    id = SegmentAutoField(tag="order")

    class Meta:
        app_label = "shop"


class Event(models.Model):
    """Has snowflakes."""

    id = SnowflakeAutoField()

    class Meta:
        app_label = "shop"


def keys(model: type[models.Model], count: int) -> list[int]:
    """Takes keys as rows do that are saved."""
    return [model._meta.pk.get_pk_value_on_save(model()) for _ in range(count)]


mint(lambda count: keys(Order, count), lambda count: keys(Event, count))
