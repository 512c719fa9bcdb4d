"""The database that the variable DATABASE_URL names, as Django has it."""

import os
from urllib.parse import unquote, urlsplit

import pymysql

pymysql.version_info = (2, 2, 7, "final", 0)  # the version of mysqlclient that Django asks for
pymysql.install_as_MySQLdb()

parts = urlsplit(os.environ["DATABASE_URL"])
DATABASES = {
    "default": {
        "ENGINE": f"django.db.backends.{parts.scheme}",
        "NAME": parts.path.removeprefix("/"),
        "HOST": parts.hostname,
        "PORT": parts.port,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
    }
}
