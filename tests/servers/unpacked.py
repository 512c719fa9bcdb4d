"""Unpacks Debian packages into a cache folder without installing them: no service starts, and no root is needed."""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path


def cache() -> Path:
    """Returns the folder of all that is unpacked; root's must be readable by the user that servers run as."""
    if os.geteuid() == 0:
        return Path("/var/cache/leafmint-tests")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "leafmint-tests"


def kept(name: str, fill: Callable[[Path], None]) -> Path:
    """Returns a folder of the cache. The first time it is filled, by a function that may use the folder beside it."""
    folder = cache() / name
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (cache() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            with tempfile.TemporaryDirectory(prefix=f"{name}-", dir=cache()) as scratch:
                filled = Path(scratch) / "unpacked"
                filled.mkdir()
                fill(filled)
                filled.chmod(0o755)
                filled.rename(folder)
    return folder


def unpacked(name: str, packages: list[str], otherwise: str, suite: str = "", foreign: str = "") -> Path:
    """Returns a folder with packages and what they need beyond the installed ones; downloads them the first time.

    With a suite, such as `sid`, they are the packages of that suite, with everything down to the C library. With a
    foreign architecture, such as `arm64`, they are those of that architecture, with everything too.
    """

    def fill(folder: Path) -> None:
        if not shutil.which("apt-get") or not download(packages, suite, foreign, folder.parent):
            sys.exit(f"{' and '.join(packages)} cannot be downloaded: install them{otherwise}")
        for archive in sorted((folder.parent / "cache/archives").glob("*.deb")):
            subprocess.run(["dpkg-deb", "-x", str(archive), str(folder)], check=True)

    return kept(name, fill)


def download(packages: list[str], suite: str, foreign: str, scratch: Path) -> bool:
    """Downloads packages with lists and archives of its own, so that apt's state stays as it is."""
    for part in ("lists/partial", "cache/archives/partial"):
        (scratch / part).mkdir(parents=True)
    apt = [
        "apt-get", "-qy", "-o", f"Dir::State::lists={scratch}/lists", "-o", f"Dir::Cache={scratch}/cache",
        "-o", "APT::Sandbox::User=", "-o", "Debug::NoLocking=true",
    ]  # fmt: skip
    if suite:
        # Names and keys of the sources are the machine's own.
        (scratch / "sources.list").write_text(source_of(suite))
        apt += ["-o", f"Dir::Etc::sourcelist={scratch}/sources.list", "-o", "Dir::Etc::sourceparts=-"]
    if foreign:
        apt += ["-o", f"APT::Architecture={foreign}", "-o", f"APT::Architectures={foreign}"]
    if suite or foreign:
        # Nothing counts as installed.
        (scratch / "status").touch()
        apt += ["-o", f"Dir::State::status={scratch}/status"]
    # Programs that start a server print its URL: nothing else may go to their standard output.
    # A source that does not answer matters only if a package is missing then.
    subprocess.run([*apt, "update"], stdin=subprocess.DEVNULL, stdout=sys.stderr)
    install = [*apt, "install", "--download-only", "--no-install-recommends", *packages]
    return subprocess.run(install, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode == 0


def source_of(suite: str) -> str:
    """Returns a line of apt's sources for another suite of the mirror that the machine itself uses."""
    release = platform.freedesktop_os_release().get("VERSION_CODENAME", "")
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(RELEASE) $(COMPONENT) $(REPO_URI)", "Created-By: Packages"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    mirrors = [line.split(" ", 2)[2] for line in listed.splitlines() if line.startswith(f"{release} main ")]
    key = next(Path("/usr/share/keyrings").glob("debian-archive-keyring.*"), None)
    if not mirrors or not key:
        sys.exit(f"packages of Debian's {suite} need a Debian machine with a mirror of main in apt's sources")
    return f"deb [signed-by={key}] {mirrors[0]} {suite} main\n"
