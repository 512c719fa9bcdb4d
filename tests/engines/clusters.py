"""The proofs on clusters that speak MySQL's protocol."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Sequence

from galera import Galera
from group_replication import GroupReplication, Member
from proof import Engine, Event, prove
from throwaway import Database


def urls(nodes: Sequence[Database], rotated: bool) -> list[str]:
    """Returns the URL for each process: all hosts, in the same order, or each with another host first."""
    hosts = [f"127.0.0.1:{node.port}" for node in nodes]
    orders = [hosts[first:] + hosts[:first] if rotated else hosts for first in range(len(hosts))]
    return [f"mysql://root@{','.join(order)}/leafmint" for order in orders]


def max_id_on(nodes: Sequence[Database], before: str = "") -> Callable[[str], int]:
    """Returns what reads the row of a tag on the first node that answers; a cluster may still be mending itself."""

    def max_id(tag: str) -> int:
        deadline = time.monotonic() + 60
        while True:
            for node in nodes:
                try:
                    return int(node.sql(f"{before} SELECT max_id FROM leafmint.leaf_alloc WHERE biz_tag = '{tag}'"))
                except subprocess.CalledProcessError as error:
                    if time.monotonic() > deadline:
                        raise RuntimeError(f"{node.name} does not answer: {error.stderr}") from error
            time.sleep(0.2)

    return max_id


def make_tables(node: Database) -> None:
    """Makes the tables before processes on several nodes do so at once."""
    import leafmint

    with leafmint.SegmentGenerator(f"mysql://root@127.0.0.1:{node.port}/leafmint") as ids:
        ids.init_schema()


def frozen(nodes: Sequence[Database], seconds: float) -> None:
    """Freezes nodes for a while."""
    for node in nodes:
        node.freeze()
    time.sleep(seconds)
    for node in nodes:
        node.thaw()


def killed_and_back(node: Database, seconds: float) -> None:
    """Kills a node, and starts it again after a while."""
    node.kill()
    time.sleep(seconds)
    node.start()
    if isinstance(node, Member):
        node.join()


def galera() -> list[str]:
    """Three nodes that all take writes."""
    with Galera() as cluster:
        nodes = cluster.nodes
        make_tables(nodes[0])
        engine = Engine("Galera", urls(nodes, rotated=True), max_id_on(nodes, "SET SESSION wsrep_sync_wait = 1;"))
        events = [
            Event("writers on three nodes", faulty=False),
            Event("a node killed, and back", lambda: killed_and_back(nodes[2], 6), longest=8),
            Event("a node frozen for 8 s", lambda: frozen(nodes[1:2], 8), after=15, longest=15),
            Event("two of three frozen for 12 s", lambda: frozen(nodes[1:], 12), before=20, after=12, longest=26),
        ]
        return [problem for event in events for problem in prove(engine, event)]


def writable(nodes: Sequence[Database]) -> Database:
    """Finds the last node that takes writes: the primary, if there is only one."""
    return next(node for node in reversed(nodes) if node.sql("SELECT @@super_read_only") == "0\n")


def group_replication(single_primary: bool) -> list[str]:
    """Three members, of which one takes writes, or all of them."""
    with GroupReplication(single_primary) as group:
        nodes = group.nodes
        make_tables(nodes[0])
        read = max_id_on(nodes, "SET SESSION group_replication_consistency = 'BEFORE';")
        name = "Group Replication, one primary" if single_primary else "Group Replication, three primaries"
        engine = Engine(name, urls(nodes, rotated=not single_primary), read)
        kind = "the primary" if single_primary else "a primary"
        # With several writers a member that lags behind loses every conflict until it has caught up.
        slow = 2 if single_primary else 15
        events = [
            Event("no fault", longest=20, longest_with_policy=slow, faulty=False),
            Event(
                f"{kind} killed, and back",
                lambda: killed_and_back(nodes[0], 8),
                before=12,
                longest=25,
                longest_with_policy=slow,
            ),
            Event(
                f"{kind} frozen for 12 s",
                lambda: frozen([writable(nodes)], 12),
                before=12,
                after=10,
                longest=25,
                longest_with_policy=slow,
            ),
        ]
        return [problem for event in events for problem in prove(engine, event)]
