"""The URL of leafmint's store in a database of Django."""

from __future__ import annotations

import multiprocessing
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from django.db import connections

from .. import InvalidConfigError

CHILD_START = 1_000_000_000_001
"""First id of a child process on a database in memory: above the rows that it has copied from its parent."""


class DatabaseUrl:
    """The URL of a database, read when it is needed: the test runner changes its name."""

    def __init__(self, alias: str) -> None:
        """Name the database by its alias in the setting DATABASES."""
        self.alias = alias

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DatabaseUrl) and self.alias == other.alias

    def __hash__(self) -> int:
        return hash(self.alias)

    def render_as_string(self, hide_password: bool = True) -> str:
        """Return the URL as text."""
        database = connections[self.alias]
        settings = database.settings_dict
        if database.vendor == "sqlite":
            return sqlite_url(str(settings["NAME"]))
        if database.vendor == "mysql":
            return mysql_url(self.alias, settings, hide_password)
        raise InvalidConfigError(
            f"leafmint cannot lease ids in the database {self.alias!r}, which is {database.vendor}: name a store of"
            " MySQL, MariaDB or SQLite by the key URL of the setting LEAFMINT"
        )


def sqlite_url(name: str) -> str:
    """Return the URL of a SQLite file, or of a store in memory for a database in memory."""
    if name == ":memory:" or "mode=memory" in name:
        start = f"?default_start={CHILD_START}" if multiprocessing.parent_process() else ""
        return f"memory://leafmint.django{start}"
    if name.startswith("file:"):
        raise InvalidConfigError(f"leafmint does not read SQLite's URI {name!r}: use a path as NAME of the database")
    return f"sqlite:///{quote(str(Path(name).absolute()))}"


def mysql_url(alias: str, settings: dict[str, Any], hide_password: bool) -> str:
    """Return the URL of a MySQL or MariaDB database, with what Django's driver demands of encryption."""
    host, port = settings["HOST"] or "localhost", settings["PORT"]
    options = settings["OPTIONS"]
    unsupported = [name for name in ("read_default_file", "read_default_group", "unix_socket") if options.get(name)]
    if host.startswith("/") or unsupported:
        raise InvalidConfigError(
            f"leafmint connects by TCP and reads no option files: give the database {alias!r} a HOST and a USER"
            f" instead of {', '.join(unsupported) or host}, or name the store by the key URL of the setting LEAFMINT"
        )
    password = "***" if hide_password else quote(settings["PASSWORD"] or "", safe="")
    login = quote(options.get("user") or settings["USER"] or "", safe="") + (f":{password}" if password else "")
    address = (f"[{host}]" if ":" in host else quote(host)) + (f":{port}" if port else "")
    encryption = urlencode(encryption_of(options))
    return f"mysql://{login}@{address}/{quote(settings['NAME'], safe='')}" + (f"?{encryption}" if encryption else "")


def encryption_of(options: dict[str, Any]) -> dict[str, str]:
    """Return leafmint's options for the encryption that the options of Django's driver demand."""
    files = options.get("ssl") or {}
    if not isinstance(files, dict):
        files = {}
    wanted = {"ssl_mode": str(options["ssl_mode"]).lower()} if options.get("ssl_mode") else {}
    if "ssl" in options and options["ssl"] and not wanted:
        wanted = {"ssl_mode": "verify_ca" if files.get("ca") else "required"}
    return wanted | ({"ssl_ca": str(files["ca"])} if files.get("ca") else {})
