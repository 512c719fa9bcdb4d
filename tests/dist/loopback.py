"""A package index and a Maven repository on loopback, filled by the commands of a release."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from commands import ARTEFACTS, TOOLS, TOP, run
from report import check

LONGEST = 60
"""Seconds that a server may take to answer."""


@contextmanager
def served(command: list[str | Path], port: int, log: Path) -> Iterator[str]:
    """Runs a server on a port of loopback, and yields its address once it answers."""
    with log.open("w") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        try:
            deadline = time.monotonic() + LONGEST
            while not answers(port):
                check(process.poll() is None and time.monotonic() < deadline, f"{command}: {log.read_text()}")
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(LONGEST)


def answers(port: int) -> bool:
    """Returns whether something listens on a port."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    """Returns a port that nothing listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def package_index(folder: Path) -> Iterator[str]:
    """Uploads wheels and source distribution as a release does, and yields the address of the index."""
    packages = folder / "packages"
    packages.mkdir(parents=True)
    port = free_port()
    # Loopback needs no log-in: `-P . -a .`.
    server = [TOOLS / "pypi-server", "run", "--interface", "127.0.0.1", "--port", str(port)]
    with served([*server, "-P", ".", "-a", ".", "--disable-fallback", packages], port, folder / "index.log") as address:
        files = sorted([*ARTEFACTS.glob("leafmint-*.whl"), *ARTEFACTS.glob("leafmint-*.tar.gz")])
        check(len(files) >= 2, "wheels or the source distribution are missing: run `make dist` first")
        login = ["--username", "rehearsal", "--password", "rehearsal"]
        run([TOOLS / "twine", "check", "--strict", *files], folder)
        run([TOOLS / "twine", "upload", "--disable-progress-bar", *login, "--repository-url", address, *files], folder)
        check(len(list(packages.glob("leafmint-*"))) == len(files), f"{len(files)} files were uploaded")
        yield f"{address}/simple/"


@contextmanager
def maven_repository(folder: Path) -> Iterator[str]:
    """Signs and packs the JARs as a release does, unpacks the bundle, and yields the address of the repository."""
    keys, bundle, repository = folder / "keys", folder / "bundle.zip", folder / "repository"
    keys.mkdir(parents=True, mode=0o700)
    signing = {"GNUPGHOME": str(keys), "SIGNING_PASSPHRASE": "rehearsal"}
    made = ["--quick-generate-key", "leafmint rehearsal", "rsa3072", "sign", "1d"]
    options = ["--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", "rehearsal"]
    try:
        run(["gpg", *options, *made], folder, signing)
        run([sys.executable, TOP / "dist/bundle.py", ARTEFACTS / "maven", bundle], folder, signing)
        with zipfile.ZipFile(bundle) as archive:
            archive.extractall(repository)
        for signature in repository.rglob("*.asc"):
            run(["gpg", "--batch", "--quiet", "--verify", signature, signature.with_suffix("")], folder, signing)
    finally:
        # Its agent would outlive the run.
        subprocess.run(["gpgconf", "--kill", "all"], env={**os.environ, **signing}, check=False)
    port = free_port()
    server = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "--directory", repository, str(port)]
    with served(server, port, folder / "repository.log") as address:
        yield address
