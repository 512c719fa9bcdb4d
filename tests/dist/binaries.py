"""Reads what a native library asks of the system that loads it."""

from __future__ import annotations

import io
import re

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection


def needed(library: bytes) -> list[str]:
    """Returns the names of the libraries that a library loads."""
    sections = [one for one in ELFFile(io.BytesIO(library)).iter_sections() if isinstance(one, DynamicSection)]
    return sorted(tag.needed for section in sections for tag in section.iter_tags("DT_NEEDED"))


def glibc_floor(library: bytes) -> str:
    """Returns the oldest glibc that has every symbol of a library."""
    versions = {
        auxiliary.name
        for section in ELFFile(io.BytesIO(library)).iter_sections()
        if isinstance(section, GNUVerNeedSection)
        for _, auxiliaries in section.iter_versions()
        for auxiliary in auxiliaries
    }
    found = [as_numbers(name) for name in versions if re.fullmatch(r"GLIBC_[\d.]+", name)]
    return ".".join(map(str, max(found, default=(0,))))


def as_numbers(version: str) -> tuple[int, ...]:
    """Returns the numbers of a version such as `GLIBC_2.17`, which compare as versions do."""
    return tuple(int(number) for number in re.findall(r"\d+", version))


def machine(library: bytes) -> str:
    """Returns the architecture of a library, as Rust calls it."""
    return {"EM_X86_64": "x86_64", "EM_AARCH64": "aarch64"}[ELFFile(io.BytesIO(library))["e_machine"]]
