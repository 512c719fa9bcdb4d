"""Installs programs that tests need from Debian's packages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys


def need(programs: list[str], packages: list[str], otherwise: str) -> None:
    """Makes sure that the programs are installed; ends with advice if they cannot be."""
    if all(shutil.which(program) for program in programs):
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        sys.exit(f"{' and '.join(programs)} are missing: install {' '.join(packages)}{otherwise}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "-q"], ["apt-get", "install", "-yq", "--no-install-recommends", *packages]):
        subprocess.run(command, check=True, env=environment, stdin=subprocess.DEVNULL)
