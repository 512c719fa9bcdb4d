"""Finds the interpreters of this machine, and makes empty environments of them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from commands import TOP, run

sys.path.append(str(TOP / "tests/servers"))

from unpacked import kept, unpacked

VERSIONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]
OF_DEBIAN = ["3.14"]
"""Those of which Debian's unstable suite has a package, and which machines rarely have yet."""


def interpreters() -> dict[str, Path]:
    """Returns the CPythons by version: on the path, among pyenv's, or unpacked from Debian's packages."""
    places = [Path(place) for place in os.environ.get("PATH", "").split(os.pathsep) if place]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = {}
    for version in VERSIONS:
        candidates = [place / f"python{version}" for place in places]
        candidates += sorted(pyenv.glob(f"{version}.*/bin/python{version}"))
        working = next((one for one in candidates if one.is_file() and works(one)), None)
        if working:
            found[version] = working
        elif version in OF_DEBIAN and shutil.which("apt-get"):
            found[version] = of_debian(version)
    return found


def of_debian(version: str) -> Path:
    """Unpacks the package of an interpreter; returns a program that starts it with the C library that it needs."""
    folder = unpacked(f"python{version}", [f"python{version}", f"python{version}-venv"], "", suite="sid")
    loader = next(folder.glob("usr/lib/*-linux-*/ld-linux-*"))

    def fill(home: Path) -> None:
        # The interpreter finds its library next to the program that it takes itself for.
        (home / "lib").symlink_to(folder / "usr/lib")
        starter = home / f"bin/python{version}"
        starter.parent.mkdir()
        program = f'{loader} --argv0 "$0" --library-path {loader.parent} {folder}/usr/bin/python{version}'
        starter.write_text(f'#!/bin/sh\nexec {program} "$@"\n')
        starter.chmod(0o755)

    return kept(f"python{version}-home", fill) / f"bin/python{version}"


def constraints(folder: Path) -> Path:
    """Writes the versions of requirements-dev.txt as pip wants constraints: without extras."""
    file = folder / "constraints.txt"
    file.write_text(re.sub(r"\[.*?\]", "", (TOP / "requirements-dev.txt").read_text()))
    return file


def works(python: Path) -> bool:
    """Returns whether a file is a CPython that can make environments; pyenv's may stand for one that is not there."""
    program = "import sys, venv; print(sys.implementation.name)"
    done = subprocess.run([python, "-c", program], capture_output=True, text=True)
    return done.stdout.strip() == "cpython"


def environment(python: Path, folder: Path) -> Path:
    """Makes an empty virtual environment, and returns its interpreter."""
    run([python, "-m", "venv", "--without-pip", folder], folder.parent)
    return folder / "bin/python"


def install(python: Path, *what: str | Path) -> None:
    """Installs packages into an environment, and checks that they fit together."""
    run([*pip(python), "install", "--quiet", *what], python.parent)
    run([*pip(python), "check"], python.parent)


def pip(python: Path) -> list[str | Path]:
    """Returns the command that starts this program's pip for an environment, which has none."""
    return [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python]
