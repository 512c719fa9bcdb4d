"""Settings of a Django project whose orders are spread over three databases. The tests replace some by SETTINGS."""

import json
import os
from typing import Any

SECRET_KEY = "not a secret"
USE_TZ = True
INSTALLED_APPS = ["django.contrib.contenttypes", "leafmint.django", "shop"]
DATABASES: dict[str, Any] = {
    name: {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{name}.sqlite3"}
    for name in ("default", "orders_0", "orders_1", "orders_2")
}
DATABASE_ROUTERS = ["shop.routers.OrderRouter", "shop.routers.InvoiceRouter"]
DEFAULT_AUTO_FIELD = "leafmint.django.SegmentAutoField"
LEAFMINT: dict[str, Any] = {
    "URL": "sqlite:///ids.db",
    "SNOWFLAKE_URL": "local:workers",
    "SNOWFLAKE_OPTIONS": {"layout": "timestamp:41,worker:10,sequence:8,gene:4"},
}

globals().update(json.loads(os.environ.get("SETTINGS", "{}")))

if DATABASES["default"]["ENGINE"] == "django.db.backends.mysql":
    import pymysql

    pymysql.install_as_MySQLdb()
