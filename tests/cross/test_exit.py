"""A process with open generators exits within a second and gives back what it can, whatever the store does."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from mariadb import MariaDb
from programs import TOP, compiled, kill, pairs, start
from throwaway import free_port

GUESTS = TOP / "tests/cross/applications"
LANGUAGES = ["Python", "Java"]
WORK = ["none", "mint", "wait"]

SECONDS = 20
"""A second is the promise; the rest is for a busy machine."""

PATIENT = "timeout=60s&connect_timeout=60s"
"""An exit that waited for the store would take longer than that."""


@pytest.fixture(scope="module")
def server() -> Iterator[MariaDb]:
    """A server that the tests of this module may freeze and kill."""
    with MariaDb() as server:
        yield server


@pytest.fixture(scope="module")
def commands() -> dict[str, list[str]]:
    """The program that leaves its generators open, in each language."""
    python = [sys.executable, "-W", "error", str(GUESTS / "leave.py")]
    return {"Python": python, "Java": compiled(GUESTS / "Leave.java")}


class Store(NamedTuple):
    """The URLs for the processes of one test: an empty schema, or files."""

    segments: str
    snowflakes: str


def in_database(server: MariaDb, folder: Path) -> Store:
    schema = f"exit_{uuid.uuid4().hex[:12]}"
    server.sql(f"CREATE DATABASE {schema}")
    url = f"{server.url.rsplit('/', 1)[0]}/{schema}"
    # With a heartbeat so short one is always under way.
    snowflakes = f"{url}?{PATIENT}&auto_create=true&state_dir={folder}/state&heartbeat=100ms&namespace={schema}"
    return Store(f"{url}?{PATIENT}&auto_create=true", snowflakes)


def rows(server: MariaDb, store: Store) -> tuple[int, str]:
    """Returns max_id of the tag, and the token of the worker id."""
    schema = re.search(r"exit_\w+", store.segments)
    assert schema
    order = server.sql(f"SELECT max_id FROM {schema[0]}.leaf_alloc WHERE biz_tag = 'order'")
    return int(order), server.sql(f"SELECT token FROM {schema[0]}.leafmint_worker").strip()


def in_files(folder: Path) -> Store:
    return Store(f"sqlite:///{folder}/ids.db?{PATIENT}", f"local:{folder}/workers")


def leave(command: list[str], store: Store, work: str, event: Callable[[], object] = lambda: None) -> float:
    """Runs a program; returns how many seconds the process went on after the end of main."""
    guest = start(command, store.segments, store.snowflakes, work)
    assert guest.stdin
    assert guest.stdout
    try:
        assert guest.stdout.readline() == "ready\n", guest.stderr and guest.stderr.read()
        event()
        guest.stdin.write("\n")
        guest.stdin.flush()
        left = float(guest.stdout.readline())
        guest.wait(120)
        took = time.time() - left
    finally:
        kill(guest)
    assert guest.returncode == 0
    return took


@pytest.mark.parametrize(("language", "work"), pairs(LANGUAGES, WORK))
def test_with_the_store_up_the_exit_is_prompt_and_gives_unused_ids_back(
    commands: dict[str, list[str]], server: MariaDb, tmp_path: Path, language: str, work: str
) -> None:
    store = in_database(server, tmp_path)
    assert leave(commands[language], store, work) < SECONDS
    max_id, token = rows(server, store)
    assert token == "NULL", "the worker id is released"
    if work == "none":
        assert max_id == 2, "all but the one id that was used"


@pytest.mark.parametrize(("language", "work"), pairs(LANGUAGES, WORK))
def test_with_the_store_killed_the_exit_is_prompt(
    commands: dict[str, list[str]], server: MariaDb, tmp_path: Path, language: str, work: str
) -> None:
    store = in_database(server, tmp_path)
    try:
        assert leave(commands[language], store, work, server.kill) < SECONDS
    finally:
        server.start()
    max_id, token = rows(server, store)
    assert max_id >= 1001, "nothing went back"
    assert token != "NULL", "nor the worker id: its row is reserved until its horizon"


@pytest.mark.parametrize(("language", "work"), pairs(LANGUAGES, WORK))
def test_with_the_store_frozen_the_exit_is_prompt(
    commands: dict[str, list[str]], server: MariaDb, tmp_path: Path, language: str, work: str
) -> None:
    store = in_database(server, tmp_path)
    try:
        assert leave(commands[language], store, work, server.freeze) < SECONDS
    finally:
        server.thaw()


@pytest.mark.parametrize(("language", "work"), pairs(LANGUAGES, WORK))
def test_with_files_the_exit_is_prompt_and_gives_unused_ids_back(
    commands: dict[str, list[str]], tmp_path: Path, language: str, work: str
) -> None:
    store = in_files(tmp_path)
    assert leave(commands[language], store, work) < SECONDS
    slots = re.findall(r"slot (\d+) .*?\nhorizon (\d+)", (tmp_path / "workers/default/0.state").read_text(), re.DOTALL)
    _, horizon = max((int(turn), int(horizon)) for turn, horizon in slots)
    assert horizon <= time.time() * 1000, "no time stays reserved"
    if work == "none":
        with sqlite3.connect(tmp_path / "ids.db") as database:
            assert database.execute("SELECT max_id FROM leaf_alloc").fetchone() == (2,)


@pytest.mark.parametrize(("language", "work"), pairs(LANGUAGES, WORK))
def test_with_a_locked_file_the_exit_is_prompt(
    commands: dict[str, list[str]], tmp_path: Path, language: str, work: str
) -> None:
    holder: list[sqlite3.Connection] = []

    def lock() -> None:
        holder.append(sqlite3.connect(tmp_path / "ids.db", isolation_level=None))
        holder[0].execute("BEGIN IMMEDIATE")

    assert leave(commands[language], in_files(tmp_path), work, lock) < SECONDS
    holder[0].close()


@pytest.mark.parametrize("state", ["up", "frozen"])
def test_a_terminated_virtual_machine_exits_promptly(
    commands: dict[str, list[str]], server: MariaDb, tmp_path: Path, state: str
) -> None:
    store = in_database(server, tmp_path)
    guest = start(commands["Java"], store.segments, store.snowflakes, "none")
    assert guest.stdout
    assert guest.stdout.readline() == "ready\n", guest.stderr and guest.stderr.read()
    try:
        if state == "frozen":
            server.freeze()
        asked = time.time()
        guest.terminate()
        guest.wait(120)
        assert time.time() - asked < SECONDS
    finally:
        server.thaw()
        kill(guest)
    assert guest.returncode == 128 + signal.SIGTERM
    if state == "up":
        assert rows(server, store) == (2, "NULL")


@pytest.mark.parametrize("state", ["up", "killed", "frozen"])
def test_terminated_gunicorn_workers_exit_promptly(server: MariaDb, tmp_path: Path, state: str) -> None:
    store = in_database(server, tmp_path)
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "app:app", "--chdir", str(GUESTS), "--config", str(GUESTS / "app.py")]
    command += ["--bind", f"127.0.0.1:{port}", "--workers", "1", "--no-control-socket"]
    environment = {**os.environ, "SEGMENTS": store.segments, "SNOWFLAKES": store.snowflakes}
    parent = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        number, flake = answer(port, parent).split()
        assert (int(number), int(flake) > 0) == (1, True)
        if state != "up":
            server.freeze() if state == "frozen" else server.kill()
        parent.terminate()
        output, errors = parent.communicate(timeout=120)
    finally:
        server.thaw()
        kill(parent)
        if state == "killed":
            server.start()
    assert parent.returncode == 0, errors
    times = {word: float(at) for word, at in (line.split() for line in output.splitlines())}
    assert times["gone"] - times["leaves"] < SECONDS, output
    if state == "up":
        assert rows(server, store) == (2, "NULL")


def answer(port: int, parent: subprocess.Popen[str]) -> str:
    """Retries until the server answers."""
    deadline = time.monotonic() + 120
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as response:
                return str(response.read().decode())
        except OSError:
            assert parent.poll() is None, parent.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.05)
