"""Mints until standard input ends, in soaks and in the proofs on engines.

`minter.py URL TAG|- IDS STATUS RATE SEED|-` appends every id to the file IDS as a little-endian 64-bit word before it
takes the next batch, at about RATE ids a second (0: as fast as it can), and a line of JSON to the file STATUS twice a
second; the last line has the figures of the tag. `-` mints snowflakes; without a seed, each batch has a hundred ids.
On SIGUSR1 it forks, and the child uses the same generator for a moment, with files of its own.
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
from pathlib import Path
from typing import Any

import leafmint

stop = threading.Event()
forks_wanted = 0


def main(url: str, tag: str, ids: str, status: str, rate: int, seed: str) -> None:
    """Opens a generator and mints."""
    signal.signal(signal.SIGUSR1, count_fork)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    chance = None if seed == "-" else random.Random(int(seed))
    if tag == "-":
        generator: Any = leafmint.SnowflakeGenerator(url)
        source = generator
    else:
        generator = leafmint.SegmentGenerator(url)
        source = generator.tag(tag)
    threading.Thread(target=wait_for_the_end, daemon=True).start()
    status_of_all = mint(source, ids, status, rate, chance)
    generator.close()
    if tag != "-":
        figures = generator.stats().tags[tag]
        status_of_all |= {name: getattr(figures, name) for name in ("leased", "given_back", "refills")}
        with Path(status).open("a") as log:
            log.write(json.dumps(status_of_all) + "\n")


def count_fork(*_: object) -> None:
    """Asks the loop for a fork."""
    global forks_wanted
    forks_wanted += 1


def wait_for_the_end() -> None:
    """Reads standard input to its end."""
    sys.stdin.read()
    stop.set()


def mint(
    source: Any, ids: str, status: str, rate: int, chance: random.Random | None, seconds: float = float("inf")
) -> dict[str, Any]:
    """Mints batch by batch, and returns the last status.

    A wait is that of one call; a gap lasts from one id to the next, over all calls that failed meanwhile.
    """
    global forks_wanted
    out = os.open(ids, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    log = os.open(status, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    errors, samples = Counter[str](), dict[str, str]()
    report: dict[str, Any] = {"ids": 0, "longest_wait": 0.0, "errors": errors, "samples": samples}
    report |= {"longest_gap": 0.0, "gap_ended": 0.0}
    began = reported = had = time.monotonic()

    def close_gap(now: float) -> None:
        """Notes how long there was no id; a pause that keeps the rate is no gap."""
        if now - had > report["longest_gap"]:
            report.update(longest_gap=now - had, gap_ended=time.time())

    while not stop.is_set() and time.monotonic() - began < seconds:
        if forks_wanted and chance:
            forks_wanted -= 1
            fork(source, ids, status, rate, chance)
        size = chance.choice((1, 1, 10, 100, 1000)) if chance else 100
        asked = time.monotonic()
        try:
            drawn = [source.next_id()] if size == 1 else source.next_ids(size)
        except leafmint.LeafmintError as error:
            errors[error.code] += 1
            samples[error.code] = str(error)[:600]
            if errors[error.code] == 1:
                print(f"{error.code}: {error}", file=sys.stderr, flush=True)
            drawn = []
            pause(0.01)
        now = time.monotonic()
        report["longest_wait"] = max(report["longest_wait"], now - asked)
        if drawn:
            close_gap(now)
        write(out, array("q", drawn).tobytes())
        report["ids"] += len(drawn)
        if now - reported > 0.5:
            reported = now
            write(log, (json.dumps(report) + "\n").encode())
        ahead = report["ids"] / rate - (now - began) if rate else 0
        if ahead > 0.002:
            pause(ahead)
        elif ahead < -1:
            # Ids missed while none could be minted are not made up for.
            began = now - report["ids"] / rate
        if drawn:
            had = time.monotonic()
    # A gap that has not ended yet counts as well.
    close_gap(time.monotonic())
    write(log, (json.dumps(report) + "\n").encode())
    return report


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
    main(url, tag, ids, status, int(rate), seed)
