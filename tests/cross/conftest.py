"""What the cross-language tests share: the server, a table of Leaf's, directories, and the end of their processes."""

from __future__ import annotations

import os
import sys
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pymysql
import pytest
from holders import HolderUrl
from programs import ENDS, TOP

sys.path[:0] = [str(TOP / "tests/servers"), str(TOP / "tests/soak"), str(TOP / "tests/leaf")]

from segments import LEAF_TABLE  # noqa: E402


def url_of_server(variable: str) -> str:
    """Returns the URL of a server to test against."""
    url = os.environ.get(variable)
    assert url, f"set {variable}, or run `make test`, which starts a server"
    return url


@pytest.fixture(scope="session")
def mysql_url() -> str:
    """The URL of the MySQL or MariaDB to test against."""
    return url_of_server("LEAFMINT_TEST_MYSQL")


@pytest.fixture
def mysql(mysql_url: str) -> Iterator[pymysql.Connection]:
    """A connection of the operator."""
    parts = urlsplit(mysql_url)
    connection = pymysql.connect(
        host=parts.hostname,
        port=parts.port or 3306,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        database=parts.path.lstrip("/"),
        autocommit=True,
    )
    with connection:
        yield connection


@pytest.fixture
def leaf_table(mysql: pymysql.Connection) -> Iterator[str]:
    """A table as Leaf's own script makes it."""
    table = f"leaf_alloc_cross_{os.getpid()}"
    with mysql.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS `{table}`")
        cursor.execute(LEAF_TABLE.format(table=table))
        yield table
        cursor.execute(f"DROP TABLE `{table}`")


@pytest.fixture
def database(mysql_url: str, mysql: pymysql.Connection) -> Iterator[str]:
    """The URL of a database that is empty."""
    schema = f"cross_{uuid.uuid4().hex[:12]}"
    with mysql.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {schema}")
        yield f"{mysql_url.rsplit('/', 1)[0]}/{schema}"
        cursor.execute(f"DROP DATABASE {schema}")


@pytest.fixture(scope="session")
def postgres_url() -> str:
    """The URL of the PostgreSQL to test against."""
    return url_of_server("LEAFMINT_TEST_POSTGRES")


@pytest.fixture
def postgres_database(postgres_url: str) -> Iterator[str]:
    """The URL of a PostgreSQL database that is empty."""
    import psycopg

    name = f"cross_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield f"{postgres_url.rsplit('/', 1)[0]}/{name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def zookeeper_url() -> str:
    """The URL of the ZooKeeper to test against."""
    return url_of_server("LEAFMINT_TEST_ZOOKEEPER")


@pytest.fixture
def zookeeper_pool(zookeeper_url: str) -> str:
    """The URL of a Leaf's place in ZooKeeper that no other test uses."""
    return f"{zookeeper_url.rsplit('/', 1)[0]}/cross_{uuid.uuid4().hex[:12]}"


@pytest.fixture
def tickets_database() -> Iterator[str]:
    """The URL of databases on ticket servers that are empty."""
    url = url_of_server("LEAFMINT_TEST_TICKETS")
    schema = f"cross_{uuid.uuid4().hex[:12]}"
    login, hosts = url.split("://")[1].rsplit("/", 1)[0].rsplit("@", 1)
    user, _, password = login.partition(":")

    def on_each(statement: str) -> None:
        for host in hosts.split(","):
            name, port = host.split(":")
            with pymysql.connect(host=name, port=int(port), user=user, password=password) as connection:
                connection.cursor().execute(statement)

    on_each(f"CREATE DATABASE {schema}")
    yield f"{url.rsplit('/', 1)[0]}/{schema}"
    on_each(f"DROP DATABASE {schema}")


@pytest.fixture(autouse=True)
def end_of_processes() -> Iterator[None]:
    """Ends every process of a test after it."""
    with ENDS:
        yield


@pytest.fixture
def folder() -> Iterator[Path]:
    """A directory that every user may read. Those of pytest are closed to other users."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def holder_url(mysql_url: str) -> HolderUrl:
    """Returns the URLs of holders: with the worker id 7 and, if the holder has several, 8 and 9."""
    namespace = uuid.uuid4().hex

    def url(holder: str, directory: Path) -> str:
        timing = "timeout=20s"
        return {
            "local": f"local:{directory}?workers=7-9&{timing}",
            "fixed": f"fixed:7?state_dir={directory}&namespace={namespace}&{timing}",
            "mysql": f"{mysql_url}?auto_create=true&state_dir={directory}&namespace={namespace}&workers=7-9&{timing}",
        }[holder]

    return url
