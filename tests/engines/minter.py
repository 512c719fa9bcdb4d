"""Mints until standard input ends, in the proof on engines.

`minter.py URL TAG|- IDS RATE` appends every id to the file IDS as a little-endian 64-bit word, at about RATE ids a
second (0: as fast as it can), and prints its figures as JSON at the end. `-` mints snowflakes.
"""

import json
import os
import sys
import threading
import time
from array import array
from collections import Counter
from typing import Any

import leafmint

stop = threading.Event()


def main(url: str, tag: str, ids: str, rate: int) -> None:
    """Opens a generator, mints, and reports."""
    generator: Any = leafmint.SnowflakeGenerator(url) if tag == "-" else leafmint.SegmentGenerator(url)
    source = generator if tag == "-" else generator.biz_tag(tag)
    threading.Thread(target=lambda: (sys.stdin.read(), stop.set()), daemon=True).start()
    report = mint(source, ids, rate)
    generator.close()
    figures = {} if tag == "-" else generator.stats()["tags"][tag]
    for name in ("leased", "given_back", "refills"):
        report[name] = figures.get(name, 0)
    print(json.dumps(report), flush=True)


def mint(source: Any, ids: str, rate: int) -> dict[str, Any]:
    """Mints batch by batch. The longest wait lasts from one id to the next, over all calls that failed meanwhile."""
    out = os.open(ids, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    count, errors, samples = 0, Counter[str](), {}
    longest, wait_ended = 0.0, 0.0
    began = asked = time.monotonic()
    while not stop.is_set():
        try:
            drawn = source.next_ids(100)
        except leafmint.LeafmintError as error:
            errors[error.code] += 1
            samples[error.code] = str(error)[:600]
            time.sleep(0.01)
            continue
        now = time.monotonic()
        if now - asked > longest:
            longest, wait_ended = now - asked, time.time()
        os.write(out, array("q", drawn).tobytes())
        count += len(drawn)
        ahead = count / rate - (now - began) if rate else 0
        if ahead > 0.002:
            time.sleep(ahead)
        elif ahead < -1:
            began = now - count / rate
        # A pause that keeps the rate is no wait.
        asked = time.monotonic()
    # A wait that has not ended yet counts as well.
    if time.monotonic() - asked > longest:
        longest, wait_ended = time.monotonic() - asked, time.time()
    return {"longest": longest, "wait_ended": wait_ended, "errors": errors, "samples": samples}


if __name__ == "__main__":
    url, tag, ids, rate = sys.argv[1:]
    main(url, tag, ids, int(rate))
