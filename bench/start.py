"""Measures what a start with leafmint costs: processor time, wall time and round trips, up to the first id and the end.

`make bench-start` runs each program with leafmint and without it, one after the other, in rounds. A ratio compares the
two runs of one round. Times are those of the whole process, its end included. The page start.md goes to
docs/dev/benchmarks; that of a part, as of `make bench-start START="--only Python --rounds 5"`, to target/bench, where
start.json has the raw figures. On a busy machine trust the processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent / "apps"))
import leafmint
from distance import CountingLink
from machine import complaints, facts, look
from parts import jdks
from start_page import as_text, page
from start_programs import PARTS, Program

TOP = Path(__file__).resolve().parents[1]
RAW = TOP / "target/bench/start.json"
DOCS = TOP / "docs/dev/benchmarks"


class Took(NamedTuple):
    """What one process took, in milliseconds."""

    processor: float
    wall: float


def run(command: list[str]) -> Took:
    """Runs a process to its end."""
    began = time.perf_counter()
    # Without compiled files a start would compile all that it imports.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    child = os.posix_spawnp(command[0], command, environment)
    _, status, used = os.wait4(child, 0)
    wall = time.perf_counter() - began
    if status:
        sys.exit(f"status {os.waitstatus_to_exitcode(status)}: {' '.join(command)}")
    return Took((used.ru_utime + used.ru_stime) * 1e3, wall * 1e3)


class Places:
    """Where programs find their databases and files."""

    def __init__(self, stack: ExitStack, databases: set[str]) -> None:
        from mariadb import MariaDb
        from postgresql import PostgreSql

        self.links: dict[str, CountingLink] = {}
        self.names = {"folder": stack.enter_context(tempfile.TemporaryDirectory())}
        for server in [each for each in (MariaDb, PostgreSql) if each.name in databases]:
            database = stack.enter_context(server())
            with leafmint.SegmentGenerator(database.url) as ids:
                ids.init_schema()
                ids.create_tag("start")
            link = stack.enter_context(closing(CountingLink(database.port, 0.0)))
            self.links[server.name] = link
            self.names[server.name] = database.url
            self.names[f"far_{server.name}"] = database.url.replace(f":{database.port}/", f":{link.port}/")

    def command(self, words: list[str], far: bool = False) -> list[str]:
        """Returns a command with its places, through the counting links if it is `far`."""
        names = self.names | {name: self.names[f"far_{name}"] for name in self.links if far}
        return [word.format_map(names) for word in words]


def round_trips(program: Program, places: Places) -> int | None:
    """Returns how many round trips to its database a program makes; None if it has no database."""
    link = places.links.get(program.database)
    if link is None:
        return None
    before: int = link.round_trips
    run(places.command(program.command, far=True))
    return link.round_trips - before


def measured(programs: list[Program], rounds: int, places: Places) -> list[dict[str, Any]]:
    """Measures all programs in rounds."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for program in programs:
        # Tables, files, compiled modules and pages of the system's cache are there from the second start on.
        for _ in range(2):
            run(places.command(program.without))
            run(places.command(program.command))
        fields = {"part": program.part, "name": program.name, "round_trips": round_trips(program, places)}
        found[program.part, program.name] = {**fields, "with": [], "without": []}
    for _ in range(rounds):
        for program in random.sample(programs, len(programs)):
            sides = [("with", program.command), ("without", program.without)]
            for side, command in random.sample(sides, 2):
                found[program.part, program.name][side].append(run(places.command(command)))
    return list(found.values())


def options() -> argparse.Namespace:
    """Reads the command line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=41, help="times that each program is run: 2 or more")
    options.add_argument("--only", action="append", choices=list(PARTS), help="measure one part")
    options.add_argument("--program", action="append", default=[], help="measure programs whose name has this in it")
    options.add_argument("--again", action="store_true", help="measure nothing: make the page of the last run anew")
    return options.parse_args()


def main() -> None:
    """Measures, and makes the page."""
    # A run that is stopped must not leave a server behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    given = options()
    if not given.again:
        programs = [program for name in given.only or PARTS for program in PARTS[name]()]
        if given.program:
            programs = [program for program in programs if any(each in program.name for each in given.program)]
        before = look()
        with ExitStack() as stack:
            places = Places(stack, {program.database for program in programs})
            found = measured(programs, given.rounds, places)
        javas = list(jdks()) if any(program.part.startswith("Java") for program in programs) else []
        known = facts(javas) | {"before the run": str(before)}
        raw = {"facts": known, "complaints": complaints("before", before), "rounds": given.rounds, "programs": found}
        RAW.parent.mkdir(parents=True, exist_ok=True)
        RAW.write_text(json.dumps(raw, indent=1))
    raw, folder = json.loads(RAW.read_text()), RAW.parent if given.only or given.program else DOCS
    print(as_text(raw["programs"]))
    (folder / "start.md").write_text(page(raw) + "\n")
    print(f"\nkept in {folder.relative_to(TOP)}/start.md")


if __name__ == "__main__":
    main()
