"""The guests of a soak: processes that mint, in three languages and both modes, on a database and on files."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from clocks import WallClock

PATIENCE = 90
"""Seconds after which a guest that has not begun to mint, or has not ended, is taken to hang."""


@dataclass(frozen=True)
class Scope:
    """A scope within which no id may repeat: a tag, or a namespace of worker ids."""

    name: str
    mode: str
    url: str
    tag: str


@dataclass
class Guest:
    """A process that mints, and that is started again whenever it ends."""

    language: str
    scope: Scope
    command: list[str]
    folder: Path
    rate: int
    seed: int
    clock: WallClock | None = None
    """The guest's wall clock, if faults step it."""
    clocks: tuple[str, ...] = ()
    """Values of the option `clock`, which the guest's processes take in turn."""
    starts: itertools.count[int] = field(default_factory=itertools.count)
    number: int = 0
    """Which start the process is of."""
    process: subprocess.Popen[bytes] | None = None
    frozen: bool = False

    @property
    def name(self) -> str:
        """The name for files and progress."""
        return f"{self.language}-{self.scope.name}"

    def start(self) -> None:
        """Starts the process, with files of its own."""
        number = self.number = next(self.starts)
        environment = dict(os.environ)
        if self.clock:
            environment.update(self.clock.environment)
        ids, status = (self.folder / f"{self.name}.{number}.{kind}" for kind in ("ids", "status"))
        url = self.scope.url
        if self.clocks:
            url += f"&clock={self.clocks[number % len(self.clocks)]}"
        arguments = [url, self.scope.tag, str(ids), str(status), str(self.rate), str(self.seed + number)]
        with (self.folder / f"{self.name}.err").open("ab") as errors:
            self.process = subprocess.Popen(
                [*self.command, *arguments], stdin=subprocess.PIPE, stderr=errors, env=environment
            )

    def signal(self, number: int) -> None:
        """Sends a signal."""
        assert self.process
        self.process.send_signal(number)

    def kill(self) -> None:
        """Ends the process as a crash would."""
        assert self.process
        self.process.kill()
        self.process.wait()
        self._close_input()

    def stop(self) -> None:
        """Asks the process to end, and waits for it."""
        assert self.process
        assert self.process.stdin
        self.signal(signal.SIGCONT)
        self.process.stdin.close()
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise SystemExit(f"{self.name} did not end within {PATIENCE} seconds of being asked to") from None
        self.process.stdin = None
        if code != 0:
            raise SystemExit(f"{self.name} ended with {code}: {self.errors()}")

    def check(self) -> None:
        """Raises if the process has ended by itself."""
        assert self.process
        if self.process.poll() is not None:
            raise SystemExit(f"{self.name} ended with {self.process.returncode} by itself: {self.errors()}")

    def mints(self) -> bool:
        """Returns whether the process has minted."""
        return any(file.stat().st_size for file in self.folder.glob(f"{self.name}.{self.number}.ids*"))

    def errors(self) -> str:
        """The end of what the guest's processes wrote to standard error."""
        return (self.folder / f"{self.name}.err").read_text(errors="replace")[-2000:]

    def files(self, kind: str) -> list[Path]:
        """The files of one kind that the guest's processes, threads and children wrote."""
        return sorted(self.folder.glob(f"{self.name}.*.{kind}*"))

    def _close_input(self) -> None:
        assert self.process
        if self.process.stdin:
            self.process.stdin.close()


def reports(guests: list[Guest]) -> tuple[float, Counter[str]]:
    """The longest wait of one call, in seconds, and the errors by their code, of all processes."""
    longest, errors = 0.0, Counter[str]()
    for file in itertools.chain.from_iterable(guest.files("status") for guest in guests):
        lines = file.read_text().splitlines()
        while lines:
            try:
                report = json.loads(lines.pop())
            except ValueError:
                continue  # A crash cut the line short.
            longest = max(longest, report["longest_wait"])
            errors.update(report["errors"])
            break
    return longest, errors


def wait_until_some_mint(guests: list[Guest], count: int) -> None:
    """Waits until that many guests have minted: on a slow machine a start takes as long as a short soak."""
    deadline = time.monotonic() + PATIENCE
    while sum(guest.mints() for guest in guests) < count:
        for guest in guests:
            guest.check()
        if time.monotonic() > deadline:
            raise SystemExit(f"did not begin to mint: {[guest.name for guest in guests if not guest.mints()]}")
        time.sleep(0.1)


def minted(guests: list[Guest]) -> int:
    """The number of ids recorded so far."""
    return sum(file.stat().st_size // 8 for guest in guests for file in guest.files("ids"))


def wait_until(moment: float) -> None:
    """Sleeps until a moment of the monotonic clock."""
    time.sleep(max(0.0, moment - time.monotonic()))
