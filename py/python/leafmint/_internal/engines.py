"""Engines of SQLAlchemy as a way to connect.

A connection is made as those of the application are: by a copy of the engine's pool, which has its creator and its
events. So `connect_args`, ssl contexts, tokens and search paths hold as they do for the application, and no connection
of the application is used. An engine of an asynchronous driver connects and runs on an event loop of our own.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import sys
import weakref
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Engine
from sqlalchemy.util import greenlet_spawn, immutabledict

from ..errors import InvalidConfigError
from .borrowed import Connection, DriverConnection, Result, Source
from .drivers import described

T = TypeVar("T")

_FAMILIES = {"mariadb": "mysql"}

_PLACES = (
    "host", "hostaddr", "port", "unix_socket", "unix_sock", "database", "dbname", "db", "service", "options",
    "read_default_file", "read_default_group", "option_files",
)  # fmt: skip
"""Arguments of drivers that say where the tables are, and are no secrets."""


def source_of(value: object) -> EngineSource | None:
    """Return the way to connect of an engine, synchronous or not; None for anything else.

    Raises:
        InvalidConfigError: It is the URL of an engine.
    """
    if isinstance(value, Engine):
        return EngineSource(value)
    if isinstance(value, URL):
        raise InvalidConfigError(
            f"{value._replace(username=None, password=None, query=immutabledict())!r} is a URL of SQLAlchemy: pass the"
            " engine itself, so that leafmint connects as it does"
        )
    asynchronous = sys.modules.get("sqlalchemy.ext.asyncio")
    if asynchronous is not None and isinstance(value, asynchronous.AsyncEngine):
        return EngineSource(value.sync_engine)
    return None


class EngineSource(Source):
    """The way to connect of an engine."""

    def __init__(self, engine: Engine) -> None:
        """Refuse an engine whose database is in the memory of its connection."""
        self._engine = engine
        self.name = _name_of(engine)
        if _is_in_memory(engine):
            raise _in_memory(self.name)

    def connect(self) -> Connection:
        """Open a connection of a copy of the pool, which is the engine's of this moment: it may have been disposed."""
        if self._engine.dialect.is_async:
            return LoopConnection(self._open)
        return self._open()

    def _open(self) -> DriverConnection:
        dialect = self._engine.dialect
        pool = self._engine.pool.recreate()
        pooled = pool.connect()

        def close() -> None:
            pooled.close()
            pool.dispose()

        try:
            driver: Any = pooled.dbapi_connection
            # What a listener has set in a transaction, such as a search path, is to hold.
            driver.commit()
            dialect.set_isolation_level(driver, "AUTOCOMMIT")
            family = _FAMILIES.get(dialect.name, dialect.name)
            opened = DriverConnection(driver, family, close, pooled.invalidate)
            if family == "sqlite" and not _file_of(driver):
                raise _in_memory(self.name)
        except BaseException:
            with suppress(BaseException):
                pooled.invalidate()
            raise
        return opened


class LoopConnection:
    """A connection of an asynchronous driver, which runs on an event loop of its own."""

    is_shared = False
    descriptor: int | None = None

    def __init__(self, open_driver: Callable[[], DriverConnection]) -> None:
        """Open it."""
        # Not the policy's, which may be for the application's main thread alone.
        self._loop = asyncio.SelectorEventLoop()
        self._running: asyncio.Task[list[Result]] | None = None
        try:
            self._opened = self._call(open_driver)
        except BaseException:
            self._close_loop()
            raise
        self.product, self.version = self._opened.product, self._opened.version

    def run(self, statements: Sequence[str], together: bool) -> list[Result]:
        """Run statements, in autocommit mode or in one transaction."""
        self._running = self._loop.create_task(greenlet_spawn(self._opened.run, statements, together))
        try:
            return self._loop.run_until_complete(self._running)
        except BaseException as error:
            # It was cut.
            return [described(error)]
        finally:
            # A cut that comes late must not cancel the close.
            self._running = None

    def end(self) -> None:
        """Close it politely."""
        self._end(self._opened.end)

    def cut(self) -> None:
        """Cancel what waits for the server."""
        with suppress(BaseException):
            self._loop.call_soon_threadsafe(self._cancel)

    def drop(self) -> None:
        """Close it at once."""
        self._end(self._opened.drop)

    def _end(self, end: Callable[[], None]) -> None:
        with suppress(BaseException):
            self._call(end)
        self._close_loop()

    def _close_loop(self) -> None:
        with suppress(BaseException):
            self._loop.run_until_complete(_settle())
        with suppress(BaseException):
            self._loop.close()

    def _cancel(self) -> None:
        if self._running is not None:
            self._running.cancel()

    def _call(self, function: Callable[[], T]) -> T:
        # The driver awaits in the greenlet of SQLAlchemy.
        spawned: Coroutine[Any, Any, T] = greenlet_spawn(function)
        return self._loop.run_until_complete(spawned)


async def _settle() -> None:
    """End what a driver leaves to its loop: tasks, and transports that are closing."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=1)
    for _ in range(3):
        await asyncio.sleep(0)


def _file_of(driver: Any) -> str:
    """Return the file of a SQLite database; empty for one in memory."""
    cursor = driver.cursor()
    cursor.execute("PRAGMA database_list")
    files = [file for _, name, file in cursor.fetchall() if name == "main"]
    cursor.close()
    return str(files[0] or "")


def _is_in_memory(engine: Engine) -> bool:
    url = engine.url
    if engine.dialect.name != "sqlite" or _has_own_creator(engine):
        return False
    return (
        url.database in (None, "", ":memory:") or ":memory:" in str(url.database) or url.query.get("mode") == "memory"
    )


def _in_memory(name: str) -> InvalidConfigError:
    return InvalidConfigError(
        f"{name} is in the memory of one connection, and leafmint's own would see another database: pass"
        " 'memory://shop' for ids that start again with the process, or an engine on a file"
    )


def _name_of(engine: Engine) -> str:
    """Name the database without password and other secrets."""
    url = engine.url
    is_postgres, database = engine.dialect.name == "postgresql", url.database
    if engine.dialect.name == "sqlite" and database and not database.startswith((":", "file:")):
        database = str(Path(database).resolve())
    places = {name: value for name, value in url.query.items() if name in _PLACES}
    # On PostgreSQL each account may have a schema of its name.
    user = url.username if is_postgres else None
    shown = url._replace(username=user, password=None, database=database).set(query=places)
    name = f"SQLAlchemy engine {shown.render_as_string()}"
    if _has_own_creator(engine):
        creator: Any = engine.pool._creator
        called = getattr(creator, "__qualname__", type(creator).__qualname__)
        return _numbered(f"{name} by {getattr(creator, '__module__', '')}.{called}", engine)
    given = _given_elsewhere(engine) | (_given_by_environment() if is_postgres else {})
    return name + "".join(f" {key}={value}" for key, value in sorted(given.items()))


_created: dict[str, list[weakref.ref[Engine]]] = {}
"""The engines whose creators have one name, which does not say where they lead."""


def _numbered(name: str, engine: Engine) -> str:
    """Tell the engines of one name apart. The first has no number: mostly it is the only one."""
    engines = _created.setdefault(name, [])
    known = [reference() for reference in engines]
    if engine in known:
        place = known.index(engine)
    elif None in known:
        # Its engine is gone.
        place = known.index(None)
        engines[place] = weakref.ref(engine)
    else:
        place = len(engines)
        engines.append(weakref.ref(engine))
    return f"{name} {place + 1}" if place else name


def _given_by_environment() -> dict[str, str]:
    """Return where libpq and asyncpg are led by the environment."""
    names = ("PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGSERVICE", "PGOPTIONS")
    return {name: os.environ[name] for name in names if os.environ.get(name)}


def _has_own_creator(engine: Engine) -> bool:
    return getattr(engine.pool._creator, "__module__", "") != "sqlalchemy.engine.create"


def _given_elsewhere(engine: Engine) -> dict[str, Any]:
    """Return where `connect_args` lead instead of the URL."""
    called_with = inspect.getclosurevars(engine.pool._creator).nonlocals.get("cparams", {})
    _, of_url = engine.dialect.create_connect_args(engine.url)
    given = {key: value for key, value in called_with.items() if key in _PLACES and value != of_url.get(key)}
    settings = called_with.get("server_settings") or {}
    return given | {key: settings[key] for key in ("search_path", "role") if key in settings}
