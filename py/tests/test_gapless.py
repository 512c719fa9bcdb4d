"""`leafmint.sqlalchemy.GaplessSequence`: numbers without gaps on SQLite, MariaDB and PostgreSQL."""

import asyncio
import re
import threading
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import leafmint
import pytest
from gapless_databases import DOCUMENTS, begin_at_begin, empty_database, engine_url, make_tables
from leafmint.sqlalchemy import GaplessSequence
from sqlalchemy import Engine, NullPool, create_engine, insert, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_scoped_session,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.orm import Session
from testing import in_threads

KINDS = ["sqlite", "mysql", "postgres"]
COMING_FROM = Path(__file__).parents[2] / "docs/coming-from.md"
INVOICES = GaplessSequence("invoice", period="forever")
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


def of(name: str, start: int = 1) -> GaplessSequence:
    """Return a sequence that never starts again."""
    return GaplessSequence(name, period="forever", start=start)


on_each = pytest.mark.parametrize("database", KINDS, indirect=True)
on_servers = pytest.mark.parametrize("database", KINDS[1:], indirect=True)


@on_each
def test_a_savepoint_that_rolls_back_gives_the_number_back(engine: Engine) -> None:
    with Session(engine) as session, session.begin():
        assert of("invoice", start=100).next(session).number == 100
        with session.begin_nested() as savepoint:
            assert INVOICES.next(session).number == 101
            savepoint.rollback()
        assert INVOICES.next(session).number == 101


@on_each
def test_a_row_that_is_set_as_the_page_says_continues_above(engine: Engine) -> None:
    [statement] = re.findall(r"`(UPDATE leafmint_gapless [^`]*)`", COMING_FROM.read_text())
    invoices = GaplessSequence("invoice", period="year", zone="Europe/Madrid", start=43)
    day = date(2026, 11, 25)
    with engine.begin() as connection:
        assert invoices.next(connection, on=day).number == 43
        connection.execute(text(statement.replace("\n", " ")))
        assert invoices.next(connection, on=day).number == 51


@on_servers
def test_two_series_in_both_orders_fail_by_name_and_the_transaction_can_be_repeated(engine: Engine) -> None:
    meeting, failures = threading.Barrier(2), []
    orders = [["invoice", "credit"], ["credit", "invoice"]]

    def take(series: list[str], meet: bool) -> None:
        with engine.begin() as connection:
            of(series[0]).next(connection)
            if meet:
                meeting.wait(10)
            of(series[1]).next(connection)

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
        assert INVOICES.next(connection).number == of("credit").next(connection).number == 1
    in_threads(2, take_again)
    failure = failures[0]
    assert (failure.reason, failure.retryable) == ("locked", True)
    assert (
        failure.server_code == {"mysql": 1213, "postgresql": "40P01"}[engine.dialect.name.replace("mariadb", "mysql")]
    )
    assert "repeat it as a whole" in str(failure)
    assert isinstance(failure.__cause__, DBAPIError)
    with engine.begin() as connection:
        assert INVOICES.next(connection).number == of("credit").next(connection).number == 4


@on_each
def test_a_series_that_stays_locked_fails_by_name(engine: Engine, database: str) -> None:
    options = {"timeout": 0.05} if engine.dialect.name == "sqlite" else {}
    impatient = create_engine(engine_url(database), connect_args=options, poolclass=NullPool)
    wait = {"sqlite": "SELECT 1", "postgresql": "SET lock_timeout = 50"}
    with engine.begin() as first, impatient.connect() as second:
        INVOICES.next(first)
        second.execute(text(wait.get(engine.dialect.name, "SET innodb_lock_wait_timeout = 1")))
        with pytest.raises(leafmint.StoreUnavailableError, match="repeat it as a whole") as raised:
            INVOICES.next(second)
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
        INVOICES.next(other)
        other.commit()
        if is_mariadb:
            connection.exec_driver_sql(f"SET innodb_snapshot_isolation = {fails}")
        connection.execute(text("SELECT number FROM leafmint_gapless"))
        with engine.begin() as third:
            INVOICES.next(third)
        if fails:
            with pytest.raises(leafmint.StoreUnavailableError, match="repeat it as a whole"):
                INVOICES.next(connection)
        else:
            assert INVOICES.next(connection).number == 3


@on_each
def test_autocommit_is_refused(engine: Engine, database: str) -> None:
    with engine.connect() as connection, pytest.raises(leafmint.InvalidArgumentError, match="AUTOCOMMIT"):
        INVOICES.next(connection.execution_options(isolation_level="AUTOCOMMIT"))
    options = {"isolation_level": None} if engine.dialect.name == "sqlite" else {"autocommit": True}
    by_driver = create_engine(engine_url(database), connect_args=options, poolclass=NullPool)
    with by_driver.connect() as connection, pytest.raises(leafmint.InvalidArgumentError, match="autocommit mode"):
        INVOICES.next(connection)
    with engine.begin() as connection:
        assert INVOICES.next(connection).number == 1


@on_each
def test_a_missing_table_is_named(database: str) -> None:
    engine = create_engine(engine_url(database), poolclass=NullPool)
    with engine.connect() as connection, pytest.raises(leafmint.InvalidConfigError, match="leafmint init") as raised:
        INVOICES.next(connection)
    assert raised.value.reason == "missing_table"


@on_each
def test_sequences_are_listed_through_a_url_and_an_engine(engine: Engine, database: str) -> None:
    with engine.begin() as connection:
        of("credit", start=7).next(connection)
        years = GaplessSequence("invoice", period="year", zone="UTC", key="shop-7")
        years.next_many(connection, 42, on=date(2026, 11, 25))
    places: list[str | Engine | AsyncEngine] = [database, engine]
    places.append(create_async_engine(engine.url.set(drivername=ASYNC_DRIVERS[database.split(":")[0]])))
    for place in places:
        with leafmint.SegmentGenerator(place) as ids:
            assert [(each.name, each.key, each.period, each.group, each.number) for each in ids.list_gapless()] == [
                ("credit", None, "forever", "", 7),
                ("invoice", "shop-7", "year", "2026", 42),
            ]


@on_servers
def test_a_missing_table_is_not_an_empty_list(database: str) -> None:
    engine = create_engine(engine_url(database), poolclass=NullPool)
    places: list[str | Engine] = [database, engine]
    for place in places:
        with (
            leafmint.SegmentGenerator(place) as ids,
            pytest.raises(leafmint.InvalidConfigError, match="CREATE TABLE") as raised,
        ):
            ids.list_gapless()
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
        INVOICES.next(connection)


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
            INVOICES.next(connection)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT COUNT(*) FROM leafmint_gapless").scalar() == 0


@pytest.mark.parametrize(
    ("database", "changes", "remedy"),
    [
        pytest.param(database, *case, id=f"{database}-{case[1]}-{at}")
        for database, kind in zip(KINDS, ["sqlite", "mysql", "postgresql"], strict=True)
        for at, case in enumerate(UNFIT[kind])
        # What a column holds is a matter of each row.
        if case[1] not in {"INTEGER", "BIGINT"}
    ],
    indirect=["database"],
)
def test_a_table_that_cannot_keep_a_series_is_not_listed(
    engine: Engine, database: str, changes: list[str], remedy: str
) -> None:
    with engine.begin() as connection:
        for change in changes:
            connection.exec_driver_sql(change)
    places: list[str | Engine] = [database, engine]
    for place in places:
        with (
            leafmint.SegmentGenerator(place) as ids,
            pytest.raises(leafmint.InvalidConfigError, match=re.escape(remedy)),
        ):
            ids.list_gapless()


@pytest.mark.parametrize("database", ["mysql"], indirect=True)
def test_a_temporary_table_is_refused_on_the_connection_that_has_it(engine: Engine) -> None:
    with engine.connect() as connection:
        connection.exec_driver_sql("CREATE TEMPORARY TABLE leafmint_gapless (name char(9) PRIMARY KEY, number BIGINT)")
        with pytest.raises(leafmint.InvalidConfigError, match="temporary"):
            INVOICES.next(connection)
        connection.exec_driver_sql("DROP TEMPORARY TABLE leafmint_gapless")
        assert INVOICES.next(connection).number == 1


@pytest.mark.parametrize("database", ["mysql"], indirect=True)
@pytest.mark.parametrize("number", [2, 3])
def test_a_number_that_a_trigger_holds_is_refused(engine: Engine, number: int) -> None:
    if not getattr(engine.dialect, "is_mariadb", False):
        pytest.skip("MySQL answers that the row has changed")
    with engine.begin() as connection:
        of("invoice", start=number).next(connection)
        connection.exec_driver_sql(
            "CREATE TRIGGER holds BEFORE UPDATE ON leafmint_gapless FOR EACH ROW SET NEW.number = OLD.number"
        )
    with engine.connect() as connection, pytest.raises(leafmint.InvalidConfigError, match=f"still {number}"):
        INVOICES.next(connection)


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
        assert (INVOICES.next(connection).number, INVOICES.next(connection).number) == (1, 2)
    with engine.connect() as connection, pytest.raises(leafmint.InvalidConfigError, match="one spelling"):
        of("Invoice").next(connection)


# In PostgreSQL each first statement of a transaction fixes its snapshot.
@pytest.mark.parametrize("database", ["mysql"], indirect=True)
def test_the_questions_fix_no_snapshot(engine: Engine) -> None:
    with engine.begin() as other, engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
        INVOICES.next(connection)
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
            INVOICES.next(connection)


@on_each
def test_an_async_session_awaits_the_number(engine: Engine, database: str) -> None:
    async def take() -> None:
        url = engine.url.set(drivername=ASYNC_DRIVERS[engine.dialect.name.replace("mariadb", "mysql")])
        asynchronous = create_async_engine(url)
        async with AsyncSession(asynchronous) as session:
            assert (await INVOICES.next(session)).number == 1
            await session.rollback()
            assert (await INVOICES.next(session)).number == 1
            await session.commit()
        async with asynchronous.begin() as connection:
            taken = await INVOICES.next(connection)
            assert taken.number == 2
            assert await INVOICES.last(connection) == taken
        scoped = async_scoped_session(async_sessionmaker(asynchronous), asyncio.current_task)
        assert await INVOICES.last(scoped) == taken
        assert await INVOICES.next_many(scoped, 0) == []
        await scoped.remove()
        async with asynchronous.connect() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            with pytest.raises(leafmint.InvalidArgumentError, match="AUTOCOMMIT"):
                await INVOICES.next(connection)
        await asynchronous.dispose()

    asyncio.run(take())


def test_a_savepoint_that_sqlite3_may_commit_is_refused(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'documents.db'}"
    engine = create_engine(database, poolclass=NullPool)
    make_tables(database, engine)
    with Session(engine) as session:
        assert INVOICES.next(session).number == 1
        session.rollback()
        session.begin_nested()
        with pytest.raises(leafmint.InvalidArgumentError, match="savepoint"):
            INVOICES.next(session)


@pytest.mark.parametrize(
    ("name", "start"), [("", 1), ("a" * 129, 1), ("a\0", 1), ("a ", 1), ("a@b", 1), ("invoice", 0)]
)
def test_bad_arguments_are_refused(name: str, start: int) -> None:
    with pytest.raises(leafmint.InvalidArgumentError):
        of(name, start)
