"""The move from AUTO_INCREMENT under load, as the commands say it: to leafmint and back. No insert fails."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

import pymysql
import pytest
from mariadb import MariaDb
from mysql import MySql
from programs import TOP, compiled, start

LOCK_WAIT_TIMEOUT = 1205
WRITER = [sys.executable, str(TOP / "tests/cross/applications/write_orders.py")]


class Writer:
    """A process that inserts orders until it is stopped."""

    def __init__(self, url: str, name: str, *ids: str) -> None:
        self.process = start(WRITER, url, name, *ids)
        assert self.process.stdout
        first = self.process.stdout.readline()
        assert first == "writing\n", self.process.communicate()

    def stop(self) -> int:
        """Stops it as a deployment does. Returns the rows that it committed; none of its inserts failed."""
        output, errors = self.process.communicate("", timeout=120)
        assert self.process.returncode == 0, errors
        summary = json.loads(output)
        assert summary["failures"] == 0, summary
        return int(summary["rows"])


class Shop:
    """A database with orders that the server counts, and its operator, who does what leafmint's commands say."""

    def __init__(self, url: str) -> None:
        self.url = url
        parts = urlsplit(url)
        self.connection = pymysql.connect(
            host=parts.hostname, port=parts.port or 3306, user=unquote(parts.username or ""),
            password=unquote(parts.password or ""), database=parts.path.lstrip("/"), autocommit=True,
        )  # fmt: skip
        self.sql("CREATE TABLE orders (id BIGINT AUTO_INCREMENT PRIMARY KEY, writer VARCHAR(9), KEY (writer))")
        self.sql("INSERT INTO orders (writer) VALUES ('old'), ('old'), ('old')")
        self.leafmint("init")

    def sql(self, statement: str) -> Any:
        """Runs a statement, and returns the first value."""
        with self.connection.cursor() as cursor:
            cursor.execute(statement)
            return (cursor.fetchone() or [None])[0]

    def leafmint(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs a command."""
        command = [sys.executable, "-m", "leafmint", *arguments]
        environment = {**os.environ, "LEAFMINT_URL": self.url}
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)

    def move(self, *arguments: str) -> Any:
        """Looks at the counters, and returns what was found."""
        return json.loads(self.leafmint("migrate", "auto-increment", *arguments, "--json").stdout)

    def let_both_insert(self) -> None:
        """Does what the plan says, until the check agrees."""
        for command in self.move("plan")["to_run"]:
            if command["place"] == "shell":
                assert self.leafmint(*command["text"].split()[1:]).returncode == 0, command
            else:
                self.raise_counter(command["text"])
        found = self.move("check")
        assert found["ready"], found

    def raise_counter(self, text: str) -> None:
        """Repeats a statement that waits for the transactions of writers, as the steps say."""
        for statement in filter(None, map(str.strip, text.split(";"))):
            while not self.runs(statement):
                pass

    def runs(self, statement: str) -> bool:
        """Runs a statement. Returns whether it got its lock."""
        try:
            self.sql(statement)
        except pymysql.err.OperationalError as error:
            if error.args[0] != LOCK_WAIT_TIMEOUT:
                raise
            return False
        return True

    def let_the_tag_go_on_alone(self) -> None:
        """Raises the tag above the rows of the old writers, as the check says."""
        (finding,) = self.move("check", "--after")["findings"]
        raised = re.search(r"leafmint (tags raise orders --above-id \d+)", finding["text"])
        assert raised, finding
        assert self.leafmint(*raised[1].split()).returncode == 0
        assert self.move("check", "--after")["findings"] == []

    def rows(self) -> int:
        """Counts the orders."""
        return int(self.sql("SELECT COUNT(*) FROM orders"))

    def wait_for(self, more: int) -> None:
        """Waits for a number of new orders."""
        until, deadline = self.rows() + more, time.monotonic() + 600
        while self.rows() < until:
            assert time.monotonic() < deadline
            time.sleep(0.1)


def move_there_and_back(shop: Shop, new: list[list[str]], more: int, times: int) -> int:
    """Moves while writers insert, for `more` rows in each of the four phases. Returns the rows that were committed."""

    def old_writers() -> list[Writer]:
        return [Writer(shop.url, "old"), Writer(shop.url, "old")]

    committed = shop.rows()
    olds = old_writers()
    for _ in range(times):
        shop.wait_for(more)
        shop.let_both_insert()
        news = [Writer(shop.url, f"new-{number}", *ids) for number, ids in enumerate(new)]
        shop.wait_for(more)
        committed += sum(writer.stop() for writer in olds)
        assert shop.move("check", "--after", "--watch", "0.2")["ready"], "no old writer is left"
        shop.let_the_tag_go_on_alone()
        shop.wait_for(more)
        shop.let_both_insert()
        olds = old_writers()
        shop.wait_for(more)
        committed += sum(writer.stop() for writer in news)
    return committed + sum(writer.stop() for writer in olds)


def assert_whole(shop: Shop, committed: int, kinds: int) -> None:
    """Checks that each order that was committed is there, once, and that every writer had some."""
    assert shop.rows() == committed
    assert shop.sql("SELECT COUNT(DISTINCT writer) FROM orders") == kinds


def test_orders_move_under_load_to_leafmint_and_back(database: str) -> None:
    shop = Shop(database)
    committed = move_there_and_back(shop, [["orders"], ["orders"]], 200, times=1)
    assert_whole(shop, committed, kinds=3)


def test_the_way_back_from_the_deploy_is_to_deploy_the_old_code(database: str) -> None:
    shop = Shop(database)
    old = Writer(shop.url, "old")
    shop.let_both_insert()
    committed = 3
    for turn in range(2):
        new = Writer(shop.url, f"new-{turn}", "orders")
        shop.wait_for(50)
        committed += new.stop()
        shop.wait_for(50)
        assert shop.move("check")["ready"]
    assert_whole(shop, committed + old.stop(), kinds=3)


def test_the_way_back_is_open_after_the_attribute_is_gone(database: str) -> None:
    page = (TOP / "docs/from-auto-increment.md").read_text()
    remove, restore = re.findall(r"`(ALTER TABLE orders MODIFY [^`]*)`", page)
    shop = Shop(database)
    shop.let_both_insert()
    new = Writer(shop.url, "new", "orders")
    shop.sql(remove)
    with pytest.raises(pymysql.err.OperationalError, match="default value"):
        shop.sql("INSERT INTO orders (writer) VALUES ('old')")
    shop.wait_for(50)
    shop.sql(restore)
    shop.wait_for(50)
    shop.let_both_insert()
    old = Writer(shop.url, "old")
    shop.wait_for(200)
    assert_whole(shop, 3 + new.stop() + old.stop(), kinds=2)


@pytest.fixture(params=[MariaDb, MySql], ids=lambda kind: str(kind.name))
def server_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a server of each kind."""
    with request.param() as server:
        yield server.url


@pytest.mark.long
def test_a_million_orders_move_to_python_and_java_and_back_twice(server_url: str) -> None:
    shop = Shop(server_url)
    java = [*compiled(TOP / "tests/cross/applications/PrintIds.java"), server_url, "orders"]
    committed = move_there_and_back(shop, [["orders"], java], 125_000, times=2)
    assert committed >= 1_000_000
    assert_whole(shop, committed, kinds=3)
