"""Measures numbers without gaps in Django, beside django-sequences: the time of a transaction of one INSERT with each.

`make gapless` runs it with throwaway servers that write each commit to the disk. Each writer is a process, which
takes turns: one transaction of each case, in a random order. So both have the same moments of the machine, and of the
disk. A ratio compares the medians.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from multiprocessing.synchronize import Barrier
from typing import Any
from urllib.parse import unquote, urlsplit

import leafmint
import pymysql
from gapless import PAYLOAD, databases

PAIRS = {"leafmint": "django-sequences", "leafmint, 10 at once": "django-sequences, 10 at once"}
"""What a transaction takes, and what that is compared with."""

INSERT = "INSERT INTO documents (number, payload) VALUES (%s, %s)"


def set_up(url: str) -> None:
    """Let Django use a database."""
    pymysql.version_info = (2, 2, 7, "final", 0)  # the version of mysqlclient that Django asks for
    pymysql.install_as_MySQLdb()
    import django
    from django.conf import settings

    parts = urlsplit(url)
    database = {
        "ENGINE": f"django.db.backends.{parts.scheme}",
        "NAME": parts.path.removeprefix("/"),
        "HOST": parts.hostname,
        "PORT": parts.port,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
    }
    settings.configure(INSTALLED_APPS=["sequences.apps.SequencesConfig"], DATABASES={"default": database})
    django.setup()


def make_tables(url: str) -> None:
    """Make the tables of documents and of django-sequences."""
    set_up(url)
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", "sequences", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE documents (number bigint, payload varchar(200))")


def transactions() -> dict[str, Callable[[], None]]:
    """Return what runs a transaction of each case."""
    from django.db import connection, transaction
    from leafmint.django import GaplessSequence
    from sequences import get_next_value, get_next_values

    invoices = GaplessSequence("invoice", period="forever")
    numbers: dict[str, Callable[[], list[int]]] = {
        "leafmint": lambda: [invoices.next().number],
        "django-sequences": lambda: [get_next_value("invoice")],
        "leafmint, 10 at once": lambda: [number.number for number in invoices.next_many(10)],
        "django-sequences, 10 at once": lambda: list(get_next_values(10, "invoice")),
    }

    def store(case: str) -> None:
        with transaction.atomic():
            rows = [(number, PAYLOAD) for number in numbers[case]()]
            with connection.cursor() as cursor:
                cursor.executemany(INSERT, rows)

    return {case: partial(store, case) for case in numbers}


def write(url: str, rounds: int, start: Barrier, times: Any) -> None:
    """Run a transaction of each case in each round, and report their seconds."""
    set_up(url)
    measured: dict[str, list[float]] = {}
    cases = transactions()
    start.wait(120)
    for _ in range(rounds):
        for case in random.sample(sorted(cases), len(cases)):
            began = time.perf_counter()
            cases[case]()
            measured.setdefault(case, []).append(time.perf_counter() - began)
    times.put(measured)


def main() -> None:
    """Print a row for each database, number of writers and case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=500)
    rounds = parser.parse_args().rounds
    context = multiprocessing.get_context("spawn")
    with databases() as urls:
        for name in ("MariaDB", "PostgreSQL"):
            with leafmint.SegmentGenerator(urls[name]) as ids:
                ids.init_schema()
            preparing = context.Process(target=make_tables, args=(urls[name],))
            preparing.start()
            preparing.join()
            for writers in (1, 8):
                start, times = context.Barrier(writers), context.Queue()
                processes = [
                    context.Process(target=write, args=(urls[name], rounds, start, times)) for _ in range(writers)
                ]
                for process in processes:
                    process.start()
                report(f"{name}, {writers} writers", [times.get(timeout=600) for _ in processes])
                for process in processes:
                    process.join()


def report(name: str, measured: list[dict[str, list[float]]]) -> None:
    """Print how many transactions leafmint runs in the time of one of the other."""
    medians = {case: statistics.median(seconds for each in measured for seconds in each[case]) for case in measured[0]}
    for case, other in PAIRS.items():
        ratio = medians[other] / medians[case]
        print(f"{name}: {case} against {other}: {ratio:.2f} ({medians[other] * 1000:.2f} ms)", flush=True)


if __name__ == "__main__":
    main()
