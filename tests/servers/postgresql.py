"""Starts throwaway PostgreSQL servers for tests.

As a program it runs a command with one: `python3 tests/servers/postgresql.py COMMAND…` sets LEAFMINT_TEST_POSTGRES to
a server that ends with the command. If the variable is set already, the command uses that server.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

from throwaway import Database, not_root, run_with
from unpacked import unpacked

VARIABLE = "LEAFMINT_TEST_POSTGRES"
ACCOUNT = "leafmint"
PASSWORD = "hush-hush"
SETTINGS = [
    "listen_addresses=127.0.0.1", "max_connections=300", "shared_buffers=32MB", "jit=off",
    # The machine of a test does not lose power; a server that is killed loses nothing that the kernel has.
    "fsync=off", "full_page_writes=off",
]  # fmt: skip


class Programs:
    """The programs of the newest PostgreSQL that is installed. If there is none, Debian's package is unpacked.

    Installing that package would make a cluster and start it as a service of the machine. If the variable
    LEAFMINT_TEST_POSTGRESQL_HOME names a folder, its server is used, with the clients of the other.
    """

    def __init__(self) -> None:
        self.environment = dict(os.environ)
        home = os.environ.get("LEAFMINT_TEST_POSTGRESQL_HOME")
        self.server = Path(home) / "bin" if home else None
        found = newest(Path("/usr"))
        if not found:
            folder = unpacked(
                "postgresql", ["postgresql"], f", or set {VARIABLE} to postgresql://user:password@host/db"
            )
            found = newest(folder / "usr")
            libraries = [str(path) for path in folder.glob("usr/lib/*-linux-*")]
            self.environment["LD_LIBRARY_PATH"] = ":".join(libraries)
        if not found:
            sys.exit(f"Debian's package postgresql has no usr/lib/postgresql/*/bin/initdb: remove {folder}")
        self.folder = found

    def path(self, name: str) -> str:
        """Returns the path of a program; those of the client may be installed elsewhere."""
        folders = [self.server, self.folder] if self.server else [self.folder]
        return next((str(folder / name) for folder in folders if (folder / name).exists()), name)


def newest(root: Path) -> Path | None:
    """Finds the programs of the newest version where Debian keeps them."""
    found = {int(path.parts[-3]): path.parent for path in root.glob("lib/postgresql/[0-9]*/bin/initdb")}
    return found[max(found)] if found else None


class PostgreSql(Database):
    """A throwaway server on a free port of 127.0.0.1 with an empty database `leafmint`. The end removes its data.

    Options are settings: `PostgreSql("wal_level=logical")`.
    """

    name = "PostgreSQL"

    def __init__(self, *options: str) -> None:
        self.programs = Programs()
        super().__init__(*options)
        self.owner = not_root()
        os.chown(self.folder, self.owner.get("user", -1), self.owner.get("group", -1))
        with self.removed_on_failure():
            self.make_data()
            self.start()

    def make_data(self) -> None:
        """Makes the data of a server without databases of its own, and of an account that may do anything."""
        password = self.folder / "password"
        password.write_text(PASSWORD)
        os.chown(password, self.owner.get("user", -1), self.owner.get("group", -1))
        self.run(
            "initdb", f"--pgdata={self.folder}/data", f"--username={ACCOUNT}", f"--pwfile={password}",
            "--auth-local=trust", "--auth-host=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync",
        )  # fmt: skip

    def start(self) -> None:
        """Starts the server on its data and waits until it answers."""
        super().start()
        if not self.sql("SELECT 1 FROM pg_database WHERE datname = 'leafmint'", database="postgres"):
            self.sql("CREATE DATABASE leafmint", database="postgres")

    def run(self, name: str, *arguments: str) -> str:
        """Runs one of PostgreSQL's programs as the server's user, and returns what it prints."""
        output: str = subprocess.run(
            [self.programs.path(name), *arguments], check=True, cwd=self.folder, env=self.programs.environment,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, **self.owner,
        ).stdout  # fmt: skip
        return output

    def spawn(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        """Starts the server's first process."""
        settings = [*SETTINGS, f"port={self.port}", f"unix_socket_directories={self.folder}", *self.options]
        return subprocess.Popen(
            [self.programs.path("postgres"), "-D", f"{self.folder}/data",
             *(word for setting in settings for word in ("-c", setting))],
            cwd=self.folder, env=self.programs.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            **self.owner,
        )  # fmt: skip

    def answers(self) -> bool:
        """Returns whether the server runs statements; its database may not be there yet."""
        try:
            self.sql("SELECT 1", database="postgres")
        except subprocess.CalledProcessError:
            return False
        return True

    @property
    def url(self) -> str:
        return f"postgresql://{ACCOUNT}:{PASSWORD}@127.0.0.1:{self.port}/leafmint"

    def sql(self, statement: str, database: str = "leafmint") -> str:
        """Runs a statement as the superuser and returns its rows as tab-separated lines."""
        return self.run(
            "psql", "--no-psqlrc", "--no-align", "--tuples-only", "--quiet", "--field-separator=\t",
            "--set=ON_ERROR_STOP=1", f"--host={self.folder}", f"--port={self.port}", f"--username={ACCOUNT}",
            f"--dbname={database}", f"--command={statement}",
        )  # fmt: skip

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to the server's processes: the first one, then its children, which could not be replaced."""
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def processes(self) -> list[int]:
        """Returns the server's first process, and its children."""
        return [self.process.pid, *children_of(self.process.pid)]

    def kill(self) -> None:
        """Ends the server as a crash would. It can start again only once the last of its processes has ended."""
        if self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGSTOP)  # it starts no more of them
        wait_for(lambda: state_of(self.process.pid) == "T")
        children = children_of(self.process.pid)
        super().kill()
        # Those that nothing waits for stay as zombies, which hold nothing any more.
        wait_for(lambda: all(state_of(pid) in ("", "X", "Z") for pid in children))

    def close(self) -> None:
        """Ends the server and removes its data."""
        # It ends its own children first: the orphans of a killed server stay as zombies if nothing waits for them.
        if hasattr(self, "process"):
            self.process.send_signal(signal.SIGQUIT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
        super().close()


class Replica(PostgreSql):
    """A server that follows another one until it is promoted."""

    def __init__(self, primary: PostgreSql, *options: str) -> None:
        self.primary = primary
        super().__init__(*options)

    def make_data(self) -> None:
        """Copies the data of the primary, with how to follow it."""
        self.run(
            "pg_basebackup", f"--pgdata={self.folder}/data", "--write-recovery-conf", "--checkpoint=fast", "--no-sync",
            f"--dbname=host={self.primary.folder} port={self.primary.port} user={ACCOUNT} application_name=replica",
        )  # fmt: skip

    def promote(self) -> None:
        """Makes it take writes."""
        self.sql("SELECT pg_promote()")


def wait_for(holds: Callable[[], bool]) -> None:
    """Waits until something holds, for 20 s at most."""
    deadline = time.monotonic() + 20
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.005)


def state_of(pid: int) -> str:
    """Returns the letter of a process's state, nothing if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


def children_of(parent: int) -> list[int]:
    """Lists the children of a process."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # The name of the program is in parentheses and may hold spaces.
            if int(status.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(status.parent.name))
    return found


if __name__ == "__main__":
    sys.exit(run_with(VARIABLE, PostgreSql, sys.argv[1:]))
