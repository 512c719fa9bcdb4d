"""Snowflakes on a clock that only the test moves: `leafmint.testing.snowflakes`."""

import asyncio
import os
import re
import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

import leafmint
import pytest
from leafmint import testing
from testing import in_threads

LEAF = leafmint.Layout()
CHRISTMAS = datetime(2026, 12, 24, 18, tzinfo=timezone.utc)


@pytest.fixture
def clock() -> testing.Clock:
    """Return a clock that shows Christmas."""
    return testing.Clock(CHRISTMAS)


@pytest.fixture
def flakes(clock: testing.Clock) -> Iterator[leafmint.SnowflakeGenerator]:
    """Return a generator on the clock."""
    with testing.snowflakes(clock, worker_id=7) as generator:
        yield generator


def id_at(at: datetime | int, sequence: int) -> int:
    """Return the id of a time and a sequence number."""
    return LEAF.compose(at, worker_id=7, sequence=sequence)


def test_time_stands_still_until_the_test_moves_it(clock: testing.Clock, flakes: leafmint.SnowflakeGenerator) -> None:
    assert flakes.next_ids(3) == [id_at(CHRISTMAS, sequence) for sequence in range(3)]
    clock.tick()
    assert [flakes(), flakes.try_next_id()] == [id_at(clock.millis, 0), id_at(clock.now, 1)]
    clock.move_to(CHRISTMAS + timedelta(days=365))
    assert flakes.next_id() == id_at(CHRISTMAS + timedelta(days=365), 0)
    assert flakes.worker_id == 7


@pytest.mark.parametrize(
    ("delta", "millis"),
    [
        (0, 0),
        (1, 1000),
        (0.3, 300),
        (1.1, 1100),
        (0.0001, 1),
        (1e-9, 1),
        (timedelta(microseconds=1), 1),
        (timedelta(days=2), 172_800_000),
    ],
)
def test_a_tick_takes_whole_milliseconds(clock: testing.Clock, delta: timedelta | float, millis: int) -> None:
    clock.tick(delta)
    assert clock.now - CHRISTMAS == timedelta(milliseconds=millis)


def test_a_call_moves_the_clock_instead_of_waiting(clock: testing.Clock, flakes: leafmint.SnowflakeGenerator) -> None:
    drawn = flakes.next_ids(4_097)
    assert drawn[-1] == id_at(clock.now, 0)
    assert clock.now == CHRISTMAS + timedelta(milliseconds=1)
    flakes.next_ids(4_095)
    assert flakes.try_next_id() is None
    with pytest.raises(leafmint.RateExceededError):
        flakes.next_id(timeout=0)
    began = time.monotonic()
    with testing.snowflakes(clock, layout="timestamp:30,worker:10,sequence:1,unit:1s") as slow:
        slow.next_ids(10, timeout=10)
        with pytest.raises(leafmint.RateExceededError):
            slow.next_ids(100)
    assert time.monotonic() - began < 6


def test_a_coroutine_moves_the_clock_too(clock: testing.Clock, flakes: leafmint.SnowflakeGenerator) -> None:
    async def mint() -> list[int]:
        return [*await flakes.next_ids_async(4_096), await flakes.next_id_async()]

    assert asyncio.run(mint())[-1] == id_at(CHRISTMAS + timedelta(milliseconds=1), 0)
    assert clock.now == CHRISTMAS + timedelta(milliseconds=1)


def test_ids_continue_while_the_clock_is_set_back(clock: testing.Clock, flakes: leafmint.SnowflakeGenerator) -> None:
    first = flakes.next_id()
    clock.move_to(CHRISTMAS - timedelta(hours=1))
    assert flakes.next_id() == first + 1
    assert flakes.stats().clock_lead == timedelta(hours=1)
    clock.move_to(CHRISTMAS - timedelta(hours=3))
    with pytest.raises(leafmint.ClockMovedBackwardsError):
        flakes.next_id()
    clock.move_to(CHRISTMAS)
    assert flakes.next_id() == first + 2


def test_the_application_s_options_apply(clock: testing.Clock) -> None:
    with testing.snowflakes(clock, clock_rollback="fail", layout="wide", lease_duration="10m") as flakes:
        assert str(flakes.layout) == str(leafmint.Layout("wide"))
        flakes.next_id()
        clock.move_to(CHRISTMAS - timedelta(seconds=1))
        with pytest.raises(leafmint.ClockMovedBackwardsError):
            flakes.next_id()


def test_threads_share_a_clock_and_repeat_no_id(clock: testing.Clock, flakes: leafmint.SnowflakeGenerator) -> None:
    def work() -> list[int]:
        drawn = [flakes.next_id() for _ in range(3_000)]
        clock.tick()
        return drawn

    drawn = [id for ids in in_threads(4, work) for id in ids]
    assert len(set(drawn)) == 12_000


def test_a_forked_child_mints_on_a_clock_of_its_own(clock: testing.Clock, flakes: leafmint.SnowflakeGenerator) -> None:
    first = flakes.next_id()
    child = os.fork()
    if child == 0:
        clock.tick()
        os._exit(0 if flakes.next_id() == id_at(clock.now, 0) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert flakes.next_id() == first + 1


def test_bad_arguments_are_refused(clock: testing.Clock) -> None:
    with pytest.raises(leafmint.InvalidArgumentError, match=r"tick\(-1\) is negative: set the clock back with move_to"):
        clock.tick(-1)
    with pytest.raises(leafmint.InvalidArgumentError, match="is negative"):
        clock.tick(-1e-9)
    for wrong in (float("nan"), float("inf"), 1e300):
        with pytest.raises(leafmint.InvalidArgumentError, match=rf"tick\({re.escape(str(wrong))}\) is out of range"):
            clock.tick(wrong)
    assert clock.now == CHRISTMAS
    with pytest.raises(leafmint.InvalidArgumentError, match="has no time zone"):
        clock.move_to(datetime(2026, 1, 1))
    with pytest.raises(TypeError, match="start must be an aware datetime"):
        testing.Clock("2026-01-01")  # type: ignore[arg-type]
    with pytest.raises(leafmint.InvalidArgumentError, match="worker_id=1024"), testing.snowflakes(worker_id=1024):
        pass
    with pytest.raises(leafmint.InvalidConfigError, match="layuot"), testing.snowflakes(layuot="leaf"):
        pass
    with pytest.raises(leafmint.ClockMovedBackwardsError, match="epoch"), testing.snowflakes(testing.Clock(0)):
        pass


def test_the_text_of_a_clock_names_its_time(clock: testing.Clock) -> None:
    assert repr(clock) == "<leafmint.testing.Clock at 2026-12-24T18:00:00+00:00>"
