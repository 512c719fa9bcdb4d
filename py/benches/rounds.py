"""Measures the Python binding: `rounds.py [--quick]` prints a line of JSON for each figure.

Each round measures every subject, with pyperf in a new process, so that a slow moment of the machine affects all
subjects. A figure is the ratio of two medians over all rounds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import cap
import pyperf
from subjects import SUBJECTS

SPEED = Path(__file__).with_name("speed.py")

RATIOS: list[tuple[str, str, str, float | None]] = [
    ("Python next_id beside a bound itertools.count().__next__", "next_id", "count", 1.0),
    ("Python snowflake next_id, unsaturated, beside time.time()", "flake", "time", 1.4),
    ("Python list of ids beside list(range(n)), 1,000 at once", "next_ids", "list(range)", 1.1),
    (
        "Python list of ids beside list(range(n, m)) of ints like them, 1,000 at once",
        "next_ids",
        "list(range) alike",
        None,
    ),
    ("Python NumPy array of ids beside np.arange, 1,000 at once", "next_array", "arange", 1.0),
    ("Python NumPy array of ids beside np.arange, 100,000 at once", "next_array large", "arange large", 1.0),
]

FASTER: list[tuple[str, str, str, float | None]] = [
    ("Python snowflake: times faster than snowflake-id", "flake", "snowflake-id", 5.0),
    ("Python snowflake: times faster than tsidpy", "flake", "tsidpy", None),
    ("Python snowflake: times faster than uuid_utils.uuid7", "flake", "uuid7", None),
    ("Python snowflake: times faster than uuid.uuid4", "flake", "uuid4", None),
]


def medians(rounds: int) -> dict[str, float]:
    """Returns the median seconds per id of each subject."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "all.json"
        for number in range(rounds):
            print(f"Python, round {number + 1} of {rounds}", file=sys.stderr)
            command = [sys.executable, SPEED, "--quiet", "--processes=1", "--loops=1", "--values=5", "--warmups=2"]
            done = subprocess.run([*command, f"--append={file}"], capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{done.stdout}{done.stderr}")
        suite = pyperf.BenchmarkSuite.load(str(file))
        return {bench.get_name(): bench.median() for bench in suite}


def report(what: str, value: float, unit: str, sense: str | None, goal: float | None, detail: str) -> None:
    """Prints a figure."""
    line = {"what": what, "value": value, "unit": unit, "sense": sense if goal is not None else None, "goal": goal}
    print(json.dumps({**line, "detail": detail}), flush=True)


def main() -> None:
    """Prints every figure."""
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    quick = options.parse_args().quick
    seconds = medians(1 if quick else 7)
    setups = {subject.name: subject.configuration for subject in SUBJECTS}

    def detail(mine: str, measure: str) -> str:
        times = f"{seconds[mine] * 1e9:.2f} ns against {seconds[measure] * 1e9:.2f} ns"
        return f"{times}; {setups[mine]} against {setups[measure]}"

    for what, mine, measure, goal in RATIOS:
        report(what, seconds[mine] / seconds[measure], "x", "at most", goal, detail(mine, measure))
    for what, mine, measure, goal in FASTER:
        report(what, seconds[measure] / seconds[mine], "x", "at least", goal, detail(mine, measure))
    for line in cap.figures(0.3 if quick else 4.0):
        report(*line)


if __name__ == "__main__":
    main()
