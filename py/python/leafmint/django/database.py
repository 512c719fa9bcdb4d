"""A database of Django as a way to connect.

On a server leafmint has connections of its own, which Django's back end makes from the same entry of DATABASES. So
OPTIONS, ssl contexts, service files and the receivers of `connection_created` hold for them as for the application, and
no connection of a request is used. A SQLite file is opened by leafmint itself: its leases are durable whatever PRAGMA
the application sets, and keep to the locks of the other processes that lease from the file.
"""

from __future__ import annotations

import multiprocessing
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from django.db import Error, connections

from .. import InvalidConfigError
from .._internal.borrowed import DriverConnection, Lent, Source

CHILD_START = 1_000_000_000_001
"""First id of a child process on a database in memory: above the rows that it has copied from its parent."""

SERVERS = ("mysql", "postgresql")

PLACES = (
    "host", "hostaddr", "port", "unix_socket", "database", "db", "dbname", "service", "options", "assume_role",
    "read_default_file", "read_default_group",
)  # fmt: skip
"""Options of drivers that say where the tables are, and are no secrets."""


class DjangoDatabase(Source):
    """A database, by its alias in the setting DATABASES. What that names is read anew: a test runner changes it."""

    def __init__(self, alias: str) -> None:
        """Name the database."""
        self.alias = alias
        self._opened: str | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DjangoDatabase) and self.alias == other.alias

    def __hash__(self) -> int:
        return hash(self.alias)

    @property
    def name(self) -> str:  # type: ignore[override]
        """Names the database without user, password and other secrets."""
        database = connections[self.alias]
        return f"Django's database {self.alias!r} ({address_of(database.vendor, database.settings_dict)})"

    @property
    def has_moved(self) -> bool:
        """Whether the database is another one than when it was opened last."""
        return self._opened is not None and self._opened != self.name

    @property
    def is_in_memory(self) -> bool:
        """Whether this process alone can see the database."""
        return self._is_sqlite and is_memory(self._file)

    @property
    def is_sqlite_file(self) -> bool:
        """Whether leafmint and Django write to one file."""
        return self._is_sqlite and not is_memory(self._file)

    @property
    def is_postgres(self) -> bool:
        """Whether the database is one of PostgreSQL, which drops no database that has sessions."""
        return bool(connections[self.alias].vendor == "postgresql")

    def lent(self) -> Lent | None:
        """Return the lender of a server, and None for SQLite, which is opened by its URL."""
        vendor = connections[self.alias].vendor
        if vendor not in (*SERVERS, "sqlite"):
            raise InvalidConfigError(
                f"leafmint cannot lease ids in the database {self.alias!r}, which is {vendor}: name a store of MySQL,"
                " MariaDB, PostgreSQL or SQLite by the key URL of the setting LEAFMINT"
            )
        self._opened = self.name
        return Lent(self) if vendor in SERVERS else None

    def render_as_string(self, hide_password: bool = True) -> str:
        """Return the URL of a SQLite database, as SQLAlchemy's URLs do."""
        return sqlite_url(self._file)

    def connect(self) -> DriverConnection:
        """Open a connection of our own, as Django opens its."""
        database = connections.create_connection(self.alias)
        database.settings_dict = for_leases(database.settings_dict)
        database.leafmint_leases = True
        # It is closed by another thread than the one that uses it.
        database.inc_thread_sharing()
        try:
            # Also asks the guards of test cases that may not use the database.
            database.ensure_connection()
            is_pooled = bool(getattr(database, "pool", None))
            drop = partial(cut_short, database.connection, database)
            return DriverConnection(database.connection, database.vendor, database.close, drop, is_pooled)
        except BaseException as error:
            with suppress(BaseException):
                database.close()
            # The driver's has the server's code.
            raise (isinstance(error, Error) and error.__cause__) or error from None

    @property
    def _is_sqlite(self) -> bool:
        return bool(connections[self.alias].vendor == "sqlite")

    @property
    def _file(self) -> str:
        return str(connections[self.alias].settings_dict["NAME"])


def is_for_leases(connection: Any) -> bool:
    """Return whether a connection of Django's kind is one of leafmint's own."""
    return getattr(connection, "leafmint_leases", False)


def cut_short(driver: Any, database: Any) -> None:
    """Close a connection that may be in any state, so that a pool does not keep it."""
    driver.close()
    database.close()


def for_leases(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry of DATABASES for connections that commit each statement, and are of no pool.

    Requests may have all connections of the pool while they wait for a first id. Only a pool with a class of
    connections is used: that may log in its own way. The entry is copied as far as it is changed: an ssl context cannot
    be copied.
    """
    options = dict(entry["OPTIONS"])
    pool = options.get("pool")
    if not (isinstance(pool, dict) and "connection_class" in pool):
        options.pop("pool", None)
    return {**entry, "AUTOCOMMIT": True, "OPTIONS": options}


def address_of(vendor: str, entry: dict[str, Any]) -> str:
    """Return where an entry of DATABASES leads, as a URL without user and password."""
    host, port, name = (quote(str(entry[key] or ""), safe="/:[],") for key in ("HOST", "PORT", "NAME"))
    places = {place: entry["OPTIONS"][place] for place in PLACES if entry["OPTIONS"].get(place)}
    return f"{vendor}://{host}" + (port and f":{port}") + f"/{name}" + ((places and f"?{urlencode(places)}") or "")


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
