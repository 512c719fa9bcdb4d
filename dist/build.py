"""Builds what is published, into `target/artefacts`: `make dist`.

`build.py [PART…] [--platform NAME]…` builds some parts only, or for other platforms than the two that one Debian
machine can build. `--platform host` is this machine's. A release builds `wheels` and `libraries` on a machine of each
platform, brings the libraries together in `target/libraries`, and builds `jars` with `--platform` for each of them.
"""

from __future__ import annotations

import argparse
import hashlib
import re

import jars
import wheels
from platforms import BY_NAME, HERE, Platform, host
from steps import ARTEFACTS, TOP, say

PARTS = ["wheels", "sdist", "libraries", "jars"]


def main() -> None:
    """Builds the parts that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}: all, if none is named")
    parser.add_argument(
        "--platform", action="append", help=f"host, {', '.join(BY_NAME)}: {' and '.join(HERE)}, if none"
    )
    parser.add_argument("--interpreter", default="", help="a free-threaded Python, which needs a wheel of its own")
    options = parser.parse_args()
    names = [host() if name == "host" else name for name in options.platform or HERE]
    for named, known in ((options.parts, PARTS), (names, list(BY_NAME))):
        if unknown := sorted(set(named) - set(known)):
            parser.error(f"{', '.join(unknown)}: choose of {', '.join(known)}")
    remove_other_versions()
    build(options.parts or PARTS, [BY_NAME[name] for name in names], options.interpreter)
    write_sums()
    say(f"done: {ARTEFACTS.relative_to(TOP)}")


def build(parts: list[str], platforms: list[Platform], interpreter: str) -> None:
    """Builds some parts for some platforms."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    if "sdist" in parts:
        wheels.build_sdist()
    for platform in platforms:
        if "wheels" in parts:
            wheels.build_wheel(platform, interpreter)
        if "libraries" in parts:
            jars.build_library(platform)
    if "wheels" in parts:
        wheels.document_wheels()
    if "jars" in parts:
        jars.build_jars(platforms)


def remove_other_versions() -> None:
    """Removes the wheels and source distributions of other versions."""
    (version,) = re.findall(r'^version = "(.*)"', (TOP / "Cargo.toml").read_text(), re.MULTILINE)
    for file in ARTEFACTS.glob("leafmint-*"):
        if not file.name.startswith((f"leafmint-{version}-", f"leafmint-{version}.tar")):
            file.unlink()


def write_sums() -> None:
    """Writes the SHA-256 of every file, in the form that `sha256sum --check` reads."""
    files = sorted(file for file in ARTEFACTS.rglob("*") if file.is_file() and file.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(ARTEFACTS)}\n" for file in files]
    (ARTEFACTS / "SHA256SUMS").write_text("".join(lines))


if __name__ == "__main__":
    main()
