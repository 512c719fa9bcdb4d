"""The sample applications under tests/apps: how they are started, and clients that keep them busy."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path

from id_texts import ENVIRONMENT, number_of
from programs import TOP
from throwaway import free_port

APPS = TOP / "tests/apps"


class Site:
    """A web application on a port of this machine."""

    metrics = "/metrics"

    def __init__(self, name: str, log: Path) -> None:
        self.name, self.port, self.log = name, free_port(), log
        self.processes: list[subprocess.Popen[str]] = []

    def launch(self, command: list[str], folder: Path, environment: dict[str, str]) -> None:
        """Starts a program of the application."""
        with self.log.open("a") as log:
            self.processes.append(
                subprocess.Popen(command, cwd=folder, env=environment | ENVIRONMENT, stdout=log, stderr=log, text=True)
            )

    def wait(self, seconds: float = 180) -> None:
        """Waits until the application answers."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                self.get(self.metrics)
                return
            except OSError:
                assert time.monotonic() < deadline, f"{self.name} does not answer"
                assert self.processes[0].poll() is None, self.output()
                time.sleep(0.1)

    def get(self, path: str) -> str:
        """Returns the text of a page."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=60) as answer:
            return str(answer.read().decode())

    def answer_to(self, path: str) -> str:
        """Posts an order, and returns the answer."""
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", json.dumps({"item": "tea"}).encode(), headers
        )
        with urllib.request.urlopen(request, timeout=150) as answer:
            return str(answer.read().decode())

    def post(self, path: str) -> int:
        """Posts an order, and returns the number of the id in the answer."""
        return number_of(json.loads(self.answer_to(path))["id"])

    def figures(self, *names: str) -> list[list[float]]:
        """Returns the values of metrics in one scrape, which one of the workers answers."""
        page = self.get(self.metrics)
        values = [re.findall(rf"^{name}(?:{{.*}})? ([0-9.eE+-]+)$", page, re.MULTILINE) for name in names]
        return [[float(value) for value in found] for found in values]

    def stop(self) -> None:
        """Ends the servers as an operator does."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(120)

    def output(self) -> str:
        """Returns what the servers have printed."""
        return self.log.read_text()


class Shop(Site):
    """One running sample application in Python."""

    def __init__(
        self, folder: str, set_up: list[str], serve: Callable[[int], list[list[str]]], database: str, scratch: Path
    ) -> None:
        super().__init__(folder, scratch / f"{folder}.log")
        queue = scratch / f"{folder}.queue"
        queue.mkdir()
        environment = {
            **os.environ,
            **ENVIRONMENT,
            "DATABASE_URL": database,
            "LEAFMINT_URL": database,
            "QUEUE_FOLDER": str(queue),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        made = subprocess.run(
            [sys.executable, *set_up], cwd=APPS / folder, env=environment, capture_output=True, text=True
        )
        assert made.returncode == 0, made.stderr
        for command in serve(self.port):
            self.launch([sys.executable, *command], APPS / folder, environment)
        self.wait()


def fastapi_shop(database: str, scratch: Path) -> Shop:
    """Starts the sample with FastAPI: two workers of uvicorn."""

    def serve(port: int) -> list[list[str]]:
        return [["-m", "uvicorn", "shop:app", "--workers", "2", "--port", str(port), "--log-level", "warning"]]

    return Shop("fastapi_shop", ["shop.py"], serve, database, scratch)


def django_shop(database: str, scratch: Path) -> Shop:
    """Starts the sample with Django: two workers of gunicorn, and two of Celery."""

    def serve(port: int) -> list[list[str]]:
        server = ["-m", "gunicorn", "shop.wsgi", "--preload", "--workers", "2", "--threads", "4", "--no-control-socket"]
        server += ["--bind", f"127.0.0.1:{port}", "--log-level", "warning"]
        queue = ["-m", "celery", "-A", "shop", "--quiet", "worker", "--concurrency", "2", "--loglevel", "WARNING"]
        return [server, queue]

    return Shop("django_shop", ["manage.py", "migrate", "--run-syncdb", "-v", "0"], serve, database, scratch)


class Clients:
    """Threads that post orders one after the other, with a pause, and keep the ids and the failures."""

    def __init__(self, shops: Sequence[Site], path: str, threads: int = 3, pause: float = 0) -> None:
        self.pause = pause
        self.by_shop: dict[str, list[int]] = {shop.name: [] for shop in shops}
        self.failures: list[str] = []
        self.longest = 0.0
        self.stopping = threading.Event()
        self.threads = [
            threading.Thread(target=self.keep_posting, args=(shop, path)) for shop in shops for _ in range(threads)
        ]
        for thread in self.threads:
            thread.start()

    def keep_posting(self, shop: Site, path: str) -> None:
        """Posts orders until the end."""
        while not self.stopping.is_set():
            began = time.monotonic()
            try:
                self.by_shop[shop.name].append(shop.post(path))
            except Exception as error:
                self.failures.append(f"{shop.name}: {error!r}")
            self.longest = max(self.longest, time.monotonic() - began)
            time.sleep(self.pause)

    @property
    def ids(self) -> list[int]:
        """The ids that all shops have answered."""
        return [id for ids in self.by_shop.values() for id in ids]

    def stop(self) -> None:
        """Waits for the last answers."""
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def __enter__(self) -> Clients:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def leafmint(*arguments: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Runs the command line."""
    return subprocess.run(
        [sys.executable, "-m", "leafmint", *arguments], capture_output=True, text=True, timeout=timeout
    )


def database_of(folder: Path) -> str:
    """Returns the URL of a SQLite file of an application."""
    return f"sqlite:///{folder / 'shop.db'}"
