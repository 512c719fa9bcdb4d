"""Servers that fork their workers after loading the app: every worker mints ids of its own, and all end promptly."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import leafmint
import pytest
from postgresql import children_of, state_of
from programs import TOP, kill
from throwaway import free_port

GUESTS = TOP / "tests/cross/applications"

Urls = tuple[str, str]


@pytest.fixture(params=["files", "database"])
def urls(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Urls]:
    """The URLs of both modes: files, or a database that was empty."""
    if request.param == "files":
        patient = "timeout=60s&connect_timeout=30s"
        yield f"sqlite:///{tmp_path}/ids.db?{patient}", f"local:{tmp_path}/workers?timeout=60s"
        return
    schema = f"prefork_{uuid.uuid4().hex[:12]}"
    url = f"{request.getfixturevalue('mysql_url').rsplit('/', 1)[0]}/{schema}"
    with request.getfixturevalue("mysql").cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {schema}")
        yield f"{url}?auto_create=true", f"{url}?auto_create=true&state_dir={tmp_path}/state"
        cursor.execute(f"DROP DATABASE {schema}")


def test_gunicorn_preloads_the_app_and_its_workers_mint(urls: Urls) -> None:
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "preloaded:app", "--chdir", str(GUESTS), "--preload", "--workers", "4"]
    command += ["--bind", f"127.0.0.1:{port}", "--max-requests", "40", "--no-control-socket"]
    environment = {**os.environ, "SEGMENTS": urls[0], "SNOWFLAKES": urls[1]}
    parent = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        with ThreadPoolExecutor(8) as clients:
            answers = list(clients.map(lambda _: ask(port, parent), range(400)))
        # gunicorn's signal does not reach a worker that it has just started, and it waits 30 s for it then.
        wait_until_idle(parent.pid, 4)
        began = time.monotonic()
        parent.terminate()
        _, errors = parent.communicate(timeout=120)
        took = time.monotonic() - began
    finally:
        kill(parent)
    assert parent.returncode == 0, errors
    assert "Traceback" not in errors, errors
    # Workers are replaced after 40 requests, so there are more than the first four of them.
    assert len({answer[0] for answer in answers}) > 4
    assert len({tuple(answer[2:4]) for answer in answers}) == 1, "what was minted before the fork is the parent's"
    ids = [*answers[0][2:4], *(number for answer in answers for number in answer[4:])]
    assert len(ids) == len(set(ids)) == 2 + 400 * 20
    assert took < 25, took


def wait_until_idle(parent: int, count: int) -> None:
    """Waits until all workers of a server have been there and asleep for two seconds."""
    deadline, since, before = time.monotonic() + 60, time.monotonic(), list[int]()
    while time.monotonic() < since + 2:
        assert time.monotonic() < deadline
        workers = children_of(parent)
        if workers != before or len(workers) != count or any(state_of(worker) != "S" for worker in workers):
            since, before = time.monotonic(), workers
        time.sleep(0.05)


def ask(port: int, parent: subprocess.Popen[str]) -> list[int]:
    """Retries until the server answers."""
    deadline = time.monotonic() + 120
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as response:
                return [int(word) for word in response.read().split()]
        except OSError:
            assert parent.poll() is None, parent.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_celerys_pool_mints_with_the_generators_of_its_parent(urls: Urls) -> None:
    command = [sys.executable, str(GUESTS / "prefork_pool.py"), *urls]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    ids = [number for line in lines for number in line[1:]]
    assert len(ids) == len(set(ids)) == 4 + 40 * 20
    assert len({line[0] for line in lines}) >= 1 + 8, "workers are replaced after five tasks"


def test_a_worker_of_celery_gives_unused_ids_back_when_it_is_shut_down(tmp_path: Path) -> None:
    environment = os.environ | {"QUEUE_FOLDER": str(tmp_path), "PYTHONPATH": str(GUESTS)}
    send = "from celery_tasks import mint; [mint.delay() for _ in range(3)]"
    subprocess.run([sys.executable, "-c", send], env=environment, check=True, timeout=120)
    command = [sys.executable, "-m", "celery", "-A", "celery_tasks", "worker", "--concurrency", "1"]
    minted, deadline = tmp_path / "minted", time.monotonic() + 120
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as worker:
        while not minted.exists() or len(minted.read_text().split()) < 3:
            assert worker.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.1)
        worker.terminate()
        assert worker.wait(timeout=120) == 0
    assert sorted(minted.read_text().split()) == ["1", "2", "3"]
    with leafmint.SegmentGenerator(f"sqlite:///{tmp_path}/ids.db") as ids:
        assert [tag.max_id for tag in ids.list_tags()] == [4]
