"""Builds and installs the source distribution as pip does."""

from __future__ import annotations

import sys
from pathlib import Path

from commands import ARTEFACTS, TOOLS, TOP, run
from limits import check_size
from pythons import environment, pip
from report import Report, check, say
from wheels_on_pythons import MINT

# The profile in which the dependencies are compiled already; `dist` would take minutes more. Not --locked: Cargo takes
# out of the lock file what the source distribution does not have.
BUILD = ["--config-settings", "build-args=--profile release"]


def check_sdist(report: Report, folder: Path) -> None:
    """Checks the source distribution, builds a wheel of it in an empty environment, and mints."""
    folder.mkdir()
    (sdist,) = ARTEFACTS.glob("leafmint-*.tar.gz")
    say(f"{sdist.name}: built and installed by pip (minutes)")
    row = report.row("sdist", "any")
    check_size(row, sdist, "sdist")
    run([TOOLS / "twine", "check", "--strict", sdist], folder)
    python = environment(Path(sys.executable), folder / "venv")
    run([*pip(python), "install", "--quiet", *BUILD, sdist], folder, {"CARGO_TARGET_DIR": str(TOP / "target")})
    printed = run([python, "-I", "-c", MINT], folder).split("\n")[0]
    check(printed == "[1, 2, 3] True False", f"{sdist.name} printed {printed}")
    row.done.append("twine; built by pip, mints")
