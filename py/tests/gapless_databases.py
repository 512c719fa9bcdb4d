"""Empty databases of each kind, with the table of the numbers without gaps and one of documents."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import leafmint
import pytest
from sqlalchemy import BigInteger, Column, Engine, MetaData, Table, create_engine, event, make_url, select

DRIVERS = {"mysql": "mysql+pymysql", "postgresql": "postgresql+psycopg"}

DOCUMENTS = Table("documents", MetaData(), Column("number", BigInteger))


@contextmanager
def empty_database(kind: str, request: pytest.FixtureRequest, directory: Path) -> Iterator[str]:
    """Make an empty database, yield the URL that leafmint takes, and drop it."""
    if kind == "sqlite":
        yield f"sqlite:///{directory / 'documents.db'}"
        return
    url = make_url(request.getfixturevalue(f"{kind}_url"))
    name = f"gapless_{uuid.uuid4().hex[:8]}"
    server = create_engine(url.set(drivername=DRIVERS[url.drivername]), isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
        yield url.set(database=name).render_as_string(hide_password=False)
        connection.exec_driver_sql(f"DROP DATABASE {name}" + (" (FORCE)" if kind == "postgres" else ""))
    server.dispose()


def engine_url(url: str) -> str:
    """Return the URL that SQLAlchemy takes."""
    parts = make_url(url)
    return parts.set(drivername=DRIVERS.get(parts.drivername, parts.drivername)).render_as_string(hide_password=False)


def make_tables(url: str, engine: Engine) -> None:
    """Make leafmint's tables, as `leafmint init` does, and the one of documents."""
    with leafmint.SegmentGenerator(url) as ids:
        ids.init_schema()
    DOCUMENTS.create(engine)


def begin_at_begin(engine: Engine) -> None:
    """Let SQLAlchemy and not sqlite3 begin transactions, so that savepoints are in one."""

    def connect(connection: Any, _: object) -> None:
        connection.isolation_level = None
        # A busy machine may take longer than the five seconds of sqlite3.
        connection.cursor().execute("PRAGMA busy_timeout = 60000")

    def begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    event.listen(engine, "connect", connect)
    event.listen(engine, "begin", begin)


def assert_without_gaps(engine: Engine) -> None:
    """Check that the documents have the numbers 1 to n, each once."""
    with engine.connect() as connection:
        numbers = connection.scalars(select(DOCUMENTS.c.number).order_by(DOCUMENTS.c.number)).all()
    assert list(numbers) == list(range(1, len(numbers) + 1))
    assert numbers
