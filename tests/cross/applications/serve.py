"""Mints ids of a tag until standard input ends: `serve.py URL TAG FILE`.

Writes the ids into the file, and prints a summary.
"""

import json
import select
import sys
import threading
from array import array
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import leafmint

CALLERS = 3


def serve(tag: leafmint.Tag, ended: threading.Event, ids: "array[int]") -> None:
    """Mints a hundred ids every few milliseconds, as requests would."""
    while not ended.wait(0.01):
        ids.extend(tag.next_id() for _ in range(100))


def main(url: str, tag: str, file: str) -> None:
    ended, ids = threading.Event(), [array("q") for _ in range(CALLERS)]
    with leafmint.SegmentGenerator(url) as generator, ThreadPoolExecutor(CALLERS) as pool:
        order = generator.tag(tag)
        callers = [pool.submit(serve, order, ended, minted) for minted in ids]
        print("serving", flush=True)
        select.select([sys.stdin], [], [])
        ended.set()
        for caller in callers:
            caller.result()  # raises if a call has failed
    figures = generator.stats().tags[tag]
    with Path(file).open("wb") as out:
        for minted in ids:
            minted.tofile(out)
    leased = figures.leased - figures.given_back
    print(json.dumps({"ids": sum(map(len, ids)), "leased": leased, "failures": figures.refill_failures}))


main(*sys.argv[1:])
