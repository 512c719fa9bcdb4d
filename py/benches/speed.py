"""Measures every subject with pyperf: `speed.py [pyperf's options]`. `rounds.py` runs it time and again and sets ratios up."""

from __future__ import annotations

import itertools
import time

import pyperf
from subjects import SUBJECTS, Subject


def measure(loops: int, subject: Subject) -> float:
    """Returns the seconds that so many repetitions take."""
    made = subject.setup()
    rounds = itertools.repeat(None, loops * subject.repeats)
    began = time.perf_counter()
    for _ in rounds:
        made()
    return time.perf_counter() - began


def main() -> None:
    """Runs pyperf."""
    runner = pyperf.Runner()
    runner.metadata["description"] = "leafmint beside what Python users have today"
    for subject in SUBJECTS:
        runner.bench_time_func(subject.name, measure, subject, inner_loops=subject.repeats * subject.ids)


if __name__ == "__main__":
    main()
