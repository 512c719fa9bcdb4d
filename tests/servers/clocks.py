"""Wall clocks that tests set: a program that wears one sees its wall clock stepped, while its monotonic time goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from packages import need


class WallClock:
    """A wall clock for programs started with its `environment`; its file says how far off it is."""

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
        """Sets the clock so far off the machine's, at once."""
        beside = self.file.with_suffix(".new")
        beside.write_text(f"{seconds:+.3f}s\n")
        beside.replace(self.file)


def libfaketime() -> str:
    """Finds the library that steps clocks, installing it where it is missing."""
    need(["faketime"], ["faketime"], "")
    found = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True).stdout
    paths = [line.split("=>")[1].strip() for line in found.splitlines() if "libfaketimeMT.so" in line]
    paths += [str(path) for path in Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")]
    if not paths:
        sys.exit("libfaketimeMT.so.1 is not there though the package faketime is")
    return paths[0]
