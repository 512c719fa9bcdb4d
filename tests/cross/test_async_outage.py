"""An event loop runs on while the database is frozen, and its calls get ids as soon as it answers again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import leafmint
import pytest
from mariadb import MariaDb

PATIENT = {"timeout": "60s", "connect_timeout": "60s"}


@pytest.fixture(scope="module")
def server() -> Iterator[MariaDb]:
    """A server that the tests of this module may freeze."""
    with MariaDb() as server:
        yield server


async def ticks(gaps: list[float]) -> None:
    """Measures how long the loop runs something else at most."""
    last = time.monotonic()
    while True:
        await asyncio.sleep(0.001)
        gaps.append(time.monotonic() - last)
        last = time.monotonic()


def test_a_frozen_database_freezes_no_loop(server: MariaDb) -> None:
    async def wait() -> None:
        gaps: list[float] = []
        ticking = asyncio.create_task(ticks(gaps))
        async with (
            leafmint.SegmentGenerator(server.url, **PATIENT) as ids,
            leafmint.SnowflakeGenerator(f"{server.url}?state_files=false&auto_create=true", **PATIENT) as flakes,
        ):
            await ids.init_schema_async()
            assert await ids.create_tag_async("order", step=10)
            order = ids.tag("order")
            assert await order.next_id_async() == 1
            server.freeze()
            try:
                calls = [asyncio.create_task(order.next_id_async()) for _ in range(300)]
                calls += [asyncio.create_task(flakes.next_id_async()) for _ in range(20)]
                with pytest.raises(leafmint.SegmentUnavailableError):
                    await order.next_range_async(1000, timeout="300ms")
                assert sum(call.done() for call in calls) < 100
            finally:
                server.thaw()
            drawn = await asyncio.gather(*calls)
        assert len(set(drawn)) == 320
        ticking.cancel()
        # 20 ms on an idle machine; a call that blocked the loop would wait for a minute.
        assert max(gaps) < 5

    asyncio.run(wait())
