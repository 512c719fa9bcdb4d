"""Mints snowflakes for some seconds while eight tags wait for a store, and prints what failed: URL of each, seconds."""

from __future__ import annotations

import json
import sys
import threading
import time

import leafmint


def wait(tag: leafmint.Tag, seconds: float, codes: set[str]) -> None:
    """Asks for ids to the end."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            tag.next_id(timeout=2)
        except leafmint.LeafmintError as error:
            codes.add(error.code)


def main() -> None:
    flakes_url, tags_url, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    flakes = leafmint.SnowflakeGenerator(flakes_url, timeout=5)
    flakes.next_id()
    ids = leafmint.SegmentGenerator(tags_url)
    codes: set[str] = set()
    waiters = [threading.Thread(target=wait, args=(ids.tag(f"tag-{n}"), seconds, codes)) for n in range(8)]
    for waiter in waiters:
        waiter.start()
    minted, failed = 0, []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            flakes.next_id(timeout=3)
            minted += 1
        except leafmint.LeafmintError as error:
            failed.append(f"{error.code}: {error}")
        time.sleep(0.01)
    for waiter in waiters:
        waiter.join()
    print(json.dumps({"minted": minted > 0, "failed": failed, "tags": sorted(codes)}))


main()
