"""Compares artefacts with `limits.json`."""

from __future__ import annotations

import json
import re
from pathlib import Path

from binaries import as_numbers, glibc_floor, machine, needed
from report import Row, check

LIMITS = json.loads(Path(__file__).with_name("limits.json").read_text())


def check_size(row: Row, file: Path, kind: str) -> None:
    """Checks the size of an artefact."""
    row.size = file.stat().st_size
    most = LIMITS["megabytes"][kind]
    check(row.size <= most * 1e6, f"{file.name} has {row.size / 1e6:.2f} MB, more than {most}")


def check_library(row: Row, name: str, library: bytes, architecture: str) -> None:
    """Checks what a native library for Linux needs, and its size."""
    most = LIMITS["megabytes"]["native library"]
    text = "`dist/library_parts.py` prints its parts"
    check(len(library) <= most * 1e6, f"{name} has {len(library) / 1e6:.2f} MB, more than {most}: {text}")
    check(machine(library) == architecture, f"{name} is for {machine(library)}")
    row.glibc = glibc_floor(library)
    oldest = LIMITS["glibc"]
    check(as_numbers(row.glibc) <= as_numbers(oldest), f"{name} needs glibc {row.glibc}, later than {oldest}")
    # glibc unwinds a thread that ends inside the library with this one; with another one in the library it crashes.
    check("libgcc_s.so.1" in needed(library), f"{name} has an unwinder of its own: threads that end in it crash")
    unknown = set(needed(library)) - set(LIMITS["needed"])
    check(not unknown, f"{name} needs {', '.join(unknown)}, which not every system has")
    check(b"drop_in_place" not in library, f"{name} has its symbols, which take place")
    paths = re.findall(rb"/(?:home|root|Users|work|builds)/[\w./-]+", library)
    check(not paths, f"{name} has paths of the machine that built it: {paths[:3]}")
