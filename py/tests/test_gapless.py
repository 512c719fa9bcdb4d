"""`leafmint.sqlalchemy.gapless`: numbers without gaps on SQLite, MariaDB and PostgreSQL."""

import asyncio
import random
import re
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import leafmint
import pytest
from gapless_databases import DOCUMENTS, assert_without_gaps, empty_database, engine_url, make_tables
from leafmint.sqlalchemy import gapless
from sqlalchemy import Engine, NullPool, create_engine, event, insert, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import Session
from testing import in_threads, start_python

KINDS = ["sqlite", "mysql", "postgres"]
ASYNC_DRIVERS = {"sqlite": "sqlite+aiosqlite", "mysql": "mysql+asyncmy", "postgresql": "postgresql+psycopg"}


@pytest.fixture
def database(request: pytest.FixtureRequest, in_memory: Path) -> Iterator[str]:
    """Return the URL of an empty database of a kind."""
    with empty_database(request.param, request, in_memory) as url:
        yield url


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    """Return an engine on a database with the tables."""
    engine = create_engine(engine_url(database))
    if engine.dialect.name == "sqlite":
        begin_at_begin(engine)
    make_tables(database, engine)
    yield engine
    engine.dispose()


def begin_at_begin(engine: Engine) -> None:
    """Let SQLAlchemy and not sqlite3 begin transactions, so that savepoints are in one."""

    def connect(connection: Any, _: object) -> None:
        connection.isolation_level = None

    def begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    event.listen(engine, "connect", connect)
    event.listen(engine, "begin", begin)


on_each = pytest.mark.parametrize("database", KINDS, indirect=True)
on_servers = pytest.mark.parametrize("database", KINDS[1:], indirect=True)

VICTIM = """
    import os, signal, sys
    from sqlalchemy import create_engine, text
    from leafmint.sqlalchemy import gapless

    def die(at):
        if at == sys.argv[2]:
            os.kill(os.getpid(), signal.SIGKILL)

    engine = create_engine(sys.argv[1])
    with engine.begin() as connection:
        connection.execute(text("SELECT 1"))
        die("before the statement")
        number = gapless(connection, "invoice")
        die("after the statement")
        connection.execute(text("INSERT INTO documents (number) VALUES (:number)"), {"number": number})
        die("before the commit")
    die("after the commit")
"""


@on_each
def test_writers_that_roll_back_and_processes_that_are_killed_leave_no_gap(engine: Engine, database: str) -> None:
    points = ["before the statement", "after the statement", "before the commit", "after the commit"]
    victims = [start_python(VICTIM, engine_url(database), point) for point in points]

    def write() -> None:
        for _ in range(20):
            rolls_back = random.random() < 0.3
            while not written(rolls_back):
                pass

    def written(rolls_back: bool) -> bool:
        try:
            with Session(engine) as session:
                session.execute(insert(DOCUMENTS).values(number=gapless(session, "invoice")))
                session.rollback() if rolls_back else session.commit()
        except leafmint.StoreUnavailableError as error:
            if error.reason != "locked":
                raise
            return False
        return True

    in_threads(8, write)
    for victim in victims:
        _, problem = victim.communicate(timeout=60)
        assert victim.returncode == -signal.SIGKILL, problem
    with engine.begin() as connection:
        connection.execute(insert(DOCUMENTS).values(number=gapless(connection, "invoice")))
    assert_without_gaps(engine)


@on_each
def test_a_savepoint_that_rolls_back_gives_the_number_back(engine: Engine) -> None:
    with Session(engine) as session, session.begin():
        assert gapless(session, "invoice", start=100) == 100
        with session.begin_nested() as savepoint:
            assert gapless(session, "invoice") == 101
            savepoint.rollback()
        assert gapless(session, "invoice") == 101


@on_servers
def test_two_series_in_both_orders_fail_by_name_and_the_transaction_can_be_repeated(engine: Engine) -> None:
    meeting, failures = threading.Barrier(2), []
    orders = [["invoice", "credit"], ["credit", "invoice"]]

    def take(series: list[str], meet: bool) -> None:
        with engine.begin() as connection:
            gapless(connection, series[0])
            if meet:
                meeting.wait(10)
            gapless(connection, series[1])

    def take_again() -> None:
        series, meets = orders.pop(), True
        while True:
            try:
                return take(series, meets)
            except leafmint.StoreUnavailableError as error:
                # The repetition can meet the other one again.
                failures.append(error)
                meets = False

    with engine.begin() as connection:
        assert gapless(connection, "invoice") == gapless(connection, "credit") == 1
    in_threads(2, take_again)
    failure = failures[0]
    assert (failure.reason, failure.retryable) == ("locked", True)
    assert (
        failure.server_code == {"mysql": 1213, "postgresql": "40P01"}[engine.dialect.name.replace("mariadb", "mysql")]
    )
    assert "repeat it as a whole" in str(failure)
    assert isinstance(failure.__cause__, DBAPIError)
    with engine.begin() as connection:
        assert gapless(connection, "invoice") == gapless(connection, "credit") == 4


@on_each
def test_a_series_that_stays_locked_fails_by_name(engine: Engine, database: str) -> None:
    options = {"timeout": 0.05} if engine.dialect.name == "sqlite" else {}
    impatient = create_engine(engine_url(database), connect_args=options, poolclass=NullPool)
    wait = {"sqlite": "SELECT 1", "postgresql": "SET lock_timeout = 50"}
    with engine.begin() as first, impatient.connect() as second:
        gapless(first, "invoice")
        second.execute(text(wait.get(engine.dialect.name, "SET innodb_lock_wait_timeout = 1")))
        with pytest.raises(leafmint.StoreUnavailableError, match="repeat it as a whole") as raised:
            gapless(second, "invoice")
    assert raised.value.reason == "locked"


@on_servers
@pytest.mark.parametrize("fails", [False, True])
def test_a_number_taken_since_the_transactions_snapshot_is_followed_or_a_conflict(engine: Engine, fails: bool) -> None:
    isolation, is_mariadb = "REPEATABLE READ", getattr(engine.dialect, "is_mariadb", False)
    if engine.dialect.name == "postgresql":
        isolation = "REPEATABLE READ" if fails else "READ COMMITTED"
    elif fails and not is_mariadb:
        pytest.skip("MySQL has no such conflict")
    with engine.begin() as other, engine.connect().execution_options(isolation_level=isolation) as connection:
        gapless(other, "invoice")
        other.commit()
        if is_mariadb:
            connection.exec_driver_sql(f"SET innodb_snapshot_isolation = {fails}")
        connection.execute(text("SELECT number FROM leafmint_gapless"))
        with engine.begin() as third:
            gapless(third, "invoice")
        if fails:
            with pytest.raises(leafmint.StoreUnavailableError, match="repeat it as a whole"):
                gapless(connection, "invoice")
        else:
            assert gapless(connection, "invoice") == 3


@on_each
def test_autocommit_is_refused(engine: Engine, database: str) -> None:
    with engine.connect() as connection, pytest.raises(leafmint.InvalidArgumentError, match="AUTOCOMMIT"):
        gapless(connection.execution_options(isolation_level="AUTOCOMMIT"), "invoice")
    options = {"isolation_level": None} if engine.dialect.name == "sqlite" else {"autocommit": True}
    by_driver = create_engine(engine_url(database), connect_args=options, poolclass=NullPool)
    with by_driver.connect() as connection, pytest.raises(leafmint.InvalidArgumentError, match="autocommit mode"):
        gapless(connection, "invoice")
    with engine.begin() as connection:
        assert gapless(connection, "invoice") == 1


@on_each
def test_a_missing_table_is_named(database: str) -> None:
    engine = create_engine(engine_url(database), poolclass=NullPool)
    with engine.connect() as connection, pytest.raises(leafmint.InvalidConfigError, match="leafmint init") as raised:
        gapless(connection, "invoice")
    assert raised.value.reason == "missing_table"


@on_each
@pytest.mark.parametrize("number", [2**63 - 1, -5, "NULL"])
def test_a_row_without_a_next_number_is_refused(engine: Engine, number: int | str) -> None:
    if number == "NULL":
        change = {"sqlite": "SELECT 1", "postgresql": "ALTER TABLE leafmint_gapless ALTER number DROP NOT NULL"}
        with engine.begin() as connection:
            connection.exec_driver_sql(
                change.get(engine.dialect.name, "ALTER TABLE leafmint_gapless MODIFY number bigint NULL")
            )
        # SQLite keeps the constraint, but not the type.
        number = "'five'" if engine.dialect.name == "sqlite" else number
    with engine.begin() as connection:
        connection.exec_driver_sql(f"INSERT INTO leafmint_gapless (name, number) VALUES ('invoice', {number})")
    with engine.connect() as connection, pytest.raises(leafmint.IdSpaceExhaustedError, match="invoice"):
        gapless(connection, "invoice")


CREATE = "CREATE TABLE leafmint_gapless"
COPIED = ["DROP TABLE leafmint_gapless", f"{CREATE} AS SELECT 'invoice' AS name, 3 AS number"]

UNFIT = {
    "mysql": [
        (COPIED, "ADD UNIQUE"),
        (["ALTER TABLE leafmint_gapless ENGINE=MyISAM"], "ENGINE=InnoDB"),
        (["ALTER TABLE leafmint_gapless ENGINE=MEMORY"], "ENGINE=InnoDB"),
        (["ALTER TABLE leafmint_gapless MODIFY number INT NOT NULL"], "MODIFY number BIGINT"),
        (["ALTER TABLE leafmint_gapless MODIFY number DECIMAL(20, 0) NOT NULL"], "MODIFY number BIGINT"),
        (["ALTER TABLE leafmint_gapless MODIFY number DOUBLE NOT NULL"], "MODIFY number BIGINT"),
        (["RENAME TABLE leafmint_gapless TO kept", "CREATE VIEW leafmint_gapless AS SELECT * FROM kept"], "view"),
    ],
    "postgresql": [
        (COPIED, "ADD UNIQUE"),
        (["ALTER TABLE leafmint_gapless SET UNLOGGED"], "SET LOGGED"),
        (["ALTER TABLE leafmint_gapless ALTER number TYPE float8"], "BIGINT"),
        (["ALTER TABLE leafmint_gapless RENAME TO kept", "CREATE VIEW leafmint_gapless AS SELECT * FROM kept"], "view"),
        (
            [
                "CREATE FUNCTION reset() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.number = 3; RETURN NEW; END'",
                "CREATE TRIGGER resets BEFORE UPDATE ON leafmint_gapless FOR EACH ROW EXECUTE FUNCTION reset()",
            ],
            "trigger resets",
        ),
    ],
    "sqlite": [
        (COPIED, "ADD UNIQUE"),
        (["DROP TABLE leafmint_gapless", f"{CREATE} (name TEXT PRIMARY KEY, number REAL)"], "INTEGER"),
        (["DROP TABLE leafmint_gapless", f"{CREATE} (name TEXT PRIMARY KEY, number TEXT)"], "INTEGER"),
        (["CREATE TRIGGER resets AFTER INSERT ON leafmint_gapless BEGIN SELECT 1; END"], "trigger resets"),
    ],
}


@pytest.mark.parametrize(
    ("database", "changes", "remedy"),
    [
        pytest.param(database, *case, id=f"{database}-{case[1]}-{at}")
        for database, kind in zip(KINDS, ["sqlite", "mysql", "postgresql"], strict=True)
        for at, case in enumerate(UNFIT[kind])
    ],
    indirect=["database"],
)
def test_a_table_that_cannot_keep_a_series_is_refused_with_the_remedy(
    engine: Engine, changes: list[str], remedy: str
) -> None:
    with engine.begin() as connection:
        for change in changes:
            connection.exec_driver_sql(change)
        connection.exec_driver_sql("DELETE FROM leafmint_gapless")
    for _ in range(2):
        with engine.connect() as connection, pytest.raises(leafmint.InvalidConfigError, match=re.escape(remedy)):
            gapless(connection, "invoice")
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT COUNT(*) FROM leafmint_gapless").scalar() == 0


@pytest.mark.parametrize("database", ["mysql"], indirect=True)
def test_a_temporary_table_is_refused_on_the_connection_that_has_it(engine: Engine) -> None:
    with engine.connect() as connection:
        connection.exec_driver_sql("CREATE TEMPORARY TABLE leafmint_gapless (name char(9) PRIMARY KEY, number BIGINT)")
        with pytest.raises(leafmint.InvalidConfigError, match="temporary"):
            gapless(connection, "invoice")
        connection.exec_driver_sql("DROP TEMPORARY TABLE leafmint_gapless")
        assert gapless(connection, "invoice") == 1


@pytest.mark.parametrize("database", ["mysql"], indirect=True)
@pytest.mark.parametrize("number", [2, 3])
def test_a_number_that_a_trigger_holds_is_refused(engine: Engine, number: int) -> None:
    if not getattr(engine.dialect, "is_mariadb", False):
        pytest.skip("MySQL answers that the row has changed")
    with engine.begin() as connection:
        gapless(connection, "invoice", start=number)
        connection.exec_driver_sql(
            "CREATE TRIGGER holds BEFORE UPDATE ON leafmint_gapless FOR EACH ROW SET NEW.number = OLD.number"
        )
    with engine.connect() as connection, pytest.raises(leafmint.InvalidConfigError, match=f"still {number}"):
        gapless(connection, "invoice")


@on_each
def test_a_spelling_that_the_collation_takes_for_another_series_is_refused(engine: Engine) -> None:
    fold = {
        "sqlite": f"{CREATE} (name TEXT COLLATE NOCASE PRIMARY KEY, number INTEGER)",
        "postgresql": f"{CREATE} (name TEXT COLLATE folds PRIMARY KEY, number BIGINT)",
    }
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql(
                "CREATE COLLATION folds (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
            )
        connection.exec_driver_sql("DROP TABLE leafmint_gapless")
        connection.exec_driver_sql(
            fold.get(
                engine.dialect.name,
                f"{CREATE} (name varchar(99) COLLATE utf8mb4_general_ci PRIMARY KEY, number BIGINT)",
            )
        )
    with engine.begin() as connection:
        assert (gapless(connection, "invoice"), gapless(connection, "invoice")) == (1, 2)
    with engine.connect() as connection, pytest.raises(leafmint.InvalidConfigError, match="one spelling"):
        gapless(connection, "Invoice")


# In PostgreSQL each first statement of a transaction fixes its snapshot.
@pytest.mark.parametrize("database", ["mysql"], indirect=True)
def test_the_questions_fix_no_snapshot(engine: Engine) -> None:
    with engine.begin() as other, engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
        gapless(connection, "invoice")
        other.execute(insert(DOCUMENTS).values(number=1))
        other.commit()
        assert connection.scalar(text("SELECT COUNT(*) FROM documents")) == 1


@on_servers
def test_a_transaction_that_only_reads_is_named(engine: Engine) -> None:
    with engine.connect() as connection:
        connection.exec_driver_sql("SET TRANSACTION READ ONLY" if engine.dialect.name == "postgresql" else "COMMIT")
        if engine.dialect.name != "postgresql":
            connection.exec_driver_sql("START TRANSACTION READ ONLY")
        with pytest.raises(leafmint.StoreUnavailableError, match="begin a transaction that may write"):
            gapless(connection, "invoice")


@on_each
def test_an_async_session_awaits_the_number(engine: Engine, database: str) -> None:
    async def take() -> None:
        url = engine.url.set(drivername=ASYNC_DRIVERS[engine.dialect.name.replace("mariadb", "mysql")])
        asynchronous = create_async_engine(url)
        async with AsyncSession(asynchronous) as session:
            assert await gapless(session, "invoice") == 1
            await session.rollback()
            assert await gapless(session, "invoice") == 1
            await session.commit()
        async with asynchronous.begin() as connection:
            assert await gapless(connection, "invoice") == 2
        async with asynchronous.connect() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            with pytest.raises(leafmint.InvalidArgumentError, match="AUTOCOMMIT"):
                await gapless(connection, "invoice")
        await asynchronous.dispose()

    asyncio.run(take())


def test_a_savepoint_that_sqlite3_may_commit_is_refused(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'documents.db'}"
    engine = create_engine(database, poolclass=NullPool)
    make_tables(database, engine)
    with Session(engine) as session:
        assert gapless(session, "invoice") == 1
        session.rollback()
        session.begin_nested()
        with pytest.raises(leafmint.InvalidArgumentError, match="savepoint"):
            gapless(session, "invoice")


@pytest.mark.parametrize(("series", "start"), [("", 1), ("a" * 129, 1), ("a\0", 1), ("a ", 1), ("invoice", 0)])
def test_bad_arguments_are_refused(tmp_path: Path, series: str, start: int) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'documents.db'}", poolclass=NullPool)
    with engine.connect() as connection, pytest.raises(leafmint.InvalidArgumentError):
        gapless(connection, series, start=start)
