"""The coroutines: they return what the blocking calls return, and the event loop runs on while they wait."""

import asyncio
import gc
import inspect
import time
import weakref
from collections.abc import Callable, Coroutine
from typing import Any

import leafmint
import pytest
from testing import UNREACHABLE, rows, run_python


def test_coroutines_of_a_tag_return_what_the_blocking_calls_return(ids: leafmint.SegmentGenerator) -> None:
    async def mint() -> None:
        order, genes = ids.biz_tag("order"), ids.biz_tag("genes", gene_bits=4)
        assert await order.next_id_async() == 1
        assert await order.next_ids_async(3) == [2, 3, 4]
        assert await order.next_range_async(2) == range(5, 7)
        assert (await order.next_array_async(2)).tolist() == [7, 8]
        assert leafmint.shard_of(await genes.next_id_async(gene=3), 4) == 3
        assert await order.next_ids_async(0) == []
        assert await order.next_range_async(0) == range(0)
        assert len(set(await order.next_ids_async(5000))) == 5000

    asyncio.run(mint())


def test_coroutines_of_snowflakes_return_what_the_blocking_calls_return(local: str) -> None:
    async def mint() -> None:
        async with leafmint.SnowflakeGenerator(local, layout="timestamp:41,worker:10,sequence:8,gene:4") as flakes:
            drawn = [await flakes.next_id_async(), *await flakes.next_ids_async(3)]
            drawn += (await flakes.next_array_async(3)).tolist()
            drawn.append(await flakes.next_id_async(gene=5))
            assert drawn == sorted(set(drawn))
            assert [flakes.decode(id).gene for id in drawn] == [0] * 7 + [5]
            assert await flakes.next_ids_async(0) == []

    asyncio.run(mint())


def test_tags_and_tables_are_created_without_blocking_the_loop(url: str) -> None:
    async def create() -> None:
        async with leafmint.SegmentGenerator(url, auto_create=False) as ids:
            await ids.init_schema_async()
            assert await ids.create_tag_async("order", step=7, start=100, description="of shops") is True
            assert await ids.create_tag_async("order") is False
            assert rows(url) == [("order", 100, 7, "of shops")]
            with pytest.raises(leafmint.InvalidArgumentError, match="step"):
                await ids.create_tag_async("user", step=0)

    asyncio.run(create())


def test_an_error_is_freed_at_once(url: str) -> None:
    async def fail() -> "weakref.ref[BaseException] | None":
        async with leafmint.SegmentGenerator(url, auto_create=False) as ids:
            await ids.init_schema_async()
            try:
                await ids.biz_tag("unknown").next_id_async()
            except leafmint.UnknownTagError as error:
                return weakref.ref(error)
        return None

    gc.disable()
    try:
        reference = asyncio.run(fail())
        assert reference is not None
        assert reference() is None
    finally:
        gc.enable()


def test_a_coroutine_is_a_real_one_and_takes_no_id_before_it_runs(order: leafmint.BizTag) -> None:
    coroutine = order.next_id_async()
    assert inspect.iscoroutine(coroutine)
    assert inspect.iscoroutinefunction(order.next_id_async)
    assert "BizTag.next_id_async" in repr(coroutine)
    coroutine.close()
    assert asyncio.run(order.next_id_async()) == 1


def test_an_id_in_hand_is_returned_without_a_loop(order: leafmint.BizTag) -> None:
    order.next_id()
    with pytest.raises(StopIteration) as end:
        order.next_id_async().send(None)
    assert end.value.value == 2


def test_the_import_of_leafmint_does_not_import_asyncio() -> None:
    assert run_python("import sys, leafmint; print('asyncio' in sys.modules)") == "False\n"


def test_the_loop_runs_on_while_a_store_is_away_and_the_wait_ends_at_its_timeout() -> None:
    async def wait() -> None:
        async with leafmint.SegmentGenerator(UNREACHABLE, timeout=30) as ids:
            began = time.monotonic()
            call = asyncio.create_task(ids.biz_tag("order").next_id_async(timeout="2s"))
            laps = 0
            while not call.done():
                await asyncio.sleep(0.001)
                laps += 1
            with pytest.raises(leafmint.SegmentUnavailableError, match="within 2s"):
                await call
            assert 1.99 < time.monotonic() - began < 10
            assert laps > 5

    asyncio.run(wait())


def test_an_unknown_tag_is_an_error_at_once(url: str) -> None:
    async def wait() -> None:
        async with leafmint.SegmentGenerator(url, timeout=30) as ids:
            await ids.biz_tag("known").next_id_async()
        async with leafmint.SegmentGenerator(url, timeout=30, auto_create=False) as ids:
            began = time.monotonic()
            with pytest.raises(leafmint.UnknownTagError):
                await ids.biz_tag("unknown").next_id_async()
            assert time.monotonic() - began < 5

    asyncio.run(wait())


def test_ten_thousand_coroutines_that_wait_use_little_processor_time(used_up: leafmint.SnowflakeGenerator) -> None:
    ids = leafmint.SegmentGenerator(UNREACHABLE)
    order = ids.biz_tag("order")

    async def wait(call: Callable[..., Coroutine[Any, Any, int]]) -> None:
        with pytest.raises(leafmint.ClosedError):
            await call(timeout=60)

    async def measure() -> float:
        calls = [order.next_id_async, used_up.next_id_async] * 5000
        waits = [asyncio.ensure_future(wait(call)) for call in calls]
        await asyncio.sleep(1)
        used, began = time.process_time(), time.monotonic()
        await asyncio.sleep(2)
        used = (time.process_time() - used) / (time.monotonic() - began)
        await asyncio.gather(ids.aclose(), used_up.aclose(), *waits)
        return used

    used = asyncio.run(measure())
    # The promise is 0.05.
    assert used < 0.1, f"{used:.2f} of a core"


def test_a_wait_for_a_tick_ends_at_its_timeout(used_up: leafmint.SnowflakeGenerator) -> None:
    began = time.monotonic()
    with pytest.raises(leafmint.RateExceededError, match="used up"):
        asyncio.run(used_up.next_ids_async(10, timeout=0.1))
    assert 0.09 < time.monotonic() - began < 4


@pytest.mark.parametrize("call", ["next_id_async", "next_ids_async", "next_array_async", "next_range_async", "gene"])
def test_a_close_ends_every_kind_of_wait(call: str) -> None:
    async def wait() -> None:
        ids = leafmint.SegmentGenerator(UNREACHABLE, timeout=30)
        order, genes = ids.biz_tag("order"), ids.biz_tag("genes", gene_bits=4)
        arguments = () if call == "next_id_async" else (10,)
        coroutine = genes.next_id_async(gene=3) if call == "gene" else getattr(order, call)(*arguments)
        waiting = asyncio.create_task(coroutine)
        await asyncio.sleep(0.05)
        began = time.monotonic()
        await ids.aclose()
        with pytest.raises(leafmint.ClosedError):
            await waiting
        assert time.monotonic() - began < 5

    asyncio.run(wait())
