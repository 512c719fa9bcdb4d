"""Finds the public items of the core's crates that no other crate names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from programs import TOP

CRATES = ["ids", "engine", "backends", "leafmint", "advisor"]

OTHERS = [
    "py/src",
    "py/benches",
    "jvm/src",
    "core/tests",
    "core/benches",
    "tests/fleet",
    "tests/fuzz",
    "tests/programs",
    "tests/simulation",
]
"""What uses the crates of the core, besides each other."""

ITEM = re.compile(r"^\s*pub (?:const |unsafe |async )*(?:fn|const|static) (\w+)", re.MULTILINE)
"""Types are left to rustc: one that only appears in a signature must be public, and is named nowhere else."""


def code(text: str) -> str:
    """Returns a source without comments."""
    return re.sub(r"//.*", "", text)


def words(folders: list[Path]) -> set[str]:
    """Returns all names in the sources below some folders."""
    files = (file for folder in folders for file in folder.rglob("*.rs"))
    return {word for file in files for word in re.findall(r"\w+", code(file.read_text()))}


def unused() -> Iterator[tuple[Path, int, str]]:
    """Returns file, line and name of each public item that nothing outside of its crate names."""
    for crate in CRATES:
        sources = TOP / "core" / crate / "src"
        others = [TOP / "core" / other for other in CRATES if other != crate] + [TOP / other for other in OTHERS]
        outside = words(
            [*others, *(folder for folder in (TOP / "core" / crate).iterdir() if folder.name in ("tests", "examples"))]
        )
        for file in sorted(sources.rglob("*.rs")):
            text = code(file.read_text())
            for match in ITEM.finditer(text):
                if match[1] not in outside:
                    yield file, text[: match.start(1)].count("\n") + 1, match[1]
