"""The coroutines: they return what the blocking calls return, and the event loop runs on while they wait."""

import asyncio
import gc
import inspect
import time
import weakref
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import datetime
from typing import Any

import leafmint
import pytest
from sqlalchemy import create_engine, make_url
from testing import UNREACHABLE, rows, run_python


def test_coroutines_of_a_tag_return_what_the_blocking_calls_return(ids: leafmint.SegmentGenerator) -> None:
    async def mint() -> None:
        order, genes = ids.tag("order"), ids.tag("genes", gene_bits=4)
        assert await order.next_id_async() == 1
        assert await order.next_ids_async(3) == [2, 3, 4]
        assert await order.next_range_async(2) == range(5, 7)
        assert (await order.next_array_async(2)).tolist() == [7, 8]
        assert leafmint.gene_of_id(await genes.next_id_async(gene=3), 4) == 3
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
                await ids.tag("unknown").next_id_async()
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


def test_a_coroutine_is_a_real_one_and_takes_no_id_before_it_runs(order: leafmint.Tag) -> None:
    coroutine = order.next_id_async()
    assert inspect.iscoroutine(coroutine)
    assert inspect.iscoroutinefunction(order.next_id_async)
    assert "Tag.next_id_async" in repr(coroutine)
    coroutine.close()
    assert asyncio.run(order.next_id_async()) == 1


def test_an_id_in_hand_is_returned_without_a_loop(order: leafmint.Tag) -> None:
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
            call = asyncio.create_task(ids.tag("order").next_id_async(timeout="2s"))
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
            await ids.tag("known").next_id_async()
        async with leafmint.SegmentGenerator(url, timeout=30, auto_create=False) as ids:
            began = time.monotonic()
            with pytest.raises(leafmint.UnknownTagError):
                await ids.tag("unknown").next_id_async()
            assert time.monotonic() - began < 5

    asyncio.run(wait())


def test_ten_thousand_coroutines_that_wait_use_little_processor_time(used_up: leafmint.SnowflakeGenerator) -> None:
    ids = leafmint.SegmentGenerator(UNREACHABLE)
    order = ids.tag("order")

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
        order, genes = ids.tag("order"), ids.tag("genes", gene_bits=4)
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


AT_ONCE = {"decode", "tag", "series", "stats", "try_next_id", "parse"}
"""Methods that never wait."""


@pytest.mark.parametrize(
    "kind",
    [leafmint, leafmint.Tag, leafmint.SegmentGenerator, leafmint.Series, leafmint.SnowflakeGenerator, leafmint.TypedId],
    ids=lambda kind: str(kind.__name__),
)
def test_every_call_that_may_wait_has_a_coroutine_with_the_same_parameters(kind: Any) -> None:
    """Of the functions, `audit` and `close` wait."""
    names = ("audit", "close") if kind is leafmint else vars(kind)
    waiting = {name for name in names if callable(getattr(kind, name)) and name[0] != "_"} - AT_ONCE
    blocking = {name for name in waiting if not name.endswith("_async") and name != "aclose"}
    assert blocking
    for name in blocking:
        twin = getattr(kind, "aclose" if name == "close" else f"{name}_async")
        assert inspect.iscoroutinefunction(twin)
        parameters = [list(inspect.signature(call).parameters.values()) for call in (getattr(kind, name), twin)]
        assert [[str(it).partition(":")[0] for it in each if it.name != "self"] for each in parameters] == [
            [str(it).partition(":")[0] for it in parameters[0] if it.name != "self"]
        ] * 2


def test_coroutines_look_after_tags_as_the_blocking_calls_do(url: str) -> None:
    async def look() -> None:
        async with leafmint.SegmentGenerator(url) as ids:
            assert (await ids.check_async()).is_new
            assert await ids.create_tag_async("order", step=7) is True
            assert await ids.set_tag_async("order", step=8, description="of shops") is None  # type: ignore[func-returns-value]
            assert await ids.raise_tag_above_async("order", 499) == 500
            assert await ids.raise_tag_above_async("order", 600) == 601
            _ = ids.series("invoice", period="year", zone="UTC").next()
            assert await ids.list_tags_async() == ids.list_tags()
            assert await ids.list_series_async() == ids.list_series()
            found = await ids.check_async()
            assert (found.is_new, found.tags) == (False, 2)
            with pytest.raises(leafmint.UnknownTagError):
                await ids.set_tag_async("missing", step=8)
        with pytest.raises(leafmint.ClosedError):
            await ids.list_tags_async()
        report = await leafmint.audit_async(url, ignore=["*:note"])
        assert replace(report, read_at=datetime.min) == replace(
            leafmint.audit(url, ignore=["*:note"]), read_at=datetime.min
        )

    asyncio.run(look())


def test_coroutines_look_after_worker_ids_as_the_blocking_calls_do(local: str) -> None:
    async def look() -> None:
        async with leafmint.SnowflakeGenerator(local) as flakes, leafmint.SnowflakeGenerator(local) as owner:
            assert (await flakes.check_async()).is_new
            owner.next_id()
            assert await flakes.list_workers_async() == flakes.list_workers()
            with pytest.raises(leafmint.WorkerIdUnavailableError):
                await flakes.release_worker_async(0, force=True)
            assert await flakes.release_worker_async(1) is False
            assert (await flakes.check_async()).free_workers == 1023

    asyncio.run(look())


def test_an_audit_through_an_engine_lets_the_loop_run(mysql_url: str) -> None:
    engine = create_engine(make_url(mysql_url).set(drivername="mysql+pymysql"))

    async def look() -> leafmint.AuditReport:
        return await leafmint.audit_async(engine)

    assert asyncio.run(look()).scope == leafmint.audit(engine).scope
    engine.dispose()


@pytest.mark.parametrize(
    ("late", "kind", "other"),
    [
        (leafmint.LateTag, leafmint.Tag, set()),
        (leafmint.LateSeries, leafmint.Series, set()),
        (
            leafmint.LateSnowflake,
            leafmint.SnowflakeGenerator,
            {"aclose", "check", "check_async", "close", "list_workers", "list_workers_async", "release_worker"}
            | {"release_worker_async", "scope", "stats", "worker_id"},
        ),
    ],
)
def test_what_is_bound_late_has_the_members_of_what_it_stands_for(late: type, kind: type, other: set[str]) -> None:
    """Snowflakes that are bound late only mint, backfill and decode."""
    assert {name for name in dir(kind) if name[0] != "_"} - set(dir(late)) == other
