"""`audit`, by an account that may only read: what is planted is found, and nothing else."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from time import perf_counter
from typing import Any

import command
import leafmint
import pytest
from audited import Audited, empty_database, facts, found
from sqlalchemy import make_url
from testing import DUPLICATES, UNREACHABLE

INT = 2**31 - 1
LARGEST = 2**63 - 1
KINDS = ["mysql", "postgresql", "sqlite"]


@pytest.fixture(params=KINDS)
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Audited]:
    """Return an empty database of each engine."""
    yield from empty_database(request, request.param, tmp_path)


def largest(shop: Audited) -> int:
    """Return the highest number of a key of INT: SQLite has one range for all."""
    return LARGEST if shop.kind == "sqlite" else INT


def test_a_healthy_database_gives_nothing(shop: Audited) -> None:
    shop.table("orders", "BIGINT")
    shop.table("customers")
    shop.run(
        "CREATE TABLE order_lines (order_id BIGINT NOT NULL, line INT NOT NULL, PRIMARY KEY (order_id, line),"
        " FOREIGN KEY (order_id) REFERENCES orders (id))",
        "CREATE TABLE countries (code CHAR(2) PRIMARY KEY)",
        "CREATE TABLE log (line INT)",
        "CREATE VIEW all_orders AS SELECT * FROM orders",
        "INSERT INTO order_lines VALUES (1, 2147483647)",
        "INSERT INTO log VALUES (2147483647)",
    )
    report = leafmint.audit(shop.url)
    assert (report.ok, found(report), report.unread) == (True, [], ())
    assert {(key.table, key.column, key.used) for key in report.keys} == {("orders", "id", 1), ("customers", "id", 1)}
    assert shop.name in report.scope or shop.kind == "sqlite"
    assert "s3ntinel" not in repr(report)
    for duplicate in DUPLICATES:
        assert duplicate(report) == report


def test_an_empty_database_gives_nothing(mariadb: Audited, postgres: Audited, tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "empty.db").executescript("CREATE TABLE orders (id INTEGER PRIMARY KEY)")
    for url in (mariadb.url, postgres.url, f"sqlite:///{tmp_path}/empty.db"):
        report = leafmint.audit(url)
        assert (report.findings, [key.used for key in report.keys if key.used]) == ((), [])


def test_a_key_that_runs_out_is_a_note_at_half_and_a_problem_at_four_fifths(shop: Audited) -> None:
    top = largest(shop)
    for table, percent in (("fine", 49), ("half", 51), ("nearly", 79), ("soon", 81), ("gone", 100)):
        shop.table(table)
        shop.grow(table, top * percent // 100)
    report = leafmint.audit(shop.url)
    runs_out = [it for it in found(report) if it.kind == "runs_out"]
    assert runs_out == [
        ("runs_out", "problem", "gone", top, top),
        ("runs_out", "problem", "soon", top * 81 // 100, top),
        ("runs_out", "note", "nearly", top * 79 // 100, top),
        ("runs_out", "note", "half", top * 51 // 100, top),
    ]
    others = {it.kind for it in found(report)} - {"runs_out"}
    assert others == ({"rounded_in_json"} if shop.kind == "sqlite" else set())
    assert not report.ok
    assert [key.table for key in report.keys] == ["gone", "soon", "nearly", "half", "fine"]


def test_numbers_that_were_given_out_are_used_though_their_rows_are_gone(shop: Audited) -> None:
    top = largest(shop)
    shop.table("orders")
    shop.grow("orders", top // 10 * 9)
    shop.run("DELETE FROM orders")
    (finding,) = found(leafmint.audit(shop.url))
    assert finding == ("runs_out", "problem", "orders", top // 10 * 9, top)


def test_each_type_of_mysql_has_its_range(mariadb: Audited) -> None:
    types = {
        "TINYINT": 127, "TINYINT UNSIGNED": 255, "SMALLINT": 32767, "SMALLINT UNSIGNED": 65535,
        "MEDIUMINT": 8388607, "INT UNSIGNED": 2**32 - 1, "BIGINT": LARGEST, "BIGINT UNSIGNED": 2**64 - 1,
    }  # fmt: skip
    for data_type, top in types.items():
        table = "of_" + data_type.lower().replace(" ", "_")
        mariadb.table(table, data_type)
        mariadb.grow(table, top // 10 * 9)
    report = leafmint.audit(mariadb.url)
    assert {it.table: it.limit for it in found(report) if it.kind == "runs_out"} == {
        "of_" + data_type.lower().replace(" ", "_"): top for data_type, top in types.items()
    }


def test_postgresql_types_and_sequences_limit_a_key(postgres: Audited) -> None:
    postgres.run(
        "CREATE TABLE small (id SMALLSERIAL PRIMARY KEY)",
        "SELECT setval('small_id_seq', 30000)",
        # Its column was widened, and its sequence was not.
        "CREATE TABLE widened (id SERIAL PRIMARY KEY)",
        "ALTER TABLE widened ALTER id TYPE bigint",
        "SELECT setval('widened_id_seq', 2000000000)",
        "CREATE SEQUENCE invoice_numbers MAXVALUE 1000",
        "SELECT setval('invoice_numbers', 950)",
        "CREATE SEQUENCE turns MAXVALUE 10 CYCLE",
        "SELECT setval('turns', 10)",
        "CREATE TABLE parted (id BIGSERIAL PRIMARY KEY) PARTITION BY RANGE (id)",
        "CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (1) TO (1000)",
        "INSERT INTO parted DEFAULT VALUES",
    )
    report = leafmint.audit(postgres.url)
    assert set(found(report)) == {
        ("runs_out", "problem", "small", 30000, 32767),
        ("runs_out", "problem", "widened", 2_000_000_000, INT),
        ("runs_out", "problem", "invoice_numbers", 950, 1000),
    }
    assert {key.table for key in report.keys} == {"small", "widened", "invoice_numbers", "parted"}


def test_a_foreign_key_narrower_than_its_target_is_found(mariadb: Audited, postgres: Audited) -> None:
    for shop in (mariadb, postgres):
        shop.table("orders")
        shop.run(
            "CREATE TABLE entries (id BIGINT PRIMARY KEY, order_id INT, FOREIGN KEY (order_id) REFERENCES orders (id))"
        )
        assert found(leafmint.audit(shop.url)) == []
    postgres.run("ALTER TABLE orders ALTER id TYPE BIGINT", "ALTER SEQUENCE orders_id_seq AS BIGINT")
    # As a dump is restored.
    mariadb.run(
        "SET foreign_key_checks = 0",
        "DROP TABLE orders",
        "CREATE TABLE orders (id BIGINT AUTO_INCREMENT PRIMARY KEY)",
        "INSERT INTO orders VALUES ()",
    )
    for shop in (mariadb, postgres):
        assert found(leafmint.audit(shop.url)) == [("narrow_reference", "note", "entries", 1, INT)]
        shop.grow("orders", 2_000_000_000)
        (finding,) = leafmint.audit(shop.url).findings
        assert facts(finding) == ("narrow_reference", "problem", "entries", "order_id", 2_000_000_000, INT)


def test_a_counter_behind_the_rows_is_found_and_its_statement_mends_it(mariadb: Audited, postgres: Audited) -> None:
    # A cascade goes past the counter; so does a restore that leaves the sequence out.
    mariadb.run(
        "CREATE TABLE carts (id INT PRIMARY KEY)",
        "CREATE TABLE orders (id INT AUTO_INCREMENT PRIMARY KEY,"
        " FOREIGN KEY (id) REFERENCES carts (id) ON UPDATE CASCADE)",
        "INSERT INTO carts VALUES (1), (1001)",
        "INSERT INTO orders VALUES ()",
        "UPDATE carts SET id = 1000 WHERE id = 1",
    )
    postgres.table("orders")
    postgres.run("INSERT INTO orders VALUES (1000)")
    for shop in (mariadb, postgres):
        (finding,) = leafmint.audit(shop.url).findings
        assert facts(finding) == ("counter_behind", "problem", "orders", "id", 2, 1000)
        shop.run(finding.text.rpartition(". ")[2])
        assert leafmint.audit(shop.url).findings == ()
        shop.run("INSERT INTO orders VALUES ()" if shop.kind == "mysql" else "INSERT INTO orders DEFAULT VALUES")


def test_a_tag_behind_its_table_is_found(shop: Audited) -> None:
    shop.table("orders", "BIGINT")
    shop.table("bills", "BIGINT")
    with leafmint.SegmentGenerator(str_of(shop)) as ids:
        ids.init_schema()
        for tag in ("orders", "invoice", "other"):
            ids.create_tag(tag, start=5000)
        assert leafmint.audit(shop.url, tags={"bills": "invoice"}).findings == ()
        shop.grow("orders", 5000)
        shop.grow("bills", 4999)
        (finding,) = found(leafmint.audit(shop.url, tags={"bills": "invoice"}))
        assert finding == ("tag_behind", "problem", "orders", 5000, 5000)
        ids.raise_tag_above("orders", 5000)
        assert leafmint.audit(shop.url, tags={"bills": "invoice"}).findings == ()
        shop.grow("bills", 5000)
        (finding,) = found(leafmint.audit(shop.url, tags={"bills": "invoice"}))
        assert (finding.kind, finding.table) == ("tag_behind", "bills")


def str_of(shop: Audited) -> str:
    """Return the URL of the database for its owner."""
    return shop.operator.set(drivername=shop.kind).render_as_string(hide_password=False)


def test_numbers_above_two_to_the_53_are_a_note(shop: Audited) -> None:
    shop.table("orders", "BIGINT")
    shop.grow("orders", 2**53)
    assert leafmint.audit(shop.url).findings == ()
    shop.grow("orders", 2**53 + 1)
    report = leafmint.audit(shop.url)
    assert found(report) == [("rounded_in_json", "note", "orders", 2**53 + 1, 2**53)]
    assert report.ok, "a note is no problem"


def test_snowflakes_from_a_clock_ahead_and_of_another_layout_are_found(shop: Audited) -> None:
    leaf, now = leafmint.Layout(), datetime.now(timezone.utc)
    for table, newest in (("fine", now), ("ahead", now + timedelta(hours=1)), ("other", now + timedelta(days=100))):
        shop.run(
            f"CREATE TABLE {table} (id BIGINT PRIMARY KEY)",
            f"INSERT INTO {table} VALUES ({leaf.min_id(now - timedelta(days=1))}), ({leaf.min_id(newest)})",
        )
    shop.run("CREATE TABLE mixed (id BIGINT PRIMARY KEY)", f"INSERT INTO mixed VALUES (7), ({leaf.min_id(now)})")
    assert {it.kind for it in leafmint.audit(shop.url).findings} == {"rounded_in_json"}
    report = leafmint.audit(shop.url, layout=leaf)
    assert [it[:3] for it in found(report) if it.kind != "rounded_in_json"] == [
        ("clock_ahead", "problem", "ahead"), ("mixed_layouts", "note", "other"), ("mixed_layouts", "note", "mixed"),
    ]  # fmt: skip


def test_names_with_quotes_and_question_marks_are_read(shop: Audited) -> None:
    name = """it's `a` "b" 100%? \\ 表; DROP TABLE x"""
    mark = "`" if shop.kind == "mysql" else '"'
    quoted = mark + name.replace(mark, 2 * mark) + mark
    key = "INT AUTO_INCREMENT" if shop.kind == "mysql" else "INTEGER"
    shop.run(f"CREATE TABLE {quoted} ({quoted} {key} PRIMARY KEY, created_at TIMESTAMP NULL)")
    shop.run(f"INSERT INTO {quoted} ({quoted}) VALUES ({largest(shop) // 10 * 9})")
    (finding, *_) = leafmint.audit(shop.url).findings
    assert (finding.kind, finding.table, finding.column) == ("runs_out", name, name)


def test_only_the_tables_that_match_are_read(shop: Audited) -> None:
    for table in ("shop_orders", "shop_lines", "users"):
        shop.table(table)
    for tables in (["shop_*"], ["SHOP_orders", "Shop_Lines"]):
        report = leafmint.audit(shop.url, tables=tables)
        assert {key.table for key in report.keys} == {"shop_orders", "shop_lines"}
    with pytest.raises(leafmint.InvalidArgumentError, match='no table "none"'):
        leafmint.audit(shop.url, tables=["shop_*", "none"])


def test_tables_outside_the_usual_schema_are_named_with_theirs(postgres: Audited) -> None:
    postgres.run("CREATE SCHEMA sales")
    postgres.table("sales.orders")
    report = leafmint.audit(postgres.url)
    assert [(key.table, key.used) for key in report.keys] == [("sales.orders", 1)]


def test_what_the_account_may_not_read_is_named_and_the_rest_is_read(mariadb: Audited, postgres: Audited) -> None:
    for shop in (mariadb, postgres):
        shop.table("orders")
        shop.table("secret", more=", name INT")
    mariadb.on_server(
        f"REVOKE SELECT ON {mariadb.name}.* FROM {mariadb.name}",
        f"GRANT SELECT ON {mariadb.name}.orders TO {mariadb.name}",
        f"GRANT INSERT (id), SELECT (name) ON {mariadb.name}.secret TO {mariadb.name}",
    )
    postgres.on_server(f"REVOKE pg_read_all_data FROM {postgres.name}")
    postgres.run(f"GRANT SELECT ON orders, orders_id_seq TO {postgres.name}")
    for shop in (mariadb, postgres):
        report = leafmint.audit(shop.url)
        assert ([key.table for key in report.keys], report.unread) == (["orders"], ("secret",))


def test_a_database_of_which_nothing_can_be_read_is_not_ok(mariadb: Audited, postgres: Audited) -> None:
    for shop in (mariadb, postgres):
        shop.table("orders")
    mariadb.on_server(
        f"REVOKE SELECT ON {mariadb.name}.* FROM {mariadb.name}", f"GRANT EXECUTE ON {mariadb.name}.* TO {mariadb.name}"
    )
    postgres.on_server(f"REVOKE pg_read_all_data FROM {postgres.name}")
    for shop, unread in ((mariadb, "*"), (postgres, "orders")):
        for tables in ([], ["orders"]):
            report = leafmint.audit(shop.url, tables=tables)
            assert (report.keys, report.findings, report.unread[:1], report.ok) == ((), (), (unread,), False)
        assert leafmint.audit(shop.url, ignore=["*"]).ok
        ran = command.leafmint("audit", LEAFMINT_URL=shop.url)
        assert (ran.code, any(line.startswith(f"unread   {unread}: ") for line in ran.lines)) == (1, True)


def test_tags_that_the_account_may_not_read_are_named(postgres: Audited) -> None:
    postgres.table("orders")
    with leafmint.SegmentGenerator(postgres.operator.set(drivername="postgresql").render_as_string(False)) as ids:
        ids.init_schema()
    postgres.on_server(f"REVOKE pg_read_all_data FROM {postgres.name}")
    postgres.run(f"GRANT SELECT ON orders, orders_id_seq TO {postgres.name}")
    assert leafmint.audit(postgres.url).unread == ("leaf_alloc", "leafmint_schema")


def test_a_table_whose_rows_are_hidden_is_not_read(postgres: Audited) -> None:
    postgres.table("orders")
    postgres.run("ALTER TABLE orders ENABLE ROW LEVEL SECURITY")
    assert leafmint.audit(postgres.url).unread == ("orders",)


def test_a_table_that_stays_locked_is_named_and_the_rest_is_read(mariadb: Audited, postgres: Audited) -> None:
    for shop, lock in (
        (mariadb, "LOCK TABLES secret WRITE"),
        (postgres, "LOCK TABLE secret IN ACCESS EXCLUSIVE MODE"),
    ):
        shop.table("orders")
        shop.table("secret")
        with shop.holding(lock):
            report = leafmint.audit(shop.url, connect_timeout="2s")
        assert ([key.table for key in report.keys], report.unread) == (["orders"], ("secret",))


def test_an_audit_of_sqlite_does_not_change_the_file(tmp_path: Path) -> None:
    file = tmp_path / "shop.db"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)")
    connection.close()
    before = file.read_bytes()
    leafmint.audit(f"sqlite:///{file}")
    assert (file.read_bytes(), [path.name for path in tmp_path.iterdir()]) == (before, ["shop.db"])
    for name in ("none.db", "empty.db"):
        (tmp_path / "empty.db").touch()
        with pytest.raises(leafmint.InvalidConfigError):
            leafmint.audit(f"sqlite:///{tmp_path}/{name}")
    assert (tmp_path / "empty.db").read_bytes() == b""
    assert not (tmp_path / "none.db").exists()


def test_the_tables_of_sqlite_itself_and_of_its_search_are_no_keys(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.execute("CREATE VIRTUAL TABLE notes USING fts5(text)")
        connection.execute("INSERT INTO notes VALUES ('a note')")
        connection.execute("CREATE TABLE words (id INT PRIMARY KEY) WITHOUT ROWID")
        connection.execute("INSERT INTO words VALUES (7), ('seven')")
    report = leafmint.audit(f"sqlite:///{tmp_path}/shop.db")
    assert [(key.table, key.used) for key in report.keys] == [("words", 7)]


def test_a_generator_on_the_same_file_still_writes_after_an_audit(url: str) -> None:
    with leafmint.SegmentGenerator(url) as ids:
        ids.create_tag("order", step=1)
        assert leafmint.audit(url).findings == ()
        assert ids.tag("order").next_ids(3) == [1, 2, 3]


def filled(shop: Audited, table: str, days: int) -> None:
    """Insert a row for each day up to now, a million numbers apart."""
    before = {
        "mysql": "NOW() - INTERVAL {} DAY",
        "postgresql": "now() - INTERVAL '{} days'",
        "sqlite": "datetime('now', '-{} days')",
    }[shop.kind]
    shop.table(table, more=", created_at TIMESTAMP NULL")
    step = largest(shop) // 2000
    rows = ", ".join(f"({(days - day) * step + 2}, {before.format(day)})" for day in range(days, -1, -1))
    shop.run(
        f"UPDATE {table} SET created_at = {before.format(days)}", f"INSERT INTO {table} (id, created_at) VALUES {rows}"
    )
    if shop.kind == "postgresql":
        shop.run(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {days * step + 2})")


def days_left(key: leafmint.KeyUse) -> float:
    """Return the time left in days."""
    assert key.time_left is not None
    return key.time_left / timedelta(days=1)


def test_the_days_left_follow_from_the_times_in_the_rows(shop: Audited) -> None:
    filled(shop, "orders", 200)
    report = leafmint.audit(shop.url)
    (key,) = report.keys
    # A two-thousandth of all numbers a day, of which a tenth is used.
    assert days_left(key) == pytest.approx(1800, rel=0.05)
    assert [it.kind for it in report.findings] == (["rounded_in_json"] if shop.kind == "sqlite" else [])
    shop.run(f"UPDATE orders SET created_at = {'NULL'}")
    assert leafmint.audit(shop.url).keys[0].time_left is None


def test_a_table_younger_than_a_week_and_a_report_younger_than_an_hour_say_nothing(shop: Audited) -> None:
    filled(shop, "orders", 6)
    shop.grow("orders", largest(shop) // 10)
    report = leafmint.audit(shop.url)
    assert report.keys[0].time_left is None
    shop.grow("orders", largest(shop) // 5)
    assert leafmint.audit(shop.url, since=report).keys[0].time_left is None
    hour_ago = replace(report, read_at=report.read_at - timedelta(hours=1))
    assert leafmint.audit(shop.url, since=hour_ago).keys[0].time_left is not None


def test_a_table_that_no_longer_grows_has_no_end(shop: Audited) -> None:
    filled(shop, "orders", 100)
    past = {"mysql": "created_at - INTERVAL 90 DAY", "postgresql": "created_at - INTERVAL '90 days'",
            "sqlite": "datetime(created_at, '-90 days')"}  # fmt: skip
    shop.run(f"UPDATE orders SET created_at = {past[shop.kind]}")
    assert leafmint.audit(shop.url).keys[0].time_left is None


def test_the_days_left_follow_from_an_earlier_report(shop: Audited) -> None:
    shop.table("orders")
    earlier = leafmint.audit(shop.url)
    shop.grow("orders", largest(shop) // 100)
    day_ago = replace(earlier, read_at=earlier.read_at - timedelta(days=1))
    report = leafmint.audit(shop.url, since=day_ago)
    assert days_left(report.keys[0]) == pytest.approx(99, rel=0.01)
    assert ("runs_out", "note") in [it[:2] for it in found(report)]
    assert leafmint.audit(shop.url, since=report).keys[0].time_left is None


def test_a_wrong_url_or_option_is_refused_and_an_unreachable_server_is_named(postgres: Audited) -> None:
    for wrong in ("memory:", "tickets://a,b/c", "oracle://a/b", ""):
        with pytest.raises(leafmint.InvalidConfigError):
            leafmint.audit(wrong)
    with pytest.raises(leafmint.InvalidConfigError, match="no_such"):
        leafmint.audit(postgres.url, no_such=1)
    with pytest.raises(leafmint.StoreUnavailableError):
        leafmint.audit(UNREACHABLE)
    with pytest.raises(leafmint.LeafmintError) as raised:
        leafmint.audit(postgres.url.replace("s3ntinel-0", "s3ntinel-1"))
    assert "s3ntinel" not in str(raised.value)


def test_findings_that_are_ignored_are_left_out(shop: Audited) -> None:
    for table in ("orders", "old_orders"):
        shop.table(table)
        shop.grow(table, largest(shop) // 10 * 9)
    ignore = ["*:rounded_in_json"]
    assert {it.table for it in leafmint.audit(shop.url, ignore=ignore).findings} == {"orders", "old_orders"}
    report = leafmint.audit(shop.url, ignore=(rule for rule in ["old_*:problem", *ignore]))
    assert [(it.kind, it.table) for it in report.findings] == [("runs_out", "orders")]
    report = leafmint.audit(shop.url, ignore=["*orders"])
    assert (report.findings, len(report.keys), report.ok) == ((), 2, True)


def test_a_rule_that_ignores_nothing_and_what_is_no_list_of_texts_are_refused(tmp_path: Path) -> None:
    for wrong in (
        {"ignore": ["*:nothing"]}, {"ignore": "orders"}, {"tables": "orders"},
        {"ignore": ["\ud800"]}, {"tables": ["\ud800"]}, {"tags": {"orders": "\ud800"}},
    ):  # fmt: skip
        with pytest.raises(leafmint.InvalidArgumentError):
            leafmint.audit(f"sqlite:///{tmp_path}/shop.db", **wrong)
    mistyped: list[dict[str, Any]] = [{"ignore": [1]}, {"tables": [None]}, {"tags": {1: "order"}}, {"tables": 1}]
    for request in mistyped:
        with pytest.raises(TypeError):
            leafmint.audit(f"sqlite:///{tmp_path}/shop.db", **request)


def test_the_account_needs_no_password_in_the_url(postgres: Audited) -> None:
    url = make_url(postgres.url)
    bare = f"postgresql://{url.host}:{url.port}/{url.database}"
    assert leafmint.audit(bare, credentials=lambda: (url.username, url.password)).ok


@pytest.mark.long
def test_ten_million_rows_are_audited_in_seconds(shop: Audited) -> None:
    rows = 10_000_000
    shop.table("orders", more=", created_at TIMESTAMP NULL")
    numbers, before = {
        "mysql": (f"SELECT seq AS n FROM seq_2_to_{rows}", "NOW() - INTERVAL {} SECOND"),
        "postgresql": (f"SELECT n FROM generate_series(2, {rows}) AS n", "now() - {} * INTERVAL '1 second'"),
        "sqlite": (
            f"WITH RECURSIVE c(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM c WHERE n < {rows}) SELECT n FROM c",
            "datetime('now', -{} || ' seconds')",
        ),
    }[shop.kind]
    time = before.format(f"({rows} - n)")
    shop.run(f"INSERT INTO orders (id, created_at) SELECT n, {time} FROM ({numbers}) AS numbers")
    shop.grow("orders", largest(shop) // 10 * 9)
    shop.run(f"UPDATE orders SET created_at = {before.format(0)} WHERE id > {rows}")
    began = perf_counter()
    report = leafmint.audit(shop.url)
    took = perf_counter() - began
    assert facts(report.findings[0])[:3] == ("runs_out", "problem", "orders")
    assert report.keys[0].time_left is not None
    print(f"{shop.kind}: {took * 1000:.0f} ms")
    assert took < 3, "no table is scanned"


@pytest.mark.long
def test_thousands_of_tables_are_listed_by_statements_that_end_in_time(postgres: Audited) -> None:
    postgres.run(
        "DO $$ BEGIN FOR n IN 1..3000 LOOP EXECUTE format('CREATE TABLE t%s (id bigserial PRIMARY KEY)', n);"
        " IF n % 100 = 0 THEN COMMIT; END IF; END LOOP; END $$"
    )
    # Each statement has three seconds. A list that compares each column with each sequence takes four times as long.
    report = leafmint.audit(postgres.url)
    assert (len(report.keys), report.findings, report.unread) == (3000, (), ())
