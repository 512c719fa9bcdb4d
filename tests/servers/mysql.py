"""Starts throwaway MySQL servers for tests: Oracle's, of which only Debian's unstable suite has a package.

As a program it runs a command with one: `python3 tests/servers/mysql.py COMMAND…` sets LEAFMINT_TEST_MYSQL to a server
that ends with the command. If the variable is set already, the command uses that server.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import IO

from throwaway import Database, run_with
from unpacked import unpacked

VARIABLE = "LEAFMINT_TEST_MYSQL"


class Programs:
    """MySQL's programs, unpacked with the C library that they need."""

    def __init__(self) -> None:
        self.folder = unpacked(
            "mysql",
            ["mysql-server-core", "mysql-client-core"],
            f", or set {VARIABLE} to mysql://user:password@host/database",
            suite="sid",
        )
        self.loader = next(self.folder.glob("usr/lib/*-linux-*/ld-linux-*"))
        folders = [self.loader.parent, self.folder / "usr/lib/mysql/private", self.folder / "usr/lib/mysql"]
        self.libraries = ":".join(map(str, folders))

    def command(self, program: str) -> list[str]:
        """Returns the words that start a program."""
        return [str(self.loader), "--library-path", self.libraries, f"{self.folder}/usr/{program}"]

    def server(self) -> list[str]:
        """Returns the words that start the server, with its own files."""
        share = f"{self.folder}/usr/share/mysql"
        owner = ["--user=root"] if os.geteuid() == 0 else []
        return [
            *self.command("sbin/mysqld"), "--no-defaults", *owner, f"--basedir={self.folder}/usr",
            f"--lc-messages-dir={share}", f"--character-sets-dir={share}/charsets",
            f"--plugin-dir={self.folder}/usr/lib/mysql/plugin",
        ]  # fmt: skip


class MySql(Database):
    """A throwaway server on a free port of 127.0.0.1 with an empty database `leafmint`. The end removes its data."""

    name = "MySQL"

    def __init__(self, *options: str) -> None:
        self.programs = Programs()
        super().__init__(*options)
        with self.removed_on_failure():
            self.make_data()
            self.start()
            # Without the look-up of names, 127.0.0.1 is not the host localhost that the first account is for.
            self.sql(
                "CREATE USER root@127.0.0.1; GRANT ALL ON *.* TO root@127.0.0.1 WITH GRANT OPTION; "
                "CREATE DATABASE leafmint CHARACTER SET utf8mb4"
            )

    def make_data(self) -> None:
        """Makes the data of a server without databases, whose account root has no password."""
        with (self.folder / "log").open("ab") as log:
            subprocess.run(
                [*self.programs.server(), f"--datadir={self.folder}/data", "--initialize-insecure"],
                check=True, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip

    def spawn(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        """Starts the server's process."""
        return subprocess.Popen(
            [*self.programs.server(), f"--datadir={self.folder}/data", f"--socket={self.folder}/s",
             f"--pid-file={self.folder}/pid", f"--port={self.port}", "--bind-address=127.0.0.1", "--skip-name-resolve",
             f"--tmpdir={self.folder}", "--mysqlx=OFF", "--secure-file-priv=", "--skip-log-bin",
             "--innodb-flush-log-at-trx-commit=2", "--innodb-buffer-pool-size=32M", "--innodb-redo-log-capacity=32M",
             "--performance-schema=off", "--max-connections=500", *self.options],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip

    @property
    def url(self) -> str:
        return f"mysql://root@127.0.0.1:{self.port}/leafmint"

    def sql(self, statement: str) -> str:
        """Runs a statement as root and returns its rows as tab-separated lines."""
        return subprocess.run(
            [*self.programs.command("bin/mysql"), "--no-defaults", "-uroot", f"--socket={self.folder}/s", "-N", "-B",
             f"--character-sets-dir={self.programs.folder}/usr/share/mysql/charsets", "-e", statement],
            check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        ).stdout  # fmt: skip


if __name__ == "__main__":
    sys.exit(run_with(VARIABLE, MySql, sys.argv[1:]))
