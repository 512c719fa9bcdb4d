"""Tags: every way to take an id, and ids of many threads and processes."""

import itertools

import leafmint
from testing import in_threads, run_python


def test_every_way_to_take_an_id_continues_after_the_last_one(order: leafmint.Tag) -> None:
    assert order.name == "order"
    assert order.next_id() == 1
    assert order.next_id(timeout=0.05) == 2
    assert order.next_id(timeout=1) == 3
    assert order.try_next_id() == 4
    assert order.next_ids(3) == [5, 6, 7]
    assert order.next_ids(2, timeout=1) == [8, 9]
    assert order.next_range(2) == range(10, 12)
    assert order.next_range(2, timeout=1) == range(12, 14)
    assert order() == 14
    assert list(order.next_array(2)) == [15, 16]


def test_try_next_id_returns_none_at_first_and_an_id_soon_after(order: leafmint.Tag) -> None:
    tries = [order.try_next_id()]
    while tries[-1] is None:
        tries.append(order.try_next_id())
    assert tries[0] is None
    assert tries[-1] == 1


def test_two_tags_count_independently(ids: leafmint.SegmentGenerator) -> None:
    assert ids.tag("order").next_id() == 1
    assert ids.tag("user").next_id() == 1
    assert ids.tag("order").next_id() == 2


def test_ids_of_eight_threads_are_unique_and_increase(ids: leafmint.SegmentGenerator) -> None:
    ids.create_tag("small", step=3)
    tag = ids.tag("small")
    drawn = in_threads(8, lambda: [tag.next_id() for _ in range(5000)])
    assert all(earlier < later for mine in drawn for earlier, later in itertools.pairwise(mine))
    assert len(set(itertools.chain.from_iterable(drawn))) == 8 * 5000


def test_two_processes_never_mint_the_same_id(url: str, ids: leafmint.SegmentGenerator) -> None:
    mine = ids.tag("order").next_ids(10)
    script = "import sys, leafmint; print(*leafmint.SegmentGenerator(sys.argv[1]).tag('order').next_ids(10))"
    theirs = [int(word) for word in run_python(script, url).split()]
    assert not set(mine) & set(theirs)


def test_a_tag_that_is_looked_up_twice_is_equal_and_one_key(ids: leafmint.SegmentGenerator, url: str) -> None:
    order = ids.tag("order")
    assert order == ids.tag("order", gene_bits=0, order="strict")
    assert {order: 1, ids.tag("order"): 2} == {order: 2}
    order.next_id()
    assert ids.tag("order", order="relaxed") == ids.tag("order", order="relaxed")
    with leafmint.SegmentGenerator(url) as other_generator:
        others = [
            ids.tag("user"),
            ids.tag("order", order="relaxed"),
            ids.tag("gene", gene_bits=4),
            other_generator.tag("order"),
        ]
    assert len({order, *others}) == 5
    assert all(order != other for other in [*others, "order", None])
    assert hash(order) == hash(ids.tag("order"))


def test_equal_tags_are_equal_after_the_close_and_in_a_forked_child() -> None:
    script = """
        import os, leafmint
        ids = leafmint.SegmentGenerator("memory:")
        one, two = ids.tag("order"), ids.tag("order")
        child = os.fork()
        if child == 0:
            os._exit(0 if one == two == ids.tag("order") and len({one, two}) == 1 else 1)
        ids.close()
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), one == two, len({one, two}))
    """
    assert run_python(script) == "0 True 1\n"
