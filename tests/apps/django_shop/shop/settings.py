"""Settings. Environment: DATABASE_URL has the rows, LEAFMINT_URL the ids, QUEUE_FOLDER Celery's messages.

Both URLs may name one SQLite file or one MySQL database. LEAFMINT_ID_KEYS has the key that hides the ids from
customers.
"""

import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pymysql

pymysql.version_info = (2, 2, 7, "final", 0)  # the version of mysqlclient that Django asks for
pymysql.install_as_MySQLdb()


def database(url: str) -> dict[str, Any]:
    """Return a URL as Django has it."""
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        # SQLite has one writer at a time. The others wait from the start of their transaction, and it lets them in
        # without an order: some wait long.
        options = {"timeout": 120, "transaction_mode": "IMMEDIATE"}
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": parts.path.removeprefix("/"), "OPTIONS": options}
    return {
        "ENGINE": f"django.db.backends.{parts.scheme}",
        "NAME": parts.path.removeprefix("/"),
        "HOST": parts.hostname,
        "PORT": parts.port or "",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
    }


SECRET_KEY = "only for this sample"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "shop.urls"
INSTALLED_APPS = ["leafmint.django", "shop"]
DATABASES = {"default": database(os.environ["DATABASE_URL"])}
# The variable LEAFMINT_URL names the store: pages and mails about errors would show its password if it were here.
# An order waits for its number as it waits for its row: a series holds a tenth of what it has used, which is soon gone
# while the database does not answer.
LEAFMINT = {"OPTIONS": {"timeout": "60s"}}
DEFAULT_AUTO_FIELD = "leafmint.django.SegmentAutoField"
USE_TZ = True
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "loggers": {"leafmint": {"handlers": ["console"], "level": "WARNING"}},
}

QUEUE = Path(os.environ["QUEUE_FOLDER"])
CELERY_BROKER_URL = "folder://"
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "data_folder_in": str(QUEUE),
    "data_folder_out": str(QUEUE),
    "control_folder": str(QUEUE / "control"),
    "polling_interval": 0.02,
}
CELERY_TASK_IGNORE_RESULT = True
