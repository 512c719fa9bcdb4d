"""Measures the memory of a process whose series has keys that strangers choose.

`make series-keys` runs it with a throwaway MariaDB. Each key is opened, gives two numbers, and is dropped. Threads
share the keys, as the requests of a server do. It prints the growth of the resident set since the first thousand keys.
In the end keys that were forgotten come again, and no number of theirs may.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import leafmint

TODAY = date(2026, 11, 29)


def resident() -> float:
    """Return the MiB of this process that are in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def mint(ids: leafmint.SegmentGenerator, keys: range) -> None:
    """Take two numbers of each key."""
    for key in keys:
        numbers = [number.number for number in of(ids, key).next_many(2, on=TODAY)]
        assert numbers == [1, 2], f"key {key}: {numbers}"


def of(ids: leafmint.SegmentGenerator, key: int) -> leafmint.Series:
    """Return the series of a key."""
    return ids.series("invoice", period="day", zone="UTC", key=f"stranger-{key}")


def main() -> None:
    """Measure, and print a line for each part of the keys."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=1_000_000)
    parser.add_argument("--max-keys", type=int, default=10_000)
    parser.add_argument("--url", default=os.environ.get("LEAFMINT_TEST_MYSQL"))
    args = parser.parse_args()
    if not args.url:
        sys.exit("name a database with --url")
    table = f"keys_{os.getpid()}"
    with (
        leafmint.SegmentGenerator(args.url, table=table, auto_create=True, max_keys=args.max_keys, timeout=60) as ids,
        ThreadPoolExecutor(16) as threads,
    ):
        ids.init_schema()
        mint(ids, range(1000))
        began, before, part = time.monotonic(), resident(), max(args.keys // 20, 1000)
        for start in range(1000, args.keys, part):
            end = min(start + part, args.keys)
            share = (end - start) // 16 + 1
            shares = [range(first, min(first + share, end)) for first in range(start, end, share)]
            list(threads.map(lambda keys: mint(ids, keys), shares))
            grown, passed = resident() - before, time.monotonic() - began
            print(f"{end:>9} keys  {grown:6.1f} MiB more  {passed:6.0f} s", flush=True)
        for key in range(0, args.keys, 100):
            number = of(ids, key).next(on=TODAY).number
            assert number > 2, f"key {key}: {number} again"
        stats = ids.stats().tags["invoice@day"]
        print(f"issued {stats.issued}, leased {stats.leased}, given back {stats.given_back}")


if __name__ == "__main__":
    main()
