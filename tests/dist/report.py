"""What was seen of each artefact, as a table for the end of a run."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field

START = time.monotonic()
COLUMNS = ["artefact", "platform", "MB", "glibc", "run", "not run"]


@dataclass
class Row:
    """An artefact on a platform."""

    artefact: str
    platform: str
    size: int = 0
    glibc: str = ""
    done: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def cells(self) -> list[str]:
        """Returns the texts of its columns."""
        megabytes = f"{self.size / 1e6:.2f}" if self.size else ""
        return [self.artefact, self.platform, megabytes, self.glibc, "; ".join(self.done), "; ".join(self.left_out)]


class Report:
    """Collects rows."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], Row] = {}

    def row(self, artefact: str, platform: str) -> Row:
        """Returns the row of an artefact on a platform, and makes it with the first call."""
        return self.rows.setdefault((artefact, platform), Row(artefact, platform))

    def print(self) -> None:
        """Prints the table in Markdown."""
        print(f"\n| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
        for row in self.rows.values():
            print(f"| {' | '.join(row.cells())} |")


def say(text: str) -> None:
    """Prints a line of progress, with the minutes and seconds since the start."""
    seconds = int(time.monotonic() - START)
    print(f"[{seconds // 60:2}:{seconds % 60:02}] {text}", flush=True)


def check(holds: bool, text: str) -> None:
    """Ends with a text unless a check holds."""
    if not holds:
        sys.exit(f"FAILED: {text}")
