"""The worker id of a Leaf server, from ZooKeeper: what a real Leaf reads and writes there, in its order.

Its flaws are here too: the worker id 0 for a server that finds no tree, writes without a version, nodes that are read
by the parts of their names.
"""

from __future__ import annotations

import json
import threading
import time

from kazoo.client import KazooClient
from kazoo.exceptions import KazooException

FIRST_REPORT = 1.0
REPORTS = 3.0
"""Seconds from the end of one report to the next one."""


class StartRefused(Exception):
    """Leaf does not start: a node is not as it expects, or its time lies ahead."""


class LeafWorker:
    """Takes the worker id of an `ip:port` as Leaf does at its start, and then reports its clock every three seconds."""

    def __init__(self, hosts: str, name: str, ip: str, port: str) -> None:
        self.ip, self.port = ip, port
        self.forever = f"/snowflake/{name}/forever"
        self.client = KazooClient(hosts=hosts, timeout=10)
        self.client.start(timeout=60)
        self.last_report = 0
        self.ended = threading.Event()
        try:
            self.node, self.worker_id = self.take()
        except BaseException:
            self.client.stop()
            self.client.close()
            raise
        self.reports = threading.Thread(target=self.report_until_the_end, daemon=True)
        self.reports.start()

    def take(self) -> tuple[str, int]:
        """Finds or creates the node of this endpoint."""
        if self.client.exists(self.forever) is None:
            # The number of the node is not looked at.
            return self.create(), 0
        nodes, numbers = {}, {}
        try:
            for key in self.client.get_children(self.forever):
                parts = key.split("-")
                nodes[parts[0]] = key
                numbers[parts[0]] = int(parts[1])
        except (IndexError, ValueError) as error:
            raise StartRefused(f"{key}: {error}") from error
        endpoint = f"{self.ip}:{self.port}"
        if endpoint not in nodes:
            node = self.create()
            return node, self.checked(int(node.split("-")[1]))
        node = f"{self.forever}/{nodes[endpoint]}"
        data = json.loads(self.client.get(node)[0])
        if set(data) - {"ip", "port", "timestamp"}:
            raise StartRefused(f"unknown fields: {data}")
        if data["timestamp"] > time.time() * 1000:
            raise StartRefused("init timestamp check error")
        return node, self.checked(numbers[endpoint])

    @staticmethod
    def checked(worker_id: int) -> int:
        """Refuses a worker id that has more than ten bits."""
        if not 0 <= worker_id <= 1023:
            raise StartRefused(f"workerID must be between 0 and 1023: {worker_id}")
        return worker_id

    def create(self) -> str:
        """Creates the node of this endpoint, whose number the server appends."""
        path = f"{self.forever}/{self.ip}:{self.port}-"
        node: str = self.client.create(path, self.data(), sequence=True, makepath=True)
        return node

    def data(self) -> bytes:
        """Returns what a node holds."""
        now = int(time.time() * 1000)
        return json.dumps({"ip": self.ip, "port": self.port, "timestamp": now}, separators=(",", ":")).encode()

    def report_until_the_end(self) -> None:
        """Reports this server's clock."""
        pause = FIRST_REPORT
        while not self.ended.wait(pause):
            pause = REPORTS
            self.report()

    def report(self) -> None:
        """Reports this server's clock once, unless the clock was set back. No version is compared."""
        if time.time() * 1000 < self.last_report:
            return
        try:
            self.client.set(self.node, self.data())
        except KazooException:
            return
        self.last_report = int(time.time() * 1000)

    def stop(self) -> None:
        """Ends the server. Its node stays."""
        self.ended.set()
        self.reports.join()
        self.client.stop()
        self.client.close()
