"""The program that serves a connection of an engine for the specs of the core, over every driver."""

import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from engines import DRIVERS
from sqlalchemy import make_url

PROGRAM = Path(__file__).with_name("lending.py")

DJANGO = ["django+mysql", "django+postgresql"]


@pytest.fixture(params=[*DRIVERS, "sqlite", "sqlite+aiosqlite", *DJANGO])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of a database for each driver."""
    driver: str = request.param
    if "sqlite" in driver:
        return f"{driver}:///{tmp_path / 'app.db'}"
    server: str = request.getfixturevalue("mysql_url" if "mysql" in driver else "postgres_url")
    if driver in DJANGO:
        return server.replace(server.partition(":")[0], driver, 1)
    return make_url(server).set(drivername=driver).render_as_string(hide_password=False)


def ask(url: str, *requests: str) -> list[list[str]]:
    """Return the lines of each reply."""
    command = [sys.executable, "-W", "error", str(PROGRAM), url]
    ran = subprocess.run(command, input="\n".join(requests) + "\n", text=True, capture_output=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    replies: list[list[str]] = [[]]
    for line in ran.stdout.splitlines():
        if line == ".":
            replies.append([])
        else:
            replies[-1].append(line)
    return replies[:-1]


def hexed(text: str) -> str:
    return text.encode().hex()


def test_statements_have_rows_counts_and_errors_as_text(url: str) -> None:
    statements = ["SELECT 1, '50%s', NULL", "SELECT 1 = 1", "SELECT 1 FROM nowhere", "SELECT 2"]
    opened, ran, after, ended = ask(url, "C", "R 4", *map(hexed, statements), "R 1", hexed("SELECT 3"), "E")
    product = bytes.fromhex(opened[0].split()[1]).decode()
    assert product in ("MySQL", "MariaDB", "PostgreSQL", "SQLite")
    assert ran[:2] == ["r 3 1", f"{hexed('1')} {hexed('50%s')} -"]
    assert ran[2:4] in (["r 1 1", hexed("1")], ["r 1 1", hexed("true")])
    number, state, lost, text = ran[4].split()[1:]
    assert (number, state) in [("1146", "-"), ("1146", "42S02"), ("-", "42P01"), ("1", "-")]
    assert lost == "0"
    assert "nowhere" in bytes.fromhex(text).decode()
    assert (len(ran), after, ended) == (5, ["r 1 1", hexed("3")], [])


def test_statements_together_are_one_transaction(url: str) -> None:
    table = f"lending_{uuid.uuid4().hex}"
    prepare = [f"CREATE TABLE {table} (id INT)", f"INSERT INTO {table} VALUES (1)"]
    together = [f"INSERT INTO {table} VALUES (2)", f"UPDATE {table} SET id = id + 10"]
    failing = [f"DELETE FROM {table}", "SELECT 1 FROM nowhere"]
    ran = ask(
        url,
        *("C", "R 2", *map(hexed, prepare), "T 2", *map(hexed, together), "T 2", *map(hexed, failing)),
        *("R 2", hexed(f"SELECT SUM(id) FROM {table}"), hexed(f"DROP TABLE {table}"), "E"),
    )
    assert ran[1][1:] == ["n 1"]
    assert ran[2] == ["n 1", "n 2"]
    assert [reply.split()[0] for reply in ran[3]] == ["n", "e"]
    assert ran[4][:2] == ["r 1 1", hexed("23")]


def test_a_server_that_cannot_be_reached_is_a_lost_connection() -> None:
    [[failed]] = ask("mysql+pymysql://root@127.0.0.1:1/shop", "C")
    assert failed.split()[3] == "1"
    [[failed]] = ask("postgresql+asyncpg://root@127.0.0.1:1/shop", "C")
    assert failed.split()[:4] == ["e", "-", "-", "1"]
