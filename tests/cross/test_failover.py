"""A primary that is demoted, frozen or dead: its clients go on at the next host of their URL, and no id repeats."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import leafmint
import pytest
from mariadb import MariaDb
from segments import SCHEMA, assert_ascending, insert, until_it_fails


class Pair:
    """A primary and its replica, with the account `app`, which may not write to a read-only server."""

    def __init__(self, primary: MariaDb, replica: MariaDb) -> None:
        self.primary, self.replica = primary, replica
        self.url = f"mysql://app:pw@127.0.0.1:{primary.port},127.0.0.1:{replica.port}/leafmint"

    def catch_up(self) -> None:
        """Waits until the replica has everything that the primary has."""
        position = self.primary.sql("SELECT @@gtid_binlog_pos").strip()
        assert self.replica.sql(f"SELECT MASTER_GTID_WAIT('{position}', 60)").strip() == "0"

    def promote(self) -> None:
        """Makes the replica a primary."""
        self.replica.sql("STOP SLAVE; SET GLOBAL read_only = 0")


@pytest.fixture
def pair() -> Iterator[Pair]:
    """Two servers, the second one a replica of the first."""
    with MariaDb("--server-id=1", "--log-bin=binlog") as primary, MariaDb("--server-id=2", "--read-only=1") as replica:
        replica.sql(
            f"CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT={primary.port}, MASTER_USER='copy', "
            "MASTER_PASSWORD='pw', MASTER_CONNECT_RETRY=1"
        )
        primary.sql(f"USE leafmint; {SCHEMA}")
        insert(primary, 100, "order")
        primary.sql("CREATE USER copy@'%' IDENTIFIED BY 'pw'; GRANT REPLICATION SLAVE ON *.* TO copy@'%'")
        primary.sql("CREATE USER app@'%' IDENTIFIED BY 'pw'; GRANT SELECT, INSERT, UPDATE ON leafmint.* TO app@'%'")
        replica.sql("DROP DATABASE leafmint; START SLAVE")
        both = Pair(primary, replica)
        both.catch_up()
        yield both


def read_only(primary: MariaDb) -> None:
    """Makes writes fail with error 1290."""
    primary.sql("SET GLOBAL read_only = 1")


def read_only_transactions(primary: MariaDb) -> None:
    """Makes writes fail with error 1792."""
    primary.sql("SET GLOBAL tx_read_only = 1; KILL USER app")


def read_only_engine(primary: MariaDb) -> None:
    """Makes writes fail with error 1036, which is 1836 in MySQL."""
    primary.process.terminate()
    primary.process.wait()
    primary.options = (*primary.options, "--innodb-read-only")
    primary.start()


LONG = [pytest.param(demote, marks=pytest.mark.long) for demote in (read_only_transactions, read_only_engine)]


@pytest.mark.parametrize("demote", [read_only, *LONG])
def test_a_demoted_primary_is_left_for_the_new_one_without_an_error(
    pair: Pair, demote: Callable[[MariaDb], None]
) -> None:
    minted = []
    with leafmint.SegmentGenerator(pair.url, max_step=100, timeout=30) as ids:
        order = ids.tag("order")
        for _ in range(500):
            minted.append(order.next_id())
        demote(pair.primary)
        pair.catch_up()
        pair.promote()
        for _ in range(2000):
            minted.append(order.next_id())
        assert int(pair.replica.sql("SELECT max_id FROM leafmint.leaf_alloc")) > minted[-1]
    assert_ascending(minted)


def test_a_read_only_server_without_an_alternative_is_named_as_such(pair: Pair) -> None:
    url = f"mysql://app:pw@127.0.0.1:{pair.replica.port}/leafmint"
    with (
        leafmint.SegmentGenerator(url, timeout=3) as ids,
        pytest.raises(leafmint.SegmentUnavailableError, match=r"1290.*read.only"),
    ):
        ids.tag("order").next_id()


def test_a_promoted_replica_that_lagged_is_refused(pair: Pair) -> None:
    minted = []
    with leafmint.SegmentGenerator(pair.url, max_step=100, timeout=30) as ids:
        order = ids.tag("order")
        minted += order.next_ids(500)
        pair.catch_up()
        pair.replica.sql("STOP SLAVE")
        minted += order.next_ids(5000)
        pair.primary.kill()
        pair.promote()
        error, _ = until_it_fails(order, minted)
        assert isinstance(error, leafmint.StoreRegressedError)
        assert "stale replica" in str(error)
    assert_ascending(minted)


@pytest.fixture
def two_servers() -> Iterator[tuple[MariaDb, MariaDb]]:
    """Two servers with the tags 0 to 7; the second one is ahead, as if it had every write of the first."""
    with MariaDb() as first, MariaDb() as second:
        for server, max_id in [(first, 1), (second, 10**9)]:
            server.sql(f"USE leafmint; {SCHEMA}")
            insert(server, 10, *map(str, range(8)))
            server.sql(f"UPDATE leafmint.leaf_alloc SET max_id = {max_id}")
        yield first, second


CONNECT_TIMEOUT = 5.0
"""So long that a busy machine is not taken for a second timeout."""


def mint_to(tag: leafmint.Tag, least: int, ids: list[int]) -> list[float]:
    """Mints until 300 ids are at least `least`, and returns how long each slow call took. No call may fail."""
    slow: list[float] = []
    high = 0
    while high < 300:
        asked = time.monotonic()
        ids.append(tag.next_id())
        waited = time.monotonic() - asked
        if waited > 0.75 * CONNECT_TIMEOUT:
            slow.append(waited)
        high += ids[-1] >= least
    return slow


@pytest.mark.parametrize("fault", [MariaDb.freeze, MariaDb.kill])
def test_eight_tags_leave_a_frozen_or_dead_server_after_one_connect_timeout_in_all(
    two_servers: tuple[MariaDb, MariaDb], fault: Callable[[MariaDb], None]
) -> None:
    first, second = two_servers
    url = f"mysql://root@127.0.0.1:{first.port},127.0.0.1:{second.port}/leafmint"
    with (
        leafmint.SegmentGenerator(url, max_step=10, connect_timeout=CONNECT_TIMEOUT, timeout=30.0) as ids,
        ThreadPoolExecutor(8) as pool,
    ):
        tags = [ids.tag(str(tag)) for tag in range(8)]
        minted = [tag.next_ids(300) for tag in tags]
        minting = [pool.submit(mint_to, tag, 10**9, of_tag) for tag, of_tag in zip(tags, minted, strict=True)]
        time.sleep(0.2)
        fault(first)
        broken = time.monotonic()
        slow = [each.result(timeout=120) for each in minting]
        took = time.monotonic() - broken
        asked = time.monotonic()
        for tag, of_tag in zip(tags, minted, strict=True):
            of_tag += tag.next_ids(300)
        print(
            f"\nslow calls: {slow}; over after {took:.1f} s; then 8 times 300 ids in {time.monotonic() - asked:.2f} s"
        )
    assert all(len(calls) <= 1 and sum(calls) < 2 * CONNECT_TIMEOUT for calls in slow), slow
    # One after the other, eight tags would take eight timeouts.
    assert took < 4 * CONNECT_TIMEOUT
    for of_tag in minted:
        assert_ascending(of_tag)
