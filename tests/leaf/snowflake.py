"""Mints snowflakes as a Leaf server does, with a worker id from ZooKeeper.

`snowflake.py HOSTS NAME IP PORT FILE` writes the ids that it minted until its standard input is closed.
"""

from __future__ import annotations

import json
import random
import select
import sys
import time
from array import array
from pathlib import Path

from znodes import LeafWorker

EPOCH = 1288834974657
SEQUENCE_MASK = 4095


class LeafSnowflake:
    """Leaf's generator: milliseconds since its epoch, ten bits of worker id, twelve of a sequence number."""

    def __init__(self, worker: LeafWorker) -> None:
        self.worker = worker
        self.last = -1
        self.sequence = 0

    def next_id(self) -> int:
        """Mints an id. A clock that was set back by more than five milliseconds is an error."""
        now = milliseconds()
        if now < self.last:
            if self.last - now > 5:
                raise RuntimeError("-3")
            time.sleep((self.last - now) * 2 / 1000)
            now = milliseconds()
            if now < self.last:
                raise RuntimeError("-1")
        if now == self.last:
            self.sequence = (self.sequence + 1) & SEQUENCE_MASK
            if self.sequence == 0:
                self.sequence = random.randrange(100)
                while now <= self.last:
                    now = milliseconds()
        else:
            self.sequence = random.randrange(100)
        self.last = now
        return (now - EPOCH) << 22 | self.worker.worker_id << 12 | self.sequence


def milliseconds() -> int:
    """Returns the clock in Unix milliseconds."""
    return time.time_ns() // 1_000_000


def main(hosts: str, name: str, ip: str, port: str, file: str) -> None:
    """Mints a hundred ids every few milliseconds."""
    flakes = LeafSnowflake(LeafWorker(hosts, name, ip, port))
    ids = array("q")
    print(flakes.worker.worker_id, flush=True)
    while not select.select([sys.stdin], [], [], 0.005)[0]:
        ids.extend(flakes.next_id() for _ in range(100))
    flakes.worker.stop()
    with Path(file).open("wb") as out:
        ids.tofile(out)
    print(json.dumps({"language": "Leaf", "ids": len(ids)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
