"""What is told of the machine that was measured: no names and no paths."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import time
from pathlib import Path


def first_line(*command: str) -> str:
    """Returns the first line that a program prints of its version, or that it is missing."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except FileNotFoundError:
        return f"{command[0]} is missing"
    return (done.stdout or done.stderr).splitlines()[0].strip()


def late_wakes() -> str:
    """Returns by how much a sleep of half a millisecond is too long here. Every figure with a wait contains it."""
    late = []
    for _ in range(2000):
        began = time.monotonic()
        time.sleep(0.0005)
        late.append((time.monotonic() - began - 0.0005) * 1e3)
    late.sort()
    median, tenth, hundredth = late[1000], late[1800], late[1980]
    return f"{median:.2f} ms late in the median, {tenth:.2f} ms in one of ten, {hundredth:.1f} ms in one of a hundred"


def facts(javas: list[str]) -> dict[str, str]:
    """Returns each fact by its name."""
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    memory = re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())
    release = re.search(r'PRETTY_NAME="(.*)"', Path("/etc/os-release").read_text())
    server = re.search(r"\d+\.\d+\.\d+-\w+", first_line("mariadbd", "--version"))
    return {
        "processor": f"{cpu[1] if cpu else platform.machine()}, {os.cpu_count()} cores",
        "memory": f"{int(memory[1]) / 2**20:.0f} GiB" if memory else "unknown",
        "system": f"{release[1] if release else platform.system()}, Linux {platform.release().partition('-')[0]}",
        "Rust": first_line("rustc", "--version"),
        "Python": platform.python_version(),
        "Java": ", ".join(javas) or "none",
        "store of the refill figures": server[0] if server else "none",
        "load before the run": f"{os.getloadavg()[0]:.2f}",
        "sleepers before the run wake": late_wakes(),
    }
