"""`audit` and the look at counters over connections of the application: they find what they find by a URL."""

from pathlib import Path
from typing import Any

import leafmint
import pymysql
import pytest
from audited import Audited
from engines import SYNCHRONOUS, engine_of
from leafmint import AuditReport
from leafmint._core import _check_counters
from leafmint._internal.borrowed import DriverConnection, Source
from sqlalchemy import create_engine

ASYNCHRONOUS = ["mysql+aiomysql", "postgresql+asyncpg"]

STATE = (
    "SELECT @@session.tx_read_only, @@session.tx_isolation, @@session.lock_wait_timeout, @@session.max_statement_time,"
    " @@session.sql_mode"
)


@pytest.fixture(params=[*SYNCHRONOUS, *ASYNCHRONOUS])
def driver(request: pytest.FixtureRequest) -> str:
    driver: str = request.param
    return driver


@pytest.fixture
def shop(request: pytest.FixtureRequest, driver: str) -> Audited:
    """Return a database in which something of each kind is wrong."""
    shop: Audited = request.getfixturevalue("mariadb" if driver.startswith("mysql") else "postgres")
    shop.table("orders", "BIGINT")
    shop.table("customers")
    shop.table("order_lines", "SMALLINT", ", customer INT REFERENCES customers (id)")
    shop.grow("customers", 2**31 - 100)
    shop.grow("orders", 2**53 + 1)
    with leafmint.SegmentGenerator(create_engine(shop.operator), auto_create=True) as ids:
        ids.create_tag("orders", start=7)
        ids.create_tag("customers", start=2**31)
    return shop


def facts(report: AuditReport) -> Any:
    """Return what does not depend on the way to connect and the time."""
    return sorted(map(repr, report.keys)), sorted(map(repr, report.findings)), report.unread


def test_an_audit_finds_the_same_through_an_engine_and_a_url(shop: Audited, driver: str) -> None:
    through = leafmint.audit(engine_of(driver, shop.url))
    native = leafmint.audit(shop.url)
    assert facts(through) == facts(native)
    assert {finding.table for finding in native.findings} >= {"orders", "customers"}
    assert "SQLAlchemy engine" in through.scope
    assert "s3ntinel" not in repr(through)


def test_counters_are_the_same_through_an_engine_and_a_url(shop: Audited, driver: str) -> None:
    def look(place: Any) -> Any:
        return _check_counters(place, {}, ([], [("orders", "orders")]), "both", 1000, [])[1:]

    if shop.kind == "mysql":
        assert look(engine_of(driver, shop.url)) == look(shop.url)
        return
    with pytest.raises(leafmint.InvalidConfigError, match="MySQL's and MariaDB's"):
        look(engine_of(driver, shop.url))


class Pooled(Source):
    """A pool of one connection."""

    name = "a pool"

    def __init__(self, shop: Audited) -> None:
        """Connect."""
        url = shop.operator
        self.driver: Any = pymysql.connect(
            host=url.host, port=url.port or 0, user=url.username, database=url.database, autocommit=True
        )

    def connect(self) -> DriverConnection:
        """Take it."""
        return DriverConnection(self.driver, "mysql", lambda: None, is_shared=True)

    def state(self) -> Any:
        """Return settings of its session."""
        with self.driver.cursor() as cursor:
            cursor.execute(STATE)
            return cursor.fetchone()


def test_an_audit_gives_a_connection_of_a_pool_back_as_it_was(mariadb: Audited) -> None:
    mariadb.table("orders")
    pool = Pooled(mariadb)
    with pool.driver.cursor() as cursor:
        cursor.execute("SET SESSION lock_wait_timeout = 77, max_statement_time = 33, sql_mode = 'ANSI_QUOTES'")
    before = pool.state()
    assert [key.table for key in leafmint.audit(pool).keys] == ["orders"]
    assert pool.state() == before
    pool.driver.close()


def test_an_engine_of_sqlite_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match="SQLite by its URL"):
        leafmint.audit(create_engine(f"sqlite:///{tmp_path / 'app.db'}"))
