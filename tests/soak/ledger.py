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


@dataclass
class Owners:
    """Who stamped time with one worker id."""

    ids: int
    stamped: int
    """Milliseconds from the first to the last one that an owner stamped before the next owner's, of all of them."""
    changes: int
    """How often, in the order of the time stamped, another process continues."""
    shared: int
    """Milliseconds that two processes stamped."""


def owners(files: list[Path]) -> dict[int, Owners]:
    """Looks at which processes stamped which time, for each worker id of ids in Leaf's layout."""
    parts = [read(file) for file in files]
    ids = np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
    # The threads of a process have files of their own.
    processes = [file.name.split(".ids")[0] for file in files]
    numbers = [processes.index(process) for process in processes]
    owner = np.repeat(numbers, [len(part) for part in parts])
    found = {}
    for worker in np.unique(ids >> 12 & 1023):
        mine = (ids >> 12 & 1023) == worker
        # One row for each millisecond of each owner, in the order of time.
        rows = np.unique(np.stack([ids[mine] >> 22, owner[mine]], axis=1), axis=0)
        times, who = rows[:, 0], rows[:, 1]
        ends = np.flatnonzero(np.append(who[1:] != who[:-1], True))
        begins = np.append(0, ends[:-1] + 1)
        found[int(worker)] = Owners(
            ids=int(mine.sum()),
            stamped=int((times[ends] - times[begins] + 1).sum()),
            changes=len(ends) - 1,
            shared=int((times[1:] == times[:-1]).sum()),
        )
    return found
