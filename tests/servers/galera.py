"""Starts throwaway Galera clusters: MariaDB servers of which each one takes writes."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import IO

from mariadb import PACKAGES, PROGRAMS, MariaDb
from packages import need
from throwaway import Throwaway, free_port, not_root
from unpacked import unpacked

PROVIDER = [
    "gcache.size=16M", "pc.recovery=FALSE",
    # A silent node is left out after some seconds, as if the network were a fast one.
    "evs.suspect_timeout=PT2S", "evs.inactive_timeout=PT4S", "evs.keepalive_period=PT0.3S",
    "evs.inactive_check_period=PT0.3S",
]  # fmt: skip


class Node(MariaDb):
    """A server of a cluster. The first one has data to start with; the others copy its data when they join."""

    name = "Galera"

    def __init__(self, number: int, data: Path, options: list[str]) -> None:
        Throwaway.__init__(self, *options)
        # The package of the whole server would start it as a service of the machine.
        self.unpacked = unpacked("galera", ["galera-4", "mariadb-server", "rsync"], "")
        self.number = number
        self.owner = []
        self.account = not_root()
        self.group_port, self.increment_port, self.copy_port = free_port(), free_port(), free_port()
        self.seeds: list[str] = []
        self.first = number == 1
        shutil.copytree(data, self.folder / "data")
        for path in [self.folder, *self.folder.rglob("*")]:
            os.chown(path, self.account.get("user", -1), self.account.get("group", -1))

    def spawn(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        """Starts the server's process, as a user that is not root."""
        libraries = [str(path) for path in self.unpacked.glob("usr/lib/*-linux-*")]
        path = f"{os.environ['PATH']}:/usr/sbin:/sbin:{self.unpacked}/usr/bin"
        return subprocess.Popen(
            [*self.command(), *self.of_the_cluster()], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            env={**os.environ, "PATH": path, "LD_LIBRARY_PATH": ":".join(libraries)}, **self.account,
        )  # fmt: skip

    def of_the_cluster(self) -> list[str]:
        """Returns the options that make a server a node. The first node starts the cluster once."""
        library = next(self.unpacked.glob("usr/lib/galera*/libgalera_smm.so"))
        provider = [
            f"gmcast.listen_addr=tcp://127.0.0.1:{self.group_port}", f"ist.recv_addr=127.0.0.1:{self.increment_port}",
        ]  # fmt: skip
        start = ["--wsrep-new-cluster"] if self.first else []
        self.first = False
        return [
            "--binlog-format=ROW", "--innodb-autoinc-lock-mode=2", "--innodb-flush-log-at-trx-commit=0",
            f"--server-id={self.number}", "--wsrep-on=ON", f"--wsrep-provider={library}",
            "--wsrep-cluster-name=test", f"--wsrep-node-name=n{self.number}",
            f"--wsrep-node-address=127.0.0.1:{self.group_port}",
            f"--wsrep-node-incoming-address=127.0.0.1:{self.port}",
            f"--wsrep-sst-receive-address=127.0.0.1:{self.copy_port}", "--wsrep-sst-method=rsync",
            f"--wsrep-cluster-address=gcomm://{','.join(self.seeds)}",
            f"--wsrep-provider-options={';'.join([*provider, *PROVIDER])}", *start,
        ]  # fmt: skip

    def answers(self) -> bool:
        """Returns whether the node takes writes."""
        try:
            return "ON" in self.sql("SHOW STATUS LIKE 'wsrep_ready'")
        except subprocess.CalledProcessError:
            return False


class Galera:
    """Three nodes with an empty database `leafmint`."""

    def __init__(self, *options: str) -> None:
        need(PROGRAMS, PACKAGES, "")
        self.nodes: list[Node] = []
        with MariaDb() as server:
            server.process.terminate()
            server.process.wait()
            try:
                for number in (1, 2, 3):
                    self.nodes.append(Node(number, server.folder / "data", list(options)))
                for node in self.nodes:
                    node.seeds = [f"127.0.0.1:{each.group_port}" for each in self.nodes]
                    node.start()
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Ends every node and removes its data."""
        for node in self.nodes:
            node.close()

    def __enter__(self) -> Galera:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
