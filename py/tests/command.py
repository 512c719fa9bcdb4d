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
    """Return the environment of a command: without the URLs of this one, and patient with a file on a busy disk."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("LEAFMINT_")}
    return inherited | {name: patient(value) for name, value in variables.items()}


def patient(value: str) -> str:
    """Return the URL of a SQLite file with a time that a busy disk does not use up, and anything else as it is."""
    is_file = value.startswith("sqlite:///") and "?" not in value
    return f"{value}?timeout=60s&connect_timeout=60s" if is_file else value


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
