"""The rate of batches of snowflakes, against the limit of the layout: 4096 ids in a millisecond."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator

import leafmint

BATCH = 1000
THREADS = (1, 2, 8)
HOW = f"next_array({BATCH}), local:, timestamp:41,worker:10,sequence:12"


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


def measurements(rounds: int, seconds: float) -> Iterator[tuple[str, int, str, list[float]]]:
    """Yields group, number of threads, unit and the values of all rounds."""
    rates: dict[int, list[float]] = {threads: [] for threads in THREADS}
    shares: dict[int, list[float]] = {threads: [] for threads in THREADS}
    with tempfile.TemporaryDirectory() as folder, leafmint.SnowflakeGenerator(f"local:{folder}") as flakes:
        flakes.next_array(1)  # imports NumPy, which takes as long as a hundred ticks
        for _ in range(rounds):
            for threads in THREADS:
                counts, spent = mint(flakes, threads, seconds)
                rates[threads].append(sum(counts) / spent / 1e3)
                shares[threads].append(100 * min(counts) / sum(counts))
    for threads in THREADS:
        yield "snowflake at the cap", threads, "ids/ms", rates[threads]
        if threads > 1:
            yield "snowflake at the cap, least thread's share", threads, "%", shares[threads]
