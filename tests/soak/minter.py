"""Mints until standard input ends, in the soak test.

`minter.py URL TAG|- IDS STATUS RATE SEED` appends every id to the file IDS as a little-endian 64-bit word before it
takes the next batch, at about RATE ids a second, and a line of JSON to the file STATUS twice a second. `-` mints
snowflakes. On SIGUSR1 it forks, and the child uses the same generator for a moment, with files of its own.
"""

import json
import os
import random
import select
import signal
import sys
import threading
import time
from array import array
from collections import Counter
from typing import Any

import leafmint

stop = threading.Event()
forks_wanted = 0


def main(url: str, tag: str, ids: str, status: str, rate: int, seed: int) -> None:
    """Opens a generator and mints."""
    signal.signal(signal.SIGUSR1, count_fork)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    chance = random.Random(seed)
    if tag == "-":
        generator: Any = leafmint.SnowflakeGenerator(url)
        source = generator
    else:
        generator = leafmint.SegmentGenerator(url)
        source = generator.biz_tag(tag)
    threading.Thread(target=wait_for_the_end, daemon=True).start()
    mint(source, ids, status, rate, chance)
    generator.close()


def count_fork(*_: object) -> None:
    """Asks the loop for a fork."""
    global forks_wanted
    forks_wanted += 1


def wait_for_the_end() -> None:
    """Reads standard input to its end."""
    sys.stdin.read()
    stop.set()


def mint(source: Any, ids: str, status: str, rate: int, chance: random.Random, seconds: float = float("inf")) -> None:
    """Mints batch by batch."""
    global forks_wanted
    out = os.open(ids, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    log = os.open(status, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    count, longest, errors = 0, 0.0, Counter[str]()
    began = reported = time.monotonic()
    while not stop.is_set() and time.monotonic() - began < seconds:
        if forks_wanted:
            forks_wanted -= 1
            fork(source, ids, status, rate, chance)
        size = chance.choice((1, 1, 10, 100, 1000))
        asked = time.monotonic()
        try:
            drawn = [source.next_id()] if size == 1 else source.next_ids(size)
        except leafmint.LeafmintError as error:
            errors[error.code] += 1
            if errors[error.code] == 1:
                print(f"{error.code}: {error}", file=sys.stderr, flush=True)
            drawn = []
            pause(0.01)
        now = time.monotonic()
        longest = max(longest, now - asked)
        write(out, array("q", drawn).tobytes())
        count += len(drawn)
        if now - reported > 0.5:
            reported = now
            write(log, (json.dumps({"ids": count, "longest_wait": longest, "errors": errors}) + "\n").encode())
        ahead = count / rate - (now - began)
        if ahead > 0.002:
            pause(ahead)
        elif ahead < -1:
            # Ids missed while none could be minted are not made up for.
            began = now - count / rate
    write(log, (json.dumps({"ids": count, "longest_wait": longest, "errors": errors}) + "\n").encode())


def pause(seconds: float) -> None:
    """Sleeps in a way that works under libfaketime."""
    select.select([], [], [], seconds)


def write(file: int, data: bytes) -> None:
    """Writes everything."""
    while data:
        data = data[os.write(file, data) :]


def fork(source: Any, ids: str, status: str, rate: int, chance: random.Random) -> None:
    """Forks a child that mints; half of the children end as a crash would."""
    seed = chance.getrandbits(32)
    if os.fork():
        return
    name = f".fork{os.getpid()}"
    mine = random.Random(seed)
    mint(source, ids + name, status + name, rate, mine, mine.uniform(0.2, 2))
    if mine.random() < 0.5:
        os._exit(0)
    sys.exit(0)


if __name__ == "__main__":
    url, tag, ids, status, rate, seed = sys.argv[1:]
    main(url, tag, ids, status, int(rate), int(seed))
