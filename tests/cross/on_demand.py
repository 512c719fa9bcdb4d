"""Processes that mint on demand. Tests kill and freeze them, and set their clocks."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections import defaultdict
from typing import Any, ClassVar

import leafmint
from clocks import WallClock
from programs import TOP

GRACE = 30
"""Seconds beyond its timeout after which a call counts as hanging, on any machine."""


class Refused(Exception):
    """A call ended with a named error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class OnDemand:
    """A Python process with one snowflake generator."""

    everyone: ClassVar[list[OnDemand]] = []

    def __init__(self, url: str, clock: WallClock | None = None) -> None:
        command = [sys.executable, str(TOP / "tests/cross/applications/on_demand.py"), url]
        environment = {**os.environ, **(clock.environment if clock else {})}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen(command, bufsize=0, env=environment, **pipes)
        self.minted: list[int] = []
        self.everyone.append(self)

    def mint(self, count: int = 100, timeout: float = 5) -> list[int]:
        """Mints `count` ids. Raises `Refused`."""
        answer = self.call(f"mint {count} {timeout}", timeout)
        if "error" in answer:
            raise Refused(answer["error"], answer["message"])
        ids: list[int] = answer["ids"]
        assert len(ids) == count
        self.minted += ids
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

    def begin(self) -> None:
        """Lets eight threads mint."""
        self.call("begin", 0)

    def end(self) -> tuple[list[list[int]], list[str]]:
        """Ends the eight threads; returns the ids of each and the errors that they met."""
        answer = self.call("end", 1)
        self.minted += sorted(identifier for ids in answer["threads"] for identifier in ids)
        return answer["threads"], answer["errors"]

    def call(self, line: str, timeout: float) -> Any:
        """Makes a call."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{line}\n".encode())
        deadline = time.monotonic() + timeout + GRACE
        answer = b""
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while not answer.endswith(b"\n"):
                assert selector.select(deadline - time.monotonic()), f"{line!r} was not answered in time"
                part = self.process.stdout.read(1 << 16)
                assert part, "the process ended by itself"
                answer += part
        return json.loads(answer)

    def freeze(self) -> None:
        """Stops the process as a long pause would."""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Lets a frozen process go on."""
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """Ends the process as a crash would."""
        self.process.kill()
        self._let_go()

    def close(self) -> None:
        """Lets the process close its generator and end."""
        assert self.process.stdin
        self.process.stdin.close()
        assert self.process.wait(GRACE) == 0
        self._let_go()

    def _let_go(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe
            pipe.close()
        self.process.wait()


def worker_of(identifier: int, layout: leafmint.Layout | None = None) -> int:
    """The worker id that an id carries."""
    return (layout or leafmint.Layout()).decode(identifier).worker_id


def check(*guests: OnDemand) -> None:
    """Checks that no id was minted twice, that each process's ids increase, and that none is negative."""
    every = [identifier for guest in guests for identifier in guest.minted]
    assert len(every) == len(set(every)), "an id was minted twice"
    assert min(every) > 0
    for guest in guests:
        assert guest.minted == sorted(guest.minted), "ids went back"


def check_turns(*guests: OnDemand) -> None:
    """Checks that processes that took turns with a worker id each stamped above the previous one."""
    check(*guests)
    highest: dict[int, int] = defaultdict(int)
    for guest in guests:
        for identifier in guest.minted:
            worker = worker_of(identifier)
            assert identifier > highest[worker]
            highest[worker] = identifier
