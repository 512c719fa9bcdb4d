"""The rate of batches of snowflakes, against the limit of the layout: 4096 ids in a millisecond."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator

import leafmint

CAP = 4075.0
BATCH = 1000


def mint(flakes: leafmint.SnowflakeGenerator, threads: int, seconds: float) -> tuple[list[int], float]:
    """Returns the number of ids that each thread minted, and the seconds that they took."""
    counts: list[int] = []
    barrier = threading.Barrier(threads + 1)

    def one() -> None:
        barrier.wait()
        until, count = time.perf_counter() + seconds, 0
        while time.perf_counter() < until:
            count += len(flakes.next_array(BATCH))
        counts.append(count)

    running = [threading.Thread(target=one) for _ in range(threads)]
    for thread in running:
        thread.start()
    barrier.wait()
    began = time.perf_counter()
    for thread in running:
        thread.join()
    return counts, time.perf_counter() - began


def figures(seconds: float) -> Iterator[tuple[str, float, str, str | None, float | None, str]]:
    """Yields the figures for 1, 2 and 8 threads."""
    with (
        tempfile.TemporaryDirectory() as folder,
        leafmint.SnowflakeGenerator(f"local:///{folder}") as flakes,
    ):
        flakes.next_array(1)  # imports NumPy, which takes as long as a hundred ticks
        for threads in (1, 2, 8):
            counts, spent = mint(flakes, threads, seconds)
            total = sum(counts)
            what = f"Python snowflakes at the layout's cap, batches, {threads} thread{'' if threads == 1 else 's'}"
            detail = f"over {seconds:g} s, next_array({BATCH})"
            yield what, total / spent / 1e3, "ids/ms", "at least", CAP, detail
            if threads > 1:
                goal = 25.0 if threads == 2 else None
                yield (
                    f"{what}: the least thread's share",
                    100 * min(counts) / total,
                    "%",
                    "at least",
                    goal,
                    f"of {total} ids",
                )
