"""`audit` of schemas that are unusual: nothing false, nothing missed, and one bad table does not hide the others."""

import sqlite3
import threading
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import leafmint
import pytest
from audited import Audited, found

INT = 2**31 - 1


def test_rows_of_an_inherited_table_do_not_count_for_its_parent(postgres: Audited) -> None:
    postgres.run(
        "CREATE TABLE parent (id SERIAL PRIMARY KEY)",
        "CREATE TABLE child (note TEXT) INHERITS (parent)",
        "CREATE TABLE keyed (PRIMARY KEY (id)) INHERITS (parent)",
        "INSERT INTO child VALUES (1000)",
        "INSERT INTO keyed VALUES (7)",
    )
    # The child has no index: its highest row is not seen, and no insert fails because of it.
    assert found(leafmint.audit(postgres.url)) == [("counter_behind", "problem", "keyed", 1, 7)]


def test_a_column_of_a_domain_has_the_range_of_its_type(postgres: Audited) -> None:
    postgres.run(
        "CREATE DOMAIN order_number AS integer CHECK (VALUE > 0)",
        "CREATE TABLE orders (id order_number PRIMARY KEY)",
        "INSERT INTO orders VALUES (2000000000)",
        "CREATE TABLE bills (id BIGINT PRIMARY KEY)",
        "CREATE TABLE receipts (bill order_number REFERENCES bills)",
    )
    assert found(leafmint.audit(postgres.url)) == [
        ("runs_out", "problem", "orders", 2_000_000_000, INT),
        ("narrow_reference", "note", "receipts", 0, INT),
    ]


def test_infinite_times_do_not_end_an_audit(postgres: Audited) -> None:
    postgres.run(
        "CREATE TABLE orders (id INT PRIMARY KEY, created_at TIMESTAMPTZ)",
        "INSERT INTO orders VALUES (1, '-infinity'), (1000000000, 'infinity')",
    )
    (key,) = leafmint.audit(postgres.url).keys
    assert (key.used, key.time_left) == (1_000_000_000, None)


def test_an_index_in_an_unusual_order_is_not_taken_for_one_that_shows_the_highest_row(postgres: Audited) -> None:
    postgres.run(
        "CREATE TABLE orders (id SERIAL, code TEXT PRIMARY KEY)",
        "CREATE INDEX ON orders (id DESC NULLS LAST)",
        "INSERT INTO orders VALUES (1000, 'a')",
    )
    assert found(leafmint.audit(postgres.url)) == []
    postgres.run("CREATE INDEX ON orders (id DESC)")
    assert found(leafmint.audit(postgres.url)) == [("counter_behind", "problem", "orders", 1, 1000)]


@pytest.mark.parametrize("kind", ["mysql", "postgresql", "sqlite"])
def test_another_table_of_the_name_of_the_table_of_tags_has_no_tags(
    kind: str, mariadb: Audited, postgres: Audited, tmp_path: Path
) -> None:
    shop = {"mysql": mariadb, "postgresql": postgres}.get(kind) or Audited("sqlite", "", tmp_path)
    shop.run("CREATE TABLE leaf_alloc (id INT PRIMARY KEY)", "INSERT INTO leaf_alloc VALUES (7)")
    report = leafmint.audit(shop.url)
    assert ([(key.table, key.used) for key in report.keys], report.findings) == ([("leaf_alloc", 7)], ())


def test_a_foreign_key_to_a_unique_column_is_judged_by_the_numbers_in_it(mariadb: Audited, postgres: Audited) -> None:
    foreign = "FOREIGN KEY (code) REFERENCES orders (code)"
    tables = [
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, code BIGINT UNIQUE)",
        f"CREATE TABLE bills (id BIGINT PRIMARY KEY, code INT, {foreign})",
    ]
    # As a dump is restored: MariaDB refuses it with the table that the key points to.
    mariadb.run("SET foreign_key_checks = 0", *reversed(tables))
    postgres.run(*tables)
    for shop in (mariadb, postgres):
        shop.run("INSERT INTO orders VALUES (1, 1000), (2, NULL)")
        assert found(leafmint.audit(shop.url)) == [("narrow_reference", "note", "bills", 1000, INT)]
        shop.run("INSERT INTO orders VALUES (3, 2000000000)")
        expected = [("narrow_reference", "problem", "bills", 2_000_000_000, INT)]
        assert found(leafmint.audit(shop.url)) == found(leafmint.audit(shop.url, tables=["bills"])) == expected


def test_a_foreign_key_to_a_table_that_is_not_asked_for_is_judged_by_its_rows(postgres: Audited) -> None:
    postgres.run(
        "CREATE TABLE orders (id BIGINT PRIMARY KEY)",
        "CREATE TABLE bills (id BIGINT PRIMARY KEY, orders INT REFERENCES orders)",
        "INSERT INTO orders VALUES (2000000000)",
    )
    expected = [("narrow_reference", "problem", "bills", 2_000_000_000, INT)]
    assert found(leafmint.audit(postgres.url, tables=["bills"])) == expected


def test_keys_that_are_no_whole_numbers_views_and_computed_columns_are_left_out(
    mariadb: Audited, postgres: Audited
) -> None:
    mariadb.run("CREATE TABLE uuids (id BINARY(16) PRIMARY KEY)")
    postgres.run(
        "CREATE TABLE uuids (id UUID PRIMARY KEY)",
        "CREATE MATERIALIZED VIEW kept AS SELECT 2147483647 AS id",
        "CREATE UNIQUE INDEX ON kept (id)",
    )
    for shop in (mariadb, postgres):
        shop.run(
            "CREATE TABLE decimals (id DECIMAL(20) PRIMARY KEY)",
            "CREATE TABLE pairs (a INT, b INT, PRIMARY KEY (a, b))",
            "CREATE TABLE sums (id INT PRIMARY KEY, twice INT GENERATED ALWAYS AS (id + 2147483000) STORED UNIQUE)",
            "CREATE VIEW shown AS SELECT 2147483647 AS id",
            "INSERT INTO decimals VALUES (99999999999999999999)",
            "INSERT INTO pairs VALUES (2147483647, 2147483647)",
            "INSERT INTO sums (id) VALUES (7)",
        )
        report = leafmint.audit(shop.url)
        assert ([(key.table, key.column, key.used) for key in report.keys], report.findings) == (
            [("sums", "id", 7)],
            (),
        )


def test_negative_keys_are_not_used_and_are_no_snowflakes(mariadb: Audited, postgres: Audited, tmp_path: Path) -> None:
    now = leafmint.Layout().min_id(datetime.now(timezone.utc) - timedelta(hours=1))
    for shop in (mariadb, postgres, Audited("sqlite", "", tmp_path)):
        shop.run(
            "CREATE TABLE below (id INT PRIMARY KEY)",
            "INSERT INTO below VALUES (-2147483648)",
            "CREATE TABLE events (id BIGINT PRIMARY KEY)",
            f"INSERT INTO events VALUES (-5), ({now})",
        )
        report = leafmint.audit(shop.url, layout=leafmint.Layout())
        assert [it[:3] for it in found(report)] == [("rounded_in_json", "note", "events")]
        assert {(key.table, key.used) for key in report.keys} == {("below", 0), ("events", now)}


def test_unsigned_keys_above_two_to_the_63_are_counted_to_their_end(mariadb: Audited) -> None:
    top = 2**64 - 1
    mariadb.run(
        "CREATE TABLE orders (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, created_at TIMESTAMP NULL)",
        f"INSERT INTO orders VALUES (1, NOW() - INTERVAL 20 DAY), ({top - 1}, NOW())",
    )
    assert [it[:4] for it in found(leafmint.audit(mariadb.url))] == [
        ("runs_out", "problem", "orders", top - 1),
        ("rounded_in_json", "note", "orders", top - 1),
    ]


def test_tables_with_partitions_or_versions_are_read_as_one(mariadb: Audited, postgres: Audited) -> None:
    mariadb.run(
        "CREATE TABLE parts (id INT AUTO_INCREMENT PRIMARY KEY) PARTITION BY HASH (id) PARTITIONS 4",
        "CREATE TABLE versions (id INT PRIMARY KEY, note INT) WITH SYSTEM VERSIONING",
        "INSERT INTO versions VALUES (2000000000, 1)",
        "UPDATE versions SET note = 2",
    )
    postgres.run(
        "CREATE TABLE parts (id SERIAL, day DATE DEFAULT '2026-01-01', PRIMARY KEY (id, day)) PARTITION BY RANGE (day)",
        "CREATE TABLE parts_1 PARTITION OF parts DEFAULT",
        "SELECT setval('parts_id_seq', 2000000000)",
    )
    for shop in (mariadb, postgres):
        shop.run("INSERT INTO parts (id) VALUES (1), (2000000000)")
    found_in = [found(leafmint.audit(shop.url)) for shop in (mariadb, postgres)]
    expected = [("runs_out", "problem", name, 2_000_000_000, INT) for name in ("parts", "versions")]
    assert [set(found_in[0]), found_in[1]] == [set(expected), expected[:1]]


def test_odd_tables_of_sqlite_are_read(tmp_path: Path) -> None:
    half = 2**62
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.executescript(f"""
            CREATE TABLE anything (id INT PRIMARY KEY, created_at TIMESTAMP) WITHOUT ROWID;
            INSERT INTO anything VALUES (1.5, datetime('now', '-20 days')), (9.5e17, datetime('now', '-10 days')),
                ({half}, datetime('now')), ('seven', datetime('now')), (x'ff', datetime('now'));
            CREATE TABLE strict_one (id INTEGER PRIMARY KEY AUTOINCREMENT, note TEXT) STRICT;
            INSERT INTO strict_one (note) VALUES ('a');
            CREATE TABLE descending (id INTEGER PRIMARY KEY DESC);
            INSERT INTO descending VALUES (7);
            CREATE TABLE sums (id INTEGER PRIMARY KEY, twice AS (id * 2));
            CREATE TABLE pairs (a INT, b INT, PRIMARY KEY (a, b));
            CREATE VIEW shown AS SELECT {2**63 - 1} AS id;
        """)
    report = leafmint.audit(f"sqlite:///{tmp_path}/shop.db")
    assert {(key.table, key.used) for key in report.keys} == {
        ("anything", half), ("strict_one", 1), ("descending", 7), ("sums", 0),
    }  # fmt: skip
    assert [it[:3] for it in found(report) if it.severity == "problem"] == [("runs_out", "problem", "anything")]


def test_tables_and_sequences_that_come_and_go_meanwhile_do_not_matter(mariadb: Audited, postgres: Audited) -> None:
    for shop in (mariadb, postgres):
        key = "INT AUTO_INCREMENT" if shop.kind == "mysql" else "SERIAL"
        for number in range(10):
            shop.run(f"CREATE TABLE t{number} (id {key} PRIMARY KEY)", f"INSERT INTO t{number} VALUES (2000000000)")
        ended = threading.Event()
        thread = threading.Thread(target=come_and_go, args=(shop, key, ended))
        thread.start()
        try:
            deadline = time.monotonic() + 1.5
            while time.monotonic() < deadline:
                report = leafmint.audit(shop.url)
                lasting = {it.table for it in report.findings if it.kind == "runs_out"}
                assert (lasting, report.unread) == ({f"t{number}" for number in range(10)}, ())
        finally:
            ended.set()
            thread.join()


def come_and_go(shop: Audited, key: str, ended: threading.Event) -> None:
    """Make and drop tables and sequences."""
    while not ended.is_set():
        made = [f"CREATE TABLE passing{number} (id {key} PRIMARY KEY)" for number in range(5)]
        dropped = [f"DROP TABLE passing{number}" for number in range(5)]
        shop.run(*made, "CREATE SEQUENCE s", *dropped, "DROP SEQUENCE s")
