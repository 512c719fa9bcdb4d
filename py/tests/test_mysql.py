"""A real MySQL or MariaDB that other clients use too."""

import itertools
import uuid
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

import leafmint
import pymysql
import pytest
from pymysql.connections import Connection
from pymysql.cursors import Cursor
from testing import in_threads


@pytest.fixture
def database(mysql_url: str) -> Iterator["Connection[Cursor]"]:
    """Return a connection of another client."""
    url = urlsplit(mysql_url)
    connection = pymysql.connect(
        host=url.hostname or "127.0.0.1",
        port=url.port or 3306,
        user=unquote(url.username or ""),
        password=unquote(url.password or ""),
        database=url.path.strip("/"),
        autocommit=True,
    )
    with connection:
        yield connection


@pytest.fixture
def tag(mysql_url: str) -> str:
    """Return the name of a new tag; the tables exist."""
    with leafmint.SegmentGenerator(mysql_url) as ids:
        ids.init_schema()
    return f"py-{uuid.uuid4()}"


def max_id(database: "Connection[Cursor]", tag: str) -> int:
    with database.cursor() as cursor:
        cursor.execute("SELECT max_id FROM leaf_alloc WHERE biz_tag = %s", (tag,))
        row = cursor.fetchone()
    assert row
    return int(row[0])


def test_a_new_row_can_be_used_at_once(mysql_url: str, tag: str, database: "Connection[Cursor]") -> None:
    with leafmint.SegmentGenerator(mysql_url) as ids:
        with pytest.raises(leafmint.UnknownTagError, match=tag):
            ids.tag(tag).next_id()
        with database.cursor() as cursor:
            cursor.execute("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES (%s, 2001, 1000)", (tag,))
        assert ids.tag(tag).next_id() == 2001
        assert max_id(database, tag) >= 3001
    assert max_id(database, tag) == 2002


def test_a_refused_log_in_has_the_number_of_the_server(mysql_url: str) -> None:
    with (
        leafmint.SegmentGenerator(mysql_url, username="stranger", password="s3ntinel") as ids,
        pytest.raises(leafmint.InvalidConfigError) as raised,
    ):
        ids.tag("order").next_id()
    assert (raised.value.server_code, raised.value.reason) == (1045, "log_in_refused")


def test_a_column_that_rounds_is_a_named_error_and_a_trigger_is_not(
    mysql_url: str, database: "Connection[Cursor]"
) -> None:
    for column, works in (("bigint", True), ("float", False)):
        table = f"py_{uuid.uuid4().hex}"
        with database.cursor() as cursor:
            cursor.execute(
                f"CREATE TABLE {table} (biz_tag varchar(64) PRIMARY KEY, max_id {column} NOT NULL, step int NOT NULL)"
            )
            cursor.execute(
                f"CREATE TRIGGER {table}_t BEFORE UPDATE ON {table} FOR EACH ROW SET @seen = LAST_INSERT_ID(7)"
            )
            cursor.execute(f"INSERT INTO {table} VALUES ('order', 16777216, 10)")
        with leafmint.SegmentGenerator(mysql_url, table=table, max_step=10) as ids:
            if works:
                assert ids.tag("order").next_ids(50) == list(range(16777216, 16777266))
            else:
                with pytest.raises(leafmint.InvalidConfigError, match="BIGINT"):
                    ids.tag("order").next_id()
        with database.cursor() as cursor:
            cursor.execute(f"SELECT CAST(max_id AS SIGNED) FROM {table}")
            assert cursor.fetchone() == (16777266 if works else 16777216,)
            cursor.execute(f"DROP TABLE {table}")


def test_ids_of_two_generators_and_eight_threads_never_repeat(mysql_url: str, tag: str) -> None:
    with (
        leafmint.SegmentGenerator(mysql_url, auto_create=True, default_step=10) as one,
        leafmint.SegmentGenerator(mysql_url) as two,
    ):
        one.create_tag(tag, step=10)
        handles = itertools.cycle([one.tag(tag), two.tag(tag)])

        def mint() -> list[int]:
            order = next(handles)
            return [order() for _ in range(2000)] + order.next_ids(500) + list(order.next_range(500))

        drawn = list(itertools.chain.from_iterable(in_threads(8, mint)))
    assert len(set(drawn)) == len(drawn) == 8 * 3000


@pytest.mark.parametrize("name", ["🌱 'quoted' \"tag\" ; --", "ÄÖ"])
def test_any_text_is_a_tag(mysql_url: str, tag: str, name: str) -> None:
    with leafmint.SegmentGenerator(mysql_url, auto_create=True) as ids:
        assert ids.tag(tag + name).next_id() == 1


def test_a_wrong_password_is_a_named_error_that_does_not_repeat_it(mysql_url: str) -> None:
    with (
        leafmint.SegmentGenerator(mysql_url, username="no-such-user", password="s3ntinel") as ids,
        pytest.raises(leafmint.LeafmintError) as raised,
    ):
        ids.tag("order").next_id(timeout=0.5)
    assert "s3ntinel" not in str(raised.value)
