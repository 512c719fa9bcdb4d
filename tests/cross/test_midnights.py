"""Ten midnights of daily series that three languages share, in four zones, on clocks that the test moves."""

from __future__ import annotations

import os
import sys
import time
from collections import defaultdict
from datetime import datetime, timedelta
from pathlib import Path
from subprocess import Popen
from zoneinfo import ZoneInfo

from clocks import WallClock
from programs import TOP, compiled, start

ZONES = ("UTC", "Europe/Madrid", "America/New_York", "Asia/Kathmandu")

APPLICATIONS = TOP / "tests/cross/applications"

COMMANDS = {
    "Python": [sys.executable, str(APPLICATIONS / "take_numbers.py")],
    "Python again": [sys.executable, str(APPLICATIONS / "take_numbers.py")],
    "Rust": [str(TOP / "target/debug/take_numbers")],
}

MIDNIGHTS = 10


def next_midnight(after: datetime) -> float:
    """Returns the first moment after this one at which a day begins in one of the zones, in Unix seconds."""
    here = (after.astimezone(ZoneInfo(zone)) for zone in ZONES)
    days = ((at + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0) for at in here)
    return min(day.timestamp() for day in days)


def test_no_number_of_a_day_comes_twice_and_none_is_of_another_day(tmp_path: Path) -> None:
    # A file has no clock of its own, with which a server would correct the clocks that are moved.
    url, clock = f"sqlite:///{tmp_path}/numbers.db?timeout=60s", WallClock(tmp_path / "clock")
    commands = {**COMMANDS, "Java": compiled(APPLICATIONS / "TakeNumbers.java")}
    files = {language: tmp_path / language for language in commands}
    environment = {**os.environ, **clock.environment}
    processes = [
        start(command, url, files[language], *([] if language == "Rust" else ZONES), env=environment)
        for language, command in commands.items()
    ]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    shown = datetime.now(ZoneInfo("UTC"))
    for turn in range(MIDNIGHTS):
        midnight = next_midnight(shown)
        clock.set(midnight - 0.5 - time.time())
        time.sleep(0.7)
        wait_for_numbers(files, processes)
        if turn % 4 == 3:
            # Back over the midnight that has just passed, and once more.
            clock.set(midnight - 0.3 - time.time())
            time.sleep(0.6)
        shown = datetime.fromtimestamp(midnight + 60, ZoneInfo("UTC"))
    for process in processes:
        _, errors = process.communicate("end\n", timeout=120)
        assert process.returncode == 0, errors
    check(files)


def wait_for_numbers(files: dict[str, Path], processes: list[Popen[str]]) -> None:
    """Waits until Python and Java have taken some numbers more: a busy machine does not run them all the time."""
    enough = {file: file.stat().st_size + 600 for language, file in files.items() if language != "Rust"}
    deadline = time.monotonic() + 300
    while any(file.stat().st_size < size for file, size in enough.items()):
        ended = [process for process in processes if process.poll() is not None]
        assert not ended, ended[0].communicate()
        assert time.monotonic() < deadline, {file.name: file.stat().st_size for file in enough}
        time.sleep(0.05)


def check(files: dict[str, Path]) -> None:
    """Checks the numbers that the processes took."""
    seen: dict[tuple[str, str, str], str] = {}
    days = defaultdict(set)
    for language, file in files.items():
        for line in file.read_text().splitlines():
            zone, day, number, before, after = line.split()
            # The clock may be set back between two looks at it.
            assert min(before, after) <= day <= max(before, after), f"{language}: {line}"
            other = seen.setdefault((zone, day, number), language)
            assert other == language, f"{language} and {other}: {line}"
            days[language].add((zone, day))
    lines = sum(len(file.read_text().splitlines()) for file in files.values())
    assert len(seen) == lines, "a process had a number twice"
    assert len(days["Rust"]) >= 2, days
    assert all(len(days[language]) >= MIDNIGHTS for language in ("Python", "Java")), days
