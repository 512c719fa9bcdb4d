"""What tests import by name."""

import copy
import json
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

VECTORS = Path(__file__).parents[2] / "tests" / "vectors"

UNREACHABLE = "mysql://root:s3ntinel@127.0.0.1:1/leafmint"
"""Nobody listens there; the password must never be seen again."""

SENTINEL = "s3ntinel"


def pickled(value: Any, protocol: int) -> Any:
    """Return what comes out of a pickle."""
    return pickle.loads(pickle.dumps(value, protocol))


DUPLICATES: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, *(partial(pickled, protocol=i) for i in range(6))]
"""Every way to make a second one of a value."""


def vector(name: str) -> Any:
    """Read a file of cases that all languages share."""
    return json.loads((VECTORS / f"{name}.json").read_text())


def in_threads(count: int, work: Callable[[], T]) -> list[T]:
    """Run the same work in many threads that start together, and return what each returned."""
    results: list[T] = []
    errors: list[BaseException] = []
    barrier = threading.Barrier(count)

    def run() -> None:
        barrier.wait()
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)
    if errors:
        raise errors[0]
    return results


def start_python(script: str, *arguments: str) -> "subprocess.Popen[str]":
    """Start a script in an interpreter of its own; warnings are errors there too."""
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(script), *arguments]
    # A test run in the background of a shell ignores Ctrl-C, and its children would too.
    listen = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listen)


def run_python(script: str, *arguments: str, seconds: float = 30) -> str:
    """Run a script in an interpreter of its own, and return what it printed."""
    process = start_python(script, *arguments)
    out, err = process.communicate(timeout=seconds)
    assert process.returncode == 0, err
    return out
