"""Processes that mint all the time, on a holder whose files a test damages."""

from __future__ import annotations

import itertools
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import leafmint
from programs import TOP, kill, start

HOLDERS = ["local", "fixed", "mysql"]

HolderUrl = Callable[[str, Path], str]
"""Returns the URL of a kind of holder that keeps its files in a directory."""

LONGER_THAN_RESERVED = 5
"""Seconds: more than a state file reserves."""

SECONDS = 60
"""Longest wait for a process."""

RUNNING: list[subprocess.Popen[str]] = []
"""What a test has started and not ended yet."""


class Guest:
    """A process that mints until its test ends it."""

    def __init__(self, url: str, folder: Path, user: str = "", within: tuple[str, ...] = ()) -> None:
        self.file = folder / f"reports-{uuid.uuid4().hex}"
        script = str(TOP / "tests/cross/applications/keep_minting.py")
        self.process = start([*within, sys.executable, script], url, self.file, user)
        RUNNING.append(self.process)

    def reports(self) -> list[str]:
        """Returns what it has reported so far."""
        return self.file.read_text().splitlines() if self.file.exists() else []

    def ids(self) -> list[int]:
        """Returns the ids so far."""
        return [int(line.split()[1]) for line in self.reports() if line.startswith("id ")]

    def errors(self) -> list[str]:
        """Returns the errors since its first id: on a busy machine a start may take longer than a call waits."""
        minting = itertools.dropwhile(lambda line: not line.startswith("id "), self.reports())
        return [line for line in minting if line.startswith("error ")]

    def wait_for(self, kind: str) -> str:
        """Waits for a new report of a kind, and returns it."""
        before, deadline = len(self.reports()), time.monotonic() + SECONDS
        while True:
            new = [line for line in self.reports()[before:] if line.startswith(kind)]
            if new:
                return new[0]
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < deadline, f"no {kind}: {self.reports()[-3:]}"
            time.sleep(0.01)

    def crash(self) -> list[int]:
        """Kills it, and returns its ids."""
        kill(self.process)
        return self.ids()

    def end(self) -> list[int]:
        """Lets it close its generator and end, and returns its ids."""
        _, errors = self.process.communicate(timeout=SECONDS)
        assert self.process.returncode == 0, errors
        return self.ids()


def worker(number: int) -> int:
    """Returns the worker id in an id."""
    return leafmint.Layout().decode(number).worker_id


def check(*guests: list[int]) -> None:
    """Checks that no id was minted twice, and that the ids of each process increase."""
    every = [number for ids in guests for number in ids]
    assert len(set(every)) == len(every) > 0
    for ids in guests:
        assert ids == sorted(ids)


def state_file(directory: Path) -> Path:
    """Returns the state file of the worker id 7."""
    (file,) = directory.glob("*/7.state")
    return file


def first_to_mint(first: Guest, second: Guest) -> bool:
    """Waits until one of two processes has minted, and returns whether the first one has."""
    deadline = time.monotonic() + SECONDS
    while not first.ids() and not second.ids():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return bool(first.ids())
