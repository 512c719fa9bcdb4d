"""The life of a process that mints: tests start, freeze, crash and end it, and look for ids that came twice."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import leafmint
from clocks import WallClock
from programs import ENDS, TOP, kill, start

GRACE = 30
"""Seconds beyond its timeout after which a call, or the end of a process, counts as hanging, on any machine."""

SECONDS = 60
"""Longest wait for a report of a process that mints nonstop, from its start on."""

ANSWERS = ("ids 0 ", "error 0 ")
"""How reports of calls begin: the thread 0 made them."""


class MintingProcess:
    """A process that mints until its standard input ends."""

    process: subprocess.Popen[str]
    log: Path
    """What it writes to standard error. Its standard output is a file, too: a pipe would not outlast a crash."""
    running = False
    """Whether it is neither frozen nor dead."""
    patience = GRACE
    """Seconds that it may take to end."""

    def launch(self, command: list[str], log: Path, clock: WallClock | None) -> None:
        """Starts it."""
        environment = {**os.environ, **(clock.environment if clock else {})}
        with log.open("ab") as errors, log.with_suffix(".out").open("ab") as output:
            self.process = start(command, stdout=output, stderr=errors, env=environment)
        self.log, self.running = log, True

    def freeze(self) -> None:
        """Stops it as a long pause would."""
        self.process.send_signal(signal.SIGSTOP)
        self.running = False

    def thaw(self) -> None:
        """Lets it go on."""
        self.process.send_signal(signal.SIGCONT)
        self.running = True

    def crash(self) -> Any:
        """Kills it."""
        kill(self.process)
        self.running = False

    def end(self) -> Any:
        """Lets it close its generator and end."""
        assert self.process.stdin
        self.thaw()
        self.process.stdin.close()
        code = self.process.wait(self.patience)
        assert code == 0, f"{self.log.stem} ended with {code}: {self.said()}"
        self.running = False

    def assert_alive(self) -> None:
        """Fails if it has ended by itself."""
        code = self.process.poll()
        assert code is None, f"{self.log.stem} ended with {code} by itself: {self.said()}"

    def said(self) -> str:
        """The end of what it wrote to standard error."""
        return self.log.read_text(errors="replace")[-2000:]


class Refused(Exception):
    """A call ended with a named error."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.code = error.split()[0]


class OnDemand(MintingProcess):
    """A Python process with one snowflake generator, which mints on demand."""

    def __init__(self, url: str, clock: WallClock | None = None, user: str = "", within: tuple[str, ...] = ()) -> None:
        folder = ENDS.enter_context(tempfile.TemporaryDirectory())
        script = str(TOP / "tests/cross/applications/minting.py")
        self.launch([*within, sys.executable, script, url, user], Path(folder) / "minting.err", clock)

    def mint(self, count: int = 100, timeout: float = 5) -> list[int]:
        """Mints `count` ids. Raises `Refused`."""
        before = len(self.reports(*ANSWERS))
        self.begin(0, count, timeout)
        kind, _, answer = self.next_report(timeout + GRACE, before, *ANSWERS).split(" ", 2)
        if kind == "error":
            raise Refused(answer)
        ids = [int(number) for number in answer.split()]
        assert len(ids) == count
        return ids

    def mint_by(self, seconds: float, count: int = 100) -> list[int]:
        """Retries until it mints, for at most that many seconds."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                return self.mint(count, timeout=1)
            except Refused:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def refusal(self, seconds: float = 0) -> Refused:
        """Mints until it is refused, which must happen within that many seconds."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                self.mint(timeout=2)
            except Refused as refused:
                return refused
            assert time.monotonic() < deadline, "ids were had"
            time.sleep(0.05)

    def begin(self, threads: int, count: int, timeout: float) -> None:
        """Lets threads mint from now on, each `count` ids at a time; without threads, it mints once."""
        print(threads, count, timeout, file=self.process.stdin, flush=True)

    def reports(self, *beginnings: str) -> list[str]:
        """Returns what it has reported so far, or only what begins so; a line that a crash cut short is left out."""
        lines = self.log.with_suffix(".out").read_text(errors="replace").split("\n")[:-1]
        return [line for line in lines if line.startswith(beginnings or "")]

    def next_report(self, seconds: float, before: int, *beginnings: str) -> str:
        """Waits for one more report than before, of those that begin so."""
        deadline = time.monotonic() + seconds
        while len(found := self.reports(*beginnings)) <= before:
            self.assert_alive()
            assert time.monotonic() < deadline, f"none of {beginnings} in time: {self.reports()[-3:]}"
            time.sleep(0.005)
        return found[before]

    def ids(self, thread: int | None = None) -> list[int]:
        """Returns the ids so far, or only those of a thread."""
        lines = self.reports("ids " if thread is None else f"ids {thread} ")
        return [int(number) for line in lines for number in line.split()[2:]]

    def errors(self) -> list[str]:
        """Returns the errors since its first id: on a busy machine a start may take longer than a call waits."""
        minting = itertools.dropwhile(lambda line: not line.startswith("ids "), self.reports())
        return [line for line in minting if line.startswith("error ")]

    def crash(self) -> list[int]:
        """Kills it, and returns its ids."""
        super().crash()
        return self.ids()

    def end(self) -> list[int]:
        """Lets it close its generator and end, and returns its ids."""
        super().end()
        return self.ids()


class Nonstop(OnDemand):
    """One that mints from its start to its end."""

    def __init__(self, url: str, user: str = "", within: tuple[str, ...] = ()) -> None:
        super().__init__(url, None, user, within)
        self.begin(1, 20, 2)

    def wait_for(self, kind: str) -> str:
        """Waits for a new report of a kind, and returns it."""
        return self.next_report(SECONDS, len(self.reports(kind)), kind)


def worker_of(identifier: int) -> int:
    """Returns the worker id in an id."""
    return leafmint.Layout().decode(identifier).worker_id


def check(*minted: list[int]) -> None:
    """Checks that no id was minted twice, that the ids of each process increase, and that none is negative."""
    every = sorted(itertools.chain(*minted))
    twice = [one for one, other in itertools.pairwise(every) if one == other]
    assert not twice, f"{len(twice)} ids were minted twice, among them {twice[:5]}"
    assert every[0] > 0
    for ids in minted:
        assert ids == sorted(ids), "ids went back"


def check_turns(*minted: list[int]) -> None:
    """Checks that processes that took turns with a worker id each stamped above the previous one."""
    check(*minted)
    highest: dict[int, int] = defaultdict(int)
    for identifier in itertools.chain(*minted):
        worker = worker_of(identifier)
        assert identifier > highest[worker]
        highest[worker] = identifier
