"""Batches: lists, arrays (NumPy's if it is installed, else the standard library's) and ranges of ids."""

import asyncio
import itertools
from pathlib import Path

import leafmint
import numpy
import pytest
from testing import UNREACHABLE, in_threads, run_python


def test_an_array_continues_after_the_last_id(order: leafmint.Tag) -> None:
    assert order.next_id() == 1
    ids = order.next_array(4)
    assert ids.dtype == numpy.int64
    assert ids.tolist() == [2, 3, 4, 5]
    assert order.next_array(2, timeout=1).tolist() == [6, 7]


def test_an_array_is_writable_and_not_shared(order: leafmint.Tag) -> None:
    one, two = order.next_array(3), order.next_array(3)
    one[:] = 0
    assert two.tolist() == [4, 5, 6]


def test_an_array_and_a_list_span_segments_without_repeating_an_id(ids: leafmint.SegmentGenerator) -> None:
    ids.create_tag("small", step=7)
    tag = ids.tag("small")
    drawn = [*tag.next_array(1000).tolist(), *tag.next_ids(1000), *tag.next_array(2**20).tolist()]
    assert all(earlier < later for earlier, later in itertools.pairwise(drawn))


def test_arrays_of_eight_threads_never_overlap(order: leafmint.Tag) -> None:
    drawn = numpy.concatenate(
        [part for mine in in_threads(8, lambda: [order.next_array(997) for _ in range(20)]) for part in mine]
    )
    assert len(numpy.unique(drawn)) == 8 * 20 * 997


def test_batches_of_eight_threads_never_overlap(order: leafmint.Tag) -> None:
    drawn = in_threads(
        8, lambda: [i for n in (1, 7, 999, 1001, 4000) for i in (*order.next_ids(n), *order.next_range(n))]
    )
    everything = list(itertools.chain.from_iterable(drawn))
    assert len(everything) == 8 * 2 * 6008
    assert len(set(everything)) == len(everything)


def test_a_batch_may_have_millions_of_ids(order: leafmint.Tag, flakes: leafmint.SnowflakeGenerator) -> None:
    assert order.next_ids(2_000_000) == list(range(1, 2_000_001))
    for ids in (order.next_array(5_000_000), flakes.next_array(5_000_000, timeout=60)):
        assert len(ids) == 5_000_000
        assert bool((ids[:-1] < ids[1:]).all())


def test_a_range_may_have_as_many_ids_as_the_largest_lease(order: leafmint.Tag) -> None:
    assert order.next_range(2**30) == range(1, 2**30 + 1)
    assert order.next_id() == 2**30 + 1


def test_a_batch_of_snowflakes_that_times_out_reports_the_ids_that_it_drops(local: str) -> None:
    with leafmint.SnowflakeGenerator(local, layout="timestamp:41,worker:10,sequence:4") as flakes:
        flakes.next_id()
        with pytest.raises(
            leafmint.RateExceededError, match=r"only [0-9]+ of 1000000 ids, which are dropped, within 20ms"
        ):
            flakes.next_ids(1_000_000, timeout=0.02)


def test_an_empty_batch_takes_no_id(url: str, tmp_path: Path) -> None:
    flakes = leafmint.SnowflakeGenerator(f"local:{tmp_path}/workers")
    with leafmint.SegmentGenerator(url) as ids:
        for tag in (ids.tag("order"), ids.tag("relaxed", order="relaxed")):
            for _ in range(2):
                assert (tag.next_ids(0), list(tag.next_array(0)), list(tag.next_range(0))) == ([], [], [])
                tag.next_id()
        for _ in range(2):
            assert (flakes.next_ids(0), list(flakes.next_array(0))) == ([], [])
            flakes.next_id()
        assert ids.tag("order").next_id() == 3
    for call in (tag.next_ids, tag.next_range):
        with pytest.raises(leafmint.ClosedError):
            call(0)


def test_an_empty_batch_needs_no_store() -> None:
    with leafmint.SegmentGenerator(UNREACHABLE) as ids, leafmint.SnowflakeGenerator(UNREACHABLE) as flakes:
        tags = [ids.tag("order"), ids.tag("user", gene_bits=4), ids.tag("item", order="relaxed")]
        for tag in tags:
            assert (tag.next_ids(0, timeout=0), list(tag.next_array(0)), tag.next_range(0)) == ([], [], range(0))
            assert asyncio.run(tag.next_ids_async(0, timeout=0)) == []
        assert (flakes.next_ids(0, timeout=0), list(flakes.next_array(0))) == ([], [])
        assert asyncio.run(flakes.next_ids_async(0, timeout=0)) == []
        assert [figures.refill_failures for figures in ids.stats().tags.values()] == [0, 0, 0]
        assert flakes.stats().last_error is None
    for call in (tags[0].next_ids, tags[1].next_array, tags[2].next_range, flakes.next_ids, flakes.next_array):
        with pytest.raises(leafmint.ClosedError):
            call(0)


def test_an_array_of_snowflakes_increases(tmp_path: Path) -> None:
    with leafmint.SnowflakeGenerator(f"local:{tmp_path}") as flakes:
        first, ids = flakes.next_id(), flakes.next_array(10_000)
        assert ids.dtype == numpy.int64
        assert first < ids[0]
        assert bool((numpy.diff(ids) > 0).all())
        assert flakes.decode(int(ids[-1])).worker_id == 0


def test_a_batch_of_snowflakes_may_take_more_than_one_tick(local: str) -> None:
    with leafmint.SnowflakeGenerator(local, layout="timestamp:41,worker:10,sequence:4") as flakes:
        drawn = flakes.next_ids(1000)
    assert drawn == sorted(set(drawn))
    assert len(drawn) == 1000
    assert max(flakes.decode(id).sequence for id in drawn) == 15


@pytest.mark.parametrize("count", [-1, 2**26 + 1, 2**80])
def test_an_array_size_out_of_range_is_refused(order: leafmint.Tag, tmp_path: Path, count: int) -> None:
    with pytest.raises(leafmint.InvalidArgumentError, match="out of range"):
        order.next_array(count)
    with leafmint.SnowflakeGenerator(f"local:{tmp_path}") as flakes, pytest.raises(leafmint.InvalidArgumentError):
        flakes.next_array(count)
    assert order.next_id() == 1


def test_without_numpy_the_array_is_of_the_standard_library(tmp_path: Path) -> None:
    script = """
        import sys
        sys.modules["numpy"] = None
        import array, leafmint
        ids = leafmint.SegmentGenerator("memory:").tag("order").next_array(3)
        with leafmint.SnowflakeGenerator("local:" + sys.argv[1]) as flakes:
            some = flakes.next_array(3)
        print(type(ids) is type(some) is array.array, ids.typecode, list(ids), list(some) == sorted(set(some)))
    """
    assert run_python(script, str(tmp_path)) == "True q [1, 2, 3] True\n"


def test_a_forked_child_makes_arrays_of_its_own_ids() -> None:
    script = """
        import os, leafmint
        tag = leafmint.SegmentGenerator("memory:").tag("order")
        tag.next_array(3)
        child = os.fork()
        if child == 0:
            os._exit(0 if tag.next_array(3).tolist() == [1, 2, 3] else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), tag.next_array(2).tolist())
    """
    assert run_python(script) == "0 [4, 5]\n"
