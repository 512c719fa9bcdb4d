"""Starts throwaway MySQL servers for tests: Oracle's, of which only Debian's unstable suite has a package.

If LEAFMINT_TEST_MYSQL_HOME names a folder, the server in it is used, with MariaDB's client.

As a program it runs a command with one: `python3 tests/servers/mysql.py COMMAND…` sets LEAFMINT_TEST_MYSQL to a server
that ends with the command. If the variable is set already, the command uses that server.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import IO

from packages import need
from throwaway import Database, run_with
from unpacked import unpacked

VARIABLE = "LEAFMINT_TEST_MYSQL"


class Programs:
    """The words that start MySQL's programs, and the environment that they need."""

    def __init__(self) -> None:
        home = os.environ.get("LEAFMINT_TEST_MYSQL_HOME")
        if home:
            self.of_a_folder(home)
        else:
            self.of_debian()
        if os.geteuid() == 0:
            self.server.append("--user=root")

    def of_debian(self) -> None:
        """Takes those of Debian's packages, unpacked with the C library that they need."""
        folder = unpacked(
            "mysql",
            ["mysql-server-core", "mysql-client-core"],
            f", or set {VARIABLE} to mysql://user:password@host/database",
            suite="sid",
        )
        loader = next(folder.glob("usr/lib/*-linux-*/ld-linux-*"))
        folders = [loader.parent, folder / "usr/lib/mysql/private", folder / "usr/lib/mysql"]
        start = [str(loader), "--library-path", ":".join(map(str, folders))]
        share = f"{folder}/usr/share/mysql"
        self.environment = dict(os.environ)
        self.client = [*start, f"{folder}/usr/bin/mysql", "--no-defaults", f"--character-sets-dir={share}/charsets"]
        self.server = [
            *start, f"{folder}/usr/sbin/mysqld", "--no-defaults", f"--basedir={folder}/usr",
            f"--lc-messages-dir={share}", f"--character-sets-dir={share}/charsets",
            f"--plugin-dir={folder}/usr/lib/mysql/plugin",
        ]  # fmt: skip

    def of_a_folder(self, home: str) -> None:
        """Takes the server of a folder, which needs two libraries of the machine, and MariaDB's client."""
        need(["mariadb"], ["mariadb-client-core"], "")
        libraries = unpacked("mysql-libraries", ["libaio1", "libnuma1"], "")
        found = [str(path) for path in libraries.glob("usr/lib/*-linux-*")]
        self.environment = {**os.environ, "LD_LIBRARY_PATH": ":".join(found)}
        self.client = ["mariadb", "--no-defaults"]
        self.server = [
            f"{home}/bin/mysqld", "--no-defaults", f"--basedir={home}", f"--lc-messages-dir={home}/share",
            f"--character-sets-dir={home}/share/charsets",
            # The library of 8.0.15 exchanges keys in ways that leafmint's TLS no longer takes.
            "--skip-ssl",
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
                [*self.programs.server, f"--datadir={self.folder}/data", "--initialize-insecure"],
                check=True, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.programs.environment,
            )  # fmt: skip

    def spawn(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        """Starts the server's process."""
        return subprocess.Popen(
            [*self.programs.server, f"--datadir={self.folder}/data", f"--socket={self.folder}/s",
             f"--pid-file={self.folder}/pid", f"--port={self.port}", "--bind-address=127.0.0.1", "--skip-name-resolve",
             f"--tmpdir={self.folder}", "--loose-mysqlx=OFF", "--secure-file-priv=", "--skip-log-bin",
             "--innodb-flush-log-at-trx-commit=2", "--innodb-buffer-pool-size=32M",
             "--loose-innodb-redo-log-capacity=32M", "--performance-schema=off", "--max-connections=500",
             *self.options],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.programs.environment,
        )  # fmt: skip

    @property
    def url(self) -> str:
        return f"mysql://root@127.0.0.1:{self.port}/leafmint"

    def sql(self, statement: str) -> str:
        """Runs a statement as root and returns its rows as tab-separated lines."""
        return subprocess.run(
            [*self.programs.client, "-uroot", f"--socket={self.folder}/s", "-N", "-B", "-e", statement],
            check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        ).stdout  # fmt: skip


if __name__ == "__main__":
    sys.exit(run_with(VARIABLE, MySql, sys.argv[1:]))
