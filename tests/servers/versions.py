"""Runs a command with a server of a version that Maven Central has: PostgreSQL, MariaDB, MySQL or ZooKeeper.

`python3 tests/servers/versions.py postgresql 13 COMMAND…` runs it with the version of `versions.json` that begins so,
and `python3 tests/servers/versions.py postgresql all COMMAND…` with each version in turn. The server is unpacked into a
folder of the cache, not installed; the program of this folder that starts servers of its kind starts it from there.

In an argument, `{without}` becomes the end of a filter of nextest, which leaves out the tests that the version cannot
pass. The program prints them, with the reasons that the table has.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import mariadb
import mysql
import postgresql
import zookeeper
from unpacked import kept

TABLE: dict[str, dict[str, dict[str, dict[str, str]]]] = json.loads(Path(__file__).with_suffix(".json").read_text())
"""Of each server the versions: the SHA-256 of each artefact, and the tests that go without it, with the reasons."""

PROGRAMS = {"postgresql": postgresql, "mariadb": mariadb, "mysql": mysql, "zookeeper": zookeeper}


def home_of(server: str, version: str) -> Path:
    """Returns the folder of a version: with `bin` and `share`, or with the archives of Java. Downloads it once."""

    def fill(folder: Path) -> None:
        for artefact, digest in TABLE[server][version]["artefacts"].items():
            archive = downloaded(artefact, digest, folder)
            if server != "zookeeper":
                unpack(archive)

    folder = kept(f"{server}-{version}", fill)
    return next((path.parent for path in folder.rglob("bin")), folder)


def downloaded(artefact: str, digest: str, folder: Path) -> Path:
    """Downloads an artefact from the repository that Maven is set up with, and checks its content."""
    # Programs that start a server print its URL: nothing else may go to their standard output.
    subprocess.run(
        ["mvn", "-B", "-ntp", "-q", "dependency:copy", f"-Dartifact={artefact}", f"-DoutputDirectory={folder}"],
        check=True, cwd=folder, stdin=subprocess.DEVNULL, stdout=sys.stderr,
    )  # fmt: skip
    _, name, version = artefact.split(":")
    archive = folder / f"{name}-{version}.jar"
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != digest:
        sys.exit(f"{artefact} is not the one that was tested: its SHA-256 is {found}, not {digest}")
    return archive


def unpack(archive: Path) -> None:
    """Unpacks the archive of a server, and the archive of programs in it, where it stands."""
    folder = archive.parent
    shutil.unpack_archive(archive, folder, "zip")
    archive.unlink()
    for packed in [*folder.glob("*.txz"), *folder.glob("*.tar.gz")]:
        if "linux" in packed.name.lower():
            shutil.unpack_archive(packed, folder)
        packed.unlink()
    # A JAR does not say which of its files are programs.
    for program in [*folder.rglob("bin/*"), *folder.rglob("scripts/*")]:
        program.chmod(0o755)


def run(server: str, version: str, command: list[str]) -> int:
    """Runs a command with a version of a server, and returns its exit code."""
    home = home_of(server, version)
    environment = {**os.environ, f"LEAFMINT_TEST_{server.upper()}_HOME": str(home)}
    environment.pop(PROGRAMS[server].VARIABLE, None)
    left_out = TABLE[server][version].get("without", {})
    for test, reason in left_out.items():
        print(f"without {test}: {reason}", file=sys.stderr, flush=True)
    without = "".join(f" & not test(={test})" for test in left_out)
    program = str(Path(__file__).with_name(f"{server}.py"))
    words = [word.replace("{without}", without) for word in command]
    return subprocess.run([sys.executable, program, *words], env=environment).returncode


def run_each(kind: str, known: Iterable[str], wanted: str, run: Callable[[str], int]) -> int:
    """Calls a function with each version that is wanted, and says with which it failed."""
    versions = [version for version in known if wanted == "all" or f"{version}.".startswith(f"{wanted}.")]
    if not versions:
        sys.exit(f"{kind} {wanted} is not one of {', '.join(known)}")
    failed = []
    for version in versions:
        print(f"=== {kind} {version}", file=sys.stderr, flush=True)
        if run(version) != 0:
            failed.append(version)
    if failed:
        print(f"failed with {kind} {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def main(server: str, wanted: str, *command: str) -> int:
    """Runs a command with each version that is wanted."""
    return run_each(server, TABLE[server], wanted, lambda version: run(server, version, list(command)))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
