"""Prints ids of the tag "order", and snowflakes, until standard input ends: `url_minter.py URL`."""

import select
import sys
from collections.abc import Callable, Sequence

import leafmint

BATCH = 20
PAUSE = 0.01


def mint(segments: Callable[[int], Sequence[int]], snowflakes: Callable[[int], Sequence[int]]) -> None:
    """Prints batch after batch, each by one write: what a crash leaves is whole."""
    while not select.select([sys.stdin], [], [], PAUSE)[0]:
        print("segment", *segments(BATCH), flush=True)
        print("snowflake", *snowflakes(BATCH), flush=True)


def main(url: str) -> None:
    """Mints by a URL of leafmint's own."""
    with (
        leafmint.SegmentGenerator(url, timeout=120, max_step=40) as segments,
        leafmint.SnowflakeGenerator(
            url, auto_create=True, timeout=120, workers="0-4", lease_duration=5, heartbeat=1
        ) as snowflakes,
    ):
        mint(segments.tag("order").next_ids, snowflakes.next_ids)


if __name__ == "__main__":
    main(*sys.argv[1:])
