"""What throwaway servers share: a folder, a free port, how they start and end, and a command that runs with one."""

from __future__ import annotations

import contextlib
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Protocol, TypeVar

START_SECONDS = 180
"""Longest start of a server on a busy machine."""

PORTS = range(21_000, 32_000)
"""Below those that the kernel gives to sockets that name none: the port of a server that is down stays free."""


_claims: list[socket.socket] = []


def free_port() -> int:
    """Finds a free port of the loopback interface that no other test process was given, as long as this one runs."""
    while True:
        port = random.SystemRandom().choice(PORTS)
        claim = socket.socket(socket.AF_UNIX)
        with socket.socket() as probe, contextlib.suppress(OSError):
            claim.bind(f"\0leafmint-tests-port-{port}")
            probe.bind(("127.0.0.1", port))
            _claims.append(claim)
            return port
        claim.close()


def not_root() -> dict[str, Any]:
    """Returns who runs a server that refuses to run as root, as arguments of a subprocess."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def has_stopped(pid: int) -> bool:
    """Returns whether no thread of a process runs any more."""
    for status in Path(f"/proc/{pid}/task").glob("*/stat"):
        with contextlib.suppress(OSError):
            # The name of the program is in parentheses and may hold spaces.
            if status.read_text().rpartition(")")[2].split()[0] not in "TtXZ":
                return False
    return True


S = TypeVar("S", bound="Throwaway")


class Throwaway(ABC):
    """A server on a free port of 127.0.0.1. The end removes its data."""

    name: str
    process: subprocess.Popen[bytes]

    def __init__(self, *options: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"leafmint-{self.name.lower()}-"))
        self.port = free_port()
        self.options = options

    @property
    @abstractmethod
    def url(self) -> str:
        """The URL that tests give to leafmint, with an account that may do anything."""

    @abstractmethod
    def spawn(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        """Starts the server's process."""

    @abstractmethod
    def answers(self) -> bool:
        """Returns whether the server does what it is asked."""

    @contextlib.contextmanager
    def removed_on_failure(self) -> Iterator[None]:
        """Ends the server and removes its data if its start fails, because no caller has a server to close yet."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def start(self) -> None:
        """Starts the server on its data and waits until it answers. If it does not, nothing of it remains."""
        with self.removed_on_failure():
            self.launch()
            self.wait()

    def launch(self) -> None:
        """Starts the server on its data."""
        with (self.folder / "log").open("ab") as log:
            self.process = self.spawn(log)

    def wait(self) -> None:
        """Waits until the server answers."""
        deadline = time.monotonic() + START_SECONDS
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(
                    f"{self.name} did not start:\n" + (self.folder / "log").read_text(errors="replace")[-4000:]
                )
            time.sleep(0.05)

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to every process of the server."""
        self.process.send_signal(number)

    def freeze(self) -> None:
        """Stops the processes of the server; its sockets stay open."""
        self.signal(signal.SIGSTOP)
        # The signal wakes one thread, which stops the others; on a busy machine they go on until it runs.
        deadline = time.monotonic() + 30
        while not all(has_stopped(pid) for pid in self.processes()) and time.monotonic() < deadline:
            time.sleep(0.001)

    def processes(self) -> list[int]:
        """Returns the processes of the server."""
        return [self.process.pid]

    def thaw(self) -> None:
        """Continues the processes of a frozen server."""
        self.signal(signal.SIGCONT)

    def kill(self) -> None:
        """Ends the server as a crash would."""
        self.signal(signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        """Ends the server, if it was started, and removes its data."""
        if hasattr(self, "process"):
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self: S) -> S:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Database(Throwaway):
    """A server with an empty database `leafmint`."""

    @abstractmethod
    def sql(self, statement: str) -> str:
        """Runs a statement as the superuser and returns its rows as tab-separated lines."""

    def answers(self) -> bool:
        """Returns whether the server runs statements."""
        try:
            self.sql("SELECT 1")
        except subprocess.CalledProcessError:
            return False
        return True


class Serves(Protocol):
    """One server or several, at one URL, until the end of a block."""

    @property
    def url(self) -> str: ...

    def __enter__(self) -> Serves: ...

    def __exit__(self, *_: object) -> None: ...


def run_with(variable: str, start: Callable[[], Serves], command: list[str]) -> int:
    """Runs a command with a server, whose URL is in the variable; with the server that it names, if it is set."""
    if os.environ.get(variable):
        return subprocess.run(command).returncode
    # A closed terminal or a cancelled run must not leave a server behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with start() as server:
        return subprocess.run(command, env={**os.environ, variable: server.url}).returncode
