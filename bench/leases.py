"""Measures what a lease costs over a connection that the application lends, as a ratio to one by a URL.

`make leases` runs it with throwaway servers that write each commit to the disk. A tag with a step of 1 leases for each
id. Each round measures all ways of a database in a random order; a ratio compares the ways of one round. `pool` is a
pool of the application, which lends one of its connections for each lease. With a TMPDIR in memory a commit costs
nothing, so that the ratios are the largest there are.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import leafmint
from sqlalchemy import create_engine, make_url

TOP = Path(__file__).parents[1]
sys.path[:0] = [str(TOP / "tests/servers"), str(TOP / "tests/cross")]
from mariadb import MariaDb  # noqa: E402
from postgresql import PostgreSql  # noqa: E402
from programs import compiled  # type: ignore[import-not-found]  # noqa: E402

DRIVERS = {
    "MariaDB": ["mysql+pymysql", "mysql+asyncmy"],
    "PostgreSQL": ["postgresql+psycopg", "postgresql+asyncpg"],
}
JDBC = {"MariaDB": "mariadb", "PostgreSQL": "postgresql"}
OPTIONS = {"max_step": 1, "outage_budget": 0, "segment_duration": 0, "timeout": 60}


@contextmanager
def databases() -> Iterator[dict[str, str]]:
    """Start durable servers, and yield their URLs."""
    flushed = ("--innodb-flush-log-at-trx-commit=1", "--skip-debug-no-sync", "--innodb-flush-method=fsync")
    with MariaDb(*flushed) as mariadb, PostgreSql("fsync=on", "full_page_writes=on") as postgresql:
        yield {"MariaDB": mariadb.url, "PostgreSQL": postgresql.url}


def in_python(given: object, ends: ExitStack) -> Callable[[int], float]:
    """Return what leases, and returns the seconds of one lease."""
    tag = ends.enter_context(leafmint.SegmentGenerator(given, **OPTIONS)).tag("order")  # type: ignore[arg-type]

    def lease(count: int) -> float:
        tag.next_id()
        began = time.perf_counter()
        for _ in range(count):
            tag.next_id()
        return (time.perf_counter() - began) / count

    return lease


def in_java(url: str, ends: ExitStack) -> Callable[[int], float]:
    """Return what lets a Java program lease."""
    drivers = (TOP / "jvm/java/target/lending.classpath").read_text().strip()
    *java, path, main = compiled(TOP / "bench/Leases.java")
    command = [*java, f"{path}{os.pathsep}{drivers}", main, url]
    process = ends.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    ends.callback(process.kill)

    def lease(count: int) -> float:
        assert process.stdin
        assert process.stdout
        print(count, file=process.stdin, flush=True)
        return float(process.stdout.readline())

    return lease


def jdbc(database: str, url: str) -> str:
    """Return the URL of a JDBC driver."""
    parts = urlsplit(url)
    login = "&".join(
        f"{name}={value}" for name, value in (("user", parts.username), ("password", parts.password)) if value
    )
    return f"jdbc:{JDBC[database]}://{parts.hostname}:{parts.port}{parts.path}?{login}"


def measure(database: str, url: str, rounds: int, count: int) -> None:
    """Measure the ways of a database, and print the ratios."""
    with leafmint.SegmentGenerator(url) as ids:
        ids.init_schema()
        ids.create_tag("order", step=1)
    with ExitStack() as ends:
        ways = {"Python, URL": in_python(url, ends), "Java, URL": in_java(url, ends)}
        for driver in DRIVERS[database]:
            engine = make_url(url).set(drivername=driver)
            if driver.endswith(("asyncmy", "asyncpg")):
                from sqlalchemy.ext.asyncio import create_async_engine

                ways[f"Python, {driver}"] = in_python(create_async_engine(engine), ends)
            else:
                ways[f"Python, {driver}"] = in_python(create_engine(engine), ends)
        driven = jdbc(database, url)
        ways |= {"Java, JDBC": in_java(driven, ends), "Java, JDBC, pool": in_java(f"pool:{driven}", ends)}
        seconds: dict[str, list[float]] = {way: [] for way in ways}
        for _ in range(rounds):
            for way in random.sample(list(ways), len(ways)):
                seconds[way].append(ways[way](count))
    for way, measured in seconds.items():
        base = seconds["Java, URL" if way.startswith("Java") else "Python, URL"]
        ratios = sorted(one / other for one, other in zip(measured, base, strict=True))
        low, _, high = statistics.quantiles(ratios, n=4)
        middle = statistics.median(measured) * 1e6
        print(
            f"{database:10}  {way:28} {statistics.median(ratios):5.2f} x ({low:.2f} to {high:.2f})  {middle:7.0f} us",
            flush=True,
        )


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--leases", type=int, default=200, help="leases in a round")
    parser.add_argument("--only", choices=DRIVERS, help="the database to measure")
    options = parser.parse_args()
    with databases() as urls:
        for database, url in urls.items():
            if options.only in (None, database):
                measure(database, url, options.rounds, options.leases)


if __name__ == "__main__":
    main()
