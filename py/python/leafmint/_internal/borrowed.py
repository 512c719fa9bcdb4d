"""Connections that the application makes, for the core to lease through.

The core asks for a connection, for statements on it, and for its end. What to run and what the answers mean stays in
the core. A way to connect is a subclass of `Source`, with a `name` and a method `connect`, which returns a
`Connection`. For a connection of the DB-API that is a `DriverConnection`, and nothing more is needed:

    class Shop(Source):
        name = "the shop (postgresql://db.example.com/shop)"

        def connect(self) -> DriverConnection:
            driver = psycopg.connect("...", autocommit=True)
            return DriverConnection(driver, "postgresql", close=driver.close)

    leafmint.SegmentGenerator(Shop())

All calls are made on native threads, never on one of the application: those for one connection follow one another, but
for `cut`, which comes from another thread while a call waits for the server. A source is asked again after a fork, and
whenever a connection is lost; it must not hand out a connection that the application uses too, unless `is_shared` says
that it is one of the application's pool, which then gets it back after each piece of work.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol, TypeAlias

from .drivers import DriverError, described, texts_of

Result: TypeAlias = list[list[str | None]] | int | DriverError
"""Rows, the number of changed rows, or an error."""


class Connection(Protocol):
    """A connection in autocommit mode. No method raises anything.

    Attributes:
        product: "MySQL", "MariaDB", "PostgreSQL", "SQLite"; or another name, which the core refuses by name.
        version: The version of the product, for messages.
        is_shared: It belongs to a pool of the application, and is given back after each piece of work.
        descriptor: The descriptor of its socket, which is shut down to end a call that waits for the server; None if
            `cut` does that.
    """

    product: str
    version: str
    is_shared: bool
    descriptor: int | None

    def run(self, statements: Sequence[str], together: bool) -> list[Result]:
        """Run complete statements, up to the first that fails.

        Each is a transaction of its own; together, all are one, and an error of its commit is one more result.
        """
        ...

    def end(self) -> None:
        """Close it politely, or give it back as it was."""
        ...

    def cut(self) -> None:
        """End a call that waits, from another thread, if there is no descriptor."""
        ...

    def drop(self) -> None:
        """Close it at once, without waiting for the server."""
        ...


class Source(ABC):
    """A way to connect.

    Attributes:
        name: Names the database and what connects to it, without secrets. It is the same after a restart, and two names
            are the same only if they lead to the same tables.
    """

    name: str

    @abstractmethod
    def connect(self) -> Connection:
        """Open a connection in autocommit mode. What it raises is what the core reports."""

    def lent(self) -> Lent | None:
        """Return what the compiled part asks; None if the source has a URL instead, as those of SQLAlchemy do."""
        return Lent(self)


class Lent:
    """A source as the compiled part asks it."""

    def __init__(self, source: Source) -> None:
        self.name: str = source.name
        self._source = source

    def connect(self) -> Connection | DriverError:
        """Open a connection, or return what is wrong."""
        try:
            return self._source.connect()
        except BaseException as error:
            # The application's code may raise anything, and this thread has no caller.
            return described(error)


def lend(value: object) -> Lent | None:
    """Return the lender of an engine of SQLAlchemy or of a `Source`, and None for anything else."""
    if isinstance(value, Source):
        return value.lent()
    # An application that has an engine has imported SQLAlchemy.
    if "sqlalchemy" in sys.modules:
        from .engines import source_of

        source = source_of(value)
        return None if source is None else Lent(source)
    return None


_VERSIONS = {"mysql": "SELECT VERSION()", "postgresql": "SHOW server_version", "sqlite": "SELECT sqlite_version()"}
"""The statement that reads the version, by family."""

_PRODUCTS = {"mysql": "MySQL", "postgresql": "PostgreSQL", "sqlite": "SQLite"}

_DESCRIPTORS = (("fileno",), ("_sock", "fileno"), ("_socket", "sock", "fileno"), ("_usock", "fileno"))
"""Where drivers have the descriptor of their connection: those over C libraries, PyMySQL, MySQL's own, pg8000."""


class DriverConnection:
    """A connection of a DB-API driver in autocommit mode.

    Args:
        driver: The driver's connection.
        family: "mysql" (MariaDB too), "postgresql", "sqlite", or the name of another database.
        close: Closes it, or gives it back; by default its own `close`.
        drop: Closes it without waiting for the server; by default the same.
        is_shared: It belongs to a pool of the application.

    Raises:
        Exception: The driver's error, if the version cannot be read.
    """

    def __init__(
        self,
        driver: Any,
        family: str,
        close: Callable[[], object] | None = None,
        drop: Callable[[], object] | None = None,
        is_shared: bool = False,
    ) -> None:
        """Read the product and its version."""
        self._driver = driver
        self._close: Callable[[], object] = close or driver.close
        self._drop: Callable[[], object] = drop or self._close
        self.is_shared = is_shared
        self.descriptor: int | None = _descriptor_of(driver)
        self._begin = "BEGIN IMMEDIATE" if family == "sqlite" else "BEGIN"
        self.version: str = self._read(_VERSIONS[family]) if family in _VERSIONS else ""
        is_mariadb = family == "mysql" and "mariadb" in self.version.lower()
        self.product: str = "MariaDB" if is_mariadb else _PRODUCTS.get(family, family)

    def run(self, statements: Sequence[str], together: bool) -> list[Result]:
        """Run statements, in autocommit mode or in one transaction."""
        if not together:
            return self._run(statements)
        begun = self._run([self._begin])
        if isinstance(begun[-1], tuple):
            return begun
        results = self._run(statements)
        if results and isinstance(results[-1], tuple):
            self._run(["ROLLBACK"])
            return results
        committed = self._run(["COMMIT"])
        return results + committed if isinstance(committed[-1], tuple) else results

    def end(self) -> None:
        """Close it politely."""
        with suppress(BaseException):
            self._close()

    def cut(self) -> None:
        """Interrupt a statement of SQLite."""
        with suppress(BaseException):
            self._driver.interrupt()

    def drop(self) -> None:
        """Close it at once."""
        with suppress(BaseException):
            self._drop()

    def _run(self, statements: Sequence[str]) -> list[Result]:
        results: list[Result] = []
        for statement in statements:
            try:
                results.append(self._execute(statement))
            except BaseException as error:
                results.append(described(error))
                break
        return results

    def _execute(self, statement: str) -> list[list[str | None]] | int:
        cursor = self._driver.cursor()
        try:
            # Without parameters no driver looks for any in the text.
            cursor.execute(statement)
            if cursor.description is None:
                return max(int(cursor.rowcount), 0)
            return [texts_of(row) for row in cursor.fetchall()]
        finally:
            with suppress(Exception):
                cursor.close()

    def _read(self, statement: str) -> str:
        rows = self._execute(statement)
        return str(rows[0][0]) if isinstance(rows, list) and rows else ""


def _descriptor_of(driver: Any) -> int | None:
    for path in _DESCRIPTORS:
        found = driver
        for name in path:
            found = getattr(found, name, None)
        if found is not None:
            return int(found())
    return None
