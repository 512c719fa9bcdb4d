"""The programs that mint, one for each language, and how the tests run them."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

TOP = Path(__file__).resolve().parents[2]

JAVA = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
"""A virtual machine that starts soon, and takes little from other tests."""

ENDS = ExitStack()
"""Ends what a test has started and not ended yet."""


def jar() -> Path:
    """The JAR of the Java binding."""
    jars = [
        path
        for path in (TOP / "jvm/java/target").glob("leafmint-*.jar")
        if not path.stem.endswith(("-sources", "-javadoc"))
    ]
    assert len(jars) == 1, f"expected one JAR, found {jars}: run `make jars` first"
    return jars[0]


def mint_commands() -> dict[str, list[str]]:
    """The program that mints, in each language; see the examples for its arguments."""
    return {
        "Rust": [str(TOP / "target/debug/mint")],
        "Python": [sys.executable, str(TOP / "examples/mint.py")],
        "Java": compiled(TOP / "examples/Mint.java"),
    }


def lent_commands() -> dict[str, list[str]]:
    """The programs that mint through SQLAlchemy and JDBC, by the beginnings of the URLs that they take."""
    drivers = (TOP / "jvm/java/target/lending.classpath").read_text().strip()
    *java, path, main = compiled(TOP / "tests/cross/applications/LentMint.java")
    python = [sys.executable, str(TOP / "tests/cross/applications/lent_mint.py")]
    return {
        "mysql+pymysql": python,
        "postgresql+psycopg": python,
        "jdbc:mariadb": [*java, f"{path}{os.pathsep}{drivers}", main],
        "jdbc:postgresql": [*java, f"{path}{os.pathsep}{drivers}", main],
    }


def pairs(first: Sequence[str], second: Sequence[str]) -> list[Any]:
    """Returns the pairs of two lists as parameters: each value once in `make test`, and every pair in `make test-all`.

    The core's tests prove that the two do not depend on each other.
    """
    short = {(first[row % len(first)], second[row % len(second)]) for row in range(max(len(first), len(second)))}
    every = [(one, other) for one in first for other in second]
    return [pytest.param(*pair, marks=[] if pair in short else pytest.mark.long) for pair in every]


def start(command: list[str], *arguments: object, **options: Any) -> subprocess.Popen[str]:
    """Starts a program whose output is to be read, unless options say where it goes."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    process = subprocess.Popen([*command, *map(str, arguments)], text=True, **{**pipes, **options})
    ENDS.enter_context(process)
    ENDS.callback(process.kill)
    return process


def finish(process: subprocess.Popen[str], timeout: float) -> dict[str, object]:
    """Waits for a program that mints and returns its summary."""
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    assert process.returncode == 0, f"{process.args}: {errors}"
    summary: dict[str, object] = json.loads(output)
    return summary


def kill(process: subprocess.Popen[str]) -> None:
    """Kills a program, as a crash would, and closes its pipes."""
    process.kill()
    process.communicate()


def compiled(source: Path) -> list[str]:
    """Compiles a Java program of one file against the JAR, unless that is done, and returns how it is run."""
    folder = TOP / "target/java" / source.relative_to(TOP).with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / f"{source.stem}.class"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists() or made.stat().st_mtime < max(file.stat().st_mtime for file in (source, jar())):
            subprocess.run(["javac", "-cp", str(jar()), "-d", str(folder), str(source)], check=True)
    return [*JAVA, "-cp", f"{jar()}{os.pathsep}{folder}", source.stem]
