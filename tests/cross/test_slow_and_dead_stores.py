"""Servers that die, freeze, come back or are demoted, and a full disk: ids go on while they can, and never repeat."""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import leafmint
import pytest
from mariadb import MariaDb

SCHEMA = leafmint.schema_sql("mysql")


@pytest.fixture
def server() -> Iterator[MariaDb]:
    """A server for one test, with leafmint's tables."""
    with MariaDb() as database:
        database.sql(f"USE leafmint; {SCHEMA}")
        yield database


def insert(server: MariaDb, step: int, *tags: str) -> None:
    """Inserts tags that start at 1."""
    for tag in tags:
        server.sql(f"INSERT INTO leafmint.leaf_alloc (biz_tag, max_id, step) VALUES ('{tag}', 1, {step})")


def assert_ascending(ids: list[int]) -> None:
    """Checks that the ids of one generator increase, so that none repeats."""
    assert all(a < b for a, b in itertools.pairwise(ids)), "an id came twice"


def until_it_fails(tag: leafmint.BizTag, minted: list[int]) -> tuple[leafmint.LeafmintError, float]:
    """Mints until a call fails; returns the error and for how many seconds that call waited."""
    while True:
        asked = time.monotonic()
        try:
            minted.append(tag.next_id())
        except leafmint.LeafmintError as error:
            return error, time.monotonic() - asked


class Paced:
    """A caller that takes ids at a fixed rate, and notes how long it went on after the store had died."""

    def __init__(self, tag: leafmint.BizTag, rate: int) -> None:
        self.tag, self.rate = tag, rate
        self.ids: list[int] = []
        self.began = time.monotonic()
        self.error: leafmint.LeafmintError | None = None
        self.dry_after = 0.0

    def keep_up(self) -> None:
        """Takes the ids that are due; stops at the first error."""
        due = int((time.monotonic() - self.began) * self.rate)
        while not self.error and len(self.ids) < due:
            try:
                self.ids.append(self.tag.next_id(timeout=0))
            except leafmint.SegmentUnavailableError as error:
                self.error, self.dry_after = error, time.monotonic() - self.began


def test_supply_survives_an_outage_as_long_as_the_tag_has_run_up_to_the_budget(
    server: MariaDb,
) -> None:
    ran, rate = 15.0, 1000
    insert(server, 100, "order", "capped")
    # A short budget, and segments that last a second.
    budget = 3.0
    with (
        leafmint.SegmentGenerator(server.url, timeout=1.0, connect_timeout=1.0) as ids,
        leafmint.SegmentGenerator(
            server.url, timeout=1.0, connect_timeout=1.0, outage_budget=budget, segment_duration=1.0
        ) as less,
    ):
        order, capped = ids.biz_tag("order"), less.biz_tag("capped")
        order.next_id(), capped.next_id()
        callers = [Paced(order, rate), Paced(capped, rate)]
        while time.monotonic() - callers[0].began < ran:
            for caller in callers:
                caller.keep_up()
            time.sleep(0.005)
        assert not any(caller.error for caller in callers), callers[0].error
        stats = {tag: figures for each in (ids, less) for tag, figures in each.stats()["tags"].items()}
        server.kill()
        while not all(caller.error for caller in callers) and time.monotonic() - callers[0].began < 3 * ran:
            for caller in callers:
                caller.keep_up()
            time.sleep(0.005)
        for caller in callers:
            figures = stats[caller.tag.name]
            print(
                f"\n{caller.tag.name}: ran {ran} s at {rate} ids/s, survived {caller.dry_after - ran:.1f} s; "
                f"leased/used {figures['leased'] / figures['issued']:.2f}; {figures}"
            )
        survived = [caller.dry_after - ran for caller in callers]
        assert survived[0] >= 0.9 * ran
        assert 0.9 * budget <= survived[1] <= 2.5 * budget, "the budget bounds what is held"
        # Now calls wait with their deadline, and say why.
        asked = time.monotonic()
        with pytest.raises(leafmint.SegmentUnavailableError, match=r"cannot connect to 127\.0\.0\.1") as failed:
            order.next_id()
        assert 0.9 <= time.monotonic() - asked < 5, failed.value
        server.start()
        asked = time.monotonic()
        callers[0].ids.append(order.next_id(timeout=30))
        recovered = time.monotonic() - asked
        callers[1].ids.append(capped.next_id(timeout=30))
        print(f"recovered {recovered:.2f} s after the server was back")
        assert recovered < 10
        for caller in callers:
            assert_ascending(caller.ids)


def test_a_frozen_server_costs_a_call_its_deadline_and_no_id(server: MariaDb) -> None:
    insert(server, 100, "order")
    minted = []
    with leafmint.SegmentGenerator(server.url, timeout=0.5, connect_timeout=0.3, max_step=100) as ids:
        order = ids.biz_tag("order")
        for _ in range(3):
            minted += order.next_ids(150)
            server.freeze()
            for _ in range(2):
                error, waited = until_it_fails(order, minted)
                assert isinstance(error, leafmint.SegmentUnavailableError)
                assert 0.4 <= waited < 5, error
            assert "no answer to" in str(error)
            server.thaw()
            minted.append(order.next_id(timeout=30))
    assert_ascending(minted)


def test_a_store_that_is_down_at_the_start_is_waited_for_or_fails_an_eager_start(server: MariaDb) -> None:
    insert(server, 100, "order")
    server.kill()
    asked = time.monotonic()
    with pytest.raises(leafmint.LeafmintError, match=f"cannot connect to 127.0.0.1:{server.port}"):
        leafmint.SegmentGenerator(server.url, eager=True, tags=["order"], timeout=0.5)
    assert time.monotonic() - asked < 5
    with leafmint.SegmentGenerator(server.url, timeout=0.5) as ids:
        order = ids.biz_tag("order")
        asked = time.monotonic()
        with pytest.raises(leafmint.SegmentUnavailableError, match=f"cannot connect to 127.0.0.1:{server.port}"):
            order.next_id()
        assert 0.4 <= time.monotonic() - asked < 5
        server.start()
        assert order.next_id(timeout=30) == 1


class Pair:
    """A primary and its replica, with the account `app`, which may not write to a read-only server."""

    def __init__(self, primary: MariaDb, replica: MariaDb) -> None:
        self.primary, self.replica = primary, replica
        self.url = f"mysql://app:pw@127.0.0.1:{primary.port},127.0.0.1:{replica.port}/leafmint"

    def catch_up(self) -> None:
        """Waits until the replica has everything that the primary has."""
        position = self.primary.sql("SELECT @@gtid_binlog_pos").strip()
        assert self.replica.sql(f"SELECT MASTER_GTID_WAIT('{position}', 30)").strip() == "0"

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
    """Error 1290."""
    primary.sql("SET GLOBAL read_only = 1")


def read_only_transactions(primary: MariaDb) -> None:
    """Error 1792."""
    primary.sql("SET GLOBAL tx_read_only = 1; KILL USER app")


def read_only_engine(primary: MariaDb) -> None:
    """Error 1036 from MariaDB; MySQL says 1836."""
    primary.process.terminate()
    primary.process.wait()
    primary.options = (*primary.options, "--innodb-read-only")
    primary.start()


@pytest.mark.parametrize("demote", [read_only, read_only_transactions, read_only_engine])
def test_a_demoted_primary_is_left_for_the_new_one_without_an_error(
    pair: Pair, demote: Callable[[MariaDb], None]
) -> None:
    minted = []
    with leafmint.SegmentGenerator(pair.url, max_step=100, timeout=10) as ids:
        order = ids.biz_tag("order")
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
        leafmint.SegmentGenerator(url, timeout=0.5) as ids,
        pytest.raises(leafmint.SegmentUnavailableError, match=r"1290.*read.only"),
    ):
        ids.biz_tag("order").next_id()


def test_a_promoted_replica_that_lagged_is_refused(pair: Pair) -> None:
    minted = []
    with leafmint.SegmentGenerator(pair.url, max_step=100, timeout=5) as ids:
        order = ids.biz_tag("order")
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


def mint_to(tag: leafmint.BizTag, least: int, ids: list[int]) -> list[float]:
    """Mints until 300 ids are at least `least`, and returns how long each slow call took. No call may fail."""
    slow: list[float] = []
    high = 0
    while high < 300:
        asked = time.monotonic()
        ids.append(tag.next_id())
        waited = time.monotonic() - asked
        if waited > 1.5:
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
        leafmint.SegmentGenerator(url, max_step=10, connect_timeout=2.0, timeout=10.0) as ids,
        ThreadPoolExecutor(8) as pool,
    ):
        tags = [ids.biz_tag(str(tag)) for tag in range(8)]
        minted = [tag.next_ids(300) for tag in tags]
        minting = [pool.submit(mint_to, tag, 10**9, of_tag) for tag, of_tag in zip(tags, minted, strict=True)]
        time.sleep(0.2)
        fault(first)
        broken = time.monotonic()
        slow = [each.result(timeout=60) for each in minting]
        took = time.monotonic() - broken
        asked = time.monotonic()
        for tag, of_tag in zip(tags, minted, strict=True):
            of_tag += tag.next_ids(300)
        print(
            f"\nslow calls: {slow}; over after {took:.1f} s; then 8 times 300 ids in {time.monotonic() - asked:.2f} s"
        )
    assert all(len(calls) <= 1 and sum(calls) < 4 for calls in slow), slow
    assert took < 10
    for of_tag in minted:
        assert_ascending(of_tag)


@contextlib.contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A disk that is soon full."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(disk: Path, left: int) -> Path:
    """Fills a disk except for `left` bytes."""
    filler = disk / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    with filler.open("rb+") as file:
        file.truncate(max(0, filler.stat().st_size - left))
    return filler


def test_a_full_disk_costs_an_error_and_never_a_duplicate(tmp_path: Path) -> None:
    minted: list[int] = []
    with small_disk(tmp_path / "disk", "1m") as disk:
        url = f"sqlite:///{disk}/ids.db?default_step=3&max_step=3&timeout=200ms"
        with leafmint.SegmentGenerator(url) as ids:
            order = ids.biz_tag("order")
            for left in (0, 4096, 3 * 4096, 9 * 4096):
                minted += order.next_ids(20)
                filler = fill(disk, left)
                error, _ = until_it_fails(order, minted)
                assert isinstance(error, leafmint.SegmentUnavailableError)
                assert "disk is full" in str(error)
                filler.unlink()
                minted.append(order.next_id(timeout=20))
            refused = ids.stats()["tags"]["order"]["refill_failures"]
            connection = sqlite3.connect(disk / "ids.db")
            (max_id,) = connection.execute("SELECT max_id FROM leaf_alloc").fetchone()
            connection.close()
            assert max_id > minted[-1], "every range that was handed out is in the file"
        with leafmint.SegmentGenerator(url) as ids:
            minted.append(ids.biz_tag("order").next_id())
    print(f"\n{len(minted)} ids, {refused} leases refused")
    assert_ascending(minted)
