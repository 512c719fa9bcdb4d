"""Measures the Python binding: `rounds.py [--quick]` prints a line of JSON for each subject of each group.

Each round measures every subject once, with pyperf in a new process, so that a slow moment of the machine affects all
subjects. The value of a round is the median of its samples.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import cap
import pyperf
from subjects import SUBJECTS

SPEED = Path(__file__).with_name("speed.py")

GROUPS: dict[str, list[tuple[str, str, str]]] = {
    "segment id": [("floor", "itertools.count", "count"), ("leafmint", "leafmint", "next_id")],
    "number of a series": [
        ("floor", "an id", "next_id"),
        ("floor", "a clock read", "time"),
        ("floor", "an id and a clock read", "next_id and time"),
        ("leafmint", "leafmint", "number"),
    ],
    "text of a series": [
        ("floor", "an id", "next_id"),
        ("leafmint", "leafmint", "text"),
        ("peer", "uuid.uuid4", "uuid4"),
    ],
    "formatted number": [
        ("floor", "an id", "next_id"),
        ("leafmint", "leafmint", "format invoice"),
        ("leafmint", "leafmint, {number}", "format"),
        ("peer", "uuid.uuid4", "uuid4"),
    ],
    "text for strangers": [
        ("floor", "an id", "next_id"),
        ("leafmint", "leafmint", "public id"),
        ("leafmint", "leafmint, decode", "public id decoded"),
        ("leafmint", "leafmint, str of a TypedId", "typed id"),
        ("leafmint", "leafmint, scrambled", "scrambled"),
        ("peer", "uuid.uuid4", "uuid4 text"),
        ("peer", "uuid_utils.uuid7", "uuid7 text"),
        ("peer", "TypeID", "TypeID"),
        ("peer", "UUIDv47", "UUIDv47"),
        ("peer", "Optimus", "Optimus"),
        ("peer", "sqids", "sqids"),
        ("peer", "hashids", "hashids"),
    ],
    "snowflake": [
        ("floor", "time.time", "time"),
        ("floor", "a call", "call"),
        ("leafmint", "leafmint", "flake"),
        ("peer", "snowflake-id", "snowflake-id"),
        ("peer", "tsidpy", "tsidpy"),
        ("peer", "uuid_utils.uuid7", "uuid7"),
        ("peer", "uuid.uuid4", "uuid4"),
    ],
    "list of 1,000 ids": [("floor", "list(range)", "list(range)"), ("leafmint", "leafmint", "next_ids")],
    "list of 1,000 ids, ints as large": [
        ("floor", "list(range)", "list(range) alike"),
        ("leafmint", "leafmint", "next_ids"),
    ],
    "array of 1,000 ids": [("floor", "numpy.arange", "arange"), ("leafmint", "leafmint", "next_array")],
    "array of 100,000 ids": [
        ("floor", "numpy.arange", "arange large"),
        ("leafmint", "leafmint", "next_array large"),
    ],
}
"""Role, name in the tables, and subject."""


def nanoseconds(rounds: int) -> dict[str, list[float]]:
    """Returns the nanoseconds per id of each subject in each round."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "all.json"
        for number in range(rounds):
            print(f"Python, round {number + 1} of {rounds}", file=sys.stderr)
            command = [sys.executable, SPEED, "--quiet", "--processes=1", "--loops=1", "--values=5", "--warmups=2"]
            done = subprocess.run([*command, f"--append={file}"], capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{done.stdout}{done.stderr}")
        suite = pyperf.BenchmarkSuite.load(str(file))
        return {
            bench.get_name(): [statistics.median(run.values) * 1e9 for run in bench.get_runs() if run.values]
            for bench in suite
        }


def report(group: str, threads: int, name: str, role: str, *, unit: str, how: str, rounds: Iterable[float]) -> None:
    """Prints the values of one subject."""
    line = {"group": group, "threads": threads, "name": name, "role": role, "unit": unit, "how": how}
    print(json.dumps({**line, "rounds": list(rounds)}), flush=True)


def main() -> None:
    """Measures and prints every subject."""
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    quick = options.parse_args().quick
    taken = nanoseconds(1 if quick else 7)
    setups = {subject.name: subject.configuration for subject in SUBJECTS}
    for group, subjects in GROUPS.items():
        for role, name, subject in subjects:
            report(group, 1, name, role, unit="ns", how=setups[subject], rounds=taken[subject])
    for group, threads, unit, rounds in cap.measurements(1 if quick else 7, 0.1 if quick else 0.7):
        report(group, threads, "leafmint", "leafmint", unit=unit, how=cap.HOW, rounds=rounds)


if __name__ == "__main__":
    main()
