"""A move from a sequence to leafmint under load, and back, twice: no id comes twice, and no insert fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy
import psycopg
import pytest
from programs import TOP, finish, kill, mint_commands, start

SECONDS = 1200

BATCH = 50


@pytest.fixture
def shop(postgres_database: str) -> str:
    """The URL of a database with the table of an application."""
    with psycopg.connect(postgres_database, autocommit=True) as connection:
        connection.execute("CREATE TABLE orders (id bigserial PRIMARY KEY, way text NOT NULL)")
    return postgres_database


def writer(way: str, url: str, rows: int, log: Path) -> subprocess.Popen[str]:
    """Starts a process that inserts rows."""
    program = TOP / "tests/cross/applications/write_sequence_orders.py"
    with log.open("w") as out:
        return start([sys.executable, str(program)], way, url, rows, BATCH, stdout=out)


def committed(logs: list[Path]) -> list[int]:
    """Returns the ids of the rows that processes saw committed."""
    return [int(word) for log in logs for line in log.read_text().splitlines() for word in line.split()]


@pytest.mark.parametrize(
    "rows", [pytest.param(1_000, id="short"), pytest.param(110_000, id="a million rows", marks=pytest.mark.long)]
)
def test_a_switch_and_back_twice_under_load_repeats_no_id_and_fails_no_insert(
    shop: str, rows: int, tmp_path: Path
) -> None:
    sequence = f"{shop}?sequence={{tag}}_id_seq&default_step=500&timeout=60s"
    logs: list[Path] = []
    files: list[Path] = []
    for turn in range(2):
        # Old code writes, the new is rolled out next to it, the old ends; then the other way round.
        writers, killed = [], []
        for number, way in enumerate(["old", "new", "old", "new"]):
            logs.append(tmp_path / f"{turn}-{number}-{way}")
            writers.append(writer(way, shop, rows, logs[-1]))
        for number, way in enumerate(["old", "new"]):
            logs.append(tmp_path / f"{turn}-killed-{number}-{way}")
            killed.append(writer(way, shop, rows * 1000, logs[-1]))
        files.append(tmp_path / f"{turn}-java")
        java = start(mint_commands()["Java"], sequence, "orders", rows, files[-1])
        finish(java, SECONDS)
        for process in writers:
            _, errors = process.communicate(timeout=SECONDS)
            assert process.returncode == 0, errors
        for process in killed:
            assert process.poll() is None, "a writer ended by itself"
            kill(process)
    assert all(log.read_text() for log in logs), "a writer that was killed had not begun"
    java_ids = [int(id) for file in files for id in numpy.fromfile(file, dtype="<i8") if id != -1]
    with psycopg.connect(shop, autocommit=True) as connection:
        # The key of the table is the judge of these ids too.
        connection.execute("INSERT INTO orders (id, way) SELECT unnest(%s::bigint[]), 'java'", [java_ids])
        ids = {row[0] for row in connection.execute("SELECT id FROM orders")}
    seen = committed(logs)
    assert len(seen) == len(set(seen)), "an id of two rows"
    assert set(seen) <= ids, "a row that was committed is gone"
    assert len(ids) >= 10 * rows
