"""Fails if a comment, or a line of Java, is longer than 120 columns.

Formatters break no comments; ruff checks those of Python. The formatter of Java checks only the files under `jvm`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LIMIT = 120
STARTS = {"*.rs": ("//",), "*.java": ("",), "*.toml": ("#",), "*.yml": ("#",), "*.xml": ("<!--",)}


def sources(pattern: str) -> list[str]:
    """Returns the files of the project that match a pattern."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", pattern]
    listed = subprocess.run(command, cwd=TOP, check=True, capture_output=True, text=True)
    return [name for name in listed.stdout.splitlines() if (TOP / name).is_file()]


def main() -> int:
    """Prints every line that is too long, and returns 1 if there is one."""
    found = 0
    for pattern, starts in STARTS.items():
        for name in sources(pattern):
            for number, line in enumerate((TOP / name).read_text().splitlines(), 1):
                if len(line) > LIMIT and line.lstrip().startswith(starts):
                    found += 1
                    print(f"{name}:{number}: a line of {len(line)} columns, more than {LIMIT}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
