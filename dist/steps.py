"""Runs the steps of a build, with a line for each, and ends with a text if one fails."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
ARTEFACTS = TOP / "target/artefacts"
START = time.monotonic()


def say(text: str) -> None:
    """Prints a line of progress, with the minutes and seconds since the start."""
    seconds = int(time.monotonic() - START)
    print(f"[{seconds // 60:2}:{seconds % 60:02}] {text}", flush=True)


def run(
    what: str, command: Sequence[str | Path], folder: Path = TOP, environment: Mapping[str, str] | None = None
) -> str:
    """Runs a command and returns its output, which is printed only if the command fails."""
    say(what)
    try:
        done = subprocess.run(
            command, cwd=folder, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        )  # fmt: skip
    except FileNotFoundError as missing:
        sys.exit(f"{what}: {missing.filename} is not installed; CONTRIBUTING.md lists what a build needs")
    if done.returncode:
        print(done.stdout, flush=True)
        sys.exit(f"{what}: failed with status {done.returncode}: {' '.join(map(str, command))}")
    return done.stdout
