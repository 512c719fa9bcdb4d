"""Measures how fast applications insert orders with two lines each, with keys of each kind: `make bench-apps`.

Each framework writes in one process per database, at once on throwaway servers and through a link with half a
millisecond of round trip. Each round measures all kinds of keys of a case in a random order; a ratio compares the kinds
of one round. The page rows.md and its picture go to docs/dev/benchmarks, those of a part to target/bench, where
rows.json has the raw figures. `make bench-apps ROWS="--only PostgreSQL --framework 'SQLAlchemy ORM'"` measures a part.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from subprocess import PIPE, Popen, run
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
import leafmint
from distance import CountingLink
from machine import facts
from rows_page import page, picture, table
from tables import KINDS, create, index_bytes, processor_seconds
from throwaway import Database

TOP = Path(__file__).resolve().parents[2]
RAW = TOP / "target/bench/rows.json"
DOCS = TOP / "docs/dev/benchmarks"
DISTANCES = [0.0, 0.5]
BATCHES = [1, 50]
ROWS_OF_ORDER = 3
FEWER_ALONE = 10
"""By how much fewer rows are written one by one, for which a round trip each is waited."""


@dataclass
class Case:
    """What one framework did in each round with one kind of key."""

    database: str
    milliseconds: float
    framework: str
    batch: int
    kind: str
    rows: int
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    """Processor time of the client and the server."""
    round_trips: float = 0.0


class Writer:
    """A process that writes orders by several frameworks."""

    def __init__(self, command: list[str]) -> None:
        self.process = Popen(command, stdin=PIPE, stdout=PIPE, text=True)
        self.frameworks: dict[str, dict[str, Any]] = self.answer()

    def answer(self) -> Any:
        """Returns the next line of the process."""
        assert self.process.stdout
        return json.loads(self.process.stdout.readline() or "null")

    def ask(self, **case: Any) -> Any:
        """Sends a case and returns what it took."""
        assert self.process.stdin
        print(json.dumps(case), file=self.process.stdin, flush=True)
        found = self.answer()
        if found is None:
            raise RuntimeError(f"the writer ended at {case}")
        return found

    def close(self) -> None:
        """Ends the process."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(60)


def commands(url: str, folder: str) -> list[list[str]]:
    """Returns the programs that write. A folder has the worker ids of the second one."""
    here = Path(__file__).parent
    java = ["java", "-Xmx512m", "-jar", str(here / "java/target/rows.jar"), url, f"{folder}/workers"]
    return [[sys.executable, str(here / "writing.py"), url], java]


def javas() -> list[str]:
    """Returns the version of the JVM that writes."""
    said = run(["java", "-version"], capture_output=True, text=True, check=True).stderr
    return [said.split('"')[1]]


def server(name: str) -> Database:
    """Starts a throwaway server, with room for the rows and one that writes whole pages."""
    from mariadb import MariaDb
    from postgresql import PostgreSql

    if name == "MariaDB":
        return MariaDb("--innodb-buffer-pool-size=256M", "--innodb-log-file-size=256M")
    return PostgreSql("shared_buffers=256MB", "max_wal_size=2GB")


@contextmanager
def reached(database: Database, milliseconds: float) -> Iterator[tuple[str, CountingLink | None]]:
    """Yields the URL at which the database is that far away, and the link to it."""
    if not milliseconds:
        yield database.url, None
        return
    with closing(CountingLink(database.port, milliseconds / 1e3)) as link:
        yield database.url.replace(f":{database.port}/", f":{link.port}/"), link


def measured(given: argparse.Namespace) -> Iterator[Case]:
    """Measures every case of every database."""
    for name in given.only or ["PostgreSQL", "MariaDB"]:
        with server(name) as database:
            create(database)
            with leafmint.SegmentGenerator(database.url) as ids:
                ids.init_schema()
            for milliseconds in DISTANCES:
                with reached(database, milliseconds) as (url, link), ExitStack() as stack:
                    folder = stack.enter_context(tempfile.TemporaryDirectory())
                    for command in commands(url, folder):
                        writer = stack.enter_context(closing(Writer(command)))
                        yield from cases(writer, database, link, given)
            SIZES[name] = {kind.name: index_bytes(database, kind) for kind in KINDS}


SIZES: dict[str, dict[str, float]] = {}


def cases(writer: Writer, database: Database, link: CountingLink | None, given: argparse.Namespace) -> Iterator[Case]:
    """Measures every framework of a process in each size of batches."""
    for framework, has in writer.frameworks.items():
        if given.framework and framework not in given.framework:
            continue
        for batch in given.batch:
            orders = max(1, given.rows // ROWS_OF_ORDER // (FEWER_ALONE if batch == 1 else 1) // batch) * batch
            milliseconds = link.delay * 1e3 if link else 0.0
            rows = orders * ROWS_OF_ORDER
            found = [Case(database.name, milliseconds, framework, batch, kind, rows) for kind in has["kinds"]]
            # A JVM compiles what it runs often.
            for case in found * 2:
                ask(writer, case, orders)
            for _ in range(given.rounds):
                for case in random.sample(found, len(found)):
                    measure(writer, database, link, case)
            yield from found
            print(table([asdict(case) for case in found]), flush=True)


def measure(writer: Writer, database: Database, link: CountingLink | None, case: Case) -> None:
    """Measures a case once more."""
    trips, used = link.round_trips if link else 0, processor_seconds(database)
    took = ask(writer, case, case.rows // ROWS_OF_ORDER)
    case.seconds.append(took["seconds"])
    case.processor.append(took["processor"] + processor_seconds(database) - used)
    case.round_trips = (link.round_trips - trips if link else 0) / case.rows


def ask(writer: Writer, case: Case, orders: int) -> Any:
    """Lets a process write the orders of a case."""
    return writer.ask(framework=case.framework, kind=case.kind, batch=case.batch, orders=orders)


def options() -> argparse.Namespace:
    """Reads the command line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", type=int, default=3000, help="rows of one measurement; a tenth one by one")
    options.add_argument("--rounds", type=int, default=7, help="times that each case is measured")
    options.add_argument("--only", action="append", choices=["PostgreSQL", "MariaDB"], help="measure on one database")
    options.add_argument("--framework", action="append", help="measure one framework")
    options.add_argument("--batch", action="append", type=int, help="orders of a transaction, by default 1 and 50")
    options.add_argument("--again", action="store_true", help="measure nothing: make the page of the last run anew")
    return options.parse_args()


def main() -> None:
    """Measures, and makes the page if everything was measured."""
    # A run that is stopped must not leave a server behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    given = options()
    is_whole = not (given.only or given.framework or given.batch)
    given.batch = given.batch or BATCHES
    if not given.again:
        found = [asdict(case) for case in measured(given)]
        RAW.parent.mkdir(parents=True, exist_ok=True)
        RAW.write_text(json.dumps({"facts": facts(javas()), "sizes": SIZES, "cases": found}, indent=1))
    raw, folder = json.loads(RAW.read_text()), DOCS if is_whole else RAW.parent
    (folder / "rows.md").write_text(page(raw) + "\n")
    (folder / "rows.svg").write_text(picture(raw["cases"]))
    print(f"\nkept in {folder.relative_to(TOP)}/rows.md")


if __name__ == "__main__":
    main()
