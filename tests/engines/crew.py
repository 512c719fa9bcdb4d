"""The processes that mint in a proof, and the verdict on what they minted."""

from __future__ import annotations

import json
import sys
import time
import uuid
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ledger import judge, read
from minting_process import MintingProcess
from programs import TOP, compiled

PATIENCE = 120
"""Seconds after which a process that has not begun to mint, or has not ended, is taken to hang."""

STEP = 100
SEGMENTS = f"auto_create=true&default_step={STEP}&connect_timeout=2s"
SNOWFLAKES = "auto_create=true&lease_duration=20s&heartbeat=2s&state_files=false&connect_timeout=2s"


@dataclass(frozen=True)
class Kind:
    """What a process does."""

    name: str
    tag: str
    options: str
    rate: int

    def fresh(self) -> Kind:
        """Returns the kind with a tag, or a namespace of worker ids, that no other proof uses."""
        name = f"{self.tag}_{uuid.uuid4().hex[:8]}"
        if self.tag == "-":
            return replace(self, options=f"{self.options}&namespace=n{name}")
        return replace(self, tag=name)


# Each lease has to be waited for as soon as the one before it is used up.
BARE = Kind("step policy off", "bare", f"{SEGMENTS}&max_step={STEP}", 0)
POLICY = Kind("step policy on", "policy", SEGMENTS, 2000)
SNOWFLAKE = Kind("snowflakes", "-", SNOWFLAKES, 2000)
KINDS = [BARE, POLICY, SNOWFLAKE]


class Minter(MintingProcess):
    """A process that mints one kind of ids."""

    patience = PATIENCE

    def __init__(self, command: list[str], url: str, kind: Kind, folder: Path) -> None:
        self.kind = kind
        self.report: dict[str, Any] = {}
        self.status = folder / f"{kind.name} {uuid.uuid4().hex}.status"
        arguments = [f"{url}?{kind.options}", kind.tag, self.status.with_suffix(".ids"), self.status, kind.rate, "-"]
        self.launch([*command, *map(str, arguments)], self.status.with_suffix(".err"), None)

    @property
    def ids(self) -> list[Path]:
        """The files with its ids."""
        return list(self.status.parent.glob(f"{self.status.stem}.ids*"))

    def end(self) -> None:
        """Asks the process to end, waits for it and reads its last report."""
        super().end()
        [status] = self.status.parent.glob(f"{self.status.name}*")
        self.report = json.loads(status.read_text().splitlines()[-1])


@dataclass
class Result:
    """What the processes of one kind have done."""

    tag: str
    ids: int
    least: int
    greatest: int
    duplicates: list[int]
    problems: list[str]
    longest: float
    wait_ended: float
    errors: Counter[str]
    samples: dict[str, str]
    leases: int
    leased: int


class Crew:
    """Processes of every kind; each one has hosts of its own. Those of the last URL run Java, the others Python."""

    def __init__(self, folder: Path, urls: list[str], kinds: list[Kind]) -> None:
        self.folder = folder
        self.urls = urls
        self.kinds = kinds
        self.minters: list[Minter] = []
        self.python = [sys.executable, str(TOP / "tests/soak/minter.py")]
        self.java = compiled(TOP / "tests/soak/Minter.java")
        self.grow()

    def grow(self) -> None:
        """Starts a process for each URL and kind; called again, as many more."""
        commands = [self.python] * (len(self.urls) - 1) + [self.java]
        self.minters += [
            Minter(command, url, kind, self.folder)
            for kind in self.kinds
            for command, url in zip(commands, self.urls, strict=True)
        ]

    def wait(self) -> None:
        """Waits until every process has minted."""
        deadline = time.monotonic() + PATIENCE
        for minter in self.minters:
            while not any(file.stat().st_size for file in minter.ids):
                # A process that has failed is reported at the end.
                if minter.process.poll() is not None or time.monotonic() > deadline:
                    return
                time.sleep(0.05)

    def end(self) -> None:
        """Ends every process."""
        for minter in self.minters:
            assert minter.process.stdin
            minter.process.stdin.close()
        for minter in self.minters:
            minter.end()

    def kill(self) -> None:
        """Ends those that are still there, as a crash would."""
        for minter in self.minters:
            minter.crash()

    def result(self, name: str) -> Result:
        """Judges what the processes of a kind have minted."""
        mine = [minter for minter in self.minters if minter.kind.name == name]
        files = [file for minter in mine for file in minter.ids]
        verdict = judge(files)
        ends = [ids for ids in map(read, files) if len(ids)]
        slowest = max(mine, key=lambda minter: float(minter.report["longest_gap"]))
        return Result(
            tag=mine[0].kind.tag,
            ids=verdict.count,
            least=min((int(ids[0]) for ids in ends), default=0),
            greatest=max((int(ids[-1]) for ids in ends), default=0),
            duplicates=verdict.duplicates,
            problems=[f"{name} does not ascend" for name in verdict.disordered],
            longest=slowest.report["longest_gap"],
            wait_ended=slowest.report["gap_ended"],
            errors=sum((Counter(minter.report["errors"]) for minter in mine), Counter()),
            samples={code: text for minter in mine for code, text in minter.report["samples"].items()},
            leases=sum(minter.report.get("refills", 0) for minter in mine),
            leased=sum(minter.report.get("leased", 0) - minter.report.get("given_back", 0) for minter in mine),
        )
