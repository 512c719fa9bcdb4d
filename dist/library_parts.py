"""Builds the native library of Python with its symbols, and prints what is in it. Java's differs in the binding alone.

Code of the standard library counts as its own, whatever types it was compiled for, except for what drops a value: that
counts as the crate of the value's type.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from steps import TOP, run

LIBRARY = TOP / "target/dist/lib_core.so"
STANDARD = {"core", "alloc", "std"}
# Names without a path are those of C and of assembler.
RING = re.compile(r"ring_core|_?(bn|sha\d+|aes|vpaes|gcm|ecp|x25519|ChaCha20|mul|sqr)\w*_|process_")
SECTIONS = {
    "tables to unwind": {".eh_frame", ".eh_frame_hdr", ".gcc_except_table"},
    "constants": {".rodata"},
    "data that the loader relocates": {".data", ".data.rel.ro", ".rela.dyn"},
}


def build() -> None:
    """Builds the library as it is published, except for zig, which links it, and for its symbols."""
    named = "--config=profile.dist.package.leafmint-py.strip='none'"
    command = ["cargo", "build", "--profile", "dist", "--locked", "--quiet", "--package", "leafmint-py", named]
    run("leafmint-py with its symbols (minutes)", command)


def crate_of(symbol: str) -> str:
    """Returns the crate that a function belongs to, from its demangled name."""
    crates = re.findall(r"(?<![\w:])([a-z_]\w*)::", symbol)
    if not crates:
        return "ring" if RING.match(symbol) else "SQLite"
    return next((crate for crate in crates if crate not in STANDARD), "standard library")


def functions(library: Path) -> Iterator[tuple[str, int]]:
    """Yields the name and size of each function; one that has several names comes once."""
    printed = subprocess.run(["nm", "-S", "-C", "--defined-only", library], check=True, capture_output=True, text=True)
    seen = set()
    for line in printed.stdout.splitlines():
        fields = line.split(None, 3)
        if len(fields) == 4 and fields[2] in "tTwW" and fields[0] not in seen:
            seen.add(fields[0])
            yield fields[3], int(fields[1], 16)


def sections(library: Path) -> Iterator[tuple[str, int]]:
    """Yields the kind and size of each section that is not code."""
    printed = subprocess.run(["size", "-A", library], check=True, capture_output=True, text=True)
    for name, size in re.findall(r"^(\.[\w.]+) +(\d+)", printed.stdout, re.MULTILINE):
        yield from ((kind, int(size)) for kind, names in SECTIONS.items() if name in names)


def show(parts: Counter[str]) -> None:
    """Prints the parts, largest first, and their sum."""
    for name, size in parts.most_common():
        if size >= 5000:
            print(f"{size / 1e6:6.2f} MB  {name}")
    print(f"{parts.total() / 1e6:6.2f} MB\n")


def main() -> None:
    """Prints the code by its crate, and the whole by its kind."""
    build()
    code: Counter[str] = Counter()
    for name, size in functions(LIBRARY):
        code[crate_of(name)] += size
    show(code)
    kinds = Counter({"code": code.total()})
    for kind, size in sections(LIBRARY):
        kinds[kind] += size
    show(kinds)


if __name__ == "__main__":
    main()
