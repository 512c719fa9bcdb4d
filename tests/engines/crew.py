"""The processes that mint in a proof, and the verdict on what they minted."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ledger import judge, read
from programs import TOP, compiled

PATIENCE = 120
"""Seconds after which a process that has not begun to mint, or has not ended, is taken to hang."""

STEP = 100
SEGMENTS = f"auto_create=true&default_step={STEP}&connect_timeout=2s"
SNOWFLAKES = "lease_duration=20s&heartbeat=2s&state_dir=none&connect_timeout=2s"


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


@dataclass
class Minter:
    """A process that mints."""

    kind: Kind
    files: str
    """How the names of its files begin."""
    process: subprocess.Popen[str]
    report: dict[str, Any] = field(default_factory=dict)

    @property
    def ids(self) -> list[Path]:
        """The files with its ids."""
        return list(Path(self.files).parent.glob(f"{Path(self.files).name}.ids*"))

    def end(self) -> None:
        """Asks the process to end, waits for it and reads its last report."""
        _, errors = self.process.communicate("", timeout=PATIENCE)
        if self.process.returncode:
            raise SystemExit(f"a process that mints ({self.kind.name}) failed: {errors[-2000:]}")
        [status] = Path(self.files).parent.glob(f"{Path(self.files).name}.status*")
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
            self.start(command, url, kind)
            for kind in self.kinds
            for command, url in zip(commands, self.urls, strict=True)
        ]

    def start(self, command: list[str], url: str, kind: Kind) -> Minter:
        """Starts a process."""
        files = f"{self.folder}/{uuid.uuid4().hex}"
        process = subprocess.Popen(
            [*command, f"{url}?{kind.options}", kind.tag, f"{files}.ids", f"{files}.status", str(kind.rate), "-"],
            stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        return Minter(kind, files, process)

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
            if minter.process.stdin:
                minter.process.stdin.close()
                minter.process.stdin = None
        for minter in self.minters:
            minter.end()

    def kill(self) -> None:
        """Ends those that are still there, as a crash would."""
        for minter in self.minters:
            if minter.process.poll() is None:
                minter.process.kill()
                minter.process.wait()

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
