"""What an engine of SQLAlchemy says holds for leafmint's connections, and what the application does is left alone."""

import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import leafmint
import pymysql
import pytest
from account import Account
from engines import ASYNCHRONOUS, DRIVERS, SYNCHRONOUS, engine_of
from leafmint.sqlalchemy import id_column
from sqlalchemy import Engine, create_engine, event, make_url, text
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session
from sqlalchemy.pool import NullPool, StaticPool
from testing import in_threads, run_python, start_python, unavailable

SHORT: dict[str, Any] = {"auto_create": True, "default_step": 10, "max_step": 10, "timeout": 60}
"""Options of segments that last for ten ids."""


@pytest.fixture
def tag() -> str:
    return f"py-{uuid.uuid4()}"


@pytest.fixture
def account(server_url: str) -> Iterator[Account]:
    """Return an account of each kind of server."""
    account = Account(server_url)
    yield account
    account.drop()


def of_account(account: Account, **options: Any) -> Engine:
    """Return an engine of an account, with the password that it has now."""
    driver = "postgresql+psycopg" if account.is_postgres else "mysql+pymysql"
    url = make_url(account.url).set(drivername=driver, username=account.user, password=account.password)
    return create_engine(url, **options)


def on_server(driver: str, request: pytest.FixtureRequest, **options: Any) -> Engine | AsyncEngine:
    """Return an engine of a driver on the tests' server."""
    server = request.getfixturevalue("mysql_url" if driver.startswith("mysql") else "postgres_url")
    return engine_of(driver, server, **options)


@pytest.fixture
def schema(postgres_url: str) -> Iterator[str]:
    """Return a schema of the test's own."""
    name = f"schema_{uuid.uuid4().hex[:8]}"
    operator = create_engine(make_url(postgres_url).set(drivername="postgresql+psycopg"), poolclass=NullPool)
    with operator.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {name}"))
    yield name
    with operator.begin() as connection:
        assert connection.scalar(text(f"SELECT count(*) FROM {name}.leaf_alloc")) == 1
        connection.execute(text(f"DROP SCHEMA {name} CASCADE"))


SCHEMAS: dict[str, dict[str, Any]] = {
    "postgresql+psycopg": {"options": "-csearch_path={}"},
    "postgresql+psycopg2": {"options": "-csearch_path={}"},
    "postgresql+psycopg_async": {"options": "-csearch_path={}"},
    "postgresql+asyncpg": {"server_settings": {"search_path": "{}"}},
}


@pytest.mark.parametrize("driver", SCHEMAS)
def test_the_table_is_in_the_schema_of_connect_args(
    driver: str, schema: str, tag: str, request: pytest.FixtureRequest
) -> None:
    filled = {
        name: value.format(schema) if isinstance(value, str) else dict.fromkeys(value, schema)
        for name, value in SCHEMAS[driver].items()
    }
    engine = on_server(driver, request, connect_args=filled)
    with leafmint.SegmentGenerator(engine, **SHORT) as ids:
        assert ids.tag(tag).next_id() == 1
        assert schema in ids.scope


@pytest.mark.parametrize("driver", SCHEMAS)
@pytest.mark.parametrize("identifier", ["connect", "checkout"])
def test_the_table_is_in_the_schema_that_a_listener_sets(
    driver: str, identifier: str, schema: str, tag: str, request: pytest.FixtureRequest
) -> None:
    engine = on_server(driver, request)

    @event.listens_for(getattr(engine, "sync_engine", engine), identifier)
    def set_schema(driver_connection: Any, *_: object) -> None:
        cursor = driver_connection.cursor()
        cursor.execute(f"SET SESSION search_path = {schema}")
        cursor.close()

    with leafmint.SegmentGenerator(engine, **SHORT) as ids:
        assert ids.tag(tag).next_id() == 1


def test_a_creator_and_a_listener_make_the_connections(account: Account, tag: str) -> None:
    engine = of_account(account)
    made: list[str] = []

    @event.listens_for(engine, "do_connect")
    def give_token(_dialect: Any, _record: Any, _arguments: Any, parameters: dict[str, Any]) -> None:
        parameters["password"] = account()[1]
        made.append(threading.current_thread().name)

    with leafmint.SegmentGenerator(engine, **SHORT) as ids:
        order = ids.tag(tag)
        minted = order.next_ids(20)
        account.rotate()
        assert len(set(minted + order.next_ids(20))) == 40
        assert len(made) >= 2
    engine.dispose()


def test_a_creator_of_the_application_connects(mysql_url: str, tag: str) -> None:
    url, called = make_url(mysql_url), []

    def connect() -> Any:
        called.append(True)
        return pymysql.connect(host=url.host, port=url.port or 3306, user=url.username, database=url.database)

    engine = create_engine("mysql+pymysql://", creator=connect)
    with leafmint.SegmentGenerator(engine, **SHORT) as ids:
        assert ids.tag(tag).next_id() == 1
        assert "test_a_creator_of_the_application_connects" in ids.scope
    assert called


def test_configure_takes_an_engine_for_both_modes(mysql_url: str, tag: str) -> None:
    engine = engine_of("mysql+pymysql", mysql_url)
    options = {"namespace": tag, "state_files": False, "timeout": 60}
    leafmint.configure(engine, options=SHORT, snowflake_options=options)
    try:
        assert leafmint.tag(tag).next_id() == 1
        assert leafmint.snowflake().next_id() > 2**40
        opened = leafmint.segment_generator()
        leafmint.configure(engine, options=SHORT, snowflake_options=options)
        assert leafmint.segment_generator() is opened
    finally:
        leafmint.configure()


@pytest.mark.parametrize("driver", SYNCHRONOUS)
def test_threads_that_hold_the_whole_pool_get_their_first_ids(
    driver: str, tag: str, request: pytest.FixtureRequest
) -> None:
    engine: Any = on_server(driver, request, pool_size=2, max_overflow=0)
    with leafmint.SegmentGenerator(engine, **SHORT) as ids:
        order = ids.tag(tag)

        def work() -> int:
            with Session(engine) as session:
                session.execute(text("SELECT 1"))
                return order.next_id()

        assert len(set(in_threads(40, work))) == 40
    engine.dispose()


@pytest.mark.parametrize("driver", SYNCHRONOUS)
def test_a_transaction_of_the_application_is_not_touched(driver: str, tag: str, request: pytest.FixtureRequest) -> None:
    engine: Any = on_server(driver, request)
    table = f"rows_{uuid.uuid4().hex}"
    with engine.begin() as connection:
        connection.execute(text(f"CREATE TABLE {table} (id BIGINT)"))
    with leafmint.SegmentGenerator(engine, **SHORT) as ids, Session(engine) as session:
        session.execute(text(f"INSERT INTO {table} VALUES ({ids.tag(tag).next_id()})"))
        assert len(ids.tag(tag).next_ids(50)) == 50
        assert session.in_transaction()
        assert engine.pool.checkedout() == 1
        session.rollback()
        assert session.scalar(text(f"SELECT count(*) FROM {table}")) == 0
        assert ids.tag(tag).next_id() == 52
    with engine.begin() as connection:
        connection.execute(text(f"DROP TABLE {table}"))
    engine.dispose()


@pytest.mark.parametrize("driver", ASYNCHRONOUS)
def test_an_asynchronous_engine_is_left_to_the_loop_of_the_application(
    driver: str, tag: str, request: pytest.FixtureRequest, run: Callable[[Coroutine[Any, Any, None]], None]
) -> None:
    class Base(DeclarativeBase):
        pass

    ids = leafmint.SegmentGenerator(on_server(driver, request), **SHORT)

    class Order(Base):
        __tablename__ = f"orders_{uuid.uuid4().hex}"
        id: Mapped[int] = id_column(ids.tag(tag))

    async def work() -> None:
        engine: Any = on_server(driver, request, pool_size=1, max_overflow=0)
        # The application's engine, whose one connection the session holds.
        async with leafmint.SegmentGenerator(engine, **SHORT) as others, engine.begin() as connection:
            await connection.run_sync(Base.metadata.create_all)
            assert await others.tag(f"{tag}-other").next_id_async() == 1
        async with AsyncSession(engine, expire_on_commit=False) as session:
            session.add_all([Order() for _ in range(30)])
            await session.flush()
            rows = (await session.scalars(text(f"SELECT id FROM {Order.__tablename__}"))).all()
            assert sorted(rows) == list(range(1, 31))
            await session.rollback()
        async with engine.begin() as connection:
            await connection.run_sync(Base.metadata.drop_all)
        await engine.dispose()

    with ids:
        run(work())


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_connection_that_the_server_ends_is_made_again(driver: str, tag: str, request: pytest.FixtureRequest) -> None:
    server = request.getfixturevalue("mysql_url" if driver.startswith("mysql") else "postgres_url")
    account = Account(server)
    engine = engine_of(driver, account.url.replace("://", f"://{account.user}:{account.password}@"))
    try:
        with leafmint.SegmentGenerator(engine, **SHORT) as ids:
            order, minted = ids.tag(tag), []
            for _ in range(3):
                minted += order.next_ids(25)
                account.cut()
            assert len(set(minted + order.next_ids(25))) == 100
    finally:
        account.drop()


def test_a_driver_that_hangs_costs_the_caller_its_deadline(mysql_url: str, tag: str) -> None:
    url, hangs = make_url(mysql_url), threading.Event()

    def connect() -> Any:
        assert hangs.wait(120)
        return pymysql.connect(host=url.host, port=url.port or 3306, user=url.username, database=url.database)

    engine = create_engine("mysql+pymysql://", creator=connect)
    with leafmint.SegmentGenerator(engine, **SHORT, connect_timeout=1) as ids:
        began = time.monotonic()
        unavailable(ids.tag(tag).next_id, "connect_timeout=1s")
        assert time.monotonic() - began < 30
        hangs.set()
        assert ids.tag(tag).next_id() == 1


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_statement_that_hangs_costs_a_thread_for_a_moment(
    driver: str, tag: str, request: pytest.FixtureRequest
) -> None:
    locked = "mysql+pymysql" if driver.startswith("mysql") else "postgresql+psycopg"
    blocker: Any = on_server(locked, request, poolclass=NullPool)
    with leafmint.SegmentGenerator(on_server(driver, request), **SHORT, connect_timeout="500ms") as ids:
        order = ids.tag(tag)
        minted = [order.next_id()]
        with blocker.begin() as connection:
            connection.execute(text("UPDATE leaf_alloc SET step = step WHERE biz_tag = :tag"), {"tag": tag})
            for _ in range(3):
                unavailable(lambda timeout: order.next_ids(100, timeout=timeout), "no answer|locked|lock")
        # The threads whose statements waited for the lock have been cut off.
        deadline = time.monotonic() + 60
        while driver_threads() > 1:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        minted += order.next_ids(100)
        assert len(set(minted)) == 101


def driver_threads() -> int:
    """Return the number of threads that may be inside a driver."""
    names = [(task / "comm").read_text().strip() for task in Path("/proc/self/task").iterdir()]
    return names.count("leafmint-driver")


def test_a_server_without_a_free_connection_is_named(mysql_url: str, tag: str) -> None:
    account = Account(mysql_url)
    account.sql(f"ALTER USER {account.user}@'%' WITH MAX_USER_CONNECTIONS 1")
    engine = of_account(account)
    try:
        with leafmint.SegmentGenerator(engine, **SHORT) as ids:
            with engine.connect():
                error = unavailable(ids.tag(tag).next_id, "max_user_connections")
                assert account.password not in str(error)
            engine.dispose()
            assert ids.tag(tag).next_id() == 1
    finally:
        account.drop()


def test_a_server_that_cannot_be_reached_is_named_without_secrets() -> None:
    for engine in (
        create_engine("mysql+pymysql://root:s3ntinel@127.0.0.1:1/shop"),
        create_engine("postgresql+psycopg://root:s3ntinel@127.0.0.1:1/shop?sslpassword=s3ntinel"),
        create_async_engine("postgresql+asyncpg://root:s3ntinel@127.0.0.1:1/shop"),
    ):
        with leafmint.SegmentGenerator(engine) as ids:
            error = unavailable(ids.tag("order").next_id, r"127.0.0.1:1/shop")
            assert "s3ntinel" not in f"{error} {ids.scope} {ids.stats()}"


@pytest.mark.parametrize("driver", [*DRIVERS, "sqlite", "sqlite+aiosqlite"])
def test_an_outage_of_any_length_is_over_when_the_database_is_back(
    driver: str, tag: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    is_away = True

    def refuse(*_: Any) -> None:
        if is_away:
            raise ConnectionRefusedError("the database is away")

    is_file = driver.startswith("sqlite")
    engine = engine_of(driver, f"sqlite:///{tmp_path / 'app.db'}") if is_file else on_server(driver, request)
    event.listen(engine.sync_engine if isinstance(engine, AsyncEngine) else engine, "do_connect", refuse)
    with leafmint.SegmentGenerator(engine, **SHORT) as ids:
        for _ in range(50):
            with pytest.raises(leafmint.StoreUnavailableError, match="the database is away"):
                ids.check()
        is_away = False
        ids.check()
        assert len(ids.tag(tag).next_ids(25)) == 25


@pytest.mark.parametrize("driver", ["sqlite", "sqlite+aiosqlite"])
def test_a_file_of_sqlite_has_ids_and_rows(driver: str, tmp_path: Path, tag: str) -> None:
    engine = engine_of(driver, f"sqlite:///{tmp_path / 'app.db'}")
    # As on a URL of a file, tags and tables are made at the first id.
    with leafmint.SegmentGenerator(engine, default_step=10, max_step=10, timeout=60) as ids:
        assert ids.tag(tag).next_ids(25) == list(range(1, 26))
    with leafmint.SegmentGenerator(engine_of("sqlite", f"sqlite:///{tmp_path / 'app.db'}"), **SHORT) as others:
        assert min(others.tag(tag).next_ids(25)) > 25


@pytest.mark.parametrize(
    "engine",
    [
        create_engine("sqlite://"),
        create_engine("sqlite://", connect_args={"check_same_thread": False}, poolclass=StaticPool),
        create_engine("sqlite:///file:shop?mode=memory&cache=shared&uri=true", poolclass=NullPool),
        create_async_engine("sqlite+aiosqlite://"),
    ],
)
def test_a_database_in_memory_is_refused(engine: Any) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match=r"in the memory.*memory://shop"):
        leafmint.SegmentGenerator(engine)


def test_a_creator_of_a_database_in_memory_is_refused() -> None:
    engine = create_engine("sqlite:///app.db", creator=lambda: sqlite3.connect(":memory:", check_same_thread=False))
    with (
        leafmint.SegmentGenerator(engine, timeout=60) as ids,
        pytest.raises(leafmint.LeafmintError, match="in the memory"),
    ):
        ids.tag("order").next_id(timeout=2)


PRELUDE = """
        import atexit, os, signal, sys, threading, time
        # Runs after leafmint's own hook.
        blockers = []
        atexit.register(lambda: [blocker.close() for blocker in blockers])
        sys.path.insert(0, sys.argv[4])
        import leafmint
        from engines import engine_of
        from sqlalchemy import text
        from sqlalchemy.pool import NullPool

        engine = engine_of(sys.argv[1], sys.argv[2])
        ids = leafmint.SegmentGenerator(engine, auto_create=True, default_step=10, max_step=10, timeout=60)
        order = ids.tag(sys.argv[3])
"""


def run_script(script: str, driver: str, request: pytest.FixtureRequest, tag: str, is_cut: bool = False) -> str:
    """Run a script with an engine of a driver, which must report nothing, unless its exit cuts a statement off."""
    server = request.getfixturevalue("mysql_url" if driver.startswith("mysql") else "postgres_url")
    process = start_python(PRELUDE + script, driver, server, tag, str(Path(__file__).parent))
    out, err = process.communicate(timeout=300)
    # asyncmy prints the server's notes. What an exit cuts off, drivers and loops report as not closed.
    told = [line for line in err.splitlines() if "already exists" not in line]
    assert process.returncode == 0, err
    assert not told or (is_cut and all("ResourceWarning" in line for line in told if "Warning" in line)), err
    return out


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_child_of_a_fork_connects_anew(driver: str, tag: str, request: pytest.FixtureRequest) -> None:
    script = """
        minted = order.next_ids(15)
        for _ in range(2):
            reader, writer = os.pipe()
            child = os.fork()
            if child == 0:
                os.write(writer, repr(order.next_ids(25)).encode())
                sys.exit(0)
            assert os.waitpid(child, 0)[1] == 0
            minted += eval(os.read(reader, 10000)) + order.next_ids(25)
        ids.close()
        print(len(minted), len(set(minted)))
        """
    assert run_script(script, driver, request, tag).split() == ["115", "115"]


LOCK = """
        order.next_id()
        locking = {"m": "mysql+pymysql", "p": "postgresql+psycopg"}[sys.argv[1][0]]
        blocker = engine_of(locking, sys.argv[2], poolclass=NullPool).connect()
        blockers.append(blocker)
        blocker.execute(text("UPDATE leaf_alloc SET step = step WHERE biz_tag = :tag"), {"tag": sys.argv[3]})
"""


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_exit_does_not_wait_for_a_statement(driver: str, tag: str, request: pytest.FixtureRequest) -> None:
    script = (
        LOCK
        + """
        try:
            order.next_ids(30, timeout=1)
        except leafmint.SegmentUnavailableError:
            print("waits", flush=True)
        """
    )
    assert run_script(script, driver, request, tag, is_cut=True).split() == ["waits"]


@pytest.mark.parametrize("driver", ["mysql+pymysql", "postgresql+asyncpg"])
def test_ctrl_c_ends_a_call_that_waits_for_a_statement(driver: str, tag: str, request: pytest.FixtureRequest) -> None:
    script = (
        LOCK
        + """
        threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            order.next_ids(30, timeout=60)
        except KeyboardInterrupt:
            blocker.rollback()
            print("interrupted", len(order.next_ids(30)))
        """
    )
    assert run_script(script, driver, request, tag).split() == ["interrupted", "30"]


def test_the_names_of_engines_say_where_they_lead_and_are_stable() -> None:
    def scope(*arguments: Any, **options: Any) -> str:
        return leafmint.SegmentGenerator(create_engine(*arguments, **options)).scope.split(", table")[0]

    url = "postgresql+psycopg://shop:s3ntinel@db.example.com/shop"
    plain = scope(url)
    assert plain == "SQLAlchemy engine postgresql+psycopg://shop@db.example.com/shop"
    assert scope(url, connect_args={"options": "-csearch_path=a"}) == f"{plain} options=-csearch_path=a"
    assert scope(url, connect_args={"password": "s3ntinel", "sslmode": "require", "dbname": "shop"}) == plain
    assert scope(url, connect_args={"dbname": "other"}) != plain
    assert "service=shop" in scope("postgresql+psycopg://?service=shop&sslpassword=s3ntinel")
    assert scope("sqlite:///app.db") == f"SQLAlchemy engine sqlite:///{Path('app.db').resolve()}"


def test_engines_whose_creators_have_one_name_are_told_apart() -> None:
    def connect() -> Any:
        raise AssertionError

    engines = [create_engine("mysql+pymysql://", creator=connect) for _ in range(2)]
    first, second, again = (leafmint.SegmentGenerator(engine).scope for engine in [*engines, engines[0]])
    assert first == again != second


def test_an_application_without_sqlalchemy_does_not_import_it() -> None:
    script = """
        import sys, leafmint
        ids = leafmint.SegmentGenerator("memory:")
        assert ids.tag("order").next_id() == 1
        try:
            leafmint.SegmentGenerator(7)
        except TypeError:
            print("sqlalchemy" in sys.modules)
        """
    assert run_python(script).split() == ["False"]
