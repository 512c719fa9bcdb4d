"""Starts throwaway MariaDB servers for tests.

As a program it runs a command with one: `python3 tests/servers/mariadb.py COMMAND…` sets LEAFMINT_TEST_MYSQL to a
server that ends with the command. If the variable is set already, the command uses that server.

If LEAFMINT_TEST_MARIADB_HOME names a folder, the programs in it are used.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

from packages import need
from throwaway import Database, run_with

VARIABLE = "LEAFMINT_TEST_MYSQL"
PROGRAMS = ["mariadbd", "mariadb-install-db", "mariadb"]
PACKAGES = ["mariadb-server-core", "mariadb-client-core"]
NO_SYNC = ["--debug-no-sync", "--innodb-flush-method=nosync"]
"""The machine of a test does not lose power; a server that is killed loses nothing that the kernel has."""


def program(name: str) -> list[str]:
    """Returns the words that start a program: the installed one, or that of the folder."""
    home = os.environ.get("LEAFMINT_TEST_MARIADB_HOME")
    if not home:
        return [name, "--no-defaults"]
    [found] = Path(home).glob(f"*/{name}")
    return [str(found), "--no-defaults", *([] if name == "mariadb" else [f"--basedir={home}"])]


class MariaDb(Database):
    """A throwaway server on a free port of 127.0.0.1 with an empty database `leafmint`. The end removes its data."""

    name = "MariaDB"

    def __init__(self, *options: str) -> None:
        need(PROGRAMS, PACKAGES, f", or set {VARIABLE} to mysql://user:password@host/database")
        super().__init__(*options)
        self.owner = ["--user=root"] if os.geteuid() == 0 else []
        with self.removed_on_failure():
            self.make_data()
            self.start()
            self.sql("CREATE DATABASE leafmint CHARACTER SET utf8mb4")

    def make_data(self) -> None:
        """Makes the data of a server without databases, whose account root has no password."""
        subprocess.run(
            [*program("mariadb-install-db"), *NO_SYNC, *self.owner, f"--datadir={self.folder}/data",
             "--skip-test-db", "--auth-root-authentication-method=normal", "--skip-name-resolve"],
            check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": str(self.folder)},
        )  # fmt: skip

    def spawn(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        """Starts the server's process."""
        return subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def command(self) -> list[str]:
        """Returns the words that start the server."""
        return [
            *program("mariadbd"), *self.owner, f"--datadir={self.folder}/data", f"--socket={self.folder}/s",
            f"--pid-file={self.folder}/pid", f"--port={self.port}", "--bind-address=127.0.0.1", "--skip-name-resolve",
            # A server clears its directory for temporary tables when it starts, so two servers must not share one.
            f"--tmpdir={self.folder}",
            "--innodb-flush-log-at-trx-commit=2", "--sync-binlog=0", "--innodb-buffer-pool-size=32M",
            "--innodb-log-file-size=16M", "--performance-schema=off", "--max-connections=500", *NO_SYNC, *self.options,
        ]  # fmt: skip

    @property
    def url(self) -> str:
        return f"mysql://root@127.0.0.1:{self.port}/leafmint"

    def sql(self, statement: str) -> str:
        """Runs a statement as root and returns its rows as tab-separated lines."""
        return subprocess.run(
            [*program("mariadb"), "-uroot", f"--socket={self.folder}/s", "-N", "-B", "-e", statement],
            check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        ).stdout  # fmt: skip


if __name__ == "__main__":
    sys.exit(run_with(VARIABLE, MariaDb, sys.argv[1:]))
