"""An application with its rows and its ids in one SQLite file: `share_a_file.py STYLE FILE IDS SECONDS`.

Mints for a while and writes the ids into the file IDS as little-endian 64-bit words, while the application uses the
database in the way that STYLE names. Prints the number of rows that it has committed.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
import time
from array import array
from collections.abc import Callable
from pathlib import Path

import leafmint


def nullpool(file: str) -> Callable[[int], int]:
    """Opens and closes a connection of SQLAlchemy for each row."""
    import sqlalchemy

    engine = sqlalchemy.create_engine(f"sqlite:///{file}", poolclass=sqlalchemy.NullPool, connect_args={"timeout": 30})

    def insert(turn: int) -> int:
        with engine.begin() as connection:
            connection.execute(sqlalchemy.text("INSERT INTO own (note) VALUES (:note)"), {"note": str(turn)})
        return 1

    return insert


def inserting(file: str) -> Callable[[int], int]:
    """Opens and closes a connection for each row."""

    def insert(turn: int) -> int:
        connection = sqlite3.connect(file, timeout=30)
        with connection:
            connection.execute("INSERT INTO own (note) VALUES (?)", (turn,))
        connection.close()
        return 1

    return insert


def reading(file: str) -> Callable[[int], int]:
    """Opens a connection every 3 ms, reads leafmint's table and closes it."""

    def read(_turn: int) -> int:
        connection = sqlite3.connect(file, timeout=30)
        connection.execute("SELECT max_id FROM leaf_alloc").fetchall()
        connection.close()
        time.sleep(0.003)
        return 0

    return read


def keeping(file: str) -> Callable[[int], int]:
    """Keeps one connection."""
    connection = sqlite3.connect(file, timeout=30, check_same_thread=False)

    def insert(turn: int) -> int:
        with connection:
            connection.execute("INSERT INTO own (note) VALUES (?)", (turn,))
        return 1

    return insert


def minted(url: str, seconds: float, style: str, into: Path) -> array[int]:
    """Mints for a while, by one generator or by one after the other, which is closed or ends with the process."""
    ids = array("q")
    until = time.monotonic() + seconds
    while not ids or time.monotonic() < until:
        with leafmint.SegmentGenerator(url, default_step=50, max_step=50, timeout=60, connect_timeout=30) as generator:
            order = generator.tag("order")
            while True:
                ids.extend(order.next_ids(40))
                if style == "reopening" or time.monotonic() >= until:
                    break
            if style == "crashing":
                into.write_bytes(ids.tobytes())
                print(0, flush=True)
                os._exit(0)
    return ids


class Application(threading.Thread):
    """The application at work until it is ended."""

    def __init__(self, work: Callable[[int], int]) -> None:
        super().__init__(daemon=True)
        self.work = work
        self.rows = 0
        self.ending = threading.Event()
        self.error: BaseException | None = None

    def run(self) -> None:
        turn = 0
        try:
            while not self.ending.is_set():
                turn += 1
                self.rows += self.work(turn)
        except BaseException as error:
            self.error = error

    def end(self) -> int:
        """Returns the number of rows that were committed."""
        self.ending.set()
        self.join()
        if self.error:
            raise self.error
        return self.rows


STYLES = {"nullpool": nullpool, "reading": reading, "keeping": keeping, "reopening": inserting, "crashing": reading}


def main(style: str, file: str, into: Path, seconds: float) -> None:
    """Mints in this thread while the application is at work in another."""
    url = f"sqlite:///{file}"
    ids = minted(url, 0, "first", into)
    application = Application(STYLES[style](file))
    application.start()
    ids += minted(url, seconds, style, into)
    rows = application.end()
    into.write_bytes(ids.tobytes())
    print(rows)


main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), float(sys.argv[4]))
