"""A move from a running Leaf under load: Leaf alone, both side by side, leafmint alone, and back. No id comes twice."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy
import pymysql
import pytest
from minting_process import Nonstop, check
from programs import TOP, start

PHASE = 2.0
"""Seconds for which each phase lasts."""

TAG = "order"
WORKERS = [set(range(512, 1024)), {0, 1}]
"""The worker ids of leafmint beside Leaf, and after it."""


class Server:
    """A process that mints until it is stopped."""

    def __init__(self, script: str, file: Path, *arguments: str) -> None:
        self.file = file
        self.process = start([sys.executable, str(TOP / script)], *arguments, file)
        assert self.process.stdout
        self.first_line = self.process.stdout.readline().strip()
        assert self.first_line, self.process.communicate()
        self.summary: dict[str, Any] = {}

    def stop(self) -> None:
        """Stops it as a deployment does, and keeps its summary."""
        output, errors = self.process.communicate("", timeout=120)
        assert self.process.returncode == 0, errors
        self.summary = json.loads(output)

    def ids(self) -> numpy.ndarray[Any, Any]:
        """Returns what it minted."""
        return numpy.fromfile(self.file, dtype="<i8")


def look_at_leaf(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs the command that looks at a Leaf."""
    command = [sys.executable, "-m", "leafmint", "migrate", "leaf", "check", *arguments, "--json"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LEAFMINT_")}
    return subprocess.run(
        command, env={**environment, **variables}, capture_output=True, text=True, timeout=60, check=False
    )


def leaf_servers(url: str, mysql: pymysql.Connection, table: str, folder: Path) -> list[Server]:
    """Starts two Leaf servers, whose table has a tag."""
    with mysql.cursor() as cursor:
        cursor.execute(f"INSERT IGNORE INTO `{table}` (biz_tag, max_id, step) VALUES (%s, 1, 100)", (TAG,))
    parts = urlsplit(url)
    login = [str(parts.hostname), str(parts.port or 3306), unquote(parts.username or ""), unquote(parts.password or "")]
    database = [parts.path.lstrip("/"), table, TAG]
    return [
        Server("tests/leaf/leaf_alloc.py", folder / f"leaf-{uuid.uuid4().hex}", *login, *database) for _ in range(2)
    ]


def test_a_tag_moves_under_load_and_no_id_is_minted_twice(
    mysql_url: str, mysql: pymysql.Connection, leaf_table: str, tmp_path: Path
) -> None:
    leafs = leaf_servers(mysql_url, mysql, leaf_table, tmp_path)
    time.sleep(PHASE)

    checked = look_at_leaf(LEAFMINT_URL=f"{mysql_url}?table={leaf_table}")
    assert (checked.returncode, json.loads(checked.stdout)["ready"]) == (0, True), checked

    url = f"{mysql_url}?table={leaf_table}"
    services = [
        Server("tests/cross/applications/serve.py", tmp_path / f"leafmint-{number}", url, TAG) for number in range(2)
    ]
    time.sleep(PHASE)
    for leaf in leafs:
        leaf.stop()
    time.sleep(PHASE)
    for service in services:
        service.stop()

    servers = [*leafs, *services]
    assert [len(server.ids()) > 1000 for server in servers] == [True] * 4
    check(*(sorted(server.ids()) for server in servers))
    assert [server.summary["failures"] for server in services] == [0, 0]

    ranges = sorted(tuple(lease) for leaf in leafs for lease in leaf.summary["leases"])
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(ranges))
    of_leafmint = numpy.concatenate([service.ids() for service in services])
    assert not any(((of_leafmint >= start) & (of_leafmint < end)).any() for start, end in ranges)
    with mysql.cursor() as cursor:
        cursor.execute(f"SELECT max_id FROM `{leaf_table}`")
        (max_id,) = cursor.fetchone()
    of_leaf = sum(end - start for start, end in ranges)
    assert of_leaf + sum(service.summary["leased"] for service in services) == max_id - 1, "the ranges do not tile"


def test_a_tag_goes_back_to_leaf_under_load_and_no_id_is_minted_twice(
    mysql_url: str, mysql: pymysql.Connection, leaf_table: str, tmp_path: Path
) -> None:
    url = f"{mysql_url}?table={leaf_table}&auto_create=true"
    servers = [Server("tests/cross/applications/serve.py", tmp_path / "leafmint-0", url, TAG)]
    for turn in range(2):  # to Leaf, and forward again
        wait_for_leases(mysql, leaf_table, of=50_000)
        leafs = leaf_servers(mysql_url, mysql, leaf_table, tmp_path)
        wait_for_leases(mysql, leaf_table, of=100_000)
        servers[-1].stop()
        wait_for_leases(mysql, leaf_table, of=50_000)
        servers.append(Server("tests/cross/applications/serve.py", tmp_path / f"leafmint-{turn + 1}", url, TAG))
        wait_for_leases(mysql, leaf_table, of=100_000)
        for leaf in leafs:
            leaf.stop()
        servers[:0] = leafs
    servers[-1].stop()
    assert [len(server.ids()) > 1000 for server in servers] == [True] * len(servers)
    check(*(sorted(server.ids()) for server in servers))
    assert [server.summary["failures"] for server in servers] == [[]] * 4 + [0] * 3


def wait_for_leases(mysql: pymysql.Connection, table: str, of: int) -> None:
    """Waits until that many ids of the tag have been leased."""

    def max_id() -> int:
        with mysql.cursor() as cursor:
            cursor.execute(f"SELECT COALESCE(MAX(max_id), 0) FROM `{table}`")
            return int(cursor.fetchone()[0])

    until, deadline = max_id() + of, time.monotonic() + 120
    while max_id() < until:
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def zookeeper_hosts(zookeeper_url: str) -> str:
    """Returns the servers to test against."""
    return urlsplit(zookeeper_url).netloc


def test_snowflakes_move_under_load_and_no_id_is_minted_twice(
    zookeeper_hosts: str, mysql_url: str, tmp_path: Path
) -> None:
    name = f"leaf{uuid.uuid4().hex}"
    leafs = [
        Server("tests/leaf/snowflake.py", tmp_path / f"leaf-{number}", zookeeper_hosts, name, "10.0.0.1", str(number))
        for number in range(2)
    ]
    assert [leaf.first_line for leaf in leafs] == ["0", "1"]
    url = f"{mysql_url}?namespace={name}&state_dir={tmp_path}/state&timeout=20s"

    beside = Nonstop(f"{url}&workers=512-1023")
    beside.wait_for("ids")
    time.sleep(PHASE)
    for leaf in leafs:
        leaf.stop()
    # From here on the worker ids of Leaf are leafmint's: the clock has passed Leaf's last id.
    after = Nonstop(f"{url}&workers=0-1")
    after.wait_for("ids")
    time.sleep(PHASE)
    of_leaf = [leaf.ids() for leaf in leafs]
    of_leafmint = [numpy.array(guest.end()) for guest in (beside, after)]
    assert beside.errors() + after.errors() == []

    assert [len(ids) > 500 for ids in (*of_leaf, *of_leafmint)] == [True] * 4
    assert [set(ids >> 12 & 1023) <= workers for ids, workers in zip(of_leafmint, WORKERS, strict=True)] == [True] * 2
    check(*map(sorted, (*of_leaf, *of_leafmint)))
    assert max(ids.max() for ids in of_leaf) < of_leafmint[1].min()


def test_snowflakes_go_back_to_leaf_from_its_own_worker_ids_and_none_is_minted_twice(
    zookeeper_hosts: str, mysql_url: str, tmp_path: Path
) -> None:
    name = f"leaf{uuid.uuid4().hex}"
    url = f"{mysql_url}?namespace={name}&state_dir={tmp_path}/state&timeout=20s"

    alone = Nonstop(f"{url}&workers=0-1")
    alone.wait_for("ids")
    beside = Nonstop(f"{url}&workers=512-1023")
    beside.wait_for("ids")
    before = numpy.array(alone.end())
    leafs = [
        Server("tests/leaf/snowflake.py", tmp_path / f"leaf-{number}", zookeeper_hosts, name, "10.0.0.1", str(number))
        for number in range(2)
    ]
    for _ in range(20):
        beside.wait_for("ids")
    for leaf in leafs:
        leaf.stop()
    of_leaf = [leaf.ids() for leaf in leafs]
    after = numpy.array(beside.end())
    assert {int(worker) for ids in of_leaf for worker in ids >> 12 & 1023} == {int(before[0]) >> 12 & 1023, 1}
    check(*map(sorted, (before, *of_leaf, after)))
    assert before.max() < min(ids.min() for ids in of_leaf)
