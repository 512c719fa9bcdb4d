"""A virtual machine that cannot start a thread gets a named error, and an id from the next call once it can."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from programs import TOP, compiled, kill

UNUSED_USER = 64_217
"""A user without other processes: limits of threads do not apply to root."""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that another user may read and write."""
    folder = Path(tempfile.mkdtemp(prefix="leafmint-few-threads-"))
    folder.chmod(0o1777)
    yield folder
    shutil.rmtree(folder)


def allow_threads(process: subprocess.Popen[str], count: str) -> None:
    """Sets the number of threads that the process's user may have."""
    subprocess.run(
        ["prlimit", f"--pid={process.pid}", f"--nproc={count}:"], check=True, user=UNUSED_USER, group=UNUSED_USER
    )


def test_a_shortage_of_threads_is_a_named_error_in_java_and_the_next_call_works(open_folder: Path) -> None:
    assert os.geteuid() == 0, "only root runs programs as another user"
    java, *options, classes, name = compiled(TOP / "tests/cross/applications/ThreadShortage.java")
    jar, folder = classes.split(os.pathsep)
    # The other user may not read the checkout.
    path = os.pathsep.join([str(shutil.copy(jar, open_folder)), str(shutil.copytree(folder, open_folder / "classes"))])
    urls = [f"sqlite:///{open_folder}/ids.db?timeout=20s", f"local:{open_folder}/workers?timeout=20s"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    # Without the virtual machine's own warnings about threads, which go to standard output.
    command = [java, "-Xlog:disable", *options, path, name, *urls]
    minting = subprocess.Popen(command, text=True, user=UNUSED_USER, group=UNUSED_USER, cwd=open_folder, **pipes)
    try:
        assert minting.stdin
        assert minting.stdout
        assert minting.stdout.readline() == "java.lang.IllegalStateException: ready\n"
        allow_threads(minting, "1")
        minting.stdin.write("\n")
        minting.stdin.flush()
        for _ in range(2):
            answer = minting.stdout.readline()
            assert answer.startswith("store_unavailable: "), answer
            assert "Resource temporarily unavailable (os error 11)" in answer
        allow_threads(minting, "1000")
        minting.stdin.write("\n")
        minting.stdin.flush()
        assert [minting.stdout.readline() for _ in range(2)] == ["id\n", "id\n"]
        minting.stdin.write(".")
        minting.stdin.flush()
        assert minting.wait(120) == 0
    finally:
        kill(minting)
