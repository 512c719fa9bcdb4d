"""`audit` of sequences: those of PostgreSQL and of MariaDB, with and without a column that they fill."""

import leafmint
from audited import Audited, facts, found

INT = 2**31 - 1
NEXT = {"mysql": "NEXTVAL({})", "postgresql": "nextval('{}')"}
SET = {"mysql": "SELECT SETVAL({}, {})", "postgresql": "SELECT setval('{}', {})"}


def table(shop: Audited, name: str, sequence: str, column: str = "INT") -> None:
    """Make a table whose key is filled by a sequence."""
    shop.run(f"CREATE TABLE {name} (id {column} PRIMARY KEY DEFAULT {NEXT[shop.kind].format(sequence)}, note INT)")


def move(shop: Audited, sequence: str, last: int) -> None:
    """Make a sequence give the number after this one next."""
    shop.run(SET[shop.kind].format(sequence, last))


def test_a_sequence_that_fills_no_column_is_judged_by_its_end(mariadb: Audited, postgres: Audited) -> None:
    for shop in (mariadb, postgres):
        shop.run("CREATE SEQUENCE fine", "CREATE SEQUENCE invoices MAXVALUE 100000 CACHE 10")
        move(shop, "invoices", 95_000)
        report = leafmint.audit(shop.url)
        cached = 10 if shop.kind == "mysql" else 0
        assert found(report) == [("runs_out", "problem", "invoices", 95_000 - cached, 100_000)]
        assert {(key.table, key.column, key.data_type) for key in report.keys} == {
            ("fine", "", "bigint sequence"), ("invoices", "", "bigint sequence"),
        }  # fmt: skip


def test_a_sequence_that_fills_a_column_is_its_counter(mariadb: Audited, postgres: Audited) -> None:
    for shop in (mariadb, postgres):
        shop.run("CREATE SEQUENCE orders_seq", "CREATE SEQUENCE bills_seq")
        table(shop, "orders", "orders_seq")
        table(shop, "bills", "bills_seq")
        shop.run("INSERT INTO orders (note) VALUES (1), (2)", "INSERT INTO bills VALUES (5000, 0)")
        (finding,) = leafmint.audit(shop.url).findings
        assert facts(finding) == ("counter_behind", "problem", "bills", "id", 1, 5000)
        shop.run(finding.text.rpartition(". ")[2])
        report = leafmint.audit(shop.url)
        assert report.findings == ()
        assert {(key.table, key.column) for key in report.keys} == {("orders", "id"), ("bills", "id")}
        shop.run("INSERT INTO bills (note) VALUES (1)")


def test_a_column_ends_with_its_sequence(mariadb: Audited, postgres: Audited) -> None:
    for shop in (mariadb, postgres):
        shop.run("CREATE SEQUENCE bound MAXVALUE 100000 CACHE 1", "CREATE SEQUENCE wide CACHE 1")
        table(shop, "ends", "bound", "BIGINT")
        table(shop, "column_ends", "wide")
        move(shop, "bound", 90_000)
        move(shop, "wide", 2_000_000_000)
        shop.run("INSERT INTO ends (note) VALUES (1)", "INSERT INTO column_ends (note) VALUES (1)")
        assert set(found(leafmint.audit(shop.url))) == {
            ("runs_out", "problem", "ends", 90_001, 100_000),
            ("runs_out", "problem", "column_ends", 2_000_000_001, INT),
        }


def test_numbers_in_the_cache_of_a_server_are_not_used(mariadb: Audited) -> None:
    mariadb.run("CREATE SEQUENCE s MAXVALUE 1000 CACHE 1000", "SELECT NEXTVAL(s)")
    assert leafmint.audit(mariadb.url).findings == ()


def test_a_sequence_that_starts_again_counts_down_or_is_below_zero_is_not_judged(
    mariadb: Audited, postgres: Audited
) -> None:
    options = {
        "turns": "MAXVALUE 2147483647 CYCLE", "down": "INCREMENT BY -1 MINVALUE 1 MAXVALUE 2147483647 START 2147483647",
        "below": "MINVALUE -2147483648 START -2147483648", "negative": "INCREMENT BY -1",
    }  # fmt: skip
    for shop in (mariadb, postgres):
        for name, option in options.items():
            shop.run(f"CREATE SEQUENCE {name} {option}", f"CREATE SEQUENCE free_{name} {option}")
            table(shop, f"of_{name}", name)
            shop.run(f"INSERT INTO of_{name} VALUES (2147483647, 0)")
        report = leafmint.audit(shop.url)
        assert (report.findings, report.keys, report.unread) == ((), (), ())


def test_a_sequence_in_an_expression_or_for_a_text_is_judged_by_itself(mariadb: Audited, postgres: Audited) -> None:
    for shop in (mariadb, postgres):
        number = NEXT[shop.kind].format("s")
        text = f"CONCAT('x', {NEXT[shop.kind].format('u')})"
        shop.run(
            "CREATE SEQUENCE s CACHE 1",
            "CREATE SEQUENCE u MAXVALUE 10 CACHE 1",
            f"CREATE TABLE tens (id BIGINT PRIMARY KEY DEFAULT ({number} * 10), note INT)",
            f"CREATE TABLE texts (id VARCHAR(9) PRIMARY KEY DEFAULT {text}, note INT)",
            "INSERT INTO tens (note) VALUES (1), (2)",
            "INSERT INTO texts (note) VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9)",
        )
        report = leafmint.audit(shop.url)
        assert {(key.table, key.column) for key in report.keys} == {("tens", "id"), ("s", ""), ("u", "")}
        assert [it[2:] for it in found(report)] in ([("u", 9, 10)], [("u", 8, 10)])


def test_one_sequence_fills_several_columns_also_by_a_name_with_quotes(mariadb: Audited, postgres: Audited) -> None:
    text = """it's `a` "b" 100% \\ 表"""
    for shop in (mariadb, postgres):
        mark = "`" if shop.kind == "mysql" else '"'
        quoted = mark + text.replace(mark, 2 * mark) + mark
        number = f"NEXTVAL({quoted})" if shop.kind == "mysql" else f"nextval(E'{quoted}')".replace("t's", "t''s")
        number = number.replace("\\", "\\\\") if shop.kind == "postgresql" else number
        shop.run(f"CREATE SEQUENCE {quoted} CACHE 1")
        for name in ("orders", "bills"):
            shop.run(f"CREATE TABLE {name} (id INT PRIMARY KEY DEFAULT {number})", f"INSERT INTO {name} VALUES (7)")
        assert {it[2:] for it in found(leafmint.audit(shop.url))} == {("orders", 1, 7), ("bills", 1, 7)}


def test_a_sequence_that_the_account_may_not_read_is_named(mariadb: Audited, postgres: Audited) -> None:
    for shop in (mariadb, postgres):
        shop.run("CREATE SEQUENCE orders_seq", "CREATE SEQUENCE other")
        table(shop, "orders", "orders_seq")
    mariadb.on_server(
        f"REVOKE SELECT ON {mariadb.name}.* FROM {mariadb.name}",
        f"GRANT SELECT ON {mariadb.name}.orders TO {mariadb.name}",
    )
    postgres.on_server(f"REVOKE pg_read_all_data FROM {postgres.name}")
    postgres.run(f"GRANT SELECT ON orders, other TO {postgres.name}")
    assert leafmint.audit(mariadb.url).unread == (f"{mariadb.name}.orders_seq",)
    assert leafmint.audit(postgres.url).unread == ("orders_seq",)
    assert leafmint.audit(postgres.url, tables=["other*"]).unread == ()
