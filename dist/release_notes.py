"""Prints what the changelog says of a version, for the page of its release: `release_notes.py v0.1.0`."""

from __future__ import annotations

import re
import sys

from steps import TOP


def notes(changelog: str, version: str) -> str:
    """Returns the section of a version, without its heading."""
    sections = re.split(r"^## \[([^]]+)\].*\n", changelog, flags=re.MULTILINE)
    for name, text in zip(sections[1::2], sections[2::2], strict=True):
        if name == version:
            return text.strip() + "\n"
    sys.exit(f"CHANGELOG.md has no section of {version}: it has {', '.join(sections[1::2])}")


if __name__ == "__main__":
    print(notes((TOP / "CHANGELOG.md").read_text(encoding="utf-8"), sys.argv[1].removeprefix("v")), end="")
