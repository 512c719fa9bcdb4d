"""Past ids next to living ones, of processes that are killed in the middle: none twice, each in its millisecond."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import leafmint
import numpy
import pytest
from mariadb import MariaDb
from postgresql import PostgreSql

FILL = """
import sys, os
import leafmint
import numpy

url, folder, name, turns, size = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
began = 1577836800000
with leafmint.SnowflakeGenerator(url, state_files=False, auto_create=True) as flakes:
    for turn in range(turns):
        path = f"{folder}/{name}-{turn}.npy"
        if os.path.exists(path):
            continue
        # A third of the moments are within a few seconds, so that milliseconds come again; unsorted, and sorted.
        random = numpy.random.default_rng([turn, ord(name)])
        moments = began + random.integers(0, 200 * 86_400_000, size)
        moments[:: 3] = began + random.integers(0, 5_000, len(moments[:: 3]))
        if turn % 2:
            moments.sort()
        numpy.save(path + ".new.npy", numpy.stack([moments, flakes.backfill_array(moments)]))
        os.rename(path + ".new.npy", path)
"""

LIVE = """
import os, sys, time
import leafmint
import numpy

url, folder = sys.argv[1:]
with leafmint.SnowflakeGenerator(url, state_files=False, auto_create=True) as flakes:
    turn = 0
    while True:
        numpy.save(f"{folder}/new.npy", flakes.next_array(1000))
        os.rename(f"{folder}/new.npy", f"{folder}/live-{turn}.npy")
        turn += 1
        time.sleep(0.05)
"""

KILLS = 5


@pytest.fixture(params=["local", "mysql", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the URL of a holder that no process has used."""
    with ExitStack() as servers:
        match request.param:
            case "local":
                yield f"local:{tmp_path / 'workers'}"
            case "mysql":
                yield servers.enter_context(MariaDb()).url
            case _:
                yield servers.enter_context(PostgreSql()).url


def processes(folder: Path, url: str, turns: int, size: int) -> list[subprocess.Popen[bytes]]:
    """Starts two processes that fill in what is missing still."""
    arguments = [str(turns), str(size)]
    return [subprocess.Popen([sys.executable, "-c", FILL, url, str(folder), name, *arguments]) for name in ("a", "b")]


def wait_until(condition: Callable[[], bool], seconds: float) -> None:
    """Waits until the condition holds, and fails after these seconds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def fill_with_kills(folder: Path, url: str, turns: int, size: int, patience: float) -> None:
    """Fills in, and kills both processes now and then."""
    for kill in range(1, KILLS + 1):
        filling = processes(folder, url, turns, size)
        done = 2 * turns * kill // (KILLS + 2)
        wait_until(lambda done=done: len([*folder.glob("[ab]-*[0-9].npy")]) > done, patience)  # type: ignore[misc]
        time.sleep(random.random() / 10)
        for process in filling:
            process.kill()
            process.wait(60)
    for process in processes(folder, url, turns, size):
        assert process.wait(patience) == 0


def assert_unique(folder: Path, url: str, turns: int, size: int, patience: float) -> None:
    """Fills in next to a process that mints, and looks at all ids."""
    living = subprocess.Popen([sys.executable, "-c", LIVE, url, str(folder)])
    try:
        fill_with_kills(folder, url, turns, size, patience)
        wait_until(lambda: (folder / "live-2.npy").exists(), 60)
    finally:
        living.kill()
        living.wait(60)
    past = numpy.concatenate([numpy.load(file) for file in folder.glob("[ab]-*[0-9].npy")], axis=1)
    live = numpy.concatenate([numpy.load(file) for file in folder.glob("live-*.npy")])
    assert past.shape == (2, 2 * turns * size)
    assert len(live) >= 3_000
    assert len(numpy.unique(numpy.concatenate([past[1], live]))) == past.shape[1] + len(live)
    assert (past[1] >> 22 == past[0] - leafmint.Layout("leaf").epoch.timestamp() * 1000).all()
    workers = past[1] >> 12 & 1023
    print(f"{past.shape[1]} past ids of the worker ids {workers.min()} to {workers.max()}, {len(live)} living ones")


@pytest.mark.parametrize("url", ["local"], indirect=True)
def test_past_ids_of_processes_that_are_killed_are_unique(tmp_path: Path, url: str) -> None:
    folder = tmp_path / "ids"
    folder.mkdir()
    assert_unique(folder, url, 10, 3_000, 60)


@pytest.mark.long
def test_ten_million_past_ids_of_processes_that_are_killed_are_unique(tmp_path: Path, url: str) -> None:
    folder = tmp_path / "ids"
    folder.mkdir()
    assert_unique(folder, url, 100, 50_000, 900)
