"""Orders with lines by Django: `bulk_create`, and `create` for each row."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import unquote, urlsplit

import django
import uuid_utils.compat
from django.conf import settings
from django.db import models, transaction
from writing import LINES, NOTE, Framework

KINDS = ["counted", "uuid4", "uuid7", "segment", "snowflake"]
UUIDS = {"uuid4": uuid.uuid4, "uuid7": uuid_utils.compat.uuid7}
BACKENDS = {"mysql": "mysql", "postgresql": "postgresql"}


def set_up(url: str) -> None:
    """Configures Django for one database."""
    parts = urlsplit(url)
    if parts.scheme == "mysql":
        import pymysql

        pymysql.version_info = (2, 2, 1, "final", 0)
        pymysql.install_as_MySQLdb()
    database = {
        "ENGINE": f"django.db.backends.{BACKENDS[parts.scheme]}",
        "HOST": parts.hostname,
        "PORT": str(parts.port),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "NAME": parts.path[1:],
        "CONN_MAX_AGE": None,
    }
    settings.configure(DATABASES={"default": database}, INSTALLED_APPS=["leafmint.django"], USE_TZ=True)
    django.setup()


def key(kind: str) -> Any:
    """Returns the key of a model."""
    from leafmint.django import SegmentAutoField, SnowflakeAutoField

    if kind == "counted":
        return models.BigAutoField(primary_key=True)
    if kind in UUIDS:
        return models.UUIDField(primary_key=True, default=UUIDS[kind])
    return SegmentAutoField() if kind == "segment" else SnowflakeAutoField()


def mapped(kind: str) -> tuple[Any, Any]:
    """Makes the models of a kind."""

    def model(table: str, **fields: Any) -> Any:
        meta = type("Meta", (), {"app_label": "orders", "db_table": f"{table}_{kind}", "managed": False})
        return type(
            f"{table}_{kind}", (models.Model,), {"__module__": __name__, "Meta": meta, "id": key(kind), **fields}
        )

    order = model("orders", customer=models.IntegerField(), note=models.CharField(max_length=100))
    return order, model(
        "lines",
        order=models.ForeignKey(order, models.CASCADE),
        product=models.IntegerField(),
        amount=models.IntegerField(),
    )


def frameworks(url: str) -> dict[str, Framework]:
    """Returns the ways to write by Django."""
    set_up(url)
    of_kind = {kind: mapped(kind) for kind in KINDS}

    def together(kind: str, count: int) -> None:
        order, line = of_kind[kind]
        with transaction.atomic():
            orders = order.objects.bulk_create([order(customer=number, note=NOTE) for number in range(count)])
            line.objects.bulk_create(
                [line(order=each, product=number, amount=1) for each in orders for number in range(LINES)]
            )

    def alone(kind: str, count: int) -> None:
        order, line = of_kind[kind]
        with transaction.atomic():
            for number in range(count):
                each = order.objects.create(customer=number, note=NOTE)
                for product in range(LINES):
                    line.objects.create(order=each, product=product, amount=1)

    return {"Django bulk_create": Framework(KINDS, together), "Django create": Framework(KINDS, alone)}
