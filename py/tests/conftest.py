"""The fixtures that more than one file uses."""

import asyncio
import os
import tempfile
import time
import uuid
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import leafmint
import pytest
import uvloop
from audited import Audited, empty_database
from django_projects import PLAIN, Project
from django_projects import empty_database as empty_database_of_django
from fork_scripts import Arguments
from sqlalchemy import Engine, create_engine, make_url, text

PATIENCE = 60
"""Seconds that a call may take on a machine whose disk is busy."""


def one_hour_ticks(url: str) -> str:
    """Add a layout with ticks so long that callers wait once the ids of one are used up."""
    # A tick begins at the epoch, so that this one lasts for longer than any test.
    minute_ago = int(time.time() * 1000) - 60_000
    return f"{url}?layout=timestamp:20,worker:10,sequence:4,unit:1h&epoch={minute_ago}"


@pytest.fixture
def url(in_memory: Path) -> str:
    """Return the URL of a SQLite file that does not exist yet."""
    return f"sqlite:///{in_memory / 'ids.db'}"


@pytest.fixture
def ids(url: str) -> Iterator[leafmint.SegmentGenerator]:
    """Return an open generator on SQLite."""
    with leafmint.SegmentGenerator(url, timeout=PATIENCE) as generator:
        yield generator


@pytest.fixture
def order(ids: leafmint.SegmentGenerator) -> leafmint.Tag:
    """Return a tag of a generator on SQLite."""
    return ids.tag("order")


@pytest.fixture
def in_memory() -> Iterator[Path]:
    """Return a directory that waits for no disk, for what must be fast."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


def url_of_server(variable: str, example: str) -> str:
    """Return the URL of a throwaway server, which an environment variable names."""
    url = os.environ.get(variable)
    if not url:
        pytest.fail(f"set {variable} to the URL of a throwaway server, such as {example}")
    return url


@pytest.fixture
def mysql_url() -> str:
    """Return the URL of a MySQL or MariaDB database that tests may write to."""
    return url_of_server("LEAFMINT_TEST_MYSQL", "mysql://root@127.0.0.1:3306/leafmint")


@pytest.fixture
def counted(mysql_url: str, tmp_path: Path) -> Iterator[Audited]:
    """Yield a database with a table whose key MySQL or MariaDB counts, and an account that may only read."""
    shop = Audited("mysql", mysql_url, tmp_path)
    shop.table("orders", "BIGINT")
    yield shop
    shop.drop()


@pytest.fixture
def postgres_url() -> str:
    """Return the URL of a PostgreSQL database that tests may write to."""
    return url_of_server("LEAFMINT_TEST_POSTGRES", "postgresql://me@127.0.0.1/leafmint")


@pytest.fixture
def own_schema(postgres_url: str) -> Iterator[Engine]:
    """Return an engine of psycopg on a schema of the test's own."""
    schema = f"schema_{uuid.uuid4().hex[:8]}"
    url = make_url(postgres_url).set(drivername="postgresql+psycopg")
    engine = create_engine(url.update_query_dict({"options": f"-csearch_path={schema}"}))
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    yield engine
    with engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
    engine.dispose()


@pytest.fixture
def zookeeper_url() -> str:
    """Return the URL of a Leaf's place in a ZooKeeper that tests may write to."""
    return url_of_server("LEAFMINT_TEST_ZOOKEEPER", "zookeeper://127.0.0.1:2181/leaf")


@pytest.fixture
def tickets_url() -> str:
    """Return the URL of two ticket servers whose databases tests may write to."""
    return url_of_server("LEAFMINT_TEST_TICKETS", "tickets://root@127.0.0.1:3306,127.0.0.1:3307/leafmint")


@pytest.fixture(params=["mysql", "postgres"])
def server_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of a database on each kind of server."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(params=["sqlite", "mysql+pymysql", "postgresql+psycopg"])
def application_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty database, in SQLAlchemy's spelling."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'app.db'}"
    kind = "mysql_url" if request.param.startswith("mysql") else "postgres_url"
    server = make_url(request.getfixturevalue(kind)).set(drivername=request.param)
    name = f"application_{uuid.uuid4().hex}"
    # PostgreSQL makes no database within a transaction.
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return server.set(database=name).render_as_string(hide_password=False)


@pytest.fixture
def mariadb(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Audited]:
    """Return an empty database of MariaDB to audit."""
    yield from empty_database(request, "mysql", tmp_path)


@pytest.fixture
def postgres(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Audited]:
    """Return an empty database of PostgreSQL to audit."""
    yield from empty_database(request, "postgresql", tmp_path)


@pytest.fixture
def local(in_memory: Path) -> str:
    """Return the URL of a directory that does not exist yet."""
    return f"local:{in_memory / 'workers'}"


@pytest.fixture
def flakes(local: str) -> Iterator[leafmint.SnowflakeGenerator]:
    """Return an open generator of snowflakes on a directory."""
    with leafmint.SnowflakeGenerator(local, timeout=PATIENCE) as generator:
        yield generator


@pytest.fixture
def used_up(local: str) -> Iterator[leafmint.SnowflakeGenerator]:
    """Return a generator of snowflakes that has no id before the next hour."""
    with leafmint.SnowflakeGenerator(one_hour_ticks(local), timeout=20) as generator:
        generator.next_id()
        while generator.try_next_id() is not None:
            pass
        yield generator


@pytest.fixture(
    params=[
        "sqlite",
        "mysql",
        "postgres",
        "local",
        "mysql flakes",
        "mysql flakes without a disk",
        "postgres flakes",
        "zookeeper flakes",
    ]
)
def arguments(request: pytest.FixtureRequest, tmp_path: Path) -> Arguments:
    """Return the arguments of a script that mints: both modes, each store and holder that processes can share."""
    name = f"fork-{uuid.uuid4()}"
    match request.param:
        case "sqlite":
            return "segments", f"sqlite:///{tmp_path / 'ids.db'}", name
        case "local":
            return "flakes", f"local:{tmp_path / 'workers'}", name
        case "postgres":
            return "segments", request.getfixturevalue("postgres_url"), name
    if request.param in ("postgres flakes", "zookeeper flakes"):
        server = request.getfixturevalue(request.param.replace(" flakes", "_url"))
        return "flakes", f"{server}?auto_create=true&namespace={name}&state_files=false", name
    mysql_url = request.getfixturevalue("mysql_url")
    if request.param == "mysql":
        return "segments", mysql_url, name
    files = f"state_dir={tmp_path / 'state'}" if request.param == "mysql flakes" else "state_files=false"
    return "flakes", f"{mysql_url}?auto_create=true&namespace={name}&{files}", name


@pytest.fixture(params=[asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Callable[[Coroutine[Any, Any, None]], None]:
    """Return what runs a coroutine on a new event loop, of each implementation."""
    runner: Callable[[Coroutine[Any, Any, None]], None] = request.param
    return runner


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a Django project on SQLite with its tables. Copy it."""
    project = Project(tmp_path_factory.mktemp("django") / "project")
    project.migrate()
    return project.folder


@pytest.fixture
def project(tmp_path: Path, migrated: Path) -> Project:
    """Return a Django project on SQLite."""
    return Project(tmp_path / "project", source=migrated)


@pytest.fixture(params=["sqlite", "mysql", "postgres"])
def on_each(request: pytest.FixtureRequest, project: Project) -> Iterator[Project]:
    """Return a Django project on each kind of database, without tables and migrations."""
    for file in ("shop/admin.py", "shop/migrations/0001_initial.py", "app.sqlite3"):
        (project.folder / file).unlink()
    patient = {"timeout": PATIENCE}
    ids: dict[str, Any] = {"DATABASE": "default", "OPTIONS": patient}
    ids |= {"SNOWFLAKE_URL": "local:workers", "SNOWFLAKE_OPTIONS": patient}
    project.settings = {"INSTALLED_APPS": PLAIN, "ROOT_URLCONF": "", "LEAFMINT": ids}
    if request.param == "sqlite":
        yield project
        return
    with empty_database_of_django(request.getfixturevalue(f"{request.param}_url")) as database:
        project.settings["DATABASES"] = {"default": database}
        yield project


@pytest.fixture(scope="session")
def migrated_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a Django project on SQLite whose models have typed ids, with its tables. Copy it."""
    project = Project(tmp_path_factory.mktemp("django") / "typed", source=Path(__file__).with_name("django_typed"))
    project.migrate()
    return project.folder


@pytest.fixture
def shop(tmp_path: Path, migrated_shop: Path) -> Project:
    """Return a Django project on SQLite whose models have typed ids."""
    return Project(tmp_path / "project", source=migrated_shop)


@pytest.fixture(scope="session")
def migrated_shards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a Django project on SQLite whose rows are spread, with its tables. Copy it."""
    folder = tmp_path_factory.mktemp("django") / "sharded"
    project = Project(folder, source=Path(__file__).with_name("django_sharded"))
    project.migrate_all()
    return project.folder


@pytest.fixture
def shards(tmp_path: Path, migrated_shards: Path) -> Project:
    """Return a Django project on SQLite whose orders are spread over three databases."""
    return Project(tmp_path / "project", source=migrated_shards)
