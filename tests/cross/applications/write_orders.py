"""Inserts orders until standard input ends: `write_orders.py URL WRITER [TAG | COMMAND…]`.

Without a tag it leaves the id to the server; else it inserts ids of the tag, or those that the command prints. Prints a
summary: the rows that were committed, and the inserts that failed.
"""

import contextlib
import itertools
import json
import random
import select
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

import leafmint
import pymysql

BATCHES = (1, 3, 40)
DEADLOCKS = {1205, 1213}


@contextlib.contextmanager
def ids(url: str, names: list[str]) -> "Iterator[Iterator[int] | None]":
    """Gives ids of a tag, or those of a command; None for a writer that has none."""
    if not names:
        yield None
    elif len(names) == 1:
        with leafmint.SegmentGenerator(url) as generator:
            tag = generator.tag(names[0])
            yield iter(tag.next_id, None)
    else:
        with subprocess.Popen(names, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            yield map(int, process.stdout or ())
            process.kill()


def insert(cursor: "pymysql.cursors.Cursor", writer: str, taken: "Iterator[int] | None", count: int) -> None:
    """Inserts some orders by one statement."""
    if taken is None:
        rows = ", ".join([f"('{writer}')"] * count)
        cursor.execute(f"INSERT INTO orders (writer) VALUES {rows}")
    else:
        rows = ", ".join(f"({number}, '{writer}')" for number in itertools.islice(taken, count))
        cursor.execute(f"INSERT INTO orders (id, writer) VALUES {rows}")


def write(connection: "pymysql.Connection", writer: str, taken: "Iterator[int] | None") -> dict[str, int]:
    """Inserts until standard input ends, and undoes one transaction in ten."""
    choose, committed, failures = random.Random(writer), 0, 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        count = choose.choice(BATCHES)
        try:
            insert(connection.cursor(), writer, taken, count)
            if choose.random() < 0.1:
                connection.rollback()
            else:
                connection.commit()
                committed += count
        except pymysql.err.MySQLError as error:
            connection.rollback()
            failures += error.args[0] not in DEADLOCKS
    return {"rows": committed, "failures": failures}


def main(url: str, writer: str, *names: str) -> None:
    parts = urlsplit(url)
    connection = pymysql.connect(
        host=parts.hostname, port=parts.port or 3306, user=unquote(parts.username or ""),
        password=unquote(parts.password or ""), database=parts.path.lstrip("/"),
    )  # fmt: skip
    with connection, ids(url, list(names)) as taken:
        print("writing", flush=True)
        print(json.dumps(write(connection, writer, taken)))


main(*sys.argv[1:])
