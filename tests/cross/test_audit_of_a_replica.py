"""An audit reads a replica, by an account that may only read; a generator refuses it."""

from __future__ import annotations

import leafmint
import pytest
from mariadb import MariaDb
from mysql import MySql
from postgresql import ACCOUNT, PASSWORD, PostgreSql, Replica, wait_for

PRIMARY = ["--server-id=1", "--log-bin=binlog", "--binlog-format=ROW"]
REPLICA = ["--server-id=2", "--performance-schema=off"]


def found(report: leafmint.AuditReport) -> list[tuple[str, str, int, int]]:
    """Returns the findings without their texts."""
    return [(it.kind, it.table, it.value, it.limit) for it in report.findings]


def test_an_audit_of_a_replica_finds_what_one_of_the_primary_finds() -> None:
    with PostgreSql() as primary, Replica(primary) as replica:
        for sql in (
            "CREATE TABLE orders (id SERIAL PRIMARY KEY)",
            "INSERT INTO orders SELECT FROM generate_series(1, 1000)",
            "CREATE TABLE restored (id SERIAL PRIMARY KEY)",
            "INSERT INTO restored VALUES (7)",
            "CREATE UNLOGGED TABLE scratch (id SERIAL PRIMARY KEY)",
            "CREATE ROLE reader LOGIN PASSWORD 'hush' IN ROLE pg_read_all_data",
        ):
            primary.sql(sql)
        wait_for(lambda: replica.sql("SELECT count(*) FROM pg_roles WHERE rolname = 'reader'").strip() == "1")
        url = replica.url.replace(f"{ACCOUNT}:{PASSWORD}", "reader:hush")
        report = leafmint.audit(url)
        assert found(report) == [("counter_behind", "restored", 1, 7)]
        assert {key.table for key in report.keys} == {"orders", "restored"}, "a replica has no unlogged rows"
        with pytest.raises(leafmint.LeafmintError, match="replica"):
            leafmint.SegmentGenerator(url).check()


TABLES = """
    CREATE TABLE orders (id INT AUTO_INCREMENT PRIMARY KEY);
    INSERT INTO orders VALUES (), ();
    CREATE TABLE nearly (id INT AUTO_INCREMENT PRIMARY KEY);
    ALTER TABLE nearly AUTO_INCREMENT = 2000000000;
    CREATE TABLE events (id BIGINT UNSIGNED PRIMARY KEY);
    INSERT INTO events VALUES (9007199254740993)
"""
READER = "CREATE USER reader IDENTIFIED BY 'hush'; GRANT SELECT ON leafmint.* TO reader"
COPIER = "CREATE USER copier IDENTIFIED BY 'hush'; GRANT REPLICATION SLAVE ON *.* TO copier"


def test_a_replica_of_mariadb_is_read_while_it_is_read_only() -> None:
    with MariaDb(*PRIMARY) as primary, MariaDb(*REPLICA) as replica:
        primary.sql(f"RESET MASTER; {COPIER}")
        replica.sql(
            f"CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = {primary.port}, MASTER_USER = 'copier',"
            " MASTER_PASSWORD = 'hush'; START SLAVE; SET GLOBAL read_only = ON"
        )
        primary.sql(
            f"USE leafmint; {TABLES}; CREATE SEQUENCE bills_seq; CREATE TABLE carts (id INT PRIMARY KEY);"
            " CREATE TABLE restored (id INT AUTO_INCREMENT PRIMARY KEY,"
            " FOREIGN KEY (id) REFERENCES carts (id) ON UPDATE CASCADE); INSERT INTO carts VALUES (1);"
            " INSERT INTO restored VALUES (); UPDATE carts SET id = 1000;"
            " CREATE TABLE bills (id BIGINT PRIMARY KEY DEFAULT NEXTVAL(bills_seq)); INSERT INTO bills VALUES (5000)"
        )
        assert compared(primary, replica, "bills") == [
            ("runs_out", "nearly", 1_999_999_999, 2**31 - 1), ("counter_behind", "restored", 2, 1000),
            ("counter_behind", "bills", 1, 5000), ("rounded_in_json", "events", 2**53 + 1, 2**53),
        ]  # fmt: skip


@pytest.mark.long
def test_a_replica_of_mysql_is_read_while_even_root_may_not_write_it() -> None:
    with MySql(*PRIMARY) as primary, MySql(*REPLICA) as replica:
        primary.sql(f"RESET BINARY LOGS AND GTIDS; {COPIER}")
        replica.sql(
            f"CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = {primary.port},"
            " SOURCE_USER = 'copier', SOURCE_PASSWORD = 'hush', GET_SOURCE_ID_KEY = 1; START REPLICA;"
            " SET GLOBAL super_read_only = ON"
        )
        primary.sql(f"USE leafmint; {TABLES}")
        expected = [("runs_out", "nearly", 1_999_999_999, 2**31 - 1), ("rounded_in_json", "events", 2**53 + 1, 2**53)]
        assert compared(primary, replica, "events") == expected


@pytest.mark.long
def test_a_counter_that_mysql_keeps_in_its_statistics_for_a_day_is_read_anew() -> None:
    with MySql() as server:
        server.sql(f"USE leafmint; {TABLES}; {READER}; ANALYZE TABLE orders")
        cached = "SELECT AUTO_INCREMENT FROM information_schema.TABLES WHERE TABLE_NAME = 'orders'"
        assert server.sql(cached) == "3\n"
        server.sql("USE leafmint; INSERT INTO orders VALUES (2000000000); DELETE FROM orders")
        assert server.sql(cached) == "3\n", "the server shows what it has kept"
        report = leafmint.audit(server.url.replace("root@", "reader:hush@"))
        assert ("runs_out", "orders", 2_000_000_000, 2**31 - 1) in found(report)


def compared(primary: MariaDb | MySql, replica: MariaDb | MySql, last: str) -> list[tuple[str, str, int, int]]:
    """Returns what is found on a replica once it has the last table, if it is what is found on the primary."""
    primary.sql(READER)
    wait_for(lambda: replica.sql("SELECT COUNT(*) FROM mysql.user WHERE user = 'reader'") == "1\n")
    assert replica.sql(f"SELECT COUNT(*) FROM leafmint.{last}") == "1\n"
    on_primary, on_replica = (leafmint.audit(it.url.replace("root@", "reader:hush@")) for it in (primary, replica))
    assert (on_replica.keys, on_replica.findings) == (on_primary.keys, on_primary.findings)
    assert on_replica.unread == ()
    with pytest.raises(leafmint.LeafmintError):
        leafmint.SegmentGenerator(replica.url.replace("root@", "reader:hush@")).check()
    return found(on_replica)
