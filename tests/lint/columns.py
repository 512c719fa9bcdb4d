"""Fails if a comment, or a line of Java, is longer than 120 columns, or code of a user's page longer than 100.

Formatters break no comments; ruff checks those of Python. The formatter of Java checks only the files under `jvm`. The
site scrolls a block of code that is wider than its text.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LIMIT = 120
LIMIT_ON_PAGES = 100
STARTS = {"*.rs": ("//",), "*.java": ("",), "*.toml": ("#",), "*.yml": ("#",), "*.xml": ("<!--",)}
PAGES = (":(glob)README*.md", "py/README.md", ":(glob)docs/*.md", "docs/reference/*.md", "docs/zh/*.md")
BLOCK = re.compile(r"^( *)```.*?^\1```$", re.DOTALL | re.MULTILINE)


def sources(pattern: str) -> list[str]:
    """Returns the files of the project that match a pattern."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", pattern]
    listed = subprocess.run(command, cwd=TOP, check=True, capture_output=True, text=True)
    return [name for name in listed.stdout.splitlines() if (TOP / name).is_file()]


def comments() -> Iterator[str]:
    """Finds the lines of sources that are too long."""
    for pattern, starts in STARTS.items():
        for name in sources(pattern):
            for number, line in enumerate((TOP / name).read_text().splitlines(), 1):
                if len(line) > LIMIT and line.lstrip().startswith(starts):
                    yield f"{name}:{number}: a line of {len(line)} columns, more than {LIMIT}"


def code_on_pages() -> Iterator[str]:
    """Finds the lines of code on users' pages that are too long."""
    for name in (name for pattern in PAGES for name in sources(pattern)):
        text = (TOP / name).read_text()
        for block in BLOCK.finditer(text):
            first = text.count("\n", 0, block.start()) + 1
            for number, line in enumerate(block[0].splitlines(), first):
                if len(line) > LIMIT_ON_PAGES:
                    yield f"{name}:{number}: code of {len(line)} columns, more than {LIMIT_ON_PAGES}"


def main() -> int:
    """Prints every line that is too long, and returns 1 if there is one."""
    found = [*comments(), *code_on_pages()]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
