"""Leaves generators of both modes open at the end of main: `leave.py SEGMENTS SNOWFLAKES WORK`.

Says "ready" once it has minted from each, waits for a line, does its work, and prints the time at the end of main.
"""

import contextlib
import sys
import threading
import time
from collections.abc import Callable

import leafmint


def main(segments: str, snowflakes: str, work: str) -> None:
    order = leafmint.SegmentGenerator(segments).tag("order")
    flakes = leafmint.SnowflakeGenerator(snowflakes)
    order.next_id()
    flakes.next_id()
    print("ready", flush=True)
    sys.stdin.readline()
    if work == "mint":
        for next_ids in (order.next_ids, flakes.next_ids, order.next_ids, flakes.next_ids):
            threading.Thread(target=for_ever, args=(next_ids,), daemon=True).start()
        time.sleep(0.3)
    if work == "wait":
        # More than any store has in hand: the refill is in flight, and a thread waits for it.
        threading.Thread(target=for_ever, args=(order.next_range,), daemon=True).start()
        time.sleep(0.5)


def for_ever(take: Callable[[int], object]) -> None:
    with contextlib.suppress(leafmint.ClosedError):
        while True:
            take(5000)


main(*sys.argv[1:])
print(time.time(), flush=True)
