"""Taking ids: every way to do it, from SQLite, memory and many threads."""

import itertools
from pathlib import Path

import leafmint
import pytest
from testing import in_threads, run_python


def test_every_way_to_take_an_id_goes_on_from_the_last_one(order: leafmint.BizTag) -> None:
    assert order.name == "order"
    assert order.next_id() == 1
    assert order.next_id(timeout=0.05) == 2
    assert order.next_id(1) == 3
    assert order.try_next_id() == 4
    assert order.next_ids(3) == [5, 6, 7]
    assert order.next_ids(2, timeout=1) == [8, 9]
    assert order.next_range(2) == range(10, 12)
    assert order.next_range(2, timeout=1) == range(12, 14)
    assert order() == 14
    assert list(order.next_array(2)) == [15, 16]


def test_try_next_id_is_none_at_first_and_an_id_soon_after(order: leafmint.BizTag) -> None:
    tries = [order.try_next_id()]
    while tries[-1] is None:
        tries.append(order.try_next_id())
    assert tries[0] is None
    assert tries[-1] == 1


def test_an_empty_batch_is_empty_and_takes_nothing(url: str, tmp_path: Path) -> None:
    flakes = leafmint.SnowflakeGenerator(f"local:///{tmp_path}/workers")
    with leafmint.SegmentGenerator(url) as ids:
        for tag in (ids.biz_tag("order"), ids.biz_tag("relaxed", order="relaxed")):
            for _ in range(2):
                assert (tag.next_ids(0), list(tag.next_array(0)), list(tag.next_range(0))) == ([], [], [])
                tag.next_id()
        for _ in range(2):
            assert (flakes.next_ids(0), list(flakes.next_array(0))) == ([], [])
            flakes.next_id()
        assert ids.biz_tag("order").next_id() == 3
    for call in (tag.next_ids, tag.next_range):
        with pytest.raises(leafmint.ClosedError):
            call(0)


def test_the_memory_of_a_process_goes_on_where_a_closed_generator_ended() -> None:
    for url in ("memory:", "memory://named"):
        script = f"""
            import leafmint
            for _ in range(3):
                with leafmint.SegmentGenerator("{url}") as ids:
                    print(ids.biz_tag("order").next_id())
            print(leafmint.SegmentGenerator("memory://other").biz_tag("order").next_id())
        """
        assert run_python(script).split() == ["1", "2", "3", "1"]


def test_memory_stores_of_one_name_share_their_ids() -> None:
    with leafmint.SegmentGenerator("memory://shared") as one, leafmint.SegmentGenerator("memory://shared") as other:
        a, b = one.biz_tag("order"), other.biz_tag("order")
        drawn = a.next_ids(1500) + b.next_ids(1500)
    assert len(set(drawn)) == 3000


def test_two_tags_count_on_their_own(ids: leafmint.SegmentGenerator) -> None:
    assert ids.biz_tag("order").next_id() == 1
    assert ids.biz_tag("user").next_id() == 1
    assert ids.biz_tag("order").next_id() == 2


def test_ids_are_unique_and_increase_over_eight_threads(ids: leafmint.SegmentGenerator) -> None:
    ids.create_tag("small", step=3)
    tag = ids.biz_tag("small")
    drawn = in_threads(8, lambda: [tag.next_id() for _ in range(5000)])
    assert all(earlier < later for mine in drawn for earlier, later in itertools.pairwise(mine))
    assert len(set(itertools.chain.from_iterable(drawn))) == 8 * 5000


def test_batches_of_eight_threads_never_overlap(order: leafmint.BizTag) -> None:
    drawn = in_threads(8, lambda: [i for n in (1, 7, 999, 1001, 4000) for i in (*order.next_ids(n), *order.next_range(n))])
    everything = list(itertools.chain.from_iterable(drawn))
    assert len(everything) == 8 * 2 * 6008
    assert len(set(everything)) == len(everything)


def test_the_largest_batch_is_handed_out(order: leafmint.BizTag) -> None:
    assert len(order.next_ids(2**20)) == 2**20
    assert len(order.next_range(2**20)) == 2**20


def test_a_clean_close_gives_unused_ids_back(url: str) -> None:
    for expected in (1, 2, 3):
        with leafmint.SegmentGenerator(url) as ids:
            assert ids.biz_tag("order").next_id() == expected


def test_ids_go_on_above_those_of_another_process(url: str, ids: leafmint.SegmentGenerator) -> None:
    mine = ids.biz_tag("order").next_ids(10)
    script = "import sys, leafmint; print(*leafmint.SegmentGenerator(sys.argv[1]).biz_tag('order').next_ids(10))"
    theirs = [int(word) for word in run_python(script, url).split()]
    assert not set(mine) & set(theirs)


@pytest.mark.parametrize(
    "mint",
    [
        "tag = leafmint.SegmentGenerator(sys.argv[1]).biz_tag('order'); print(tag())",
        "print(leafmint.SegmentGenerator(sys.argv[1]).biz_tag('order').next_id())",
    ],
    ids=["left open", "let go"],
)
def test_the_exit_closes_what_is_open_and_waits_for_what_is_closing(url: str, mint: str) -> None:
    assert [run_python(f"import sys, leafmint; {mint}", url).strip() for _ in range(5)] == ["1", "2", "3", "4", "5"]


def test_without_close_at_exit_the_exit_gives_nothing_back(url: str) -> None:
    script = """
        import sys, leafmint
        tag = leafmint.SegmentGenerator(sys.argv[1], close_at_exit=False).biz_tag("order")
        print(tag.next_id())
    """
    assert [run_python(script, url).strip() for _ in range(3)] == ["1", "1001", "2001"]


def test_create_tag_says_whether_it_was_there(ids: leafmint.SegmentGenerator) -> None:
    assert ids.create_tag("invoice", step=50, start=1000, description="since 2026") is True
    assert ids.create_tag("invoice", start=5) is False
    assert ids.biz_tag("invoice").next_id() == 1000


def test_options_are_keywords_or_in_the_url_and_keywords_win(url: str) -> None:
    with leafmint.SegmentGenerator(f"{url}?default_start=500&default_step=7", default_start=900) as ids:
        order = ids.biz_tag("order")
        assert order.next_id() == 900
        assert ids.stats()["tags"]["order"]["step"] == 7


def test_eager_has_supply_in_hand_at_open(url: str) -> None:
    with leafmint.SegmentGenerator(url, eager=True, tags=["a,b", "c"]) as ids:
        assert ids.biz_tag("a,b").try_next_id() == 1
        assert ids.biz_tag("c").try_next_id() == 1


def test_init_schema_makes_the_table(tmp_path: Path) -> None:
    file = tmp_path / "ids.db"
    with leafmint.SegmentGenerator(f"sqlite:///{file}", auto_create=False) as ids:
        assert not file.exists()
        ids.init_schema()
        assert file.exists()
        with pytest.raises(leafmint.UnknownTagError):
            ids.biz_tag("order").next_id()
        ids.create_tag("order")
        assert ids.biz_tag("order").next_id() == 1


def test_stats_count_what_became_of_the_ids(ids: leafmint.SegmentGenerator) -> None:
    ids.biz_tag("order").next_ids(10)
    stats = ids.stats()
    figures = stats["tags"]["order"]
    assert stats["scope"] == ids.scope
    assert "the processes that share that file" in ids.scope
    assert figures["issued"] == 10
    assert figures["leased"] == figures["issued"] + figures["unused"]
    assert figures["last_error"] is None


def test_schema_sql_is_for_migration_tools() -> None:
    assert "ENGINE=InnoDB" in leafmint.schema_sql()
    assert leafmint.schema_sql() == leafmint.schema_sql("mysql")
    assert "WITHOUT ROWID" in leafmint.schema_sql(dialect="sqlite")
