"""Facts of the machine that is measured (no names and no paths), and whether it is quiet."""

from __future__ import annotations

import os
import platform
import re
import statistics
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

LOOK = 2.0
"""Seconds for which a look watches the processors."""
MOST_BUSY = 0.1
"""Cores that other processes may use before the machine counts as loaded."""
MOST_LATE = 0.5
"""Milliseconds by which one sleeper in ten may wake late."""
MOST_STOLEN = 1.0
"""Percentage of the run's processor time that the host may give to others."""


@dataclass(frozen=True)
class Look:
    """A look at the machine while nothing is measured."""

    load: float
    busy: float
    """Cores that other processes use. Unlike the load it is not raised by a build that has just ended."""
    late: tuple[float, float, float]
    """Milliseconds by which a sleeper wakes late: the median, one in ten, one in a hundred."""

    def __str__(self) -> str:
        median, tenth, hundredth = self.late
        return (
            f"other processes use {self.busy:.2f} cores, load {self.load:.2f}; a sleeper wakes {median:.2f} ms late,"
            f" one in ten {tenth:.2f} ms, one in a hundred {hundredth:.1f} ms"
        )


@dataclass(frozen=True)
class Ticks:
    """Processor time since the start of the machine, in seconds."""

    total: float
    idle: float
    stolen: float


def ticks() -> Ticks:
    """Reads the times of all processors."""
    found = [int(word) for word in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    hertz = os.sysconf("SC_CLK_TCK")
    return Ticks(sum(found) / hertz, (found[3] + found[4]) / hertz, found[7] / hertz)


def late_sleepers() -> tuple[float, float, float]:
    """Returns by how many milliseconds a sleep of half a millisecond is too long."""
    late = []
    for _ in range(2000):
        began = time.monotonic()
        time.sleep(0.0005)
        late.append((time.monotonic() - began - 0.0005) * 1e3)
    cuts = statistics.quantiles(late, n=100)
    return cuts[49], cuts[89], cuts[98]


def look() -> Look:
    """Looks at the machine for some seconds."""
    before, load = ticks(), os.getloadavg()[0]
    time.sleep(LOOK)
    after = ticks()
    busy = max(0.0, (after.total - after.idle) - (before.total - before.idle)) / LOOK
    return Look(load, busy, late_sleepers())


def complaints(when: str, seen: Look) -> list[str]:
    """Returns what keeps the machine from being quiet."""
    found = []
    if seen.busy > MOST_BUSY:
        found.append(f"{when} the run other processes used {seen.busy:.2f} cores (at most {MOST_BUSY})")
    if seen.late[1] > MOST_LATE:
        late = f"{seen.late[1]:.2f} ms late (at most {MOST_LATE})"
        found.append(f"{when} the run one sleeper in ten woke {late}")
    return found


def stolen(before: Ticks, after: Ticks) -> tuple[float, list[str]]:
    """Returns the percentage of processor time that the host gave to others during the run, and what to say of it."""
    share = 100 * (after.stolen - before.stolen) / max(after.total - before.total, 1e-9)
    words = f"during the run the host gave {share:.1f} % of the processors to others (at most {MOST_STOLEN:g})"
    return share, [words] if share > MOST_STOLEN else []


def facts(javas: list[str]) -> dict[str, str]:
    """Returns each fact by its name."""
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    memory = re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())
    release = re.search(r'PRETTY_NAME="(.*)"', Path("/etc/os-release").read_text())
    server = re.search(r"\d+\.\d+\.\d+(?=-MariaDB)", first_line("mariadbd", "--version"))
    return {
        "processor": f"{cpu[1] if cpu else platform.machine()}, {os.cpu_count()} cores",
        "memory": f"{int(memory[1]) / 2**20:.0f} GiB" if memory else "unknown",
        "system": f"{release[1] if release else platform.system()}, Linux {platform.release().partition('-')[0]}",
        "Rust": first_line("rustc", "--version"),
        "Python": platform.python_version(),
        "Java": ", ".join(javas) or "none",
        "MariaDB": server[0] if server else "none",
    }


def first_line(*command: str) -> str:
    """Returns the first line that a program prints of its version, or that it is missing."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except FileNotFoundError:
        return f"{command[0]} is missing"
    return (done.stdout or done.stderr).splitlines()[0].strip()
