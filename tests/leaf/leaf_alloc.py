"""Mints the ids of a tag as a Leaf server does: two buffers, the next one loaded at ten percent of the present one.

`segments.py HOST PORT USER PASSWORD DATABASE TABLE TAG FILE` mints with several threads until its standard input is
closed, writes the ids, and prints a summary with the ranges that it leased.
"""

from __future__ import annotations

import json
import select
import sys
import threading
import time
from array import array
from dataclasses import dataclass, field
from pathlib import Path

import pymysql

LARGEST_STEP = 1_000_000
SEGMENT_SECONDS = 15 * 60
CALLERS = 3


class Table:
    """The statements on the table, each a transaction of its own."""

    def __init__(self, table: str, **login: object) -> None:
        self.table, self.login = table, login

    def tags(self) -> list[str]:
        """Reads the names of all tags."""
        with self.connection() as connection, connection.cursor() as cursor:
            cursor.execute(f"SELECT biz_tag FROM `{self.table}`")
            return [tag for (tag,) in cursor.fetchall()]

    def lease(self, tag: str, step: int | None) -> tuple[int, int]:
        """Raises `max_id` by a step, or by the column `step`. Returns `max_id` and the column."""
        with self.connection() as connection, connection.cursor() as cursor:
            amount = "step" if step is None else str(step)
            cursor.execute(f"UPDATE `{self.table}` SET max_id = max_id + {amount} WHERE biz_tag = %s", (tag,))
            cursor.execute(f"SELECT biz_tag, max_id, step FROM `{self.table}` WHERE biz_tag = %s", (tag,))
            _, max_id, column = cursor.fetchone()
            connection.commit()
            return max_id, column

    def connection(self) -> pymysql.Connection:
        """Opens a connection, as a pool would."""
        return pymysql.connect(**self.login, autocommit=False)


@dataclass
class Segment:
    """One of the two buffers of a tag."""

    value: int = 0
    end: int = 0
    step: int = 0


@dataclass
class Buffers:
    """The buffers of a tag."""

    segments: list[Segment] = field(default_factory=lambda: [Segment(), Segment()])
    position: int = 0
    is_ready: bool = False
    is_next_ready: bool = False
    is_loading: bool = False
    step: int = 0
    least_step: int = 0
    loaded_at: float = 0
    lock: threading.RLock = field(default_factory=threading.RLock)


class LeafSegments:
    """The tags of a Leaf server. A failure is a negative number, as in its interface."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.tags = {tag: Buffers() for tag in table.tags()}
        self.leases: list[tuple[int, int]] = []

    def next_id(self, tag: str) -> int:
        """Mints an id. Returns -2 for a tag that was not there at the start, -3 if both buffers are empty."""
        buffers = self.tags.get(tag)
        if buffers is None:
            return -2
        with buffers.lock:
            if not buffers.is_ready:
                self.load(tag, buffers, buffers.segments[buffers.position])
                buffers.is_ready = True
        return self.draw(tag, buffers)

    def load(self, tag: str, buffers: Buffers, segment: Segment) -> None:
        """Fills a buffer. The second load takes the column's step too; later ones double or halve what was taken."""
        if not buffers.is_ready or not buffers.loaded_at:
            max_id, column = self.table.lease(tag, None)
            if buffers.is_ready:
                buffers.loaded_at = time.monotonic()
            buffers.step = column
        else:
            lasted, step = time.monotonic() - buffers.loaded_at, buffers.step
            if lasted < SEGMENT_SECONDS:
                step = step * 2 if step * 2 <= LARGEST_STEP else step
            elif lasted >= 2 * SEGMENT_SECONDS and step // 2 >= buffers.least_step:
                step //= 2
            max_id, column = self.table.lease(tag, step)
            buffers.loaded_at, buffers.step = time.monotonic(), step
        buffers.least_step = column
        self.leases.append((max_id - buffers.step, max_id))
        segment.value, segment.end, segment.step = max_id - buffers.step, max_id, buffers.step

    def draw(self, tag: str, buffers: Buffers) -> int:
        """Takes a number from the present buffer, or from the next one; waits for a load that is under way."""
        for _ in range(1000):
            with buffers.lock:
                segment = buffers.segments[buffers.position]
                left = segment.end - segment.value
                if not buffers.is_next_ready and left < 0.9 * segment.step and not buffers.is_loading:
                    buffers.is_loading = True
                    threading.Thread(target=self.load_next, args=(tag, buffers), daemon=True).start()
                if left > 0:
                    segment.value += 1
                    return segment.value - 1
                if buffers.is_next_ready:
                    buffers.position, buffers.is_next_ready = 1 - buffers.position, False
                elif not buffers.is_loading:
                    return -3
            time.sleep(0.001)
        return -3

    def load_next(self, tag: str, buffers: Buffers) -> None:
        """Fills the other buffer."""
        try:
            self.load(tag, buffers, buffers.segments[1 - buffers.position])
        finally:
            with buffers.lock:
                buffers.is_next_ready, buffers.is_loading = True, False


def serve(leaf: LeafSegments, tag: str, ended: threading.Event, ids: array[int], failures: list[int]) -> None:
    """Mints a hundred ids every few milliseconds, as a client of the server would ask for them."""
    while not ended.wait(0.01):
        for _ in range(100):
            number = leaf.next_id(tag)
            if number < 0:
                failures.append(number)
            else:
                ids.append(number)


def main(host: str, port: str, user: str, password: str, database: str, table: str, tag: str, file: str) -> None:
    """Serves several callers until the end."""
    login = {"host": host, "port": int(port), "user": user, "password": password, "database": database}
    leaf = LeafSegments(Table(table, **login))
    ended, failures = threading.Event(), list[int]()
    ids = [array("q") for _ in range(CALLERS)]
    callers = [threading.Thread(target=serve, args=(leaf, tag, ended, minted, failures)) for minted in ids]
    for caller in callers:
        caller.start()
    print("serving", flush=True)
    select.select([sys.stdin], [], [])
    ended.set()
    for caller in callers:
        caller.join()
    with Path(file).open("wb") as out:
        for minted in ids:
            minted.tofile(out)
    # A load that is under way is a lease too.
    while any(buffers.is_loading for buffers in leaf.tags.values()):
        time.sleep(0.001)
    print(json.dumps({"ids": sum(map(len, ids)), "leases": leaf.leases, "failures": failures}))


if __name__ == "__main__":
    main(*sys.argv[1:])
