"""A generator that is dropped without a close leaves no descriptor, thread or memory behind."""

import gc
import uuid
import weakref
from collections.abc import Callable
from pathlib import Path

import leafmint
import pytest
from testing import run_python

SCRIPT = """
    import gc, os, re, sys, time, leafmint
    from pathlib import Path

    def use():
        order = leafmint.SegmentGenerator(sys.argv[1]).tag("order")
        flakes = leafmint.SnowflakeGenerator(sys.argv[2])
        cycle = [order, flakes, lambda: cycle]
        return order.next_id(timeout=30), flakes.next_id(timeout=30)

    def held():
        kilobytes = int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
        return [len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task")), kilobytes]

    def settled(few):
        # Generators are closed in the background.
        gc.collect()
        deadline = time.monotonic() + 60
        while True:
            now = held()
            if all(one <= most for one, most in zip(now[:2], few)) or time.monotonic() > deadline:
                return now
            time.sleep(0.05)

    count = int(sys.argv[3])
    drawn = [use() for _ in range(count // 2)]
    time.sleep(1)
    before = settled(held())
    drawn += [use() for _ in range(count)]
    after = settled(before)
    print(after[0] - before[0], after[1] - before[1], after[2] - before[2])
    assert len(set(order for order, _ in drawn)) == len(set(flake for _, flake in drawn)) == len(drawn)
"""


def check(segments: str, snowflakes: str, count: int) -> None:
    found = run_python(SCRIPT, segments, snowflakes, str(count), seconds=900)
    descriptors, threads, kilobytes = map(int, found.split())
    assert descriptors <= 0
    # The background thread, and the threads for files, which start and end as needed.
    assert threads <= 4
    assert kilobytes < 10_000


some = pytest.mark.parametrize("count", [40, pytest.param(200, marks=pytest.mark.long)])


@some
def test_dropped_generators_leave_no_open_files(in_memory: Path, count: int) -> None:
    check(f"sqlite:///{in_memory}/ids.db", f"local:{in_memory}/workers", count)


@some
def test_dropped_generators_leave_no_connections(mysql_url: str, in_memory: Path, count: int) -> None:
    flakes = f"{mysql_url}?auto_create=true&state_dir={in_memory}&namespace=dropping-{uuid.uuid4()}"
    check(f"{mysql_url}?auto_create=true", flakes, count)


@pytest.mark.parametrize("kind", ["SegmentGenerator", "Tag", "SnowflakeGenerator"])
def test_a_weak_reference_ends_with_its_object(kind: str, tmp_path: Path) -> None:
    made: dict[str, Callable[[], object]] = {
        "SegmentGenerator": lambda: leafmint.SegmentGenerator("memory:"),
        "Tag": lambda: leafmint.SegmentGenerator("memory:").tag("order"),
        "SnowflakeGenerator": lambda: leafmint.SnowflakeGenerator(f"local:{tmp_path}"),
    }
    handle = made[kind]()
    reference, cache = weakref.ref(handle), weakref.WeakKeyDictionary({handle: "cached"})
    assert reference() is handle
    assert cache[handle] == "cached"
    del handle
    gc.collect()
    assert reference() is None
    assert not cache


def test_200_segment_generators_are_dropped_without_a_close(url: str) -> None:
    for _ in range(200):
        leafmint.SegmentGenerator(url).tag("order").try_next_id()


def test_50_snowflake_generators_are_dropped_without_a_close(local: str) -> None:
    for _ in range(50):
        leafmint.SnowflakeGenerator(local).try_next_id()
