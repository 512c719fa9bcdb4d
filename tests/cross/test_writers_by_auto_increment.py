"""Old writers insert by AUTO_INCREMENT, and new ones ids of a tag, at once: which ways keep both apart, and which fail.

An explicit id above the counter pushes it. In the ways that fail, inserts with an id of the tag fail as duplicates, and
some without an id too.
"""

from __future__ import annotations

import contextlib
import itertools
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import pymysql
import pytest
from galera import Galera
from group_replication import GroupReplication
from mariadb import MariaDb
from mysql import MySql
from throwaway import Database

DUPLICATE = 1062
DEADLOCKS = {1205, 1213}
FIRST_ROWS = 999
COUNTER = 1_000_000_000
"""The number that the counter is raised to."""

EVERY = ["SET SESSION auto_increment_increment = 1"]
ODD = ["SET SESSION auto_increment_increment = 2", "SET SESSION auto_increment_offset = 1"]
AS_IT_IS: list[str] = []
OF_A_CLUSTER = ["SET SESSION auto_increment_increment = 7", "SET SESSION auto_increment_offset = 3"]
INSERTS_OF_OLD = [
    "INSERT INTO orders (writer) VALUES ('old')",
    "INSERT INTO orders (writer) VALUES ('old'), ('old'), ('old'), ('old'), ('old')",
    "INSERT INTO orders (writer) SELECT 'old' FROM numbers LIMIT 6",
    "INSERT INTO orders (id, writer) VALUES (NULL, 'old'), (0, 'old'), (DEFAULT, 'old')",
]


class Tag:
    """A tag of which each writer leases a hundred numbers at once, as leafmint's processes do."""

    def __init__(self, start: int, factor: int = 1) -> None:
        self.leases = itertools.count(start, 100)
        self.factor = factor

    def ids(self) -> Iterator[int]:
        """Yields the ids of one writer."""
        for lease in self.leases:
            yield from (number * self.factor for number in range(lease, lease + 100))


class Writers:
    """Writers of both kinds that insert and roll back, until they are stopped."""

    def __init__(self, server: Database) -> None:
        self.server = server
        self.ended = threading.Event()
        self.failures: Counter[tuple[str, int]] = Counter()
        self.tries: Counter[str] = Counter()

    def connect(self) -> pymysql.Connection:
        """Opens a session."""
        parts = urlsplit(self.server.url)
        return pymysql.connect(host=parts.hostname, port=parts.port or 0, user="root", database="leafmint")

    def make_tables(self, *statements: str) -> None:
        """Makes the table with its first rows, and runs statements of the operator."""
        self.operate(
            "DROP TABLE IF EXISTS orders, numbers",
            "CREATE TABLE orders (id BIGINT AUTO_INCREMENT PRIMARY KEY, writer VARCHAR(3))",
            "CREATE TABLE numbers (number INT PRIMARY KEY)",
            "INSERT INTO numbers VALUES (1), (2), (3), (4), (5), (6)",
            "INSERT INTO orders (writer) VALUES " + ", ".join(["('old')"] * FIRST_ROWS),
            *statements,
        )

    def operate(self, *statements: str) -> Any:
        """Runs statements of the operator, and returns the first row of the last one."""
        with self.connect() as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
            connection.commit()
            return cursor.fetchone()

    def insert(self, writer: str, seed: int, setup: list[str], statements: Iterator[str]) -> None:
        """Inserts until the end, and counts what fails."""
        choose = random.Random(seed)
        with contextlib.suppress(pymysql.err.OperationalError), self.connect() as connection:
            cursor = connection.cursor()
            for statement in setup:
                cursor.execute(statement)
            while not self.ended.is_set():
                self.tries[writer] += 1
                try:
                    cursor.execute(next(statements))
                    (connection.rollback if choose.random() < 0.2 else connection.commit)()
                except pymysql.err.MySQLError as error:
                    self.failures[writer, error.args[0]] += error.args[0] not in DEADLOCKS
                    connection.rollback()

    def run(self, sessions: list[list[str]], tag: Tag, tries: int = 400) -> None:
        """Lets old writers with these sessions and two new ones insert, until both kinds have tried as often."""
        self.ended.clear()
        self.tries.clear()
        with ThreadPoolExecutor() as pool:
            olds = [self.old(number) for number in range(len(sessions))]
            news = [self.new(number, tag.ids()) for number in range(2)]
            jobs = [("old", setup, old) for setup, old in zip(sessions, olds, strict=True)]
            jobs += [("new", EVERY, new) for new in news]
            for seed, (writer, setup, statements) in enumerate(jobs):
                pool.submit(self.insert, writer, seed, setup, statements)
            deadline = time.monotonic() + 120
            while min(self.tries["old"], self.tries["new"]) < tries and time.monotonic() < deadline:
                time.sleep(0.05)
            self.ended.set()
        assert min(self.tries["old"], self.tries["new"]) >= tries, self.tries

    def old(self, seed: int) -> Iterator[str]:
        """Yields inserts without an id."""
        choose = random.Random(seed)
        while True:
            yield choose.choice(INSERTS_OF_OLD)

    def new(self, seed: int, ids: Iterator[int]) -> Iterator[str]:
        """Yields inserts with ids of the tag."""
        choose = random.Random(seed)
        while True:
            taken = itertools.islice(ids, choose.choice([1, 5]))
            yield "INSERT INTO orders (id, writer) VALUES " + ", ".join(f"({number}, 'new')" for number in taken)

    def failed(self) -> set[tuple[str, int]]:
        """Returns which inserts failed, by writer and error, apart from deadlocks."""
        return {failure for failure, times in self.failures.items() if times}

    def kill_and_restart(self) -> None:
        """Kills the server and starts it again on its data."""
        self.server.signal(signal.SIGKILL)
        self.server.process.wait()
        self.server.start()


@pytest.fixture(scope="module")
def server() -> Iterator[Database]:
    """A server of its own, with the lock mode that gives the least order."""
    with MariaDb("--innodb-autoinc-lock-mode=2") as server:
        yield server


@pytest.fixture
def writers(server: Database) -> Writers:
    """Writers on that server."""
    return Writers(server)


def raised(number: int) -> str:
    """Returns the statement that raises the counter."""
    return f"ALTER TABLE orders AUTO_INCREMENT = {number}, ALGORITHM=INPLACE, LOCK=NONE"


def test_a_tag_that_begins_high_pushes_the_counter_into_its_own_numbers(writers: Writers) -> None:
    writers.make_tables()
    writers.run([EVERY, EVERY], Tag(1_000_000))
    assert ("new", DUPLICATE) in writers.failed()


def test_odd_and_even_keep_apart_if_every_session_counts_by_two(writers: Writers) -> None:
    writers.make_tables()
    writers.run([ODD, ODD], Tag(FIRST_ROWS, factor=2))
    assert writers.failed() == set()


def test_one_session_that_counts_by_one_breaks_odd_and_even(writers: Writers) -> None:
    writers.make_tables()
    writers.run([ODD, EVERY], Tag(FIRST_ROWS, factor=2))
    assert ("new", DUPLICATE) in writers.failed()


def test_an_open_session_keeps_counting_by_one_after_the_server_is_set_to_two(writers: Writers) -> None:
    read = "SELECT @@auto_increment_increment"
    with writers.connect() as pooled, pooled.cursor() as cursor:
        writers.operate("SET GLOBAL auto_increment_increment = 2")
        new = writers.operate(read)
        writers.operate("SET GLOBAL auto_increment_increment = 1")
        cursor.execute(read)
        assert (cursor.fetchone(), new) == ((1,), (2,))


def test_a_freeze_ends_in_the_same_clash_if_one_old_writer_comes_back(writers: Writers) -> None:
    writers.make_tables()
    writers.run([EVERY], Tag(FIRST_ROWS + 1))
    assert ("new", DUPLICATE) in writers.failed()


@pytest.mark.parametrize("sessions", [[EVERY, ODD], [ODD, OF_A_CLUSTER]], ids=["by 1 and 2", "by 2 and 7"])
def test_a_counter_above_the_tag_keeps_apart_whatever_the_sessions_count_by(
    sessions: list[list[str]], writers: Writers
) -> None:
    writers.make_tables(raised(COUNTER))
    tag = Tag(FIRST_ROWS + 1)
    writers.run(sessions, tag)
    writers.kill_and_restart()
    writers.run(sessions, tag)
    assert writers.failed() == set()
    lowest = f"SELECT MIN(id) >= {COUNTER} FROM orders WHERE writer = 'old' AND id > {FIRST_ROWS}"
    assert writers.operate(lowest) == (1,)


def test_a_raised_counter_outlives_a_kill_before_any_row_and_the_rebuilds_of_the_table(writers: Writers) -> None:
    writers.make_tables(raised(COUNTER))
    writers.kill_and_restart()
    writers.operate("INSERT INTO orders VALUES (5000, 'new')")
    for change in (
        "OPTIMIZE TABLE orders",
        "ALTER TABLE orders FORCE",
        "ALTER TABLE orders ADD COLUMN note INT, ALGORITHM=COPY",
    ):
        writers.operate(change)
    assert next_of_counter(writers) >= COUNTER - 1


def test_the_counter_is_raised_only_after_the_transactions_that_took_its_numbers(writers: Writers) -> None:
    writers.make_tables()
    with writers.connect() as old, writers.connect() as operator:
        old.cursor().execute(INSERTS_OF_OLD[0])
        operator.cursor().execute("SET SESSION lock_wait_timeout = 1")
        with pytest.raises(pymysql.err.OperationalError, match="1205"):
            operator.cursor().execute(raised(COUNTER))
        old.commit()
        operator.cursor().execute(raised(COUNTER))
    assert next_of_counter(writers) == COUNTER


def next_of_counter(writers: Writers) -> int:
    """Returns the number that an insert without an id gets."""
    with writers.connect() as connection, connection.cursor() as cursor:
        cursor.execute(INSERTS_OF_OLD[0])
        connection.commit()
        return int(cursor.lastrowid)


@pytest.mark.long
@pytest.mark.parametrize("kind", [MariaDb, MySql], ids=lambda kind: str(kind.name))
@pytest.mark.parametrize("mode", [0, 1, 2])
def test_each_way_ends_alike_on_both_servers_in_every_lock_mode(kind: type[MariaDb | MySql], mode: int) -> None:
    ways = [
        ([EVERY, EVERY], Tag(1_000_000), "", True),
        ([ODD, EVERY], Tag(FIRST_ROWS, factor=2), "", True),
        ([ODD, ODD], Tag(FIRST_ROWS, factor=2), "", False),
        ([EVERY, ODD, OF_A_CLUSTER], Tag(FIRST_ROWS + 1), raised(COUNTER), False),
    ]
    with kind(f"--innodb-autoinc-lock-mode={mode}") as server:
        for sessions, tag, statement, fails in ways:
            writers = Writers(server)
            writers.make_tables(*filter(None, [statement]))
            writers.run(sessions, tag, tries=3000)
            writers.kill_and_restart()
            writers.run(sessions, tag, tries=3000)
            failed = writers.failed()
            assert ("new", DUPLICATE) in failed if fails else failed == set(), (sessions, statement, failed)


@pytest.mark.long
@pytest.mark.parametrize("start", [Galera, lambda: GroupReplication(single_primary=False)], ids=["Galera", "a group"])
def test_a_counter_above_the_tag_keeps_apart_on_every_node_of_a_cluster(
    start: Callable[[], Galera | GroupReplication],
) -> None:
    with start() as cluster, ThreadPoolExecutor() as pool:
        nodes = [Writers(node) for node in cluster.nodes]
        nodes[0].make_tables(raised(COUNTER))
        for node in nodes:
            wait_for_rows(node)
        tag = Tag(1_000_000)
        for running in [pool.submit(node.run, [AS_IT_IS, AS_IT_IS], tag, 1000) for node in nodes]:
            running.result()
        assert [node.failed() for node in nodes] == [set()] * len(nodes)


def wait_for_rows(writers: Writers) -> None:
    """Waits until a node has the rows of another one."""
    deadline = time.monotonic() + 60
    while True:
        with contextlib.suppress(pymysql.err.MySQLError):
            if writers.operate("SELECT COUNT(*) FROM orders") == (FIRST_ROWS,):
                return
        assert time.monotonic() < deadline
        time.sleep(0.2)
