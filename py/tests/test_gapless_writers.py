"""Sequences without gaps by every driver: eight writers, savepoints, rollbacks, and processes that are killed."""

import asyncio
import random
import signal
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import leafmint
import pytest
from engines import DRIVERS, engine_of
from gapless_databases import DOCUMENTS, assert_without_gaps, begin_at_begin, empty_database, engine_url, make_tables
from leafmint.sqlalchemy import GaplessSequence
from sqlalchemy import Engine, create_engine, insert, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession
from sqlalchemy.orm import Session
from testing import in_threads, start_python

INVOICES = GaplessSequence("invoice", period="year", zone="UTC", key="shop-7", format="{key}/{year}-{number:4}")
DAY = date(2026, 11, 25)
TIMES = 8
"""Transactions of each writer."""

EVERY_DRIVER = ["sqlite", "sqlite+aiosqlite", *DRIVERS]
KINDS = {"sqlite": "sqlite", "mysql": "mysql", "postgresql": "postgres"}
POINTS = ["before the statement", "after the statement", "before the commit", "after the commit"]

VICTIM = """
    import asyncio, os, signal, sys
    from datetime import date
    from leafmint.sqlalchemy import GaplessSequence
    from sqlalchemy import create_engine, make_url, text
    from sqlalchemy.ext.asyncio import create_async_engine

    invoices = GaplessSequence("invoice", period="year", zone="UTC", key="shop-7", format="{key}/{year}-{number:4}")
    insert = text("INSERT INTO documents (number) VALUES (:number)")

    def die(at):
        if at == sys.argv[2]:
            os.kill(os.getpid(), signal.SIGKILL)

    async def wait():
        async with create_async_engine(sys.argv[1]).begin() as connection:
            await connection.execute(text("SELECT 1"))
            die("before the statement")
            numbers = await invoices.next_many(connection, 2, on=date(2026, 11, 25))
            die("after the statement")
            await connection.execute(insert, [{"number": number.number} for number in numbers])
            die("before the commit")
        die("after the commit")

    def block():
        with create_engine(sys.argv[1]).begin() as connection:
            connection.execute(text("SELECT 1"))
            die("before the statement")
            numbers = invoices.next_many(connection, 2, on=date(2026, 11, 25))
            die("after the statement")
            connection.execute(insert, [{"number": number.number} for number in numbers])
            die("before the commit")
        die("after the commit")

    asyncio.run(wait()) if make_url(sys.argv[1]).get_dialect().is_async else block()
"""


@pytest.fixture
def database(driver: str, request: pytest.FixtureRequest, in_memory: Path) -> Iterator[str]:
    """Return leafmint's URL of an empty database that a driver connects to."""
    with empty_database(KINDS[driver.partition("+")[0]], request, in_memory) as url:
        yield url


def rows(numbers: list[leafmint.SeriesNumber]) -> list[dict[str, int]]:
    """Return a document for each number."""
    assert [number.text for number in numbers] == [f"shop-7/2026-{number.number:04}" for number in numbers]
    return [{"number": number.number} for number in numbers]


def write(engine: Engine) -> None:
    """Store a document, or take its numbers and roll back."""
    with Session(engine) as session:
        session.execute(insert(DOCUMENTS), rows([INVOICES.next(session, on=DAY)]))
        with session.begin_nested() as savepoint:
            session.execute(insert(DOCUMENTS), rows(INVOICES.next_many(session, 3, on=DAY)))
            if random.random() < 0.5:
                savepoint.rollback()
        session.execute(insert(DOCUMENTS), rows([INVOICES.next(session, on=DAY)]))
        session.rollback() if random.random() < 0.3 else session.commit()


async def write_async(engine: AsyncEngine) -> None:
    """Do the same on an event loop."""
    async with AsyncSession(engine) as session:
        await session.execute(insert(DOCUMENTS), rows([await INVOICES.next(session, on=DAY)]))
        async with session.begin_nested() as savepoint:
            await session.execute(insert(DOCUMENTS), rows(await INVOICES.next_many(session, 3, on=DAY)))
            if random.random() < 0.5:
                await savepoint.rollback()
        await session.execute(insert(DOCUMENTS), rows([await INVOICES.next(session, on=DAY)]))
        await (session.rollback() if random.random() < 0.3 else session.commit())


def was_locked(error: leafmint.StoreUnavailableError) -> None:
    """Let a lost conflict pass, which the writer repeats as a whole."""
    if error.reason != "locked":
        raise error


def write_documents(engine: Engine) -> None:
    """Write several documents. A lost conflict stores none."""
    for _ in range(TIMES):
        try:
            write(engine)
        except leafmint.StoreUnavailableError as error:
            was_locked(error)


async def write_documents_async(driver: str, database: str) -> None:
    """Do the same on an event loop."""
    engine = engine_of(driver, database)
    assert isinstance(engine, AsyncEngine)
    if driver.startswith("sqlite"):
        begin_at_begin(engine.sync_engine)
    for _ in range(TIMES):
        try:
            await write_async(engine)
        except leafmint.StoreUnavailableError as error:
            was_locked(error)
    await engine.dispose()


@pytest.mark.parametrize("driver", EVERY_DRIVER)
def test_writers_that_roll_back_and_processes_that_are_killed_leave_no_gap(driver: str, database: str) -> None:
    setup = create_engine(engine_url(database))
    make_tables(database, setup)
    # A busy machine may take longer than the five seconds of sqlite3.
    patient = {"timeout": "60"} if driver.startswith("sqlite") else {}
    url = make_url(database).set(drivername=driver, query=patient).render_as_string(hide_password=False)
    victims = [start_python(VICTIM, url, point) for point in POINTS]
    engine = engine_of(driver, database)
    if isinstance(engine, AsyncEngine):
        in_threads(8, lambda: asyncio.run(write_documents_async(driver, database)))
    else:
        if driver == "sqlite":
            begin_at_begin(engine)
        in_threads(8, lambda: write_documents(engine))
        engine.dispose()
    for victim in victims:
        _, problem = victim.communicate(timeout=60)
        assert victim.returncode == -signal.SIGKILL, problem
    with setup.begin() as connection:
        number = INVOICES.next(connection, on=DAY)
        connection.execute(insert(DOCUMENTS), rows([number]))
    assert_without_gaps(setup)
    with setup.connect() as connection:
        assert INVOICES.last(connection, on=DAY) == number
    setup.dispose()
