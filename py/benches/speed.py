"""Measures every subject with pyperf: `speed.py [options of pyperf]`. `rounds.py` runs it and computes ratios."""

from __future__ import annotations

import itertools
import time

import pyperf
from subjects import SUBJECTS, Subject


def measure(loops: int, subject: Subject) -> float:
    """Returns the seconds that all repetitions take."""
    made = subject.setup()
    rounds = itertools.repeat(None, loops * subject.repeats)
    began = time.perf_counter()
    subject.loop(made, rounds)
    return time.perf_counter() - began


def main() -> None:
    """Runs pyperf."""
    runner = pyperf.Runner()
    runner.metadata["description"] = "leafmint and its alternatives in Python"
    for subject in SUBJECTS:
        runner.bench_time_func(subject.name, measure, subject, inner_loops=subject.repeats * subject.ids)


if __name__ == "__main__":
    main()
