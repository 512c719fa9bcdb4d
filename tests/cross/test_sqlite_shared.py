"""The application's own database is leafmint's too: no id twice, the database whole, and every row of the application's there."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from programs import TOP, kill

GUESTS = TOP / "tests/cross/guests"
SECONDS = 1


@pytest.fixture(params=["wal", "delete"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database of the application's, in either journal mode."""
    path = tmp_path / "app.db"
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA journal_mode={request.param}")
    connection.execute("CREATE TABLE own (id INTEGER PRIMARY KEY, note TEXT)")
    connection.close()
    return path


def start(style: str, file: Path, into: Path, seconds: float = SECONDS) -> subprocess.Popen[str]:
    command = [sys.executable, str(GUESTS / "share_a_file.py"), style, str(file), str(into), str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def rows_of(process: subprocess.Popen[str]) -> int:
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return int(out)


def check(file: Path, ids: list[Path], rows: int) -> int:
    """Checks everything that must hold afterwards, and returns how many ids there are."""
    every = numpy.sort(numpy.concatenate([numpy.fromfile(one, dtype="<i8") for one in ids]))
    repeated = every[1:][numpy.diff(every) == 0]
    assert not len(repeated), f"{len(repeated)} of {len(every)} ids twice, among them {repeated[:5]}"
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("SELECT count(*) FROM own").fetchone() == (rows,)
    (max_id,) = connection.execute("SELECT max_id FROM leaf_alloc").fetchone()
    assert max_id > every[-1]
    connection.close()
    return len(every)


@pytest.mark.parametrize(("style", "processes"), [("nullpool", 4), ("reading", 4), ("keeping", 3), ("reopening", 3)])
def test_processes_that_use_the_file_themselves_mint_no_id_twice(style: str, processes: int, file: Path, tmp_path: Path) -> None:
    ids = [tmp_path / f"ids-{number}" for number in range(processes)]
    running = [start(style, file, into) for into in ids]
    try:
        rows = sum([rows_of(process) for process in running])
    finally:
        for process in running:
            kill(process)
    total = check(file, ids, rows)
    print(f"\n{style}: {total:,} ids, none twice; {rows:,} rows of the application's")


def test_a_process_that_reads_the_file_and_crashes_repeats_nothing_after_its_restart(file: Path, tmp_path: Path) -> None:
    ids = [tmp_path / f"ids-{number}" for number in range(5)]
    for into in ids:
        rows_of(start("crashing", file, into, 0.3))
    check(file, ids, 0)
