"""Wall clocks that tests set: a program that uses one sees its wall clock step, while its monotonic clock goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from packages import need


class WallClock:
    """A wall clock of programs that are started with its `environment`; its file holds the offset."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.set(0)
        self.environment = {
            "LD_PRELOAD": libfaketime(),
            "FAKETIME_TIMESTAMP_FILE": str(file),
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_NO_CACHE": "1",
        }

    def set(self, seconds: float) -> None:
        """Steps the clock to this offset from the machine's."""
        new = self.file.with_suffix(".new")
        new.write_text(f"{seconds:+.3f}s\n")
        new.replace(self.file)


def libfaketime() -> str:
    """Finds the library that steps clocks, and installs it if it is missing."""
    need(["faketime"], ["faketime"], "")
    found = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True).stdout
    paths = [line.split("=>")[1].strip() for line in found.splitlines() if "libfaketimeMT.so" in line]
    paths += [str(path) for path in Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")]
    if not paths:
        sys.exit("libfaketimeMT.so.1 is missing although the package faketime is installed")
    return paths[0]
