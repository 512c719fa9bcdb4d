"""The ids of a soak: reads the files that the guests wrote, and looks for duplicates."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt


@dataclass
class Verdict:
    """The findings in the ids of one scope."""

    count: int
    duplicates: list[int] = field(default_factory=list)
    disordered: list[str] = field(default_factory=list)


def read(file: Path) -> npt.NDArray[np.int64]:
    """Reads the ids of a file; a word that a crash cut short is left out."""
    data = np.fromfile(file, dtype="<u1")
    return data[: len(data) // 8 * 8].view("<i8")


def judge(files: list[Path]) -> Verdict:
    """Looks for duplicates in the files, and for files whose ids do not ascend."""
    disordered = []
    parts = []
    for file in files:
        ids = read(file)
        if len(ids) > 1 and not bool(np.all(ids[1:] > ids[:-1])):
            disordered.append(file.name)
        parts.append(ids)
    every = np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
    every.sort()
    twice = every[1:][every[1:] == every[:-1]]
    return Verdict(len(every), [int(number) for number in np.unique(twice)[:20]], disordered)
