"""Segment generators: opening, stores, tags that are created, and closing."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import leafmint
import pytest
from testing import UNREACHABLE, assert_close_ends_minting, rows, run_python


def test_a_memory_store_continues_where_a_closed_generator_ended() -> None:
    for url in ("memory:", "memory://named"):
        script = f"""
            import leafmint
            for _ in range(3):
                with leafmint.SegmentGenerator("{url}") as ids:
                    print(ids.tag("order").next_id())
            print(leafmint.SegmentGenerator("memory://other").tag("order").next_id())
        """
        assert run_python(script).split() == ["1", "2", "3", "1"]


def test_memory_stores_of_one_name_share_their_ids() -> None:
    with leafmint.SegmentGenerator("memory://shared") as one, leafmint.SegmentGenerator("memory://shared") as other:
        a, b = one.tag("order"), other.tag("order")
        drawn = a.next_ids(1500) + b.next_ids(1500)
    assert len(set(drawn)) == 3000


def test_create_tag_returns_whether_it_inserted_the_tag(ids: leafmint.SegmentGenerator) -> None:
    assert ids.create_tag("invoice", step=50, start=1000, description="since 2026") is True
    assert ids.create_tag("invoice", start=5) is False
    assert ids.tag("invoice").next_id() == 1000


def test_eager_has_ids_in_hand_at_open(url: str) -> None:
    with leafmint.SegmentGenerator(url, eager=True, eager_tags=["a,b", "c"]) as ids:
        assert ids.tag("a,b").try_next_id() == 1
        assert ids.tag("c").try_next_id() == 1


def test_eager_fails_at_open_if_the_store_is_down() -> None:
    with pytest.raises(leafmint.StoreUnavailableError):
        leafmint.SegmentGenerator(UNREACHABLE, eager=True, timeout=0.2, connect_timeout=0.2)
    with pytest.raises(leafmint.SegmentUnavailableError):
        leafmint.SegmentGenerator(UNREACHABLE, eager=True, eager_tags="order", timeout=0.2, connect_timeout=0.2)


def test_init_schema_creates_the_table(tmp_path: Path) -> None:
    file = tmp_path / "ids.db"
    with leafmint.SegmentGenerator(f"sqlite:///{file}", auto_create=False) as ids:
        assert not file.exists()
        ids.init_schema()
        assert file.exists()
        with pytest.raises(leafmint.UnknownTagError):
            ids.tag("order").next_id()
        ids.create_tag("order")
        assert ids.tag("order").next_id() == 1


@pytest.mark.parametrize(
    ("max_id", "step", "kind"),
    [
        (1, 0, leafmint.InvalidConfigError),
        (1, -5, leafmint.InvalidConfigError),
        (1, 1_500_000_000, leafmint.InvalidConfigError),
        (2**63 - 10, 1000, leafmint.IdSpaceExhaustedError),
        (-5, 1000, leafmint.IdSpaceExhaustedError),
    ],
)
def test_a_bad_row_is_refused_and_not_changed(
    ids: leafmint.SegmentGenerator, url: str, max_id: int, step: int, kind: type[leafmint.LeafmintError]
) -> None:
    ids.init_schema()
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    with connection:
        connection.execute("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', ?, ?)", (max_id, step))
    connection.close()
    with pytest.raises(kind, match='tag "order"'):
        ids.tag("order").next_id()
    assert rows(url) == [("order", max_id, step, None)]


def test_a_clean_close_gives_unused_ids_back(url: str) -> None:
    for expected in (1, 2, 3):
        with leafmint.SegmentGenerator(url) as ids:
            assert ids.tag("order").next_id() == expected


def test_use_after_close_is_a_named_error_and_a_second_close_does_nothing(ids: leafmint.SegmentGenerator) -> None:
    order = ids.tag("order")
    order.next_id()
    ids.close()
    ids.close()
    calls: list[Callable[[], object]] = [
        order.next_id,
        order.try_next_id,
        order,
        lambda: order.next_ids(1),
        lambda: order.next_range(1),
    ]
    calls += [lambda: ids.tag("order"), lambda: ids.create_tag("user"), ids.init_schema]
    for call in calls:
        with pytest.raises(leafmint.ClosedError, match="was closed"):
            call()
    assert ids.stats().tags["order"].issued == 1
    assert ids.stats().tags["order"].given_back > 0
    assert "ids.db" in repr(ids)
    assert "order" in repr(order)


def test_a_with_block_closes_and_passes_exceptions_on(url: str) -> None:
    class MyError(Exception):
        pass

    with pytest.raises(MyError), leafmint.SegmentGenerator(url) as ids:
        raise MyError
    with pytest.raises(leafmint.ClosedError):
        ids.tag("order")


def test_a_close_ends_eight_minting_threads_with_a_named_error(ids: leafmint.SegmentGenerator) -> None:
    order = ids.tag("order")
    assert_close_ends_minting(ids.close, order.next_id)
