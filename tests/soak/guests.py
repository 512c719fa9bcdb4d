"""The guests of a soak: processes that mint, in three languages and both modes, on a database and on files."""

from __future__ import annotations

import itertools
import json
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from clocks import WallClock
from minting_process import MintingProcess

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
class Guest(MintingProcess):
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
    patience = PATIENCE

    @property
    def name(self) -> str:
        """The name for files and progress."""
        return f"{self.language}-{self.scope.name}"

    def start(self) -> None:
        """Starts the process, with files of its own."""
        number = self.number = next(self.starts)
        ids, status = (self.folder / f"{self.name}.{number}.{kind}" for kind in ("ids", "status"))
        url = self.scope.url
        if self.clocks:
            url += f"&clock={self.clocks[number % len(self.clocks)]}"
        arguments = [url, self.scope.tag, str(ids), str(status), str(self.rate), str(self.seed + number)]
        self.launch([*self.command, *arguments], self.folder / f"{self.name}.err", self.clock)

    def mints(self) -> bool:
        """Returns whether the process has minted."""
        return any(file.stat().st_size for file in self.folder.glob(f"{self.name}.{self.number}.ids*"))

    def files(self, kind: str) -> list[Path]:
        """The files of one kind that the guest's processes, threads and children wrote."""
        return sorted(self.folder.glob(f"{self.name}.*.{kind}*"))


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
            guest.assert_alive()
        if time.monotonic() > deadline:
            raise SystemExit(f"did not begin to mint: {[guest.name for guest in guests if not guest.mints()]}")
        time.sleep(0.1)


def minted(guests: list[Guest]) -> int:
    """The number of ids recorded so far."""
    return sum(file.stat().st_size // 8 for guest in guests for file in guest.files("ids"))


def wait_until(moment: float) -> None:
    """Sleeps until a moment of the monotonic clock."""
    time.sleep(max(0.0, moment - time.monotonic()))
