"""Starts the programs that lend connections of drivers to the core's specifications.

As a program it runs a command with them: `python3 tests/servers/lenders.py COMMAND…` sets LEAFMINT_TEST_LENDING_JAVA
and LEAFMINT_TEST_LENDING_PYTHON to the addresses of one of each language, which end with the command, and
LEAFMINT_TEST_LENDING_COMMAND to the words, a line each, that start another one in Java. Its class path is read from
`jvm/java/target/lending.classpath`, which `make jars` writes.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).parents[2]


def java() -> list[str]:
    """Returns the words that start the program in Java."""
    target = ROOT / "jvm/java/target"
    path = [str(target / "test-classes"), str(target / "classes"), (target / "lending.classpath").read_text().strip()]
    settings = ["-XX:TieredStopAtLevel=1", "-Xmx512m", "-Dderby.stream.error.file=/dev/null"]
    return ["java", *settings, "-cp", ":".join(path), "io.github.leafmint.internal.lending.Bridge"]


def python() -> list[str]:
    """Returns the words that start the program in Python, by the interpreter that leafmint is installed for."""
    interpreter = os.environ.get("LEAFMINT_TEST_PYTHON", str(ROOT / ".venv/bin/python"))
    return [interpreter, str(ROOT / "py/tests/lending.py")]


class Program:
    """A program that prints its port, and ends with its standard input."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        port = self.process.stdout.readline().strip()
        if not port:
            raise RuntimeError(f"{command[0]} did not start: status {self.process.wait()}")
        self.address = f"127.0.0.1:{port}"

    def __enter__(self) -> Program:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


PROGRAMS = {"LEAFMINT_TEST_LENDING_JAVA": java, "LEAFMINT_TEST_LENDING_PYTHON": python}


def run(command: list[str]) -> int:
    """Runs a command with the programs, except for those that the environment names."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with ExitStack() as programs:
        missing = {name: words for name, words in PROGRAMS.items() if not os.environ.get(name)}
        found = {name: programs.enter_context(Program(words())).address for name, words in missing.items()}
        if "LEAFMINT_TEST_LENDING_JAVA" in found:
            found["LEAFMINT_TEST_LENDING_COMMAND"] = "\n".join(java())
        return subprocess.run(command, env={**os.environ, **found}).returncode


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
