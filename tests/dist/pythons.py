"""Finds the interpreters of this machine, and makes empty environments of them."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from commands import TOP, run

VERSIONS = ["3.10", "3.11", "3.12", "3.13"]


def interpreters() -> dict[str, Path]:
    """Returns the CPythons that are there, on the path or among pyenv's, by version."""
    places = [Path(place) for place in os.environ.get("PATH", "").split(os.pathsep) if place]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = {}
    for version in VERSIONS:
        candidates = [place / f"python{version}" for place in places]
        candidates += sorted(pyenv.glob(f"{version}.*/bin/python{version}"))
        working = next((one for one in candidates if one.is_file() and works(one)), None)
        if working:
            found[version] = working
    return found


def constraints(folder: Path) -> Path:
    """Writes the versions of requirements-dev.txt as pip wants constraints: without extras."""
    file = folder / "constraints.txt"
    file.write_text(re.sub(r"\[.*?\]", "", (TOP / "requirements-dev.txt").read_text()))
    return file


def works(python: Path) -> bool:
    """Returns whether a file is a CPython that can make environments; pyenv's may stand for one that is not there."""
    program = "import sys, venv, ensurepip; print(sys.implementation.name)"
    done = subprocess.run([python, "-c", program], capture_output=True, text=True)
    return done.stdout.strip() == "cpython"


def environment(python: Path, folder: Path) -> Path:
    """Makes an empty virtual environment, and returns its interpreter."""
    run([python, "-m", "venv", folder], folder.parent)
    return folder / "bin/python"


def install(python: Path, *what: str | Path) -> None:
    """Installs packages into an environment, and checks that they fit together."""
    run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what], python.parent)
    run([python, "-m", "pip", "check", "--disable-pip-version-check"], python.parent)
