"""An application and leafmint share one database: no duplicates, and every row of the application is intact."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import leafmint
import numpy
import pytest
from programs import TOP, kill
from throwaway import free_port

GUESTS = TOP / "tests/cross/applications"
EACH_TIME = pytest.mark.parametrize("seconds", [0.5, pytest.param(10, marks=pytest.mark.long)])
"""How long each application uses the file."""


@pytest.fixture(params=["wal", "delete"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database of the application, in either journal mode."""
    path = tmp_path / "app.db"
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA journal_mode={request.param}")
    connection.execute("CREATE TABLE own (id INTEGER PRIMARY KEY, note TEXT)")
    connection.close()
    return path


def start(style: str, file: Path, into: Path, seconds: float) -> subprocess.Popen[str]:
    command = [sys.executable, str(GUESTS / "share_a_file.py"), style, str(file), str(into), str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def rows_of(process: subprocess.Popen[str]) -> int:
    out, errors = process.communicate(timeout=300)
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


@EACH_TIME
@pytest.mark.parametrize(("style", "processes"), [("nullpool", 4), ("reading", 4), ("keeping", 3), ("reopening", 3)])
def test_applications_that_use_the_file_too_mint_no_id_twice(
    style: str, processes: int, file: Path, seconds: float, tmp_path: Path
) -> None:
    ids = [tmp_path / f"ids-{number}" for number in range(processes)]
    running = [start(style, file, into, seconds) for into in ids]
    try:
        rows = sum([rows_of(process) for process in running])
    finally:
        for process in running:
            kill(process)
    total = check(file, ids, rows)
    print(f"\n{style}: {total:,} ids, none twice; {rows:,} rows of the application's")


def test_a_process_that_reads_the_file_and_crashes_repeats_no_id_after_its_restart(file: Path, tmp_path: Path) -> None:
    ids = [tmp_path / f"ids-{number}" for number in range(5)]
    for into in ids:
        rows_of(start("crashing", file, into, 0.3))
    check(file, ids, 0)


def test_django_and_leafmint_use_one_file_under_four_workers_of_gunicorn(tmp_path: Path) -> None:
    path = tmp_path / "db.sqlite3"
    environment = {**os.environ, "FILE": str(path)}
    subprocess.run([sys.executable, str(GUESTS / "django_app.py")], env=environment, check=True)
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "django_app:app",
        "--chdir",
        str(GUESTS),
        "--workers",
        "4",
        "--timeout",
        "120",
    ]
    command += ["--bind", f"127.0.0.1:{port}", "--no-control-socket"]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        with ThreadPoolExecutor(8) as clients:
            answers = list(clients.map(lambda _: ask(port, server), range(200)))
            deadline = time.monotonic() + 60
            while len({answer[0] for answer in answers}) < 4 and time.monotonic() < deadline:
                # A worker that starts late has had none of the requests.
                answers += clients.map(lambda _: ask(port, server), range(20))
        server.terminate()
        _, errors = server.communicate(timeout=60)
    finally:
        kill(server)
    assert "Traceback" not in errors, errors
    assert len({answer[0] for answer in answers}) == 4
    ids = [tmp_path / "ids"]
    numpy.array([number for answer in answers for number in answer[4:]], dtype="<i8").tofile(ids[0])
    assert check(path, ids, len(answers)) == len(answers) * 1000
    connection = sqlite3.connect(path)
    assert {row[0] for row in connection.execute("SELECT id FROM own")} == {answer[1] for answer in answers}
    connection.close()


def ask(port: int, server: subprocess.Popen[str]) -> list[int]:
    """Retries until the server answers."""
    deadline = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as response:
                return [int(word) for word in response.read().split()]
        except OSError:
            assert server.poll() is None, server.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.05)


@EACH_TIME
def test_two_copies_of_the_library_in_one_process_mint_no_id_twice(file: Path, seconds: float, tmp_path: Path) -> None:
    ids = [tmp_path / f"ids-{number}" for number in range(2)]
    command = [sys.executable, str(GUESTS / "two_copies.py"), str(file)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    running = [subprocess.Popen([*command, str(into), str(seconds)], **pipes) for into in ids]
    check(file, ids, sum([rows_of(process) for process in running]))


def test_a_file_that_is_mounted_by_itself_is_refused_with_advice(tmp_path: Path) -> None:
    original, mounted = tmp_path / "ids.db", tmp_path / "mounted"
    mounted.mkdir()
    target = mounted / "a b.db"
    target.touch()
    with leafmint.SegmentGenerator(f"sqlite:///{original}") as generator:
        first = generator.tag("order")()
        mint = "import sys, leafmint; print(leafmint.SegmentGenerator('sqlite:///' + sys.argv[1]).tag('order')())"
        script = 'mount --bind "$1" "$2" && exec "$3" -c "$4" "$2"'
        command = ["unshare", "--mount", "sh", "-c", script, "sh", str(original), str(target), sys.executable, mint]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == 1
        assert "InvalidConfigError" in done.stderr
        assert "mount the directory that it is in" in done.stderr
        # Mounted with its directory it is one file with one path in each place.
        command[5:] = ["sh", str(tmp_path), str(mounted), sys.executable, mint]
        command[4] = 'mount --bind "$1" "$2" && exec "$3" -c "$4" "$2/ids.db"'
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert int(done.stdout) > first


def test_a_file_with_a_second_hard_link_is_refused_with_advice(tmp_path: Path) -> None:
    (tmp_path / "ids.db").touch()
    (tmp_path / "again.db").hardlink_to(tmp_path / "ids.db")
    for name in ("ids.db", "again.db"):
        order = leafmint.SegmentGenerator(f"sqlite:///{tmp_path / name}").tag("order")
        with pytest.raises(leafmint.InvalidConfigError, match=r"2 hard links.*remove the others"):
            order.next_id()
    assert (tmp_path / "ids.db").stat().st_size == 0


def test_without_open_file_description_locks_nothing_is_minted(tmp_path: Path) -> None:
    command = [sys.executable, str(GUESTS / "without_own_locks.py"), str(tmp_path / "ids.db")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("invalid_config "), done
    assert "open-file-description locks" in done.stdout
    assert "use a database server" in done.stdout


def test_a_lease_within_the_applications_write_transaction_is_a_named_error(file: Path) -> None:
    with leafmint.SegmentGenerator(f"sqlite:///{file}", default_step=10, max_step=10, connect_timeout=0.2) as generator:
        order = generator.tag("order")
        order.next_ids(10)
        connection = sqlite3.connect(file)
        connection.execute("INSERT INTO own (note) VALUES ('first')")
        with pytest.raises(leafmint.SegmentUnavailableError, match="take ids before its first write"):
            order.next_ids(1000, timeout=3)
        connection.commit()
        connection.close()
        assert order.next_id(timeout=30) > 10


@pytest.mark.parametrize(("begin", "expected"), [("BEGIN", "database is locked"), ("BEGIN IMMEDIATE", "stored")])
def test_a_transaction_that_reads_before_it_writes_is_immediate_or_loses_against_a_lease(
    begin: str, expected: str, tmp_path: Path
) -> None:
    with leafmint.SegmentGenerator(f"sqlite:///{tmp_path / 'app.db'}", eager_tags=["a"], eager=True) as ids:
        application = sqlite3.connect(tmp_path / "app.db", isolation_level=None)
        application.execute("CREATE TABLE own (id INTEGER PRIMARY KEY)")
        application.execute(begin)
        application.execute("SELECT count(*) FROM own").fetchall()
        if begin == "BEGIN":
            ids.create_tag("of a lease in between")
        try:
            application.execute("INSERT INTO own DEFAULT VALUES")
            outcome = "stored"
        except sqlite3.OperationalError as error:
            outcome = str(error)
        application.close()
    assert outcome == expected
