"""Runs the installed command."""

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

LEAFMINT = [str(Path(sys.executable).parent / "leafmint")]
MODULE = [sys.executable, "-W", "error", "-m", "leafmint"]


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines that it printed."""
        return self.out.splitlines()

    def json(self) -> Any:
        """The one document that it printed."""
        return json.loads(self.out)


def environment(**variables: str) -> dict[str, str]:
    """Return the environment of a command: without the URLs of this one."""
    return {name: value for name, value in os.environ.items() if not name.startswith("LEAFMINT_")} | variables


def start(*arguments: str, command: list[str] = LEAFMINT, **variables: str) -> "subprocess.Popen[str]":
    """Start a command that listens to Ctrl-C, also if these tests run in the background."""
    return subprocess.Popen(
        [*command, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(**variables),
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )


def leafmint(*arguments: str, command: list[str] = LEAFMINT, stdin: str = "", **variables: str) -> Ran:
    """Run a command to its end."""
    process = start(*arguments, command=command, **variables)
    try:
        out, err = process.communicate(stdin, timeout=120)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return Ran(process.returncode, out, err)
