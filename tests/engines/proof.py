"""One proof: processes mint on an engine while something happens to it; then a row of the table, and what is wrong."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from crew import BARE, KINDS, POLICY, SNOWFLAKE, Crew, Kind, Result

HEAD = (
    f"{'engine, and what happens to it':66}{'ids':>12}{'twice':>6}{'lost':>7}{'leases/s':>10}"
    f"{'wait, off':>11}{'wait, on':>10}{'snowflakes':>12}{'recovered':>11}"
)


@dataclass
class Engine:
    """An engine under test."""

    name: str
    urls: list[str]
    """URLs of the database, one for each process of a kind."""
    max_id: Callable[[str], int]
    """Reads the row of a tag where it was committed."""


@dataclass
class Event:
    """What happens to an engine while processes mint on it."""

    name: str
    fault: Callable[[], None] = lambda: None
    """Makes the fault, and ends when it is over."""
    before: float = 4
    after: float = 5
    longest: float = 5
    """Seconds that no process may wait for an id if its step policy is off."""
    longest_with_policy: float = 2
    faulty: bool = True
    newcomers: bool = False
    """Whether more processes start once the fault is over; they know nothing of it."""
    calls_fail: bool = False
    """Whether calls of processes whose step policy is on may fail too."""


def prove(engine: Engine, event: Event, kinds: list[Kind] = KINDS) -> list[str]:
    """Mints during an event, prints a row, and returns what is wrong."""
    with tempfile.TemporaryDirectory(prefix="leafmint-engines-") as folder:
        crew = Crew(Path(folder), engine.urls, [kind.fresh() for kind in kinds])
        try:
            began = time.monotonic()
            crew.wait()
            time.sleep(event.before)
            struck = time.time()
            event.fault()
            if event.newcomers:
                crew.grow()
                crew.wait()
            time.sleep(event.after)
            crew.end()
            seconds = time.monotonic() - began
        finally:
            crew.kill()
        results = {kind.name: crew.result(kind.name) for kind in kinds}
    lost = {
        name: engine.max_id(result.tag) - 1 - result.leased for name, result in results.items() if result.tag != "-"
    }
    print_row(f"{engine.name}: {event.name}", results, sum(lost.values()), seconds, struck if event.faulty else None)
    return [f"{engine.name}, {event.name}: {problem}" for problem in problems(engine, event, results, lost)]


def problems(engine: Engine, event: Event, results: dict[str, Result], lost: dict[str, int]) -> list[str]:
    """Returns what is wrong."""
    found = []
    for name, result in results.items():
        if result.duplicates:
            found.append(f"{name}: handed out twice: {result.duplicates}")
        found += [f"{name}: {problem}" for problem in result.problems]
        if name != SNOWFLAKE.name:
            end = engine.max_id(result.tag)
            if result.ids and not 1 <= result.least <= result.greatest < end:
                found.append(f"{name}: {result.least} to {result.greatest} is not within [1, {end})")
            # A lease that was committed without an answer is lost; nothing else may be.
            if lost[name] < 0 or (lost[name] and not event.faulty):
                found.append(f"{name}: {end - 1} ids were leased from the table and {result.leased} arrived")
        if name == POLICY.name and result.errors and not event.calls_fail:
            found.append(f"{name}: {result.samples}")
        limit = event.longest_with_policy if name == POLICY.name else event.longest
        if result.longest > limit:
            found.append(f"{name}: {result.longest:.1f} s without an id, more than {limit}; {result.samples}")
    return found


def print_row(name: str, results: dict[str, Result], lost: int, seconds: float, struck: float | None) -> None:
    """Prints a row of the table."""
    ids = sum(result.ids for result in results.values())
    twice = sum(len(result.duplicates) for result in results.values())
    leases = sum(result.leases for result in results.values()) / seconds
    waits = [f"{results[kind.name].longest:.2f} s" if kind.name in results else "-" for kind in KINDS]
    recovered = max(0.0, results[BARE.name].wait_ended - struck) if struck and BARE.name in results else None
    print(
        f"{name:66}{ids:12,}{twice:6}{lost:7,}{leases:10,.0f}{waits[0]:>11}{waits[1]:>10}{waits[2]:>12}"
        f"{f'{recovered:.1f} s' if recovered is not None else '-':>11}",
        flush=True,
    )
    for kind, result in results.items():
        for code, count in result.errors.items():
            print(f"    {kind}: {count} calls ended with {code}: {result.samples[code]}", flush=True)
