"""The grants that SECURITY.md lists are enough, each for its mode."""

from __future__ import annotations

import re
from collections.abc import Iterator

import leafmint
import pytest
from mariadb import MariaDb
from programs import TOP


@pytest.fixture(scope="module")
def server() -> Iterator[MariaDb]:
    """A server whose tables an operator has made, with a tag."""
    with MariaDb() as server:
        with leafmint.SegmentGenerator(server.url) as ids:
            ids.init_schema()
            ids.create_tag("order", step=100)
        with leafmint.SnowflakeGenerator(server.url, state_dir="none", namespace="operator") as flakes:
            flakes.next_id()
        yield server


def account(server: MariaDb, name: str, grants: str) -> str:
    """Makes an account with grants of the page; returns its URL."""
    sql = grants.replace("'app'@'%'", f"'{name}'@'%'").replace("app.", "leafmint.")
    server.sql(f"CREATE USER '{name}'@'%' IDENTIFIED BY 'pw'; {sql}")
    return server.url.replace("root@", f"{name}:pw@")


def page() -> list[str]:
    """The blocks of SQL of the page: for segments, and for worker ids."""
    blocks = re.findall(r"```sql\n(.*?)```", (TOP / "SECURITY.md").read_text(), re.DOTALL)
    assert len(blocks) == 2
    return blocks


def test_segments_need_no_more_than_the_page_says(server: MariaDb) -> None:
    url = account(server, "segments", page()[0])
    drawn = []
    for _ in range(2):
        with leafmint.SegmentGenerator(url) as ids:
            drawn += ids.biz_tag("order").next_ids(1000)
            with pytest.raises(leafmint.InvalidConfigError):
                ids.create_tag("invoice")
    assert len(set(drawn)) == 2000


def test_tags_are_created_with_insert_on_both_tables(server: MariaDb) -> None:
    more = "GRANT INSERT ON app.leaf_alloc TO 'app'@'%'; GRANT INSERT ON app.leafmint_gene TO 'app'@'%';"
    url = account(server, "creators", page()[0] + more)
    with leafmint.SegmentGenerator(url, auto_create=True) as ids:
        assert ids.biz_tag("receipt").next_id() == 1
        assert ids.create_tag("parcel", gene_bits=4)
        assert ids.biz_tag("parcel", gene_bits=4).next_id(gene=3) > 0


def test_tags_are_listed_and_raised_with_the_grants_of_segments_and_changed_with_one_more(server: MariaDb) -> None:
    url = account(server, "operators", page()[0])
    with leafmint.SegmentGenerator(url) as ids:
        tags = {tag.biz_tag: tag for tag in ids.list_tags()}
        assert (tags["order"].step, tags["order"].description, tags["order"].gene_bits) == (100, None, 0)
        assert ids.raise_tag("order", 1_000_000) >= 1_000_000
        with pytest.raises(leafmint.InvalidConfigError, match="denied"):
            ids.set_tag("order", step=200)
    more = "GRANT SELECT, UPDATE (step, description) ON app.leaf_alloc TO 'app'@'%';"
    with leafmint.SegmentGenerator(account(server, "changers", page()[0] + more)) as ids:
        ids.set_tag("order", step=200, description="changed")
        tags = {tag.biz_tag: tag for tag in ids.list_tags()}
    assert (tags["order"].step, tags["order"].description) == (200, "changed")


def test_a_check_says_what_an_account_may_not_do(server: MariaDb) -> None:
    with leafmint.SegmentGenerator(account(server, "checkers", page()[0])) as ids:
        assert (ids.check().is_new, ids.check().creates_tags) == (False, False)
    readers = account(server, "readers", "GRANT SELECT ON app.leaf_alloc TO 'app'@'%';")
    with leafmint.SegmentGenerator(readers) as ids, pytest.raises(leafmint.InvalidConfigError, match="UPDATE"):
        ids.check()


def test_worker_ids_are_listed_checked_and_released_with_the_grants_of_the_page(server: MariaDb) -> None:
    url = account(server, "lookers", page()[1])
    with leafmint.SnowflakeGenerator(url, state_dir="none", namespace="looked_at") as flakes:
        assert (flakes.check().is_new, flakes.check().free_workers, flakes.list_workers()) == (True, 1024, [])
        flakes.next_id()
        with leafmint.SnowflakeGenerator(url, namespace="looked_at") as looking:
            found = looking.check()
            assert (found.is_new, found.free_workers, looking.worker_id) == (False, 1023, None)
            assert abs(found.clock_skew_millis or 0) < 5000
            assert [worker.held for worker in looking.list_workers()] == [True]
            reading = "; ".join(
                f"GRANT SELECT ON app.{table} TO 'app'@'%'"
                for table in ("leafmint_worker", "leafmint_namespace", "leafmint_schema")
            )
            with leafmint.SnowflakeGenerator(account(server, "readonly", reading), namespace="looked_at") as reader:
                assert [worker.held for worker in reader.list_workers()] == [True]
                with pytest.raises(leafmint.InvalidConfigError, match="UPDATE"):
                    reader.check()
            assert looking.release_worker(0, force=True) is True
            assert [worker.held for worker in looking.list_workers()] == [False]


def test_worker_ids_need_no_more_than_the_page_says(server: MariaDb) -> None:
    url = account(server, "workers", page()[1])
    drawn = []
    for _ in range(2):
        with leafmint.SnowflakeGenerator(url, state_dir="none") as flakes:
            drawn += flakes.next_ids(1000)
    assert len(set(drawn)) == 2000
