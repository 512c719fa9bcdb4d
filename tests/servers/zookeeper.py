"""Starts throwaway ZooKeeper servers for tests, alone or as an ensemble of three.

As a program it runs a command with one: `python3 tests/servers/zookeeper.py COMMAND…` sets LEAFMINT_TEST_ZOOKEEPER to
a server that ends with the command. If the variable is set already, the command uses that server.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import IO

from throwaway import Throwaway, free_port, run_with
from unpacked import unpacked

VARIABLE = "LEAFMINT_TEST_ZOOKEEPER"
JARS = Path("usr/share/java")
CHEAP = ["-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"]
SETTINGS = [
    "clientPortAddress=127.0.0.1", "admin.enableServer=false", "4lw.commands.whitelist=*", "maxClientCnxns=0",
    # Short ticks: a server that is silent for two seconds is left, as if the network were a fast one.
    "tickTime=500", "initLimit=20", "syncLimit=4", "maxSessionTimeout=60000",
    # The machine of a test does not lose power; a server that is killed loses nothing that the kernel has.
    "forceSync=no", "preAllocSize=1024",
]  # fmt: skip


class Programs:
    """The server's archives, if Debian's package is installed; else that package, unpacked.

    If LEAFMINT_TEST_ZOOKEEPER_HOME names a folder, the archives in it are used.
    """

    def __init__(self) -> None:
        java = os.environ.get("JAVA_HOME")
        self.java = f"{java}/bin/java" if java else "java"
        if not shutil.which(self.java):
            sys.exit(f"{self.java} is missing: install a JDK, or set {VARIABLE} to zookeeper://host/name")
        self.home = os.environ.get("LEAFMINT_TEST_ZOOKEEPER_HOME")
        self.roots = [Path("/")]
        if not self.home and not (self.roots[0] / JARS / "zookeeper.jar").exists():
            folder = unpacked("zookeeper", ["libzookeeper-java"], f", or set {VARIABLE} to zookeeper://host/name")
            self.roots.append(folder)

    def path(self, name: str) -> Path | None:
        """Finds an archive, which may be installed although the others are not."""
        return next((root / JARS / name for root in self.roots if (root / JARS / name).exists()), None)

    def class_path(self) -> str:
        """Returns the archives that the server's own names, by their absolute paths, and two that it does not."""
        if self.home:
            return f"{self.home}/*"
        server = self.path("zookeeper.jar")
        if not server:
            sys.exit(f"Debian's package libzookeeper-java has no {JARS}/zookeeper.jar: remove {self.roots[-1]}")
        with zipfile.ZipFile(server) as archive:
            manifest = archive.read("META-INF/MANIFEST.MF").decode().replace("\r\n", "\n").replace("\n ", "")
        [named] = (line for line in manifest.splitlines() if line.startswith("Class-Path: "))
        names = [Path(path).name for path in named.split()[1:]]
        found = [self.path(name) for name in ["zookeeper-jute.jar", "slf4j-simple.jar", *names]]
        return ":".join(map(str, [server, *filter(None, found)]))


class ZooKeeper(Throwaway):
    """A throwaway server on a free port of 127.0.0.1 that holds nothing. The end removes its data.

    Options are settings: `ZooKeeper("maxSessionTimeout=4000")`; those that begin with `-` are the virtual machine's.
    """

    name = "ZooKeeper"

    def __init__(self, *options: str, start: bool = True) -> None:
        self.programs = Programs()
        super().__init__(*options)
        self.ensemble: list[str] = []
        self.number = 1
        if start:
            self.start()

    def spawn(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        """Starts the server's process."""
        (self.folder / "data").mkdir(exist_ok=True)
        (self.folder / "data/myid").write_text(str(self.number))
        settings = [*SETTINGS, f"dataDir={self.folder}/data", f"clientPort={self.port}", *self.ensemble]
        settings += [option for option in self.options if not option.startswith("-")]
        (self.folder / "zoo.cfg").write_text("".join(f"{setting}\n" for setting in settings))
        return subprocess.Popen(
            [self.programs.java, *CHEAP, "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
             *(option for option in self.options if option.startswith("-")), "-cp", self.programs.class_path(),
             "org.apache.zookeeper.server.quorum.QuorumPeerMain", f"{self.folder}/zoo.cfg"],
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip

    def answers(self) -> bool:
        """Returns whether the server serves clients: alone, or with a quorum of its ensemble."""
        return "Mode: " in self.ask("srvr")

    def leads(self) -> bool:
        """Returns whether the server is the leader of its ensemble."""
        return "Mode: leader" in self.ask("srvr")

    def ask(self, word: str) -> str:
        """Asks the server by one of its words of four letters; a server that is silent for a second says nothing."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                connection.settimeout(1)
                connection.sendall(word.encode())
                return b"".join(iter(lambda: connection.recv(1 << 16), b"")).decode()
        except OSError:
            return ""

    @property
    def url(self) -> str:
        return f"zookeeper://127.0.0.1:{self.port}/leafmint"


class Ensemble:
    """Three servers that hold nothing. Any two of them serve."""

    def __init__(self, *options: str) -> None:
        self.nodes: list[ZooKeeper] = []
        try:
            self.nodes += [ZooKeeper(*options, start=False) for _ in range(3)]
            members = [f"server.{number}=127.0.0.1:{free_port()}:{free_port()}" for number in (1, 2, 3)]
            for number, node in enumerate(self.nodes, start=1):
                node.number, node.ensemble = number, members
                node.launch()
            for node in self.nodes:
                node.wait()
        except BaseException:
            self.close()
            raise

    @property
    def url(self) -> str:
        """The URL that names all three servers."""
        return f"zookeeper://{','.join(f'127.0.0.1:{node.port}' for node in self.nodes)}/leafmint"

    def leader(self) -> ZooKeeper | None:
        """Returns the leader, unless there is none at the moment."""
        return next((node for node in self.nodes if node.leads()), None)

    def close(self) -> None:
        """Ends every server and removes its data."""
        for node in self.nodes:
            node.close()

    def __enter__(self) -> Ensemble:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


if __name__ == "__main__":
    sys.exit(run_with(VARIABLE, ZooKeeper, sys.argv[1:]))
