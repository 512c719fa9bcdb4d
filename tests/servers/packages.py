"""Installs programs that tests need from Debian's packages."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def need(programs: list[str], packages: list[str], otherwise: str) -> None:
    """Makes sure that the programs are installed; ends with advice if they cannot be."""
    if installed(programs):
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        sys.exit(f"{' and '.join(programs)} are missing: install {' '.join(packages)}{otherwise}")
    # apt-get fails if another one is at work, so threads and processes that need a package take turns.
    with (Path(tempfile.gettempdir()) / "leafmint-packages.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not installed(programs):
            install(packages)


def installed(programs: list[str]) -> bool:
    """Returns whether all programs are found."""
    return all(shutil.which(program) for program in programs)


def install(packages: list[str]) -> None:
    """Installs packages with apt-get."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "-q"], ["apt-get", "install", "-yq", "--no-install-recommends", *packages]):
        subprocess.run(command, check=True, env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr)
