"""Measures what a process with leafmint costs while it does nothing: memory, wake-ups and processor time.

`make bench-idle` measures each part in a process of its own, for SECONDS (60). A wake-up is a voluntary switch of a
thread of leafmint's. Memory is counted twice: what the process alone has written, and all that it has in memory, most
of which is the library, whose pages all processes of a machine share.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import leafmint

TAGS = 100


class Cost(NamedTuple):
    """What a process has cost so far."""

    wakes: int
    seconds: float
    own: int
    resident: int


def threads() -> list[Path]:
    """Returns the threads that are not the interpreter's own."""
    return [task for task in Path("/proc/self/task").iterdir() if not (task / "comm").read_text().startswith("python")]


def of(file: str, name: str) -> int:
    """Returns a number of a file that has one for each name."""
    lines = (line.split() for line in Path(file).read_text().splitlines())
    return next(int(words[1]) for words in lines if words and words[0] == f"{name}:")


def cost() -> Cost:
    """Looks at this process."""
    wakes = sum(of(f"{task}/status", "voluntary_ctxt_switches") for task in threads())
    memory = "/proc/self/smaps_rollup"
    return Cost(wakes, time.process_time(), of(memory, "Private_Dirty"), of(memory, "Rss"))


def measure(parts: str, seconds: float) -> None:
    """Opens generators, uses them, and prints what they cost from then on."""
    before = cost()
    kept: list[object] = []
    with tempfile.TemporaryDirectory() as folder:
        if "segments" in parts:
            ids = leafmint.SegmentGenerator(f"sqlite:///{folder}/ids.db")
            ids.init_schema()
            for number in range(TAGS):
                ids.create_tag(f"tag-{number}")
                ids.tag(f"tag-{number}").next_id()
            kept.append(ids)
        if "snowflakes" in parts:
            flakes = leafmint.SnowflakeGenerator(f"local:{folder}/workers")
            flakes.next_id()
            kept.append(flakes)
        # What a start leaves to do: threads without work end after ten seconds.
        time.sleep(15)
        began, at = cost(), time.monotonic()
        time.sleep(seconds)
        ended, passed = cost(), time.monotonic() - at
        for generator in kept:
            generator.close()  # type: ignore[attr-defined]
    figures = [
        (ended.wakes - began.wakes) / passed,
        (ended.seconds - began.seconds) / passed * 3600,
        (ended.own - before.own) / 1024,
        (ended.resident - before.resident) / 1024,
    ]
    row(parts, *(f"{figure:.1f}" for figure in figures))


def row(*cells: str) -> None:
    """Prints a row of the table."""
    print("|", " | ".join(cells), "|", flush=True)


def main() -> None:
    """Measures each part."""
    seconds = sys.argv[1] if len(sys.argv) > 1 else "60"
    row("", "wake-ups a second", "processor seconds an hour", "MiB of its own", "MiB in memory")
    row(*["---"] * 5)
    for parts in (
        "nothing",
        f"segments of {TAGS} tags, SQLite",
        "snowflakes, local:",
        f"segments of {TAGS} tags and snowflakes",
    ):
        subprocess.run([sys.executable, __file__, seconds, parts], check=True)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measure(sys.argv[2], float(sys.argv[1]))
    else:
        main()
