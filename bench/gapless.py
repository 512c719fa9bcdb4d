"""Measures what numbers without gaps cost: transactions per second with one, as ratios to the same without one.

`make gapless` runs it with throwaway servers that write each commit to the disk. A transaction inserts one document.
Writers are processes, of which each has a connection of SQLAlchemy. Each round measures all cases of a database in a
random order; a ratio compares the cases of one round.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import leafmint
from leafmint.sqlalchemy import GaplessSequence
from sqlalchemy import create_engine, make_url, text

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/servers"))
from mariadb import MariaDb
from postgresql import PostgreSql

CASES = ["without", "one sequence", "a sequence per writer"]
INSERT = text("INSERT INTO documents (number, payload) VALUES (:number, :payload)")
PAYLOAD = "x" * 200


@contextmanager
def databases() -> Iterator[dict[str, str]]:
    """Start durable servers, and yield the URL that leafmint takes for each database."""
    # In the folder of the servers' data, so that all write to the same disk.
    with (
        MariaDb("--innodb-flush-log-at-trx-commit=1", "--skip-debug-no-sync", "--innodb-flush-method=fsync") as mariadb,
        PostgreSql("fsync=on", "full_page_writes=on") as postgresql,
        tempfile.TemporaryDirectory(prefix="leafmint-gapless-") as folder,
    ):
        yield {
            "MariaDB": mariadb.url,
            "PostgreSQL": postgresql.url,
            "SQLite": f"sqlite:///{folder}/documents.db",
        }


def engine_of(url: str) -> Any:
    """Return an engine of SQLAlchemy."""
    parts = make_url(url)
    driver = {"mysql": "mysql+pymysql", "postgresql": "postgresql+psycopg"}.get(parts.drivername, parts.drivername)
    return create_engine(parts.set(drivername=driver), connect_args={"timeout": 60} if driver == "sqlite" else {})


def write(url: str, case: str, writer: int, seconds: float, start: Barrier, counts: Any) -> None:
    """Insert documents for some seconds, and report how many."""
    name = "invoice" if case == "one sequence" else f"invoice-{writer}"
    sequence = GaplessSequence(name, period="forever")
    with engine_of(url).connect() as connection:
        connection.execute(text("SELECT 1"))
        connection.rollback()
        start.wait(60)
        end, count = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            number = count if case == "without" else sequence.next(connection).number
            connection.execute(INSERT, {"number": number, "payload": PAYLOAD})
            connection.commit()
            count += 1
    counts.put(count)


def rate(url: str, case: str, writers: int, seconds: float) -> float:
    """Return the transactions per second of all writers together."""
    context = multiprocessing.get_context("spawn")
    start, counts = context.Barrier(writers), context.Queue()
    processes = [
        context.Process(target=write, args=(url, case, writer, seconds, start, counts)) for writer in range(writers)
    ]
    for process in processes:
        process.start()
    total = sum(counts.get(timeout=120) for _ in processes)
    for process in processes:
        process.join()
    return float(total / seconds)


def main() -> None:
    """Print a row for each database and number of writers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--only", help="the name of one database")
    arguments = parser.parse_args()
    with databases() as urls:
        for name, url in urls.items():
            if arguments.only not in (None, name):
                continue
            with leafmint.SegmentGenerator(url) as ids:
                ids.init_schema()
            with engine_of(url).begin() as connection:
                connection.execute(text("CREATE TABLE documents (number bigint, payload varchar(200))"))
            for writers in (1, 8):
                measured: dict[str, list[float]] = {case: [] for case in CASES}
                for _ in range(arguments.rounds):
                    for case in random.sample(CASES, len(CASES)):
                        measured[case].append(rate(url, case, writers, arguments.seconds))
                report(name, writers, measured)


def report(name: str, writers: int, measured: dict[str, list[float]]) -> None:
    """Print the ratios of a database and a number of writers, with the quartiles, since a disk has bad moments."""
    print(f"{name}, {writers} writers: without {statistics.median(measured['without']):,.0f}/s", flush=True)
    for case in CASES[1:]:
        ratios = [one / other for one, other in zip(measured[case], measured["without"], strict=True)]
        lower, median, upper = statistics.quantiles(ratios, n=4)
        print(f"  {case}: {median:.2f} ({lower:.2f} to {upper:.2f})", flush=True)


if __name__ == "__main__":
    main()
