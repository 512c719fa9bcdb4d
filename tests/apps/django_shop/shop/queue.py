"""Celery's application, and its task."""

import os

from celery import Celery
from django.db.utils import OperationalError
from leafmint import SegmentUnavailableError

from . import broker  # noqa: F401 - names the transport `folder`

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")
queue = Celery("shop")
queue.config_from_object("django.conf:settings", namespace="CELERY")


# A database that does not answer delays a parcel, also the first one of a worker, which has no ids in hand yet.
@queue.task(
    autoretry_for=(OperationalError, SegmentUnavailableError), retry_backoff=True, retry_backoff_max=2, max_retries=None
)
def pack(order_id: int) -> None:
    """Pack a parcel: a row that a worker process writes, with an id of its own."""
    from .models import Parcel

    Parcel.objects.create(order_id=order_id)
