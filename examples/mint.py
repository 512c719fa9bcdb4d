"""Mints ids and writes them to a file: the Python program of the demo and of the tests with several languages.

`mint.py URL TAG COUNT FILE [REOPEN]` mints COUNT ids of a tag, or snowflakes if TAG is `-`, and opens a new generator
after every REOPEN ids. The file contains little-endian 64-bit words, with -1 before the ids of each generator. The
program prints a summary as a line of JSON, and closes the last generator at the end of standard input.
"""

import json
import sys
import time
from array import array
from collections.abc import Callable
from pathlib import Path

import leafmint


def main(url: str, tag: str, count: int, file: str, reopen: int) -> None:
    """Mints, writes the ids and prints the summary."""
    ids = array("q")
    generators = 0
    next_id: Callable[[], int]
    generator: leafmint.SegmentGenerator | leafmint.SnowflakeGenerator | None = None
    began = time.perf_counter()
    for start in range(0, count, reopen):
        if generator:
            generator.close()
        generators += 1
        ids.append(-1)
        if tag == "-":
            generator = next_id = leafmint.SnowflakeGenerator(url)
        else:
            generator = leafmint.SegmentGenerator(url)
            next_id = generator.tag(tag)
        for _ in range(min(reopen, count - start)):
            ids.append(next_id())
    seconds = round(time.perf_counter() - began, 3)
    with Path(file).open("wb") as out:
        ids.tofile(out)
    summary: dict[str, object] = {"language": "Python", "ids": count, "generators": generators, "seconds": seconds}
    summary["first"] = list(ids[1:6])
    if isinstance(generator, leafmint.SnowflakeGenerator):
        summary.update(describe(generator, ids[1]))
    print(json.dumps(summary), flush=True)
    sys.stdin.read()
    if generator:
        generator.close()


def describe(flakes: leafmint.SnowflakeGenerator, snowflake: int) -> dict[str, object]:
    """Decodes a snowflake, and mints an order number that contains the table of a customer."""
    decoded = flakes.decode(snowflake)
    rule = leafmint.ShardRule("10", tables=1024)
    order = rule.mint(flakes, "user-42")
    return {
        "worker_id": decoded.worker_id,
        "timestamp": decoded.timestamp_millis,
        "sequence": decoded.sequence,
        "order": order,
        "table": rule.parse(order).table,
    }


if __name__ == "__main__":
    url, tag, count, file, *reopen = sys.argv[1:]
    main(url, tag, int(count), file, int(reopen[0]) if reopen else int(count))
