"""What the cross-language tests share: the server, the programs that mint, and the check of what they minted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pymysql
import pytest

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests/servers"))

LEAF_TABLE = """CREATE TABLE `{table}` (`biz_tag` varchar(128) NOT NULL DEFAULT '', `max_id` bigint(20) NOT NULL DEFAULT '1',
`step` int(11) NOT NULL, `description` varchar(256) DEFAULT NULL, `update_time` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP
ON UPDATE CURRENT_TIMESTAMP, PRIMARY KEY (`biz_tag`)) ENGINE=InnoDB"""


@pytest.fixture(scope="session")
def mysql_url() -> str:
    """The URL of the server to test against."""
    url = os.environ.get("LEAFMINT_TEST_MYSQL")
    assert url, "set LEAFMINT_TEST_MYSQL, or run `make test`, which starts a MariaDB"
    return url


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


def jar() -> Path:
    """The JAR of the Java face."""
    jars = [path for path in (TOP / "jvm/java/target").glob("leafmint-*.jar") if "-sources" not in path.name]
    assert len(jars) == 1, f"expected one JAR, found {jars}: run `make java` first"
    return jars[0]


def mint_commands() -> dict[str, list[str]]:
    """The program that mints, in each language; see the examples for its arguments."""
    return {
        "Rust": [str(TOP / "target/release/examples/mint")],
        "Python": [sys.executable, str(TOP / "examples/mint.py")],
        "Java": ["java", "-XX:TieredStopAtLevel=1", "-cp", str(jar()), str(TOP / "examples/Mint.java")],
    }


def start(command: list[str], *arguments: object) -> subprocess.Popen[str]:
    """Starts a program whose output is to be read."""
    return subprocess.Popen([*command, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str], timeout: float) -> dict[str, object]:
    """Waits for a program that mints and returns its summary."""
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    assert process.returncode == 0, f"{process.args}: {errors}"
    summary: dict[str, object] = json.loads(output)
    return summary


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Counts a skipped test as a failed one."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
