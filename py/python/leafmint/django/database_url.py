"""The URL of leafmint's store in a database of Django."""

from __future__ import annotations

import multiprocessing
from pathlib import Path
from urllib.parse import quote

from django.db import connections

from .. import InvalidConfigError
from .server_urls import DatabaseSettings, mysql_url, postgres_url

CHILD_START = 1_000_000_000_001
"""First id of a child process on a database in memory: above the rows that it has copied from its parent."""


class DatabaseUrl:
    """The URL of a database, read when it is needed: a test runner changes its name."""

    def __init__(self, alias: str) -> None:
        """Name the database by its alias in the setting DATABASES."""
        self.alias = alias
        self._rendered: str | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DatabaseUrl) and self.alias == other.alias

    def __hash__(self) -> int:
        return hash(self.alias)

    @property
    def has_moved(self) -> bool:
        """Whether the database is another one than that of the URL that was read last."""
        return self._rendered is not None and self._rendered != self._render()

    @property
    def is_in_memory(self) -> bool:
        """Whether this process alone can see the database."""
        database = connections[self.alias]
        return bool(database.vendor == "sqlite" and is_memory(str(database.settings_dict["NAME"])))

    @property
    def is_postgres(self) -> bool:
        """Whether the database is one of PostgreSQL, which drops no database that has sessions."""
        return bool(connections[self.alias].vendor == "postgresql")

    @property
    def is_sqlite_file(self) -> bool:
        """Whether leafmint and Django write to one file."""
        return bool(connections[self.alias].vendor == "sqlite" and not self.is_in_memory)

    def render_as_string(self, hide_password: bool = True) -> str:
        """Return the URL as text."""
        if hide_password:
            return self._render(hide_password)
        self._rendered = self._render()
        return self._rendered

    def _render(self, hide_password: bool = False) -> str:
        database = connections[self.alias]
        if database.vendor == "sqlite":
            return sqlite_url(str(database.settings_dict["NAME"]))
        if database.vendor == "mysql":
            return mysql_url(DatabaseSettings(self.alias, database.settings_dict), hide_password)
        if database.vendor == "postgresql":
            return postgres_url(DatabaseSettings(self.alias, database.settings_dict), hide_password)
        raise InvalidConfigError(
            f"leafmint cannot lease ids in the database {self.alias!r}, which is {database.vendor}: name a store of"
            " MySQL, MariaDB, PostgreSQL or SQLite by the key URL of the setting LEAFMINT"
        )


def is_memory(name: str) -> bool:
    """Return whether the NAME of a SQLite database is one in memory."""
    return name == ":memory:" or "mode=memory" in name


def sqlite_url(name: str) -> str:
    """Return the URL of a SQLite file, or of a store in memory for a database in memory."""
    if is_memory(name):
        start = f"?default_start={CHILD_START}" if multiprocessing.parent_process() else ""
        return f"memory://leafmint.django{start}"
    if name.startswith("file:"):
        raise InvalidConfigError(f"leafmint does not read SQLite's URI {name!r}: use a path as NAME of the database")
    return f"sqlite:///{quote(str(Path(name).absolute()))}"
