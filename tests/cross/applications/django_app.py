"""A Django application whose rows get ids from the same SQLite file as its own tables."""

from __future__ import annotations

import os

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection, models, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path

FILE = os.environ["FILE"]

settings.configure(
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": FILE, "OPTIONS": {"timeout": 60}}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
)
django.setup()

import leafmint  # noqa: E402

ORDERS = leafmint.SegmentGenerator(f"sqlite:///{FILE}", timeout=60, connect_timeout=30).tag("order")


class Order(models.Model):
    """A row of the application."""

    id = models.BigIntegerField(primary_key=True)
    process = models.IntegerField()

    class Meta:
        app_label = "shop"
        db_table = "own"


def create_tables() -> None:
    """Runs once, before the workers start."""
    with connection.schema_editor() as editor:
        editor.create_model(Order)


def order(_request: HttpRequest) -> HttpResponse:
    """Places an order in a transaction, and answers with the process and all ids that it has minted for it."""
    ids = ORDERS.next_ids(1000)
    with transaction.atomic():
        Order.objects.create(id=ids[0], process=os.getpid())
    return HttpResponse(f"{os.getpid()} {ids[0]} {ids[-1]} {len(ids)} " + " ".join(map(str, ids)))


urlpatterns = [path("", order)]
app = get_wsgi_application()

if __name__ == "__main__":
    create_tables()
