"""Starts throwaway MariaDB servers for tests.

As a program it runs a command with one: `python3 tests/servers/mariadb.py COMMAND…` sets LEAFMINT_TEST_MYSQL to a
server that ends with the command. If the variable is set already, the command uses that server.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO

from packages import need

VARIABLE = "LEAFMINT_TEST_MYSQL"
PROGRAMS = ["mariadbd", "mariadb-install-db", "mariadb"]
PACKAGES = ["mariadb-server-core", "mariadb-client-core"]
START_SECONDS = 60


def free_port() -> int:
    """Finds a free port of the loopback interface."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class MariaDb:
    """A throwaway server on a free port of 127.0.0.1 with an empty database `leafmint`. The end removes its data."""

    def __init__(self, *options: str) -> None:
        need(PROGRAMS, PACKAGES, f", or set {VARIABLE} to mysql://user:password@host/database")
        self.folder = Path(tempfile.mkdtemp(prefix="leafmint-mariadb-"))
        self.port = free_port()
        self.options = options
        owner = ["--user=root"] if os.geteuid() == 0 else []
        subprocess.run(
            ["mariadb-install-db", "--no-defaults", *owner, f"--datadir={self.folder}/data", "--skip-test-db",
             "--auth-root-authentication-method=normal", "--skip-name-resolve"],
            check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": str(self.folder)},
        )  # fmt: skip
        self.owner = owner
        self.start()
        self.sql("CREATE DATABASE leafmint CHARACTER SET utf8mb4")

    def start(self) -> None:
        """Starts the server on its data and waits until it answers."""
        with (self.folder / "log").open("ab") as log:
            self.process = self.spawn(log)
        deadline = time.monotonic() + START_SECONDS
        while True:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(
                    "MariaDB did not start:\n" + (self.folder / "log").read_text(errors="replace")[-4000:]
                )
            try:
                self.sql("SELECT 1")
                return
            except subprocess.CalledProcessError:
                time.sleep(0.05)

    def spawn(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        """Starts the server's process."""
        return subprocess.Popen(
            ["mariadbd", "--no-defaults", *self.owner, f"--datadir={self.folder}/data", f"--socket={self.folder}/s",
             f"--pid-file={self.folder}/pid", f"--port={self.port}", "--bind-address=127.0.0.1", "--skip-name-resolve",
             # A server clears its directory for temporary tables when it starts, so two servers must not share one.
             f"--tmpdir={self.folder}",
             "--innodb-flush-log-at-trx-commit=2", "--sync-binlog=0", "--innodb-buffer-pool-size=32M",
             "--innodb-log-file-size=16M", "--performance-schema=off", "--max-connections=500", *self.options],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip

    @property
    def url(self) -> str:
        return f"mysql://root@127.0.0.1:{self.port}/leafmint"

    def sql(self, statement: str) -> str:
        """Runs a statement as root and returns its rows as tab-separated lines."""
        return subprocess.run(
            ["mariadb", "--no-defaults", "-uroot", f"--socket={self.folder}/s", "-N", "-B", "-e", statement],
            check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        ).stdout  # fmt: skip

    def freeze(self) -> None:
        """Stops the process of the server; its sockets stay open."""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Continues the process of a frozen server."""
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """Ends the server as a crash would."""
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """Ends the server and removes its data."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> MariaDb:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def main(command: list[str]) -> int:
    """Runs a command with a server."""
    if os.environ.get(VARIABLE):
        return subprocess.run(command).returncode
    # A closed terminal or a cancelled run must not leave a server behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with MariaDb() as server:
        return subprocess.run(command, env={**os.environ, VARIABLE: server.url}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
