"""Waits on an event loop: many at once, cancelled, in several loops and threads, and across a fork."""

import asyncio
import contextvars
import gc
import os
import random
import threading
import time
import weakref
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import leafmint
import pytest
import uvloop
from conftest import one_hour_ticks
from testing import UNREACHABLE, LockedFile, run_python

Run = Callable[[Coroutine[Any, Any, None]], None]


async def waiting(tag: leafmint.Tag, count: int) -> list["asyncio.Task[int]"]:
    """Begin calls for an id each, and let them wait."""
    tasks = [asyncio.create_task(tag.next_id_async()) for _ in range(count)]
    await asyncio.sleep(0.05)
    assert not any(task.done() for task in tasks)
    return tasks


def threads() -> int:
    """Return the number of threads of this process, native ones too."""
    return len(list(Path("/proc/self/task").iterdir()))


def event_descriptors() -> int:
    """Return the number of event descriptors of this process."""
    gc.collect()
    # The descriptor of the directory itself is gone by then, so that its name is no link any more.
    return sum("eventfd" in os.path.realpath(path) for path in Path("/proc/self/fd").iterdir())


def test_two_thousand_calls_wait_for_one_store_and_the_loop_runs_on(url: str, run: Run) -> None:
    async def wait() -> None:
        async with leafmint.SegmentGenerator(url, timeout=60) as ids:
            order = ids.tag("order")
            with LockedFile(url) as file:
                tasks = await waiting(order, 1)
                before = threads(), event_descriptors()
                tasks += await waiting(order, 1999)
                # Threads of leafmint that have nothing to do come and go.
                assert threads() < before[0] + 5
                assert event_descriptors() == before[1]
                longest, last = 0.0, time.monotonic()
                file.unlock()
                while not all(task.done() for task in tasks):
                    await asyncio.sleep(0.001)
                    longest, last = max(longest, time.monotonic() - last), time.monotonic()
                assert sorted(task.result() for task in tasks) == list(range(1, 2001))
                # 20 ms and 30 ms on an idle machine; the rest allows for a busy one.
                assert longest < 5
                assert last - file.unlocked_at() < 40
            await asyncio.sleep(0)
            assert event_descriptors() == before[1] - 1

    run(wait())


def test_a_cancelled_call_takes_no_id(url: str, run: Run) -> None:
    async def wait() -> None:
        async with leafmint.SegmentGenerator(url, timeout=60) as ids:
            order = ids.tag("order")
            with LockedFile(url) as file:
                tasks = await waiting(order, 20)
                for task in tasks[::2]:
                    task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await tasks[0]
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(order.next_id_async(), 0.05)
                file.unlock()
                assert sorted(await asyncio.gather(*tasks[1::2])) == list(range(1, 11))
                assert all(task.cancelled() for task in tasks[::2])
                assert await order.next_id_async() == 11

    run(wait())


def test_calls_cancelled_while_ids_arrive_never_return_an_id_twice(url: str) -> None:
    async def wait() -> None:
        async with leafmint.SegmentGenerator(url, timeout=60) as ids:
            order, drawn = ids.tag("order"), list[int]()
            with LockedFile(url) as file:
                tasks = await waiting(order, 600)
                file.unlock()
                while not all(task.done() for task in tasks):
                    random.choice(tasks).cancel()
                    await asyncio.sleep(0)
                drawn += [task.result() for task in tasks if not task.cancelled()]
                cancelled = sum(task.cancelled() for task in tasks)
                drawn += await order.next_ids_async(10)
            assert len(set(drawn)) == len(drawn)
            # What a cancelled call had drawn is issued.
            assert len(drawn) <= max(drawn) <= len(drawn) + cancelled

    asyncio.run(wait())


def test_a_group_of_tasks_ends_with_the_first_error(url: str) -> None:
    async def wait() -> None:
        with leafmint.SegmentGenerator(url) as ids:
            ids.tag("known").next_id()
        async with leafmint.SegmentGenerator(url, timeout=60, auto_create=False) as ids:
            known, unknown = ids.tag("known"), ids.tag("unknown")
            with LockedFile(url) as file:
                tasks = await waiting(known, 5)
                file.unlock()
                with pytest.raises(leafmint.UnknownTagError):
                    await asyncio.gather(*tasks, unknown.next_id_async())
                assert len(set(await asyncio.gather(*tasks))) == 5

    asyncio.run(wait())


def test_one_generator_serves_loops_one_after_another(url: str) -> None:
    async def wait(tag: leafmint.Tag) -> list[int]:
        with LockedFile(url) as file:
            tasks = await waiting(tag, 3)
            file.unlock()
            return await asyncio.gather(*tasks)

    with leafmint.SegmentGenerator(url, timeout=60) as ids:
        for name in ("first", "second", "third"):
            tag = ids.tag(name)
            assert asyncio.run(wait(tag)) == [1, 2, 3]
            assert asyncio.run(tag.next_id_async()) == 4


def test_one_generator_serves_loops_in_several_threads(url: str) -> None:
    drawn: list[int] = []

    async def wait() -> None:
        drawn.extend(await asyncio.gather(*(order.next_id_async() for _ in range(50))))

    with leafmint.SegmentGenerator(url, timeout=60) as ids, LockedFile(url) as file:
        order = ids.tag("order")
        loops = [threading.Thread(target=lambda: asyncio.run(wait())) for _ in range(4)]
        for loop in loops:
            loop.start()
        time.sleep(0.2)
        assert not drawn
        file.unlock()
        for loop in loops:
            loop.join(60)
        assert sorted(drawn) == list(range(1, 201))


def test_a_close_of_a_store_that_does_not_answer_lets_the_loop_run(url: str) -> None:
    async def wait() -> None:
        ids = leafmint.SegmentGenerator(url, timeout=2)
        await ids.tag("order").next_id_async(timeout=30)
        with LockedFile(url):
            closing = asyncio.create_task(ids.aclose())
            laps = 0
            while not closing.done():
                await asyncio.sleep(0.001)
                laps += 1
            await closing
            assert laps > 5
            with pytest.raises(leafmint.ClosedError):
                await ids.tag("order").next_id_async()
            await ids.aclose()

    asyncio.run(wait())


def test_a_cancelled_close_goes_on(url: str) -> None:
    async def wait() -> None:
        ids = leafmint.SegmentGenerator(url, timeout=30, connect_timeout=30)
        await ids.tag("order").next_id_async()
        with LockedFile(url) as file:
            closing = asyncio.create_task(ids.aclose())
            await asyncio.sleep(0.05)
            closing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await closing
            file.unlock()
            deadline = time.monotonic() + 20
            while ids.stats().tags["order"].given_back == 0:
                assert time.monotonic() < deadline
                await asyncio.sleep(0.01)

    asyncio.run(wait())


def test_a_wait_for_a_tick_does_not_spin(used_up: leafmint.SnowflakeGenerator, run: Run) -> None:
    async def wait() -> None:
        began = time.process_time()
        calls = [used_up.next_id_async(timeout=0.5), used_up.next_ids_async(10, timeout=0.5)]
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(answer) for answer in answers] == [leafmint.RateExceededError] * 2
        # 2 ms. A spinning loop takes what the tests next to this one leave of a processor for half a second.
        assert time.process_time() - began < 0.05

    run(wait())


def test_calls_wait_for_their_ticks(local: str, run: Run) -> None:
    async def wait() -> None:
        layout = "timestamp:41,worker:10,sequence:4,unit:10ms"
        async with leafmint.SnowflakeGenerator(local, layout=layout) as flakes:
            await flakes.next_id_async()
            began = time.monotonic()
            drawn = await asyncio.gather(*(flakes.next_id_async() for _ in range(160)))
            assert len(set(drawn)) == 160
            assert 0.08 < time.monotonic() - began < 5
            batch = await flakes.next_ids_async(160)
            assert batch == sorted(set(batch))

    run(wait())


class LateLoop(uvloop.Loop):
    """A loop so late that each timer is due when it is set: uvloop then returns a handle without `when`."""

    def call_at(self, when: float, *arguments: Any, **keywords: Any) -> asyncio.TimerHandle:  # type: ignore[override]
        return super().call_at(min(when, self.time()), *arguments, **keywords)


def test_a_loop_that_is_late_wakes_its_calls(url: str) -> None:
    logged: list[dict[str, Any]] = []

    async def wait() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: logged.append(context))
        ids = leafmint.SegmentGenerator(url, timeout=60, default_step=1, max_step=1)
        order = ids.tag("order")
        with LockedFile(url) as file:
            tasks = [asyncio.ensure_future(order.next_id_async()) for _ in range(50)]
            await asyncio.sleep(0)
            file.unlock()
            assert len(set(await asyncio.gather(*tasks))) == 50
        ids.close()

    loop = LateLoop()
    try:
        loop.run_until_complete(wait())
    finally:
        loop.close()
    assert not logged


def test_an_abandoned_loop_leaves_nothing_open(url: str) -> None:
    async def begin() -> None:
        calls.extend(await waiting(order, 3))

    with leafmint.SegmentGenerator(url, timeout=60) as ids, LockedFile(url) as file:
        order, before = ids.tag("order"), event_descriptors()
        for _ in range(3):
            calls: list[asyncio.Task[int]] = []
            loop = asyncio.new_event_loop()
            loop.set_exception_handler(lambda *_: None)
            loop.run_until_complete(begin())
            loop.close()
            calls.clear()
            del loop
            gc.collect()
        assert event_descriptors() == before
        file.unlock()
        assert order.next_id() == 1


class Request:
    """What a web server keeps in a context variable."""


request: contextvars.ContextVar[Request] = contextvars.ContextVar("request")


def test_calls_that_wait_keep_no_context_of_an_earlier_call(url: str) -> None:
    async def serve(tag: leafmint.Tag) -> None:
        request.set(Request())
        served.append(weakref.ref(request.get()))
        await tag.next_id_async()

    async def wait() -> None:
        async with leafmint.SegmentGenerator(url, timeout=60) as ids:
            order = ids.tag("order")
            with LockedFile(url) as file:
                first = asyncio.create_task(serve(order))
                await asyncio.sleep(0.05)
                tasks = await waiting(order, 1)
                first.cancel()
                await asyncio.wait([first])
                del first
                await asyncio.sleep(0)
                gc.collect()
                assert served[0]() is None
                file.unlock()
                await asyncio.gather(*tasks)

    served: list[weakref.ref[Request]] = []
    asyncio.run(wait())


def test_an_error_that_a_cancelled_call_no_longer_takes_is_not_logged(url: str) -> None:
    logged: list[dict[str, Any]] = []

    async def wait() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: logged.append(context))
        ids = leafmint.SegmentGenerator(url, timeout=60)
        with LockedFile(url) as file:
            [task] = await waiting(ids.tag("order"), 1)
            # The call ends with an error in the very lap of the loop in which it is cancelled.
            asyncio.get_running_loop().call_later(0.1, task.cancel)
            closer = threading.Thread(target=ids.close)
            closer.start()
            time.sleep(0.2)
            file.unlock()
            await asyncio.gather(task, return_exceptions=True)
            assert task.cancelled()
            del task
            gc.collect()
            closer.join()

    asyncio.run(wait())
    assert not logged


def test_a_shortage_of_descriptors_is_named_and_the_next_call_waits(local: str) -> None:
    script = """
        import asyncio, os, resource, sys
        import leafmint, leafmint._internal.asyncio_waits

        async def main():
            limits = resource.getrlimit(resource.RLIMIT_NOFILE)
            lowest = os.dup(0)
            os.close(lowest)
            resource.setrlimit(resource.RLIMIT_NOFILE, (lowest, limits[1]))
            try:
                await flakes.next_ids_async(10)
            except leafmint.StoreUnavailableError as error:
                print("ulimit -n" in str(error))
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
            try:
                await flakes.next_ids_async(10, timeout=0.1)
            except leafmint.RateExceededError:
                print("waited")

        with leafmint.SnowflakeGenerator(sys.argv[1]) as flakes:
            flakes.next_id()
            while flakes.try_next_id() is not None:
                pass
            asyncio.run(main())
    """
    assert run_python(script, one_hour_ticks(local)) == "True\nwaited\n"


def test_a_fork_leaves_the_calls_that_wait_to_the_parent(url: str) -> None:
    script = """
        import asyncio, os, sqlite3, sys
        import leafmint

        async def first_of_five():
            return (await asyncio.gather(*(order.next_id_async() for _ in range(5))))[0]

        async def main():
            tasks = [asyncio.create_task(order.next_id_async()) for _ in range(20)]
            await asyncio.sleep(0.05)
            reader, writer = os.pipe()
            if (child := os.fork()) == 0:
                os.write(writer, str(asyncio.run(first_of_five())).encode())
                os._exit(0)
            await asyncio.sleep(0.05)
            lock.execute("ROLLBACK")
            drawn = await asyncio.gather(*tasks)
            os.waitpid(child, 0)
            drawn.append(int(os.read(reader, 100)))
            print(len(set(drawn)))

        lock = sqlite3.connect(sys.argv[1].removeprefix("sqlite:///"), isolation_level=None)
        with leafmint.SegmentGenerator(sys.argv[1], timeout=60) as ids:
            ids.init_schema()
            order = ids.tag("order")
            lock.execute("BEGIN EXCLUSIVE")
            asyncio.run(main())
    """
    assert run_python(script, url) == "21\n"


def test_a_child_that_ends_the_inherited_loop_leaves_the_parent_to_be_woken(url: str) -> None:
    script = """
        import asyncio, os, sqlite3, sys, time
        import leafmint

        async def main():
            tasks = [asyncio.create_task(order.next_id_async()) for _ in range(5)]
            await asyncio.sleep(0.05)
            if (child := os.fork()) == 0:
                lock.close()
                sys.exit()
            os.waitpid(child, 0)
            lock.execute("ROLLBACK")
            began = time.monotonic()
            drawn = await asyncio.gather(*tasks)
            print(len(set(drawn)), time.monotonic() - began < 15)

        lock = sqlite3.connect(sys.argv[1].removeprefix("sqlite:///"), isolation_level=None)
        with leafmint.SegmentGenerator(sys.argv[1], timeout=30) as ids:
            ids.init_schema()
            order = ids.tag("order")
            lock.execute("BEGIN EXCLUSIVE")
            asyncio.run(main())
    """
    assert run_python(script, url) == "5 True\n"


def test_without_a_loop_of_asyncio_the_error_says_what_to_call() -> None:
    with leafmint.SegmentGenerator(UNREACHABLE) as ids, pytest.raises(RuntimeError, match=r"trio\.to_thread\.run_sync"):
        ids.tag("order").next_id_async().send(None)
