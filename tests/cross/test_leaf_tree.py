"""worker_mode=leaf beside Leaf servers: a program that does exactly what a real Leaf does with ZooKeeper."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import leafmint
import pytest
from snowflake import LeafSnowflake
from znodes import LeafWorker, StartRefused


class Tree:
    """A tree of Leaf's that is empty, and the Leaf servers and generators that use it."""

    def __init__(self, url: str) -> None:
        self.hosts = url.split("://")[1].split("/")[0]
        self.name = f"leaf_{uuid.uuid4().hex[:12]}"
        self.leafs: list[LeafWorker] = []
        self.generators: list[leafmint.SnowflakeGenerator] = []

    def leaf(self, ip: str) -> LeafWorker:
        """Starts a Leaf server."""
        self.leafs.append(LeafWorker(self.hosts, self.name, ip, "8080"))
        return self.leafs[-1]

    def generator(self, ip: str, state_dir: Path) -> leafmint.SnowflakeGenerator:
        """Opens a generator beside them."""
        generator = leafmint.SnowflakeGenerator(
            f"zookeeper://{self.hosts}/{self.name}",
            worker_mode="leaf",
            endpoint=f"{ip}:8080",
            state_dir=str(state_dir),
        )
        self.generators.append(generator)
        return generator


@pytest.fixture
def tree(zookeeper_url: str) -> Iterator[Tree]:
    """An empty tree, whose users end with the test."""
    tree = Tree(zookeeper_url)
    yield tree
    for leaf in tree.leafs:
        leaf.stop()
    for generator in tree.generators:
        generator.close()


def worker_of(identifier: int) -> int:
    """Returns the worker id in an id."""
    return leafmint.Layout().decode(identifier).worker_id


@pytest.mark.parametrize("first", ["Leaf", "leafmint"])
def test_leaf_servers_and_leafmint_share_a_tree_and_no_id_repeats(tree: Tree, tmp_path: Path, first: str) -> None:
    if first == "Leaf":
        tree.leaf("10.0.0.1")
    flakes = tree.generator("10.0.0.9", tmp_path)
    ours = [flakes.next_id()]
    servers = [LeafSnowflake(tree.leaf(f"10.0.0.{number}")) for number in (2, 3)]
    ids = []
    for _ in range(200):
        ids += flakes.next_ids(50)
        ids += [server.next_id() for server in servers for _ in range(50)]
    assert len({*ours, *ids}) == len(ours) + len(ids)
    workers = {worker_of(identifier) for identifier in ours + ids}
    assert len(workers) == 3
    assert 0 not in workers
    tree.leaf("10.0.0.2")  # It can still read the tree when it starts again.


def test_a_leaf_server_refuses_to_start_on_the_endpoint_of_a_generator(tree: Tree, tmp_path: Path) -> None:
    flakes = tree.generator("10.0.0.9", tmp_path)
    for pause in (0, 2.5):
        flakes.next_id()
        time.sleep(pause)
        with pytest.raises(StartRefused, match="init timestamp check error"):
            tree.leaf("10.0.0.9")


def test_a_leaf_server_that_uses_the_endpoint_all_the_same_ends_the_lease(tree: Tree, tmp_path: Path) -> None:
    flakes = tree.generator("10.0.0.9", tmp_path)
    worker = worker_of(flakes.next_id())
    other = LeafWorker(tree.hosts, tree.name, "10.0.0.8", "8080")
    tree.leafs.append(other)
    # What a Leaf does that starts from its local file: it reports into the node without having read it.
    other.ip, other.node = "10.0.0.9", f"{other.forever}/10.0.0.9:8080-{worker:010}"
    other.report()
    with pytest.raises(leafmint.WorkerIdUnavailableError, match=r"used by another program"):
        mint_while_it_reports(flakes, other)


def mint_while_it_reports(flakes: leafmint.SnowflakeGenerator, leaf: LeafWorker) -> None:
    """Mints while a Leaf server reports, for at most 60 seconds."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        flakes.next_id(timeout=3)
        leaf.report()
        time.sleep(0.05)


def test_a_leaf_server_takes_the_endpoint_back_once_leafmint_has_closed(tree: Tree, tmp_path: Path) -> None:
    flakes = tree.generator("10.0.0.9", tmp_path)
    ours = flakes.next_ids(1000)
    flakes.close()
    leaf = LeafSnowflake(start_when_it_may(tree, "10.0.0.9"))
    assert leaf.worker.worker_id == worker_of(ours[0])
    theirs = [leaf.next_id() for _ in range(1000)]
    assert max(ours) < min(theirs)


def start_when_it_may(tree: Tree, ip: str) -> LeafWorker:
    """Starts a Leaf server, which refuses while a report is ahead of the clock: up to three seconds."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return tree.leaf(ip)
        except StartRefused:
            assert time.monotonic() < deadline
            time.sleep(0.05)
