"""An audit of a server that hangs ends, and one of a server with damaged tables reads the others."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import leafmint
import pytest
from mariadb import MariaDb
from postgresql import PostgreSql

TABLES = 100
LONGEST = 20
"""Seconds that an audit may take to notice, with a wait of one second, on a busy machine."""


@pytest.fixture(params=[MariaDb, PostgreSql])
def server(request: pytest.FixtureRequest) -> Iterator[MariaDb | PostgreSql]:
    """A server with some tables."""
    with request.param() as server:
        key = "INT AUTO_INCREMENT" if isinstance(server, MariaDb) else "SERIAL"
        use = "USE leafmint; " if isinstance(server, MariaDb) else ""
        made = "; ".join(f"CREATE TABLE t{number} (id {key} PRIMARY KEY)" for number in range(TABLES))
        server.sql(use + made)
        yield server


def test_an_audit_of_a_server_that_hangs_ends(server: MariaDb | PostgreSql) -> None:
    assert len(leafmint.audit(server.url).keys) == TABLES
    server.freeze()
    began = time.monotonic()
    with pytest.raises(leafmint.StoreUnavailableError):
        leafmint.audit(server.url, connect_timeout="1s")
    assert time.monotonic() - began < LONGEST
    server.thaw()
    assert len(leafmint.audit(server.url).keys) == TABLES


def test_an_audit_ends_if_the_server_hangs_meanwhile(server: MariaDb | PostgreSql) -> None:
    ended = []

    def keep_reading() -> None:
        while True:
            try:
                leafmint.audit(server.url, connect_timeout="1s")
            except leafmint.StoreUnavailableError:
                ended.append(time.monotonic())
                return

    thread = threading.Thread(target=keep_reading)
    thread.start()
    time.sleep(0.3)
    server.freeze()
    frozen = time.monotonic()
    thread.join()
    server.thaw()
    assert ended[0] - frozen < LONGEST


def test_a_damaged_table_is_named_and_the_rest_is_read() -> None:
    with MariaDb() as server:
        server.sql(
            "USE leafmint; CREATE TABLE below (id INT PRIMARY KEY) ENGINE=MyISAM;"
            " CREATE TABLE above (id INT PRIMARY KEY) ENGINE=MRG_MyISAM UNION=(below);"
            " CREATE TABLE orders (id INT PRIMARY KEY)"
        )
        (server.folder / "data/leafmint/below.MYI").write_bytes(b"damaged")
        server.sql("FLUSH TABLES")
        report = leafmint.audit(server.url)
        assert ([key.table for key in report.keys], report.unread) == (["orders"], ("above", "below"))
        assert leafmint.audit(server.url, tables=["orders"]).unread == ()
