"""Servers that keep the names of tables in lower case: nothing is missed, and no id is repeated."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import leafmint
import pytest
from leafmint import _core
from mariadb import MariaDb
from tickets import TicketServer

LOWER = "--lower-case-table-names=1"
ROOM = 10**9


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    """A database `Shop`, whose tables and tags are spelt with capitals."""
    with MariaDb(LOWER) as server:
        server.sql(
            "CREATE DATABASE Shop; USE Shop; CREATE TABLE Orders (Id INT PRIMARY KEY);"
            " CREATE TABLE Parts (Id BIGINT PRIMARY KEY, Parent INT, FOREIGN KEY (Parent) REFERENCES ORDERS (ID));"
            # As a dump is restored.
            " SET foreign_key_checks = 0; DROP TABLE Orders;"
            " CREATE TABLE Orders (Id BIGINT AUTO_INCREMENT PRIMARY KEY); INSERT INTO Orders VALUES (9000)"
        )
        url = server.url.replace("leafmint", "Shop")
        with leafmint.SegmentGenerator(url, table="Leaf_Alloc") as ids:
            ids.init_schema()
            ids.create_tag("Orders", start=100)
        yield url


@pytest.mark.parametrize("tables", [["Orders", "Parts"], ["ORD*", "parts"], []])
@pytest.mark.parametrize("tags", [{}, {"Orders": "Orders"}])
def test_an_audit_finds_tables_tags_and_references_in_another_case(
    shop: str, tables: list[str], tags: dict[str, str]
) -> None:
    report = leafmint.audit(shop, table="Leaf_Alloc", tables=tables, tags=tags)
    assert {(it.kind, it.table) for it in report.findings} >= {
        ("tag_behind", "orders"),
        ("narrow_reference", "parts"),
    }


def test_a_table_that_is_not_there_is_no_audit_without_findings(shop: str) -> None:
    for request in ({"tables": ["order"]}, {"tags": {"order": "Orders"}}):
        with pytest.raises(leafmint.InvalidArgumentError, match='no table "order"'):
            leafmint.audit(shop, **request)


def test_a_move_from_auto_increment_goes_on_with_the_tag_as_it_is_spelt(shop: str) -> None:
    options = {"table": "Leaf_Alloc"}
    for tags in ([], [("Orders", "Orders")]):
        _, (orders,), (_, to_run, _) = _core._check_counters(shop, options, (["Orders"], tags), "old", ROOM, [])
        assert (orders["table"], orders["tag"], orders["next"]) == ("orders", "Orders", 100)
        assert not any("tags create" in command for _, _, command in to_run)


def test_tags_that_share_a_table_of_tickets_share_its_tickets() -> None:
    with ThreadPoolExecutor() as pool, TicketServer(1, LOWER) as one, TicketServer(2) as other:
        url = f"tickets://root@127.0.0.1:{one.port},127.0.0.1:{other.port}/leafmint"
        with leafmint.SegmentGenerator(url, default_step=10, timeout="60s", connect_timeout="20s") as ids:
            ids.init_schema()
            for tag in ("order", "Order"):
                assert ids.create_tag(tag)

        def mint(tag: str) -> list[int]:
            with leafmint.SegmentGenerator(url, timeout="60s", connect_timeout="20s") as ids:
                return [ids.tag(tag).next_id() for _ in range(300)]

        for tag in ("order", "Order"):
            minted = [number for numbers in pool.map(mint, [tag] * 6) for number in numbers]
            assert len(set(minted)) == len(minted)
