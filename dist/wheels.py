"""Builds the wheels and the source distribution of Python."""

from __future__ import annotations

from pathlib import Path

import docstrings
from platforms import Platform
from steps import ARTEFACTS, run
from toolchain import TOOLS, environment, linker_arguments, zig_cargo


def build_wheel(platform: Platform, interpreter: str) -> None:
    """Builds the wheel for a platform: one for all versions of Python, or that of a free-threaded interpreter."""
    command: list[str | Path] = [TOOLS / "maturin", "build", "--profile", "dist", "--locked", "--quiet"]
    command += ["--target", platform.rust, "--compression-level", "9", "--out", ARTEFACTS]
    if platform.wheel_tag:
        command += ["--compatibility", platform.wheel_tag]
    if interpreter:
        command += ["--interpreter", interpreter]
    command += linker_arguments(platform)
    variables = environment(platform)
    if platform.glibc:
        variables["CARGO"] = str(zig_cargo(platform))
    run(f"wheel for {platform.name} (minutes, if nothing is compiled yet)", command, environment=variables)


def document_wheels() -> None:
    """Writes docstrings into the stubs of all wheels."""
    built = sorted(ARTEFACTS.glob("leafmint-*.whl"))
    found = docstrings.docstrings_of(built)
    for wheel in built:
        docstrings.write(wheel, found)


def build_sdist() -> None:
    """Builds the source distribution."""
    run("source distribution", [TOOLS / "maturin", "sdist", "--out", ARTEFACTS])
